package devices_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/fakedevice"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lax"
	wruntime "github.com/weft-go/weft/runtime"
)

// devicePrograms are calls, control flow and transformations of one function of a vector.
var devicePrograms = map[string]func(x weft.Array) weft.Array{
	"eager":       func(x weft.Array) weft.Array { return weft.Tanh(x.Mul(2).Add(x)).Sub(weft.Exp(x)) },
	"jit":         weft.Jit(func(x weft.Array) weft.Array { return weft.Sin(x).Mul(x) }),
	"jit of jit":  weft.Jit(func(x weft.Array) weft.Array { return weft.Jit(weft.Cos)(x).Add(1) }),
	"constant":    weft.Jit(func(x weft.Array) weft.Array { return x.Add(weft.Arange(float32(4))) }),
	"grad":        weft.Grad(func(x weft.Array) weft.Array { return weft.Square(weft.Sin(x)).Sum() }),
	"grad of jit": weft.Grad(func(x weft.Array) weft.Array { return weft.Jit(weft.Sin)(x).Sum() }),
	"vmap":        weft.Vmap(func(x weft.Array) weft.Array { return x.Mul(x).Add(3) }),
	"switch": func(x weft.Array) weft.Array {
		return weft.Switch(x.Sum().AsType(weft.Int32).Rem(2), func() weft.Array { return x }, func() weft.Array { return x.Mul(3) })
	},
	"for": func(x weft.Array) weft.Array {
		return weft.ForI(3, func(i, x weft.Array) weft.Array { return x.Add(i) }, x)
	},
	"associative scan": func(x weft.Array) weft.Array {
		return weft.AssociativeScan(func(a, b weft.Array) weft.Array { return a.Mul(b) }, x)
	},
	"vjp": func(x weft.Array) weft.Array {
		y, back := weft.VJP(weft.Exp, x)
		return back(y)
	},
	"linearize": func(x weft.Array) weft.Array {
		_, f := weft.Linearize(weft.Exp, x)
		return f(x)
	},
	"hessian": weft.Hessian(func(x weft.Array) weft.Array { return weft.Sin(x).Sum() }),
	"jacfwd":  weft.Jacfwd(weft.Sin),
	"grad of scan": weft.Grad(func(x weft.Array) weft.Array {
		return weft.Fold(func(c, x weft.Array) weft.Array { return weft.Sin(c.Add(x)) }, weft.Scalar(float32(0)), x)
	}),
	"vmap of grad": weft.Vmap(weft.Grad(weft.Sin)),
	"now": weft.Jit(func(x weft.Array) weft.Array {
		return x.Mul(weft.Now(func() weft.Array { return weft.Of(float32(2), 4).Sum() }))
	}),
	"jvp": func(x weft.Array) weft.Array {
		y, d := weft.JVP(weft.Exp, x, x)
		return y.Add(d)
	},
	"cond": func(x weft.Array) weft.Array {
		return weft.Cond(x.Sum().Gt(0), func() weft.Array { return x.Mul(2) }, func() weft.Array { return x })
	},
	"while": func(x weft.Array) weft.Array {
		return weft.While(func(c weft.Array) weft.Array { return c.Sum().Lt(100) }, func(c weft.Array) weft.Array { return c.Mul(2) }, x)
	},
	"scan": func(x weft.Array) weft.Array {
		c, ys := weft.Scan(func(c, x weft.Array) (weft.Array, weft.Array) { return c.Add(x), c.Mul(x) }, weft.Scalar(float32(0)), x)
		return ys.Add(c)
	},
	"index":    func(x weft.Array) weft.Array { return x.At(1).Set(9).Index("1:").Sum() },
	"remat":    weft.Grad(func(x weft.Array) weft.Array { return weft.Remat(weft.Sin)(x).Sum() }),
	"callback": func(x weft.Array) weft.Array { return weft.PureCallback(weft.Sin, x, x) },
	"callback in jit": weft.Jit(func(x weft.Array) weft.Array {
		return weft.PureCallback(func(x weft.Array) weft.Array { return x.Mul(2) }, x, x)
	}),
	"donated": func(x weft.Array) weft.Array {
		return weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.Donate(0))(x.Add(0))
	},
	"jacrev": weft.Jacrev(weft.Sin),
	"linear transpose": func(x weft.Array) weft.Array {
		return weft.LinearTranspose(func(x weft.Array) weft.Array { return x.Mul(3).Index("::-1") }, x)(x)
	},
	"value and grad": func(x weft.Array) weft.Array {
		y, g := weft.ValueAndGrad(func(x weft.Array) weft.Array { return weft.Exp(x).Sum() })(x)
		return g.Add(y)
	},
	"grad with a second result": func(x weft.Array) weft.Array {
		g, y := weft.GradAux(func(x weft.Array) (weft.Array, weft.Array) { y := weft.Sin(x); return y.Sum(), y })(x)
		return g.Add(y)
	},
	"map": func(x weft.Array) weft.Array {
		return weft.MapScan(func(x weft.Array) weft.Array { return weft.Cos(x).Add(1) }, x)
	},
	"named axis": func(x weft.Array) weft.Array {
		return weft.Vmap(func(x weft.Array) weft.Array { return x.Div(lax.Psum(x, "i")) }, weft.AxisName("i"))(x)
	},
	"jvp of grad of jit": func(x weft.Array) weft.Array {
		_, t := weft.JVP(weft.Grad(func(x weft.Array) weft.Array { return weft.Jit(weft.Tanh)(x).Sum() }), x, x)
		return t
	},
	"jit of vmap of grad": weft.Jit(weft.Vmap(weft.Grad(weft.Tanh))),
	"effect in order": weft.Jit(func(x weft.Array) weft.Array {
		return weft.IOCallback(func(x weft.Array) weft.Array { return x.Mul(2) }, x, x).Add(1)
	}),
	"interpreted": weft.Interpret(func(x weft.Array) weft.Array { return weft.Sin(x).Mul(2) }, func(p *weft.IR, in []weft.Array) []weft.Array {
		return jaxpr.Walk(p, weft.FromValue, in, func(e *jaxpr.Eqn, in []weft.Array) []weft.Array { return weft.Apply(e.Prim, in...) })
	}),
	"compiled": func(x weft.Array) weft.Array {
		c, err := weft.Compile(func(x weft.Array) weft.Array { return x.Add(1) }, x)
		testcheck.Must(err)
		if len(c.Account().Fallbacks) == 0 && c.Device().String() == "pretended" {
			panic("no fallbacks in the account")
		}
		return c.Call(x)
	},
}

