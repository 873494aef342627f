package weft

import (
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// Writing transformations of one's own: see docs/interpreters.md.

// Primitive is an operation as the equations of a program have it. A Go type with
// Name and Abstract is one; what else it can do are further methods, listed in
// package core.
type Primitive = core.Primitive

// Value is what stands behind an [Array] in the protocol between operations and
// transformations.
type Value = core.Value

// Apply applies an operation, as writing it in the program would: it is executed,
// recorded, differentiated or batched, as the operands and the surroundings ask.
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

// Interpret returns f with another meaning: each call traces f for the call's arguments and
// returns the program and its inputs to run, whose results take the place of f's. It
// keeps f's type, and composes with all transformations: run computes with arrays.
// Each call traces anew; put Jit around it to trace once.
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

// interpreted returns what run makes of a program.
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

// Within returns p with the programs within it interpreted by run, too: branches, loop
// bodies, calls. They keep their types. Of a call with rules of the user's (custom.JVP,
// custom.VJP) the function and the rules are interpreted, so that the rules stay: it is
// the right thing for an interpreter that means "call f, but …". One that means
// "rewrite f" writes such calls out first, with [lower.Inline].
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

// retraced returns what run makes of a program within p, as a program.
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
