package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// The transformations as functions from programs to programs, with fixed
// conventions: constants stay leading inputs, neither differentiated nor mapped;
// what is neither floating nor complex has no tangent and no cotangent.

// open makes the constants of j leading inputs and returns their number.
func open(j *jaxpr.Jaxpr) (opened *jaxpr.Jaxpr, consts int) {
	if len(j.Consts) == 0 {
		return j, 0
	}
	return rearranged(&jaxpr.Jaxpr{Eqns: j.Eqns}, concat(j.Consts, j.Ins), j.Outs), len(j.Consts)
}

// inexact marks the types that have tangents, but none of the first n types.
func inexact(avals []core.ShapedArray, n int) []bool {
	m := make([]bool, len(avals))
	for k, a := range avals {
		m[k] = k >= n && a.DType.Tangent() != core.Float0
	}
	return m
}

func tangentAvals(avals []core.ShapedArray, mask []bool) []core.ShapedArray {
	t := pick(avals, mask)
	for k, a := range t {
		t[k] = a.Tangent()
	}
	return t
}

// JVPProgram returns the program from the inputs of j and tangents of the differentiable ones to the
// results and tangents of the differentiable ones.
func JVPProgram(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	j, nc := open(j)
	in := j.InAvals()
	active := inexact(in, nc)
	return trace.Stage("jvp", concat(in, tangentAvals(in, active)), func(vs []Value) []Value {
		outs, touts := newJVP().run(func(in []Value) []Value { return eval(j, in) }, vs[:len(in)], spread(vs[len(in):], active))
		want := inexact(core.AvalsOf(outs), 0)
		instantiate(outs, touts, want)
		return concat(outs, pick(touts, want))
	})
}

// VJPProgram returns the program from the inputs of j and cotangents of the differentiable results
// to cotangents of the differentiable inputs.
func VJPProgram(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	j, nc := open(j)
	in, out := j.InAvals(), j.OutAvals()
	active, want := inexact(in, nc), inexact(out, 0)
	return trace.Stage("vjp", concat(in, tangentAvals(out, want)), func(vs []Value) []Value {
		_, vjp := VJP(func(in []Value) []Value { return eval(j, in) }, vs[:len(in)], active)
		return written(vjp(spread(vs[len(in):], want)), in, active)
	})
}

// written returns the marked cotangents, zeros written out.
func written(cts []Value, avals []core.ShapedArray, mask []bool) []Value {
	for k := range cts {
		if mask[k] && cts[k] == nil {
			cts[k] = zerosOf(avals[k].Tangent())
		}
	}
	return pick(cts, mask)
}

// GradProgram returns the program from the inputs of j to the gradients of its one result, a real
// scalar. wrt lists the inputs with respect to which it differentiates, constants not counted; nil
// is all that can be differentiated.
func GradProgram(j *jaxpr.Jaxpr, wrt []int) *jaxpr.Jaxpr {
	j, nc := open(j)
	in, out := j.InAvals(), j.OutAvals()
	if len(out) != 1 || out[0].Rank() != 0 || !out[0].DType.IsFloat() {
		core.FailOp(core.ErrShape, "grad", out, "the program must have one result, a real scalar; it has %d: %v", len(out), out)
	}
	active := make([]bool, len(in))
	if wrt == nil {
		active = inexact(in, nc)
	}
	for _, k := range wrt {
		if k < 0 || nc+k >= len(in) {
			core.FailOp(core.ErrIndex, "grad", nil, "there is no input %d, because the program has %d; inputs count from 0", k, len(in)-nc)
		}
		if in[nc+k].DType.Tangent() == core.Float0 {
			core.FailOp(core.ErrDType, "grad", in[nc+k:nc+k+1], "input %d is %s, which has no derivative; convert it to a floating type", k, in[nc+k].Full())
		}
		active[nc+k] = true
	}
	if !anyTrue(active) {
		core.FailOp(core.ErrDType, "grad", in[nc:], "no input is floating or complex; make one so to differentiate with respect to it")
	}
	return trace.Stage("grad", in, func(vs []Value) []Value {
		_, vjp := VJP(func(in []Value) []Value { return eval(j, in) }, vs, active)
		return written(vjp([]Value{prim.Num(out[0].Tangent(), 1)}), in, active)
	})
}

// Unmapped is the axis of an input or result that has none.
const Unmapped = int(^uint(0) >> 1)

