package transforms_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// Every transformation refuses a nil or zero primitive with programs by an error of the library.
func TestTransformationsRefuseNilProgramPrimitives(t *testing.T) {
	x := prim.Num(core.Aval(core.Float32), 1)
	for _, zero := range []core.Primitive{
		&jaxpr.Jit{}, &jaxpr.CoreCall{}, &jaxpr.Cond{}, &jaxpr.While{}, &jaxpr.Scan{}, &jaxpr.Remat{}, &jaxpr.CustomJVP{}, &jaxpr.CustomVJP{},
		&jaxpr.CustomLin{}, &jaxpr.CustomVmap{}, &jaxpr.LinearCall{}, &jaxpr.LinearSolve{},
	} {
		for _, p := range []core.Primitive{zero, reflect.Zero(reflect.TypeOf(zero)).Interface().(core.Primitive)} {
			for n := range 3 {
				f := func(in []val) []val {
					var all []val
					for range n {
						all = append(all, in[0])
					}
					return core.Bind(p, all...)
				}
				for name, run := range map[string]func(){
					"eager": func() { f([]val{x}) },
					"stage": func() { trace.Stage("f", []core.ShapedArray{x.Aval()}, f) },
					"jvp":   func() { transforms.JVP(f, []val{x}, []val{x}) },
					"vjp": func() {
						out, back := transforms.VJP(f, []val{x}, []bool{true})
						back(out)
					},
					"linearize of jit": func() {
						j := trace.Stage("f", []core.ShapedArray{x.Aval()}, f)
						transforms.VJP(func(in []val) []val { return core.Bind(jitOf(j), in...) }, []val{x}, []bool{true})
					},
					"vmap": func() {
						transforms.Vmap(3, "", f, []val{prim.Iota(core.Float32, core.MakeDims(3), 0)}, []bool{true})
					},
				} {
					if bad := testcheck.Foreign(run); bad != nil {
						t.Errorf("%s of %T (nil %v) with %d operands: got the panic %v, want an error", name, p, reflect.ValueOf(p).IsNil(), n, bad)
					}
				}
			}
		}
	}
}

// GradProgram counts inputs without constants, and refuses an integer by its position.
func TestGradProgramOfSomeInputs(t *testing.T) {
	ten := runtimeScalar(10)
	i32 := core.Aval(core.Int32)
	j := trace.Stage("f", []core.ShapedArray{f64, i32, f64}, func(in []val) []val {
		return []val{prim.Mul(prim.Mul(in[0], ten), prim.Mul(in[2], in[2]))}
	})
	if len(j.Consts) != 1 {
		t.Fatalf("%d constants, want 1", len(j.Consts))
	}
	g := transforms.GradProgram(j, []int{2})
	in := []val{ten, runtimeScalar(3), core.Literal{Num: core.IntNumber(5), Type: core.Int32}, runtimeScalar(4)}
	if d := differAll(jaxpr.Eval(g, nil, in), []val{runtimeScalar(240)}); d != "" {
		t.Errorf("with respect to input 2: %s", d)
	}
	var e *core.Error
	if err := testcheck.Recover(func() { transforms.GradProgram(j, []int{1}) }); !errors.As(err, &e) || !errors.Is(err, core.ErrDType) || !strings.Contains(e.Msg, "input 1 is i32[], which has no derivative") {
		t.Errorf("with respect to an integer: got %v", err)
	}
}
