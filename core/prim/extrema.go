package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
)

// MaxP is the larger of the two; NaN if either is, and max(+0, −0) = +0. Complex numbers are
// ordered by real, then imaginary part; of equal ones the signs of zeros decide, those of the real
// parts first. The result is NaN in both parts if a part of either is.
type MaxP struct{ binary[numbered] }

// Max returns the larger of x and y.
func Max(x, y Value) Value { return core.Apply2(MaxP{}, x, y) }

func (MaxP) Name() string { return "max" }

// JVP takes the tangent of the larger; half of each where they are equal, 0 where
// either is NaN.
func (MaxP) JVP(in, out, t []Value) []Value { return extremumJVP(in, out[0], t) }

// MinP is the smaller of the two; NaN if either is, and min(+0, −0) = −0. Complex numbers are
// ordered by real, then imaginary part; of equal ones the signs of zeros decide, those of the real
// parts first. The result is NaN in both parts if a part of either is.
type MinP struct{ binary[numbered] }

// Min returns the smaller of x and y.
func Min(x, y Value) Value { return core.Apply2(MinP{}, x, y) }

func (MinP) Name() string { return "min" }

// JVP takes the tangent of the smaller; half of each where they are equal, 0 where
// either is NaN.
func (MinP) JVP(in, out, t []Value) []Value { return extremumJVP(in, out[0], t) }

// extremumJVP multiplies tangents with 1 where the operand alone is the result, ½
// where both are, and 0 elsewhere.
func extremumJVP(in []Value, out Value, t []Value) []Value {
	a := out.Aval()
	var d [2]Value
	for i := range d {
		if t[i] == nil {
			continue
		}
		share := Where(Eq(in[1-i], out), Full(a, 0.5), Full(a, 1))
		d[i] = Mul(t[i], Where(Eq(in[i], out), share, Full(a, 0)))
	}
	return SumTangents(out, d[0], d[1])
}

// ClampP is min(max(x, lo), hi): hi where lo > hi, NaN where any is. The bounds are
// scalars or have the shape of x.
type ClampP struct{}

// Clamp returns x, kept between lo and hi.
func Clamp(lo, x, hi Value) Value { return core.Bind1(ClampP{}, lo, x, hi) }

func (ClampP) Name() string { return "clamp" }

// Abstract takes bounds of the operand's dtype, of its shape or scalars.
func (ClampP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 3)
	for _, a := range in {
		want[anything](a)
		if a.DType.IsKey() {
			core.Failf(core.ErrDType, "keys of random numbers have no order; compare their data")
		}
	}
	x := in[1]
	for i, bound := range []string{0: "lower", 2: "upper"} {
		if i != 1 && in[i].Rank() != 0 && in[i].Shape != x.Shape {
			core.Failf(core.ErrShape, "the %s bound must be a scalar or have the operand's shape, got %v and %v; spread it with broadcast_in_dim first", bound, in[i].Full(), x.Full())
		}
	}
	return []ShapedArray{spreadAvals(in).WithShape(x.Shape)}
}

// JVP takes the tangent of hi where max(lo, x) > hi. Otherwise, if lo < hi, it takes the tangent of
// lo where x < lo, and that of x where lo < x < hi. Elsewhere the tangent is 0, as where x is at a
// bound.
func (ClampP) JVP(in, out, t []Value) []Value {
	lo, x, hi := in[0], in[1], in[2]
	a := out[0].Aval()
	if a.DType.IsComplex() {
		core.Failf(core.ErrNoRule, "has no derivative on complex numbers, which have no natural order; use the real part or the absolute value")
	}
	where := [3]func() Value{
		func() Value { return And(Gt(lo, x), Lt(lo, hi)) },
		func() Value { return And(Gt(x, lo), Lt(x, hi)) },
		func() Value { return Lt(hi, Max(lo, x)) },
	}
	var d [3]Value
	for i := range d {
		if t[i] != nil {
			d[i] = Where(where[i](), SpreadTo(t[i], a.Shape), Full(t[i].Aval().WithShape(a.Shape), 0))
		}
	}
	return SumTangents(out[0], d[:]...)
}

// Batch broadcasts all to the shape of the batch, except scalar bounds that the batch shares.
func (ClampP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	x := in[1].Aval().Shape
	if !mapped[1] {
		x = x.Prepend(n)
	}
	full := make([]Value, 3)
	for i, v := range in {
		if full[i] = v; i == 1 || mapped[i] || v.Aval().Rank() != 0 {
			full[i] = batchTo(v, mapped[i], x)
		}
	}
	return []Value{Clamp(full[0], full[1], full[2])}, []bool{true}
}

// batchTo broadcasts an operand to the shape of a batch, whose leading axis is the batch's. A
// mapped operand has that axis already.
func batchTo(v Value, mapped bool, shape core.Dims) Value {
	r := v.Aval().Rank()
	switch {
	case mapped:
		return BroadcastInDim(v, shape, core.Range(0, r))
	case r == 0:
		return BroadcastInDim(v, shape, core.Dims{})
	}
	return BroadcastInDim(v, shape, core.Range(1, r+1))
}
