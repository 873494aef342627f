package indexed

import (
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// SortP sorts along an axis, in increasing order. Operands are arrays of one shape, all permuted
// alike. The first NumKeys are compared; each decides only where those before it are equal.
//
// The order of floats is −inf < … < −0 = +0 < … < +inf < NaN, all NaNs equal;
// complex numbers are compared by real part, then imaginary part; false < true.
// Equal elements stay in order, whether or not Stable is set.
type SortP struct {
	Dimension, NumKeys int
	Stable             bool
}

// Sort sorts arrays of one shape along an axis by the first numKeys of them.
func Sort(dimension, numKeys int, stable bool, xs ...core.Value) []core.Value {
	return core.Bind(SortP{dimension, numKeys, stable}, xs...)
}

func (SortP) Name() string { return "sort" }

func (SortP) read(r *jaxpr.ParamReader) core.Primitive {
	return SortP{r.Int("dimension"), r.Int("num_keys"), r.Bool("is_stable")}
}

func (p SortP) Params() []core.Param {
	return []core.Param{rule.Param("dimension", strconv.Itoa(p.Dimension)), rule.Param("is_stable", rule.PyBool(p.Stable)), rule.Param("num_keys", strconv.Itoa(p.NumKeys))}
}

func (p SortP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	if p.NumKeys < 1 || p.NumKeys > len(in) {
		core.Failf(core.ErrShape, "cannot sort %s by the first %d; use at least one key and at most as many as arrays", core.Count(len(in), "array"), p.NumKeys)
	}
	for i, a := range in {
		if a.Shape != in[0].Shape {
			core.Failf(core.ErrShape, "arrays must have equal shapes (got %v and %v); broadcast them", in[0].Full(), a.Full())
		}
		if i < p.NumKeys && !isOrdered(a.DType) {
			core.Failf(core.ErrDType, "%v has no order; sort a real part, an absolute value or the data of keys", a.Full())
		}
	}
	if p.Dimension < 0 || p.Dimension >= in[0].Rank() {
		core.Failf(core.ErrShape, "axis %d is out of range for %v; use an axis from 0 to the rank - 1", p.Dimension, in[0].Full())
	}
	return append([]core.ShapedArray(nil), in...)
}

// JVP permutes the tangents as the operands were. It finds the permutation by sorting the positions
// together with the keys.
func (p SortP) JVP(in, _, t []core.Value) []core.Value {
	out := make([]core.Value, len(in))
	if rule.AllNil(t) {
		return out
	}
	shape := in[0].Aval().Shape
	keys := append([]core.Value(nil), in[:p.NumKeys]...)
	idx := Sort(p.Dimension, p.NumKeys, p.Stable, append(keys, prim.Iota(indexType(shape), shape, p.Dimension))...)[p.NumKeys]
	for i := range out {
		if t[i] != nil {
			out[i] = TakeAlong(t[i], idx, p.Dimension)
		}
	}
	return out
}

// indexType returns a dtype that holds every position along every axis of the given shape.
func indexType(shape core.Dims) core.DType {
	for _, n := range shape.All() {
		if int64(n) >= 1<<31 {
			return core.Int64
		}
	}
	return core.Int32
}

// TakeAlong reads x along one axis at the positions idx, which has x's shape but for that axis:
// y[…, j, …] = x[…, idx[…, j, …], …]. idx must have no position twice along the axis.
func TakeAlong(x, idx core.Value, axis int) core.Value {
	s := x.Aval().Shape
	n := s.Len()
	others := core.Range(0, n).Remove(axis)
	return Gather(x, prim.ExpandDims(idx, core.MakeDims(n)), GatherP{
		CollapsedSliceDims:       core.MakeDims(axis),
		StartIndexMap:            core.MakeDims(axis),
		OperandBatchingDims:      others,
		StartIndicesBatchingDims: others,
		SliceSizes:               s.Map(func(k int) int { return min(k, 1) }),
		Unique:                   true,
	})
}

func (p SortP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	return rule.Bound(SortP{p.Dimension + 1, p.NumKeys, p.Stable}, prim.AllAtFront(n, in, mapped)...)
}

// TopKP takes the K largest elements along an axis, in decreasing order, and
// their positions, an i32 array. The order of floats is IEEE 754's total order, as
// in XLA: NaN is largest, a NaN with a sign smallest, and −0 < +0. Of equal
// elements the first comes first.
type TopKP struct{ Axis, K int }

// TopK returns the k largest elements of x along an axis, and their positions.
func TopK(x core.Value, k, axis int) (values, indices core.Value) {
	out := core.Bind(TopKP{axis, k}, x)
	return out[0], out[1]
}

func (TopKP) Name() string { return "top_k" }

func (TopKP) read(r *jaxpr.ParamReader) core.Primitive {
	if len(r.In) == 1 && !r.Has("axis") { // before JAX 0.8, always the last one
		return TopKP{r.In[0].Rank() - 1, r.Int("k")}
	}
	return TopKP{r.Int("axis"), r.Int("k")}
}

func (p TopKP) Params() []core.Param {
	return []core.Param{rule.Param("axis", strconv.Itoa(p.Axis)), rule.Param("k", strconv.Itoa(p.K))}
}

func (p TopKP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	x := in[0]
	if !isOrdered(x.DType) || x.DType.IsComplex() {
		core.Failf(core.ErrDType, "%v has no order; use a real part, an absolute value or the data of keys", x.Full())
	}
	if p.Axis < 0 || p.Axis >= x.Rank() {
		core.Failf(core.ErrShape, "axis %d is out of range for %v; use an axis from 0 to the rank - 1", p.Axis, x.Full())
	}
	if n := x.Shape.At(p.Axis); p.K < 0 || p.K > n {
		core.Failf(core.ErrShape, "cannot take %s along axis %d of %v; take at most its size", core.Count(p.K, "element"), p.Axis, x.Full())
	}
	s := x.Shape.Ints()
	s[p.Axis] = p.K
	y := x.WithShape(core.MakeDims(s...))
	return []core.ShapedArray{y, y.WithDType(core.Int32)}
}

// JVP takes the tangent at the same positions.
func (p TopKP) JVP(_, out, t []core.Value) []core.Value {
	if t[0] == nil {
		return make([]core.Value, 2)
	}
	return []core.Value{TakeAlong(t[0], out[1], p.Axis), nil}
}

func (p TopKP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(TopKP{p.Axis + 1, p.K}, in[0])
}

func isOrdered(dt core.DType) bool { return dt.IsNumber() || dt.IsBool() }
