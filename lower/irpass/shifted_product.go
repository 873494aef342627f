package irpass

import (
	"math"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A tinyProduct is a product of an exponential and other numbers, in two versions. The usual one has an
// exponential that is not tiny in place of a tiny one. The other, for tiny exponentials, is computed in units
// of the least subnormal number: the number of units is a normal number.
type tinyProduct struct {
	tiny  ir.Ref // whether the exponential is tiny
	usual ir.Ref
	units ir.Ref // the magnitude in units, rounded as the product is
	signs ir.Ref // bits of which the highest is the sign; NoRef: it is positive
	power *shiftedPower
	by    []ir.Ref // the other numbers
}

// mostProducts bounds the length of chains of products.
const mostProducts = 4

// tinyOf returns what is known of a value that is an exponential or a product of one, nil if it is neither.
func (s *shifter) tinyOf(r ir.Ref, t scalar.Type, out, before *ir.Block) *tinyProduct {
	if x := s.tiny[r]; x != nil {
		return x
	}
	p := s.found[r]
	if p == nil || p.greatest != ir.NoRef {
		return nil
	}
	// Exponentials of 2^bound or more have subnormal products only with numbers below about 2⁻²⁵, in f64 2⁻⁵³.
	bound, unit := -101.0, 149.0
	if t == scalar.F64 {
		bound, unit = -969, 1074
	}
	tiny := s.define(out, scalar.Bool, scalar.OpLt, 0, p.n, s.float(before, t, bound))
	usual := s.define(out, t, scalar.OpScale, 0, p.p, s.define(out, t, scalar.OpSelect, 0, tiny, s.float(before, t, 0), p.n))
	units := s.define(out, t, scalar.OpRint, 0, s.define(out, t, scalar.OpScale, 0, p.p, s.define(out, t, scalar.OpAdd, 0, p.n, s.float(before, t, unit))))
	x := &tinyProduct{tiny: tiny, usual: usual, units: units, signs: ir.NoRef, power: p}
	s.tiny[r] = x
	return x
}

// product rewrites l if its value is a product of an exponential, and reports whether it did. The product of m units
// and y is m·|y| units. If that is below the least number above which all floats are integers, a sum with that number
// rounds it to an integer; otherwise it is rounded as a normal number.
func (s *shifter) product(out *ir.Block, l *ir.Let, before *ir.Block) bool {
	t := l.Inst.Type
	x, y := s.tinyOf(l.Inst.Args[0], t, out, before), l.Inst.Args[1]
	if x == nil {
		x, y = s.tinyOf(l.Inst.Args[1], t, out, before), l.Inst.Args[0]
	}
	if x == nil || len(x.by) == mostProducts || s.tiny[y] != nil || s.found[y] != nil {
		return false
	}
	integers := 0x1p23
	if t == scalar.F64 {
		integers = 0x1p52
	}
	least, twice := s.float(before, t, integers), s.float(before, t, 2*integers)
	abs := s.define(out, t, scalar.OpAbs, 0, y)
	sum := s.define(out, t, scalar.OpFMA, 0, x.units, abs, least)
	large := s.define(out, t, scalar.OpMul, 0, x.units, abs)
	large = s.define(out, t, scalar.OpSelect, 0, s.define(out, scalar.Bool, scalar.OpLt, 0, large, least), least, large)
	units := s.define(out, t, scalar.OpSelect, 0, s.define(out, scalar.Bool, scalar.OpLt, 0, sum, twice), s.define(out, t, scalar.OpSub, 0, sum, least), large)
	signs := s.define(out, t.Unsigned(), scalar.OpBitcast, 0, y)
	if x.signs != ir.NoRef {
		signs = s.define(out, t.Unsigned(), scalar.OpXor, 0, signs, x.signs)
	}
	z := &tinyProduct{tiny: x.tiny, usual: s.define(out, t, scalar.OpMul, 0, x.usual, y), units: units, signs: signs, power: x.power, by: append(x.by[:len(x.by):len(x.by)], y)}
	s.tiny[l.Dst] = z
	l.Inst = scalar.Inst{Op: scalar.OpRare, Type: t, Args: [3]ir.Ref{z.tiny, s.ofUnits(z, t, out, before), z.usual}}
	*out = append(*out, l)
	return true
}

// ofUnits returns the product whose units are known. If they are not finite, it is computed in the usual way: another factor is huge or NaN.
func (s *shifter) ofUnits(x *tinyProduct, t scalar.Type, out, before *ir.Block) ir.Ref {
	u, integer, integers, half, rest, high := t.Unsigned(), scalar.I32, 0x1p23, 0x1p-64, 0x1p-85, uint64(1)<<31
	if t == scalar.F64 {
		integer, integers, half, rest, high = scalar.I64, 0x1p52, 0x1p-512, 0x1p-562, 1<<63
	}
	least := s.float(before, t, integers)
	choose := func(c, a, b ir.Ref) ir.Ref { return s.define(out, t, scalar.OpSelect, 0, c, a, b) }
	mul := func(a, b ir.Ref) ir.Ref { return s.define(out, t, scalar.OpMul, 0, a, b) }
	few := s.define(out, scalar.Bool, scalar.OpLt, 0, x.units, least)
	subnormal := s.define(out, t, scalar.OpBitcast, 0, s.define(out, integer, scalar.OpConvert, 0, choose(few, x.units, least)))
	normal := mul(mul(choose(few, least, x.units), s.float(before, t, half)), s.float(before, t, rest))
	size := s.define(out, u, scalar.OpBitcast, 0, choose(few, subnormal, normal))
	sign := s.define(out, u, scalar.OpAnd, 0, x.signs, s.define(before, u, scalar.OpConst, high))
	product := s.define(out, t, scalar.OpBitcast, 0, s.define(out, u, scalar.OpOr, 0, size, sign))
	finite := s.define(out, scalar.Bool, scalar.OpLt, 0, x.units, s.float(before, t, math.Inf(1)))
	usual := s.define(out, t, scalar.OpScale, 0, x.power.p, choose(finite, s.float(before, t, 0), x.power.n))
	for _, y := range x.by {
		usual = mul(usual, y)
	}
	return choose(finite, product, usual)
}
