package onnx

import (
	"cmp"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// indexing are operators on positions: gathers, scatters, selections and sorts, and running sums and products.
var indexing = map[string]operator{
	"GatherND": gatherND, "Scatter": scatterElements, "ScatterElements": scatterElements, "ScatterND": scatterND, "OneHot": oneHot, "Compress": compress, "TopK": topK, "Unique": unique, "TensorScatter": tensorScatter,
	"Gather": func(n *node) []weft.Array {
		x, i := n.x(0), n.x(1)
		axis := n.axis(n.int("axis", 0), x.Rank())
		return one(weft.Take(x, fromEnd(i, x.Dim(axis)), axis))
	},
	"GatherElements": func(n *node) []weft.Array {
		x, i := n.x(0), n.x(1)
		axis := n.axis(n.int("axis", 0), x.Rank())
		for a := range x.Rank() { // along other axes, only the extent of the indices is read
			if a != axis && i.Dim(a) < x.Dim(a) {
				x = lax.SliceInDim(x, 0, i.Dim(a), 1, a)
			}
		}
		return one(weft.TakeAlongAxis(x, fromEnd(i, x.Dim(axis)), axis))
	},
	"NonZero": func(n *node) []weft.Array {
		x := n.x(0)
		if !constant(x) {
			n.fail(core.ErrConcrete, "the shape of the result depends on the operand's values, which are not known while the model is traced; call the model without Jit")
		}
		if x.Rank() == 0 {
			x = x.Reshape(1)
		}
		return one(weft.Stack(0, weft.Nonzero(x)...).AsType(weft.Int64))
	},
	"CumSum":  cumulative(weft.Array.CumSum, 0),
	"CumProd": cumulative(weft.Array.CumProd, 1),
}

// fromEnd makes negative indices count from the end of an axis.
func fromEnd(i weft.Array, size int) weft.Array {
	if !i.DType().IsSigned() {
		return i
	}
	return weft.Where(i.Lt(0), i.Add(size), i)
}

// vectors makes negative components of index vectors, the last axis of i, count from the ends of the axes.
func vectors(i weft.Array, dims []int) weft.Array {
	return weft.Where(i.Lt(0), i.Add(longs(dims).AsType(i.DType())), i)
}

func gatherND(n *node) []weft.Array {
	x, i, b := n.x(0), n.x(1), n.int("batch_dims", 0)
	if i.Rank() == 0 || b >= i.Rank() || b > x.Rank() {
		n.fail(core.ErrShape, "indices %v and batch_dims %d do not fit %v; the first batch_dims axes of both must be equal", i.Shape(), b, x.Shape())
	}
	k := i.Dim(-1)
	if b+k > x.Rank() {
		n.fail(core.ErrShape, "indices have %d components, %v has %d axes behind its batch; shorten the last axis of the indices", k, x.Shape(), x.Rank()-b)
	}
	c := lax.GatherConfig{SliceSizes: slices.Clone([]int(x.Shape())), OperandBatchingDims: iotas(b), StartIndicesBatchingDims: iotas(b)}
	for a := range b + k {
		c.SliceSizes[a] = 1
		if a >= b {
			c.CollapsedSliceDims = append(c.CollapsedSliceDims, a)
			c.StartIndexMap = append(c.StartIndexMap, a)
		}
	}
	for a := range x.Rank() - b - k {
		c.OffsetDims = append(c.OffsetDims, i.Rank()-1+a)
	}
	return one(lax.Gather(x, vectors(i, x.Shape()[b:b+k]), c))
}

func (n *node) scatter(x, i, updates weft.Array, c lax.ScatterConfig) weft.Array {
	switch r := n.text("reduction", "none"); r {
	case "none":
		return lax.Scatter(x, i, updates, c)
	case "add":
		return lax.ScatterAdd(x, i, updates, c)
	case "mul":
		return lax.ScatterMul(x, i, updates, c)
	case "max":
		return lax.ScatterMax(x, i, updates, c)
	case "min":
		return lax.ScatterMin(x, i, updates, c)
	default:
		n.fail(core.ErrParse, "the reduction is %q, want none, add, mul, max or min; set the attribute", r)
		return x
	}
}

func scatterElements(n *node) []weft.Array {
	x, i, updates := n.x(0), n.x(1), n.x(2)
	axis := n.axis(n.int("axis", 0), x.Rank())
	i = fromEnd(i.AsType(weft.Int64), x.Dim(axis))
	parts := make([]weft.Array, x.Rank())
	for a := range parts {
		parts[a] = weft.Iota(weft.Int64, a, i.Shape()...)
	}
	parts[axis] = i
	return one(n.scatter(x, weft.Stack(-1, parts...), updates, lax.ScatterConfig{InsertedWindowDims: iotas(x.Rank()), ScatterDimsToOperandDims: iotas(x.Rank())}))
}

func scatterND(n *node) []weft.Array {
	x, i, updates := n.x(0), n.x(1), n.x(2)
	k := i.Dim(-1)
	if k > x.Rank() {
		n.fail(core.ErrShape, "indices have %d components, %v has %d axes; shorten the last axis of the indices", k, x.Shape(), x.Rank())
	}
	c := lax.ScatterConfig{InsertedWindowDims: iotas(k), ScatterDimsToOperandDims: iotas(k)}
	for a := range x.Rank() - k {
		c.UpdateWindowDims = append(c.UpdateWindowDims, i.Rank()-1+a)
	}
	return one(n.scatter(x, vectors(i, x.Shape()[:k]), updates, c))
}

// oneHot returns an array of two values: the second one where an index points, the first elsewhere.
func oneHot(n *node) []weft.Array {
	i, depth, values := n.x(0), n.knownOne(1), n.x(2)
	axis := n.axis(n.int("axis", -1), i.Rank()+1)
	places := fromEnd(i.AsType(weft.Int64), depth)
	dims := slices.Insert(slices.Clone([]int(i.Shape())), axis, depth)
	hot := weft.Iota(weft.Int64, axis, dims...).Eq(lax.ExpandDims(places, axis))
	return one(weft.Where(hot, values.Index(1), values.Index(0)))
}

// compress keeps the elements along an axis where a condition holds, whose values must be known.
func compress(n *node) []weft.Array {
	x, keep := n.x(0), n.known(1)
	axis := 0
	if n.Attrs["axis"] == nil {
		x = x.Ravel()
	} else {
		axis = n.axis(n.int("axis", 0), x.Rank())
	}
	var places []int
	for i, k := range keep {
		if k != 0 && i < x.Dim(axis) {
			places = append(places, i)
		}
	}
	return one(weft.Take(x, longs(places), axis))
}

// topK returns the greatest or least elements in order. Equal elements keep their order.
func topK(n *node) []weft.Array {
	x := n.x(0)
	k := n.int("k", 0)
	if n.version >= 10 {
		k = n.knownOne(1)
	}
	axis := n.axis(n.int("axis", -1), x.Rank())
	if k < 0 || k > x.Dim(axis) {
		n.fail(core.ErrShape, "k is %d, axis %d has %d elements; k must lie between 0 and their number", k, axis, x.Dim(axis))
	}
	key := x
	if n.int("largest", 1) != 0 {
		key = opposite(x)
	}
	sorted := lax.SortBy(axis, 1, true, key, x, weft.Iota(weft.Int64, axis, x.Shape()...))
	return []weft.Array{lax.SliceInDim(sorted[1], 0, k, 1, axis), lax.SliceInDim(sorted[2], 0, k, 1, axis)}
}

// opposite returns numbers whose order is the reverse of that of x.
func opposite(x weft.Array) weft.Array {
	if x.DType().IsInteger() || x.DType() == weft.Bool {
		return x.Not()
	}
	return x.Neg()
}

// unique returns the distinct elements, or slices along an axis, the position of the first occurrence of each, for every
// element its index among the distinct ones, and how often each occurs. Values must be known.
func unique(n *node) []weft.Array {
	x := n.x(0)
	if !constant(x) {
		n.fail(core.ErrConcrete, "the shape of the result depends on the operand's values, which are not known while the model is traced; call the model without Jit")
	}
	axis := -1
	if n.Attrs["axis"] == nil {
		x = x.Reshape(x.Size())
		axis = 0
	} else {
		axis = n.axis(n.int("axis", 0), x.Rank())
	}
	count := x.Dim(axis)
	equal, compare := slicesOf(x.MoveAxis(axis, 0).Ravel(), count)
	var first []int
	which := make([]int, count)
	var counts []int
	for i := range count {
		k := slices.IndexFunc(first, func(f int) bool { return equal(f, i) })
		if k < 0 {
			k = len(first)
			first, counts = append(first, i), append(counts, 0)
		}
		which[i] = k
		counts[k]++
	}
	order := iotas(len(first))
	if n.int("sorted", 1) != 0 {
		slices.SortStableFunc(order, func(a, b int) int { return compare(first[a], first[b]) })
	}
	place := make([]int, len(order))
	at, often := make([]int, len(order)), make([]int, len(order))
	for i, k := range order {
		place[k], at[i], often[i] = i, first[k], counts[k]
	}
	for i := range which {
		which[i] = place[which[i]]
	}
	return []weft.Array{weft.Take(x, longs(at), axis), longs(at), longs(which), longs(often)}
}

// slicesOf returns functions that compare two of the slices that the elements of x form; count is the number of
// slices. Integers of 64 bits compare exactly.
func slicesOf(x weft.Array, count int) (equal func(i, j int) bool, compare func(i, j int) int) {
	switch dt := x.DType(); {
	case dt.IsSigned():
		return rowsOf(weft.ToSlice[int64](x.AsType(weft.Int64)), count)
	case dt.IsUnsigned():
		return rowsOf(weft.ToSlice[uint64](x.AsType(weft.Uint64)), count)
	}
	return rowsOf(weft.ToSlice[float64](x.AsType(weft.Float64)), count)
}

func rowsOf[T cmp.Ordered](all []T, count int) (equal func(i, j int) bool, compare func(i, j int) int) {
	row := func(i int) []T {
		width := len(all) / count
		return all[i*width : (i+1)*width]
	}
	return func(i, j int) bool { return slices.Equal(row(i), row(j)) }, func(i, j int) int { return slices.Compare(row(i), row(j)) }
}

func cumulative(f func(weft.Array, ...int) weft.Array, identity int) operator {
	return func(n *node) []weft.Array {
		x := n.x(0)
		if !constant(n.x(1)) { // the result has the same shape for each axis
			at := fromEnd(n.x(1).Reshape(), x.Rank())
			branches := make([]func() weft.Array, x.Rank())
			for axis := range branches {
				branches[axis] = func() weft.Array { return n.running(f, x, axis, identity) }
			}
			return one(weft.Switch(at.AsType(weft.Int32), branches...))
		}
		return one(n.running(f, x, n.axis(n.knownOne(1), x.Rank()), identity))
	}
}

// running accumulates along an axis, in reverse and without each element itself if the node asks for that.
func (n *node) running(f func(weft.Array, ...int) weft.Array, x weft.Array, axis, identity int) weft.Array {
	back := n.int("reverse", 0) != 0
	if back {
		x = weft.Flip(x, axis)
	}
	y := f(x, axis).AsType(x.DType())
	if n.int("exclusive", 0) != 0 && x.Dim(axis) > 0 {
		widths := make([][3]int, x.Rank())
		widths[axis] = [3]int{1, -1, 0}
		y = lax.Pad(y, weft.Scalar(identity).AsType(x.DType()), widths...)
	}
	if back {
		y = weft.Flip(y, axis)
	}
	return y
}

// tensorScatter writes updates along an axis, beginning at an index of its own for each element of
// the batch.
func tensorScatter(n *node) []weft.Array {
	x, updates := n.x(0), n.x(1)
	axis := n.axis(n.int("axis", -2), x.Rank())
	start := weft.ZerosOf(weft.Int64, x.Dim(0))
	if n.has(2) {
		start = n.x(2).AsType(weft.Int64)
	}
	dims := repeated(1, x.Rank())
	dims[0] = x.Dim(0)
	places := weft.Iota(weft.Int64, axis, updates.Shape()...).Add(start.Reshape(dims...))
	if n.text("mode", "linear") == "circular" {
		places = places.Mod(x.Dim(axis))
	}
	parts := make([]weft.Array, x.Rank())
	for a := range parts {
		parts[a] = weft.Iota(weft.Int64, a, updates.Shape()...)
	}
	parts[axis] = places
	return one(lax.Scatter(x, weft.Stack(-1, parts...), updates, lax.ScatterConfig{InsertedWindowDims: iotas(x.Rank()), ScatterDimsToOperandDims: iotas(x.Rank())}))
}
