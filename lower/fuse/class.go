package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/legalize"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/scalar"
)

type class uint8

const (
	fallback  class = iota // the reference executor runs it
	movement               // computed where it is used: index maps and guards
	source                 // computed where it is used, from no operand
	pointwise              // each element of the result from one element of each operand, or from the words of a key
	reduction
	cumulation
	looping
	product
	convolution
	windowed
	updating
	sorting
	empty // no result has elements
)

// classOf returns the class of an equation, and the reason of a fallback.
func classOf(e *jaxpr.Eqn) (c class, why string) {
	if isEmpty(e) {
		return empty, ""
	}
	if isLoop(e.Prim) {
		return looping, ""
	}
	for _, a := range e.Ins {
		if why := unfit(a.Aval()); why != "" {
			return fallback, why
		}
	}
	for _, v := range e.Outs {
		if why := unfit(v.Type); why != "" {
			return fallback, why
		}
	}
	if core.EffectsOf(e.Prim) != 0 {
		return fallback, "has effects"
	}
	switch p := e.Prim.(type) {
	case indexed.GatherP:
		if p.Mode == indexed.FillOrDrop && e.Outs[0].Type.DType.IsKey() {
			return fallback, "fills with words of keys"
		}
		return movement, ""
	case prim.ReshapeP, prim.SqueezeP, prim.BroadcastInDimP, prim.TransposeP, prim.RevP, prim.SliceP, prim.SplitP, prim.UnstackP,
		prim.PadP, prim.ConcatenateP, prim.StackP, indexed.DynamicSliceP:
		return movement, ""
	case indexed.ScatterP, indexed.DynamicUpdateSliceP:
		return updateClass(e)
	case indexed.SortP:
		return sortClass(e, p.Dimension)
	case indexed.TopKP:
		return sortClass(e, p.Axis)
	case prim.DotGeneralP, legalize.PairedDot:
		return productClass(e)
	case windows.ReduceWindowSumP, windows.ReduceWindowMaxP, windows.ReduceWindowMinP, windows.SelectAndScatterAddP, windows.SelectAndGatherAddP:
		return windowClass(e)
	case windows.ConvP, legalize.PairedConv:
		return convClass(e)
	case prim.IotaP, prim.EmptyP, prim.Empty2P:
		return source, ""
	case rng.RandomBitsP:
		if int64(p.Shape.Size()) > 1<<32 {
			return fallback, "more than 2³² random numbers"
		}
		return pointwise, ""
	case rng.RandomSplitP, rng.RandomFoldInP, rng.RandomSeedP, rng.RandomCloneP, rng.Threefry2x32P, prim.RandomUnwrapP, prim.RandomWrapP:
		return pointwise, ""
	case prim.BitcastConvertTypeP:
		return bitcastClass(e)
	case prim.ReduceSumP, prim.ReduceProdP, prim.ReduceMaxP, prim.ReduceMinP, prim.ReduceAndP, prim.ReduceOrP, prim.ReduceXorP,
		prim.ArgmaxP, prim.ArgminP:
		return reduceClass(e)
	case prim.CumsumP, prim.CumprodP, prim.CummaxP, prim.CumminP:
		if e.Ins[0].Aval().DType.IsComplex() {
			return fallback, "complex running fold"
		}
		return cumulation, ""
	}
	if expand.Has(e.Prim) && len(e.Outs) == 1 {
		return pointwise, ""
	}
	return fallback, NoKernel
}

// isEmpty reports whether an equation needs no step: it has no effects, and its results have no elements.
func isEmpty(e *jaxpr.Eqn) bool {
	if len(e.Outs) == 0 || core.EffectsOf(e.Prim) != 0 || isLoop(e.Prim) {
		return false
	}
	if _, ok := reference.Lookup(e.Prim); !ok {
		return false // the reference executor may refuse it
	}
	for _, v := range e.Outs {
		if v.Type.Size() != 0 {
			return false
		}
	}
	return true
}