// deviceRules are user-defined rules, alone and under transformations.
var deviceRules = map[string]func(x weft.Array) weft.Array{
	"custom JVP": weft.Grad(func(x weft.Array) weft.Array {
		f := custom.JVP(weft.Sin, func(x, t weft.Array) (weft.Array, weft.Array) { return weft.Sin(x), t.Mul(3) })
		return f(x).Sum()
	}),
	"custom VJP": weft.Jit(weft.Grad(func(x weft.Array) weft.Array {
		f := custom.VJP(weft.Sin,
			func(x weft.Array) (weft.Array, weft.Array) { return weft.Sin(x), weft.Cos(x) },
			func(cos, ct weft.Array) weft.Array { return cos.Mul(ct).Mul(2) })
		return f(x).Sum()
	})),
	"custom VJP, not differentiated": func(x weft.Array) weft.Array {
		return custom.VJP(weft.Sin,
			func(x weft.Array) (weft.Array, weft.Array) { return weft.Sin(x), x },
			func(x, ct weft.Array) weft.Array { return ct })(x)
	},
	"custom Vmap": weft.Vmap(custom.Vmap(weft.Sin, func(n int, mapped, x weft.Array) (weft.Array, weft.Array) {
		return weft.Cos(x), mapped
	})),
	"custom Root": func(x weft.Array) weft.Array {
		f := func(y weft.Array) weft.Array { return y.Mul(y).Sub(x) }
		solve := func(f func(weft.Array) weft.Array, y weft.Array) weft.Array {
			return weft.ForI(8, func(_, y weft.Array) weft.Array { return y.Sub(f(y).Div(y.Mul(2))) }, y)
		}
		return custom.Root(f, weft.OnesLike(x), solve, func(g func(weft.Array) weft.Array, y weft.Array) weft.Array { return y.Div(g(weft.OnesLike(y))) })
	},
	"custom LinearSolve": weft.Grad(func(x weft.Array) weft.Array {
		solve := func(_ func(weft.Array) weft.Array, b weft.Array) weft.Array { return b.Div(2) }
		return custom.LinearSolve(func(y weft.Array) weft.Array { return y.Mul(2) }, x, solve, nil, custom.Symmetric()).Sum()
	}),
	"custom Gradient": weft.Grad(func(x weft.Array) weft.Array {
		return custom.Gradient(func(x weft.Array) (weft.Array, func(weft.Array) weft.Array) {
			return x.Mul(x), func(ct weft.Array) weft.Array { return ct.Mul(5) }
		})(x).Sum()
	}),
	"custom NewVJP": weft.Grad(func(x weft.Array) weft.Array {
		h := custom.NewVJP[float64, weft.Array, weft.Array](func(d float64, x weft.Array) weft.Array { return x.Mul(d) })
		h.Rules(func(d float64, x weft.Array) (weft.Array, weft.Array) { return x.Mul(d), x },
			func(d float64, x, ct weft.Array) weft.Array { return ct.Mul(d + 1) })
		return h.Call(2, x).Sum()
	}),
}

