package indexed

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// DynamicSliceP takes a part of fixed size from the position that index operands give. Operands
// are the array, then one integer scalar per axis.
//
//	y[j₀, j₁, …] = x[s₀+j₀, s₁+j₁, …], sᵢ = clamp(0, startᵢ, sizeᵢ(x) − Sizes[i])
//
// A start that would make the part reach out of the array is moved until it does
// not; negative ones count as negative numbers, not from the end.
type DynamicSliceP struct{ Sizes core.Dims }

// DynamicSlice takes a part of the given sizes from x.
func DynamicSlice(x core.Value, start []core.Value, sizes core.Dims) core.Value {
	return core.Bind1(DynamicSliceP{sizes}, append([]core.Value{x}, start...)...)
}

func (DynamicSliceP) Name() string { return "dynamic_slice" }

func (DynamicSliceP) read(r *jaxpr.ParamReader) core.Primitive {
	return DynamicSliceP{r.Dims("slice_sizes")}
}

func (p DynamicSliceP) Params() []core.Param { return []core.Param{rule.Param("slice_sizes", p.Sizes)} }

// starts checks the index operands of an array of type x.
func starts(x core.ShapedArray, start []core.ShapedArray) {
	if len(start) != x.Rank() {
		core.Failf(core.ErrIndex, "%v needs %d start indices (got %d); pass one for each axis", x.Full(), x.Rank(), len(start))
	}
	for _, s := range start {
		if s.Rank() != 0 || !s.DType.IsInteger() || s.DType != start[0].DType {
			core.Failf(core.ErrIndex, "start indices must be integer scalars of one dtype (got %v and %v); convert them", start[0].Full(), s.Full())
		}
	}
}

func (p DynamicSliceP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	if len(in) == 0 {
		rule.Operands(in, 1)
	}
	x := in[0]
	if p.Sizes.Len() != x.Rank() {
		core.Failf(core.ErrIndex, "%v needs %d slice sizes (got %v); pass one for each axis", x.Full(), x.Rank(), p.Sizes)
	}
	for i, n := range p.Sizes.All() {
		if n < 0 || n > x.Shape.At(i) {
			core.Failf(core.ErrIndex, "slice sizes %v must lie between 0 and the sizes of %v; take fewer elements", p.Sizes, x.Full())
		}
	}
	starts(x, in[1:])
	return []core.ShapedArray{x.WithShape(p.Sizes)}
}

func (p DynamicSliceP) JVP(in, _, t []core.Value) []core.Value { return rule.LinearFirst(p, in, t) }

// Transpose puts the cotangent back in its place among zeros.
func (p DynamicSliceP) Transpose(ct, in []core.Value, _ []bool, av []core.ShapedArray) []core.Value {
	out := make([]core.Value, len(av))
	out[0] = DynamicUpdateSlice(prim.Zeros(av[0]), ct[0], in[1:])
	return out
}

// Batch keeps the batch's axis in front. If starts differ within the batch it is a
// gather that clamps.
func (p DynamicSliceP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	if anyOf(mapped[1:]) {
		rank := p.Sizes.Len()
		g := GatherP{OffsetDims: core.Range(0, rank), StartIndexMap: core.Range(0, rank),
			SliceSizes: p.Sizes, Mode: Clip, Sorted: true, Unique: true}
		idx := indexVector(n, in[1:], mapped[1:])
		return g.Batch(n, []core.Value{in[0], idx}, []bool{mapped[0], true})
	}
	start := append([]core.Value{zeroStart(in[1:])}, in[1:]...)
	return []core.Value{DynamicSlice(in[0], start, p.Sizes.Prepend(n))}, []bool{true}
}

func anyOf(b []bool) bool {
	for _, x := range b {
		if x {
			return true
		}
	}
	return false
}

// zeroStart returns the index 0 in the dtype of the other indices, weak if they are.
func zeroStart(others []core.Value) core.Value {
	dt := core.Int32
	if len(others) > 0 {
		dt = others[0].Aval().DType
	}
	return core.Literal{Num: core.IntNumber(0), Type: dt, Weak: rule.AllWeak(core.AvalsOf(others))}
}

