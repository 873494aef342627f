package random

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// Permutation returns the numbers from 0 to n−1 in random order, or an Array shuffled along its
// first axis.
func Permutation[A weft.Operand](k Key, a A) weft.Array {
	return PermutationAlong(k, a, PermutationConfig{})
}

// PermutationConfig configures [PermutationAlong]. Its zero value does what [Permutation] does.
type PermutationConfig struct {
	Axis        int  // the axis that is shuffled
	Independent bool // every line along the axis has an order of its own
}

// PermutationAlong is [Permutation] with options.
func PermutationAlong[A weft.Operand](k Key, a A, c PermutationConfig) weft.Array {
	const op = "Permutation"
	x, axis := population(op, a, c.Axis)
	return permute(k.single(op), x, axis, c.Independent)
}

// population returns what is drawn from: the numbers below a Go integer, or an Array along
// an axis.
func population(op string, a any, axis int) (weft.Array, int) {
	x, ok := isArray(a)
	if !ok {
		n, ok := integer(a)
		if !ok || n.Sign() < 0 || !n.IsInt64() {
			core.FailOp(core.ErrDType, op, nil, "takes how many numbers there are, as an integer that is not negative, or an Array; got %v", a)
		}
		if axis != 0 && axis != -1 {
			core.FailOp(core.ErrIndex, op, nil, "numbers have one axis, there is no axis %d; leave Axis out", axis)
		}
		return lax.Iota(defaultInt(), int(n.Int64())), 0
	}
	present(op, x)
	r := x.Rank()
	if r == 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{x.Value().Aval()}, "an Array of one number has no axis; give how many numbers there are as a Go int")
	}
	if axis < -r || axis >= r {
		core.FailOp(core.ErrIndex, op, []core.ShapedArray{x.Value().Aval()}, "there is no axis %d in %v; count from 0, or from the end with negative numbers", axis, x.Value().Aval().Full())
	}
	if axis < 0 {
		axis += r
	}
	return x, axis
}

func permute(key, x weft.Array, axis int, independent bool) weft.Array {
	if independent || x.Rank() == 1 {
		return shuffle(key, x, axis)
	}
	return take(x, shuffle(key, lax.Iota(defaultInt(), x.Dim(axis)), 0), axis)
}

// shuffle sorts by random bits, so often that ties in all rounds are unlikely: for n elements
// 3·ln n / ln (2³²−1) times, rounded up.
func shuffle(key, x weft.Array, axis int) weft.Array {
	rounds := int(math.Ceil(3 * math.Log(math.Max(1, float64(x.Size()))) / math.Log(math.MaxUint32)))
	for range rounds {
		next, sub := pair(key)
		_, x = lax.SortKeyVal(lax.RandomBits(sub, 32, x.Shape()...), x, axis)
		key = next
	}
	return x
}

// take returns the parts of x at the given indices along an axis. All indices are in range.
func take(x, indices weft.Array, axis int) weft.Array {
	at := make([]any, axis+1)
	for i := range axis {
		at[i] = weft.All
	}
	at[axis] = indices
	return x.Index(at...)
}

// Choice returns elements drawn from the numbers below a Go integer, or from an Array along its
// first axis, each with the same probability. An element may be drawn more than once.
func Choice[A weft.Operand](k Key, a A, dims ...int) weft.Array {
	return ChoiceFrom(k, a, ChoiceConfig{Shape: dims})
}

// ChoiceConfig configures [ChoiceFrom]. Its zero value draws one element as [Choice] does.
type ChoiceConfig struct {
	Shape  []int      // of the elements drawn; nil: one element
	Unique bool       // no element comes twice
	P      weft.Array // the elements' probabilities; the zero Array: all the same
	Axis   int        // the axis that is drawn from
}

