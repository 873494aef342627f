package device_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/devicecheck"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cuda"
	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/opencl"
)

// simulated is a device of tests, registered once.
var simulated = sync.OnceValue(func() *drivertest.Simulated {
	s := &drivertest.Simulated{}
	if err := runtime.Register(device.New(s)); err != nil {
		panic(err)
	}
	return s
})

// programs are functions of a vector: control flow, transformations, fallbacks.
var programs = map[string]func(x weft.Array) weft.Array{
	"chain":   func(x weft.Array) weft.Array { return weft.Exp(weft.Sin(x).Mul(x)).Sub(1) },
	"softmax": func(x weft.Array) weft.Array { e := weft.Exp(x.Sub(x.Max())); return e.Div(e.Sum()) },
	"rows": func(x weft.Array) weft.Array {
		m := weft.Outer(x, x)
		return m.Sum(1).Add(m.Mean(0)).Add(m.Max(0))
	},
	"cumulative": func(x weft.Array) weft.Array { return x.CumSum(0).Add(x.Mul(0.1).Add(1).CumProd(0)) },
	"grad":       weft.Grad(func(x weft.Array) weft.Array { return weft.Tanh(weft.Outer(x, x)).Sum() }),
	"vmap":       weft.Vmap(func(x weft.Array) weft.Array { return weft.Log1p(x.Mul(x)) }),
	"product":    func(x weft.Array) weft.Array { return weft.Outer(x, x).MatMul(x) },
	"transpose":  func(x weft.Array) weft.Array { return weft.Outer(x, x.Mul(2).Add(1)).T().Sort().Sum(0) },
	"sort":       func(x weft.Array) weft.Array { return weft.Sin(x.Mul(100)).Sort() },
	"index":      func(x weft.Array) weft.Array { return x.At(1).Set(9).Index("1:").Add(x.Index(":-1")) },
	"captured":   func(x weft.Array) weft.Array { return x.Mul(weft.Linspace(0, 1, x.Len())) },
	"cond": func(x weft.Array) weft.Array {
		return weft.Cond(x.Sum().Gt(0), func() weft.Array { return x.Mul(2) }, func() weft.Array { return x.Sub(1) })
	},
	"while of few": func(x weft.Array) weft.Array {
		return weft.While(func(c weft.Array) weft.Array { return c.Lt(1000) }, func(c weft.Array) weft.Array { return c.Mul(1.5).Add(1) }, x.Index(0))
	},
	"loop of elements": func(x weft.Array) weft.Array {
		type state struct{ I, A, B weft.Array }
		e := weft.Outer(weft.Linspace(0, 1, 96), x.Index(0).Reshape(1)).Reshape(-1)
		s := weft.While(func(s state) weft.Array { return s.I.Lt(9) }, func(s state) state {
			return state{s.I.Add(1), s.B.Mul(0.5).Add(s.I), s.A.Sub(1)}
		}, state{weft.Scalar(int32(0)), e, e.Mul(2)})
		return s.A.Add(s.B).Mul(s.I)
	},
	"one update in a loop": func(x weft.Array) weft.Array {
		return weft.While(func(c weft.Array) weft.Array { return c.Sum().Lt(300) }, func(c weft.Array) weft.Array {
			return c.At(-1).Set(c.Index(0).Add(c.Sum()).Add(50))
		}, x.Add(1))
	},
	"while of many": func(x weft.Array) weft.Array {
		return weft.While(func(c weft.Array) weft.Array { return c.Max().Lt(1000) }, func(c weft.Array) weft.Array { return c.Sort().Mul(1.5).Add(1) }, x)
	},
	"swap": func(x weft.Array) weft.Array {
		type pair struct{ A, B weft.Array }
		p := weft.ForI(5, func(i weft.Array, p pair) pair { return pair{p.B.Sort().Add(i), p.A} }, pair{x, x.Mul(2)})
		return p.A.Sub(p.B)
	},
	"scan": func(x weft.Array) weft.Array {
		c, ys := weft.Scan(func(c, x weft.Array) (weft.Array, weft.Array) { return c.Add(x).Sort(), c.Mul(x) }, weft.Linspace(0, 1, 40), x)
		return ys.Sum(1).Add(c.Sum())
	},
	"grad of scan": weft.Grad(func(x weft.Array) weft.Array {
		c, _ := weft.Scan(func(c, x weft.Array) (weft.Array, weft.Array) { return weft.Sin(c.Add(x)), c }, weft.Ones(50), x)
		return c.Sum()
	}),
	"while of lanes": func(x weft.Array) weft.Array {
		type state struct{ N, X weft.Array }
		return weft.Vmap(func(x weft.Array) weft.Array {
			s := weft.While(func(s state) weft.Array { return s.X.Sum().Lt(50) }, func(s state) state {
				return state{s.N.Add(1), s.X.Mul(1.5).Add(s.N)}
			}, state{weft.Scalar(float32(0)), weft.Outer(x.Reshape(1), weft.Linspace(0, 2, 3)).Reshape(-1)})
			return s.X.Sum().Add(s.N)
		})(x)
	},
	"pieces of a stack": func(x weft.Array) weft.Array { // rows that no vector divides, of elements that are apart
		var every []weft.Array
		for _, n := range []int{3, 5, 6, 7, 8} {
			m := weft.Outer(x, weft.Linspace(1, 2, n))
			pieces := make([]weft.Array, 12)
			for i := range pieces {
				pieces[i] = weft.Flip(m, 1)
			}
			every = append(every, weft.Stack(-1, pieces...).Reshape(-1))
		}
		return weft.Concat(0, every...)
	},
	"sums that are added up": func(x weft.Array) weft.Array { // in the memory of the sum so far
		all := x.Index(0).Mul(0)
		for _, n := range []int{3, 5, 40} {
			m := weft.Outer(x, weft.Linspace(1, 2, n))
			all = all.Add(weft.Stack(-1, m, weft.Flip(m, 1), m, m, m, m, m, m).Mul(weft.Arange(float32(8))).Sum())
		}
		return all
	},
	"sums of scaled rows": func(x weft.Array) weft.Array { // in the memory of what scales them
		b := weft.Linspace(1, 2, 400).Add(x.Index(0)).Sort()
		m := weft.Outer(weft.Linspace(0, 1, 400), weft.Linspace(1, 3, 64)).Add(x.Index(0))
		return m.Mul(b.Reshape(400, 1)).Sum(1)
	},
	"gradients of cumulative products": func(x weft.Array) weft.Array {
		return weft.Jacfwd(func(q weft.Array) weft.Array { return q.CumProd(0) })(x.Add(0.5).Index("0:1").BroadcastTo(6).Mul(weft.Linspace(0.5, 1.5, 6)))
	},
	"empty complex products": func(x weft.Array) weft.Array {
		a := weft.ZerosOf(weft.Complex64, 0, 5)
		return weft.Abs(a.MatMul(weft.ZerosOf(weft.Complex64, 5, 7))).Sum().Add(x)
	},
	"callback": func(x weft.Array) weft.Array {
		return weft.PureCallback(func(x weft.Array) weft.Array { return x.Mul(3) }, x, x.Add(1)).Add(1)
	},
}