// indexVector puts scalar indices, some with the batch's axis, side by side:
// the result has shape (n, number of indices).
func indexVector(n int, idx []core.Value, mapped []bool) core.Value {
	cols := make([]core.Value, len(idx))
	for i, v := range idx {
		var dims core.Dims
		if mapped[i] {
			dims = core.MakeDims(0)
		}
		cols[i] = prim.BroadcastInDim(v, core.MakeDims(n, 1), dims)
	}
	return prim.Concatenate(1, cols...)
}

// DynamicUpdateSliceP writes an array into another at the position that index operands give.
// Operands are the array, the update, then one integer scalar per axis. Starts are clamped as in
// dynamic_slice.
type DynamicUpdateSliceP struct{}

// DynamicUpdateSlice returns x with update written at start.
func DynamicUpdateSlice(x, update core.Value, start []core.Value) core.Value {
	return core.Bind1(DynamicUpdateSliceP{}, append([]core.Value{x, update}, start...)...)
}

func (DynamicUpdateSliceP) Name() string { return "dynamic_update_slice" }

func (DynamicUpdateSliceP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	if len(in) < 2 {
		rule.Operands(in, 2)
	}
	x, u := in[0], in[1]
	rule.SameDType(x, u)
	if u.Rank() != x.Rank() {
		core.Failf(core.ErrShape, "the update %v must have the rank of %v; reshape it", u.Full(), x.Full())
	}
	for i, n := range u.Shape.All() {
		if n > x.Shape.At(i) {
			core.Failf(core.ErrShape, "the update %v does not fit into %v; cut it with a slice", u.Full(), x.Full())
		}
	}
	starts(x, in[2:])
	return []core.ShapedArray{{Shape: x.Shape, DType: x.DType, Weak: rule.AllWeak(in)}}
}

// JVP writes the update's tangent into the array's.
func (p DynamicUpdateSliceP) JVP(in, _, t []core.Value) []core.Value {
	if t[0] == nil && t[1] == nil {
		return make([]core.Value, 1)
	}
	tt := prim.OrZeros(t[:2], core.AvalsOf(in[:2]))
	return rule.One(DynamicUpdateSlice(tt[0], tt[1], in[2:]))
}

// Transpose passes the update the part of the cotangent at its position, and the array the
// cotangent with zeros there.
func (p DynamicUpdateSliceP) Transpose(ct, in []core.Value, lin []bool, av []core.ShapedArray) []core.Value {
	out := make([]core.Value, len(av))
	if lin[0] {
		out[0] = DynamicUpdateSlice(ct[0], prim.Zeros(av[1]), in[2:])
	}
	if lin[1] {
		out[1] = DynamicSlice(ct[0], in[2:], av[1].Shape)
	}
	return out
}

// Batch keeps the batch's axis in front. If starts differ within the batch it is a
// scatter that clamps.
func (p DynamicUpdateSliceP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	x, u := prim.AtFront(n, in[0], mapped[0]), prim.AtFront(n, in[1], mapped[1])
	if anyOf(mapped[2:]) {
		// The result of a scatter is weak if x is, that of dynamic_update_slice only if all
		// operands are.
		a := x.Aval()
		x = prim.Convert(x, a.DType, a.Weak && rule.AllWeak(core.AvalsOf(in)))
		rank := a.Rank() - 1
		s := Scattering{UpdateWindowDims: core.Range(0, rank), ScatterDimsToOperandDims: core.Range(0, rank),
			Mode: Clip, Sorted: true, Unique: true}.By(CombineSet, core.Invalid)
		idx := indexVector(n, in[2:], mapped[2:])
		return s.Batch(n, []core.Value{x, idx, u}, []bool{true, true, true})
	}
	start := append([]core.Value{zeroStart(in[2:])}, in[2:]...)
	return []core.Value{DynamicUpdateSlice(x, u, start)}, []bool{true}
}
