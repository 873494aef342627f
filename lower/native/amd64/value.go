package amd64

import (
	"math"

	"github.com/weft-go/weft/lower/scalar"
)

// lanes is how many elements are computed side by side, and which of them count.
type lanes struct {
	n    int    // elements of a copy: 1, or what registers hold of the main type
	u    int    // copies, for independent work
	mask []vreg // mask register of each copy; nil: all elements count

	phase *phase // what fewer copies at a time go through, nil: nothing
}

// value is a value of a kernel in registers: for each copy one or more, in order.
type value struct {
	t scalar.Type
	r []vreg
	w uint8 // bools in vectors: bytes of an element, whose bits are all zeros or all ones
}

// one reports whether l is a single element.
func (l *lanes) one() bool { return l.n == 1 }

// layout returns how many registers a copy of elements of size bytes takes, and their length.
func (g *gen) layout(size int) (parts int, length uint8) {
	bytes := g.cx.n * size
	switch full := g.model.vectorBytes; {
	case bytes > full:
		return bytes / full, vectorLen(full)
	default:
		return 1, vectorLen(bytes)
	}
}

// vectorLen returns the length of a register that contains that many bytes.
func vectorLen(bytes int) uint8 {
	switch {
	case bytes <= 16:
		return 0
	case bytes <= 32:
		return 1
	}
	return 2
}

// perPart returns the number of elements of size bytes in a register.
func (g *gen) perPart(size int) int {
	p, _ := g.layout(size)
	return g.cx.n / p
}

// newValue returns a value without registers.
func (g *gen) newValue(t scalar.Type) value {
	return value{t: t, r: g.regSlice()}
}

// regSlice returns an empty slice from a common store.
func (g *gen) regSlice() []vreg {
	const room = 4
	if len(g.arena) < room {
		g.arena = make([]vreg, 1024)
	}
	s := g.arena[:0:room]
	g.arena = g.arena[room:]
	return s
}

// map1 applies f to each register.
func (g *gen) map1(t scalar.Type, x value, f func(length uint8, a vreg) vreg) value {
	_, length := g.layout(t.Size())
	v := g.newValue(t)
	for _, a := range x.r {
		v.r = append(v.r, f(length, a))
	}
	return v
}

// map2 applies f to the registers of two values.
func (g *gen) map2(t scalar.Type, x, y value, f func(length uint8, a, b vreg) vreg) value {
	_, length := g.layout(t.Size())
	v := g.newValue(t)
	for i, a := range x.r {
		v.r = append(v.r, f(length, a, y.r[i]))
	}
	return v
}

// bin applies one instruction.
func (g *gen) bin(op Op, x, y value) value {
	return g.map2(x.t, x, y, func(l uint8, a, b vreg) vreg { return g.op2(op, l, a, b) })
}

func (g *gen) binI(op Op, x, y value, imm int64) value {
	return g.map2(x.t, x, y, func(l uint8, a, b vreg) vreg { return g.op2I(op, l, a, b, imm) })
}

func (g *gen) un(op Op, t scalar.Type, x value) value {
	return g.map1(t, x, func(l uint8, a vreg) vreg { return g.op1(op, l, a) })
}

func (g *gen) unI(op Op, x value, imm int64) value {
	return g.map1(x.t, x, func(l uint8, a vreg) vreg { return g.op1I(op, l, a, imm) })
}

// konst returns the value all of whose elements have the given bits.
func (g *gen) konst(t scalar.Type, bits uint64) value {
	if t == scalar.Bool {
		return g.boolConst(bits != 0)
	}
	p, length := g.layout(t.Size())
	r := g.vconst(t.Size(), bits, length)
	v := g.newValue(t)
	for range p * g.cx.u {
		v.r = append(v.r, r)
	}
	return v
}

// num returns an integer constant of an integer type, or the float with these bits.
func (g *gen) num(t scalar.Type, x int64) value {
	b := uint64(x)
	if n := t.Bits(); n < 64 {
		b &= 1<<n - 1
	}
	return g.konst(t, b)
}

// vconst returns a register with copies of an element, defined in front of the loop.
func (g *gen) vconst(size int, bits uint64, length uint8) vreg {
	if bits == 0 {
		size = 8
	}
	if !g.model.broadcasts { // vectors of 64 bits do as well and are shared
		for ; size < 8; size *= 2 {
			bits |= bits << (8 * size)
		}
	}
	key := constKey{uint8(size), length, bits}
	s := g.top()
	for i := range s.consts {
		if c := &s.consts[i]; c.constKey == key {
			return c.reg
		}
	}
	r := g.newV(length)
	v := &g.regs[r]
	v.konst = true
	if !g.model.broadcasts {
		b := make([]byte, 16<<length)
		for i := range b {
			b[i] = byte(bits >> (8 * (i % 8)))
		}
		v.off = g.vectorConst(b)
	} else {
		v.bcast = uint8(size)
		v.off = g.poolConst(uint8(size), bits)
	}
	g.hoistConst(r)
	s.consts = append(s.consts, constant{key, r})
	return r
}

type constKey struct {
	size, length uint8
	bits         uint64
}

// vectorConst returns the offset of a vector in the pool.
func (g *gen) vectorConst(b []byte) int32 {
	if off, ok := g.vectors[string(b)]; ok {
		return off
	}
	off := g.poolBytes(b)
	g.vectors[string(b)] = off
	return off
}

// vbytes returns a register with the given bytes, defined in front of the loop.
func (g *gen) vbytes(b []byte) vreg {
	s := g.top()
	if r, ok := s.bytes[string(b)]; ok {
		return r
	}
	r := g.newV(vectorLen(len(b)))
	g.regs[r].konst, g.regs[r].off = true, g.vectorConst(b)
	g.hoistConst(r)
	if s.bytes == nil {
		s.bytes = map[string]vreg{}
	}
	s.bytes[string(b)] = r
	return r
}

// as returns x with another type of the same size.
func (x value) as(t scalar.Type) value { return value{t, x.r, x.w} }

// nan returns the canonical NaN.
func (g *gen) nan(t scalar.Type) value {
	if t == scalar.F32 {
		return g.konst(t, scalar.NaNBits32)
	}
	return g.konst(t, scalar.NaNBits64)
}

func f64(x float64) uint64 { return math.Float64bits(x) }
func f32(x float32) uint64 { return uint64(math.Float32bits(x)) }