// Every program has the reference's bits, jitted and eager, from host memory and from the
// device's.
func TestPrograms(t *testing.T) {
	simulated()
	for _, n := range []int{3, 1, 70}[:race.Few(3)] {
		runPrograms(t, weft.DeviceNamed("simulated"), n, "jit", "jit, placed", "eager", "eager, placed", "jit, twice")
	}
}

// Every program has the reference's bits on the machine's devices, or on the one that WEFT_DEVICE names.
func TestProgramsOnDevices(t *testing.T) {
	if testing.Short() {
		t.Skip("compiling for a device takes long")
	}
	ways := []string{"jit", "jit, twice"}
	if os.Getenv("WEFT_SAMPLES") == "all" {
		ways = append(ways, "eager, placed")
	}
	some, named := false, os.Getenv("WEFT_DEVICE")
	for _, d := range weft.Devices() {
		if name := d.String(); (strings.HasPrefix(name, "opencl:") || strings.HasPrefix(name, "cuda:")) && (named == "" || name == named) {
			some = true
			t.Run(name, func(t *testing.T) { runPrograms(t, d, 70, ways...) })
		}
	}
	if !some && named != "" {
		t.Fatalf("there is no device %s, which WEFT_DEVICE names", named)
	}
	if !some {
		_, cudaError := cuda.Devices()
		_, openclError := opencl.Devices()
		devicecheck.Absent(t, "opencl", cudaError, openclError)
	}
}

