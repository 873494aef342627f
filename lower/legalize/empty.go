package legalize

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/reference"
)

// ofEmpty returns the expansion of an operation with empty operands or results, nil if there is
// none or kernels have the operation.
func ofEmpty(e *jaxpr.Eqn) lower.Expansion {
	if !hasEmpty(e) {
		return nil
	}
	out := e.Outs[0].Type
	if !hasSome(e) {
		return func([]core.Value) []core.Value {
			outs := make([]core.Value, len(e.Outs))
			for i, v := range e.Outs {
				outs[i] = prim.Zeros(v.Type)
			}
			return outs
		}
	}
	constant := func(x func() core.Value) lower.Expansion {
		return func([]core.Value) []core.Value { return []core.Value{filled(x(), out.Shape)} }
	}
	zeros := constant(func() core.Value { return number(0, out.DType) })
	axis := core.MakeDims(0)
	switch p := e.Prim.(type) {
	case prim.ReduceSumP:
		return constant(func() core.Value { return ofNothing(prim.ReduceSumP{Axes: axis}, out.DType) })
	case prim.ReduceProdP:
		return constant(func() core.Value { return ofNothing(prim.ReduceProdP{Axes: axis}, out.DType) })
	case prim.ReduceMaxP:
		return constant(func() core.Value { return ofNothing(prim.ReduceMaxP{Axes: axis}, out.DType) })
	case prim.ReduceMinP:
		return constant(func() core.Value { return ofNothing(prim.ReduceMinP{Axes: axis}, out.DType) })
	case prim.ReduceAndP:
		return constant(func() core.Value { return ofNothing(prim.ReduceAndP{Axes: axis}, out.DType) })
	case prim.ReduceOrP:
		return constant(func() core.Value { return ofNothing(prim.ReduceOrP{Axes: axis}, out.DType) })
	case prim.ReduceXorP:
		return constant(func() core.Value { return ofNothing(prim.ReduceXorP{Axes: axis}, out.DType) })
	case prim.ReduceP, windows.ReduceWindowP:
		return func(in []core.Value) []core.Value {
			outs := make([]core.Value, len(e.Outs))
			for i, v := range e.Outs {
				outs[i] = filled(in[len(e.Outs)+i], v.Type.Shape)
			}
			return outs
		}
	case prim.DotGeneralP, windows.ConvP, windows.SelectAndScatterAddP:
		return zeros
	case prim.PadP:
		return func(in []core.Value) []core.Value { return []core.Value{filled(in[1], out.Shape)} }
	case prim.ConcatenateP:
		return func(in []core.Value) []core.Value {
			var some []core.Value
			for _, x := range in {
				if x.Aval().Size() > 0 {
					some = append(some, x)
				}
			}
			return core.Bind(p, some...)
		}
	case prim.SplitP:
		return func(in []core.Value) []core.Value { return Split(in[0], p) }
	case indexed.SortByP:
		return func(in []core.Value) []core.Value { return in }
	case indexed.GatherP:
		return gatherAtStart(e, p)
	case indexed.ScatterP:
		return scatterAtStart(e, p)
	}
	return nil
}

// hasEmpty reports whether an operand or a result has no elements, and either a result has some
// or the operation calls a program.
func hasEmpty(e *jaxpr.Eqn) bool {
	empty := false
	for _, a := range e.Ins {
		empty = empty || a.Aval().Size() == 0
	}
	for _, v := range e.Outs {
		empty = empty || v.Type.Size() == 0
	}
	if !empty {
		return false
	}
	_, program := reference.LookupProgram(e.Prim)
	return len(e.Outs) > 0 && (hasSome(e) || program)
}

func hasSome(e *jaxpr.Eqn) bool {
	return slices.ContainsFunc(e.Outs, func(v *jaxpr.Var) bool { return v.Type.Size() > 0 })
}

// ofNothing returns the result of a reduction of no elements, as the reference computes it.
func ofNothing(p core.Primitive, dt core.DType) core.Value {
	if dt.IsFloat() && dt.Bits() < 32 {
		// Small floats are reduced in f32. If the type has no infinity, an infinite result converts to a NaN
		// with its sign, which no literal has.
		return core.Apply1(prim.ConvertElementTypeP{NewDType: dt}, ofNothing(p, core.Float32))
	}
	f, ok := reference.Lookup(p)
	if !ok {
		panic("BUG: " + p.Name() + " has no kernel")
	}
	y := reference.NewTensor(core.Aval(dt))
	f(p, []*reference.Tensor{reference.NewTensor(core.Aval(dt, 0))}, []*reference.Tensor{y})
	n, _ := elem.Get(y.Data, dt)
	return core.Lit(n, dt)
}

// Split returns the pieces into which p divides an array, as slices of it.
func Split(x core.Value, p prim.SplitP) []core.Value {
	shape := x.Aval().Shape.Ints()
	at := 0
	var out []core.Value
	for _, n := range p.Sizes.All() {
		start, limit := make([]int, len(shape)), append([]int(nil), shape...)
		start[p.Axis], limit[p.Axis] = at, at+n
		out = append(out, prim.Slice(x, core.MakeDims(start...), core.MakeDims(limit...), core.Dims{}))
		at += n
	}
	return out
}

// freeAxis returns an axis of the array that is no batching axis, −1 if there is none.
func freeAxis(rank int, batching core.Dims) int {
	for d := range rank {
		if !batching.Has(d) {
			return d
		}
	}
	return -1
}

// atStart returns index vectors of one component, zero, in place of empty ones.
func atStart(idx core.Value) core.Value {
	a := idx.Aval()
	return filled(number(0, a.DType), a.Shape.Slice(0, a.Rank()-1).Append(1))
}

// hasEmptyVectors reports whether an array of index vectors is empty because the vectors have no components.
func hasEmptyVectors(idx core.ShapedArray) bool {
	n := idx.Rank()
	return n > 0 && idx.Shape.At(n-1) == 0 && idx.Shape.Slice(0, n-1).Size() > 0
}

func gatherAtStart(e *jaxpr.Eqn, p indexed.GatherP) lower.Expansion {
	d := freeAxis(e.Ins[0].Aval().Rank(), p.OperandBatchingDims)
	if d < 0 || !hasEmptyVectors(e.Ins[1].Aval()) {
		return nil
	}
	p.StartIndexMap = core.MakeDims(d)
	return func(in []core.Value) []core.Value { return core.Bind(p, in[0], atStart(in[1])) }
}

func scatterAtStart(e *jaxpr.Eqn, p indexed.ScatterP) lower.Expansion {
	d := freeAxis(e.Ins[0].Aval().Rank(), p.OperandBatchingDims)
	if d < 0 || !hasEmptyVectors(e.Ins[1].Aval()) || e.Ins[2].Aval().Size() == 0 {
		return nil
	}
	p.ScatterDimsToOperandDims = core.MakeDims(d)
	return func(in []core.Value) []core.Value { return core.Bind(p, in[0], atStart(in[1]), in[2]) }
}
