package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/runtime"
)

// Zeros is an array of zeros of the default float type.
func Zeros(dims ...int) Array {
	return zerosOf(room("Zeros", dims, defaultFloat()))
}

// Ones is an array of ones of the default float type.
func Ones(dims ...int) Array {
	return FromValue(prim.Full(room("Ones", dims, defaultFloat()), 1))
}

// ZerosOf is an array of zeros of a type.
func ZerosOf(dt DType, dims ...int) Array {
	return zerosOf(room("ZerosOf", dims, dt))
}

// OnesOf is an array of ones of a type.
func OnesOf(dt DType, dims ...int) Array {
	return FromValue(prim.Full(room("OnesOf", dims, dt), 1))
}

// room is the type of an array that a user asks for, which memory must have room for.
func room(op string, dims []int, dt DType) core.ShapedArray {
	a := core.ShapedArray{Shape: sizes(op, dims), DType: dt}
	if why := runtime.TooLarge(a); why != "" {
		core.FailOp(core.ErrShape, op, nil, "%s", why)
	}
	return a
}

func zerosOf(a core.ShapedArray) Array {
	if a.DType == core.Key {
		return FromValue(prim.RandomWrap(prim.Zeros(core.ShapedArray{Shape: a.Shape.Append(2), DType: core.Uint32})))
	}
	if a.DType.Size() == 0 && a.DType != core.Float0 {
		core.FailOp(core.ErrDType, "Zeros", nil, "%v is no element type; use one of weft.Bool … weft.Complex128", a.DType)
	}
	if a.DType == core.Float0 {
		return FromValue(none(a))
	}
	return FromValue(prim.Zeros(a))
}

// Full is v spread over a shape. An untyped constant stays weak.
func Full[T Operand](s Shape, v T) Array {
	x := operand("Full", v).Value()
	return FromValue(spread("Full", x, room("Full", s, x.Aval().DType).Shape))
}

// ZerosLike is a tree of zeros of the types of p's arrays.
func ZerosLike[P any](p P) P {
	return likeTree("ZerosLike", p, func(a core.ShapedArray) core.Value { return zerosOf(a).Value() })
}

// OnesLike is a tree of ones of the types of p's arrays.
func OnesLike[P any](p P) P {
	return likeTree("OnesLike", p, func(a core.ShapedArray) core.Value { return prim.Full(a, 1) })
}

func likeTree[P any](op string, p P, f func(core.ShapedArray) core.Value) P {
	vals, def := formOf[P](op).values(op, &p)
	for i, v := range vals {
		vals[i] = f(v.Aval())
	}
	return together[P](def, vals)
}

// Arange is the numbers from 0 up to stop, or from start up to stop, by steps of 1
// or of the third number. Arange(4) is integers, Arange(4.) floats.
func Arange[T Elem](startStopStep ...T) Array {
	n := len(startStopStep)
	if n == 0 || n > 3 {
		core.FailOp(core.ErrShape, "Arange", nil, "takes stop; start, stop; or start, stop, step; got %d numbers", n)
	}
	ls := make([]core.Literal, n)
	for i, v := range startStopStep {
		l, _ := number(v)
		ls[i] = fitting("Arange", l)
	}
	dt := ls[0].Type
	if dt.IsBool() || dt.IsComplex() {
		core.FailOp(core.ErrDType, "Arange", nil, "counts in integers or floats, not in %v", dt)
	}
	start, stop, step := core.Lit(core.IntNumber(0), dt), ls[0], core.Lit(core.IntNumber(1), dt)
	if n > 1 {
		start, stop = ls[0], ls[1]
	}
	if n > 2 {
		step = ls[2]
	}
	count := steps(start.Num, stop.Num, step.Num)
	room("Arange", []int{count}, dt)
	start.Weak, step.Weak = false, false
	v := prim.Iota(dt, core.MakeDims(count), 0)
	if n > 2 {
		v = prim.Mul(v, convertLiteral("Arange", step, dt, false))
	}
	if n > 1 {
		v = prim.Add(v, convertLiteral("Arange", start, dt, false))
	}
	return FromValue(v)
}

// steps is how many numbers there are from start up to stop.
func steps(start, stop, step core.Number) int {
	zero := func() { core.FailOp(core.ErrShape, "Arange", nil, "the step is 0") }
	if start.Kind() == core.KindFloat || stop.Kind() == core.KindFloat || step.Kind() == core.KindFloat {
		if step.Float() == 0 {
			zero()
		}
		n := (stop.Float() - start.Float()) / step.Float()
		if !(n < 1<<53) {
			core.FailOp(core.ErrShape, "Arange", nil, "from %v to %v by %v there are too many numbers", start.Float(), stop.Float(), step.Float())
		}
		c := int(max(n, 0))
		if float64(c) < n {
			c++
		}
		return c
	}
	lo, hi, by := start.BigInt(), stop.BigInt(), step.BigInt()
	if by.Sign() == 0 {
		zero()
	}
	d := hi.Sub(hi, lo)
	if by.Sign() < 0 {
		d.Neg(d)
		by.Neg(by)
	}
	if d.Sign() <= 0 {
		return 0
	}
	d.Add(d, by).Sub(d, core.IntNumber(1).BigInt()).Quo(d, by)
	if !d.IsInt64() {
		core.FailOp(core.ErrShape, "Arange", nil, "there are %v numbers, too many", d)
	}
	return int(d.Int64())
}

