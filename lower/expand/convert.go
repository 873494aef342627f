package expand

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/scalar"
)

// convertElem converts an element to the type of the result. Unless that is complex, only the real part of a
// complex number is converted, to bool too.
func convertElem(x *expander, in []Elem) Elem {
	e, to := in[0], x.out
	from := e.DType
	if from == to {
		return e
	}
	if from == core.Float0 {
		from = core.Bool
		e = Elem{from, x.Num(scalar.Bool, 0), scalar.NoRef}
	}
	if to.IsComplex() {
		re, im := e, Elem{from.Real(), e.Im, scalar.NoRef}
		if from.IsComplex() {
			re = Elem{from.Real(), e.Re, scalar.NoRef}
		}
		r := Elem{to, x.convertReal(re, to.Real()).Re, x.Float(scalar.Stored(to), 0)}
		if from.IsComplex() {
			r.Im = x.convertReal(im, to.Real()).Re
		}
		return r
	}
	if from.IsComplex() {
		e = Elem{from.Real(), e.Re, scalar.NoRef}
	}
	return x.convertReal(e, to)
}

// convertReal rounds at most once.
func (x *expander) convertReal(e Elem, to core.DType) Elem {
	from := e.DType
	if from == to {
		return e
	}
	v := x.load(e)
	t := x.TypeOf(v)
	switch {
	case to.IsBool():
		return Elem{to, x.Ne(v, x.Num(t, 0)), scalar.NoRef}
	case scalar.IsSmallFloat(to):
		return x.elem(to, x.toF32Odd(v))
	case to.IsFloat():
		return x.elem(to, x.Convert(scalar.Stored(to), v))
	case t.IsFloat() && to.Bits() < 8:
		return Elem{to, x.saturate(to, v), scalar.NoRef}
	}
	return x.elem(to, x.Convert(scalar.Stored(to), v))
}

// saturate converts a float to an integer narrower than a byte.
func (x *expander) saturate(to core.DType, v scalar.Ref) scalar.Ref {
	t := scalar.Stored(to)
	lo, hi := int64(0), int64(1)<<to.Bits()-1
	if to.IsSigned() {
		lo, hi = -1<<(to.Bits()-1), 1<<(to.Bits()-1)-1
	}
	return x.Max(x.Min(x.Convert(t, v), x.Int(t, hi)), x.Int(t, lo))
}

// toF32Odd returns v as an f32 that, rounded to a float with a significand of at most 22 bits, gives
// what v gives: what f32 cannot hold is rounded to odd.
func (x *expander) toF32Odd(v scalar.Ref) scalar.Ref {
	b := x.builder
	switch t := b.TypeOf(v); {
	case t == scalar.F32:
		return v
	case t == scalar.Bool, t.IsInt() && t.Bits() <= 16:
		return b.Convert(scalar.F32, v)
	case t.IsInt() && t.Bits() == 32:
		v = b.Convert(scalar.F64, v)
	case t.IsInt():
		// 64 bits: where f64 cannot hold them, the lowest 11 become one sticky bit.
		low := b.And(v, b.Const(t, 1<<11-1))
		sticky := b.Select(b.Eq(low, b.Const(t, 0)), b.Const(t, 0), b.Const(t, 1<<11))
		u := b.Bitcast(scalar.U64, v)
		if t.IsSigned() {
			u = b.Bitcast(scalar.U64, b.Abs(v))
		}
		fits := b.Lt(u, b.Const(scalar.U64, 1<<53))
		v = b.Select(fits, v, b.Or(b.Sub(v, low), sticky))
		v = b.Convert(scalar.F64, v)
	}
	r := b.Convert(scalar.F32, v)
	back := b.Convert(scalar.F64, r)
	u := b.Bitcast(scalar.U32, r)
	one := b.Const(scalar.U32, 1)
	// Where r is even and not exact, take the odd neighbour on v's side. Overflow to infinity stays: numbers
	// that round to it are too large for every smaller type.
	inexact := b.And(b.Ne(back, v), b.Eq(b.And(u, one), b.Const(scalar.U32, 0)))
	grow := b.Lt(b.Abs(back), b.Abs(v))
	odd := b.Select(grow, b.Add(u, one), b.Sub(u, one))
	inf := b.Eq(b.Abs(r), b.inf(scalar.F32))
	keep := b.Or(b.Or(b.IsNaN(v), inf), b.Not(inexact))
	return b.Select(keep, r, b.Bitcast(scalar.F32, odd))
}

// reducePrecision rounds to a float of fewer exponent and mantissa bits and back: the mantissa to
// nearest even, numbers that are too large to infinity, numbers too small to be normal to zero of
// their sign. NaN stays NaN. It works on the bits of the type itself, or of f32 if
// the type has no infinity.
func reducePrecision(x *expander, p prim.ReducePrecisionP, in []Elem) Elem {
	dt := in[0].DType
	if !dt.IsFloat() {
		return x.fail(dt)
	}
	me, mm := 11, 52
	switch {
	case dt == core.Float32:
		me, mm = 8, 23
	case scalar.IsSmallFloat(dt):
		f := scalar.FormatOf(dt)
		if !f.Infs { // no infinity to overflow to: through f32
			r := x.roundBits(x.Bitcast(scalar.U32, x.load(in[0])), 8, 23, p.ExponentBits, p.MantissaBits)
			return x.elem(dt, x.Bitcast(scalar.F32, r))
		}
		me, mm = f.EBits, f.MBits
	}
	t := x.TypeOf(in[0].Re)
	r := x.roundBits(x.Bitcast(t.Unsigned(), in[0].Re), me, mm, p.ExponentBits, p.MantissaBits)
	return Elem{dt, x.Bitcast(t, r), scalar.NoRef}
}

// roundBits rounds the bits of a float with me exponent and mm mantissa bits to ebits and mbits of them.
func (b builder) roundBits(bits scalar.Ref, me, mm, ebits, mbits int) scalar.Ref {
	u := b.TypeOf(bits)
	top := uint64(1) << (me + mm)
	inf := b.Const(u, (1<<me-1)<<mm)
	sign := b.And(bits, b.Const(u, top))
	whole := b.And(bits, b.Const(u, top-1))
	mag := whole
	if drop := mm - mbits; drop > 0 {
		lsb := b.And(b.ShrN(mag, drop), b.Const(u, 1))
		mag = b.Add(mag, b.Add(lsb, b.Const(u, 1<<(drop-1)-1)))
		mag = b.And(mag, b.Not(b.Const(u, 1<<drop-1)))
	}
	if ebits < me {
		bias, rbias := 1<<(me-1)-1, 1<<(ebits-1)-1
		// Numbers with an exponent above the greatest one are too large, those below the least normal number too small.
		over := b.Le(b.Const(u, uint64(bias+rbias+1)<<mm), mag)
		under := b.Lt(mag, b.Const(u, uint64(bias-rbias+1)<<mm))
		mag = b.Select(over, inf, mag)
		mag = b.Select(under, b.Const(u, 0), mag)
	}
	nan := b.Const(u, (1<<me-1)<<mm|1<<(mm-1))
	return b.Select(b.Lt(inf, whole), nan, b.Or(mag, sign))
}
