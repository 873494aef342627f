package stablehlo

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// In a module, a key is an array of its words, along a last axis.

// wordsOf returns the type of a key's words, other types as they are.
func wordsOf(a core.ShapedArray) core.ShapedArray {
	if !a.DType.IsKey() {
		return a
	}
	return core.ShapedArray{Shape: a.Shape.Append(a.DType.KeyWords()), DType: core.Uint32}
}

// takesKeys reports whether the operation is written for keys as for other operands.
func takesKeys(p core.Primitive) bool {
	switch p.(type) {
	case prim.RandomWrapP, prim.RandomUnwrapP, rng.RandomCloneP, prim.CopyP, prim.NameP, prim.StopGradientP, prim.OptimizationBarrierP, core.Expander:
		return true
	}
	return len(jaxpr.Programs(p)) > 0
}

// onWords writes an operation that moves keys as one that moves their words. It returns nil for other operations.
func (b *block) onWords(p core.Primitive, in []operand, out []core.ShapedArray) []operand {
	f := movesWords(p, avalsOf(in), out)
	if f == nil {
		return nil
	}
	words, types := make([]operand, len(in)), make([]core.ShapedArray, len(in))
	for i, x := range in {
		words[i] = operand{x.name, wordsOf(x.aval)}
		types[i] = words[i].aval.Strong()
	}
	results := b.inline(trace.Stage(p.Name(), types, f), words)
	for i, a := range out {
		results[i].aval = a.Strong()
	}
	return results
}

// movesWords returns the function of words that corresponds to an operation on keys of these types. It returns nil if the
// operation does not move keys.
func movesWords(p core.Primitive, in, out []core.ShapedArray) func([]core.Value) []core.Value {
	last := 0 // the axis of words of the first operand
	if len(in) > 0 {
		last = in[0].Rank()
	}
	with := func(q core.Primitive) func([]core.Value) []core.Value {
		return func(in []core.Value) []core.Value { return core.Bind(q, in...) }
	}
	start := core.Lit(core.IntNumber(0), core.Int32)
	switch p := p.(type) {
	case prim.ConcatenateP, prim.SplitP, prim.StackP, prim.UnstackP, prim.RevP, prim.SqueezeP:
		return with(p)
	case prim.EmptyP, prim.Empty2P:
		return func([]core.Value) []core.Value { return []core.Value{prim.Full(wordsOf(out[0]), 0)} }
	case prim.ReshapeP:
		return with(prim.ReshapeP{Shape: wordsOf(out[0]).Shape})
	case prim.BroadcastInDimP:
		return with(prim.BroadcastInDimP{Shape: wordsOf(out[0]).Shape, Dims: p.Dims.Append(out[0].Rank())})
	case prim.TransposeP:
		return with(prim.TransposeP{Perm: p.Perm.Append(last)})
	case prim.TileP:
		return with(prim.TileP{Reps: p.Reps.Append(1)})
	case prim.SliceP:
		q := prim.SliceP{Start: p.Start.Append(0), Limit: p.Limit.Append(in[0].DType.KeyWords())}
		if p.Strides.Len() > 0 {
			q.Strides = p.Strides.Append(1)
		}
		return with(q)
	case indexed.DynamicSliceP:
		q := indexed.DynamicSliceP{Sizes: p.Sizes.Append(in[0].DType.KeyWords())}
		return func(in []core.Value) []core.Value { return core.Bind(q, append(in, at(start, in[1:]))...) }
	case indexed.DynamicUpdateSliceP:
		return func(in []core.Value) []core.Value { return core.Bind(p, append(in, at(start, in[2:]))...) }
	case prim.SelectNP:
		return func(in []core.Value) []core.Value {
			which := in[0]
			if s := in[1].Aval().Shape; which.Aval().Rank() > 0 {
				which = prim.BroadcastInDim(which, s, core.Range(0, s.Len()-1))
			}
			return core.Bind(p, append([]core.Value{which}, in[1:]...)...)
		}
	case indexed.GatherP:
		p.OffsetDims, p.SliceSizes = p.OffsetDims.Append(out[0].Rank()), p.SliceSizes.Append(in[0].DType.KeyWords())
		return with(p)
	case prim.PadP:
		q := prim.PadP{Config: core.MakeDims(append(p.Config.Ints(), 0, 0, 0)...)}
		return func(in []core.Value) []core.Value { return []core.Value{padded(q, in[0], in[1])} }
	case indexed.SortP:
		return func(values []core.Value) []core.Value { return sorted(p, in, values) }
	case indexed.ScatterP:
		if p.Combine == indexed.CombineSet {
			p.UpdateWindowDims = p.UpdateWindowDims.Append(in[2].Rank())
			return with(p)
		}
	}
	return nil
}

// padded pads the words of keys, x, with the words of one key.
func padded(p prim.PadP, x, key core.Value) core.Value {
	no := prim.Num(core.Aval(core.Bool), 0)
	inside := core.Bind1(p, prim.Full(x.Aval().WithDType(core.Bool), 1), no)
	y := core.Bind1(p, x, prim.Num(core.Aval(core.Uint32), 0))
	s := y.Aval().Shape
	return prim.Where(inside, y, prim.BroadcastInDim(key, s, core.MakeDims(s.Len()-1)))
}

// sorted is SortP of operands some of which are keys: each word of these is a separate array.
func sorted(p indexed.SortP, types []core.ShapedArray, in []core.Value) []core.Value {
	var all, out []core.Value
	for i, a := range types {
		if a.DType.IsKey() {
			all = append(all, core.Bind(prim.UnstackP{Axis: a.Rank()}, in[i])...)
		} else {
			all = append(all, in[i])
		}
	}
	all = core.Bind(p, all...)
	for _, a := range types {
		n := 1
		if a.DType.IsKey() {
			n = a.DType.KeyWords()
			out = append(out, prim.Stack(a.Rank(), all[:n]...))
		} else {
			out = append(out, all[0])
		}
		all = all[n:]
	}
	return out
}

// at returns zero, with the dtype of the other positions if there are any.
func at(zero core.Literal, others []core.Value) core.Literal {
	if len(others) > 0 {
		zero.Type = others[0].Aval().DType
	}
	return zero
}
