package device_test

import (
	"context"
	"math/rand/v2"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// Goroutines that share functions, arrays and a device have the reference's bits: with results that are
// arguments, donated arguments, captured arrays that are arguments, contexts that end within
// calls, and arrays that the collector finds meanwhile.
func TestConcurrentPrograms(t *testing.T) {
	simulated()
	concurrentPrograms(t, weft.DeviceNamed("simulated"), 12)
	looping()
	concurrentPrograms(t, weft.DeviceNamed("looping"), 12)
	if testing.Short() {
		return
	}
	for _, d := range weft.Devices() {
		if strings.HasPrefix(d.String(), "opencl:") {
			concurrentPrograms(t, d, 12)
		}
	}
}

func concurrentPrograms(t *testing.T, d weft.Device, calls int) {
	const n = 257
	type state struct{ A, B weft.Array }
	captured := weft.Linspace(-1, 1, n)
	there := captured.To(d)
	functions := func(captured weft.Array) []func(s state) state {
		return []func(s state) state{
			func(s state) state { return state{s.A.Sort().Mul(captured), s.B.Add(s.A)} },
			func(s state) state { return state{s.B, s.A.CumSum(0).Mul(0.01)} },
			func(s state) state {
				return weft.While(func(s state) weft.Array { return s.A.Max().Lt(9) }, func(s state) state {
					return state{s.A.Mul(1.25).Add(1), s.B.At(3).Set(s.A.Sum())}
				}, s)
			},
			func(s state) state {
				return weft.ForI(5, func(i weft.Array, s state) state { return state{s.B.Add(i), s.A.At(i).Set(0)} }, s)
			},
			func(s state) state {
				y := weft.Cond(s.A.Sum().Gt(0), func() weft.Array { return s.A.Mul(0.5) }, func() weft.Array { return captured })
				return state{y, y}
			},
			func(s state) state { return state{weft.Sin(s.B), weft.Sin(s.A).Mul(s.B)} },
		}
	}
	here := functions(captured)
	var jitted, donating []func(s state) state
	for _, f := range functions(there) {
		jitted = append(jitted, weft.Jit(f, weft.On(d)))
		donating = append(donating, weft.Jit(func(s state) state { r := f(s); return state{r.A.Mul(1), r.B.Mul(1)} }, weft.On(d), weft.Donate(0)))
	}
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(5, uint64(g)))
			want := state{weft.Linspace(-1, 2, n), captured}
			got := state{want.A.To(d), there}
			var kept, expected []weft.Array
			for range calls {
				k := r.IntN(len(here))
				next := here[k](want)
				switch r.IntN(4) {
				case 0: // no other array lies in what is donated
					fresh := state{want.A.Mul(1).To(d), want.B.Mul(1).To(d)}
					got = donating[k](fresh)
				case 1: // a call that may end early, and one that does not
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(r.IntN(2000))*time.Microsecond)
					weft.With(weft.Context(ctx), func() { weft.Try(func() state { return jitted[k](got) }) })
					cancel()
					fallthrough
				default:
					got = jitted[k](got)
				}
				want = next
				kept, expected = append(kept, got.A, got.B), append(expected, want.A, want.B)
				if r.IntN(5) == 0 {
					goruntime.GC()
				}
				if i := r.IntN(len(kept)); !testcheck.SameBinary(kept[i], expected[i]) {
					t.Errorf("%v, goroutine %d: result %d is %v, want %v", d, g, i, kept[i], expected[i])
					return
				}
			}
			for i := range kept {
				if !testcheck.SameBinary(kept[i], expected[i]) {
					t.Errorf("%v, goroutine %d: afterwards result %d is %v, want %v", d, g, i, kept[i], expected[i])
					return
				}
			}
			if !testcheck.SameBinary(there, captured) {
				t.Errorf("%v: the captured array is %v", d, there)
			}
		})
	}
	wg.Wait()
}
