package legalize

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/trace"
)

// scatterOfProgram returns the k arrays that a scatter with a program changes, nil if the program is not
// elementwise. Updates are sorted by the elements that they change; iteration t of a loop applies update t of
// each element, so the updates of one element are applied in row-major order.
func scatterOfProgram(s indexed.Scattering, program *jaxpr.Jaxpr, x, u core.ShapedArray, k int) lower.Expansion {
	if x.Size() == 0 || u.Size() == 0 {
		return func(in []core.Value) []core.Value { return in[:k] }
	}
	if !isElementwise(program) {
		return nil
	}
	return func(in []core.Value) []core.Value {
		n, m := core.MakeDims(x.Size()), core.MakeDims(u.Size())
		dt := positionType(max(x.Size(), u.Size()))
		zero, one := number(0, dt), number(1, dt)
		target := prim.Reshape(indexed.Gather(prim.Reshape(prim.Iota(dt, n, 0), x.Shape), in[k], takenBy(s, x, u, dt)), m)
		axis := core.MakeDims(0)
		vectors := indexed.Scattering{InsertedWindowDims: axis, ScatterDimsToOperandDims: axis, Mode: indexed.FillOrDrop}
		count := core.Bind1(vectors.By(indexed.CombineAdd, dt), filled(zero, n), prim.Reshape(target, m.Append(1)), filled(one, m))
		dropped := prim.Lt(target, filled(zero, m))
		key := prim.Where(dropped, filled(number(x.Size(), dt), m), target)
		order := indexed.Sort(0, 1, true, key, prim.Iota(dt, m, 0))[1]

		consts := []core.Value{count, prim.Sub(prim.Cumsum(count, 0, false), count)}
		carry := []core.Value{zero}
		for i := range k {
			consts = append(consts, take(prim.Reshape(in[k+1+i], m), order))
			carry = append(carry, prim.Reshape(in[i], n))
		}
		cond := staged("scatter_cond", []core.Value{zero}, carry, func(in []core.Value) []core.Value {
			return []core.Value{prim.Lt(in[1], in[0])}
		})
		body := staged("scatter_body", consts, carry, func(in []core.Value) []core.Value {
			count, first, updates, t, xs := in[0], in[1], in[2:2+k], in[2+k], in[3+k:]
			at := filled(t, n)
			args := append([]core.Value(nil), xs...)
			for _, u := range updates {
				args = append(args, take(u, prim.Add(first, at)))
			}
			out := []core.Value{prim.Add(t, one)}
			live := prim.Lt(at, count)
			for i, y := range applied(program, n, args...) {
				out = append(out, prim.Where(live, y, xs[i]))
			}
			return out
		})
		loop := &jaxpr.While{Cond: cond, CondConsts: 1, Body: body, BodyConsts: len(consts)}
		args := append([]core.Value{prim.ReduceMax(count, axis)}, consts...)
		out := core.Bind(loop, append(args, carry...)...)[1:]
		for i, y := range out {
			out[i] = prim.Reshape(y, x.Shape)
		}
		return out
	}
}

// takenBy returns the gather that reads the elements that a scatter changes, and −1 where the scatter changes
// nothing.
func takenBy(s indexed.Scattering, x, u core.ShapedArray, dt core.DType) indexed.GatherP {
	g := indexed.GatherP{
		OffsetDims: s.UpdateWindowDims, CollapsedSliceDims: s.InsertedWindowDims, StartIndexMap: s.ScatterDimsToOperandDims,
		OperandBatchingDims: s.OperandBatchingDims, StartIndicesBatchingDims: s.ScatterIndicesBatchingDims,
		Mode: indexed.FillOrDrop, Fill: core.IntNumber(-1),
	}
	if s.Mode == indexed.Clip {
		g.Mode, g.Fill = indexed.Clip, core.Number{}
	}
	window := 0
	sizes := make([]int, x.Rank())
	for i := range sizes {
		sizes[i] = 1
		if !s.InsertedWindowDims.Has(i) && !s.OperandBatchingDims.Has(i) {
			sizes[i] = u.Shape.At(s.UpdateWindowDims.At(window))
			window++
		}
	}
	g.SliceSizes = core.MakeDims(sizes...)
	return g
}

func positionType(n int) core.DType {
	if int64(n) >= 1<<31 {
		return core.Int64
	}
	return core.Int32
}

// take returns the elements of a vector at positions, which are clamped to its bounds.
func take(x, at core.Value) core.Value {
	axis := core.MakeDims(0)
	shape := at.Aval().Shape
	return indexed.Gather(x, prim.Reshape(at, shape.Append(1)), indexed.GatherP{CollapsedSliceDims: axis, StartIndexMap: axis, SliceSizes: core.MakeDims(1), Mode: indexed.Clip})
}

// staged returns the program of f on values of the types of consts and carry.
func staged(name string, consts, carry []core.Value, f func(in []core.Value) []core.Value) *jaxpr.Jaxpr {
	avals := core.AvalsOf(append(append([]core.Value(nil), consts...), carry...))
	for i := range avals {
		avals[i].Weak = false
	}
	return core.Suspended(func() *jaxpr.Jaxpr { return trace.Stage(name, avals, f) })
}
