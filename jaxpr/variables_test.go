package jaxpr

import (
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
)

// Variables are numbered in the order in which they are bound, regardless of their serials: near
// each other, far apart, none, the same, or at the end of what is counted.
func TestNumbers(t *testing.T) {
	a := core.Aval(core.Float32)
	kinds := map[string]func(r *rand.Rand, k int) uint32{
		"in order":  func(r *rand.Rand, k int) uint32 { return uint32(1000 + k) },
		"backwards": func(r *rand.Rand, k int) uint32 { return uint32(100_000 - k) },
		"sparse":    func(r *rand.Rand, k int) uint32 { return uint32(7 + 8*k) },
		"far apart": func(r *rand.Rand, k int) uint32 { return 1 + r.Uint32N(1<<32-1) },
		"uncounted": func(r *rand.Rand, k int) uint32 { return uint32(k % 2 * (500 + k)) },
		"the same":  func(r *rand.Rand, k int) uint32 { return 40 + uint32(r.IntN(30)) },
		"wrapped":   func(r *rand.Rand, k int) uint32 { return uint32(k) - 100 },
		"mixed": func(r *rand.Rand, k int) uint32 {
			return []uint32{uint32(k), uint32(50_000 + k), r.Uint32(), 0}[r.IntN(4)]
		},
	}
	for name, serial := range kinds {
		for _, n := range []int{1, 10, 3000} {
			r := rand.New(rand.NewPCG(3, uint64(n)))
			vars := make([]*Var, n)
			for k := range vars {
				vars[k] = &Var{Type: a, serial: serial(r, k)}
			}
			for what, s := range map[string]*Numbers{"empty": {}, "with room": NumbersFor(&Jaxpr{Ins: vars})} {
				for k, v := range vars {
					if _, ok := s.Of(v); ok {
						t.Fatalf("%s, %s: variable %d of %d has a number before it is bound", name, what, k, n)
					}
					if got, fresh := s.Bind(v); got != k || !fresh {
						t.Fatalf("%s, %s: variable %d of %d is bound as %d, fresh: %v", name, what, k, n, got, fresh)
					}
				}
				for k, v := range vars {
					if got, ok := s.Of(v); got != k || !ok {
						t.Fatalf("%s, %s: variable %d of %d is %d, %v", name, what, k, n, got, ok)
					}
					if got, fresh := s.Bind(v); got != k || fresh {
						t.Fatalf("%s, %s: variable %d of %d is bound again as %d, fresh: %v", name, what, k, n, got, fresh)
					}
				}
				if s.Len() != n {
					t.Errorf("%s, %s: %d numbers for %d variables", name, what, s.Len(), n)
				}
			}
		}
	}
}

// A table takes no more memory than its variables do, times a constant.
func TestNumbersOfFewFarApart(t *testing.T) {
	s := &Numbers{}
	for k := range 100 {
		s.Bind(&Var{serial: 1 + uint32(k)<<25})
	}
	if len(s.table) > 16*128+1024 {
		t.Errorf("a table of %d for %d variables", len(s.table), s.Len())
	}
}

// The variables of an equation with many results stand in the table: a map would be allocated for
// them again and again.
func TestNumbersOfManyResults(t *testing.T) {
	const n = 20_000
	e := &Eqn{Outs: make([]*Var, n)}
	for i := range e.Outs {
		NewVar(core.Aval(core.Float32)) // one that nothing binds
		e.Outs[i] = NewVar(core.Aval(core.Float32))
	}
	j := &Jaxpr{Eqns: []*Eqn{e}}
	if got := testing.AllocsPerRun(3, func() {
		s := NumbersFor(j)
		for i, v := range e.Outs {
			if k, fresh := s.Bind(v); k != i || !fresh {
				t.Fatalf("got number %d, want the fresh %d", k, i)
			}
		}
	}); got > 4 {
		t.Errorf("got %v allocations for %d variables, want at most 4", got, n)
	}
}
