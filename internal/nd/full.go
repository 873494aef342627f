package nd

import (
	"math"
	"math/bits"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/runtime"
)

// Zeros returns an array of zeros of the default float type.
func Zeros(dims ...int) core.Value {
	return ZerosOfType(Room("Zeros", dims, DefaultFloat()))
}

// Ones returns an array of ones of the default float type.
func Ones(dims ...int) core.Value {
	return prim.Full(Room("Ones", dims, DefaultFloat()), 1)
}

// ZerosOf returns an array of zeros of a type.
func ZerosOf(dt core.DType, dims ...int) core.Value {
	return ZerosOfType(Room("ZerosOf", dims, dt))
}

// OnesOf returns an array of ones of a type.
func OnesOf(dt core.DType, dims ...int) core.Value {
	return prim.Full(Room("OnesOf", dims, dt), 1)
}

// Room returns the type of an array that a user requests. It refuses arrays that are too large to allocate.
func Room(op string, dims []int, dt core.DType) core.ShapedArray {
	a := core.ShapedArray{Shape: Sizes(op, dims), DType: dt}
	if why := runtime.TooLarge(a); why != "" {
		kind := core.ErrShape
		if !dt.IsElement() {
			kind = core.ErrDType
		}
		core.FailOp(kind, op, nil, "%s", why)
	}
	return a
}

func ZerosOfType(a core.ShapedArray) core.Value {
	if a.DType == core.Float0 {
		return NoTangent(a)
	}
	return prim.Zeros(a)
}

// Full returns an array of a shape filled with v, which may be an Array that broadcasts. An
// untyped constant stays weak.
func Full(s []int, v any) core.Value {
	x := Operand("Full", v)
	return Spread("Full", x, Room("Full", s, x.Aval().DType).Shape)
}

// Arange returns the numbers from start, 0 unless given, up to but not including stop, by steps
// of 1 or of the third number. Arange(4) holds integers, Arange(4.) floats.
func Arange(startStopStep ...any) core.Value {
	n := len(startStopStep)
	if n == 0 || n > 3 {
		core.FailOp(core.ErrShape, "Arange", nil, "takes stop; start, stop; or start, stop, step; got %d numbers", n)
	}
	ls := make([]core.Literal, n)
	for i, v := range startStopStep {
		l, _ := Number(v)
		ls[i] = Fitting("Arange", l)
	}
	dt := ls[0].Type
	if dt.IsBool() || dt.IsComplex() {
		core.FailOp(core.ErrDType, "Arange", nil, "the dtype must be an integer or float (got %v); convert the result instead", dt)
	}
	start, stop, step := core.Lit(core.IntNumber(0), dt), ls[0], core.Lit(core.IntNumber(1), dt)
	if n > 1 {
		start, stop = ls[0], ls[1]
	}
	if n > 2 {
		step = ls[2]
	}
	count := steps(start.Num, stop.Num, step.Num)
	Room("Arange", []int{count}, dt)
	start.Weak, step.Weak = false, false
	v := prim.Iota(dt, core.MakeDims(count), 0)
	if n > 2 {
		v = prim.Mul(v, ConvertLiteral("Arange", step, dt, false))
	}
	if n > 1 {
		v = prim.Add(v, ConvertLiteral("Arange", start, dt, false))
	}
	return v
}

func steps(start, stop, step core.Number) int {
	zero := func() { core.FailOp(core.ErrShape, "Arange", nil, "the step is 0; use a positive or negative one") }
	if start.Kind() == core.KindFloat || stop.Kind() == core.KindFloat || step.Kind() == core.KindFloat {
		if step.Float() == 0 {
			zero()
		}
		n := (stop.Float() - start.Float()) / step.Float()
		if !(n < 1<<53) {
			core.FailOp(core.ErrShape, "Arange", nil, "too many numbers from %v to %v by %v; use a larger step", start.Float(), stop.Float(), step.Float())
		}
		c := int(max(n, 0))
		if float64(c) < n {
			c++
		}
		return c
	}
	neg, by := distance(core.IntNumber(0), step)
	if by == [2]uint64{} {
		zero()
	}
	back, d := distance(start, stop)
	if d == [2]uint64{} || neg != back {
		return 0
	}
	n, rest := uint64(math.MaxUint64), uint64(0) // too many, unless the quotient fits
	if d[1] < by[0] {
		n, rest = bits.Div64(d[1], d[0], by[0])
	}
	if rest > 0 {
		n++ // without overflow: the distance is below 2⁶⁴ + 2⁶³, and the step then at least 2
	}
	if n > math.MaxInt {
		core.FailOp(core.ErrShape, "Arange", nil, "too many numbers from %s to %s by %s; use a larger step", start.IntegerText(), stop.IntegerText(), step.IntegerText())
	}
	return int(n)
}

