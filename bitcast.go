package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// View is x's bytes read as elements of another type: nothing is converted. Where the
// types' sizes differ the last axis grows or shrinks.
func (x Array) View(dt DType) Array {
	v := strong("View", valueOf("View", x))
	a := v.Aval()
	fail := func(format string, args ...any) {
		core.FailOp(core.ErrDType, "View", []core.ShapedArray{a}, format, args...)
	}
	if !a.DType.IsNumber() && !isBool(v) || !dt.IsNumber() && dt != core.Bool {
		fail("%v cannot be read as %v", a.Full(), dt)
	}
	if isBool(v) { // one byte an element, 0 or 1
		v = prim.Convert(v, core.Uint8, false)
	}
	if dt == core.Bool {
		return FromValue(truth(FromValue(v).View(core.Uint8).Value()))
	}
	if v.Aval().DType.IsComplex() || dt.IsComplex() {
		return viewComplex(FromValue(v), dt)
	}
	from, to := v.Aval().DType.Bits(), dt.Bits()
	switch {
	case from == to:
		return FromValue(prim.BitcastConvert(v, dt))
	case a.Rank() == 0:
		fail("%v has no axis that could grow or shrink; give it one with ExpandDims(0)", a.Full())
	}
	lead, n := a.Shape.Slice(0, a.Rank()-1), a.Shape.At(a.Rank()-1)
	if from > to {
		return FromValue(prim.Reshape(prim.BitcastConvert(v, dt), lead.Append(n*(from/to))))
	}
	k := to / from
	if n%k != 0 {
		fail("the %s of the last axis cannot fill elements of %v: they must be a multiple of %d", core.Count(n, "element"), dt, k)
	}
	return FromValue(prim.BitcastConvert(prim.Reshape(v, lead.Append(n/k, k)), dt))
}

// viewComplex goes by way of real and imaginary parts.
func viewComplex(x Array, dt DType) Array {
	if dt == x.DType() {
		return x
	}
	if x.DType().IsComplex() {
		if x.Rank() == 0 && dt.Bits() != x.DType().Bits() {
			core.FailOp(core.ErrDType, "View", []core.ShapedArray{x.aval()}, "%v has no axis that could grow or shrink; give it one with ExpandDims(0)", x.aval().Full())
		}
		parts := Stack(-1, x.Real(), x.Imag())
		s := x.Shape()
		if len(s) == 0 {
			s = append(s, 1)
		}
		s[len(s)-1] *= 2
		return parts.Reshape(s...).View(dt)
	}
	halves := x.View(dt.Real())
	s := halves.Shape()
	if len(s) == 0 || s[len(s)-1]%2 != 0 {
		core.FailOp(core.ErrDType, "View", []core.ShapedArray{x.aval()}, "the last axis of %v holds no pairs of real and imaginary parts", x.aval().Full())
	}
	s[len(s)-1] /= 2
	halves = halves.Reshape(append(s, 2)...)
	return FromValue(prim.Complex(halves.Index("..., 0").Value(), halves.Index("..., 1").Value()))
}
