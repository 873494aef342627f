package device_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

// A loopProgram is a program with loops and branches.
type loopProgram struct {
	f     func(x weft.Array) weft.Array
	reads int // of the host, at most, the result's included, where graphs have no loops
}

// loopPrograms returns programs of an array of 20 numbers.
func loopPrograms() map[string]loopProgram {
	less := func(n float64) func(c weft.Array) weft.Array {
		return func(c weft.Array) weft.Array { return c.Max().Lt(n) }
	}
	type pair struct{ A, B weft.Array }
	return map[string]loopProgram{
		"no iteration": {func(x weft.Array) weft.Array {
			return weft.While(less(1), func(c weft.Array) weft.Array { return c.Sort().Add(1) }, x)
		}, 2},
		"one iteration": {func(x weft.Array) weft.Array {
			return weft.While(less(2.5), func(c weft.Array) weft.Array { return c.Sort().Add(1) }, x)
		}, 3},
		"200 iterations": {func(x weft.Array) weft.Array {
			return weft.While(less(202), func(c weft.Array) weft.Array { return c.CumSum(0).Mul(0).Add(c).Add(1).Sort() }, x)
		}, 10},
		"swapped": {func(x weft.Array) weft.Array {
			p := weft.While(func(p pair) weft.Array { return p.A.Max().Lt(40) }, func(p pair) pair { return pair{p.B.Sort().Add(1), p.A} }, pair{x, x.Mul(2)})
			return p.A.Sub(p.B)
		}, 9},
		"branches in a scan": {func(x weft.Array) weft.Array {
			c, ys := weft.Scan(func(c, x weft.Array) (weft.Array, weft.Array) {
				c = weft.Cond(x.Gt(1), func() weft.Array { return c.Sort().Add(x) }, func() weft.Array { return c.CumSum(0) })
				return c, c.Max()
			}, weft.Linspace(1, 0, 5), x)
			return ys.Sum().Add(c.Sum())
		}, 1},
		"branches in a loop": {func(x weft.Array) weft.Array {
			return weft.While(less(300), func(c weft.Array) weft.Array {
				return weft.Switch(c.Sum().AsType(weft.Int32).Rem(3),
					func() weft.Array { return c.Sort().Mul(2) }, func() weft.Array { return c.Add(7) }, func() weft.Array { return c.CumSum(0) })
			}, x)
		}, 6},
		"counted loop of elements in a loop": {func(x weft.Array) weft.Array {
			return weft.While(less(500), func(c weft.Array) weft.Array {
				return weft.ForI(5, func(i, c weft.Array) weft.Array { return c.Mul(1.125).Add(i) }, c.Sort())
			}, x)
		}, 6},
		"counted loop of few numbers": {func(x weft.Array) weft.Array {
			return weft.ForI(3000, func(i, c weft.Array) weft.Array { return c.Mul(0.5).Add(c.Sum()).Div(c.Max()) }, x.Index(":3"))
		}, 1},
		"scan in a loop": {func(x weft.Array) weft.Array {
			return weft.While(less(500), func(c weft.Array) weft.Array {
				out, _ := weft.Scan(func(s, x weft.Array) (weft.Array, weft.Array) { return s.Add(x).Sort(), x }, c, c.Index(":3"))
				return out
			}, x)
		}, 6},
	}
}

// nestedLoops returns programs with loops within loops.
func nestedLoops() map[string]loopProgram {
	type pair struct{ A, B weft.Array }
	grow := func(c weft.Array, to weft.Array) weft.Array {
		return weft.While(func(c weft.Array) weft.Array { return c.Sum().Lt(to) }, func(c weft.Array) weft.Array { return c.Sort().Mul(1.25).Add(1) }, c)
	}
	return map[string]loopProgram{
		"loop in a loop": {f: func(x weft.Array) weft.Array {
			p := weft.While(func(p pair) weft.Array { return p.B.Lt(1000) }, func(p pair) pair {
				return pair{grow(p.A, p.B).Mul(0.5), p.B.Mul(1.75).Add(p.A.Max())}
			}, pair{x, x.Sum()})
			return p.A.Add(p.B)
		}},
		"three loops": {f: func(x weft.Array) weft.Array {
			return weft.While(func(c weft.Array) weft.Array { return c.Max().Lt(500) }, func(c weft.Array) weft.Array {
				d := weft.While(func(c weft.Array) weft.Array { return c.Min().Lt(40) }, func(c weft.Array) weft.Array { return grow(c, c.Sum().Mul(2)).CumSum(0) }, c)
				return d.Sort().Add(c)
			}, x)
		}},
		"branches with loops": {f: func(x weft.Array) weft.Array {
			return weft.While(func(c weft.Array) weft.Array { return c.Max().Lt(300) }, func(c weft.Array) weft.Array {
				return weft.Switch(c.Sum().AsType(weft.Int32).Rem(3),
					func() weft.Array { return grow(c, c.Sum().Add(100)) }, func() weft.Array { return c.Add(7) }, func() weft.Array { return c.Mul(2) })
			}, x).Add(weft.Cond(x.Sum().Gt(30), func() weft.Array { return grow(x, weft.Scalar(float32(500))) }, func() weft.Array { return x }))
		}},
		"a long branch": {f: func(x weft.Array) weft.Array {
			return weft.Cond(x.Sum().Gt(15), func() weft.Array {
				y := x
				for range 80 {
					y = y.Sort().Neg()
				}
				return y
			}, func() weft.Array { return x })
		}},
		"what does not change": {f: func(x weft.Array) weft.Array {
			p := weft.While(func(p pair) weft.Array { return p.A.Sum().Lt(200) }, func(p pair) pair { return pair{p.A.Add(p.B).Sort(), p.B} }, pair{x, x.Mul(2)})
			return p.A.Sub(p.B)
		}},
		"no result": {f: func(x weft.Array) weft.Array {
			p := weft.While(func(p pair) weft.Array { return p.A.Lt(9) }, func(p pair) pair { return pair{p.A.Add(1), p.B.Sort().Mul(1.5)} }, pair{weft.Scalar(float32(0)), x})
			return p.B
		}},
		"after loops": {f: func(x weft.Array) weft.Array {
			y := grow(x, weft.Scalar(float32(99)))
			return grow(y.Sub(y.Min()), weft.Scalar(float32(150))).Add(grow(x, y.Max())).CumSum(0)
		}},
	}
}

