package transforms_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// Properties of the interpreters, each with the smallest program that shows it.

// gradient returns the derivative of a function of one number.
func gradient(f func(val) val, x float64) float64 {
	n, _ := literalOrArray(weftMachine{}.grad(f)(runtimeScalar(x)))
	return n
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	testcheck.Near(t, what, got, want, 1e-12)
}

// executed counts the operations that the bottom executes while f runs, by name.
func executed(f func()) map[string]int {
	old := core.Bottom
	c := counter{old, map[string]int{}}
	core.Bottom = c
	defer func() { core.Bottom = old }()
	f()
	return c.n
}

type counter struct {
	core.Interpreter
	n map[string]int
}

func (c counter) Interpret(p core.Primitive, in []val) []val {
	c.n[p.Name()]++
	return c.Interpreter.Interpret(p, in)
}

// An effect in a branch that is not taken does not happen; one in a scan of three steps happens
// three times.
func TestEffectsStayInTheirPrograms(t *testing.T) {
	calls := 0
	look := &hostcall.HostFunc{Name: "look", Call: func([]val) []val { calls++; return nil }}
	m := weftMachine{}
	run := func(f func(x val) val) int {
		calls = 0
		m.jit(f)(runtimeScalar(-1))
		return calls
	}
	if n := run(func(x val) val {
		return trace.Cond(prim.Gt(x, m.num(0)), func() []val { hostcall.DebugCallback(look, false, x); return []val{prim.Sin(x)} }, func() []val { return []val{x} })[0]
	}); n != 0 {
		t.Errorf("the branch that is not taken was run %d times", n)
	}
	if n := run(func(x val) val {
		return m.scan(func(c val) val { hostcall.DebugCallback(look, false, x); return prim.Sin(c) })(x)
	}); n != 3 {
		t.Errorf("the body of a scan of 3 called %d times", n)
	}
}

// A tape records tangents only; the rest is executed at once.
func TestTapeIsNoRecorder(t *testing.T) {
	var lin *transforms.Linear
	n := executed(func() {
		_, lin = transforms.Linearize(func(in []val) []val {
			return []val{prim.Mul(prim.Sin(in[0]), prim.Cos(runtimeScalar(6)))}
		}, []val{runtimeScalar(0.5)}, []bool{true})
	})
	if k := len(lin.Jaxpr().Eqns); k != 2 {
		t.Errorf("%d equations on the tape, want 2:\n%s", k, lin.Jaxpr())
	}
	for _, op := range []string{"sin", "mul"} {
		if n[op] != 1 {
			t.Errorf("%s was executed %d times, want once: %v", op, n[op], n)
		}
	}
	if n["cos"] != 2 { // of 6, and of x for the derivative
		t.Errorf("cos was executed %d times, want twice: %v", n["cos"], n)
	}
}

// scaled returns a function with a forward rule: sin, whose derivative is k times t.
func scaled(y, k val) val {
	return core.Bind1(&jaxpr.CustomJVP{Fn: "g", RuleName: "rule", F: lift(prim.Sin), Rule: func(in, t []val) ([]val, []val) {
		return []val{prim.Sin(in[0])}, []val{prim.Mul(t[0], k)}
	}}, y)
}

// scaledBack returns the same with a reverse rule.
func scaledBack(y, k val) val {
	return core.Bind1(&jaxpr.CustomVJP{Fn: "g", FwdName: "fwd", BwdName: "bwd", F: lift(prim.Sin),
		Fwd: func(in []val) ([]val, []val) { return []val{prim.Sin(in[0])}, nil },
		Bwd: func(_, ct []val) []val { return []val{prim.Mul(ct[0], k)} },
	}, y)
}

func vector(vs ...float64) val { return runtimeOf(vs...) }

// summed returns the sum over a batch of f, which is given an element.
func summed(xs val, f func(y val) val) val {
	n := xs.Aval().Shape.At(0)
	outs, mapped := transforms.Vmap(n, "", lift(f), []val{xs}, []bool{true})
	return prim.ReduceSum(stacked(n, outs, mapped)[0], core.MakeDims(0))
}

