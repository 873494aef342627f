package stablehlo

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// frame is the values of one call of a function.
type frame struct {
	*translator
	env  []core.Value
	fn   *Func
	main bool
	q    map[*op]core.Value // the results of calls of orgqr: see geqrfCall
}

func (f *frame) region(r *region, args []core.Value) []core.Value {
	replay := core.StartReplay()
	defer replay.End()
	if len(args) != len(r.args) {
		f.fail(core.ErrCheck, "the region takes %s, got %d; declare an argument in ^bb0(…) for each value", core.Count(len(r.args), "argument"), len(args))
	}
	for i, a := range r.args {
		if _, is := args[i].(tuple); !is {
			if why := mismatch(a.typ, args[i].Aval(), correctType); why != "" {
				f.fail(core.ErrCheck, "argument %d of the region: %s", i, why)
			}
		}
		f.env[a.id] = args[i]
	}
	outer := f.at
	for _, o := range r.ops {
		f.at = o
		replay.At(f.m.src.site(o.pos))
		in := make([]core.Value, len(o.in))
		for i, id := range o.in {
			in[i] = f.env[id]
		}
		if o.name == "stablehlo.return" || o.name == "func.return" || o.name == "sdy.return" {
			f.at = outer
			return in
		}
		f.operands(o, in)
		out := f.op(o, in)
		f.at = o
		f.results(o, out)
		for i, v := range out {
			f.env[o.result+i] = v
		}
	}
	f.fail(core.ErrCheck, "a region or function ends without return; end it with stablehlo.return, a function with return")
	return nil
}

// operands checks operands against the types that the module declares.
func (f *frame) operands(o *op, in []core.Value) {
	for i, t := range o.inTypes {
		if i >= len(in) {
			return
		}
		if _, is := in[i].(tuple); is {
			continue
		}
		if why := mismatch(t, in[i].Aval(), correctType); why != "" {
			f.fail(core.ErrCheck, "operand %d: %s", i, why)
		}
	}
}

// results checks results against the types that the module declares.
func (f *frame) results(o *op, out []core.Value) {
	if len(out) != o.results {
		f.fail(core.ErrCheck, "returns %s, %d are declared; declare a type for each result", core.Count(len(out), "result"), o.results)
	}
	for i, t := range o.types {
		if _, is := out[i].(tuple); is {
			continue
		}
		if why := mismatch(t, out[i].Aval(), correctType); why != "" {
			f.fail(core.ErrCheck, "result %d: %s", i, why)
		}
	}
}

func (f *frame) op(o *op, in []core.Value) []core.Value {
	if g, ok := elementwise[o.name]; ok {
		if len(in) != g.operands {
			f.invalid(core.ErrCheck, "takes %s, got %d", core.Count(g.operands, "operand"), len(in))
		}
		f.arrays(in)
		return []core.Value{g.make(f, in)}
	}
	if g, ok := operations[o.name]; ok {
		return g(f, o, in)
	}
	if why, ok := unsupported[o.name]; ok {
		f.fail(core.ErrNoRule, "is not supported: %s", why)
	}
	f.fail(core.ErrNoRule, "there is no such operation, or it is not supported; correct its name, or decompose it into other operations before you export")
	return nil
}

// arrays checks that operands are arrays, not tuples or tokens.
func (f *frame) arrays(in []core.Value) {
	for i, v := range in {
		if _, is := v.(tuple); is {
			f.fail(core.ErrCheck, "operand %d is a tuple or token, want a tensor; take an element with stablehlo.get_tuple_element", i)
		}
	}
}

// want checks the number of operands, and that all are arrays.
func (f *frame) want(in []core.Value, n int) {
	if len(in) != n {
		f.invalid(core.ErrCheck, "takes %s, got %d", core.Count(n, "operand"), len(in))
	}
	f.arrays(in)
}

func (f *frame) oneResult(o *op) Type {
	if len(o.types) != 1 {
		f.invalid(core.ErrCheck, "has one result, %d are declared", len(o.types))
	}
	return o.types[0]
}

func (f *frame) regionCount(o *op, n int) {
	if len(o.regions) != n {
		f.invalid(core.ErrCheck, "has %s, got %d", core.Count(n, "region"), len(o.regions))
	}
}

// program makes a closed program of a region. Values from outside that do not depend on
// arguments become its constants.
func (f *frame) program(r *region, in []core.ShapedArray, what string) *jaxpr.Jaxpr {
	f.inner++
	defer func() { f.inner-- }()
	j := trace.Stage(what, in, func(in []core.Value) []core.Value { return flatten(f.region(r, in)) })
	for i, v := range j.ConstVals {
		if _, traced := v.(core.Tracer); !traced {
			continue
		}
		if !trace.Known(v) {
			f.fail(core.ErrNoRule, "its %s uses a value that is computed outside of it, which is not supported; pass it as an operand", what)
		}
		c, err := trace.Look(v)
		if err != nil {
			f.fail(core.ErrNoRule, "its %s uses a value from outside that cannot be computed: %v; pass it as an operand", what, err)
		}
		j.ConstVals[i] = c
	}
	return j
}
