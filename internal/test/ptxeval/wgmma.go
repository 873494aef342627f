package ptxeval

import (
	"encoding/binary"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/weft-go/weft/lower/simt"
)

// product is a wgmma that has been started.
type product struct {
	in       *inst
	ts       []thread
	n, depth int
	kind     string
	a, b     matrix
	add      bool
	left     [][4]uint64 // registers of the left operand, by thread, if it has no matrix
}

// matrix is an operand in shared memory that a descriptor names.
type matrix struct {
	at, leading, stride int64
	turned              bool
	size                int64
}

// place returns the byte of element (i, k): i along rows or columns. Blocks of 1024 bytes
// have eight lines of 128, whose pieces of 16 are exchanged by the number of the line.
func (m *matrix) place(i, k int64) int64 {
	var at int64
	if !m.turned {
		at = m.at + i/8*m.stride + i%8*128 + k*m.size
	} else {
		line := 128 / m.size
		at = m.at + i/line*m.leading + i%line*m.size + k/8*m.stride + k%8*128
	}
	return at ^ at/128%8*16
}

// within reports whether lines of the operand may lie in n bytes from at on.
func (m *matrix) within(lines int64, depth int, at, n int64) bool {
	low, high := int64(math.MaxInt64), int64(0)
	for _, i := range []int64{0, lines - 1} {
		for _, k := range []int64{0, int64(depth) - 1} {
			x := m.place(i, k) &^ 127
			low, high = min(low, x), max(high, x+128)
		}
	}
	return at < high && low < at+n
}

// matrixOf returns the operand that a descriptor names.
func matrixOf(d uint64, turned bool, size int64) matrix {
	return matrix{int64(d&0x3fff) << 4, int64(d>>16&0x3fff) << 4, int64(d>>32&0x3fff) << 4, turned, size}
}

