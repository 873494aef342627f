package transforms_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// compiling counts the programs that are compiled.
type compiling struct {
	runtime.Executor
	n *int
}

func (c compiling) Compile(r *runtime.Request) (runtime.Executable, error) {
	*c.n++
	return c.Executor.Compile(r)
}

// Transformed programs are cached in what they came from: the second gradient of a recorded program
// traces nothing and compiles nothing.
func TestTracesAndCompilesOnce(t *testing.T) {
	m := weftMachine{}
	for name, f := range map[string]func(val) val{
		"sin": prim.Sin, "scan": m.scan(prim.Sin), "cond": m.cond(prim.Sin), "remat": m.remat(m.scan(m.cond(prim.Sin))), "custom": m.customJVP(prim.Sin),
	} {
		j := trace.Stage("f", []core.ShapedArray{f64}, lift(f))
		call := &jaxpr.Jit{Fn: "f", Jaxpr: j}
		compiled := 0
		old := runtime.Default()
		if err := runtime.SetDefault(&compiling{old, &compiled}); err != nil {
			panic(err)
		}
		defer runtime.SetDefault(old)
		traced := 0
		count := func(*jaxpr.Jaxpr) error { traced++; return nil }
		defer trace.Check.Store(trace.Check.Swap(&count))
		f := func(in []val) []val { return core.Bind(call, in...) }
		for round := range 3 {
			for what, run := range map[string]func(){
				"VJP": func() {
					_, vjp := transforms.VJP(f, []val{runtimeScalar(0.5)}, []bool{true})
					vjp([]val{m.num(1)})
				},
				"JVP":  func() { transforms.JVP(f, []val{runtimeScalar(0.5)}, []val{m.num(1)}) },
				"Vmap": func() { transforms.Vmap(3, "", f, []val{vector(1, 2, 3)}, []bool{true}) },
			} {
				traced, compiled = 0, 0
				run()
				if round == 0 && (traced == 0 || compiled == 0) {
					t.Errorf("%s of %s: the counters do not count: %d traces, %d compilations", what, name, traced, compiled)
				}
				if name == "custom" && what == "Vmap" {
					continue // the rules that are made for a batch may hold values of it
				}
				if round > 0 && traced+compiled != 0 {
					t.Errorf("%s of %s, round %d: %d traces, %d compilations", what, name, round, traced, compiled)
				}
			}
		}
		if err := runtime.SetDefault(old); err != nil {
			panic(err)
		}
	}
}

// A dot in a batch has the bits of a dot alone, also where the length is no multiple of anything,
// and products give −0.
func TestBitsOfDots(t *testing.T) {
	for _, k := range []int{1, 3, 127, 128, 129, 255, 300} {
		a, b := runtime.New(core.Aval(core.Float64, 3, k)), runtime.New(core.Aval(core.Float64, 3, k))
		x, y := viewF64(a), viewF64(b)
		for i := range x {
			x[i], y[i] = math.Sin(float64(i)), math.Cos(1.7*float64(i))
			if i%5 == 0 {
				x[i], y[i] = -1e-200, 1e-200
			}
		}
		dot := func(in []val) []val {
			return []val{prim.DotGeneral(in[0], in[1], prim.DotGeneralP{LhsContract: core.MakeDims(0), RhsContract: core.MakeDims(0)})}
		}
		outs, _ := transforms.Vmap(3, "", dot, []val{a, b}, []bool{true, true})
		for i := range 3 {
			if d := differ(row(outs[0], i), dot([]val{row(a, i), row(b, i)})[0]); d != "" {
				t.Errorf("K = %d: %s", k, d)
			}
		}
	}
	zero := prim.DotGeneral(vector(-1e-200), vector(1e-200), prim.DotGeneralP{LhsContract: core.MakeDims(0), RhsContract: core.MakeDims(0)})
	if n := viewF64(zero.(*runtime.Array))[0]; n != 0 || math.Signbit(n) {
		t.Errorf("a sum of −0 is %v, want +0", n)
	}
}

// Conditionals are linearized once: the branches of a recorded program are cached in it
// without a call around them.
func TestConditionalIsLinearizedOnce(t *testing.T) {
	m := weftMachine{}
	j := trace.Stage("f", []core.ShapedArray{f64}, lift(m.cond(prim.Sin)))
	traced := 0
	count := func(*jaxpr.Jaxpr) error { traced++; return nil }
	defer trace.Check.Store(trace.Check.Swap(&count))
	var rounds []int
	for range 3 {
		traced = 0
		transforms.Linearize(func(in []val) []val { return jaxpr.Eval(j, nil, in) }, []val{runtimeScalar(0.5)}, []bool{true})
		rounds = append(rounds, traced)
	}
	t.Log(rounds)
	if rounds[0] < 4 || rounds[1] > 1 || rounds[2] > 1 {
		t.Errorf("programs traced by each linearization: %v, want those of the branches in the first alone", rounds)
	}
}
