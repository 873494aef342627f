package transforms_test

import (
	"slices"
	"strings"
	"testing"
)

// Stacks that went wrong once, and what was wrong.
var foundStacks = []struct{ why, outer, stack string }{
	{"a function with a batching rule had none where its operands are not mapped", "vmap", "customvmap"},
	{"the same, with a rule within that makes mapped values of others", "vmap", "customvmap customjvp"},
	{"the same, with an older batch around", "gradvmap", "vmap customvmap rulejvp"},
	{"a reverse rule within a recorded batching rule was asked for a forward derivative", "grad", "jit customvmap rulevjp"},
	{"the same, batched after", "gradvmap", "jit customvmap rulevjp"},
	{"values of a batching rule did not come from the rules within", "vmap", "jvp jacrev customvmap customvjp"},
	{"the value that a rule gives was taken from the function instead of from the rule within", "eval", "grad jvp rulejvp customjvp"},
	{"the last bit of a sine was taken for a wrong number", "grad", "scan scan vmap vmap"},
}

func TestFoundStacks(t *testing.T) {
	for _, s := range foundStacks {
		var stack []wrapper
		for _, name := range strings.Fields(s.stack) {
			stack = append(stack, wrapper(slices.Index(wrapperNames[:], name)))
		}
		if got := runStack(t, stack, slices.Index(outerNames, s.outer)); got != agrees {
			t.Errorf("%s %s, where %s: %v", s.outer, s.stack, s.why, got)
		}
	}
}

// What a while loop on a tape says of a reverse rule: that neither mode goes through
// both, not that reverse mode would.
func TestReverseRuleInWhileSaysWhy(t *testing.T) {
	m := weftMachine{}
	for name, f := range map[string]func(val) val{
		"at once": m.while(m.customVJP(m.sin)), "in jit": m.jit(m.while(m.customVJP(m.sin))), "in a scan": m.scan(m.while(m.jit(m.customVJP(m.sin)))),
	} {
		err := try(func() { m.grad(f)(runtimeScalar(0.5)) })
		if err == nil || !strings.Contains(err.Error(), "within a While loop") || strings.Contains(err.Error(), "use Grad") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