// Iota counts along one axis of a shape.
func Iota(dt DType, axis int, dims ...int) Array {
	a := room("Iota", dims, dt)
	return FromValue(prim.Iota(dt, a.Shape, resolveAxis("Iota", a, axis)))
}

// Linspace is n numbers from start to stop, both included, at equal distances. Where
// these are Arrays the numbers between their elements stand along a new axis, the first
// one unless another is given.
func Linspace[A, B Operand](start A, stop B, n int, axis ...int) Array {
	const op = "Linspace"
	if n < 0 {
		core.FailOp(core.ErrShape, op, nil, "cannot make %d numbers; ask for 0 or more", n)
	}
	x, y := valueOf(op, start), valueOf(op, stop)
	if x.Aval().Weak && y.Aval().Weak { // of the default type under every system of promotion
		dt := defaultFloat()
		if x.Aval().DType.IsComplex() || y.Aval().DType.IsComplex() {
			dt = defaultComplex()
		}
		x, y = convert(op, x, dt, false), convert(op, y, dt, false)
	} else {
		x, y = floating2(op, x, y)
	}
	x, y = strong(op, x), strong(op, y)
	s := broadcastShapes(op, x.Aval(), y.Aval())
	dt := x.Aval().DType
	a := room(op, s.Prepend(n).Ints(), dt)
	ax := 0
	if len(axis) > 0 {
		ax = axisOf(op, a, axis)
	}
	if s.Len() > 0 {
		x, y = prim.ExpandDims(spread(op, x, s), core.MakeDims(0)), prim.ExpandDims(spread(op, y, s), core.MakeDims(0))
	}
	v := prim.BroadcastInDim(x, a.Shape, core.Range(0, x.Aval().Rank()))
	if n > 1 {
		// Both ends are exact: a weighted mean of them.
		between := s.Prepend(n - 1)
		t := convert(op, prim.Div(prim.Iota(dt.Real(), between, 0), core.Lit(core.FloatNumber(float64(n-1)), dt.Real())), dt, false)
		wide := func(v core.Value) core.Value { return spread(op, v, between) }
		v = prim.Add(prim.Mul(wide(x), prim.Sub(num(x, 1), t)), prim.Mul(wide(y), t))
		v = prim.Concatenate(0, v, prim.BroadcastInDim(y, s.Prepend(1), core.Range(0, y.Aval().Rank())))
	}
	if ax == 0 {
		return FromValue(v)
	}
	return FromValue(v).MoveAxis(0, ax)
}

// Eye is the identity matrix of n rows, or of n rows and m columns.
func Eye(n int, m ...int) Array {
	k := n
	if len(m) == 1 {
		k = m[0]
	}
	s := room("Eye", []int{n, k}, core.Int32).Shape
	v := prim.Eq(prim.Iota(core.Int32, s, 0), prim.Iota(core.Int32, s, 1))
	return FromValue(prim.Convert(v, defaultFloat(), false))
}

// Tril is x's lower triangles: zero above the k-th diagonal, the main one unless
// given.
func Tril(x Array, k ...int) Array { return triangle("Tril", x, k, prim.Ge) }

// Triu is x's upper triangles: zero below the k-th diagonal.
func Triu(x Array, k ...int) Array { return triangle("Triu", x, k, prim.Le) }

func triangle(op string, x Array, k []int, keep func(x, y core.Value) core.Value) Array {
	v := valueOf(op, x)
	a := v.Aval()
	if a.Rank() < 2 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "%v is no matrix", a.Full())
	}
	d := 0
	if len(k) > 0 {
		d = k[0]
	}
	s := a.Shape.Slice(a.Rank()-2, a.Rank())
	row := prim.Add(prim.Iota(core.Int32, s, 0), core.Lit(core.IntNumber(int64(d)), core.Int32))
	mask := keep(row, prim.Iota(core.Int32, s, 1))
	return FromValue(where(mask, v, spreadLike(num(v, 0), v)))
}

// OneHot is for each index a row of n numbers, 1 at the index and 0 elsewhere.
func OneHot(x Array, n int) Array {
	v := valueOf("OneHot", x)
	a := v.Aval()
	if !a.DType.IsInteger() {
		core.FailOp(core.ErrDType, "OneHot", []core.ShapedArray{a}, "the indices must be integers, got %v", a.Full())
	}
	s := room("OneHot", append(a.Shape.Ints(), n), a.DType).Shape
	v = spread("OneHot", prim.ExpandDims(v, core.MakeDims(a.Rank())), s)
	hot := prim.Eq(convert("OneHot", v, a.DType, false), prim.Iota(a.DType, s, a.Rank()))
	return FromValue(prim.Convert(hot, defaultFloat(), false))
}

// FullLike is v, in x's type, spread over x's shape.
func FullLike[T Operand](x Array, v T) Array {
	a := valueOf("FullLike", x).Aval()
	w := convertTo(operand("FullLike", v).Value(), a.DType)
	return FromValue(spread("FullLike", convert("FullLike", w, a.DType, a.Weak), a.Shape))
}

// Logspace is n numbers from 10^start to 10^stop, whose logarithms are at equal
// distances.
func Logspace(start, stop float64, n int) Array {
	return alone(func() Array { return Pow(10., Linspace(start, stop, n)) })
}
