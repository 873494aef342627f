package jaxpr_test

import (
	"reflect"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
)

func TestNilReceivers(t *testing.T) {
	testcheck.NilReceivers(t, new(jaxpr.Jaxpr), new(jaxpr.Var), new(jaxpr.Builder), new(jaxpr.ParamReader), new(jaxpr.Slots), new(jaxpr.Numbers), new(jaxpr.ParseError))
}

// programPrimitives are the types of programs within programs.
var programPrimitives = []core.Primitive{
	&jaxpr.Jit{}, &jaxpr.CoreCall{}, &jaxpr.Cond{}, &jaxpr.While{}, &jaxpr.Scan{}, &jaxpr.Remat{}, &jaxpr.CustomJVP{}, &jaxpr.CustomVJP{},
	&jaxpr.CustomLin{}, &jaxpr.CustomVmap{}, &jaxpr.LinearCall{}, &jaxpr.LinearSolve{},
}

func TestNilReceiversOfProgramPrimitives(t *testing.T) {
	for _, p := range programPrimitives {
		testcheck.NilReceivers(t, p)
	}
}

// A nil or zero primitive with programs is refused wherever one is taken, and the message names it.
func TestProgramPrimitivesWithoutPrograms(t *testing.T) {
	x := core.Aval(core.Float32)
	for _, zero := range programPrimitives {
		for _, p := range []core.Primitive{zero, reflect.Zero(reflect.TypeOf(zero)).Interface().(core.Primitive)} {
			build := func(ins int) (j *jaxpr.Jaxpr) {
				v := jaxpr.NewVar(x)
				w := jaxpr.NewVar(x)
				e := &jaxpr.Eqn{Prim: p, Outs: []*jaxpr.Var{w}}
				for range ins {
					e.Ins = append(e.Ins, v)
				}
				return &jaxpr.Jaxpr{Ins: []*jaxpr.Var{v}, Eqns: []*jaxpr.Eqn{e}, Outs: []jaxpr.Atom{w}, ConstVals: []core.Value{}}
			}
			for ins := range 3 {
				for name, f := range map[string]func(){
					"Builder.Eqn": func() {
						b := jaxpr.NewBuilder()
						v := b.Input(x)
						b.Eqn(p, []jaxpr.Atom{v, v}[:min(ins, 2)]...)
					},
					"Check":        func() { must(jaxpr.Check(build(ins))) },
					"Eval":         func() { jaxpr.Eval(build(ins), nil, []core.Value{prim.Num(x, 1)}) },
					"Text":         func() { _ = build(ins).String() },
					"Programs":     func() { jaxpr.Programs(p) },
					"WithPrograms": func() { jaxpr.WithPrograms(p, nil) },
					"Parameter":    func() { jaxpr.Parameter(p, "jaxpr") },
					"Bind":         func() { core.Bind(p, []core.Value{prim.Num(x, 1), prim.Num(x, 1)}[:ins]...) },
					"AbstractOf":   func() { core.AbstractOf(p, []core.ShapedArray{x, x}[:ins]) },
					"Enclose":      func() { jaxpr.Enclose(p) },
					"Slots":        func() { build(ins).Slots() },
					"DOT":          func() { build(ins).DOT() },
					"HTML":         func() { build(ins).HTML("") },
				} {
					if bad := testcheck.Foreign(f); bad != nil {
						t.Errorf("%s of %T (nil %v) with %d operands: got the panic %v, want an error", name, p, reflect.ValueOf(p).IsNil(), ins, bad)
					}
				}
			}
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
