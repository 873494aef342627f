package stablehlo

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
)

var indexOps map[string]operation

func indexTable() {
	indexOps = map[string]operation{
		"stablehlo.gather":             gatherOp,
		"stablehlo.scatter":            scatterOp,
		"stablehlo.torch_index_select": indexSelectOp,
	}
}

// indices moves the axis of an index array along which the index vectors lie to the end. If vector is the array's rank,
// there is no such axis: each index is a vector of one element. The second result is axes, renumbered for the first result.
func (f *frame) indices(idx core.Value, vector int, axes []int) (core.Value, []int) {
	a := idx.Aval()
	n := a.Rank()
	if vector < 0 || vector > n {
		f.invalid(core.ErrShape, "index_vector_dim is %d, the indices are %s", vector, typeText(a))
	}
	moved := make([]int, len(axes))
	for i, d := range axes {
		if moved[i] = d; d > vector {
			moved[i]--
		}
	}
	if vector == n {
		return prim.ExpandDims(idx, dims([]int{n})), moved
	}
	perm := core.Range(0, n).Remove(vector).Append(vector)
	return prim.Transpose(idx, perm), moved
}

// gatherOp takes windows whose starts are clamped into the operand.
func gatherOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 2)
	return []core.Value{f.gather(o, in[0], in[1], f.ints(o, "slice_sizes"))}
}

func (f *frame) gather(o *op, x, idx core.Value, sizes []int) core.Value {
	d := f.dict(o, "dimension_numbers")
	if d == nil {
		f.missing("dimension_numbers")
	}
	idx, batching := f.indices(idx, d.int("index_vector_dim", 0), d.ints(f.translator, "start_indices_batching_dims"))
	p := indexed.GatherP{
		OffsetDims:               dims(d.ints(f.translator, "offset_dims")),
		CollapsedSliceDims:       dims(d.ints(f.translator, "collapsed_slice_dims")),
		StartIndexMap:            dims(d.ints(f.translator, "start_index_map")),
		OperandBatchingDims:      dims(d.ints(f.translator, "operand_batching_dims")),
		StartIndicesBatchingDims: dims(batching),
		SliceSizes:               dims(sizes),
		Mode:                     indexed.Clip,
		Sorted:                   f.boolOr(o, "indices_are_sorted", false),
	}
	return indexed.Gather(x, idx, p)
}

// scatterOp combines elements with updates in row-major order of the updates. A window that reaches out of the array is
// left out as a whole.
func scatterOp(f *frame, o *op, in []core.Value) []core.Value {
	f.arrays(in)
	f.regionCount(o, 1)
	k := len(in) / 2
	if len(in) != 2*k+1 || len(o.types) != k || k == 0 {
		f.invalid(core.ErrCheck, "takes arrays, one array of indices, and as many updates, got %s", core.Count(len(in), "operand"))
	}
	d := f.dict(o, "scatter_dimension_numbers")
	if d == nil {
		f.missing("scatter_dimension_numbers")
	}
	xs, us := make([]core.Value, k), make([]core.Value, k)
	for i, t := range o.types {
		if t.kind != kindTensor || t.elem == core.Invalid {
			f.fail(core.ErrDType, "%s", unsupportedType(t))
		}
		xs[i], us[i] = convert(in[i], t.elem), convert(in[k+1+i], t.elem)
	}
	f.sameShapes(xs)
	f.sameShapes(us)
	idx, batching := f.indices(in[k], d.int("index_vector_dim", 0), d.ints(f.translator, "scatter_indices_batching_dims"))
	s := indexed.Scattering{
		UpdateWindowDims:           dims(d.ints(f.translator, "update_window_dims")),
		InsertedWindowDims:         dims(d.ints(f.translator, "inserted_window_dims")),
		ScatterDimsToOperandDims:   dims(d.ints(f.translator, "scatter_dims_to_operand_dims")),
		OperandBatchingDims:        dims(d.ints(f.translator, "input_batching_dims")),
		ScatterIndicesBatchingDims: dims(batching),
		Mode:                       indexed.FillOrDrop,
		Sorted:                     f.boolOr(o, "indices_are_sorted", false),
		Unique:                     f.boolOr(o, "unique_indices", false),
	}
	if k == 1 {
		if y := scattered(f.combination(o.regions[0]), xs[0], idx, us[0], s); y != nil {
			return []core.Value{y}
		}
	}
	j := f.combiner(o.regions[0], xs)
	if k == 1 {
		return []core.Value{indexed.ScatterApply(xs[0], idx, us[0], j, s)}
	}
	return indexed.ScatterWith(xs, idx, us, j, s)
}

// scattered returns a scatter by an operation that weft has, nil if it has none.
func scattered(name string, x, idx, u core.Value, s indexed.Scattering) core.Value {
	dt := x.Aval().DType
	if dt.IsBool() { // sums and products of booleans are their maxima and minima
		name = map[string]string{"add": "maximum", "or": "maximum", "multiply": "minimum", "and": "minimum",
			"maximum": "maximum", "minimum": "minimum", "second": "second"}[name]
	}
	switch name {
	case "second":
		return indexed.Scatter(x, idx, u, s)
	case "add":
		return indexed.ScatterAdd(x, idx, u, s)
	case "subtract":
		return indexed.ScatterBy(indexed.CombineSub, x, idx, u, s)
	case "multiply":
		return indexed.ScatterBy(indexed.CombineMul, x, idx, u, s)
	case "maximum":
		return indexed.ScatterBy(indexed.CombineMax, x, idx, u, s)
	case "minimum":
		return indexed.ScatterBy(indexed.CombineMin, x, idx, u, s)
	}
	return nil
}

// indexSelectOp takes elements of an axis by their indices, which are clamped.
func indexSelectOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 2)
	axis, batch := f.int(o, "dim"), f.intOr(o, "batch_dims", 0)
	a, b := in[0].Aval(), in[1].Aval()
	if axis < 0 || axis >= a.Rank() || batch < 0 || batch > axis || batch > b.Rank() {
		f.invalid(core.ErrShape, "axis %d and %d batch axes do not fit %s and %s", axis, batch, typeText(a), typeText(b))
	}
	sizes := a.Shape.Ints()
	sizes[axis] = min(1, sizes[axis])
	for i := range batch {
		sizes[i] = min(1, sizes[i])
	}
	n := b.Rank() - batch
	p := indexed.GatherP{
		OffsetDims:               core.Range(batch, axis).Append(core.Range(axis+n, a.Rank()-1+n).Ints()...),
		CollapsedSliceDims:       dims([]int{axis}),
		StartIndexMap:            dims([]int{axis}),
		OperandBatchingDims:      core.Range(0, batch),
		StartIndicesBatchingDims: core.Range(0, batch),
		SliceSizes:               dims(sizes),
		Mode:                     indexed.Clip,
	}
	return []core.Value{indexed.Gather(in[0], prim.ExpandDims(in[1], dims([]int{b.Rank()})), p)}
}
