package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/promote"
)

// num is the number v as a scalar of x's type.
func num(x core.Value, v float64) core.Value { return prim.Num(x.Aval(), v) }

// ordered compares by size. Complex numbers go by real part, then imaginary part.
func ordered(op string, p core.Primitive, x, y any) Array {
	a, b := pair(op, x, y)
	if !a.Aval().DType.IsComplex() {
		return FromValue(core.Apply2(p, a, b))
	}
	re, ie := prim.Eq(prim.Real(a), prim.Real(b)), core.Bind1(p, prim.Imag(a), prim.Imag(b))
	return FromValue(prim.Where(re, ie, core.Bind1(p, prim.Real(a), prim.Real(b))))
}

func floorDiv(x, y any) Array {
	a, b := arithmetic2("FloorDiv", x, y)
	dt := a.Aval().DType
	switch {
	case dt.IsSigned():
		q := prim.Div(a, b)
		uneven := prim.And(prim.Ne(prim.Sign(a), prim.Sign(b)), prim.Ne(prim.Rem(a, b), num(a, 0)))
		return FromValue(where(uneven, prim.Sub(q, num(q, 1)), q))
	case dt.IsUnsigned():
		return FromValue(prim.Div(a, b))
	case dt.IsComplex():
		core.FailOp(core.ErrDType, "FloorDiv", core.AvalsOf([]core.Value{a, b}), "complex numbers have no order to round down in; use Div")
	}
	m := prim.Rem(a, b)
	q := prim.Div(prim.Sub(a, m), b)
	uneven := prim.And(prim.Ne(m, num(m, 0)), prim.Ne(prim.Sign(b), prim.Sign(m)))
	q = prim.Round(where(uneven, prim.Sub(q, num(q, 1)), q), prim.AwayFromZero)
	return FromValue(where(prim.Eq(b, num(b, 0)), prim.Div(a, b), q))
}

func mod(x, y any) Array {
	a, b := arithmetic2("Mod", x, y)
	if a.Aval().DType.IsInteger() {
		// x mod 0 is 0, as in NumPy.
		b = where(prim.Eq(b, num(b, 0)), spreadLike(num(b, 1), b), b)
	}
	m := prim.Rem(a, b)
	if a.Aval().DType.IsUnsigned() {
		return FromValue(m)
	}
	zero := num(m, 0)
	signs := prim.Ne(prim.Lt(m, zero), prim.Lt(b, num(b, 0)))
	return FromValue(where(prim.And(signs, prim.Ne(m, zero)), prim.Add(m, b), m))
}

func rem(x, y any) Array {
	a, b := arithmetic2("Rem", x, y)
	return FromValue(prim.Rem(a, b))
}

func shl(x, y any) Array {
	a, b := arithmetic2("Shl", x, y)
	return FromValue(prim.ShiftLeft(a, b))
}

func shr(x, y any) Array {
	a, b := arithmetic2("Shr", x, y)
	if a.Aval().DType.IsUnsigned() {
		return FromValue(prim.ShiftRightLogical(a, b))
	}
	return FromValue(prim.ShiftRightArithmetic(a, b))
}

// pow with an untyped integer exponent is a chain of multiplications.
func pow(x, y any) Array {
	a, b := valueOf("Pow", x), valueOf("Pow", y)
	if l, ok := b.(core.Literal); ok && l.Weak && l.Type.IsInteger() {
		if current().system != promote.JAX {
			dt, weak := promoteTypes("Pow", a, b)
			a = convert("Pow", a, dt, weak)
		}
		if isBool(a) {
			a = convert("Pow", a, core.Int32, false)
		}
		n := l.Num.Int64()
		if a.Aval().DType.IsInteger() && n < 0 {
			core.FailOp(core.ErrDType, "Pow", []core.ShapedArray{a.Aval()}, "an integer has no power of %d among the integers; make it a float, or the exponent: %d.", n, n)
		}
		if int64(int(n)) == n && n == int64(int32(n)) {
			return FromValue(prim.IntegerPow(a, int(n)))
		}
	}
	at, bt := a.Aval(), b.Aval()
	if at.DType.IsInexact() && bt.DType.IsInteger() && !at.DType.IsMinorFloat() && !bt.Weak {
		// A float's integer power keeps the exponent exact.
		dt, weak := promoteTypes("Pow", a, b)
		a = convert("Pow", a, dt, weak)
		a, b = ranks2("Pow", a, b)
		return FromValue(prim.Pow(a, b))
	}
	a, b = together2("Pow", a, b)
	if isBool(a) {
		a, b = convert("Pow", a, core.Int32, false), convert("Pow", b, core.Int32, false)
	}
	a, b = ranks2("Pow", a, b)
	if a.Aval().DType.IsInteger() {
		return FromValue(powInts(strong("Pow", a), strong("Pow", b)))
	}
	return FromValue(prim.Pow(a, b))
}

// powInts multiplies the squares that the exponent's bits choose. A negative
// exponent counts as its bits do, unless the base is 0, 1 or −1 in absolute value.
func powInts(x, y core.Value) core.Value {
	zero, one := num(y, 0), num(y, 1)
	dead := prim.And(prim.Eq(x, num(x, 0)), prim.Ne(y, zero))
	acc := where(dead, spreadLike(num(x, 0), dead), spreadLike(num(x, 1), dead))
	for range 6 { // more would overflow for any base above 1
		acc = where(prim.Ne(prim.And(y, one), zero), prim.Mul(acc, x), acc)
		x = prim.Mul(x, x)
		y = prim.ShiftRightLogical(y, one)
	}
	return acc
}

// spreadLike is a scalar over the shape of y.
func spreadLike(x, y core.Value) core.Value {
	return prim.BroadcastInDim(x, y.Aval().Shape, core.Dims{})
}

// where selects after spreading the cases over one shape.
func where(c, x, y core.Value) core.Value {
	shape := broadcastShapes("Where", c.Aval(), x.Aval(), y.Aval())
	if c.Aval().Rank() > 0 {
		c = spread("Where", c, shape)
	}
	return prim.Where(c, spread("Where", x, shape), spread("Where", y, shape))
}

// Where is a where c holds, else b. Numbers count as true where they are not 0.
// Neither a nor b is left out: both are computed, and the derivative of what is not
// chosen is 0 times it.
func Where[A, B Operand](c Array, a A, b B) Array {
	p := truth(valueOf("Where", c))
	x, y := together2("Where", valueOf("Where", a), valueOf("Where", b))
	if vs := []core.Value{p, x, y}; current().ranks == Raise {
		ranks("Where", vs)
	}
	return FromValue(where(p, x, y))
}

// truth is x ≠ 0.
func truth(x core.Value) core.Value {
	if isBool(x) {
		return x
	}
	return prim.Ne(x, num(x, 0))
}