// readable returns an error if a product must not read lines of an operand yet.
func (v *machine) readable(m *matrix, lines int64, depth int, unit string) error {
	a := v.async()
	for i := range lines {
		for k := range int64(depth) {
			at := m.place(i, k)
			if at+m.size > int64(len(v.shared)) {
				return bugf("byte %d of shared memory of %d", at, len(v.shared))
			}
			switch {
			case a.direct.by(at) != 0:
				return bugf("%s reads byte %d of shared memory, which a thread wrote to: there is no fence between them", unit, at)
			case a.direct.fencedIn(at) == v.when.epoch:
				return bugf("%s reads byte %d of shared memory with no barrier behind the fence of the thread that wrote it", unit, at)
			}
			if k == 0 {
				if err := a.copied(at, m.size); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// numbers returns an operand's elements.
func (v *machine) numbers(m *matrix, kind simt.TensorKind, lines, depth int) [][]float64 {
	out := make([][]float64, lines)
	for i := range out {
		out[i] = make([]float64, depth)
		for k := range out[i] {
			b := v.shared[m.place(int64(i), int64(k)):]
			bits := uint64(binary.LittleEndian.Uint16(b))
			if m.size == 4 {
				bits = uint64(binary.LittleEndian.Uint32(b))
			}
			out[i][k] = number(kind, bits)
		}
	}
	return out
}

// reads reports whether an operand may lie in n bytes from at on.
func (p *product) reads(at, n int64) bool {
	return p.left == nil && p.a.within(64, p.depth, at, n) || p.b.within(int64(p.n), p.depth, at, n)
}

var wgmmaShape = regexp.MustCompile(`\.m64n(\d+)k(\d+)\.f32\.(tf32|bf16|f16)\.`)

// startWgmma starts a product of 64 rows. Its sums can be read when it has been waited for.
func startWgmma(v *machine, ts []thread, in *inst) error {
	name := strings.Join(in.op, ".") + "."
	f := wgmmaShape.FindStringSubmatch(name)
	if f == nil {
		return bugf("%s is not known", name)
	}
	p := &product{in: in, ts: ts, kind: f[3]}
	p.n, _ = strconv.Atoi(f[1])
	p.depth, _ = strconv.Atoi(f[2])
	size := int64(2)
	if p.kind == "tf32" {
		size = 4
	}
	sums := p.n / 2
	if len(in.args) == sums+9 && size == 2 {
		p.left = make([][4]uint64, len(ts))
	} else if want := sums + 5 + 2*bit(size == 2); len(in.args) != want {
		return bugf("%s takes %d operands, got %d", name, want, len(in.args))
	}
	rest := in.args[sums:] // descriptors, whether it adds, signs and orders
	if p.depth != int(32/size) {
		return bugf("%s multiplies %d numbers along k", name, p.depth)
	}
	a := v.async()
	group := ts[0].id / 128
	if !a.fenced[group] {
		return bugf("wgmma without a fence")
	}
	describe := func(o *operand, turned bool) (matrix, error) {
		var d uint64
		for i := range ts {
			x := v.value(&ts[i], o)
			if i > 0 && x != d {
				return matrix{}, bugf("threads have different descriptors")
			}
			d = x
		}
		if d>>62 != 1 {
			return matrix{}, bugf("a descriptor without the exchange in lines of 128 bytes")
		}
		return matrixOf(d, turned, size), nil
	}
	var err error
	if p.left != nil {
		for i := range ts {
			for r := range p.left[i] {
				p.left[i][r] = v.value(&ts[i], &rest[r])
			}
		}
		if p.b, err = describe(&rest[4], rest[8].bits != 0); err != nil {
			return err
		}
		p.add = v.value(&ts[0], &rest[5]) != 0
	} else {
		turned := func(i int) bool { return size == 2 && rest[5+i].bits != 0 }
		if p.a, err = describe(&rest[0], turned(0)); err != nil {
			return err
		}
		if p.b, err = describe(&rest[1], turned(1)); err != nil {
			return err
		}
		p.add = v.value(&ts[0], &rest[2]) != 0
	}
	if v.fault != nil {
		return v.fault
	}
	if p.left == nil {
		if err := v.readable(&p.a, 64, p.depth, "wgmma"); err != nil {
			return err
		}
	}
	if err := v.readable(&p.b, int64(p.n), p.depth, "wgmma"); err != nil {
		return err
	}
	// The registers can be read again when the product is done, those of a product before
	// of the same four warps excepted, which this one follows.
	for i := range ts {
		for r := range sums {
			reg := in.args[r].reg
			if p.add && !ts[i].written[reg] && !a.pending(group, reg) {
				return errUnset
			}
			ts[i].written[reg] = false
		}
	}
	a.open[group] = append(a.open[group], p)
	return nil
}

// pending reports whether a product that has not been waited for adds to a register.
func (a *asynchronous) pending(group, reg int) bool {
	has := func(ps []*product) bool {
		for _, p := range ps {
			for r := range p.n / 2 {
				if p.in.args[r].reg == reg {
					return true
				}
			}
		}
		return false
	}
	if has(a.open[group]) {
		return true
	}
	for _, ps := range a.committed[group] {
		if has(ps) {
			return true
		}
	}
	return false
}

// finishWgmma computes the sums in f64, rounded once.
func (v *machine) finishWgmma(p *product) error {
	var a [][]float64
	kind := kinds[p.kind]
	if p.left == nil {
		a = v.numbers(&p.a, kind, 64, p.depth)
	} else {
		a = make([][]float64, 64)
		for i := range a {
			a[i] = make([]float64, p.depth)
		}
		for i := range p.ts { // as mma.sync has a left operand of 16 bits
			for r, bits := range p.left[i] {
				if p.ts[i].regs[p.in.args[p.n/2+r].reg] != bits {
					return bugf("a register is written while wgmma reads it")
				}
				row, col := i/32*16+i%32/4+8*(r&1), i%4*2+8*(r>>1)
				a[row][col], a[row][col+1] = number(kind, bits&0xffff), number(kind, bits>>16&0xffff)
			}
		}
	}
	b := v.numbers(&p.b, kind, p.n, p.depth)
	if err := v.wasRead(p); err != nil {
		return err
	}
	for i := range p.ts {
		t := &p.ts[i]
		for r := range p.n / 2 {
			row, col := i/32*16+i%32/4+8*(r>>1&1), r/4*8+i%4*2+r&1
			reg := p.in.args[r].reg
			if t.written[reg] {
				return bugf("a register is written while wgmma uses it")
			}
			sum := 0.
			if p.add {
				sum = float64(f32(t.regs[reg]))
			}
			for k := range p.depth {
				sum += a[row][k] * b[col][k]
			}
			t.regs[reg], t.written[reg] = uint64(math.Float32bits(float32(sum))), true
		}
	}
	return nil
}

// checkFences reports registers of wgmma that an instruction writes after the fence before it, and
// paths that may lead to a wgmma without a fence.
func (e *entry) checkFences() error {
	targets := map[int]bool{}
	for _, at := range e.labels {
		targets[at] = true
	}
	for i := range e.code {
		in := &e.code[i]
		if len(in.op) < 2 || in.op[0] != "wgmma" || in.op[1] != "mma_async" {
			continue
		}
		f := wgmmaShape.FindStringSubmatch(strings.Join(in.op, ".") + ".")
		if f == nil {
			return bugf("line %d: %s is not known", in.line, strings.Join(in.op, "."))
		}
		n, _ := strconv.Atoi(f[1])
		sums := map[int]bool{}
		used := n / 2
		if len(in.args) == used+9 {
			used += 4 // a left operand in registers
		}
		for _, a := range in.args[:min(used, len(in.args))] {
			sums[a.reg] = true
		}
		for j := i; ; j-- {
			b := &e.code[j]
			if len(b.op) > 1 && b.op[0] == "wgmma" && b.op[1] == "fence" {
				break
			}
			if j == 0 || targets[j] || b.kind == branch {
				return bugf("line %d: wgmma without a fence", in.line)
			}
			if (b.kind == arithmetic || b.kind == load) && len(b.args) > 0 && sums[b.args[0].reg] {
				return bugf("line %d: a register of wgmma is written after its fence", b.line)
			}
		}
	}
	return nil
}
