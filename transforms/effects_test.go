package transforms_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
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
			prim.DebugCallback(&prim.HostFunc{Name: what, Call: func([]val) []val { seen = append(seen, what); return nil }}, ordered, in...)
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
// none; a call that gives nothing known stays whole.
func TestSplitKeepsEffects(t *testing.T) {
	var seen []string
	say := func(what string, in ...val) {
		prim.DebugCallback(&prim.HostFunc{Name: what, Call: func([]val) []val { seen = append(seen, what); return nil }}, true, in...)
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
		t.Errorf("the known part says %s", got)
	}
	seen = nil
	jaxpr.Eval(rest, nil, append(outs[1:], x))
	if got := strings.Join(seen, " "); got != "a 2 b c" {
		t.Errorf("the rest says %s", got)
	}
}
