package weft_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lax"
)

// plainly returns an interpreter that changes nothing and counts operations by name.
func plainly(count map[string]int) func(*weft.IR, []weft.Array) []weft.Array {
	var run func(program *weft.IR, in []weft.Array) []weft.Array
	run = func(program *weft.IR, in []weft.Array) []weft.Array {
		return jaxpr.Walk(program, weft.FromValue, in, func(e *jaxpr.Eqn, in []weft.Array) []weft.Array {
			count[e.Prim.Name()]++
			return weft.Apply(weft.Within(e.Prim, run), in...)
		})
	}
	return run
}

// everything returns a function with loops, branches, calls, and user-defined rules of both modes,
// which return 10 and 100 times the derivative.
func everything() func(weft.Array) weft.Array {
	forward := custom.JVP(weft.Sin, func(x, t weft.Array) (weft.Array, weft.Array) {
		return weft.Sin(x), weft.Cos(x).Mul(t).Mul(10)
	}, "forward")
	reverse := custom.VJP(weft.Cos, func(x weft.Array) (weft.Array, weft.Array) { return weft.Cos(x), x },
		func(x, g weft.Array) weft.Array { return weft.Sin(x).Neg().Mul(g).Mul(100) }, "reverse")
	inner := weft.Jit(func(x weft.Array) weft.Array { return forward(x).Mul(reverse(x)) })
	return func(x weft.Array) weft.Array {
		c := weft.Cond(x.Gt(0), func() weft.Array { return inner(x) }, func() weft.Array { return x.Mul(3) })
		c, ys := weft.ScanN(func(c weft.Array) (weft.Array, weft.Array) { return inner(c).Add(x), weft.Exp(c) }, c, 3)
		return weft.Remat(inner)(c).Add(ys.Sum())
	}
}

// An interpreter that changes nothing changes nothing, rules included, wherever it
// stands among the transformations.
func TestInterpretPlainly(t *testing.T) {
	f := everything()
	count := map[string]int{}
	g := weft.Interpret(f, plainly(count))
	for name, wrap := range map[string]func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array{
		"eager":       func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array { return f },
		"jit":         func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array { return weft.Jit(f) },
		"grad":        weft.Grad[weft.Array],
		"jit of grad": func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array { return weft.Jit(weft.Grad(f)) },
		"grad of jit": func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array { return weft.Grad(weft.Jit(f)) },
		"vmap of grad": func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array {
			return func(x weft.Array) weft.Array { return weft.Vmap(weft.Grad(f))(weft.Stack(0, x, x.Neg(), x.Mul(2))) }
		},
		"grad of vmap": func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array {
			return weft.Grad(func(x weft.Array) weft.Array {
				return weft.Jit(weft.Vmap(f))(weft.Stack(0, x, x.Neg(), x.Mul(2))).Sum()
			})
		},
	} {
		for _, x := range []weft.Array{s(0.7), s(-1.3)} {
			want := wrap(f)(x)
			if got := wrap(g)(x); !got.Equal(want) {
				t.Errorf("%s at %v: %v, without the interpreter %v", name, x, got, want)
			}
		}
	}
	for _, op := range []string{"cond", "scan", "jit", "remat2", "custom_jvp_call", "custom_vjp_call", "sin", "cos", "exp"} {
		if count[op] == 0 {
			t.Errorf("the interpreter did not receive %s: %v", op, count)
		}
	}
}

// with is an array and a label that goes with it.
type with struct {
	X     weft.Array
	Label weft.Array // an integer
	Name  string     // static
}

