package onnx

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/legalize"
)

// legal writes an operation as the operations by which devices compute it. It returns nil if there are none.
func (b *block) legal(e *jaxpr.Eqn, in []value) []value {
	builder := jaxpr.NewBuilder()
	atoms := make([]jaxpr.Atom, len(in))
	for i, x := range in {
		atoms[i] = builder.Input(x.ShapedArray)
	}
	var outs []jaxpr.Atom
	for _, v := range builder.Eqn(e.Prim, atoms...) {
		outs = append(outs, v)
	}
	j := builder.Build(outs...)
	if l := legalize.Program(legalize.Chosen(j)); l != j {
		return b.made(e.Prim.Name(), func() []value { return b.inline(l, in) })
	}
	return nil
}

// bitsRule writes functions of the bits of integers. It returns nil if p is another operation.
func (b *block) bitsRule(p core.Primitive, in []value, out []core.ShapedArray) []value {
	switch p.(type) {
	case prim.PopulationCountP:
		return []value{b.cast(b.ones(b.word(in[0])), out[0].DType)}
	case prim.ClzP:
		u := b.word(in[0])
		for n := 1; n < in[0].DType.Bits(); n *= 2 {
			u = b.op("BitwiseOr", u.ShapedArray, nil, u, b.right(u, n))
		}
		n := b.op("Sub", u.ShapedArray, nil, b.integer(in[0].DType.Bits(), u.DType), b.ones(u))
		return []value{b.cast(n, out[0].DType)}
	case prim.MulHiP:
		in = b.aligned(in, out[0])
		return []value{b.mulHi(in[0], in[1], out[0])}
	}
	return nil
}

// word returns the bits of integers as unsigned integers of 32 or 64 bits.
func (b *block) word(x value) value {
	switch n := x.DType.Bits(); n {
	case 64:
		return b.cast(x, core.Uint64)
	case 32:
		return b.cast(x, core.Uint32)
	default:
		return b.masked(b.cast(b.cast(x, core.Int32), core.Uint32), 1<<n-1)
	}
}

func (b *block) masked(u value, mask uint64) value {
	mask &= math.MaxUint64 >> (64 - u.DType.Bits())
	return b.op("BitwiseAnd", u.ShapedArray, nil, u, b.literal(core.UintNumber(mask), u.DType))
}

// right shifts unsigned integers by fewer bits than they have.
func (b *block) right(u value, n int) value {
	return b.op("BitShift", u.ShapedArray, []*Attr{attrText("direction", "RIGHT")}, u, b.integer(n, u.DType))
}

// ones returns the number of bits that are set in unsigned integers: first in each two bits, then in
// each four, and so on.
func (b *block) ones(u value) value {
	add := func(x, y value) value { return b.op("Add", u.ShapedArray, nil, x, y) }
	u = b.op("Sub", u.ShapedArray, nil, u, b.masked(b.right(u, 1), 0x5555555555555555))
	u = add(b.masked(u, 0x3333333333333333), b.masked(b.right(u, 2), 0x3333333333333333))
	u = b.masked(add(u, b.right(u, 4)), 0x0f0f0f0f0f0f0f0f)
	for n := 8; n < u.DType.Bits(); n *= 2 {
		u = add(u, b.right(u, n))
	}
	return b.masked(u, 0x7f)
}

// mulHi returns the upper half of a product: of the product in 64 bits, or of four products of halves.
func (b *block) mulHi(x, y value, a core.ShapedArray) value {
	dt := a.DType
	a = a.WithDType(core.Uint64)
	op := func(name string, x, y value) value { return b.op(name, a, nil, x, y) }
	if dt.Bits() < 64 {
		if dt.IsSigned() { // with extended signs, signed and unsigned products have the same low 64 bits
			x, y = b.cast(x, core.Int64), b.cast(y, core.Int64)
		}
		return b.cast(b.right(op("Mul", b.cast(x, core.Uint64), b.cast(y, core.Uint64)), dt.Bits()), dt)
	}
	u, v := b.cast(x, core.Uint64), b.cast(y, core.Uint64)
	low := func(u value) value { return b.masked(u, math.MaxUint32) }
	high := func(u value) value { return b.right(u, 32) }
	u0, u1, v0, v1 := low(u), high(u), low(v), high(v)
	p, q := op("Mul", u0, v1), op("Mul", u1, v0)
	carry := high(op("Add", op("Add", high(op("Mul", u0, v0)), low(p)), low(q)))
	z := op("Add", op("Add", op("Mul", u1, v1), high(p)), op("Add", high(q), carry))
	if dt.IsSigned() { // a negative number is 2⁶⁴ less than its bits
		zero := b.integer(0, core.Uint64)
		less := func(z, of, by value) value {
			return op("Sub", z, b.full(b.where(b.compare("Less", of, b.integer(0, dt)), by, zero), a))
		}
		z = less(less(z, x, v), y, u)
	}
	return b.cast(z, dt)
}
