package mesh

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/wefttest"
)

// normal returns numbers that differ from call to call.
func normal(r *rand.Rand, dims ...int) weft.Array {
	n := 1
	for _, d := range dims {
		n *= d
	}
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return weft.FromSlice(x, dims...)
}

func same(t *testing.T, what string, got, want weft.Array) {
	t.Helper()
	if !got.Equal(want) {
		t.Errorf("%s: got\n%v\nwant\n%v", what, got, want)
	}
}

func allClose[P any](t *testing.T, got, want P) {
	t.Helper()
	wefttest.AllClose(t, got, want, wefttest.Tolerance{Rel: 1e-5, Abs: 1e-5})
}

// Mistakes name the axis, its size, the argument or result, and the fix.
func TestRefusals(t *testing.T) {
	xy, d := New(Axis("x", 2), Axis("y", 2)), New(Axis("d", 4))
	id := func(a weft.Array) weft.Array { return a }
	f32 := func(dims ...int) weft.Array { return weft.ZerosOf(weft.Float32, dims...) }
	for _, c := range []struct {
		name string
		f    func()
		want []string
	}{
		{"not replicated", func() { ShardMap(id, xy, In(P("x")), Out(P()))(f32(8, 4)) },
			[]string{`result 0 is f32[4,4]{V:x}`, `axis "x" of size 2`, `P()`, `Psum(…, "x")`}},
		{"does not divide", func() { ShardMap(id, xy, In(P("x")), Out(P("x")))(f32(7, 4)) },
			[]string{`axis 0 of argument 0, a f32[7,4]`, `"x" into 2 pieces`, "size 7", "pad"}},
		{"out spec too long", func() {
			ShardMap(func(a weft.Array) weft.Array { return a.Sum() }, xy, In(P("x")), Out(P("x")))(f32(8, 4))
		}, []string{"result 0 is f32[]{V:x}", "P('x',) has 1 entry", "fewer"}},
		{"in spec too long", func() { ShardMap(id, xy, In(P("x", nil, "y")), Out(P("x")))(f32(8, 4)) },
			[]string{"argument 0 is f32[8,4]", "3 entries"}},
		{"axis twice", func() { ShardMap(id, xy, In(P("x", "x")), Out(P("x", "x")))(f32(8, 4)) },
			[]string{"P('x', 'x') of argument 0", `"x" twice`}},
		{"no such axis", func() { ShardMap(id, xy, In(P("q")), Out(P("q")))(f32(8, 4)) },
			[]string{"P('q',) of argument 0", `"q", which the mesh`, "use one of its axes"}},
		{"mixed variance in cond", func() {
			ShardMap(func(a weft.Array) weft.Array {
				return weft.Cond(weft.Scalar(true), func() weft.Array { return lax.Psum(a, "d") }, func() weft.Array { return a })
			}, d, In(P("d")), Out(P("d")))(f32(8))
		}, []string{"result 0 is f32[2]{V:d} in branch 0 and f32[2] in branch 1", `lax.Pvary(…, "d")`}},
		{"scan carry varies", func() {
			ShardMap(func(a weft.Array) weft.Array {
				_, ys := weft.Scan(func(c, x weft.Array) (weft.Array, weft.Array) { return c.Add(x), c }, f32(), a)
				return ys
			}, d, In(P("d")), Out(P("d")))(f32(8))
		}, []string{"carry 0 starts as f32[] but the body returns f32[]{V:d}", `lax.Pvary(…, "d")`}},
		{"tree of specs", func() {
			ShardMap(func(a, b weft.Array) weft.Array { return a.Add(b) }, d, In(P("d")), Out(P("d")))
		}, []string{"In has 1 spec, the function has 2 arguments"}},
		{"no axis of that name", func() {
			ShardMap(func(a weft.Array) weft.Array { return lax.Psum(a, "e") }, d, In(P("d")), Out(P("d")))(f32(8))
		}, []string{`"e"`}},
		{"looking", func() {
			ShardMap(func(a weft.Array) weft.Array {
				if lax.AxisIndex("d").Int() == 0 {
					return a
				}
				return a.Neg()
			}, d, In(P("d")), Out(P("d")))(f32(8))
		}, []string{"axis_index"}},
	} {
		err := core.Catch(c.f)
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not contain %q", c.name, err, w)
			}
		}
	}
}