// Calls with rules pass on what an interpreter keeps beside the values: to the
// function, and to the rules when a derivative is taken.
func TestThrough(t *testing.T) {
	f := custom.JVP(func(p [2]weft.Array) weft.Array { return p[0].Mul(p[1]) }, func(p, d [2]weft.Array) (weft.Array, weft.Array) {
		return p[0].Mul(p[1]), d[0].Mul(p[1]).Add(p[0].Mul(d[1])).Mul(10)
	}, "product")
	g := custom.VJP(func(p [2]weft.Array) weft.Array { return p[0].Mul(p[1]) },
		func(p [2]weft.Array) (weft.Array, [2]weft.Array) { return p[0].Mul(p[1]), p },
		func(p [2]weft.Array, ct weft.Array) [2]weft.Array {
			return [2]weft.Array{ct.Mul(p[1]).Mul(10), {}} // no cotangent for the second operand
		}, "product")
	for name, c := range map[string]struct {
		f    func([2]weft.Array) weft.Array
		want [2]float64
	}{"forward": {f, [2]float64{30, 20}}, "reverse": {g, [2]float64{30, 0}}} {
		sums := map[string]int{} // the operations found, each with the labels of its operands
		var run func(program *weft.IR, in []with) []with
		run = func(program *weft.IR, in []with) []with {
			of := func(v weft.Value) with { return with{weft.FromValue(v), weft.Scalar(0), "number"} }
			return jaxpr.Walk(program, of, in, func(e *jaxpr.Eqn, in []with) []with {
				if strings.HasPrefix(e.Prim.Name(), "custom") {
					return weft.Through(e.Prim, in, run)
				}
				xs, label, names := []weft.Array{}, weft.Scalar(0), ""
				for _, w := range in {
					xs, label, names = append(xs, w.X), label.Add(w.Label), names+w.Name
				}
				sums[e.Prim.Name()+" "+names]++
				return []with{{weft.Apply(e.Prim, xs...)[0], label, names}}
			})
		}
		h := weft.Interpret(c.f, func(program *weft.IR, in []weft.Array) []weft.Array {
			out := run(program, []with{{in[0], weft.Scalar(1), "a"}, {in[1], weft.Scalar(2), "b"}})[0]
			if out.Name != "ab" || weft.StopGradient(out.Label).DType() != weft.Int32 {
				t.Errorf("%s: the result goes with %q", name, out.Name)
			}
			// The label of the result is part of it, so that the test can check that it arrives.
			return []weft.Array{out.X.Add(out.Label.AsType(weft.Float32))}
		})
		x := [2]weft.Array{s(2), s(3)}
		near(t, name+" value", h(x), 9)
		for place, grad := range map[string]func([2]weft.Array) [2]weft.Array{
			"grad": weft.Grad(h), "jit of grad": weft.Jit(weft.Grad(h)), "grad of jit": weft.Grad(weft.Jit(h)),
			"vmap of grad": func(x [2]weft.Array) [2]weft.Array {
				x[0] = weft.Stack(0, x[0], x[0])
				g := weft.Vmap(weft.Grad(h), weft.In([]any{0, weft.None}))(x)
				return weft.TreeIndex(g, 1)
			},
		} {
			got := grad(x)
			near(t, name+", "+place+" 0", got[0], c.want[0])
			near(t, name+", "+place+" 1", got[1], c.want[1])
		}
		// Only the rule multiplies by a number.
		ruled := false
		for op := range sums {
			ruled = ruled || strings.HasPrefix(op, "mul ") && strings.Contains(op, "a") && strings.HasSuffix(op, "number")
		}
		if sums["mul ab"] == 0 || !ruled {
			t.Errorf("%s: the function or its rule was not interpreted: %v", name, sums)
		}
	}
}

// Functions keep their types; errors of the function are returned.
func TestInterpretTypes(t *testing.T) {
	type in struct {
		A    weft.Array
		More []weft.Array
		Flag bool
	}
	negative := errors.New("negative")
	f := func(p in, k int) (map[string]weft.Array, error) {
		if k < 0 {
			return nil, negative
		}
		return map[string]weft.Array{"a": p.A.Mul(k), "b": p.More[0]}, nil
	}
	g := weft.Interpret(f, plainly(map[string]int{}))
	out, err := g(in{s(2), []weft.Array{s(5)}, true}, 3)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "a", out["a"], 6)
	near(t, "b", out["b"], 5)
	if _, err := g(in{s(2), []weft.Array{s(5)}, true}, -1); !errors.Is(err, negative) {
		t.Errorf("got %v", err)
	}
}

