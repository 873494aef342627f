package lax

import (
	"reflect"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/trace"
)

// IndexMode is how a gather or scatter treats windows that reach out of the array.
type IndexMode uint8

// The modes. The default is PromiseInBounds for a gather and FillOrDrop for a
// scatter.
const (
	DefaultMode     IndexMode = iota
	PromiseInBounds           // no window reaches out; if one does, reads clip and writes are dropped
	Clip                      // windows are moved until they lie inside
	FillOrDrop                // reads give the fill value, writes are left out
	numIndexModes
)

var indexModes = [numIndexModes]indexed.IndexMode{
	PromiseInBounds: indexed.PromiseInBounds, Clip: indexed.Clip, FillOrDrop: indexed.FillOrDrop,
}

func (m IndexMode) or(otherwise IndexMode, op string) indexed.IndexMode {
	if m == DefaultMode {
		m = otherwise
	}
	if m >= numIndexModes {
		core.FailOp(core.ErrIndex, op, nil, "unknown index mode %d; use one of the constants of IndexMode", m)
	}
	return indexModes[m]
}

// GatherConfig describes how [Gather] reads. The last axis of the index array contains vectors:
// component k is the start of a window along axis StartIndexMap[k] of the operand. Windows have
// SliceSizes elements. Their axes CollapsedSliceDims and OperandBatchingDims, of size 1, are
// dropped; the others become axes OffsetDims of the result, whose other axes are those of the
// index array but the last. Axes OperandBatchingDims of the operand are paired with axes
// StartIndicesBatchingDims of the index array.
type GatherConfig struct {
	OffsetDims, CollapsedSliceDims, StartIndexMap []int
	OperandBatchingDims, StartIndicesBatchingDims []int
	SliceSizes                                    []int
	Mode                                          IndexMode
	Fill                                          any  // of FillOrDrop, a Go number; nil: NaN, the least integer, the largest unsigned one, true
	Sorted, Unique                                bool // promises about the index vectors
}

// Gather reads windows of x at the positions idx.
func Gather(x, idx weft.Array, c GatherConfig) weft.Array {
	p := indexed.GatherP{
		OffsetDims:               core.MakeDims(c.OffsetDims...),
		CollapsedSliceDims:       core.MakeDims(c.CollapsedSliceDims...),
		StartIndexMap:            core.MakeDims(c.StartIndexMap...),
		OperandBatchingDims:      core.MakeDims(c.OperandBatchingDims...),
		StartIndicesBatchingDims: core.MakeDims(c.StartIndicesBatchingDims...),
		SliceSizes:               core.MakeDims(c.SliceSizes...),
		Mode:                     c.Mode.or(PromiseInBounds, "gather"),
		Sorted:                   c.Sorted,
		Unique:                   c.Unique,
	}
	v := x.Value()
	if p.Mode == indexed.FillOrDrop {
		if c.Fill != nil {
			fill, ok := nd.Number(c.Fill)
			if !ok {
				core.FailOp(core.ErrDType, "gather", nil, "the fill value must be a number of Go (got %s); convert it", core.WithArticle(reflect.TypeOf(c.Fill)))
			}
			p.Fill = fill.Num
		}
		p.Fill = p.FillFor(v.Aval().DType)
	}
	return wrap(indexed.Gather(v, idx.Value(), p))
}

// ScatterConfig describes where a scatter writes. As in [GatherConfig] the last axis of the index
// array contains vectors: component k is the start of a window along axis
// ScatterDimsToOperandDims[k] of the operand. Axes UpdateWindowDims of the updates are those of a
// window, without the axes InsertedWindowDims and OperandBatchingDims of the operand, along which
// windows have size 1. The other axes of the updates are those of the index array but the last.
// Updates are applied in row-major order.
type ScatterConfig struct {
	UpdateWindowDims, InsertedWindowDims, ScatterDimsToOperandDims []int
	OperandBatchingDims, ScatterIndicesBatchingDims                []int
	Mode                                                           IndexMode
	Sorted, Unique                                                 bool // promises about the index vectors
}

func (c ScatterConfig) scattering(op string) indexed.Scattering {
	return indexed.Scattering{
		UpdateWindowDims:           core.MakeDims(c.UpdateWindowDims...),
		InsertedWindowDims:         core.MakeDims(c.InsertedWindowDims...),
		ScatterDimsToOperandDims:   core.MakeDims(c.ScatterDimsToOperandDims...),
		OperandBatchingDims:        core.MakeDims(c.OperandBatchingDims...),
		ScatterIndicesBatchingDims: core.MakeDims(c.ScatterIndicesBatchingDims...),
		Mode:                       c.Mode.or(FillOrDrop, op),
		Sorted:                     c.Sorted,
		Unique:                     c.Unique,
	}
}

// Scatter returns x with updates written at the positions idx; if several are written to one
// element, the last wins.
func Scatter(x, idx, updates weft.Array, c ScatterConfig) weft.Array {
	return wrap(indexed.Scatter(x.Value(), idx.Value(), updates.Value(), c.scattering("scatter")))
}

// ScatterAdd returns x with updates added at the positions idx.
func ScatterAdd(x, idx, updates weft.Array, c ScatterConfig) weft.Array {
	return wrap(indexed.ScatterAdd(x.Value(), idx.Value(), updates.Value(), c.scattering("scatter-add")))
}

// ScatterSub returns x with updates subtracted at the positions idx.
func ScatterSub(x, idx, updates weft.Array, c ScatterConfig) weft.Array {
	return wrap(indexed.ScatterBy(indexed.CombineSub, x.Value(), idx.Value(), updates.Value(), c.scattering("scatter-sub")))
}

// ScatterMul returns x multiplied by updates at the positions idx.
func ScatterMul(x, idx, updates weft.Array, c ScatterConfig) weft.Array {
	return wrap(indexed.ScatterBy(indexed.CombineMul, x.Value(), idx.Value(), updates.Value(), c.scattering("scatter-mul")))
}

// ScatterMin returns the lesser of x and updates at the positions idx.
func ScatterMin(x, idx, updates weft.Array, c ScatterConfig) weft.Array {
	return wrap(indexed.ScatterBy(indexed.CombineMin, x.Value(), idx.Value(), updates.Value(), c.scattering("scatter-min")))
}

// ScatterMax returns the greater of x and updates at the positions idx.
func ScatterMax(x, idx, updates weft.Array, c ScatterConfig) weft.Array {
	return wrap(indexed.ScatterBy(indexed.CombineMax, x.Value(), idx.Value(), updates.Value(), c.scattering("scatter-max")))
}

// ScatterApply returns x with f, a function of one element, applied at the positions idx. shape
// is the shape that updates would have: the program contains an array of zeros in their place.
func ScatterApply(x, idx weft.Array, f func(weft.Array) weft.Array, shape []int, c ScatterConfig) weft.Array {
	leaves.RequireNonNil("ScatterApply", f)
	v := x.Value()
	s := c.scattering("scatter")
	dt := v.Aval().DType
	updates := Full(shape, wrap(core.Lit(core.IntNumber(0), dt)), dt)
	a := core.Aval(dt)
	j := trace.Stage("f", []core.ShapedArray{a, a}, func(in []core.Value) []core.Value {
		return []core.Value{f(wrap(in[0])).Value()}
	})
	if len(j.ConstVals) > 0 {
		core.FailOp(core.ErrNoRule, "scatter", []core.ShapedArray{v.Aval()}, "the function applied closes over %v; it may use its argument and numbers only", j.Consts[0].Type.Full())
	}
	return wrap(indexed.ScatterApply(v, idx.Value(), updates.Value(), j, s))
}
