package weft

import (
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// Writing transformations of one's own: see docs/interpreters.md.

// Primitive is the operation of an equation. A Go type with the methods Name and Abstract is one;
// package core lists the optional methods for derivatives, batching and so on.
type Primitive = core.Primitive

// Value is what an [Array] holds. Operations and transformations pass Values to each other.
type Value = core.Value

// Apply applies an operation as if it were written in the program: it is executed, recorded,
// differentiated or batched, as the operands and the surroundings require.
func Apply(p Primitive, in ...Array) []Array {
	if p == nil {
		core.FailOp(core.ErrStatic, "Apply", avalsOfArrays(in), "the operation is nil; pass one, as an interpreter receives it")
	}
	if why, out := jaxpr.Outside(p); out {
		core.FailOp(core.ErrNoRule, p.Name(), avalsOfArrays(in), "cannot be applied: %s", why)
	}
	vals := make([]core.Value, len(in))
	for i, x := range in {
		vals[i] = x.Value()
	}
	return arraysOf(core.Bind(p, vals...))
}

func avalsOfArrays(xs []Array) []core.ShapedArray {
	avals := make([]core.ShapedArray, len(xs))
	for i, x := range xs {
		avals[i] = x.aval()
	}
	return avals
}

// Interpret returns a function of f's type that run evaluates. Each call traces f for the call's
// arguments and passes the program and its inputs to run, whose results replace f's. run computes
// with arrays, so the function composes with all transformations. Put Jit around it to trace once.
//
//	noisy := weft.Interpret(f, func(program *weft.IR, in []weft.Array) []weft.Array {
//		return jaxpr.Walk(program, weft.FromValue, in, func(e *jaxpr.Eqn, in []weft.Array) []weft.Array {
//			fmt.Println(e.Prim.Name())
//			return weft.Apply(e.Prim, in...)
//		})
//	})
func Interpret[F any](f F, run func(program *IR, in []Array) []Array) F {
	s := funcOf("Interpret", f)
	leaves.RequireNonNil("Interpret", run)
	name := leaves.FuncName(f)
	return reflect.MakeFunc(s.Fn.Type(), func(args []reflect.Value) []reflect.Value {
		return s.Guard(func() []reflect.Value {
			a := s.Flatten(args)
			var r leaves.Results[Array]
			var err error
			program := trace.Stage(name, core.AvalsOf(a.Leaves), func(in []core.Value) []core.Value {
				_, r, err = s.Call(a, s.Defs(a), in)
				return r.Leaves
			})
			if err != nil {
				return s.Fail(err)
			}
			return s.RebuildValues(r, interpreted(name, program, run, a.Leaves))
		})
	}).Interface().(F)
}

// interpreted calls run with a program and checks its results.
func interpreted(name string, program *IR, run func(*IR, []Array) []Array, in []core.Value) []core.Value {
	xs := run(program, arraysOf(in))
	if len(xs) != len(program.Outs) {
		core.FailOp(core.ErrTree, "Interpret", nil, "the interpreter must return one array for each result (got %s for %s, which has %d); return as many", core.Count(len(xs), "result"), name, len(program.Outs))
	}
	outs := make([]core.Value, len(xs))
	for i, x := range xs {
		if x.IsZero() {
			core.FailOp(core.ErrTree, "Interpret", nil, "the interpreter returned no array for result %d of %s; return one", i, name)
		}
		outs[i] = x.Value()
	}
	return outs
}

// Within returns p with its inner programs (branches, loop bodies, calls) interpreted by run. The
// types of their results must not change. In a call with user-defined rules (custom.JVP,
// custom.VJP) the function and the rules are interpreted, so that the call keeps its rules. This
// suits an interpreter that adds something to a function. One that rewrites the function should
// first inline such calls with [lower.Inline].
func Within(p Primitive, run func(program *IR, in []Array) []Array) Primitive {
	leaves.RequireNonNil("Within", run)
	switch c := p.(type) {
	case *jaxpr.CustomJVP:
		return passJVP(c, plainPass(run))
	case *jaxpr.CustomVJP:
		return passVJP(c, plainPass(run))
	case *jaxpr.CustomVmap, *jaxpr.CustomLin:
		refuseRule("Within", p)
	}
	programs := jaxpr.Programs(p)
	if len(programs) == 0 {
		return p
	}
	done := map[*jaxpr.Jaxpr]*jaxpr.Jaxpr{}
	out := make([]*jaxpr.Jaxpr, len(programs))
	for i, j := range programs {
		if done[j] == nil {
			done[j] = retraced(p, j, run)
		}
		out[i] = done[j]
	}
	q, ok := jaxpr.WithPrograms(p, out)
	if !ok {
		core.FailOp(core.ErrNoRule, p.Name(), nil, "Within cannot replace the programs of %s; give it a meaning in the interpreter", p.Name())
	}
	return q
}

func refuseRule(op string, p Primitive) {
	core.FailOp(core.ErrNoRule, p.Name(), nil, "%s does not carry the rule of %s along; write the call out with lower.Inline, or give it a meaning in the interpreter", op, p.Name())
}

func retraced(p Primitive, j *jaxpr.Jaxpr, run func(*IR, []Array) []Array) *jaxpr.Jaxpr {
	out := trace.Stage(p.Name(), j.InAvals(), func(in []core.Value) []core.Value {
		return interpreted("a program within "+p.Name(), j, run, in)
	})
	for _, v := range out.ConstVals {
		if _, ok := v.(core.Tracer); ok {
			core.FailOp(core.ErrEscaped, p.Name(), []core.ShapedArray{v.Aval()}, "what runs within %s may use concrete arrays and its own arguments, not the traced %s from outside; pass it as an argument", p.Name(), v.Aval().Full())
		}
	}
	for i, a := range out.Outs {
		if was, now := j.Outs[i].Aval(), a.Aval(); !was.SameType(now) {
			core.FailOp(core.ErrDType, p.Name(), []core.ShapedArray{was, now}, "result %d of a program within %s was %v and has become %v; Within keeps types", i, p.Name(), was.Full(), now.Full())
		}
	}
	return out
}
