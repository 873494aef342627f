package transforms_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// Effects happen once and in program order, regardless of what is differentiated, mapped or
// recorded around them.
func TestEffectsKeepTheirOrder(t *testing.T) {
	m := weftMachine{}
	for _, ordered := range []bool{false, true} {
		var seen []string
		say := func(what string, in ...val) {
			hostcall.DebugCallback(&hostcall.HostFunc{Name: what, Call: func([]val) []val { seen = append(seen, what); return nil }}, ordered, in...)
		}
		f := func(x val) val {
			say("start")
			y := prim.Sin(x)
			say("sine", y)
			z := trace.Cond(prim.Gt(x, m.num(0)), func() []val { say("yes", y); return []val{prim.Mul(x, y)} }, func() []val { say("no"); return []val{x} })[0]
			c, _ := trace.Scan(func(c, xs []val) ([]val, []val) {
				say("step", c[0])
				v := m.jit(func(c val) val { say("inner", c); return prim.Mul(c, y) })(c[0])
				say("stepped", xs[0])
				return []val{v}, nil
			}, []val{z}, []val{int32s(1, 2)}, trace.ScanConfig{Length: -1})
			g := core.Bind1(&jaxpr.CustomVJP{Fn: "g", FwdName: "fwd", BwdName: "bwd",
				F:   func(in []val) []val { say("rule"); return []val{prim.Sin(in[0])} },
				Fwd: func(in []val) ([]val, []val) { say("rule"); return []val{prim.Sin(in[0])}, in },
				Bwd: func(res, ct []val) []val { say("back"); return []val{prim.Mul(ct[0], prim.Cos(res[0]))} },
			}, c[0])
			w := trace.While(func(c []val) val { say("more?"); return prim.Lt(c[0], int32of(1)) },
				func(c []val) []val { say("turn", y); return []val{prim.Add(c[0], int32of(1))} }, []val{int32of(0)})
			say("end", w[0])
			return prim.Mul(g, prim.Convert(w[0], core.Float64, false))
		}
		once := "start sine yes step inner stepped step inner stepped rule more? turn more? end"
		for name, c := range map[string]struct {
			f    func(val) val
			want string
		}{
			"at once":      {f, once},
			"jit":          {m.jit(f), once},
			"jit of jit":   {m.jit(m.jit(f)), once},
			"grad":         {m.grad(f), once + " back"},
			"jit of grad":  {m.jit(m.grad(f)), once + " back"},
			"grad of jit":  {m.grad(m.jit(f)), once + " back"},
			"grad of scan": {m.grad(m.onceInScan(f)), once + " back"},
			"grad of cond": {m.grad(m.condAlways(f)), once + " back"},
			"scan":         {m.onceInScan(f), once},
			"jit of remat": {m.jit(m.remat(f)), once},
			"jvp of a batch": {func(x val) val {
				return m.batchOfOne(func(y val) val { return m.jit(func(val) val { return f(m.num(0.5)) })(x) })(x)
			}, once},
			"batch of grad": {func(x val) val { return m.batchOfOne(func(val) val { return m.grad(f)(x) })(x) }, once + " back"},
		} {
			seen = nil
			_, err := attempt(func() []val { return []val{c.f(runtimeScalar(0.5))} })
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if got := strings.Join(seen, " "); got != c.want {
				t.Errorf("%s, ordered %v:\n got %s\nwant %s", name, ordered, got, c.want)
			}
		}
	}
}

// A program that is divided keeps the order of its effects within both parts, and loses
// none; a call that returns nothing known stays whole.
func TestSplitKeepsEffects(t *testing.T) {
	var seen []string
	say := func(what string, in ...val) {
		hostcall.DebugCallback(&hostcall.HostFunc{Name: what, Call: func([]val) []val { seen = append(seen, what); return nil }}, true, in...)
	}
	j := trace.Stage("f", []core.ShapedArray{f64, f64}, func(in []val) []val {
		say("1", in[0])
		y := prim.Sin(in[0])
		say("a", in[1])
		z := weftMachine{}.jit(func(x val) val { say("2", y); say("b", x); return prim.Mul(x, y) })(in[1])
		say("c", z)
		say("3", y)
		return []val{y, z}
	})
	known, rest, _, unknown := transforms.Split(j, []bool{false, true}, nil)
	if !slices.Equal(unknown, []bool{false, true}) {
		t.Fatalf("unknown results: %v", unknown)
	}
	x := runtimeScalar(0.5)
	outs := jaxpr.Eval(known, nil, []val{x})
	if got := strings.Join(seen, " "); got != "1 3" {
		t.Errorf("the known part prints %s", got)
	}
	seen = nil
	jaxpr.Eval(rest, nil, append(outs[1:], x))
	if got := strings.Join(seen, " "); got != "a 2 b c" {
		t.Errorf("the rest prints %s", got)
	}
}

// A program that is divided computes what the whole one computes, also where branches leave
// residuals of their own. A predicate that is unknown leaves nothing known.
func TestSplitComputesTheWhole(t *testing.T) {
	m := weftMachine{}
	positive := func(x val) val { return prim.Gt(x, m.num(0)) }
	branches := func(in []val) []val {
		x, y := in[1], in[2]
		return trace.Cond(positive(in[0]),
			func() []val {
				return []val{prim.Sin(x), prim.Add(prim.Mul(prim.Cos(x), y), prim.Mul(prim.Exp(x), prim.Sin(y)))}
			},
			func() []val {
				return []val{prim.Neg(x), prim.Mul(prim.Tanh(x), prim.Add(y, prim.Mul(x, x)))}
			})
	}
	countdown := func(in []val) []val { // until in[0] is 0: the other carries are a sum and a product
		return trace.While(func(c []val) val { return positive(c[0]) }, func(c []val) []val {
			return []val{prim.Sub(c[0], m.num(1)), prim.Add(c[1], m.num(0.5)), prim.Mul(c[2], c[1])}
		}, in)
	}
	for _, c := range []struct {
		name    string
		f       func([]val) []val
		unknown []bool
		results []bool
	}{
		{"cond with an unknown operand", branches, []bool{false, false, true}, []bool{false, true}},
		{"cond with an unknown predicate", branches, []bool{true, false, false}, []bool{true, true}},
		{"while with an unknown carry", countdown, []bool{false, false, true}, []bool{false, false, true}},
		{"while with an unknown condition", countdown, []bool{true, false, false}, []bool{true, true, true}},
	} {
		j := trace.Stage("f", repeated(3, f64), c.f)
		known, rest, n, unknown := transforms.Split(j, c.unknown, nil)
		if !slices.Equal(unknown, c.results) {
			t.Errorf("%s: the unknown results are %v, want %v", c.name, unknown, c.results)
			continue
		}
		for _, first := range []float64{2, -1} {
			in := []val{runtimeScalar(first), runtimeScalar(0.5), runtimeScalar(1.25)}
			var forKnown, forRest []val
			for k, v := range in {
				if c.unknown[k] {
					forRest = append(forRest, v)
				} else {
					forKnown = append(forKnown, v)
				}
			}
			outs := jaxpr.Eval(known, nil, forKnown)
			at := len(outs) - n
			later := jaxpr.Eval(rest, nil, slices.Concat(outs[at:], forRest))
			var got []val
			for _, u := range unknown {
				from := &outs
				if u {
					from = &later
				}
				got, *from = append(got, (*from)[0]), (*from)[1:]
			}
			if d := differAll(got, jaxpr.Eval(j, nil, in)); d != "" {
				t.Errorf("%s at %v: %s", c.name, first, d)
			}
		}
	}
}
