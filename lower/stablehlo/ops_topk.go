package stablehlo

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/trace"
)

// dynamicTopKCall takes the k largest elements of the last axis.
func dynamicTopKCall(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 2)
	k := f.known(in[1], "number of elements")
	if len(k) != 1 {
		f.fail(core.ErrShape, "the number of elements must be one integer, got %s; pass a tensor<i32>", typeText(in[1].Aval()))
	}
	return f.topK(in[0], k[0])
}

// approxTopKCall takes the first k elements of an axis in the order of a comparator, and the
// elements of other arrays at the same positions. It is exact, as XLA's is on CPUs. The operands
// are the arrays, then an initial value for each of them, which pads an array that is split. If k
// is computed, k and the shapes of the results follow.
func approxTopKCall(f *frame, o *op, in []core.Value) []core.Value {
	f.arrays(in)
	n := o.results
	if len(in) < 2*n || n == 0 {
		f.invalid(core.ErrCheck, "takes %d arrays and as many initial values, got %s", n, core.Count(len(in), "operand"))
	}
	xs, a := in[:n], in[0].Aval()
	f.sameShapes(xs)
	config := f.config(o)
	if b, ok := config.get("aggregate_to_topk"); ok && b != attr(boolAttr(true)) {
		f.fail(core.ErrNoRule, "is supported with aggregate_to_topk only; export with aggregate_to_topk=True")
	}
	axis := config.int("reduction_dim", a.Rank()-1)
	if axis < 0 || axis >= a.Rank() {
		f.invalid(core.ErrShape, "axis %d is not an axis of %s", axis, typeText(a))
	}
	k := config.int("top_k", -1)
	if len(in) > 2*n {
		if list := f.known(in[2*n], "number of elements"); len(list) == 1 {
			k = list[0]
		}
	}
	if k < 0 || k > a.Shape.At(axis) {
		f.fail(core.ErrShape, "%d elements cannot be taken of axis %d of %s; take at most as many as it has", k, axis, typeText(a))
	}
	called, _ := f.attr(o, "called_computations")
	names, _ := called.(listAttr)
	if len(names) != 1 {
		f.fail(core.ErrCheck, "needs one function that compares, got %d; name one in called_computations", len(names))
	}
	var name string
	switch s := f.resolve(names[0]).(type) {
	case symbolAttr:
		name = string(s)
	case stringAttr:
		name = string(s)
	}
	less := f.m.byName[name]
	if less == nil || len(less.Args) > 2*n {
		f.fail(core.ErrCheck, "there is no function %s that compares; define it in the module, with two arguments for each array", name)
	}
	var types []core.ShapedArray
	for _, x := range xs {
		types = append(types, core.Aval(x.Aval().DType), core.Aval(x.Aval().DType))
	}
	j := trace.Stage("comparator", types, func(in []core.Value) []core.Value { return f.call(name, in[:len(less.Args)]) })
	if len(j.Outs) != 1 || j.Outs[0].Aval() != core.Aval(core.Bool) {
		f.fail(core.ErrCheck, "the function %s must return tensor<i1>; return one comparison, as stablehlo.compare GT", name)
	}
	out := indexed.SortBy(axis, j, xs...)
	for i, x := range out {
		out[i] = firstOf(x, axis, k)
	}
	return out
}

// config returns the configuration of a call, nil if it has none.
func (f *frame) config(o *op) dictAttr {
	if d := f.dict(o, "mhlo.backend_config"); d != nil {
		return d
	}
	if a, ok := f.attr(o, "backend_config"); ok {
		if d, ok := a.(dictAttr); ok {
			return d
		}
	}
	return nil
}