// unfit returns why kernels cannot use arrays of a type, "" if they can.
func unfit(a core.ShapedArray) string {
	switch {
	case a.Ref || scalar.Components(a.DType) == 0 || a.DType.IsOtherKey():
		return "elements of type " + a.DType.String()
	case a.Size() == 0:
		return "empty array"
	case a.Size() < 0:
		return "array too large"
	}
	return ""
}

func isLoop(p core.Primitive) bool {
	switch p.(type) {
	case *jaxpr.While, *jaxpr.Scan, *jaxpr.Cond:
		return true
	}
	return false
}

func bitcastClass(e *jaxpr.Eqn) (class, string) {
	from, to := e.Ins[0].Aval(), e.Outs[0].Type
	switch {
	case from.DType == to.DType: // a copy
	case from.Shape != to.Shape || from.DType.IsComplex() || to.DType.IsComplex() || from.DType == core.Bool || to.DType == core.Bool:
		return fallback, "bitcast between sizes"
	case from.DType.Bits() < 8 && scalar.Stored(from.DType) != scalar.Stored(to.DType):
		return fallback, "bitcast of a sign"
	}
	return pointwise, ""
}

// A fold is the operation of a reduction or a running fold. Only reductions use the other fields.
type fold struct {
	op    ir.FoldOp
	axes  core.Dims
	lanes bool // the innermost reduced span is reduced in lanes
	index core.DType
}

func foldOf(e *jaxpr.Eqn) fold {
	shape := e.Ins[0].Aval().Shape
	switch p := e.Prim.(type) {
	case prim.ReduceSumP:
		return fold{op: ir.Sum, axes: p.Axes, lanes: p.Order.Implied(shape, p.Axes) == prim.OrderLanes}
	case prim.ReduceProdP:
		return fold{op: ir.Prod, axes: p.Axes, lanes: p.Order.Implied(shape, p.Axes) == prim.OrderLanes}
	case prim.ReduceMaxP:
		return fold{op: ir.Max, axes: p.Axes}
	case prim.ReduceMinP:
		return fold{op: ir.Min, axes: p.Axes}
	case prim.ReduceAndP:
		return fold{op: ir.And, axes: p.Axes}
	case prim.ReduceOrP:
		return fold{op: ir.Or, axes: p.Axes}
	case prim.ReduceXorP:
		return fold{op: ir.Xor, axes: p.Axes}
	case prim.ArgmaxP:
		return fold{op: ir.ArgMax, axes: p.Axes, index: p.Index}
	case prim.ArgminP:
		return fold{op: ir.ArgMin, axes: p.Axes, index: p.Index}
	case prim.CumsumP:
		return fold{op: ir.Sum}
	case prim.CumprodP:
		return fold{op: ir.Prod}
	case prim.CummaxP:
		return fold{op: ir.Max}
	case prim.CumminP:
		return fold{op: ir.Min}
	}
	panic("BUG: " + e.Prim.Name() + " is no reduction")
}

func reduceClass(e *jaxpr.Eqn) (class, string) {
	f := foldOf(e)
	dt := e.Ins[0].Aval().DType
	if dt.IsComplex() && f.op != ir.Sum && f.op != ir.Prod {
		return fallback, "order of complex numbers"
	}
	return reduction, ""
}

// A span is neighbouring axes of a reduction's operand that are all reduced or all kept.
type span struct {
	n       int64
	reduced bool
}

// spansOf returns the spans of a shape without its axes of size 1.
func spansOf(shape, axes core.Dims) []span {
	var s []span
	for i, n := range shape.All() {
		r := axes.Has(i)
		switch k := len(s) - 1; {
		case n == 1:
		case k >= 0 && s[k].reduced == r:
			s[k].n *= int64(n)
		default:
			s = append(s, span{int64(n), r})
		}
	}
	return s
}

// rowFold returns the number of elements of a row if a reduction combines rows: the
// operand's trailing axes and no others.
func rowFold(spans []span) (cols int64, ok bool) {
	n := len(spans)
	if n == 0 || !spans[n-1].reduced {
		return 0, false
	}
	for _, s := range spans[:n-1] {
		if s.reduced {
			return 0, false
		}
	}
	return spans[n-1].n, true
}
