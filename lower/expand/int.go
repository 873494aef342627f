package expand

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// shift returns the expansion of a shift: amounts that are negative or at least the
// width shift everything out.
func shift(f func(x *expander, dt core.DType, a, n scalar.Ref) scalar.Ref) expansion {
	return func(x *expander, in []Elem) Elem {
		dt := in[0].DType
		if !dt.IsInteger() {
			return x.fail(dt)
		}
		return Elem{dt, x.wrap(dt, f(x, dt, in[0].Re, in[1].Re)), scalar.NoRef}
	}
}

func shiftLeft(x *expander, dt core.DType, a, n scalar.Ref) scalar.Ref {
	r := x.Shl(a, n)
	if dt.Bits() < x.TypeOf(a).Bits() {
		return x.Select(x.within(dt, n), r, x.Int(x.TypeOf(a), 0))
	}
	return r
}

// within reports whether 0 ≤ n < the bits of dt.
func (x *expander) within(dt core.DType, n scalar.Ref) scalar.Ref {
	u := x.TypeOf(n).Unsigned()
	return x.Lt(x.Bitcast(u, n), x.Const(u, uint64(dt.Bits())))
}

func shiftArithmetic(x *expander, dt core.DType, a, n scalar.Ref) scalar.Ref {
	t := x.TypeOf(a)
	up := t.Bits() - dt.Bits()
	s := x.Bitcast(t.Signed(), x.ShlN(a, up)) // the top bit is the sign now
	s = x.ShrN(s, up)
	return x.Bitcast(t, x.Shr(s, x.Bitcast(t.Signed(), n)))
}

func shiftLogical(x *expander, dt core.DType, a, n scalar.Ref) scalar.Ref {
	t := x.TypeOf(a)
	u := t.Unsigned()
	v := x.Bitcast(u, a)
	if dt.Bits() < t.Bits() {
		v = x.And(v, x.Const(u, 1<<dt.Bits()-1))
	}
	return x.Bitcast(t, x.Shr(v, x.Bitcast(u, n)))
}

// bitCount returns the expansion of a count over the bits of an integer.
func bitCount(f func(x *expander, dt core.DType, a scalar.Ref) scalar.Ref) expansion {
	return func(x *expander, in []Elem) Elem {
		dt := in[0].DType
		if !dt.IsInteger() {
			return x.fail(dt)
		}
		return Elem{dt, x.wrap(dt, f(x, dt, in[0].Re)), scalar.NoRef}
	}
}

// bitsOf returns the bits of dt's element a, zero-extended.
func (x *expander) bitsOf(dt core.DType, a scalar.Ref) scalar.Ref {
	t := x.TypeOf(a)
	if dt.Bits() == t.Bits() {
		return a
	}
	return x.And(a, x.Const(t, 1<<dt.Bits()-1))
}

func populationCount(x *expander, dt core.DType, a scalar.Ref) scalar.Ref {
	return x.PopCount(x.bitsOf(dt, a))
}

func leadingZeros(x *expander, dt core.DType, a scalar.Ref) scalar.Ref {
	t := x.TypeOf(a)
	return x.Sub(x.Clz(x.bitsOf(dt, a)), x.Int(t, int64(t.Bits()-dt.Bits())))
}

// mulHigh returns the high half of the product in twice the width of dt.
func mulHigh(x *expander, in []Elem) Elem {
	dt := in[0].DType
	if !dt.IsInteger() {
		return x.fail(dt)
	}
	a, b := in[0].Re, in[1].Re
	if dt.Bits() < 8 { // the whole product fits
		return Elem{dt, x.wrap(dt, x.ShrN(x.Mul(a, b), dt.Bits())), scalar.NoRef}
	}
	return Elem{dt, x.MulHi(a, b), scalar.NoRef}
}