// oneProgram are those that are one program on one array.
var oneProgram = []string{"jit", "jit of jit", "jit of vmap of grad", "constant", "call", "compiled", "pointers", "with a context", "while", "now",
	"custom VJP", "interpreted within", "for to a traced end"}

// Every kind of call runs on a device with the reference's bits, under every debug switch.
func TestDeviceRunsEverything(t *testing.T) {
	e := fakedevice.Pair()[0]
	d := weft.DeviceNamed("pretended")
	x := weft.Of(float32(0.5), 1, 2, 3)
	for name, f := range everyDeviceProgram() {
		for what, set := range deviceSettings(t) {
			var want weft.Array
			weft.With(set, func() { want = f(x) })
			weft.With(set, func() {
				weft.With(weft.DefaultDevice(d), func() {
					before, down, up := e.Leaves.Load()+e.Runs.Load(), e.Downloads.Load(), e.Uploads.Load()
					got := f(x.To(d))
					down, up = e.Downloads.Load()-down, e.Uploads.Load()-up
					if slices.Contains(oneProgram, name) && what == "plain" && (down != 0 || up != 1) {
						t.Errorf("%s: got %d copies to the host and %d to the device, want 0 and 1", name, down, up)
					}
					if _, err := fakedevice.Peek(got.Value().(*wruntime.Array)); !errors.Is(err, fakedevice.ErrNotWaited) {
						t.Errorf("%s, %s: the result was read before it was looked at: got %v, want %v", name, what, err, fakedevice.ErrNotWaited)
					}
					if !got.Equal(want) {
						t.Errorf("%s, %s: got %v, want %v", name, what, got, want)
					}
					if what == "plain" && e.Leaves.Load()+e.Runs.Load() == before && name != "callback" {
						t.Errorf("%s: nothing ran on the device", name)
					}
				})
			})
		}
		// The operands lead to the device, also without the setting.
		want := f(x)
		if got := f(x.To(d)); !got.Equal(want) {
			t.Errorf("%s, on the operands' device: got %v, want %v", name, got, want)
		}
	}
}

