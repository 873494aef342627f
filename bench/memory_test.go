package main

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	_ "github.com/weft-go/weft/runtime/cpu"
)

// Training steps need at most as much memory beyond their arguments as XLA's plans, which need 2.13 MB
// and 76.6 MB. The executable's account counts intermediate arrays, results besides donated arguments,
// and copies made by steps of the plan. The memory of each thread, which XLA's plans do not count, has
// a limit of its own.
func TestStepMemory(t *testing.T) {
	for _, c := range []struct {
		name   string
		step   func(p params, x, y weft.Array) (params, weft.Array)
		params params
		x, y   weft.Array
		most   int // bytes of all threads together
		thread int // bytes of each thread besides that, at most
	}{
		{"perceptron", sgd(mlpLoss), mlpParams(), dev(7, 1, 128, 784), oneHot(128, 10), 2_130_000, 970_000},
		{"transformer", sgd(tfLoss), tfParams(tfWidth, tfLayers), dev(20, 1, 8, 128, 256), dev(60, 1, 8, 128, 256), 76_600_000, 5_300_000},
	} {
		ir, err := weft.Jaxpr(c.step, c.params, c.x, c.y)
		if err != nil {
			t.Fatal(err)
		}
		j, err := jaxpr.Parse(ir.String(), prim.Vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		donated := make([]bool, len(j.Ins))
		for i := range c.params {
			donated[i] = true
		}
		for _, name := range []string{"avx2", "avx512"} {
			e, ok := runtime.Named(name)
			if !ok || e.Available() != nil {
				continue
			}
			for _, threads := range []int{1, 2} {
				x, err := runtime.Compile(e, &runtime.Request{Jaxpr: j, Donated: donated, Options: runtime.Options{Threads: threads}})
				if err != nil {
					t.Fatal(err)
				}
				a := x.Account()
				t.Logf("%s, %s, %d threads: %d bytes of intermediate arrays, %d of results, %d of threads", c.name, name, threads, a.ArenaBytes, a.ResultBytes, a.ThreadBytes)
				if n := a.ArenaBytes + a.ResultBytes; n > c.most {
					t.Errorf("%s, %s, %d threads: %d bytes over the arguments, want at most %d", c.name, name, threads, n, c.most)
				}
				if n := a.ThreadBytes; n == 0 || n > threads*c.thread {
					t.Errorf("%s, %s, %d threads: %d bytes of threads, want at most %d for each", c.name, name, threads, n, c.thread)
				}
			}
		}
	}
}