// VmapProgram returns j over a batch. in lists the axis of each input along which it is
// mapped, or Unmapped; out that of each result. size is the number of examples, one
// or more.
func VmapProgram(j *jaxpr.Jaxpr, in, out []int, size int) *jaxpr.Jaxpr {
	j, nc := open(j)
	avals, outAvals := j.InAvals(), j.OutAvals()
	if len(in) != len(avals)-nc || len(out) != len(outAvals) {
		core.FailOp(core.ErrAxis, "vmap", nil, "the program has %s and %s (got axes for %d and %d); pass one for each", core.Count(len(avals)-nc, "input"), core.Count(len(outAvals), "result"), len(in), len(out))
	}
	return trace.Stage("vmap", batchAvals(avals, in, nc, size), func(vs []Value) []Value {
		args, mapped := slices.Clone(vs), make([]bool, len(vs))
		for k, ax := range in {
			if ax != Unmapped {
				args[nc+k], mapped[nc+k] = MoveAxis(vs[nc+k], axisOf(ax, avals[nc+k].Rank()+1), 0), true
			}
		}
		outs, outMapped := Vmap(size, "", func(in []Value) []Value { return eval(j, in) }, args, mapped)
		for k, v := range outs {
			switch {
			case out[k] == Unmapped && outMapped[k]:
				core.FailOp(core.ErrAxis, "vmap", nil, "result %d differs within the batch; give it an axis", k)
			case out[k] != Unmapped:
				outs[k] = MoveAxis(front(v, outMapped[k], size), 0, axisOf(out[k], outAvals[k].Rank()+1))
			}
		}
		return outs
	})
}

// batchAvals adds the batch axis to the types of the mapped inputs. A program has the types of
// one element only, so the size must be given.
func batchAvals(avals []core.ShapedArray, in []int, nc, size int) []core.ShapedArray {
	if size <= 0 {
		core.FailOp(core.ErrAxis, "vmap", nil, "the program contains the types of one element only; pass the size of the batch")
	}
	avals = slices.Clone(avals)
	for k, ax := range in {
		if ax == Unmapped {
			continue
		}
		s := avals[nc+k].Shape.Ints()
		avals[nc+k].Shape = core.MakeDims(slices.Insert(s, axisOf(ax, len(s)+1), size)...)
	}
	return avals
}

// axisOf counts a negative axis from the end.
func axisOf(axis, rank int) int {
	if axis < 0 {
		axis += rank
	}
	if axis < 0 || axis >= rank {
		core.FailOp(core.ErrAxis, "vmap", nil, "axis %d is out of range for an array of rank %d; use an axis from 0 to the rank - 1", axis, rank)
	}
	return axis
}

// MoveAxis moves one axis of v, keeping the order of the others.
func MoveAxis(v Value, from, to int) Value {
	if from == to {
		return v
	}
	perm := core.Range(0, v.Aval().Rank()).Ints()
	perm = slices.Delete(perm, from, from+1)
	return prim.Transpose(v, core.MakeDims(slices.Insert(perm, to, from)...))
}

// LinearizeProgram splits the program at a point that is not known: fwd maps inputs
// to results and residuals; lin maps residuals and tangents of the differentiable
// inputs to tangents of the differentiable results.
func LinearizeProgram(j *jaxpr.Jaxpr) (fwd, lin *jaxpr.Jaxpr) {
	j, nc := open(j)
	active := inexact(j.InAvals(), nc)
	want := inexact(j.OutAvals(), 0)
	l := linearizeRaw(j, active, want)
	return l.fwd, l.lin
}

// TransposeProgram transposes a program that is linear in the inputs that linear
// marks (all if nil). The transposed program maps inputs that are not linear, and
// cotangents of the results, to cotangents of the linear inputs. Constants are
// not linear.
func TransposeProgram(j *jaxpr.Jaxpr, linear []bool) *jaxpr.Jaxpr {
	j, nc := open(j)
	in := j.InAvals()
	if linear == nil {
		linear = all(len(in)-nc, true)
	}
	if len(linear) != len(in)-nc {
		core.FailOp(core.ErrIndex, "transpose", nil, "the program has %s (got marks for %d); pass one for each", core.Count(len(in)-nc, "input"), len(linear))
	}
	lin := concat(make([]bool, nc), linear)
	return transposeRaw(j, lin, all(len(j.Outs), true), lin, nil).j
}

// JitProgram returns a program whose only equation is a call of j under the given name.
func JitProgram(j *jaxpr.Jaxpr, name string) *jaxpr.Jaxpr {
	j, _ = open(j)
	return trace.Stage("jit", j.InAvals(), func(vs []Value) []Value {
		return core.Bind(&jaxpr.Jit{Fn: name, Jaxpr: j}, vs...)
	})
}
