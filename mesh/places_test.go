package mesh

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/runtime"
)

// hosts are two places that every machine has.
func hosts() []weft.Device { return []weft.Device{weft.DeviceNamed("reference"), weft.Device{}} }

// Places compute the bits of one place: random programs, their derivatives, arrays that lie on devices, loops.
func TestPlaces(t *testing.T) {
	compute := func() (got []weft.Array) {
		r := rand.New(rand.NewPCG(36, 3))
		for range 40 {
			g := generate(r, 2, 4)
			f := ShardMap(g.run, g.m, In(g.specs[0], g.specs[1]), Out(g.out))
			args := g.arguments(r)
			got = append(got, f(args[0], args[1]), weft.Jit(f)(args[0], args[1]))
			if g.exact {
				got = append(got, weft.Grad(func(x weft.Array) weft.Array { return f(x, args[1]).Sum() })(args[0]))
			}
			px := Put(g.m, g.specs[0], args[0])
			got = append(got, Gather(f(px, args[1]).Mul(2)), Gather(weft.Jit(func(x weft.Array) weft.Array {
				return weft.ForI(2, func(_, x weft.Array) weft.Array { return x.Add(1) }, f(x, args[1]))
			})(px)))
		}
		return got
	}
	want := compute()
	for n := range hosts() {
		err := RunOn(hosts()[:n+1], func() error {
			for i, got := range compute() {
				if !got.Equal(want[i]) {
					t.Errorf("%d places, result %d: got\n%v\nwant\n%v", n+1, i, got, want[i])
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// A place that fails ends the others, and its panic is that of the call. What runs afterwards works. A context that ends
// ends all places.
func TestPlaceThatFails(t *testing.T) {
	m := New(Axis("d", 4))
	f := ShardMap(func(x weft.Array) weft.Array {
		weft.DebugCallback(func(i weft.Array) {
			if i.Int() == 2 {
				panic("the device fails")
			}
		}, lax.AxisIndex("d").Add(x.AsType(weft.Int32).Sum().Mul(0)))
		return lax.Psum(x, "d")
	}, m, In(P("d")), Out(P()))
	start := time.Now()
	var err error
	var panicked any
	func() {
		defer func() { panicked = recover() }()
		err = RunOn(hosts(), func() error { return core.Catch(func() { _ = f(weft.Arange(8.)).String() }) })
	}()
	if text := fmt.Sprint(err, panicked); !strings.Contains(text, "the device fails") || time.Since(start) > time.Minute {
		t.Errorf("got %v, and panic %v, want the panic of the place", err, panicked)
	}
	same(t, "afterwards", ShardMap(func(x weft.Array) weft.Array { return lax.Psum(x, "d") }, m, In(P("d")), Out(P()))(weft.Arange(8.)), weft.FromSlice([]float32{12, 16}, 2))
	ctx, end := context.WithCancel(context.Background())
	end()
	err = RunOn(hosts(), func() error {
		return core.Catch(func() {
			weft.With(weft.Context(ctx), func() {
				_ = ShardMap(func(x weft.Array) weft.Array { return lax.Psum(x, "d") }, m, In(P("d")), Out(P()))(weft.Arange(8.)).String()
			})
		})
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: got %v", err)
	}
}

// A loop that communicates takes as many steps on all places, or is refused.
func TestStepsOfPlaces(t *testing.T) {
	m := New(Axis("d", 4))
	loop := func(until func(c weft.Array) weft.Array) func(x weft.Array) weft.Array {
		return ShardMap(func(x weft.Array) weft.Array {
			return weft.While(func(c weft.Array) weft.Array { return until(c).Lt(lax.Pvary(weft.Scalar[float32](50), "d")) }, func(c weft.Array) weft.Array {
				return c.Add(lax.Pvary(lax.Psum(lax.AxisIndex("d").AsType(weft.Float32), "d"), "d"))
			}, x.Sum()).Reshape(1)
		}, m, In(P("d")), Out(P("d")))
	}
	x := weft.Arange(4.).AsType(weft.Float32)
	alike := func(c weft.Array) weft.Array { return lax.Pmax(c, "d") }
	err := RunOn(hosts(), func() error {
		return core.Catch(func() { same(t, "the same steps", loop(alike)(x), weft.Of[float32](48, 49, 50, 51)) })
	})
	if err != nil {
		t.Error(err)
	}
	err = RunOn(hosts(), func() error {
		return core.Catch(func() { _ = loop(func(c weft.Array) weft.Array { return c })(x).String() })
	})
	if err == nil || !strings.Contains(err.Error(), `a loop communicates along "d", and its condition differs along that axis`) {
		t.Errorf("other steps: got %v", err)
	}
}

// Branches that communicate, or that depend on the device, are those of each place.
func TestBranchesOfPlaces(t *testing.T) {
	m := New(Axis("d", 4))
	f := ShardMap(func(x, which weft.Array) weft.Array {
		return weft.Cond(which, func() weft.Array {
			return lax.Pvary(lax.Psum(x, "d"), "d").Add(lax.AxisIndex("d").AsType(weft.Float32))
		}, func() weft.Array { return x })
	}, m, In(P("d"), P()), Out(P("d")))
	x, yes := weft.Arange(8.).AsType(weft.Float32), weft.Scalar(true)
	want := f(x, yes)
	ctx, end := context.WithTimeout(t.Context(), 20*time.Second) // places that run the branch of another one would wait for ever
	defer end()
	err := RunOn(hosts(), func() error {
		return core.Catch(func() { weft.With(weft.Context(ctx), func() { same(t, "places", f(x, yes), want) }) })
	})
	if err != nil {
		t.Error(err)
	}
}

// A place that waits for one that has ended gets what that one has sent, and then an error.
func TestEndedPlace(t *testing.T) {
	m := &meeting{letters: map[letter]chan []byte{}, sent: map[[2]int]int{}, expected: map[[2]int]int{}, ended: []chan struct{}{make(chan struct{}), make(chan struct{})}}
	m.send(0, 1, []byte("sent"))
	close(m.ended[0])
	if got := m.expect(context.Background(), 0, 1)(); string(got) != "sent" {
		t.Errorf("got %q", got)
	}
	err := core.Catch(func() { m.expect(context.Background(), 0, 1)() })
	if err == nil || !strings.Contains(err.Error(), "place 1 waits for place 0, which has ended") {
		t.Errorf("got %v", err)
	}
}

// A callback that ends its goroutine ends the run on all places.
func TestPlaceThatExits(t *testing.T) {
	m := New(Axis("d", 2))
	f := ShardMap(func(x weft.Array) weft.Array {
		weft.DebugCallback(func(i weft.Array) {
			if i.Int() == 1 {
				goruntime.Goexit()
			}
		}, lax.AxisIndex("d").Add(x.AsType(weft.Int32).Sum().Mul(0)))
		return lax.Psum(x, "d")
	}, m, In(P("d")), Out(P()))
	err := RunOn(hosts(), func() error { return core.Catch(func() { _ = f(weft.Arange(8.)).String() }) })
	if err == nil || !strings.Contains(err.Error(), "a function that place 1 called has ended its goroutine; return from it instead") {
		t.Errorf("got %v", err)
	}
}

func TestPlacesRefusals(t *testing.T) {
	for _, c := range []struct {
		f    func() error
		want string
	}{
		{func() error { return RunOn(nil, func() error { return nil }) }, "no device"},
		{func() error { return RunOn(hosts(), nil) }, "mesh.RunOn: the function is nil"},
		{func() error { return Run(echo{place{size: 2}, nil}, nil) }, "mesh.Run: the function is nil"},
		{func() error {
			return RunOn(hosts(), func() error { return RunOn(hosts(), func() error { return nil }) })
		}, "has places already"},
		{func() error {
			return RunOn(hosts(), func() error { Join(echo{place{size: 2}, nil}); return nil })
		}, "mesh.RunOn first"},
		{func() error {
			return RunOn(hosts(), func() error {
				ShardMap(func(x weft.Array) weft.Array { return x }, New(Axis("d", 3)), In(P("d")), Out(P("d")))(weft.Arange(3.))
				return nil
			})
		}, "cannot be divided evenly among 2"},
		{func() error { New(Axis("d", 2)).On(hosts()...); return nil }, "by mesh.RunOn"},
		{func() error {
			return Run(echo{place{size: 2}, nil}, func() error { Put(onDevices(), P("d"), weft.Ones(4)); return nil })
		}, "mesh.Put: the process has joined a job"},
		{func() error {
			return Run(echo{place{size: 2}, nil}, func() error {
				ShardMap(func(x weft.Array) weft.Array { return x }, onDevices(), In(P("d")), Out(P("d")))(weft.Ones(4))
				return nil
			})
		}, "ShardMap: the process has joined a job"},
	} {
		var err error
		if caught := core.Catch(func() { err = c.f() }); caught != nil {
			err = caught
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// onDevices returns a mesh that On has put on devices.
func onDevices() Mesh {
	m := New(Axis("d", 2))
	m.on = struct{ runtime.Divided }{}
	return m
}