type network struct{ Up, Down weft.Array }

func (n network) apply(x weft.Array, axis string) weft.Array {
	h := nn.Gelu(x.MatMul(n.Up)).MatMul(n.Down)
	if axis == "" {
		return h
	}
	return lax.Psum(h, axis)
}

// A network cut along two axes of a mesh has the values and the gradient of the whole one.
func TestTensorParallel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m := New(Axis("data", 2), Axis("model", 2))
	n := network{normal(r, 3, 8), normal(r, 8, 3)}
	x := normal(r, 4, 3)
	cut := In(weft.Axes{"Up": P(nil, "model"), "Down": P("model")}, P("data"))
	f := ShardMap(func(n network, x weft.Array) weft.Array { return n.apply(x, "model") }, m, cut, Out(P("data")))
	allClose(t, f(n, x), n.apply(x, ""))
	same(t, "Jit", weft.Jit(f)(n, x), f(n, x))

	loss := func(f func(network, weft.Array) weft.Array) func(network) weft.Array {
		return func(n network) weft.Array { return weft.Sin(f(n, x)).Sum() }
	}
	g := weft.Grad(loss(f))(n)
	want := weft.Grad(loss(func(n network, x weft.Array) weft.Array { return n.apply(x, "") }))(n)
	allClose(t, g, want)
	jg := weft.Jit(weft.Grad(loss(f)))(n)
	same(t, "Jit of Grad", jg.Up, g.Up)

	// A gradient within the program: that of copies is the sum over the devices.
	inside := ShardMap(func(n network, x weft.Array) network {
		return weft.Grad(func(n network) weft.Array { return lax.Psum(weft.Sin(n.apply(x, "model")).Sum(), "data") })(n)
	}, m, cut, Out(weft.Axes{"Up": P(nil, "model"), "Down": P("model")}))
	allClose(t, inside(n, x), want)
}

// The mean of the devices' losses, and its gradient, are those of the whole batch.
func TestDataParallel(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	loss := func(n network, x, y weft.Array) weft.Array { return weft.Square(n.apply(x, "").Sub(y)).Mean() }
	n := network{normal(r, 3, 8), normal(r, 8, 2)}
	x, y := normal(r, 8, 3), normal(r, 8, 2)
	for _, m := range []Mesh{New(Axis("data", 4)), New(Axis("data", 2), Axis("spare", 2)), New(Axis("data", 1))} {
		f := DataParallel(m, "data", loss)
		allClose(t, f(n, x, y), loss(n, x, y))
		grad := func(f func(network, weft.Array, weft.Array) weft.Array) network {
			return weft.Grad(func(n network) weft.Array { return f(n, x, y) })(n)
		}
		allClose(t, grad(f), grad(loss))
	}
}

// One key draws different numbers on each device, and the same ones however the devices are arranged.
func TestKeys(t *testing.T) {
	draw := func(m Mesh, in, out Spec) weft.Array {
		return ShardMap(func(k random.Key) weft.Array {
			return random.Normal(k.FoldIn(lax.AxisIndex("d")), 1, 3)
		}, m, In(in), Out(out))(random.New(7))
	}
	x := draw(New(Axis("d", 4)), P(), P("d"))
	same(t, "beside another axis", draw(New(Axis("e", 3), Axis("d", 4)), P(), P("d")), x)
	for i := range 4 {
		same(t, "row", x.Index(i), random.Normal(random.New(7).FoldIn(i), 3))
	}
}

