package indexed

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// IndexMode selects what a gather or scatter does with a window that reaches out of the array.
type IndexMode uint8

// The modes. Where the promise of PromiseInBounds does not hold, reads act as under Clip and writes
// as under FillOrDrop.
const (
	PromiseInBounds IndexMode = iota // the program promises that no window reaches out
	Clip                             // the window is moved until it lies inside
	FillOrDrop                       // reads give the fill value, writes are left out
	numIndexModes
)

var indexModes = [numIndexModes]string{
	PromiseInBounds: "GatherScatterMode.PROMISE_IN_BOUNDS",
	Clip:            "GatherScatterMode.CLIP",
	FillOrDrop:      "GatherScatterMode.FILL_OR_DROP",
}

// String returns the mode as parameters show it.
func (m IndexMode) String() string { return indexModes[m] }

// GatherP takes windows of an array from positions given by an array of integers, and lays them
// out.
//
// The last axis of the index array contains vectors: component k is the start along
// axis StartIndexMap[k] of the operand; along the other axes windows start at 0.
// A window has SliceSizes elements; its axes CollapsedSliceDims and
// OperandBatchingDims, of size 1, are dropped, the others become the axes
// OffsetDims of the result. The result's remaining axes are those of the index
// array but the last. Along axis OperandBatchingDims[k] the window starts at the
// position along axis StartIndicesBatchingDims[k] of the index array.
//
// Mode selects what happens to windows that reach out of the operand.
type GatherP struct {
	OffsetDims, CollapsedSliceDims, StartIndexMap core.Dims
	OperandBatchingDims, StartIndicesBatchingDims core.Dims
	SliceSizes                                    core.Dims
	Mode                                          IndexMode
	Fill                                          core.Number // of FillOrDrop; no number means FillFor's default
	Sorted, Unique                                bool        // promises about the index vectors
}

// Gather takes windows of x from the positions idx.
func Gather(x, idx core.Value, p GatherP) core.Value { return core.Apply2(p, x, idx) }

func (GatherP) Name() string { return "gather" }

func (GatherP) read(r *jaxpr.ParamReader) core.Primitive {
	const dims = "dimension_numbers"
	return GatherP{
		OffsetDims:               r.Field(dims, "offset_dims"),
		CollapsedSliceDims:       r.Field(dims, "collapsed_slice_dims"),
		StartIndexMap:            r.Field(dims, "start_index_map"),
		OperandBatchingDims:      r.Field(dims, "operand_batching_dims"),
		StartIndicesBatchingDims: r.Field(dims, "start_indices_batching_dims"),
		SliceSizes:               r.Dims("slice_sizes"),
		Mode:                     indexMode(r),
		Fill:                     fillValue(r),
		Sorted:                   r.Bool("indices_are_sorted"),
		Unique:                   r.Bool("unique_indices"),
	}
}

func (p GatherP) Params() []core.Param {
	dims := fmt.Sprintf("GatherDimensionNumbers(offset_dims=%v, collapsed_slice_dims=%v, start_index_map=%v, operand_batching_dims=%v, start_indices_batching_dims=%v)",
		p.OffsetDims, p.CollapsedSliceDims, p.StartIndexMap, p.OperandBatchingDims, p.StartIndicesBatchingDims)
	return []core.Param{
		rule.Param("dimension_numbers", dims),
		rule.Param("fill_value", fillText(p.Fill)),
		rule.Param("indices_are_sorted", rule.PyBool(p.Sorted)),
		rule.Param("mode", p.Mode),
		rule.Param("slice_sizes", p.SliceSizes),
		rule.Param("unique_indices", rule.PyBool(p.Unique)),
	}
}

// Filled returns an array of type a with the values with which a gather in mode FillOrDrop fills.
func (p GatherP) Filled(a core.ShapedArray) core.Value {
	if !a.DType.IsKey() {
		return prim.BroadcastInDim(core.Lit(p.FillFor(a.DType), a.DType), a.Shape, core.Dims{})
	}
	words := core.Lit(p.FillFor(a.DType), core.Uint32)
	return core.Apply1(prim.RandomWrapP{Kind: rule.KindOf(a.DType)}, prim.BroadcastInDim(words, a.Shape.Append(a.DType.KeyWords()), core.Dims{}))
}

