package nd

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Dot contracts the last axis of x with the last but one of y, or with the only axis of a vector: the inner
// product of vectors, the product of matrices. The result has the other axes of x, then the other axes of y. A
// scalar multiplies the other operand.
func Dot(x core.Value, y core.Value) core.Value { return dot(ValueOf("Dot", x), ValueOf("Dot", y)) }

func dot(x, y core.Value) core.Value {
	x, y = PromotePair("Dot", x, y)
	a, b := x.Aval(), y.Aval()
	if a.Rank() == 0 || b.Rank() == 0 {
		return times(x, y)
	}
	k := max(b.Rank()-2, 0)
	contracts("Dot", a, b, a.Rank()-1, k)
	return product(x, y, prim.DotGeneralP{LhsContract: core.MakeDims(a.Rank() - 1), RhsContract: core.MakeDims(k)})
}

func times(x, y core.Value) core.Value {
	if IsBool(x) {
		return prim.And(x, y)
	}
	return prim.Mul(x, y)
}

func contracts(op string, a, b core.ShapedArray, i, j int) {
	if a.Shape.At(i) != b.Shape.At(j) {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a, b}, "cannot contract %v with %v: axis %d of the first has %s, axis %d of the second %d; transpose or reshape one so that they agree",
			a.Full(), b.Full(), i, core.Count(a.Shape.At(i), "element"), j, b.Shape.At(j))
	}
}

// product returns a dot whose result has the operands' type.
func product(x, y core.Value, p prim.DotGeneralP) core.Value {
	p.Preferred = x.Aval().DType
	return prim.DotGeneral(x, y, p)
}

// MatMul returns the product of matrices, which are the last two axes; the axes before them are
// batch axes and broadcast. A vector counts as one row on the left and one column on the right.
func MatMul(x core.Value, y core.Value) core.Value {
	return matmul(ValueOf("MatMul", x), ValueOf("MatMul", y))
}

func matmul(x, y core.Value) core.Value {
	x, y = PromotePair("MatMul", x, y)
	a, b := x.Aval(), y.Aval()
	if a.Rank() == 0 || b.Rank() == 0 {
		core.FailOp(core.ErrShape, "MatMul", []core.ShapedArray{a, b}, "a scalar is no matrix, got %v and %v; use Mul", a.Full(), b.Full())
	}
	rhs := max(b.Rank()-2, 0)
	contracts("MatMul", a, b, a.Rank()-1, rhs)
	// The batch axes are aligned at their ends and broadcast.
	na, nb := max(a.Rank()-2, 0), max(b.Rank()-2, 0)
	requireBatches(a, b, na, nb)
	batch := BroadcastShapes("MatMul", a.WithShape(a.Shape.Slice(0, na)), b.WithShape(b.Shape.Slice(0, nb)))
	n := batch.Len()
	var lb, rb, dropA, dropB []int // batch axes of both operands; axes of size 1 that are dropped
	var both, onlyA, onlyB []int   // where the batch axes of the result come from
	ka, kb := 0, 0
	for i := range n {
		ia, ib := i-(n-na), i-(n-nb)
		hasA, hasB := ia >= 0 && a.Shape.At(ia) != 1, ib >= 0 && b.Shape.At(ib) != 1
		if ia >= 0 && !hasA && (hasB || ib < 0 || ib >= 0) && !(batch.At(i) == 1 && ib < 0) {
			dropA = append(dropA, ia)
		}
		if ib >= 0 && !hasB && !(batch.At(i) == 1 && ia < 0) {
			dropB = append(dropB, ib)
		}
		keepA, keepB := ia >= 0 && !slices.Contains(dropA, ia), ib >= 0 && !slices.Contains(dropB, ib)
		switch {
		case keepA && keepB:
			lb, rb = append(lb, ka), append(rb, kb)
			both = append(both, i)
		case keepA:
			onlyA = append(onlyA, i)
		case keepB:
			onlyB = append(onlyB, i)
		}
		if keepA {
			ka++
		}
		if keepB {
			kb++
		}
	}
	x, y = prim.Squeeze(x, core.MakeDims(dropA...)), prim.Squeeze(y, core.MakeDims(dropB...))
	ca, cb := x.Aval().Rank()-1, max(y.Aval().Rank()-2, 0)
	if b.Rank() == 1 {
		cb = 0
	}
	z := product(x, y, prim.DotGeneralP{
		LhsContract: core.MakeDims(ca), RhsContract: core.MakeDims(cb),
		LhsBatch: core.MakeDims(lb...), RhsBatch: core.MakeDims(rb...),
	})
	// z has the axes: both, onlyA, row of x, onlyB, column of y.
	rowA, colB := a.Rank() > 1, b.Rank() > 1
	order := slices.Concat(both, onlyA)
	if rowA {
		order = append(order, n)
	}
	order = append(order, onlyB...)
	if colB {
		order = append(order, n+1)
	}
	sorted := slices.Clone(order)
	slices.Sort(sorted)
	perm := make([]int, len(order))
	for i, ax := range sorted {
		perm[i] = slices.Index(order, ax)
	}
	z = Permute(z, perm)
	var missing []int
	for i := range n {
		if !slices.Contains(order, i) {
			missing = append(missing, i)
		}
	}
	if len(missing) > 0 {
		z = prim.ExpandDims(z, core.MakeDims(missing...))
	}
	return z
}

// requireBatches refuses batches of matrices that do not broadcast: the first na axes of a
// and nb of b.
func requireBatches(a, b core.ShapedArray, na, nb int) {
	for i := 1; i <= min(na, nb); i++ {
		if m, n := a.Shape.At(na-i), b.Shape.At(nb-i); m != n && m != 1 && n != 1 {
			core.FailOp(core.ErrShape, "MatMul", []core.ShapedArray{a, b}, "the batches of %v and %v differ: axis %d of the first has %s, axis %d of the second %d; make them equal, or one of them 1",
				a.Full(), b.Full(), na-i, core.Count(m, "element"), nb-i, n)
		}
	}
}

// Outer returns the products of all pairs of elements of x and y.
func Outer(x, y core.Value) core.Value {
	v, w := ValueOf("Outer", x), ValueOf("Outer", y)
	a, b := v.Aval(), w.Aval()
	requireFits("Outer", a.WithShape(core.MakeDims(a.Size(), b.Size())), v, w)
	return Mul(ExpandDims(Ravel(x), 1), ExpandDims(Ravel(y), 0))
}
