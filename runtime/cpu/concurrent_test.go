package cpu_test

import (
	"context"
	"fmt"
	goruntime "runtime"
	"sync"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// workload is a program with arguments and the reference's results.
type workload struct {
	name string
	j    *jaxpr.Jaxpr
	args []*runtime.Array
	want []*runtime.Array
}

// workloads have several kernels, small and large results, loops, equations without code
// and a function of the host's.
func workloads(t testing.TB) []workload {
	type as = []weft.Array
	double := func(x weft.Array) weft.Array {
		return weft.PureCallback(func(x as) as { return as{x[0].Add(x[0])} }, as{x}, as{x})[0]
	}
	var list []workload
	for name, f := range map[string]func(x as) as{
		"elementwise": func(x as) as { return as{weft.Sin(x[0]).Mul(weft.Exp(x[1])), x[0].Gt(x[1])} },
		"sums":        func(x as) as { return as{x[0].Sum(), x[0].Sum(0), x[1].Sum(1), x[0].Max(), x[1].ArgMax(1)} },
		"cumulative":  func(x as) as { return as{x[0].CumSum(), x[1].CumSum(0)} },
		"softmax": func(x as) as {
			e := weft.Exp(x[0].Sub(x[0].Max(1, weft.Keep)))
			return as{e.Div(e.Sum(1, weft.Keep)), x[1].T().Add(1)}
		},
		"scan": func(x as) as {
			c, ys := weft.Scan(func(c, x weft.Array) (weft.Array, weft.Array) { c = c.Mul(0.5).Add(x); return c, c.Sort() }, x[1].Index(0), x[0])
			return as{c, ys}
		},
		"callback": func(x as) as { return as{double(x[0].Mul(2)).Add(x[1])} },
	} {
		for _, n := range []int{7, 600} {
			j, args := traced(t, f, arguments(2, n, n+1))
			want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, workload{fmt.Sprint(name, n), j, args, want})
		}
	}
	return list
}

func compiledOn(t testing.TB, e runtime.Executor, j *jaxpr.Jaxpr, threads int) *runtime.Compiled {
	t.Helper()
	c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j, Options: runtime.Options{Threads: threads}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestThreadsComputeTheSameBits(t *testing.T) {
	for _, w := range workloads(t) {
		onNative(t, func(t *testing.T, e runtime.Executor) {
			for _, threads := range []int{1, 2, 3, 0} {
				got, err := compiledOn(t, e, w.j, threads).Run(context.Background(), w.args)
				if err != nil {
					t.Fatal(err)
				}
				for i := range got {
					same(t, fmt.Sprintf("%s on %d threads", w.name, threads), got[i], w.want[i])
				}
			}
		})
	}
}

// hammer calls programs from many goroutines until the time is over, while garbage is
// collected and functions of the host's panic.
func hammer(t *testing.T, goroutines int, d time.Duration) {
	list := workloads(t)
	failing, _ := traced(t, func(x []weft.Array) []weft.Array {
		return weft.PureCallback(func([]weft.Array) []weft.Array { panic("host") }, x, []weft.Array{weft.Sin(x[0])})
	}, arguments(1, 50))
	one := []*runtime.Array{arguments(1, 50)[0].Value().(*runtime.Array)}
	onNative(t, func(t *testing.T, e runtime.Executor) {
		var programs []*runtime.Compiled
		for i, w := range list {
			programs = append(programs, compiledOn(t, e, w.j, i%3))
		}
		panics := compiledOn(t, e, failing, 0)
		stop := time.Now().Add(d)
		var wg sync.WaitGroup
		for g := range goroutines {
			wg.Go(func() {
				for n := g; time.Now().Before(stop) && !t.Failed(); n++ {
					k := n % len(list)
					w, c := list[k], programs[k]
					if n%97 == 0 {
						c = compiledOn(t, e, w.j, 0)
					}
					got, err := c.Run(context.Background(), w.args)
					if err != nil {
						t.Errorf("%s: %v", w.name, err)
						return
					}
					if n%13 == 0 {
						goruntime.GC()
					}
					for i := range got {
						if string(got[i].Tensor().Data) != string(w.want[i].Tensor().Data) {
							t.Errorf("%s, result %d: bits differ from the reference's", w.name, i)
						}
					}
					if n%7 == 0 {
						testcheck.PanicsWith(t, "host", func() { _, _ = panics.Run(context.Background(), one) })
					}
				}
			})
		}
		wg.Wait()
	})
}

func TestConcurrentPrograms(t *testing.T) { hammer(t, 8, 300*time.Millisecond) }

// A function of the host's may keep its operands: no iteration overwrites them.
func TestHostKeepsOperands(t *testing.T) {
	type as = []weft.Array
	var kept []weft.Array
	keep := func(x as) as { kept = append(kept, x...); return x[:1] }
	j, args := traced(t, func(x as) as {
		_, ys := weft.Scan(func(c, x as) (as, as) {
			s := c[0].Add(x[0])
			return as{s}, weft.PureCallback(keep, as{s}, as{s, x[0]})
		}, as{x[0].Index(0)}, x[:1])
		return ys
	}, arguments(1, 20, 40))
	run := func(e runtime.Executor) []weft.Array {
		kept = nil
		if _, err := runtime.Evaluate(context.Background(), e, j, args); err != nil {
			t.Fatal(err)
		}
		return kept
	}
	want := run(runtime.Reference)
	onNative(t, func(t *testing.T, e runtime.Executor) {
		got := run(e)
		if len(got) != len(want) {
			t.Fatalf("got %d operands, want %d", len(got), len(want))
		}
		for i := range got {
			same(t, fmt.Sprintf("operand %d", i), got[i].Value().(*runtime.Array), want[i].Value().(*runtime.Array))
		}
	})
}

// Memory that the caller passes receives the results.
func TestResultsInTheCallersMemory(t *testing.T) {
	j, args := traced(t, func(x []weft.Array) []weft.Array {
		s := weft.Sin(x[0])
		return []weft.Array{s, x[0], s, weft.Full([]int{3}, float32(2)), x[0].Sum()}
	}, arguments(1, 3, 4))
	want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args)
	if err != nil {
		t.Fatal(err)
	}
	onNative(t, func(t *testing.T, e runtime.Executor) {
		x, err := e.Compile(&runtime.Request{Jaxpr: j})
		if err != nil {
			t.Fatal(err)
		}
		for given := range 1 << len(want) {
			mine, outs := make([]*runtime.Array, len(want)), make([]*runtime.Array, len(want))
			for i, a := range want {
				if given>>i&1 != 0 {
					mine[i] = runtime.New(core.Aval(a.Aval().DType, a.Aval().Shape.Ints()...))
				}
			}
			copy(outs, mine)
			if err := x.Run(context.Background(), args, outs); err != nil {
				t.Fatal(err)
			}
			for i, a := range outs {
				if mine[i] != nil && a != mine[i] {
					t.Errorf("result %d is not in the caller's memory", i)
				}
				if string(a.Tensor().Data) != string(want[i].Tensor().Data) {
					t.Errorf("result %d: got %s, want %s", i, a.Text(nil), want[i].Text(nil))
				}
			}
		}
	})
}