// ChoiceFrom is [Choice] with options.
func ChoiceFrom[A weft.Operand](k Key, a A, c ChoiceConfig) weft.Array {
	const op = "Choice"
	shapeOf(op, c.Shape)
	x, axis := population(op, a, c.Axis)
	n, draws := x.Dim(axis), weft.Shape(c.Shape).Size()
	all := x.Shape()
	out := append(append(append([]int(nil), all[:axis]...), c.Shape...), all[axis+1:]...)
	key := k.single(op)
	switch {
	case draws == 0:
		return lax.Full(out, 0, x.DType())
	case n == 0:
		core.FailOp(core.ErrShape, op, nil, "there is nothing to draw from; the axis has size 0")
	case c.Unique && draws > n:
		core.FailOp(core.ErrShape, op, nil, "cannot draw %d different elements from %d; leave Unique out, or draw fewer", draws, n)
	}
	var at weft.Array
	switch {
	case c.P.IsZero() && c.Unique:
		if all := permute(key, x, axis, false); draws < n {
			x = lax.SliceInDim(all, 0, draws, 1, axis)
		} else {
			x = all
		}
		return x.Reshape(out...)
	case c.P.IsZero():
		hi := endpoint{low: whole(defaultInt(), mustInt(n))}
		at = integers(key, defaultInt(), lax.ConvertElementType(0, defaultInt()), hi, c.Shape)
	default:
		dt := floatOf(op, c.P)
		formatOf(op, dt)
		p := param(op, dt, c.P)
		if p.Rank() != 1 || p.Dim(0) != n {
			core.FailOp(core.ErrShape, op, []core.ShapedArray{p.Value().Aval()}, "the probabilities have the shape %v; there must be %d, one for each element", p.Shape(), n)
		}
		if c.Unique {
			_, at = lax.TopK(lax.Add(gumbel(key, dt, []int{n}), lax.Log(p)), draws, 0)
		} else {
			sums := lax.Cumsum(p, 0, false)
			u := lax.Sub(num(dt, 1), unit(key, dt, c.Shape))
			at = search(sums, lax.Mul(lax.IndexInDim(sums, n-1, 0, false), u))
		}
		at = lax.ConvertElementType(at, defaultInt())
	}
	return take(x, at, axis).Reshape(out...)
}

// search returns for each number of x the position of the first of the sorted numbers that is not
// below it, or the last position if there is none.
func search(sorted, x weft.Array) weft.Array {
	n := sorted.Dim(0)
	flat := x.Reshape(-1, 1)
	below := lax.Lt(lax.BroadcastInDim(sorted, []int{x.Size(), n}, []int{1}), flat.BroadcastTo(x.Size(), n))
	count := lax.ReduceSum(lax.ConvertElementType(below, defaultInt()), 1)
	last := lax.ConvertElementType(n-1, defaultInt())
	return lax.Min(count, last).Reshape(x.Shape()...)
}

// Categorical returns indices along the last axis of logits, each drawn with the
// probability that Softmax assigns to it. The sizes, if any, must end in those of the other
// axes.
func Categorical(k Key, logits weft.Array, dims ...int) weft.Array {
	return CategoricalAlong(k, logits, -1, dims...)
}

// CategoricalAlong is [Categorical] along another axis of logits.
func CategoricalAlong(k Key, logits weft.Array, axis int, dims ...int) weft.Array {
	const op = "Categorical"
	x, axis := categories(op, logits, axis)
	own := x.Shape()
	batch := append(append(weft.Shape(nil), own[:axis]...), own[axis+1:]...)
	shape := shapeOf(op, dims, batch)
	front := len(shape) - len(batch)
	full := append(append([]int(nil), shape[:front+axis]...), own[axis])
	full = append(full, shape[front+axis:]...)
	y := lax.Add(gumbel(k.single(op), x.DType(), full), x.BroadcastTo(full...))
	return lax.Argmax(y, front+axis, defaultInt())
}

// CategoricalUnique returns n different indices along the last axis of logits, along a new first
// axis: each is drawn from the indices that are left.
func CategoricalUnique(k Key, logits weft.Array, n int) weft.Array {
	const op = "CategoricalUnique"
	x, _ := categories(op, logits, -1)
	if n < 0 || n > x.Dim(-1) {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{x.Value().Aval()}, "cannot draw %d different indices out of %d; draw fewer", n, x.Dim(-1))
	}
	y := lax.Add(gumbel(k.single(op), x.DType(), x.Shape()), x)
	_, at := lax.TopK(y, n, x.Rank()-1)
	return lax.ConvertElementType(at, defaultInt()).MoveAxis(-1, 0)
}

// categories returns logits as floats, and their axis counted from the front.
func categories(op string, logits weft.Array, axis int) (weft.Array, int) {
	present(op, logits)
	a := logits.Value().Aval()
	r := a.Rank()
	if axis < -r || axis >= r {
		core.FailOp(core.ErrIndex, op, []core.ShapedArray{a}, "there is no axis %d of categories in %v; count from 0, or from the end with negative numbers", axis, a.Full())
	}
	axis = (axis + r) % r
	if logits.Dim(axis) == 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "there is no category to draw; axis %d of %v has size 0", axis, a.Full())
	}
	dt := floatOf(op, logits)
	formatOf(op, dt)
	return param(op, dt, logits), axis
}
