package transforms

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// Calls lose the results that nothing uses, and what these alone need. Calls whose operands or results mean more than
// the program does keep all: donated operands, parameters that text shows, words of other calls, rules that close over values.
func TestPruneCalls(t *testing.T) {
	f32 := core.Aval(core.Float32)
	program := func(op core.Primitive) *jaxpr.Jaxpr {
		b := jaxpr.NewBuilder()
		x, y := b.Input(f32), b.Input(f32)
		return b.Build(b.Eqn(prim.SinP{}, x)[0], b.Eqn(op, y)[0])
	}
	cosOf := func() *jaxpr.Jaxpr {
		b := jaxpr.NewBuilder()
		x := b.Input(f32)
		return b.Build(b.Eqn(prim.CosP{}, x)[0])
	}
	plain, ruled := program(prim.CosP{}), program(&jaxpr.CustomJVP{Fn: "f", RuleName: "rule", Jaxpr: cosOf()})
	for name, c := range map[string]struct {
		call   core.Primitive
		pruned bool
	}{
		"jit":                   {&jaxpr.Jit{Fn: "f", Jaxpr: plain}, true},
		"core_call":             {&jaxpr.CoreCall{Fn: "f", Jaxpr: plain}, true},
		"jit of a donated one":  {&jaxpr.Jit{Fn: "f", Jaxpr: plain, Donated: []bool{true, false}}, false},
		"jit with parameters":   {&jaxpr.Jit{Fn: "f", Jaxpr: plain, Extra: []core.Param{{Key: "k", Value: "v"}}}, false},
		"call by another name":  {&jaxpr.CoreCall{Fn: "f", Word: "other_call", Jaxpr: plain}, false},
		"jit of a custom rule":  {&jaxpr.Jit{Fn: "f", Jaxpr: ruled}, false},
		"call of a custom rule": {&jaxpr.CoreCall{Fn: "f", Jaxpr: ruled}, false},
	} {
		b := jaxpr.NewBuilder()
		x, y := b.Input(f32), b.Input(f32)
		j := b.Build(b.Eqn(c.call, x, y)[0])
		got, ins := prune(j, nil)
		e := got.Eqns[0]
		if pruned := len(e.Ins) == 1 && len(e.Outs) == 1; pruned != c.pruned || e.Prim.Name() != c.call.Name() {
			t.Errorf("%s: got %d operands and %d results of %s, want pruned %t", name, len(e.Ins), len(e.Outs), e.Prim.Name(), c.pruned)
		}
		if !ins[0] || ins[1] == c.pruned {
			t.Errorf("%s: got inputs %v, want the second used: %t", name, ins, !c.pruned)
		}
		if err := jaxpr.Check(got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
