package nd

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/runtime"
)

// HStack joins arrays along their second axis; vectors and scalars along the first.
func HStack(xs ...core.Value) core.Value {
	xs = atLeast("HStack", 1, xs)
	return concatNamed("HStack", min(1, xs[0].Aval().Rank()-1), xs)
}

// VStack joins arrays along their first axis; vectors count as rows.
func VStack(xs ...core.Value) core.Value { return concatNamed("VStack", 0, atLeast("VStack", 2, xs)) }

// DStack joins arrays along their third axis.
func DStack(xs ...core.Value) core.Value { return concatNamed("DStack", 2, atLeast("DStack", 3, xs)) }

func atLeast(op string, rank int, xs []core.Value) []core.Value {
	if len(xs) == 0 {
		core.FailOp(core.ErrShape, op, nil, "there are no arrays; pass one or more")
	}
	out := make([]core.Value, len(xs))
	for i, x := range xs {
		out[i] = AtLeast(x, rank)
	}
	return out
}

// AtLeast returns x with axes of size 1 added up to rank 1, 2 or 3, where NumPy's atleast_1d, atleast_2d and
// atleast_3d add them: in front, but the third axis at the end.
func AtLeast(x core.Value, rank int) core.Value {
	have := ValueOf("AtLeast", x).Aval().Rank()
	switch {
	case rank < 0 || rank > 3:
		core.FailOp(core.ErrShape, "AtLeast", nil, "the rank is from 0 to 3, got %d; use ExpandDims", rank)
	case have >= rank:
		return x
	case rank == 3 && have == 2:
		return ExpandDims(x, 2)
	case rank == 3 && have == 1:
		return ExpandDims(x, 0, 2)
	}
	return ExpandDims(x, core.Range(0, rank-have).Ints()...)
}

// Rot90 rotates the matrices in x's first two axes by k quarter turns, counterclockwise as
// matrices are written.
func Rot90(x core.Value, k int) core.Value {
	if a := ValueOf("Rot90", x).Aval(); a.Rank() < 2 {
		core.FailOp(core.ErrShape, "Rot90", []core.ShapedArray{a}, "%v is not a matrix; reshape it to two axes", a.Full())
	}
	switch (k%4 + 4) % 4 {
	case 1:
		return SwapAxes(Flip(x, 1), 0, 1)
	case 2:
		return Flip(x, 0, 1)
	case 3:
		return Flip(SwapAxes(x, 0, 1), 1)
	}
	return x
}

// Diff returns the differences of neighbours along an axis, the last one unless another is given. For truth
// values it reports whether neighbours differ. Differences of integers wrap, as in NumPy; convert unsigned ones
// with AsType(weft.Int64) first if the values may decrease.
func Diff(x core.Value, axis ...int) core.Value {
	ax := OneAxis("Diff", x, axis)
	v := ValueOf("Diff", x)
	n := v.Aval().Shape.At(ax)
	if n == 0 {
		core.FailOp(core.ErrShape, "Diff", []core.ShapedArray{v.Aval()}, "axis %d of %v is empty; use an axis with elements", ax, v.Aval().Full())
	}
	hi, lo := prim.SliceAxis(v, ax, 1, n, 1), prim.SliceAxis(v, ax, 0, n-1, 1)
	if IsBool(v) {
		return prim.Ne(hi, lo)
	}
	return prim.Sub(hi, lo)
}

// Unstack returns the slices of x along an axis, without that axis.
func Unstack(x core.Value, axis int) []core.Value {
	v := ValueOf("Unstack", x)
	ax := Axis("Unstack", v.Aval(), axis)
	n := pieces("Unstack", v, v.Aval().Shape.At(ax))
	if n == 0 {
		return nil
	}
	// One operation: its cotangents are joined by one concatenation, while those of n slices would be added as
	// n arrays of x's size.
	out := prim.Split(v, ax, core.MakeDims(slices.Repeat([]int{1}, n)...))
	for i := range out {
		out[i] = prim.Squeeze(out[i], core.MakeDims(ax))
	}
	return out
}

// SplitEvenly cuts x along an axis into n parts of the same size.
func SplitEvenly(x core.Value, axis, n int) []core.Value {
	v := ValueOf("SplitEvenly", x)
	ax := Axis("SplitEvenly", v.Aval(), axis)
	size := v.Aval().Shape.At(ax)
	if n <= 0 || size%n != 0 {
		core.FailOp(core.ErrShape, "SplitEvenly", []core.ShapedArray{v.Aval()}, "axis %d of %v has %s, which %s do not share; use Split, which takes sizes", ax, v.Aval().Full(), core.Count(size, "element"), core.Count(n, "equal part"))
	}
	return Split(x, ax, slices.Repeat([]int{size / n}, pieces("SplitEvenly", v, n))...)
}