// A device's operands lead to it also where another device is the process's default one: what the
// library makes there moves. Arrays that To placed on both are an error still.
func TestDefaultDeviceBesideAnother(t *testing.T) {
	es := fakedevice.Pair()
	before := wruntime.Default()
	defer func() { testcheck.Must(wruntime.SetDefault(before)) }()
	testcheck.Must(wruntime.SetDefault(es[1]))
	d := weft.DeviceNamed(es[0].Name())
	x := weft.Of(float32(0.5), 1, 2, 3)
	for name, f := range everyDeviceProgram() {
		want := f(x)
		if got := f(x.To(d)); !got.Equal(want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	y := weft.Exp(x) // on the default device
	if m := y.Value().(*wruntime.Array).Memory(); m != es[1].Memory() {
		t.Fatalf("the default device's result is in %s", m)
	}
	double := weft.Jit(func(x weft.Array) weft.Array { return x.Mul(2) }, weft.On(d))
	for name, got := range map[string]weft.Array{"eager": y.Add(x.To(d)), "On": double(y)} {
		if m := got.Value().(*wruntime.Array).Memory(); m != es[0].Memory() {
			t.Errorf("%s: the result is in %s, want %s", name, m, es[0].Memory())
		}
	}
	placed := y.To(weft.DeviceNamed(es[1].Name()))
	testcheck.Fails(t, core.ErrDevice, func() { placed.Add(x.To(d)) }, "To(d)")
	testcheck.Fails(t, core.ErrDevice, func() { double(placed) }, "To(d)")
	if got := y.Add(x.To(d)); !got.Equal(y.Add(x)) { // placed is another array
		t.Errorf("after To, an array of the default device moves: got %v, want %v", got, y.Add(x))
	}
	weft.With(weft.DefaultDevice(d), func() { // y is where the process's default device makes arrays
		if got := y.Add(x.To(d)); got.Value().(*wruntime.Array).Memory() != es[0].Memory() {
			t.Errorf("an array of the process's default device beside one of the goroutine's: the sum is in %s", got.Value().(*wruntime.Array).Memory())
		}
	})
	uploads := es[1].Uploads.Load()
	sum := placed.Add(y)
	if n := es[1].Uploads.Load() - uploads; n != 0 || !sum.Equal(y.Mul(2)) {
		t.Errorf("an operation on an array that To placed where it was: got %v and %d copies to the device, want %v and none", sum, n, y.Mul(2))
	}
}

// deviceSettings returns the debug switches, and what else a call can run under.
func deviceSettings(t *testing.T) map[string]weft.Setting {
	return map[string]weft.Setting{
		"plain": weft.DefaultBits(32), "NaNs": weft.DebugNaNs(true), "Infs": weft.DebugInfs(true), "gradients": weft.DebugGradients(true),
		"keys": weft.DebugKeyReuse(true), "without omnistaging": weft.Omnistaging(false), "context": weft.Context(t.Context()),
		"threads": weft.Threads(1), "precision": weft.Precision(weft.Exact), "small cache": weft.ProgramCache(1, 1<<10),
		"ranks": weft.RankPromotion(weft.Allow),
	}
}

// What runs on a device stays there: a call on arrays that are there copies nothing to it and
// makes one buffer a result, and elements are copied to the host when they are read, once.
func TestDeviceCopies(t *testing.T) {
	e := fakedevice.Pair()[0]
	d := weft.DeviceNamed(e.Name())
	f := weft.Jit(func(x weft.Array) (weft.Array, weft.Array) { return x.Mul(3), x.Add(1) }, weft.On(d))
	host := weft.Ones(100).Add(0)
	x := host.To(d)
	f(x) // compiled
	uploads, made := e.Uploads.Load(), e.Allocations.Load()
	y, z := f(x)
	if u, a := e.Uploads.Load()-uploads, e.Allocations.Load()-made; u != 0 || a != 2 {
		t.Errorf("a call of two results: got %d copies to the device and %d buffers, want 0 and 2", u, a)
	}
	read := e.Downloads.Load()
	for range 3 {
		weft.ToSlice[float32](y)
	}
	if n := e.Downloads.Load() - read; n != 1 {
		t.Errorf("an array that is read three times: got %d copies to the host, want 1", n)
	}
	_ = z
	uploads = e.Uploads.Load()
	host.To(d)
	if n := e.Uploads.Load() - uploads; n != 1 {
		t.Errorf("To(d): got %d copies to the device, want 1", n)
	}
	uploads = e.Uploads.Load()
	if !x.To(d).Equal(host) || e.Uploads.Load() != uploads {
		t.Errorf("To(d) of an array that is there: got %d copies, want none", e.Uploads.Load()-uploads)
	}
}