func runPrograms(t *testing.T, d weft.Device, n int, ways ...string) {
	x := weft.Linspace(0.1, 2, n)
	if n == 1 {
		x = weft.Of(0.5, 1.5)
	}
	there := x.To(d)
	for name, f := range programs {
		want := f(x)
		calls := map[string]func() weft.Array{
			"jit":           func() weft.Array { return weft.Jit(f, weft.On(d))(x) },
			"jit, placed":   func() weft.Array { return weft.Jit(f)(there) },
			"eager":         func() (y weft.Array) { weft.With(weft.DefaultDevice(d), func() { y = f(x) }); return },
			"eager, placed": func() weft.Array { return f(there) },
			"jit, twice":    func() weft.Array { g := weft.Jit(f, weft.On(d)); g(there); return g(there) },
		}
		for _, way := range ways {
			if got := calls[way](); !testcheck.SameBinary(got, want) {
				t.Errorf("%s, %s on %v, %d elements: got %v, want %v", name, way, d, n, got, want)
			}
		}
	}
}

// A failure on the device is an error that names the device. Afterwards the device works.
func TestFailures(t *testing.T) {
	s := simulated()
	d := weft.DeviceNamed("simulated")
	x := weft.Linspace(0, 1, 10)
	f := weft.Jit(func(x weft.Array) weft.Array { return weft.Sin(x).Add(1) }, weft.On(d))
	want := f(x).String()
	s.Fail(errors.New("the device is on fire"))
	_, err := weft.Try(func() weft.Array { y := f(x); _ = y.String(); return y })
	if err == nil || !strings.Contains(err.Error(), "simulated") || !strings.Contains(err.Error(), "on fire") {
		t.Errorf("got %v", err)
	}
	s.Fail(nil)
	if got := f(x).String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A run that is cancelled ends between kernels.
func TestCancelled(t *testing.T) {
	simulated()
	d := weft.DeviceNamed("simulated")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var err error
	weft.With(weft.Context(ctx), func() {
		_, err = weft.Try(func() weft.Array {
			return weft.Jit(func(x weft.Array) weft.Array { return weft.Sin(x) }, weft.On(d))(weft.Ones(4))
		})
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// The memory of values that are no longer needed is used again: a long loop needs little.
func TestMemoryIsUsedAgain(t *testing.T) {
	s := simulated()
	d := weft.DeviceNamed("simulated")
	f := weft.Jit(func(x weft.Array) weft.Array {
		return weft.ForI(200, func(i, c weft.Array) weft.Array { return c.Add(i).Sort() }, x)
	}, weft.On(d))
	before := s.Blocks()
	_ = f(weft.Ones(100)).String()
	if n := s.Blocks() - before; n > 20 {
		t.Errorf("a loop of 200 iterations has taken %d pieces of memory", n)
	}
}

// Many goroutines use a device at once.
func TestConcurrentCalls(t *testing.T) {
	simulated()
	d := weft.DeviceNamed("simulated")
	f := weft.Jit(func(x weft.Array) weft.Array { return weft.Sin(x).CumSum(0).Sum() }, weft.On(d))
	x := weft.Linspace(0, 3, 100)
	want := f(x).String()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if got := f(x).String(); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
		})
	}
	wg.Wait()
}

// A device is opened by the first operation on it, whichever that is.
func TestFirstOperation(t *testing.T) {
	x := drivertest.Draw(rand.New(rand.NewPCG(1, 1)), core.Aval(core.Float32, 3), primtest.Domain{})
	for name, use := range map[string]func(e runtime.Executor) error{
		"eager": func(e runtime.Executor) error {
			l := e.Leaf(prim.SinP{}, []core.ShapedArray{x.Aval()}, []core.ShapedArray{x.Aval()})
			return l(t.Context(), prim.SinP{}, []*runtime.Array{x}, []core.ShapedArray{x.Aval()}, make([]*runtime.Array, 1))
		},
		"placed": func(e runtime.Executor) error { _, err := e.Place(t.Context(), x); return err },
	} {
		if err := use(device.New(&drivertest.Simulated{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