func TestInterpretRefusals(t *testing.T) {
	loop := func(x weft.Array) weft.Array {
		return weft.ForI(3, func(_, x weft.Array) weft.Array { return weft.Sin(x) }, x)
	}
	rewritten := func(by func(e *jaxpr.Eqn, in []weft.Array) []weft.Array) func(weft.Array) weft.Array {
		var run func(program *weft.IR, in []weft.Array) []weft.Array
		run = func(program *weft.IR, in []weft.Array) []weft.Array {
			return jaxpr.Walk(program, weft.FromValue, in, func(e *jaxpr.Eqn, in []weft.Array) []weft.Array {
				if e.Prim.Name() == "sin" {
					return by(e, in)
				}
				return weft.Apply(weft.Within(e.Prim, run), in...)
			})
		}
		return weft.Interpret(loop, run)
	}
	testcheck.Fails(t, core.ErrDType, func() {
		rewritten(func(_ *jaxpr.Eqn, in []weft.Array) []weft.Array { return []weft.Array{in[0].Reshape(1)} })(s(1))
	}, "scan", "f32[]", "f32[1]", "keeps types")
	testcheck.Fails(t, core.ErrCheck, func() {
		rewritten(func(*jaxpr.Eqn, []weft.Array) []weft.Array { return nil })(s(1))
	}, "sin", "0 results", "interpret_test.go:")
	testcheck.Fails(t, core.ErrEscaped, func() {
		weft.Grad(func(y weft.Array) weft.Array {
			return rewritten(func(_ *jaxpr.Eqn, in []weft.Array) []weft.Array { return []weft.Array{in[0].Mul(y)} })(s(1))
		})(s(2))
	}, "scan", "traced f32[]")
	testcheck.Fails(t, core.ErrTree, func() {
		weft.Interpret(loop, func(_ *weft.IR, in []weft.Array) []weft.Array { return slices.Repeat(in, 2) })(s(1))
	}, "2 results", "has 1")
	testcheck.Fails(t, core.ErrNoRule, func() {
		weft.Interpret(weft.Sin, func(program *weft.IR, in []weft.Array) []weft.Array {
			return weft.Through(program.Eqns[0].Prim, in, nilRun)
		})(s(1))
	}, "sin", "no call")
}

// An operation that the library cannot compute is refused before it is bound.
func TestApplyOfUnknownOperations(t *testing.T) {
	program, err := jaxpr.Parse("{ lambda ; a:f32[]. let b:f32[] = frob[x=1] a in (b,) }", nil)
	if err != nil {
		t.Fatal(err)
	}
	testcheck.Fails(t, core.ErrStatic, func() { weft.Apply(nil, s(1)) }, "Apply: the operation is nil; pass one")
	testcheck.Fails(t, core.ErrNoRule, func() { weft.Apply(program.Eqns[0].Prim, s(1)) }, "frob", "cannot be applied: it is not in the vocabulary")
}

func nilRun(*weft.IR, []weft.Array) []weft.Array { return nil }

// Reductions, windows and scatters by programs are interpreted within, too.
func TestWithinReducers(t *testing.T) {
	max2 := func(a, b weft.Array) weft.Array { return weft.Maximum(a, b) }
	for name, f := range map[string]func(x weft.Array) weft.Array{
		"reduce": func(x weft.Array) weft.Array {
			return lax.Reduce(x, weft.Scalar(float32(0)), func(a, b weft.Array) weft.Array { return max2(a, b.Mul(2)) }, 0)
		},
		"scatter": func(x weft.Array) weft.Array { return x.At(1).Apply(weft.Sin) },
	} {
		count := map[string]int{}
		x := vec(1, 2, 3)
		want, got := f(x), weft.Interpret(f, plainly(count))(x)
		if !got.Equal(want) {
			t.Errorf("%s: %v, without the interpreter %v", name, got, want)
		}
		if count["max"]+count["sin"] == 0 {
			t.Errorf("%s: the program within was not interpreted: %v", name, count)
		}
	}
}

func TestParameter(t *testing.T) {
	ir, err := weft.Jaxpr(func(x weft.Array) weft.Array { return x.Sum(1) }, weft.Zeros(2, 3))
	if err != nil {
		t.Fatal(err)
	}
	p := ir.Eqns[0].Prim
	if v, ok := jaxpr.Parameter(p, "axes"); !ok || v.(interface{ String() string }).String() != "(1,)" {
		t.Errorf("axes: %v %v", v, ok)
	}
	if _, ok := jaxpr.Parameter(p, "no such"); ok {
		t.Error("a parameter that is not there was found")
	}
}
