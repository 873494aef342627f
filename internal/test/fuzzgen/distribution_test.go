package fuzzgen

import "testing"

// groups are the wrappers of which each makes up a twentieth of all at every depth.
var groups = map[string][]Kind{
	"jit": {Jit}, "jit closing": {JitClosing}, "grad": {Grad, VJP}, "jvp": {JVP}, "linearize": {Linearize}, "vmap": {Vmap}, "remat": {Remat, RematPolicy},
	"scan": {Scan}, "cond": {Cond}, "switch": {Switch}, "while": {While, ForI}, "custom_jvp": {CustomJVP}, "custom_vjp": {CustomVJP},
	"custom_vmap": {CustomVmap},
}

// Random programs are as they are meant to be: long, of many types and ranks, with
// closures, and every wrapper at every depth.
func TestDistribution(t *testing.T) {
	const n = 4000
	var equations, dtypes, closures int
	ranks, kinds, depth := map[int]int{}, map[int]map[Kind]int{}, 0
	for seed := range n {
		s := Generate(RandomBytes(uint64(seed), 4096), Options{Depth: 4}).Stats
		equations += s.Equations
		dtypes += len(s.DTypes)
		if s.Closures {
			closures++
		}
		for r := range s.Ranks {
			ranks[r]++
		}
		for d, ks := range s.Kinds {
			if kinds[d] == nil {
				kinds[d] = map[Kind]int{}
			}
			for k, m := range ks {
				kinds[d][k] += m
			}
		}
		depth += s.Stack
	}
	per := func(k int) float64 { return float64(k) / n }
	t.Logf("%d programs: %.1f equations, %.1f dtypes, wrappers %.1f deep on average; %.0f of 100 with closures; ranks %v", n, per(equations), per(dtypes), per(depth), 100*per(closures), ranks)
	if per(equations) < 15 || per(dtypes) < 6 || per(closures) < 0.3 || per(depth) < 4 {
		t.Error("want 15 equations, 6 dtypes and 4 wrappers within each other on average, and closures in 30 of 100 programs")
	}
	for r := range 4 {
		if per(ranks[r]) < 0.3 {
			t.Errorf("%.0f of 100 programs have arrays of rank %d, want 30", 100*per(ranks[r]), r)
		}
	}
	for d := 1; d <= 4; d++ {
		total := 0
		for _, m := range kinds[d] {
			total += m
		}
		for name, ks := range groups {
			m := 0
			for _, k := range ks {
				m += kinds[d][k]
			}
			share := float64(m) / float64(total)
			t.Logf("depth %d: %.2f of 100 wrappers are %s", d, 100*share, name)
			if share < 0.05 {
				t.Errorf("at depth %d %.2f of 100 wrappers are %s, want 5", d, 100*share, name)
			}
		}
	}
}
