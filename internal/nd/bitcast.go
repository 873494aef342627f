package nd

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// View returns x's bytes read as elements of another type; as a bool, a byte other than 0 is true.
// Where the types' sizes differ the last axis grows or shrinks.
func View(x core.Value, dt core.DType) core.Value {
	v := Strong("View", ValueOf("View", x))
	a := v.Aval()
	fail := func(format string, args ...any) {
		core.FailOp(core.ErrDType, "View", []core.ShapedArray{a}, format, args...)
	}
	if !a.DType.IsNumber() && !IsBool(v) || !dt.IsNumber() && dt != core.Bool {
		fail("%v cannot be read as %v; read numbers and bools as numbers or bools", a.Full(), dt)
	}
	if IsBool(v) { // one byte an element, 0 or 1
		v = prim.Convert(v, core.Uint8, false)
	}
	if dt == core.Bool {
		return Truth(View(v, core.Uint8))
	}
	if v.Aval().DType.IsComplex() || dt.IsComplex() {
		return viewComplex(v, dt)
	}
	from, to := v.Aval().DType.Bits(), dt.Bits()
	switch {
	case from == to:
		return prim.BitcastConvert(v, dt)
	case a.Rank() == 0:
		fail("%v has no axis that could grow or shrink; give it one with ExpandDims(0)", a.Full())
	}
	lead, n := a.Shape.Slice(0, a.Rank()-1), a.Shape.At(a.Rank()-1)
	if from > to {
		return prim.Reshape(prim.BitcastConvert(v, dt), lead.Append(n*(from/to)))
	}
	k := to / from
	if n%k != 0 {
		fail("the %s of the last axis cannot fill elements of %v; pad the axis to a multiple of %d", core.Count(n, "element"), dt, k)
	}
	return prim.BitcastConvert(prim.Reshape(v, lead.Append(n/k, k)), dt)
}

// viewComplex is View by way of real and imaginary parts.
func viewComplex(x core.Value, dt core.DType) core.Value {
	if dt == x.Aval().DType {
		return x
	}
	if a := x.Aval(); a.Rank() == 0 && a.DType.Bits() == dt.Bits() {
		return Reshape(viewComplex(Reshape(x, 1), dt))
	}
	if x.Aval().DType.IsComplex() {
		if x.Aval().Rank() == 0 {
			core.FailOp(core.ErrDType, "View", []core.ShapedArray{x.Aval()}, "%v has no axis that could grow or shrink; give it one with ExpandDims(0)", x.Aval().Full())
		}
		parts := Stack(-1, Real(x), Imag(x))
		s := x.Aval().Shape.Ints()
		s[len(s)-1] *= 2
		return View(Reshape(parts, s...), dt)
	}
	halves := View(x, dt.Real())
	s := halves.Aval().Shape.Ints()
	if len(s) == 0 || s[len(s)-1]%2 != 0 {
		core.FailOp(core.ErrDType, "View", []core.ShapedArray{x.Aval()}, "the last axis of %v must have size 2, for real and imaginary parts; reshape first", x.Aval().Full())
	}
	s[len(s)-1] /= 2
	halves = Reshape(halves, append(s, 2)...)
	return prim.Complex(Index(halves, "..., 0"), Index(halves, "..., 1"))
}