// FillFor returns the number with which a gather in mode FillOrDrop fills an array of the dtype:
// Fill, or else NaN, the least integer, the largest unsigned integer, true. For keys it is a u32,
// the value of each word.
func (p GatherP) FillFor(dt core.DType) core.Number {
	switch {
	case p.Fill.Kind() != core.KindNone:
		return p.Fill
	case dt.IsKey():
		return core.UintNumber(math.MaxUint32)
	case dt.IsInexact():
		return core.FloatNumber(math.NaN())
	case dt.IsSigned():
		return core.IntNumber(-1 << (dt.Bits() - 1))
	case dt.IsUnsigned():
		return core.UintNumber(math.MaxUint64 >> (64 - dt.Bits()))
	}
	return core.BoolNumber(true)
}

func (p GatherP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 2)
	x, idx := in[0], in[1]
	batch := indexShape(idx)
	vector := idx.Shape.At(-1)
	rank := p.OffsetDims.Len() + batch.Len()
	numbersFit("start_index_map", p.StartIndexMap, x, vector)
	if !rule.Increasing(p.OffsetDims, rank) {
		core.Failf(core.ErrIndex, "offset_dims %v must be increasing axes of a result of rank %d; sort them", p.OffsetDims, rank)
	}
	batchingFits(p.OperandBatchingDims, p.StartIndicesBatchingDims, p.StartIndexMap, p.CollapsedSliceDims, x, idx)
	if p.SliceSizes.Len() != x.Rank() {
		core.Failf(core.ErrIndex, "%v needs %d slice sizes (got %v); pass one for each axis", x.Full(), x.Rank(), p.SliceSizes)
	}
	var window []int
	for i, n := range p.SliceSizes.All() {
		if n < 0 || n > x.Shape.At(i) && batch.Size() > 0 {
			core.Failf(core.ErrIndex, "slice sizes %v must lie between 0 and the sizes of %v; take fewer elements", p.SliceSizes, x.Full())
		}
		if !p.CollapsedSliceDims.Has(i) && !p.OperandBatchingDims.Has(i) {
			window = append(window, n)
		} else if n > 1 {
			core.Failf(core.ErrIndex, "slice sizes %v of %v must be 1 along the collapsed and batching axes, axis %d is one; keep the axis, or take one element of it", p.SliceSizes, x.Full(), i)
		}
	}
	if len(window) != p.OffsetDims.Len() {
		core.Failf(core.ErrIndex, "windows of %v keep %s, but offset_dims %v names %d; name one for each axis that is kept", x.Full(), core.Count(len(window), "axis"), p.OffsetDims, p.OffsetDims.Len())
	}
	shape := make([]int, 0, rank)
	for j, b := 0, 0; j < rank; j++ {
		if k := p.OffsetDims.Index(j); k >= 0 {
			shape = append(shape, window[k])
		} else {
			shape = append(shape, batch.At(b))
			b++
		}
	}
	if p.SliceSizes.Has(0) && !slices.Contains(shape, 0) {
		core.Failf(core.ErrIndex, "slice sizes %v of %v take no element for each of the result's; take 1 along the collapsed and batching axes", p.SliceSizes, x.Full())
	}
	return []core.ShapedArray{x.WithShape(core.MakeDims(shape...))}
}

// indexShape checks an index array and returns its shape without the last axis.
func indexShape(idx core.ShapedArray) core.Dims {
	if !idx.DType.IsInteger() {
		core.Failf(core.ErrIndex, "indices must be integers (got %v); convert them", idx.Full())
	}
	if idx.Rank() == 0 {
		core.Failf(core.ErrIndex, "the index array needs a last axis, which contains the index vectors; got %v", idx.Full())
	}
	return idx.Shape.Slice(0, idx.Rank()-1)
}

func numbersFit(what string, axes core.Dims, x core.ShapedArray, n int) {
	if axes.Len() != n {
		core.Failf(core.ErrIndex, "index vectors have %s, but %s %v names %s; make them equal", core.Count(n, "component"), what, axes, core.Count(axes.Len(), "axis"))
	}
	if !rule.Distinct(axes, x.Rank()) {
		core.Failf(core.ErrIndex, "%s %v must be distinct axes of %v; remove duplicates and axes out of range", what, axes, x.Full())
	}
}

// batchingFits checks the batching axes of the operand and of the index array, and the
// axes that windows do not have.
func batchingFits(operand, indices, mapped, dropped core.Dims, x, idx core.ShapedArray) {
	if !rule.Increasing(dropped, x.Rank()) || !rule.Increasing(operand, x.Rank()) {
		core.Failf(core.ErrIndex, "dropped axes %v and batching axes %v must be increasing axes of %v; sort them", dropped, operand, x.Full())
	}
	for _, d := range operand.All() {
		if dropped.Has(d) || mapped.Has(d) {
			core.Failf(core.ErrIndex, "axis %d of %v is a batching axis and cannot be indexed or dropped as well; name it once", d, x.Full())
		}
	}
	if operand.Len() != indices.Len() || !rule.Distinct(indices, idx.Rank()-1) {
		core.Failf(core.ErrIndex, "batching axes %v of the operand need as many distinct ones of the index array %v, not its last; got %v", operand, idx.Full(), indices)
	}
	for k, d := range operand.All() {
		if x.Shape.At(d) != idx.Shape.At(indices.At(k)) {
			core.Failf(core.ErrIndex, "batching axis %d of %v and %d of %v have different sizes; make them equal", d, x.Full(), indices.At(k), idx.Full())
		}
	}
}

