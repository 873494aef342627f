package stablehlo

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
)

type denseReader struct {
	src  *source
	lit  string
	base int // offset of lit in the text
	pos  int
	dt   core.DType
	size int
	dst  []byte
	dims []int
}

func (p *denseReader) fail(format string, args ...any) {
	p.src.fail(p.base+p.pos, core.ErrParse, "stablehlo.constant", format, args...)
}

func (p *denseReader) blanks() {
	for p.pos < len(p.lit) && (p.lit[p.pos] == ' ' || p.lit[p.pos] == '\n' || p.lit[p.pos] == '\t' || p.lit[p.pos] == '\r') {
		p.pos++
	}
}

func (p *denseReader) accept(c byte) bool {
	p.blanks()
	if p.pos < len(p.lit) && p.lit[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *denseReader) end() {
	if p.blanks(); p.pos < len(p.lit) {
		p.fail("unexpected %q behind the elements; close them with > before it", p.lit[p.pos:min(len(p.lit), p.pos+16)])
	}
}

func (p *denseReader) list(k int) {
	if k == len(p.dims) {
		if len(p.dst) < p.size {
			p.fail("too many elements; remove some, or enlarge the type")
		}
		p.element()
		p.dst = p.dst[p.size:]
		return
	}
	start := p.pos
	if !p.accept('[') {
		p.fail("expected a list of %d elements", p.dims[k])
	}
	n := 0
	for !p.accept(']') {
		if n > 0 && !p.accept(',') {
			p.fail("expected a comma or a closing bracket")
		}
		if n++; n > p.dims[k] {
			break
		}
		p.list(k + 1)
	}
	if n != p.dims[k] {
		p.pos = start
		p.fail("axis %d has %d elements, the list has another number; add or remove elements, or correct the type", k, p.dims[k])
	}
}

// element reads one element to the front of dst.
func (p *denseReader) element() {
	if !p.dt.IsComplex() {
		p.scalar(p.dt, p.dst)
		return
	}
	part, half := core.Float32, p.size/2
	if p.dt == core.Complex128 {
		part = core.Float64
	}
	if !p.accept('(') {
		p.fail("expected a complex number in parentheses")
	}
	p.scalar(part, p.dst)
	if !p.accept(',') {
		p.fail("expected the imaginary part")
	}
	p.scalar(part, p.dst[half:])
	if !p.accept(')') {
		p.fail("expected a closing parenthesis")
	}
}

// scalar reads an element that is not complex: a truth value or a number, also as hexadecimal bits.
func (p *denseReader) scalar(dt core.DType, dst []byte) {
	p.blanks()
	start := p.pos
	for p.pos < len(p.lit) {
		if c := p.lit[p.pos]; isDigit(c) || isLetter(c) || c == '.' || c == '-' || c == '+' {
			p.pos++
			continue
		}
		break
	}
	lit := p.lit[start:p.pos]
	bad := func() {
		p.pos = start
		if lit == "" {
			p.fail("expected an element")
		}
		p.fail("%q is not an element of %v; write a value of that type, or its bits in hexadecimal digits", lit, dt)
	}
	switch {
	case lit == "true" || lit == "false":
		if !dt.IsBool() {
			bad()
		}
		dst[0] = 0
		if lit == "true" {
			dst[0] = 1
		}
	case dt.IsBool():
		if lit != "0" && lit != "1" {
			bad()
		}
		dst[0] = lit[0] - '0'
	case dt.IsInteger():
		n, ok := parseInt(lit)
		if !ok || !fits(n, dt) {
			bad()
		}
		elem.Put(dst, n, dt)
	case strings.HasPrefix(lit, "0x"):
		u, err := strconv.ParseUint(lit[2:], 16, 64)
		if err != nil || bits.Len64(u) > dt.Bits() {
			bad()
		}
		for i := range dt.Size() {
			dst[i] = byte(u >> (8 * i))
		}
		native(dst[:dt.Size()], dt)
	default:
		width := 64
		if dt == core.Float32 {
			width = 32
		}
		f, err := strconv.ParseFloat(lit, width)
		if err != nil && !math.IsInf(f, 0) || lit == "" || isLetter(lit[0]) {
			bad()
		}
		elem.Put(dst, core.FloatNumber(f), dt)
	}
}

// parseInt reads a decimal or hexadecimal integer.
func parseInt(lit string) (core.Number, bool) {
	digits, negative := strings.CutPrefix(lit, "-")
	var u uint64
	var err error
	if h, ok := strings.CutPrefix(digits, "0x"); ok {
		u, err = strconv.ParseUint(h, 16, 64)
	} else {
		u, err = strconv.ParseUint(digits, 10, 64)
	}
	switch {
	case err != nil || negative && u > 1<<63:
		return core.Number{}, false
	case negative:
		return core.IntNumber(-int64(u)), true
	}
	return core.UintNumber(u), true
}

// fits reports whether an integer is a value of dt. One without a sign may also be the bits of
// a negative value.
func fits(n core.Number, dt core.DType) bool {
	if n.Fits(dt) {
		return true
	}
	return n.Kind() == core.KindUint && bits.Len64(n.Uint64()) <= dt.Bits()
}
