package fuzzstage

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/internal/test/fuzzgen"
)

// The leaf operations of random programs as primitives.

func shapeOf(v []int) core.Dims { return core.MakeDims(v...) }

// simple are the operations without parameters.
var simple = map[string]any{
	"neg": prim.Neg, "sin": prim.Sin, "cos": prim.Cos, "tanh": prim.Tanh, "exp": prim.Exp, "log": prim.Log, "sqrt": prim.Sqrt, "rsqrt": prim.Rsqrt,
	"logistic": prim.Logistic, "atan": prim.Atan, "erf": prim.Erf, "abs": prim.Abs, "cabs": prim.Abs, "square": prim.Square, "expm1": prim.Expm1,
	"log1p": prim.Log1p, "sign": prim.Sign, "floor": prim.Floor, "isfinite": prim.IsFinite, "conj": prim.Conj, "real": prim.Real, "imag": prim.Imag,
	"stop": prim.StopGradient, "copy": prim.Copy, "not": prim.Not, "popcnt": prim.PopulationCount, "clz": prim.Clz,
	"add": prim.Add, "sub": prim.Sub, "mul": prim.Mul, "div": prim.Div, "max": prim.Max, "min": prim.Min, "pow": prim.Pow, "rem": prim.Rem,
	"and": prim.And, "or": prim.Or, "xor": prim.Xor, "shl": prim.ShiftLeft,
	"lt": prim.Lt, "le": prim.Le, "gt": prim.Gt, "ge": prim.Ge, "eq": prim.Eq, "ne": prim.Ne, "complex": prim.Complex,
}

func applyLeaf(n *fuzzgen.Node, in []val) []val {
	switch f := simple[n.Op].(type) {
	case func(val) val:
		return []val{f(in[0])}
	case func(val, val) val:
		return []val{f(in[0], in[1])}
	}
	a, b, c := shapeOf(n.A), shapeOf(n.B), shapeOf(n.C)
	one := func(v val) []val { return []val{v} }
	switch n.Op {
	case "round":
		return one(prim.Round(in[0], prim.ToNearestEven))
	case "ipow":
		return one(prim.IntegerPow(in[0], n.N))
	case "name":
		return one(prim.Named(in[0], n.Name))
	case "barrier":
		return prim.OptimizationBarrier(in...)
	case "convert":
		return one(prim.Convert(in[0], n.DType, false))
	case "select":
		return one(prim.SelectN(in[0], spreadLike(in[1], n), spreadLike(in[2], n)))
	case "shr":
		if in[0].Aval().DType.IsSigned() {
			return one(prim.ShiftRightArithmetic(in[0], in[1]))
		}
		return one(prim.ShiftRightLogical(in[0], in[1]))
	case "reshape":
		return one(prim.Reshape(in[0], a))
	case "transpose":
		return one(prim.Transpose(in[0], a))
	case "bcast":
		return one(prim.BroadcastInDim(in[0], a, b))
	case "rev":
		return one(prim.Rev(in[0], a))
	case "slice":
		return one(prim.Slice(in[0], a, b, c))
	case "pad":
		return one(prim.Pad(in[0], in[1], a))
	case "concat":
		return one(prim.Concatenate(n.N, in...))
	case "split":
		return prim.Split(in[0], n.N, a)
	case "tile":
		return one(prim.Tile(in[0], a))
	case "iota":
		return one(prim.Iota(n.DType, a, n.N))
	case "dslice":
		return one(indexed.DynamicSlice(in[0], in[1:], a))
	case "dupdate":
		return one(indexed.DynamicUpdateSlice(in[0], in[1], in[2:]))
	case "take", "scatteradd":
		return one(rows(n, in))
	case "sum":
		return one(prim.ReduceSum(in[0], a))
	case "prod":
		return one(prim.ReduceProd(in[0], a))
	case "maxr":
		return one(prim.ReduceMax(in[0], a))
	case "minr":
		return one(prim.ReduceMin(in[0], a))
	case "all":
		return one(prim.ReduceAnd(in[0], a))
	case "any":
		return one(prim.ReduceOr(in[0], a))
	case "argmax":
		return one(prim.Argmax(in[0], n.N, n.DType))
	case "cumsum":
		return one(prim.Cumsum(in[0], n.N, n.Flag))
	case "cummax":
		return one(prim.Cummax(in[0], n.N, n.Flag))
	case "sort":
		return indexed.Sort(n.N, 1, true, in[0])
	case "sort2":
		return indexed.Sort(n.N, 1, true, in...)
	case "axisindex":
		return one(prim.AxisIndex(n.Name))
	case "dot":
		batch := core.Range(0, n.N)
		return one(prim.DotGeneral(in[0], in[1], prim.DotGeneralP{LhsContract: a, RhsContract: b, LhsBatch: batch, RhsBatch: batch}))
	}
	panic("no operation " + n.Op)
}

// spreadLike spreads a scalar case of a selection.
func spreadLike(v val, n *fuzzgen.Node) val {
	return prim.BroadcastInDim(v, n.Out[0].Type.Shape, core.Range(0, v.Aval().Rank()))
}

// rows takes rows of an array, or adds to them.
func rows(n *fuzzgen.Node, in []val) val {
	x, idx := in[0], in[1]
	a := x.Aval()
	k := idx.Aval().Shape.At(0)
	idx = prim.Reshape(idx, core.MakeDims(k, 1))
	window := core.Range(1, a.Rank())
	if n.Op == "take" {
		p := indexed.GatherP{OffsetDims: window, CollapsedSliceDims: core.MakeDims(0), StartIndexMap: core.MakeDims(0),
			SliceSizes: a.Shape.Slice(1, a.Rank()).Prepend(1), Mode: indexed.Clip}
		if n.Flag {
			p.Mode, p.Fill = indexed.FillOrDrop, core.FloatNumber(0.5)
		}
		return indexed.Gather(x, idx, p)
	}
	s := indexed.Scattering{UpdateWindowDims: window, InsertedWindowDims: core.MakeDims(0), ScatterDimsToOperandDims: core.MakeDims(0), Mode: indexed.FillOrDrop}
	if n.Flag {
		s.Mode = indexed.Clip
	}
	return indexed.ScatterAdd(x, idx, in[2], s)
}