// distance returns the magnitude of to − from, the low word first, and whether it is negative.
func distance(from, to core.Number) (negative bool, d [2]uint64) {
	a, b := wide(from), wide(to)
	var borrow uint64
	d[0], borrow = bits.Sub64(b[0], a[0], 0)
	d[1], _ = bits.Sub64(b[1], a[1], borrow)
	if negative = int64(d[1]) < 0; negative {
		d[0], borrow = bits.Sub64(0, d[0], 0)
		d[1], _ = bits.Sub64(0, d[1], borrow)
	}
	return negative, d
}

// wide returns an integer in two words, the low one first.
func wide(n core.Number) [2]uint64 {
	if n.Kind() == core.KindUint {
		return [2]uint64{n.Uint64(), 0}
	}
	v := n.Int64()
	return [2]uint64{uint64(v), uint64(v >> 63)}
}

// Iota returns an array whose elements are their own positions along an axis.
func Iota(dt core.DType, axis int, dims ...int) core.Value {
	a := Room("Iota", dims, dt)
	return prim.Iota(dt, a.Shape, Axis("Iota", a, axis))
}

// Linspace returns n numbers from start to stop, both included, at equal distances; one number is
// start. If start or stop is an Array, the numbers for each pair of elements lie along a new axis,
// the first one unless another is given. With HalfOpen stop is left out.
func Linspace(start any, stop any, n int, axis ...int) core.Value {
	const op = "Linspace"
	if n < 0 {
		core.FailOp(core.ErrShape, op, nil, "cannot make %d numbers; ask for 0 or more", n)
	}
	axis, open := withSentinel(axis, HalfOpen)
	x, y := ValueOf(op, start), ValueOf(op, stop)
	if x.Aval().Weak && y.Aval().Weak { // of the default type under every system of promotion
		dt := DefaultFloat()
		if x.Aval().DType.IsComplex() || y.Aval().DType.IsComplex() {
			dt = DefaultComplex()
		}
		x, y = Convert(op, x, dt, false), Convert(op, y, dt, false)
	} else {
		x, y = FloatingPair(op, x, y)
	}
	x, y = Strong(op, x), Strong(op, y)
	s := BroadcastShapes(op, x.Aval(), y.Aval())
	dt := x.Aval().DType
	a := Room(op, s.Prepend(n).Ints(), dt)
	ax := 0
	if len(axis) > 0 {
		ax = axisOfType(op, a, axis)
	}
	if s.Len() > 0 {
		x, y = prim.ExpandDims(Spread(op, x, s), core.MakeDims(0)), prim.ExpandDims(Spread(op, y, s), core.MakeDims(0))
	}
	v := prim.BroadcastInDim(x, a.Shape, core.Range(0, x.Aval().Rank()))
	if n > 1 {
		// A weighted mean of start and stop, so that both ends are exact.
		steps := n - 1
		if open {
			steps = n
		}
		between := s.Prepend(steps)
		t := Convert(op, prim.Div(prim.Iota(dt.Real(), between, 0), core.Lit(core.FloatNumber(float64(steps)), dt.Real())), dt, false)
		wide := func(v core.Value) core.Value { return Spread(op, v, between) }
		v = prim.Add(prim.Mul(wide(x), prim.Sub(Num(x, 1), t)), prim.Mul(wide(y), t))
		if !open {
			v = prim.Concatenate(0, v, prim.BroadcastInDim(y, s.Prepend(1), core.Range(0, y.Aval().Rank())))
		}
	}
	if ax == 0 {
		return v
	}
	return MoveAxis(v, 0, ax)
}