// ShardMap nests with maps, loops and rematerialization, in either order.
func TestNesting(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	m := New(Axis("d", 4))
	x := normal(r, 3, 8, 2)
	row := func(a weft.Array) weft.Array { return weft.Sin(a).Mul(lax.Psum(a.Sum(), "d")) }
	f := ShardMap(row, m, In(P("d")), Out(P("d")))
	var rows []weft.Array
	for i := range 3 {
		rows = append(rows, f(x.Index(i)))
	}
	want := weft.Stack(0, rows...)
	same(t, "Vmap of ShardMap", weft.Vmap(f)(x), want)
	same(t, "ShardMap of Vmap", ShardMap(weft.Vmap(row), m, In(P(nil, "d")), Out(P(nil, "d")))(x), want)
	same(t, "MapScan of ShardMap", weft.MapScan(f, x), want)
	same(t, "ShardMap of MapScan", ShardMap(func(x weft.Array) weft.Array { return weft.MapScan(row, x) }, m, In(P(nil, "d")), Out(P(nil, "d")))(x), want)

	loss := func(f func(weft.Array) weft.Array) weft.Array {
		return weft.Grad(func(x weft.Array) weft.Array { return weft.Square(f(x)).Sum() })(x.Index(0))
	}
	g := loss(f)
	same(t, "Remat of ShardMap", loss(weft.Remat(f)), g)
	same(t, "ShardMap of Remat", loss(ShardMap(weft.Remat(row), m, In(P("d")), Out(P("d")))), g)
	same(t, "ShardMap of Jit", loss(ShardMap(weft.Jit(row), m, In(P("d")), Out(P("d")))), g)
	same(t, "Grad of loop", loss(func(x weft.Array) weft.Array {
		return weft.ForI(1, func(_, c weft.Array) weft.Array { return f(c) }, x)
	}), g)
	same(t, "Grad of branch", loss(func(x weft.Array) weft.Array {
		return weft.Cond(x.Sum().Lt(1e9), func() weft.Array { return f(x) }, func() weft.Array { return x })
	}), g)

	// The axis name of a Vmap around ShardMap is bound within.
	named := func(a weft.Array) weft.Array {
		return ShardMap(func(a weft.Array) weft.Array { return lax.Psum(lax.Psum(a, "d"), "v") }, m, In(P("d")), Out(P()))(a)
	}
	got := weft.Vmap(named, weft.AxisName("v"))(x)
	total := x.Reshape(3, 4, 2, 2).Sum(0, 1)
	allClose(t, got, weft.Stack(0, total, total, total))

	// Two meshes, one within the other.
	inner := New(Axis("e", 2))
	both := ShardMap(func(a weft.Array) weft.Array {
		return ShardMap(func(b weft.Array) weft.Array { return lax.Psum(b, "e").Add(lax.Psum(a.Sum(), "d")) }, inner, In(P("e")), Out(P()))(a)
	}, m, In(P("d")), Out(P("d")))
	y := x.Index(0)
	allClose(t, both(y), y.Reshape(4, 2, 1, 2).Sum(1).Add(y.Sum()).Reshape(4, 2))
}

// Rules of the user's work within the program of a device.
func TestCustomRules(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	x := normal(r, 8, 2)
	rule := custom.JVP(func(p weft.Array) weft.Array { return weft.Sin(p) }, func(p, t weft.Array) (weft.Array, weft.Array) {
		return weft.Sin(p), weft.Cos(p).Mul(t)
	})
	f := ShardMap(func(a weft.Array) weft.Array { return rule(a).Mul(lax.Psum(a.Sum(), "d")) }, New(Axis("d", 4)), In(P("d")), Out(P("d")))
	plain := func(a weft.Array) weft.Array { return weft.Sin(a).Mul(a.Sum()) }
	grad := func(f func(weft.Array) weft.Array) weft.Array {
		return weft.Grad(func(x weft.Array) weft.Array { return weft.Square(f(x)).Sum() })(x)
	}
	allClose(t, f(x), plain(x))
	allClose(t, grad(f), grad(plain))
	allClose(t, weft.Jit(func(x weft.Array) weft.Array { return grad(f) })(x), grad(plain))
}