// pieces returns n, the number of arrays that v is cut into. It refuses more arrays than memory has room for: an
// array without elements may have axes of any size.
func pieces(op string, v core.Value, n int) int {
	const bytes = 256 // of an array without elements
	if why := runtime.TooLarge(core.Aval(core.Uint8, n, bytes)); why != "" {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{v.Aval()}, "%v cannot be split into %d arrays, which do not fit in memory; use fewer", v.Aval().Full(), n)
	}
	return n
}

// Take returns the elements of the flattened x at the given positions; with an axis, the slices of
// x along it. A negative position counts from the end. A position outside reads as NaN, as the
// least signed integer, as the largest unsigned integer, or as true.
func Take(x, indices core.Value, axis ...int) core.Value {
	v, _, _ := axisOrFlat("Take", x, axis)
	if d := ValueOf("Take", indices).Aval(); !d.DType.IsInteger() {
		core.FailOp(core.ErrDType, "Take", []core.ShapedArray{v.Aval(), d}, "the positions must be integers, got %v; convert them with AsType", d.Full())
	}
	at := make([]any, 0, 2)
	if len(axis) == 1 {
		for range Axis("Take", v.Aval(), axis[0]) {
			at = append(at, All)
		}
	}
	return At(v, append(at, indices)...).Mode(indexed.FillOrDrop).Get()
}

// TakeAlongAxis returns an array of the shape of indices. Each element is taken from x at the
// position that indices holds along axis, and at its own position along the other axes. Axes of
// size 1 are broadcast. Positions outside read as in Take.
func TakeAlongAxis(x, indices core.Value, axis int) core.Value {
	places := alongAxis("TakeAlongAxis", x, indices, axis)
	return At(x, places...).Mode(indexed.FillOrDrop).Get()
}

// PutAlongAxis returns x with v at the positions that TakeAlongAxis reads.
func PutAlongAxis(x, indices core.Value, v any, axis int) core.Value {
	return At(x, alongAxis("PutAlongAxis", x, indices, axis)...).Set(v)
}

// alongAxis returns the index of each element that indices names along an axis.
func alongAxis(op string, x, indices core.Value, axis int) []any {
	a, b := ValueOf(op, x).Aval(), ValueOf(op, indices).Aval()
	if a.Rank() != b.Rank() || a.Rank() == 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a, b}, "%v and its indices %v must have equally many axes, one or more; use Take for others", a.Full(), b.Full())
	}
	if !b.DType.IsInteger() {
		core.FailOp(core.ErrDType, op, []core.ShapedArray{a, b}, "the positions must be integers, got %v; convert them with AsType", b.Full())
	}
	ax := Axis(op, a, axis)
	shape := make([]int, a.Rank())
	for i := range shape {
		m, n := a.Shape.At(i), b.Shape.At(i)
		if shape[i] = n; i != ax {
			if m != n && m != 1 && n != 1 {
				core.FailOp(core.ErrShape, op, []core.ShapedArray{a, b}, "%v and its indices %v differ along axis %d; only axis %d may differ", a.Full(), b.Full(), i, ax)
			}
			shape[i] = max(m, n)
			if m == 0 || n == 0 {
				shape[i] = 0
			}
		}
	}
	places := make([]any, a.Rank())
	for i := range places {
		switch {
		case i == ax:
			places[i] = Spread(op, indices, core.MakeDims(shape...))
		case a.Shape.At(i) == 1:
			places[i] = ZerosOf(core.Int32, shape...)
		default:
			places[i] = prim.Iota(core.Int32, core.MakeDims(shape...), i)
		}
	}
	return places
}

// Meshgrid returns for each vector an array over the grid of all vectors. The first vector varies along the
// second axis of the result and the second vector along the first, as on paper; if matrix is set, the i-th
// vector varies along axis i.
func Meshgrid(matrix bool, xs ...core.Value) []core.Value {
	out := meshgrid(xs)
	if len(xs) > 1 && !matrix {
		for i := range out {
			out[i] = SwapAxes(out[i], 0, 1)
		}
	}
	return out
}

// meshgrid is Meshgrid with matrix set.
func meshgrid(xs []core.Value) []core.Value {
	shape := make([]int, len(xs))
	for i, x := range xs {
		a := ValueOf("Meshgrid", x).Aval()
		if a.Rank() != 1 {
			core.FailOp(core.ErrShape, "Meshgrid", []core.ShapedArray{a}, "argument %d is not a vector (got %v); reshape it to one axis", i, a.Full())
		}
		shape[i] = a.Size()
	}
	out := make([]core.Value, len(xs))
	for i, x := range xs {
		out[i] = prim.BroadcastInDim(x, core.MakeDims(shape...), core.MakeDims(i))
	}
	return out
}

