package native

import (
	"math"

	"github.com/weft-go/weft/lower/scalar"
)

// lanes is how many elements are computed side by side, and which of them count.
type lanes struct {
	N    int    // elements of a copy; 1: there is a single element
	U    int    // copies, for independent work
	Mask []VReg // mask register of each copy; nil: all elements count
	left VReg   // how many elements count, in a general register; 0: not known

	phase *phase // the part of a block that is written for fewer copies at a time; nil: none
}

// Value is a value of a kernel in registers: for each copy one or more, in order.
type Value struct {
	T scalar.Type
	R []VReg
	W uint8 // bools in vectors: bytes of an element, whose bits are all zeros or all ones
}

// One reports whether l is a single element.
func (l *lanes) One() bool { return l.N == 1 }

// Layout returns how many registers a copy of elements of size bytes takes, and their length.
//
//go:noinline // keeps programs small
func (g *Gen) Layout(size int) (parts int, length uint8) {
	bytes := g.Lanes.N * size
	switch full := g.model.VectorBytes; {
	case bytes > full:
		return bytes / full, VectorLen(full)
	default:
		return 1, VectorLen(bytes)
	}
}

// VectorLen returns the length of the shortest vector register that contains the given number of bytes, encoded
// as n for 16<<n bytes.
func VectorLen(bytes int) uint8 {
	switch {
	case bytes <= 16:
		return 0
	case bytes <= 32:
		return 1
	}
	return 2
}

// PerPart returns the number of elements of size bytes in a register.
func (g *Gen) PerPart(size int) int {
	p, _ := g.Layout(size)
	return g.Lanes.N / p
}

// NewValue returns a value without registers.
func (g *Gen) NewValue(t scalar.Type) Value {
	return Value{T: t, R: g.RegSlice()}
}

// RegSlice returns an empty slice from a common store.
func (g *Gen) RegSlice() []VReg {
	const room = 4
	if len(g.arena) < room {
		g.arena = make([]VReg, 1024)
	}
	s := g.arena[:0:room]
	g.arena = g.arena[room:]
	return s
}

// Map1 applies f to each register.
func (g *Gen) Map1(t scalar.Type, x Value, f func(length uint8, a VReg) VReg) Value {
	_, length := g.Layout(t.Size())
	v := g.NewValue(t)
	for _, a := range x.R {
		v.R = append(v.R, f(length, a))
	}
	return v
}

// Map2 applies f to the registers of two values.
func (g *Gen) Map2(t scalar.Type, x, y Value, f func(length uint8, a, b VReg) VReg) Value {
	_, length := g.Layout(t.Size())
	v := g.NewValue(t)
	for i, a := range x.R {
		v.R = append(v.R, f(length, a, y.R[i]))
	}
	return v
}

// Bin applies one instruction to the registers of two values. It and the three functions below are not inlined:
// they have some two hundred callers, each of which would get a loop of its own.
//
//go:noinline
func (g *Gen) Bin(op Op, x, y Value) Value {
	return g.Map2(x.T, x, y, func(l uint8, a, b VReg) VReg { return g.Op2(op, l, a, b) })
}

// BinI is Bin for an instruction with an immediate operand.
//
//go:noinline
func (g *Gen) BinI(op Op, x, y Value, imm int64) Value {
	return g.Map2(x.T, x, y, func(l uint8, a, b VReg) VReg { return g.Op2I(op, l, a, b, imm) })
}

// Un applies an instruction of one operand; t is the type of its result.
//
//go:noinline
func (g *Gen) Un(op Op, t scalar.Type, x Value) Value {
	return g.Map1(t, x, func(l uint8, a VReg) VReg { return g.Op1(op, l, a) })
}

// UnI is Un for an instruction with an immediate operand.
//
//go:noinline
func (g *Gen) UnI(op Op, x Value, imm int64) Value {
	return g.Map1(x.T, x, func(l uint8, a VReg) VReg { return g.Op1I(op, l, a, imm) })
}

// Splat returns the value all of whose elements have the given bits.
func (g *Gen) Splat(t scalar.Type, bits uint64) Value {
	if t == scalar.Bool {
		return g.BoolConst(bits != 0)
	}
	p, length := g.Layout(t.Size())
	r := g.VConst(t.Size(), bits, length)
	v := g.NewValue(t)
	for range p * g.Lanes.U {
		v.R = append(v.R, r)
	}
	return v
}

// Num returns the integer x as a constant of type t, or the float whose bits are x.
func (g *Gen) Num(t scalar.Type, x int64) Value {
	b := uint64(x)
	if n := t.Bits(); n < 64 {
		b &= 1<<n - 1
	}
	return g.Splat(t, b)
}

// VConst returns a register with copies of an element, defined in front of the loop.
func (g *Gen) VConst(size int, bits uint64, length uint8) VReg {
	if bits == 0 {
		size = 8
	}
	if !g.model.Broadcasts { // repeated to 8 bytes, so that elements of several sizes share constants
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
	r := g.NewV(length)
	v := &g.Regs[r]
	v.Const = true
	if !g.model.Broadcasts {
		b := make([]byte, 16<<length)
		for i := range b {
			b[i] = byte(bits >> (8 * (i % 8)))
		}
		v.Off = g.PoolBytes(b)
	} else {
		v.Bcast = uint8(size)
		v.Off = g.poolConst(uint8(size), bits)
	}
	g.hoistConst(r)
	s.consts = append(s.consts, constant{key, r})
	return r
}

type constKey struct {
	size, length uint8
	bits         uint64
}

// PoolBytes returns the offset of a vector or of a table in the pool.
func (g *Gen) PoolBytes(b []byte) int32 {
	if off, ok := g.vectors[string(b)]; ok {
		return off
	}
	off := g.poolBytes(b)
	g.vectors[string(b)] = off
	return off
}

// VBytes returns a register with the given bytes, defined in front of the loop.
func (g *Gen) VBytes(b []byte) VReg {
	s := g.top()
	if r, ok := s.bytes[string(b)]; ok {
		return r
	}
	r := g.NewV(VectorLen(len(b)))
	g.Regs[r].Const, g.Regs[r].Off = true, g.PoolBytes(b)
	g.hoistConst(r)
	if s.bytes == nil {
		s.bytes = map[string]VReg{}
	}
	s.bytes[string(b)] = r
	return r
}

// As returns x with another type of the same size.
func (x Value) As(t scalar.Type) Value { return Value{t, x.R, x.W} }

// NaN returns the canonical NaN.
func (g *Gen) NaN(t scalar.Type) Value {
	if t == scalar.F32 {
		return g.Splat(t, scalar.NaNBits32)
	}
	return g.Splat(t, scalar.NaNBits64)
}

// Bits32 returns the bits of x in the low half of a word.
func Bits32(x float32) uint64 { return uint64(math.Float32bits(x)) }