// A function whose rule closes over values of a device has the bits and the derivatives of Vmap
// over the devices' pieces. The factors 2 show that the rule is used.
func TestCustomRulesThatCloseOverDevices(t *testing.T) {
	x := normal(rand.New(rand.NewPCG(9, 10)), 8, 2)
	for name, rule := range map[string]func(s weft.Array) func(weft.Array) weft.Array{
		"JVP": func(s weft.Array) func(weft.Array) weft.Array {
			return custom.JVP(func(p weft.Array) weft.Array { return weft.Sin(p).Mul(s) }, func(p, t weft.Array) (weft.Array, weft.Array) {
				return weft.Sin(p).Mul(s), weft.Cos(p).Mul(s).Mul(t).Mul(2)
			})
		},
		"VJP": func(s weft.Array) func(weft.Array) weft.Array {
			return custom.VJP(func(p weft.Array) weft.Array { return weft.Sin(p).Mul(s) },
				func(p weft.Array) (weft.Array, weft.Array) { return weft.Sin(p).Mul(s), p },
				func(p, ct weft.Array) weft.Array { return weft.Cos(p).Mul(s).Mul(ct).Mul(2) })
		},
	} {
		device := func(a weft.Array) weft.Array {
			s := lax.AxisIndex("d").AsType(a.DType()).Add(1)
			return rule(s)(a).Mul(lax.Psum(s, "d"))
		}
		stack := func(x weft.Array) weft.Array {
			return weft.Vmap(device, weft.AxisName("d"))(x.Reshape(4, 2, 2)).Reshape(8, 2)
		}
		s := weft.Of(1., 1., 2., 2., 3., 3., 4., 4.).Reshape(8, 1)
		grad := func(f func(weft.Array) weft.Array) weft.Array {
			return weft.Grad(func(x weft.Array) weft.Array { return f(x).Sum() })(x)
		}
		for _, opts := range [][]Option{nil, {Unchecked()}} {
			f := ShardMap(device, New(Axis("d", 4)), append([]Option{In(P("d")), Out(P("d"))}, opts...)...)
			same(t, name, f(x), stack(x))
			same(t, name+" gradient", grad(f), grad(stack))
			allClose(t, grad(f), weft.Cos(x).Mul(s).Mul(20))
			same(t, name+" gradient of Jit", weft.Jit(func(x weft.Array) weft.Array { return grad(f) })(x), grad(stack))
			if name == "JVP" {
				_, tangent := weft.JVP(f, x, x)
				_, want := weft.JVP(stack, x, x)
				same(t, "tangent", tangent, want)
			}
		}
	}
}

// Without the check a result is the first device's, and derivatives of sums are right.
func TestUnchecked(t *testing.T) {
	m := New(Axis("d", 4))
	x := weft.Arange(8.)
	first := ShardMap(func(a weft.Array) weft.Array { return a }, m, In(P("d")), Out(P()), Unchecked())
	same(t, "first device", first(x), weft.Of(0., 1.))
	loss := func(opts ...Option) weft.Array {
		f := ShardMap(func(w, a weft.Array) weft.Array { return lax.Psum(w.Mul(a).Sum(), "d") }, m, append([]Option{In(P(), P("d")), Out(P())}, opts...)...)
		return weft.Grad(func(w weft.Array) weft.Array { return weft.Square(f(w, x)) })(weft.Of(1., 2.))
	}
	same(t, "gradient", loss(Unchecked()), loss())
}

// A mesh of 1024 devices is one program.
func TestManyDevices(t *testing.T) {
	m := New(Axis("node", 128), Axis("device", 8))
	x := weft.Arange(2048.)
	f := ShardMap(func(a weft.Array) weft.Array { return lax.Psum(a.Sum(), "node", "device") }, m, In(P([]string{"node", "device"})), Out(P()))
	same(t, "sum", f(x), weft.Scalar(float32(2047*1024)))
	g := weft.Jit(weft.Grad(func(x weft.Array) weft.Array { return weft.Square(f(x)) }))
	same(t, "gradient", g(x), weft.Full(weft.Shape{2048}, float32(2*2047*1024)))
}

