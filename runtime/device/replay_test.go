package device_test

import (
	"context"
	"errors"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// Runs after the first one replay what it did: with other arguments, with arguments that are
// one array or constants of the program, and with results that are arguments.
func TestReplay(t *testing.T) {
	simulated()
	d := weft.DeviceNamed("simulated")
	var constant weft.Array
	type state struct{ A, B, C weft.Array }
	for name, f := range map[string]func(s state) state{
		"one launch":  func(s state) state { return state{s.A.Add(s.B), s.B, s.C} },
		"graph":       func(s state) state { return state{s.A.Sort().CumSum(0), s.B.Sort().Mul(s.A.Sum()), s.C.Add(s.B)} },
		"swapped":     func(s state) state { return state{s.C, s.A, s.B} },
		"twice":       func(s state) state { y := s.A.Sort().Sub(s.B).Sort(); return state{y, y, s.A} },
		"constants":   func(s state) state { return state{s.A.Sort().Mul(constant), constant, s.B.Sort().Add(s.C)} },
		"no argument": func(s state) state { return state{weft.Ones(30), constant.Sort().CumSum(0), weft.Linspace(0, 1, 30)} },
		"copies": func(s state) state {
			p := weft.ForI(4, func(i weft.Array, p state) state { return state{p.B, p.A.Sort(), p.C.Add(i)} }, s)
			return state{p.A, p.B.Sort(), p.C}
		},
		"scan": func(s state) state {
			c, ys := weft.Scan(func(c, x weft.Array) (weft.Array, weft.Array) { return c.Add(x).Sort(), c.Mul(x) }, s.A, s.B)
			return state{c, ys.Sum(0), s.C}
		},
	} {
		x, y, z := weft.Linspace(0, 1, 30), weft.Linspace(2, -1, 30), weft.Linspace(-5, 5, 30)
		there := x.To(d)
		var g func(state) state
		for first := range race.Few(10) {
			constant = weft.Linspace(3, 4, 30).To(d) // programs with it are compiled anew
			g = weft.Jit(f, weft.On(d))
			calls := []state{
				{x, y, z}, {y, z, x}, {z, z, z}, {z, z, y}, {there, there, there}, {there, constant, there}, {constant, constant, there}, {x, constant, z}, {x, y, z}, {there, y.To(d), z.To(d)},
			}
			for k := range calls {
				s := calls[(first+k)%len(calls)]
				got, want := g(s), f(s)
				if !testcheck.SameBinary(got.A, want.A) || !testcheck.SameBinary(got.B, want.B) || !testcheck.SameBinary(got.C, want.C) {
					t.Errorf("%s, calls from %d on, call %d: got %v, want %v", name, first, k, got, want)
				}
			}
		}
		s, here := state{x, y, z}, state{x, y, z}
		for range 6 {
			s, here = g(s), f(here)
		}
		if !testcheck.SameBinary(s.A, here.A) || !testcheck.SameBinary(s.B, here.B) || !testcheck.SameBinary(s.C, here.C) {
			t.Errorf("%s, results as arguments: got %v, want %v", name, s, here)
		}
	}
}

// Branches that are too long to be launched whether or not they are needed are chosen in
// every call.
func TestReplayOfLongBranches(t *testing.T) {
	simulated()
	d := weft.DeviceNamed("simulated")
	sorts := func(x weft.Array) weft.Array {
		for range 40 {
			x = x.Sort().Neg()
		}
		return x
	}
	f := func(x weft.Array) weft.Array {
		return weft.Cond(x.CumSum(0).Sum().Gt(0), func() weft.Array { return sorts(x) }, func() weft.Array { return sorts(x.Add(1)) }).Sort()
	}
	g := weft.Jit(f, weft.On(d))
	for _, x := range []weft.Array{weft.Linspace(1, 2, 9), weft.Linspace(-1, -2, 9), weft.Linspace(1, 3, 9), weft.Linspace(-1, -3, 9)} {
		if got, want := g(x), f(x); !testcheck.SameBinary(got, want) {
			t.Errorf("of %v: got %v, want %v", x, got, want)
		}
	}
}

// A call that is replayed ends with its context, and a later one works.
func TestReplayIsCancelled(t *testing.T) {
	simulated()
	g := weft.Jit(func(x weft.Array) weft.Array { return x.Sort().CumSum(0).Sort().CumSum(0) }, weft.On(weft.DeviceNamed("simulated")))
	x := weft.Linspace(1, 0, 20)
	want := g(x).String()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 {
		var err error
		weft.With(weft.Context(ctx), func() { _, err = weft.Try(func() weft.Array { return g(x) }) })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if got := g(x).String(); got != want {
			t.Errorf("afterwards: got %s, want %s", got, want)
		}
	}
}
