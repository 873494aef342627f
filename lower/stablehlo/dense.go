package stablehlo

import (
	"encoding/hex"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
)

// dense is the elements of a constant, as they stand in the file.
type dense struct {
	pos      int    // offset in the text, for messages
	lit      string // between dense< and >
	litPos   int
	resource string // the name of a resource in the place of lit
	raw      []byte // little-endian elements in the place of lit; one of them if splat
	splat    bool
	packed   bool // raw bools are bits
	typ      Type
}

// dense reads what stands behind the word dense.
func (s *scanner) dense(at int) attr {
	s.expect("<")
	d := &dense{pos: at}
	s.blanks()
	d.litPos = s.pos
	if s.pos < len(s.text) && s.text[s.pos] == '"' {
		i := strings.IndexByte(s.text[s.pos+1:], '"')
		if i < 0 {
			s.failf(s.pos, "a string does not end")
		}
		d.lit = s.text[s.pos : s.pos+i+2]
		s.pos += i + 2
		s.expect(">")
	} else {
		i := strings.IndexByte(s.text[s.pos:], '>')
		if i < 0 {
			s.failf(at, "the bracket \"<\" of dense is not closed")
		}
		d.lit = strings.TrimRight(s.text[s.pos:s.pos+i], " \n\t\r")
		s.pos += i + 1
	}
	s.expect(":")
	d.typ = s.typ()
	return denseAttr{d}
}

// aval returns the type of a constant. Vectors stand for tensors.
func (d *dense) aval(src *source) core.ShapedArray {
	a, ok := d.typ.Aval()
	if !ok {
		src.fail(d.pos, core.ErrDType, "stablehlo.constant", "the type %v is not supported", d.typ)
	}
	if a.Size() < 0 {
		src.fail(d.pos, core.ErrShape, "stablehlo.constant", "too many elements: %v", a)
	}
	return a
}

// isSplat reports whether one element stands for all.
func (d *dense) isSplat() bool {
	if d.raw != nil {
		return d.splat
	}
	if d.resource != "" || d.lit == "" {
		return false
	}
	if d.lit[0] == '"' {
		return false
	}
	return d.lit[0] != '['
}

// one decodes the element of a splat.
func (d *dense) one(src *source) [16]byte {
	var buf [16]byte
	dt := d.aval(src).DType
	if d.raw != nil {
		if dt.IsBool() {
			buf[0] = d.raw[0] & 1
		} else {
			copy(buf[:], d.raw)
			native(buf[:dt.Size()], dt)
		}
		return buf
	}
	p := denseReader{src: src, lit: d.lit, base: d.litPos, dt: dt, size: dt.Size()}
	p.dst = buf[:dt.Size()]
	p.element()
	p.end()
	return buf
}

// fill decodes all elements into dst.
func (d *dense) fill(m *Module, dst []byte) {
	src := m.src
	a := d.aval(src)
	dt, size := a.DType, a.DType.Size()
	if d.isSplat() {
		one := d.one(src)
		for i := 0; i < len(dst); i += size {
			copy(dst[i:i+size], one[:])
		}
		return
	}
	if d.raw != nil {
		d.fillRaw(src, d.raw, dst, dt)
		return
	}
	lit, at := d.lit, d.litPos
	if d.resource != "" {
		r, ok := m.resources[d.resource]
		switch {
		case d.resource == "__elided__":
			src.fail(d.pos, core.ErrParse, "stablehlo.constant", "the elements were left out when the module was printed; print it without a limit on elements")
		case !ok:
			src.fail(d.pos, core.ErrParse, "stablehlo.constant", "the file has no resource %s", d.resource)
		}
		lit, at = r.lit, r.pos
	}
	if lit != "" && lit[0] == '"' {
		body, ok := strings.CutPrefix(lit[1:len(lit)-1], "0x")
		if !ok {
			src.fail(at, core.ErrParse, "stablehlo.constant", "expected 0x and hexadecimal digits in quotes")
		}
		if b := src.blobAt(at, body); b != nil {
			skip := 0
			if d.resource != "" {
				skip = 4
			}
			if b.size-skip != len(dst) {
				src.fail(at, core.ErrParse, "stablehlo.constant", "wrong number of elements: got %d bytes, %v has %d", b.size-skip, a, len(dst))
			}
			b.copyTo(dst, skip)
			native(dst, dt)
			d.checkBools(src, dst, dt)
			return
		}
		if d.resource != "" {
			if len(body) < 8 {
				src.fail(at, core.ErrParse, "stablehlo.constant", "a resource begins with four bytes of alignment")
			}
			body = body[8:]
		}
		if len(body) == 2*size && a.Size() != 1 && d.resource == "" { // one element stands for all
			if _, err := hex.Decode(dst[:min(size, len(dst))], []byte(body)[:2*min(size, len(dst))]); err != nil {
				src.fail(at, core.ErrParse, "stablehlo.constant", "not hexadecimal digits: %v", err)
			}
			if len(dst) == 0 {
				return
			}
			native(dst[:size], dt)
			for i := size; i < len(dst); i += size {
				copy(dst[i:i+size], dst[:size])
			}
			return
		}
		if len(body) != 2*len(dst) {
			src.fail(at, core.ErrParse, "stablehlo.constant", "wrong number of elements: got %d bytes, %v has %d", len(body)/2, a, len(dst))
		}
		if bad := decodeHex(dst, body); bad >= 0 {
			src.fail(at+3+bad, core.ErrParse, "stablehlo.constant", "%q is not a hexadecimal digit", body[bad])
		}
		native(dst, dt)
		d.checkBools(src, dst, dt)
		return
	}
	p := denseReader{src: src, lit: lit, base: at, dt: dt, size: size, dst: dst, dims: d.typ.dims}
	if lit == "" {
		if a.Size() != 0 {
			p.fail("no elements: %v has %d", a, a.Size())
		}
		return
	}
	p.list(0)
	p.end()
}