// Results of reductions over axes are the same along these axes; pvary lets a value vary.
func TestVary(t *testing.T) {
	both, y := core.MakeAxes("x", "y"), core.MakeAxes("y")
	x := prim.NamedAxes{Names: prim.MakeNames("x")}
	for name, got := range map[string]core.Axes{
		"psum":           prim.PsumP{Axes: x}.Vary(both),
		"pmax":           prim.PmaxP{Axes: x}.Vary(both),
		"pmin":           prim.PminP{Axes: x}.Vary(both),
		"psum_invariant": prim.PsumInvariantP{Axes: x.Names}.Vary(both),
	} {
		if got != y {
			t.Errorf("%s over x: got %v, want %v", name, got, y)
		}
	}
	if got := (prim.PvaryP{Axes: x.Names}).Vary(y); got != both {
		t.Errorf("pvary: got %v, want %v", got, both)
	}
	if n, ok := core.NewRegion([]string{"x"}, []int{3}, true).BindsAxis("x"); n != 3 || !ok {
		t.Errorf("a region binds %d, %t", n, ok)
	}
}

func TestDrawingAsPicture(t *testing.T) {
	svg := Draw(New(Axis("x", 2)), P("x"), weft.Shape{4, 2}).SVG()
	for _, want := range []string{"<svg ", ">0</text>", ">1</text>", "</svg>"} {
		if !strings.Contains(svg, want) {
			t.Errorf("got %s, want %s", svg, want)
		}
	}
}

// A user-defined batching rule is used for the user's batches only. Devices compute the function
// itself, so that results do not depend on where the devices are, and programs read from text have
// the same ones.
func TestBatchingRulesOnDevices(t *testing.T) {
	m := New(Axis("d", 4))
	var of []int // how many elements the rule was called with
	f := custom.Vmap(func(x weft.Array) weft.Array { return x.Mul(2) }, func(n int, _, x weft.Array) (weft.Array, weft.Array) {
		of = append(of, n)
		return x.Mul(3), weft.Scalar(true)
	})
	double := ShardMap(func(x weft.Array) weft.Array { return f(x) }, m, In(P("d")), Out(P("d")))
	x := weft.Arange(8.)
	same(t, "on devices", double(x), x.Mul(2))
	same(t, "in a program", weft.Jit(double)(x), x.Mul(2))
	same(t, "derivative", weft.Grad(func(x weft.Array) weft.Array { return double(x).Sum() })(x), weft.FullLike(x, 2))
	if of != nil {
		t.Errorf("the rule was called with %v elements, want no call", of)
	}
	rows := weft.Stack(0, x, x.Neg(), x.Add(1))
	same(t, "batch of programs", weft.Vmap(double)(rows), rows.Mul(3))
	same(t, "derivative of the batch", weft.Grad(func(x weft.Array) weft.Array { return weft.Vmap(double)(x).Sum() })(rows), weft.FullLike(rows, 3))
	inside := ShardMap(func(x weft.Array) weft.Array { return weft.Vmap(f)(x) }, m, In(P("d")), Out(P("d")))
	same(t, "batch on a device", inside(x), x.Mul(3))
	each := custom.Vmap(func(x weft.Array) weft.Array { return x.Sub(lax.Pmean(x, "d")) }, nil)
	same(t, "one element after the other, with a collective", ShardMap(func(x weft.Array) weft.Array { return each(x) }, m, In(P("d")), Out(P("d")))(x),
		ShardMap(func(x weft.Array) weft.Array { return x.Sub(lax.Pmean(x, "d")) }, m, In(P("d")), Out(P("d")))(x))
}
