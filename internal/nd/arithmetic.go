package nd

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/promote"
)

// Num returns the number v as a scalar of x's type.
func Num(x core.Value, v float64) core.Value { return prim.Num(x.Aval(), v) }

// ordered compares with p. Complex numbers are compared by their real parts, and by their imaginary parts where
// those are equal.
func ordered(op string, p core.Primitive, x, y any) core.Value {
	a, b := Pair(op, x, y)
	if !a.Aval().DType.IsComplex() {
		return core.Apply2(p, a, b)
	}
	re, ie := prim.Eq(prim.Real(a), prim.Real(b)), core.Bind1(p, prim.Imag(a), prim.Imag(b))
	return prim.Where(re, ie, core.Bind1(p, prim.Real(a), prim.Real(b)))
}

func floorDiv(x, y any) core.Value {
	a, b := arithmeticPair("FloorDiv", x, y)
	dt := a.Aval().DType
	switch {
	case dt.IsSigned():
		q := prim.Div(a, b)
		uneven := prim.And(prim.Ne(prim.Sign(a), prim.Sign(b)), prim.Ne(prim.Rem(a, b), Num(a, 0)))
		return Choose(uneven, prim.Sub(q, Num(q, 1)), q)
	case dt.IsUnsigned():
		return prim.Div(a, b)
	case dt.IsComplex():
		core.FailOp(core.ErrDType, "FloorDiv", core.AvalsOf([]core.Value{a, b}), "complex numbers have no order to round down in; use Div")
	}
	m := prim.Rem(a, b)
	q := prim.Div(prim.Sub(a, m), b)
	uneven := prim.And(prim.Ne(m, Num(m, 0)), prim.Ne(prim.Sign(b), prim.Sign(m)))
	q = prim.Round(Choose(uneven, prim.Sub(q, Num(q, 1)), q), prim.AwayFromZero)
	return Choose(prim.Eq(b, Num(b, 0)), prim.Div(a, b), q)
}

func mod(x, y any) core.Value {
	a, b := arithmeticPair("Mod", x, y)
	if a.Aval().DType.IsInteger() {
		// x mod 0 is 0, as in NumPy.
		b = Choose(prim.Eq(b, Num(b, 0)), FillLike(Num(b, 1), b), b)
	}
	m := prim.Rem(a, b)
	if a.Aval().DType.IsUnsigned() {
		return m
	}
	zero := Num(m, 0)
	signs := prim.Ne(prim.Lt(m, zero), prim.Lt(b, Num(b, 0)))
	return Choose(prim.And(signs, prim.Ne(m, zero)), prim.Add(m, b), m)
}

func rem(x, y any) core.Value {
	a, b := arithmeticPair("Rem", x, y)
	return prim.Rem(a, b)
}

func shl(x, y any) core.Value {
	a, b := arithmeticPair("Shl", x, y)
	return prim.ShiftLeft(a, b)
}

func shr(x, y any) core.Value {
	a, b := arithmeticPair("Shr", x, y)
	if a.Aval().DType.IsUnsigned() {
		return prim.ShiftRightLogical(a, b)
	}
	return prim.ShiftRightArithmetic(a, b)
}

// pow is a chain of multiplications if the exponent is a Go constant: an untyped integer that fits 32 bits, or a
// truth value. A scalar array as exponent is treated like any other array.
func pow(x, y any) core.Value {
	a, b := ValueOf("Pow", x), ValueOf("Pow", y)
	if l, ok := b.(core.Literal); ok && l.Bare && (l.Weak && l.Type.IsInteger() || l.Type.IsBool()) {
		if Current().Promotion != promote.JAX {
			dt, weak := PromoteTypes("Pow", a, b)
			a = Convert("Pow", a, dt, weak)
		}
		if IsBool(a) {
			a = Convert("Pow", a, core.Int32, false)
		}
		n := l.Num.Int64()
		if a.Aval().DType.IsInteger() && n < 0 {
			core.FailOp(core.ErrDType, "Pow", []core.ShapedArray{a.Aval()}, "an integer has no power of %d among the integers; make the base a float, or write the exponent as %d.0", n, n)
		}
		if int64(int(n)) == n && n == int64(int32(n)) {
			return prim.IntegerPow(a, int(n))
		}
	}
	at, bt := a.Aval(), b.Aval()
	if at.DType.IsInexact() && bt.DType.IsInteger() && !at.DType.IsMinorFloat() && !bt.Weak {
		// A float's integer power keeps the exponent exact.
		dt, weak := PromoteTypes("Pow", a, b)
		a = Convert("Pow", a, dt, weak)
		a, b = AlignRanks("Pow", a, b)
		return prim.Pow(a, b)
	}
	a, b = PromotePair("Pow", a, b)
	if IsBool(a) {
		a, b = Convert("Pow", a, core.Int32, false), Convert("Pow", b, core.Int32, false)
	}
	a, b = AlignRanks("Pow", a, b)
	if a.Aval().DType.IsInteger() {
		return powInts(Strong("Pow", a), Strong("Pow", b))
	}
	return prim.Pow(a, b)
}

// powInts multiplies the powers x^(2^k), k < 6, for which bit k of the exponent y is set, as jax.numpy does: an
// exponent counts modulo 64, also a negative one.
func powInts(x, y core.Value) core.Value {
	zero, one := Num(y, 0), Num(y, 1)
	dead := prim.And(prim.Eq(x, Num(x, 0)), prim.Ne(y, zero))
	acc := Choose(dead, FillLike(Num(x, 0), dead), FillLike(Num(x, 1), dead))
	for range 6 {
		acc = Choose(prim.Ne(prim.And(y, one), zero), prim.Mul(acc, x), acc)
		x = prim.Mul(x, x)
		y = prim.ShiftRightLogical(y, one)
	}
	return acc
}

// FillLike broadcasts the scalar x to the shape of y.
func FillLike(x, y core.Value) core.Value {
	return prim.BroadcastInDim(x, y.Aval().Shape, core.Dims{})
}

// Choose broadcasts c and the cases to one shape and selects.
func Choose(c, x, y core.Value) core.Value {
	shape := BroadcastShapes("Where", c.Aval(), x.Aval(), y.Aval())
	if c.Aval().Rank() > 0 {
		c = Spread("Where", c, shape)
	}
	return prim.Where(c, Spread("Where", x, shape), Spread("Where", y, shape))
}

// Where returns a where c holds, else b. Numbers count as true where they are not 0. Both a and b are computed.
// The operand that is not chosen gets the cotangent 0, so an infinite derivative there still gives NaN.
func Where(c core.Value, a any, b any) core.Value {
	p := Truth(ValueOf("Where", c))
	x, y := PromotePair("Where", ValueOf("Where", a), ValueOf("Where", b))
	if vs := []core.Value{p, x, y}; Current().RaiseRanks {
		alignAllRanks("Where", vs)
	}
	return Choose(p, x, y)
}

// Truth returns x ≠ 0.
func Truth(x core.Value) core.Value {
	if IsBool(x) {
		return x
	}
	return prim.Ne(x, Num(x, 0))
}