// Eye returns the identity matrix of n rows, or of n rows and m columns. With a third number k the
// ones are on the k-th diagonal, which is above the main one if k is positive.
func Eye(n int, mk ...int) core.Value {
	m, k := n, 0
	switch len(mk) {
	case 2:
		k = mk[1]
		fallthrough
	case 1:
		m = mk[0]
	case 0:
	default:
		core.FailOp(core.ErrShape, "Eye", nil, "too many numbers (got %d, want at most 3); pass rows, columns and the diagonal", len(mk)+1)
	}
	s := Room("Eye", []int{n, m}, core.Int32).Shape
	row := prim.Iota(core.Int32, s, 0)
	if k = min(max(k, -n), m); k != 0 { // further out there are no ones either
		row = prim.Add(row, core.Lit(core.IntNumber(int64(k)), core.Int32))
	}
	return prim.Convert(prim.Eq(row, prim.Iota(core.Int32, s, 1)), DefaultFloat(), false)
}

// Tril returns x's lower triangles: zero above the k-th diagonal, the main one unless
// given.
func Tril(x core.Value, k ...int) core.Value { return triangle("Tril", x, k, prim.Ge) }

// Triu returns x's upper triangles: zero below the k-th diagonal.
func Triu(x core.Value, k ...int) core.Value { return triangle("Triu", x, k, prim.Le) }

func triangle(op string, x core.Value, k []int, keep func(x, y core.Value) core.Value) core.Value {
	v := ValueOf(op, x)
	a := v.Aval()
	if a.Rank() < 2 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "%v is not a matrix; reshape it to two axes", a.Full())
	}
	d := 0
	if len(k) > 0 {
		d = k[0]
	}
	s := a.Shape.Slice(a.Rank()-2, a.Rank())
	d = min(max(d, -s.At(0)), s.At(1)) // beyond these bounds the triangle is empty or the whole matrix
	row := prim.Add(prim.Iota(core.Int32, s, 0), core.Lit(core.IntNumber(int64(d)), core.Int32))
	mask := keep(row, prim.Iota(core.Int32, s, 1))
	return Choose(mask, v, FillLike(Num(v, 0), v))
}

// OneHot returns for each index a row of n numbers, 1 at the index and 0 elsewhere. For an
// index out of range all are 0.
func OneHot(x core.Value, n int) core.Value {
	v := ValueOf("OneHot", x)
	a := v.Aval()
	if !a.DType.IsInteger() {
		core.FailOp(core.ErrDType, "OneHot", []core.ShapedArray{a}, "indices must be integers (got %v); convert them", a.Full())
	}
	s := Room("OneHot", append(a.Shape.Ints(), n), a.DType).Shape
	v = Spread("OneHot", prim.ExpandDims(v, core.MakeDims(a.Rank())), s)
	dt := a.DType
	if !core.IntNumber(int64(n)).Fits(dt) { // the columns would repeat
		dt = core.Int32
	}
	hot := prim.Eq(Convert("OneHot", v, dt, false), prim.Iota(dt, s, a.Rank()))
	return prim.Convert(hot, DefaultFloat(), false)
}

// FullLike returns an array of x's shape and type filled with v.
func FullLike(x core.Value, v any) core.Value {
	a := ValueOf("FullLike", x).Aval()
	w := ValueOf("FullLike", v)
	if l, ok := w.(core.Literal); ok && l.Bare {
		RequireFits("FullLike", l, a.DType)
		if a.DType.IsInexact() { // rounded once, to x's type
			return Spread("FullLike", ConvertLiteral("FullLike", l, a.DType, a.Weak).Value(), a.Shape)
		}
		l.Bare = false
		w = l.Value()
	}
	w = ConvertTo(w, a.DType)
	return Spread("FullLike", Convert("FullLike", w, a.DType, a.Weak), a.Shape)
}

// Logspace returns n numbers from 10^start to 10^stop, at equal distances on a logarithmic scale.
func Logspace(start, stop float64, n int) core.Value {
	return WithJAXPromotion(func() core.Value { return Pow(10., Linspace(start, stop, n)) })
}

func dim(x core.Value, axis int) int {
	a := x.Aval()
	return a.Shape.At(Axis("Dim", a, axis))
}