// JVP gathers the tangent; filled elements have tangent 0.
func (p GatherP) JVP(in, _, t []core.Value) []core.Value {
	if p.Mode == FillOrDrop {
		p.Fill = core.IntNumber(0)
	}
	return rule.LinearFirst(p, in, t)
}

// Transpose adds each window's cotangent at its position.
func (p GatherP) Transpose(ct, in []core.Value, _ []bool, av []core.ShapedArray) []core.Value {
	if ct[0].Aval().Size() == 0 { // its windows may be larger than the array
		return []core.Value{prim.Zeros(av[0]), nil}
	}
	return []core.Value{ScatterAdd(prim.Zeros(av[0]), in[1], ct[0], p.inverse()), nil}
}

// inverse returns the scatter that writes where p reads.
func (p GatherP) inverse() Scattering {
	return Scattering{
		UpdateWindowDims:           p.OffsetDims,
		InsertedWindowDims:         p.CollapsedSliceDims,
		ScatterDimsToOperandDims:   p.StartIndexMap,
		OperandBatchingDims:        p.OperandBatchingDims,
		ScatterIndicesBatchingDims: p.StartIndicesBatchingDims,
		Mode:                       p.Mode,
		Sorted:                     p.Sorted,
		Unique:                     p.Unique,
	}
}

// Batch makes the batch's axis one more window axis, if all of the batch reads at
// the same positions; one more axis of the index array, if all read the same array;
// and else a batching axis of both.
func (p GatherP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	q := p
	q.OffsetDims = p.OffsetDims.Next()
	if mapped[0] {
		q.CollapsedSliceDims = p.CollapsedSliceDims.Next()
		q.StartIndexMap = p.StartIndexMap.Next()
		q.OperandBatchingDims = p.OperandBatchingDims.Next()
	}
	if mapped[1] {
		q.StartIndicesBatchingDims = p.StartIndicesBatchingDims.Next()
	}
	switch {
	case !mapped[1]:
		q.OffsetDims = rule.BatchAxisThen(p.OffsetDims)
		q.SliceSizes = p.SliceSizes.Prepend(n)
	case !mapped[0]:
		// Two elements of the batch may read the same position.
		q.Sorted, q.Unique = false, false
	default:
		q.OperandBatchingDims = q.OperandBatchingDims.Prepend(0)
		q.StartIndicesBatchingDims = q.StartIndicesBatchingDims.Prepend(0)
		q.SliceSizes = p.SliceSizes.Prepend(min(n, 1))
	}
	return rule.Bound(q, in...)
}

// fillText writes a fill value as Python does.
func fillText(n core.Number) string {
	switch n.Kind() {
	case core.KindNone:
		return "None"
	case core.KindBool:
		return core.Lit(n, core.Bool).Text()
	case core.KindInt:
		return core.Lit(n, core.Int64).Text()
	case core.KindUint:
		return core.Lit(n, core.Uint64).Text()
	case core.KindComplex:
		return core.Lit(n, core.Complex128).Text()
	}
	return core.Lit(n, core.Float64).Text()
}

// fillValue reads the parameter fill_value. None is the number without a kind.
func fillValue(r *jaxpr.ParamReader) core.Number {
	if r.IsNone("fill_value") {
		return core.Number{}
	}
	s := r.Text("fill_value")
	if s == "True" || s == "False" {
		return core.BoolNumber(s == "True")
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return core.IntNumber(n)
	}
	if n, err := strconv.ParseUint(s, 10, 64); err == nil {
		return core.UintNumber(n)
	}
	if z, err := strconv.ParseComplex(strings.ReplaceAll(s, "j", "i"), 128); err == nil && strings.HasSuffix(strings.TrimSuffix(s, ")"), "j") {
		return core.ComplexNumber(z)
	}
	return core.FloatNumber(r.Float("fill_value"))
}

func indexMode(r *jaxpr.ParamReader) IndexMode {
	r.MustBe("mode", indexModes[:]...)
	s := r.Text("mode")
	for m, t := range indexModes {
		if s == t {
			return IndexMode(m)
		}
	}
	panic("BUG: no index mode " + s)
}