// A rule may close over a tracer that is younger than the rule's operands: the derivative with
// respect to z of Σ custom(z), whose rule takes t to y·t, is Σ y.
func TestRuleClosesOverYounger(t *testing.T) {
	xs := vector(1, 2, 3)
	m := weftMachine{}
	for name, custom := range map[string]func(y, k val) val{"rule": scaled, "bwd": scaledBack} {
		f := func(z val) val { return summed(xs, func(y val) val { return custom(z, y) }) }
		near(t, name, gradient(f, 0.5), 6)
		near(t, "jit of "+name, gradient(m.jit(f), 0.5), 6)
		n, _ := literalOrArray(m.jit(m.grad(f))(runtimeScalar(0.5)))
		near(t, name+" in jit", n, 6)
	}
}

// Rules are entered again with a level of their own: the derivative of a batch is applied after the
// batch has ended, within a younger trace.
func TestLevelOnReentry(t *testing.T) {
	for name, custom := range map[string]func(y, k val) val{"rule": scaled, "bwd": scaledBack} {
		f := func(in []val) []val { // the rule closes over an element of another batch
			outs, _ := transforms.Vmap(3, "", func(in []val) []val { return []val{custom(in[0], prim.Mul(in[1], weftMachine{}.num(2)))} },
				[]val{in[0], vector(1, 2, 3)}, []bool{true, true})
			return outs
		}
		_, vjp := transforms.VJP(f, []val{vector(1, 2, 3)}, []bool{true})
		outs, again := staged("back", vjp, []val{vector(1, 10, 100)}, jitOf)
		if d := differ(outs[0], vector(2, 40, 600)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if d := differ(again([]val{vector(0, 0, 1)})[0], vector(0, 0, 6)); d != "" {
			t.Errorf("%s, again: %s", name, d)
		}
		// And mapped over a batch of cotangents.
		back, mapped := transforms.Vmap(2, "", vjp, []val{prim.Stack(0, vector(1, 1, 1), vector(0, 1, 0))}, []bool{true})
		if d := differ(stacked(2, back, mapped)[0], prim.Stack(0, vector(2, 4, 6), vector(0, 4, 0))); d != "" {
			t.Errorf("%s, batch: %s", name, d)
		}
	}
}

// What an interpreter binds goes to the interpreters below it.
func TestVmapOfWhileOfCondOfRule(t *testing.T) {
	m := weftMachine{}
	f := m.vmap(m.while(m.cond(m.customVJP(prim.Sin))))
	want := 0.0
	for _, x := range []float64{0.4, 0.8} {
		for range 3 {
			x = math.Sin(x) / 2 // all are above the condition's bound
			_ = x
		}
		want += x
	}
	n, _ := literalOrArray(f(runtimeScalar(0.4)))
	near(t, "vmap of while of cond of custom_vjp", n, want)
	n, _ = literalOrArray(m.jit(f)(runtimeScalar(0.4)))
	near(t, "jit of it", n, want)
}

// A carry that starts without a tangent gets one: the zero that is written out is transposed away
// again, in scans, rematerialized programs and custom rules.
func TestWrittenZeros(t *testing.T) {
	m := weftMachine{}
	scan := func(c val) val { // k ← sin(k)·c, three times, from 0.7
		return m.scan(func(k val) val { return prim.Mul(prim.Sin(k), c) })(m.num(0.7))
	}
	want := func(c float64) float64 {
		d := func(c float64) float64 {
			k := 0.7
			for range 3 {
				k = math.Sin(k) * c / 2
			}
			return k
		}
		const h = 1e-5
		return (8*(d(c+h)-d(c-h)) - (d(c+2*h) - d(c-2*h))) / (12 * h)
	}
	for name, f := range map[string]func(val) val{
		"scan": scan, "remat of scan": m.remat(scan), "jit of scan": m.jit(scan),
		"scan in a custom rule": func(c val) val {
			return core.Bind1(&jaxpr.CustomVJP{Fn: "g", FwdName: "fwd", BwdName: "bwd", F: lift(scan),
				Fwd: func(in []val) ([]val, []val) { return []val{scan(in[0])}, []val{in[0]} },
				Bwd: func(res, ct []val) []val { return []val{prim.Mul(ct[0], m.grad(scan)(res[0]))} },
			}, c)
		},
		"two operands of a custom rule, one constant": func(c val) val {
			g := &jaxpr.CustomVJP{Fn: "g", FwdName: "fwd", BwdName: "bwd", F: func(in []val) []val { return []val{scan(in[1])} },
				Fwd: func(in []val) ([]val, []val) { return []val{scan(in[1])}, []val{in[1]} },
				Bwd: func(res, ct []val) []val { return []val{ct[0], prim.Mul(ct[0], m.grad(scan)(res[0]))} }}
			return core.Bind1(g, runtimeScalar(3), c)
		},
	} {
		testcheck.Within(t, name, gradient(f, 1.3), want(1.3), 1e-9)
	}
}

// A rule may itself differentiate a program forward; what it does to primals is not put on the tape.
func TestJVPWithinRules(t *testing.T) {
	m := weftMachine{}
	for name, inner := range map[string]func(val) val{
		"scan": m.scan(prim.Sin), "jit": m.jit(prim.Sin), "remat": m.remat(m.jit(prim.Sin)), "while": m.jit(m.cond(prim.Sin)),
	} {
		f := func(x val) val {
			return core.Bind1(&jaxpr.CustomJVP{Fn: "g", RuleName: "rule", F: lift(inner), Rule: func(in, t []val) ([]val, []val) {
				return transforms.JVP(lift(inner), in, t)
			}}, x)
		}
		near(t, name, gradient(f, 0.5), gradient(inner, 0.5))
		near(t, "twice "+name, gradient(m.grad(f), 0.5), gradient(m.grad(inner), 0.5))
		near(t, "jit of "+name, gradient(m.jit(f), 0.5), gradient(inner, 0.5))
		near(t, "remat of jit of "+name, gradient(m.remat(m.jit(f)), 0.5), gradient(inner, 0.5))
	}
	// A program that mixes what is linear and what is not is separated before it is
	// transposed: a counter beside a linear carry.
	linear := func(in []val) []val {
		i := core.Literal{Num: core.IntNumber(0), Type: core.Int32}
		c, _ := trace.Scan(func(c, _ []val) ([]val, []val) {
			k := prim.Convert(c[0], core.Float64, false)
			return []val{prim.Add(c[0], core.Literal{Num: core.IntNumber(1), Type: core.Int32}), prim.Mul(c[1], prim.Add(k, m.num(1)))}, nil
		}, []val{i, in[0]}, nil, trace.ScanConfig{Length: 4})
		return c[1:]
	}
	_, back := transforms.LinearTranspose(linear, []core.ShapedArray{f64})
	n, _ := literalOrArray(back([]val{m.num(1)})[0])
	near(t, "transpose of a scan that counts", n, 24)
}

// The derivative of a program may have constants that the program has not: arrays that rules make,
// and tracers that they close over.
func TestConstantsOfRules(t *testing.T) {
	m := weftMachine{}
	f := m.remat(m.customVJP(m.vmap(prim.Sin)))
	near(t, "grad of remat of custom_vjp of vmap", gradient(f, 0.5), 3*math.Cos(0.5))

	// Vmap(y ↦ Scan(k ↦ custom(k), the rule closes over y)): Σ y² = 14.
	d4 := func(z val) val {
		return summed(vector(1, 2, 3), func(y val) val {
			c, _ := trace.Scan(func(c, _ []val) ([]val, []val) {
				return []val{core.Bind1(&jaxpr.CustomJVP{Fn: "g", RuleName: "rule", F: lift(prim.Neg), Rule: func(in, t []val) ([]val, []val) {
					return []val{prim.Neg(in[0])}, []val{prim.Mul(t[0], y)}
				}}, c[0])}, nil
			}, []val{z}, nil, trace.ScanConfig{Length: 2})
			return c[0]
		})
	}
	near(t, "D4", gradient(d4, 0.5), 14)
	n, _ := literalOrArray(m.jit(m.grad(d4))(runtimeScalar(0.5)))
	near(t, "jit of D4", n, 14)
	n, _ = literalOrArray(m.vmap(m.grad(d4))(runtimeScalar(0.5)))
	near(t, "vmap of D4", n, 28)
}

// The residuals of all branches have a place.
func TestResidualsOfBranches(t *testing.T) {
	m := weftMachine{}
	f := func(x val) val {
		return trace.Cond(prim.Gt(x, m.num(1)), func() []val { return []val{prim.Sin(x)} }, func() []val { return []val{prim.Mul(prim.Mul(x, x), x)} })[0]
	}
	d := []func(float64) float64{math.Cos, func(x float64) float64 { return 3 * x * x }}
	dd := []func(float64) float64{func(x float64) float64 { return -math.Sin(x) }, func(x float64) float64 { return 6 * x }}
	for k, x := range []float64{1.5, 0.5} {
		near(t, "grad", gradient(f, x), d[k](x))
		near(t, "grad of jit", gradient(m.jit(f), x), d[k](x))
		near(t, "grad of grad", gradient(m.grad(f), x), dd[k](x))
	}
	// A batch that takes both branches: x and 2x.
	n, _ := literalOrArray(m.vmap(m.grad(f))(runtimeScalar(0.75)))
	near(t, "vmap of grad", n, 3*0.75*0.75+math.Cos(1.5))
	near(t, "grad of vmap", gradient(m.vmap(f), 0.75), 3*0.75*0.75+2*math.Cos(1.5))
	n, _ = literalOrArray(m.vmap(m.grad(m.grad(f)))(runtimeScalar(0.75)))
	near(t, "vmap of grad of grad", n, 6*0.75-math.Sin(1.5))
}

// A function that closes over a differentiated value is refused by name, regardless of what is
// around it.
func TestClosureInFourStacks(t *testing.T) {
	statement.Shows(t, "V-6", "a differentiated value that the function closes over is refused")
	m := weftMachine{}
	f := func(x val) val {
		return core.Bind1(&jaxpr.CustomJVP{Fn: "g", RuleName: "rule", F: func(in []val) []val { return []val{prim.Add(x, in[0])} },
			Rule: func(in, t []val) ([]val, []val) { return []val{prim.Add(x, in[0])}, []val{t[0]} }}, runtimeScalar(1))
	}
	for name, g := range map[string]func(val) val{"grad": m.grad(f), "jvp": m.jvp(f), "grad of jit": m.grad(m.jit(f)), "jit of grad": m.jit(m.grad(f))} {
		if err := testcheck.Recover(func() { g(runtimeScalar(0.5)) }); err == nil || !strings.Contains(err.Error(), "closes over a value") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// The tangent that a rule returns has the tangent type of its result.
func TestTangentTypesOfRules(t *testing.T) {
	x := runtimeScalar(0.5)
	call := func(result, tangent val) error {
		return core.Catch(func() {
			transforms.JVP(func(in []val) []val {
				return core.Bind(&jaxpr.CustomJVP{Fn: "g", RuleName: "rule", F: func([]val) []val { return []val{result} },
					Rule: func(in, t []val) ([]val, []val) { return []val{result}, []val{tangent} }}, in...)
			}, []val{x}, []val{x})
		})
	}
	whole := prim.Iota(core.Int32, core.MakeDims(3), 0)
	for _, c := range []struct {
		what            string
		result, tangent val
		ok              bool
	}{
		{"a scalar's", x, x, true},
		{"a vector for a scalar", x, vector(1, 2, 3), false},
		{"a number for an integer", whole, vector(1, 2, 3), false},
		{"an integer for a number", vector(1, 2, 3), whole, false},
	} {
		err := call(c.result, c.tangent)
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "return the tangent type") {
			t.Errorf("%s: got %v, want an error: %v", c.what, err, !c.ok)
		}
	}
}
