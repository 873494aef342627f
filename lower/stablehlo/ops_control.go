package stablehlo

import (
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

var controlOps map[string]operation

func controlTable() {
	controlOps = map[string]operation{
		"func.call":                      callOp,
		"stablehlo.composite":            compositeOp,
		"stablehlo.while":                whileOp,
		"stablehlo.if":                   ifOp,
		"stablehlo.case":                 caseOp,
		"stablehlo.map":                  mapOp,
		"stablehlo.tuple":                tupleOp,
		"stablehlo.get_tuple_element":    tupleElementOp,
		"stablehlo.optimization_barrier": barrierOp,
		"stablehlo.after_all":            tokenOp,
		"sdy.manual_computation":         manualOp,
		"stablehlo.all_reduce":           allReduceOp,
		"stablehlo.all_gather":           allGatherOp,
		"stablehlo.reduce_scatter":       reduceScatterOp,
		"stablehlo.all_to_all":           allToAllOp,
		"stablehlo.collective_permute":   permuteOp,
		"stablehlo.create_token":         tokenOp,
	}
}

func callOp(f *frame, o *op, in []core.Value) []core.Value {
	return f.call(f.text(o, "callee"), in)
}

// compositeOp runs the operation that a composite stands for, if it is known, or else the decomposition.
func compositeOp(f *frame, o *op, in []core.Value) []core.Value {
	if out, ok := f.written(o, in); ok {
		return out
	}
	if out, ok := f.sugar(o, in); ok {
		return out
	}
	name := f.text(o, "decomposition")
	if name == "" {
		f.missing("decomposition")
	}
	return f.call(name, in)
}

// written binds the equation of a composite that Write wrote. One that cannot be read is
// left to its decomposition.
func (f *frame) written(o *op, in []core.Value) (out []core.Value, ok bool) {
	if !strings.HasPrefix(f.text(o, "name"), "weft.") {
		return nil, false
	}
	a, _ := f.dict(o, "composite_attributes").get("equation")
	text, _ := f.resolve(a).(stringAttr)
	j, err := jaxpr.Parse(string(text), prim.Vocabulary)
	if err != nil || jaxpr.Check(j) != nil || len(j.Ins) != len(in) || len(j.Eqns) != 1 {
		return nil, false
	}
	args := make([]core.Value, len(in))
	for i, v := range j.Ins {
		args[i] = in[i]
		if v.Type.DType == core.Key {
			args[i] = prim.RandomWrap(in[i])
		}
		if !args[i].Aval().SameType(v.Type) {
			return nil, false
		}
	}
	out = jaxpr.Eval(j, nil, args)
	for i, v := range out {
		if v.Aval().DType == core.Key {
			out[i] = prim.RandomUnwrap(v)
		}
	}
	return out, true
}

// sugar runs a composite that stands for an operation of CHLO, as JAX exports it, by that
// operation rather than by its decomposition. The derivative of a decomposition that selects may
// be NaN where that of the operation is not.
func (f *frame) sugar(o *op, in []core.Value) (out []core.Value, ok bool) {
	name := f.text(o, "name")
	if !strings.HasPrefix(name, "chlo.") || f.intOr(o, "version", 1) != 1 {
		return nil, false
	}
	f.arrays(in)
	attrs := f.dict(o, "composite_attributes")
	if g, known := elementwise[name]; known && len(in) == g.operands && len(attrs) == 0 {
		return []core.Value{g.make(f, in)}, true
	}
	if k := attrs.int("k", -1); name == "chlo.top_k" && len(in) == 1 && len(attrs) == 1 && k >= 0 {
		return f.topK(in[0], k), true
	}
	return nil, false
}

func whileOp(f *frame, o *op, in []core.Value) []core.Value {
	f.regionCount(o, 2)
	types := make([]Type, len(in))
	flat := flatten(in)
	copy(types, o.types)
	if len(types) != len(o.types) {
		f.fail(core.ErrCheck, "carries %d values, %d types are declared; declare a type for each", len(in), len(o.types))
	}
	if len(flat) == 0 {
		f.fail(core.ErrCheck, "carries no value; pass at least one, which the condition reads")
	}
	at := f.at
	if n, ok := f.counted(o, in); ok {
		out := repeated(n, func(c []core.Value) []core.Value {
			return flatten(f.region(o.regions[1], unflatten(types, c)))
		}, flat)
		f.at = at
		return unflatten(types, out)
	}
	out := trace.While(func(c []core.Value) core.Value {
		r := f.region(o.regions[0], unflatten(types, c))
		if len(r) != 1 {
			f.fail(core.ErrCheck, "the condition returns %s, want one; return a tensor<i1> alone", core.Count(len(r), "value"))
		}
		return r[0]
	}, func(c []core.Value) []core.Value {
		return flatten(f.region(o.regions[1], unflatten(types, c)))
	}, flat)
	f.at = at
	return unflatten(types, out)
}

func ifOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	f.regionCount(o, 2)
	if a := in[0].Aval(); !a.DType.IsBool() || a.Rank() != 0 {
		f.fail(core.ErrCheck, "the predicate must be tensor<i1>, got %s; reduce it to one element", typeText(a))
	}
	branch := func(r *region) func() []core.Value {
		return func() []core.Value { return flatten(f.region(r, nil)) }
	}
	return unflatten(o.types, f.checked(o, trace.Cond(in[0], branch(o.regions[0]), branch(o.regions[1]))))
}

// checked returns flat, which must have as many arrays as the declared types.
func (f *frame) checked(o *op, flat []core.Value) []core.Value {
	n := 0
	for _, t := range o.types {
		n += len(leaves(t, nil))
	}
	if n != len(flat) {
		f.fail(core.ErrCheck, "the regions return %s, %d are declared; return a value for each declared type", core.Count(len(flat), "value"), n)
	}
	return flat
}