// RepeatEach repeats the i-th slice of x along an axis counts[i] times.
func RepeatEach(x core.Value, counts []int, axis int) core.Value {
	v := ValueOf("RepeatEach", x)
	ax := Axis("RepeatEach", v.Aval(), axis)
	if len(counts) != v.Aval().Shape.At(ax) {
		core.FailOp(core.ErrShape, "RepeatEach", []core.ShapedArray{v.Aval()}, "got %s for the %s of %v along axis %d; give one for each", core.Count(len(counts), "count"), core.Count(v.Aval().Shape.At(ax), "part"), v.Aval().Full(), ax)
	}
	total := 0
	for _, n := range counts {
		if n < 0 {
			core.FailOp(core.ErrShape, "RepeatEach", nil, "invalid number of repetitions (got %d); use 0 or more, within memory", n)
		}
		if total += n; total < 0 {
			core.FailOp(core.ErrShape, "RepeatEach", nil, "the counts add up to more than %d; repeat fewer times", math.MaxInt)
		}
	}
	Room("RepeatEach", []int{total}, core.Int32) // positions on the axis
	shape := v.Aval().Shape.Ints()
	shape[ax] = total
	Room("RepeatEach", shape, v.Aval().DType)
	places := make([]int32, 0, total)
	for i, n := range counts {
		places = append(places, slices.Repeat([]int32{int32(i)}, n)...)
	}
	return Take(x, fromSlice(places), ax)
}

// BroadcastArrays returns all arrays broadcast to their common shape.
func BroadcastArrays(xs ...core.Value) []core.Value {
	avals := make([]core.ShapedArray, len(xs))
	for i, x := range xs {
		avals[i] = ValueOf("BroadcastArrays", x).Aval()
	}
	s := BroadcastShapes("BroadcastArrays", avals...)
	out := make([]core.Value, len(xs))
	for i, x := range xs {
		out[i] = Spread("BroadcastArrays", x, s)
	}
	return out
}

// Select returns for each position the first case whose condition holds there, or otherwise if none
// does.
func Select(conditions, cases []core.Value, otherwise any) core.Value {
	const op = "Select"
	if len(conditions) != len(cases) {
		core.FailOp(core.ErrShape, op, nil, "got %s and %s; give each condition a case", core.Count(len(conditions), "condition"), core.Count(len(cases), "case"))
	}
	y := Operand(op, otherwise)
	for i, c := range slices.Backward(conditions) {
		p, v := ValueOf(op, c), ValueOf(op, cases[i])
		v, w := PromotePair(op, v, y)
		vs := []core.Value{p, v, w}
		BroadcastShapes(op, core.AvalsOf(vs)...) // fails with an error that names op
		if Current().RaiseRanks {
			alignAllRanks(op, vs)
		}
		y = Choose(Truth(p), v, w)
	}
	return y
}

// UnravelIndex returns the positions, one array per axis, of the elements with the row-major
// numbers x in an array of shape s.
func UnravelIndex(x core.Value, s []int) []core.Value {
	if d := ValueOf("UnravelIndex", x).Aval(); !d.DType.IsInteger() {
		core.FailOp(core.ErrDType, "UnravelIndex", []core.ShapedArray{d}, "numbers must be integers (got %v); convert them", d.Full())
	}
	x = wideIndices("UnravelIndex", x)
	out := make([]core.Value, len(s))
	for i, n := range slices.Backward(s) {
		out[i], x = Mod(x, n), FloorDiv(x, n)
	}
	return out
}

// RavelIndex returns the row-major numbers of the elements at the given positions, one array per
// axis, in an array of shape s.
func RavelIndex(places []core.Value, s []int) core.Value {
	if len(places) != len(s) {
		core.FailOp(core.ErrShape, "RavelIndex", nil, "got %s for the %s of %v; give one an axis", core.Count(len(places), "place"), core.Count(len(s), "axis"), s)
	}
	x := Operand("RavelIndex", 0)
	for i, p := range places {
		v := ValueOf("RavelIndex", p)
		if d := v.Aval(); !d.DType.IsInteger() {
			core.FailOp(core.ErrDType, "RavelIndex", []core.ShapedArray{d}, "positions must be integers (got %v); convert them", d.Full())
		}
		x = Add(Mul(x, s[i]), wideIndices("RavelIndex", v))
	}
	return x
}