// Loops of small bodies and branches run without the host for each iteration, with the
// reference's bits.
func TestLoopsOnTheDevice(t *testing.T) {
	s := simulated()
	d := weft.DeviceNamed("simulated")
	x := weft.Linspace(0.1, 2, 20)
	for name, c := range loopPrograms() {
		want := c.f(x)
		g := weft.Jit(c.f, weft.On(d))
		_ = g(x).String()
		before := s.Reads()
		if got := g(x); !testcheck.SameBinary(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
		if n := s.Reads() - before; n > c.reads {
			t.Errorf("%s: the host has read %d times, want %d at most", name, n, c.reads)
		}
	}
}

// looping is a simulated device whose graphs have loops.
var looping = sync.OnceValue(func() *loopDevice {
	l := &loopDevice{Simulated: &drivertest.Simulated{Loop: true}}
	if err := runtime.Register(device.New(l)); err != nil {
		panic(err)
	}
	return l
})

// A loopDevice counts graphs, and has none while without is set.
type loopDevice struct {
	*drivertest.Simulated
	graphs  atomic.Int64
	without bool
}

// Name returns the device's name.
func (*loopDevice) Name() string { return "looping" }

// Graph keeps launches.
func (l *loopDevice) Graph(ls []device.Launch) (device.Graph, error) {
	if l.without {
		return nil, errors.ErrUnsupported
	}
	l.graphs.Add(1)
	return l.Simulated.Graph(ls)
}

// Where graphs have loops, a program is one graph from its first call on, and the host reads its result alone: for arguments for which
// loops have other numbers of iterations, none among them, and for which other branches are taken; also without a graph, if the driver
// refuses to make it.
func TestLoopsInGraphs(t *testing.T) {
	l := looping()
	d := weft.DeviceNamed("looping")
	for _, programs := range []map[string]loopProgram{loopPrograms(), nestedLoops()} {
		for name, c := range programs {
			for _, l.without = range []bool{false, true} {
				l.graphs.Store(0)
				g := weft.Jit(c.f, weft.On(d))
				for i, x := range []weft.Array{weft.Linspace(0.1, 2, 20), weft.Linspace(1, 3, 20), weft.Linspace(600, 900, 20), weft.Linspace(0.1, 2, 20)} {
					here := x
					x = x.To(d)
					want := c.f(here)
					before := l.Reads()
					if got := g(x); !testcheck.SameBinary(got, want) {
						t.Errorf("%s, call %d, without graphs %v: got %v, want %v", name, i, l.without, got, want)
					}
					if n := l.Reads() - before; n > 1 && !l.without {
						t.Errorf("%s, call %d: the host has read %d times, want 1", name, i, n)
					}
				}
				if n := l.graphs.Load(); n > 1 {
					t.Errorf("%s: %d graphs, want 1", name, n)
				}
			}
		}
	}
}

// A context ends a program whose loops are driven by the host since the driver refuses the graph.
func TestLoopWithoutGraphIsCancelled(t *testing.T) {
	l := looping()
	l.without = true
	defer func() { l.without = false }()
	g := weft.Jit(func(x weft.Array) weft.Array {
		return weft.While(func(c weft.Array) weft.Array { return c.Min().Lt(1) }, func(c weft.Array) weft.Array { return c.Sort() }, x)
	}, weft.On(weft.DeviceNamed("looping")))
	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	var err error
	weft.With(weft.Context(ctx), func() { _, err = weft.Try(func() weft.Array { return g(weft.Linspace(0, 1, 20)) }) })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
}