// caseOp runs the branch that the index names; the last one if no branch has this index.
func caseOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	n := len(o.regions)
	if n == 0 {
		f.fail(core.ErrCheck, "has no branch; write a region for each index")
	}
	index := in[0]
	if a := index.Aval(); a.DType != core.Int32 || a.Rank() != 0 {
		f.fail(core.ErrCheck, "the index must be tensor<i32>, got %s; convert it with stablehlo.convert, or reduce it to one element", typeText(a))
	}
	num := func(k int) core.Value { return core.Lit(core.IntNumber(int64(k)), core.Int32) }
	index = prim.Where(prim.Lt(index, num(0)), num(n-1), index)
	branches := make([]func() []core.Value, n)
	for i, r := range o.regions {
		branches[i] = func() []core.Value { return flatten(f.region(r, nil)) }
	}
	return unflatten(o.types, f.checked(o, trace.Switch(index, branches...)))
}

// mapOp applies a region to each element: to whole arrays where it is made of
// elementwise operations, else one after the other.
func mapOp(f *frame, o *op, in []core.Value) []core.Value {
	f.arrays(in)
	f.regionCount(o, 1)
	if len(in) == 0 {
		f.invalid(core.ErrCheck, "takes at least one operand")
	}
	f.sameShapes(in)
	shape := in[0].Aval().Shape
	if d, ok := f.attr(o, "dimensions"); ok {
		for i, k := range f.intsOf("dimensions", d) {
			if i != k {
				f.fail(core.ErrCheck, "the dimensions must be 0, 1, …, got %d at %d; name all axes in order", k, i)
			}
		}
	}
	scalars := make([]core.ShapedArray, len(in))
	for i, x := range in {
		scalars[i] = core.Aval(x.Aval().DType)
	}
	j := trace.Stage("map", scalars, func(in []core.Value) []core.Value { return f.region(o.regions[0], in) })
	if isFlat(j) {
		return applied(j, shape, in)
	}
	flat := make([]core.Value, len(in))
	for i, x := range in {
		flat[i] = prim.Reshape(x, dims([]int{shape.Size()}))
	}
	_, ys := trace.Scan(func(_, x []core.Value) ([]core.Value, []core.Value) {
		return nil, f.region(o.regions[0], x)
	}, nil, flat, trace.ScanConfig{Length: shape.Size(), Op: "stablehlo.map"})
	for i, y := range ys {
		ys[i] = prim.Reshape(y, shape)
	}
	return ys
}

// isFlat reports whether a program of scalars is made of elementwise operations, so that
// it does to arrays what it does to each of their elements.
func isFlat(j *jaxpr.Jaxpr) bool {
	for _, e := range j.Eqns {
		if call, ok := e.Prim.(*jaxpr.Jit); ok {
			if !isFlat(call.Jaxpr) {
				return false
			}
			continue
		}
		_, selects := e.Prim.(prim.SelectNP)
		if _, ok := e.Prim.(core.Elementwise); !ok && !selects || core.EffectsOf(e.Prim) != 0 {
			return false
		}
	}
	return true
}

// applied evaluates a flat program on arrays of one shape in the place of scalars.
func applied(j *jaxpr.Jaxpr, shape core.Dims, in []core.Value) []core.Value {
	env := map[*jaxpr.Var]core.Value{}
	for i, v := range j.Consts {
		env[v] = j.ConstVals[i]
	}
	for i, v := range j.Ins {
		env[v] = in[i]
	}
	read := func(atoms []jaxpr.Atom) []core.Value {
		out := make([]core.Value, len(atoms))
		for i, a := range atoms {
			out[i] = a
			if v, ok := a.(*jaxpr.Var); ok {
				out[i] = env[v]
			}
		}
		return out
	}
	full := func(vs []core.Value) []core.Value {
		for i, v := range vs {
			if v.Aval().Rank() == 0 {
				vs[i] = prim.BroadcastInDim(v, shape, core.Dims{})
			}
		}
		return vs
	}
	for _, e := range j.Eqns {
		args := read(e.Ins)
		var out []core.Value
		switch p := e.Prim.(type) {
		case *jaxpr.Jit:
			out = applied(p.Jaxpr, shape, args)
		case prim.SelectNP, prim.ClampP:
			out = core.Bind(e.Prim, full(args)...)
		default:
			out = core.Bind(p, args...)
		}
		for i, v := range e.Outs {
			env[v] = out[i]
		}
	}
	return full(read(j.Outs))
}

func repeated(n int, body func([]core.Value) []core.Value, init []core.Value) []core.Value {
	out, _ := trace.Scan(func(c, _ []core.Value) ([]core.Value, []core.Value) { return body(c), nil }, init, nil, trace.ScanConfig{Length: n})
	return out
}

func tupleOp(f *frame, o *op, in []core.Value) []core.Value { return []core.Value{tuple(in)} }

func tupleElementOp(f *frame, o *op, in []core.Value) []core.Value {
	if len(in) != 1 {
		f.invalid(core.ErrCheck, "takes one operand")
	}
	t, ok := in[0].(tuple)
	i := f.int(o, "index")
	if !ok || i < 0 || i >= len(t) {
		f.invalid(core.ErrCheck, "the operand is not a tuple of more than %s", core.Count(i, "element"))
	}
	return []core.Value{t[i]}
}

func barrierOp(f *frame, o *op, in []core.Value) []core.Value {
	if len(in) == 0 {
		return nil
	}
	for _, v := range in {
		if _, is := v.(tuple); is {
			return in
		}
	}
	return prim.OptimizationBarrier(in...)
}

func tokenOp(f *frame, o *op, in []core.Value) []core.Value { return []core.Value{tuple(nil)} }