func (d *dense) checkBools(src *source, dst []byte, dt core.DType) {
	if !dt.IsBool() {
		return
	}
	for i, b := range dst {
		if b == 0xff {
			dst[i] = 1
		} else if b > 1 {
			src.fail(d.pos, core.ErrParse, "stablehlo.constant", "element %d of the booleans is %#x", i, b)
		}
	}
}

// fillRaw copies the elements of a binary file.
func (d *dense) fillRaw(src *source, raw, dst []byte, dt core.DType) {
	if dt.IsBool() && d.packed {
		if len(raw) != (len(dst)+7)/8 {
			src.fail(d.pos, core.ErrParse, "stablehlo.constant", "wrong number of elements: got %d bytes of bits, %v has %d elements", len(raw), d.typ, len(dst))
		}
		for i := range dst {
			dst[i] = raw[i/8] >> (i % 8) & 1
		}
		return
	}
	if len(raw) != len(dst) {
		src.fail(d.pos, core.ErrParse, "stablehlo.constant", "wrong number of elements: got %d bytes, %v has %d", len(raw), d.typ, len(dst))
	}
	copy(dst, raw)
	native(dst, dt)
	d.checkBools(src, dst, dt)
}

// hexDigit is the value of a hexadecimal digit; 0xff of others.
var hexDigit = func() (t [256]byte) {
	for i := range t {
		t[i] = 0xff
	}
	for i := range 10 {
		t['0'+i] = byte(i)
	}
	for i := range 6 {
		t['a'+i], t['A'+i] = byte(10+i), byte(10+i)
	}
	return t
}()

// decodeHex decodes digits and returns the offset of the first that is none, or −1.
func decodeHex[T string | []byte](dst []byte, digits T) int {
	for i := range dst {
		hi, lo := hexDigit[digits[2*i]], hexDigit[digits[2*i+1]]
		if hi|lo == 0xff {
			if hi == 0xff {
				return 2 * i
			}
			return 2*i + 1
		}
		dst[i] = hi<<4 | lo
	}
	return -1
}

// native turns little-endian elements into the order of the host's memory.
func native(b []byte, dt core.DType) {
	size := dt.Size()
	if dt.IsComplex() {
		size /= 2
	}
	if size == 1 || !bigEndian {
		return
	}
	for i := 0; i+size <= len(b); i += size {
		slices.Reverse(b[i : i+size])
	}
}

// denseReader reads the elements of a list.
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
		p.fail("unexpected %q behind the elements", p.lit[p.pos:min(len(p.lit), p.pos+16)])
	}
}

// list reads the elements from axis k on.
func (p *denseReader) list(k int) {
	if k == len(p.dims) {
		if len(p.dst) < p.size {
			p.fail("too many elements")
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
		p.fail("axis %d has %d elements, the list has another number", k, p.dims[k])
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

// scalar reads a number of a real type.
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
		p.fail("%q is not an element of %v", lit, dt)
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

// fits reports whether an integer is a value of dt; hexadecimal numbers may also be the
// bits of a negative one.
func fits(n core.Number, dt core.DType) bool {
	if n.Fits(dt) {
		return true
	}
	return n.Kind() == core.KindUint && bits.Len64(n.Uint64()) <= dt.Bits()
}
