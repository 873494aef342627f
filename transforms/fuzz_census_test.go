package transforms_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/fuzzgen"
)

// census counts programs.
type census struct {
	programs, refused, skipped, wrong int
	equations, numbers, sharp         int
	closures, axes, twice, policies   int
	dtypes, ranks, stack              map[int]int // programs by how many dtypes, ranks and nested wrappers they have
	kinds                             map[int]map[fuzzgen.Kind]int
	ops                               map[string]int
	ratio                             float64
	reasons                           map[string]int
}

func (c *census) add(p *fuzzgen.Program, v verdict) {
	if c.kinds == nil {
		c.dtypes, c.ranks, c.stack = map[int]int{}, map[int]int{}, map[int]int{}
		c.kinds, c.ops, c.reasons = map[int]map[fuzzgen.Kind]int{}, map[string]int{}, map[string]int{}
	}
	s := p.Stats
	c.programs++
	c.equations += s.Equations
	c.numbers += v.numbers
	c.sharp += v.sharp
	c.ratio = max(c.ratio, v.ratio)
	count := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	count(&c.wrong, v.wrong != "")
	count(&c.refused, v.refused)
	count(&c.skipped, v.skip != "")
	count(&c.closures, s.Closures)
	count(&c.axes, s.NamedAxes)
	count(&c.twice, s.TwoCalls)
	count(&c.policies, s.Policies)
	if v.skip != "" {
		c.reasons[v.skip]++
	}
	c.dtypes[len(s.DTypes)]++
	for r := range s.Ranks {
		c.ranks[r]++
	}
	c.stack[s.Stack]++
	for d, ks := range s.Kinds {
		if c.kinds[d] == nil {
			c.kinds[d] = map[fuzzgen.Kind]int{}
		}
		for k, n := range ks {
			c.kinds[d][k] += n
		}
	}
	for op := range s.Ops {
		c.ops[op]++
	}
}

// wrapperGroups are groups of wrappers, each of which must make up a twentieth of all wrappers at
// every depth.
var wrapperGroups = map[string][]fuzzgen.Kind{
	"jit": {fuzzgen.Jit}, "jit closing": {fuzzgen.JitClosing}, "grad": {fuzzgen.Grad, fuzzgen.VJP}, "jvp": {fuzzgen.JVP}, "linearize": {fuzzgen.Linearize},
	"vmap": {fuzzgen.Vmap}, "remat": {fuzzgen.Remat, fuzzgen.RematPolicy}, "scan": {fuzzgen.Scan}, "cond": {fuzzgen.Cond}, "switch": {fuzzgen.Switch},
	"while": {fuzzgen.While, fuzzgen.ForI}, "custom_jvp": {fuzzgen.CustomJVP}, "custom_vjp": {fuzzgen.CustomVJP},
	"custom_vmap": {fuzzgen.CustomVmap},
}

func (c *census) report(t *testing.T) {
	t.Helper()
	n := c.programs
	t.Logf("%d programs: %d refused for a reason that they have, %d whose numbers are not known or depend on rounding, %d wrong; %d numbers compared, %d of them to 1e-9, the largest deviation %.3g bounds",
		c.programs, c.refused, c.skipped, c.wrong, c.numbers, c.sharp, c.ratio)
	t.Logf("%.1f equations on average; of 100 programs %.0f use closures, %.0f the index of a named axis, %.0f call a recorded program twice",
		float64(c.equations)/float64(n), 100*float64(c.closures)/float64(n), 100*float64(c.axes)/float64(n), 100*float64(c.twice)/float64(n))
	t.Logf("programs by number of dtypes %v, by ranks that occur %v, by depth %v; skipped: %v", c.dtypes, c.ranks, c.stack, c.reasons)
	for _, d := range slices.Sorted(maps.Keys(c.kinds)) {
		total := 0
		for _, k := range c.kinds[d] {
			total += k
		}
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(wrapperGroups)) {
			k := 0
			for _, kind := range wrapperGroups[name] {
				k += c.kinds[d][kind]
			}
			share := float64(k) / float64(total)
			parts = append(parts, fmt.Sprintf("%s %.1f", name, 100*share))
			// Three standard deviations of a share of 5 %.
			if d >= 1 && d <= 4 && share < 0.05-3*math.Sqrt(0.05*0.95/float64(total)) {
				t.Errorf("at depth %d only %.1f of 100 wrappers are %s, want 5", d, 100*share, name)
			}
		}
		t.Logf("depth %d: %d wrappers; of 100: %s", d, total, strings.Join(parts, ", "))
	}
	if c.equations < 15*n {
		t.Errorf("%d equations in %d programs, want 15 on average", c.equations, n)
	}
	if c.closures*100 < 30*n {
		t.Errorf("%d of %d programs use closures, want 30 of 100", c.closures, n)
	}
	if (c.refused+c.skipped)*100 > 30*n {
		t.Errorf("%d of %d programs have no numbers", c.refused+c.skipped, n)
	}
	// 7 of 100 are refused at present. The limits notice a large change of that share.
	if c.refused*100 > 11*n || c.refused*100 < 2*n {
		t.Errorf("%d of %d programs are refused, want 2 to 11 of 100", c.refused, n)
	}
	many := 0
	for k, m := range c.dtypes {
		if k >= 6 {
			many += m
		}
	}
	if many*100 < 40*n {
		t.Errorf("%d of %d programs have six dtypes", many, n)
	}
	for r := range 4 {
		if c.ranks[r]*100 < 30*n {
			t.Errorf("%d of %d programs have arrays of rank %d", c.ranks[r], n, r)
		}
	}
	if c.numbers == 0 || c.sharp*100 < 40*c.numbers {
		t.Errorf("%d of %d numbers are compared sharply", c.sharp, c.numbers)
	}
}
