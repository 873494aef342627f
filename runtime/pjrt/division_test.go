package pjrt_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/mesh"
	"github.com/weft-go/weft/runtime"
)

// devices returns the plugin's first n devices.
func devices(t testing.TB, n int) (list []weft.Device) {
	for i := range n {
		list = append(list, device(t, i))
	}
	return list
}

// lies checks that an array is cut as a spec describes, and that its elements are correct up to rounding.
func lies(t *testing.T, what string, x weft.Array, want mesh.Spec, elements weft.Array) {
	t.Helper()
	if _, s, ok := mesh.Sharding(x); !ok || s.String() != want.String() {
		t.Errorf("%s: cut as %v (known: %t), want %v", what, s, ok, want)
	}
	if !near(mesh.Gather(x), elements) {
		t.Errorf("%s: got %v, want %v", what, x, elements)
	}
}

// A jitted function is divided as its arguments are cut, and its results stay on the devices.
func TestDividedFunctions(t *testing.T) {
	m := mesh.New(mesh.Axis("data", 2), mesh.Axis("model", 2)).On(devices(t, 4)...)
	x, w := weft.Arange(32.).Reshape(8, 4).Div(16), weft.Arange(24.).Reshape(4, 6).Div(8)
	px, pw := mesh.Put(m, mesh.P("data"), x), mesh.Put(m, mesh.P(nil, "model"), w)
	lies(t, "put", px, mesh.P("data"), x)
	layer := func(x, w weft.Array) weft.Array { return weft.Tanh(x.MatMul(w)) }
	f := weft.Jit(layer)
	lies(t, "layer", f(px, pw), mesh.P("data", "model"), layer(x, w))
	lies(t, "one argument is whole", f(px, w), mesh.P("data"), layer(x, w))
	lies(t, "no argument is cut", f(mesh.Put(m, mesh.P(), x), w), mesh.P(), layer(x, w))
	lies(t, "captured", weft.Jit(func(x weft.Array) weft.Array { return layer(x, pw) })(px), mesh.P("data", "model"), layer(x, w))
	lies(t, "only what is captured is cut", weft.Jit(func(x weft.Array) weft.Array { return layer(x, pw) })(x), mesh.P(nil, "model"), layer(x, w))
	lies(t, "eager", px.Mul(2).Add(x), mesh.P("data"), x.Mul(2).Add(x))
	requireText(t, "sum", mesh.Gather(px.Sum()), "31.0")
	grad := func(x, w weft.Array) weft.Array {
		return weft.Grad(func(w weft.Array) weft.Array { return layer(x, w).Sum() })(w)
	}
	lies(t, "gradient", weft.Jit(grad)(px, pw), mesh.P(nil, "model"), grad(x, w))
	lies(t, "cut anew", mesh.Put(m, mesh.P(nil, []string{"data", "model"}), px), mesh.P(nil, []string{"data", "model"}), x)
	dir := t.TempDir()
	if err := mesh.Save(dir, px); err != nil {
		t.Fatal(err)
	}
	if loaded, err := mesh.Load(dir, m, mesh.P("data"), x); err != nil {
		t.Error(err)
	} else {
		lies(t, "loaded", loaded, mesh.P("data"), x)
	}
	lies(t, "donated", weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.Donate(0))(mesh.Put(m, mesh.P("data"), x)), mesh.P("data"), x.Add(1))
	for _, dt := range []core.DType{core.Bool, core.Int4, core.Int8, core.Uint64, core.BFloat16, core.Float8E4M3FN, core.Complex64, core.Float64} {
		for _, shape := range [][]int{{2, 3}, {0, 3}, {2, 1, 2}} {
			a := weft.Ones(shape...).AsType(dt)
			if got := mesh.Gather(mesh.Put(m, mesh.P("data"), a)); !got.Equal(a) {
				t.Errorf("%v%v: got %v", dt, shape, got)
			}
		}
	}
	n := 0
	for s := range mesh.Shards(m, mesh.P("data"), px) {
		if at := s.Piece.Value().(*runtime.Array).Memory(); at != runtime.Memory(device(t, s.Device).String()) {
			t.Errorf("the piece of device %d is in %s", s.Device, at)
		}
		if !near(s.Piece, x.Index(weft.R(s.Start[0], s.Start[0]+4))) {
			t.Errorf("the piece of device %d is %v", s.Device, s.Piece)
		}
		n++
	}
	requireText(t, "pieces", n, "4")
}

// Slices and updates of cut arrays equal those of whole arrays, also at indices out of range.
func TestDividedIndices(t *testing.T) {
	m := mesh.New(mesh.Axis("d", 2)).On(devices(t, 2)...)
	x := weft.Arange(24.).Reshape(6, 4)
	px := mesh.Put(m, mesh.P("d"), x)
	for _, size := range []int{1, 4} {
		update := weft.Full(weft.Shape{size, 4}, -1.)
		for name, f := range map[string]func(x, i weft.Array) weft.Array{
			"update": func(x, i weft.Array) weft.Array {
				return lax.DynamicUpdateSlice(x, update, []weft.Array{i, weft.Scalar(0)})
			},
			"slice":   func(x, i weft.Array) weft.Array { return lax.DynamicSlice(x, []weft.Array{i, weft.Scalar(0)}, size, 4) },
			"scatter": func(x, i weft.Array) weft.Array { return x.At(i).Add(update.Index(0)) },
			"gather":  func(x, i weft.Array) weft.Array { return weft.NaNToNum(weft.Take(x, i.Reshape(1), 0)) },
		} {
			jitted := weft.Jit(f)
			for _, at := range []int{-7, -1, 0, 2, 4, 5, 6, 100} {
				i := weft.Scalar(at)
				if got, want := mesh.Gather(jitted(px, i)), f(x, i); !near(got, want) {
					t.Errorf("%s of %d at %d: got %v, want %v", name, size, at, got, want)
				}
			}
		}
	}
}

// On a mesh with devices ShardMap runs on these, whether its arguments are cut or not.
func TestDividedShardMap(t *testing.T) {
	m := mesh.New(mesh.Axis("d", 4)).On(devices(t, 4)...)
	x := weft.Arange(16.).Reshape(8, 2)
	body := func(x weft.Array) weft.Array { return x.Sub(lax.Pmean(x.Mean(), "d")) }
	f := mesh.ShardMap(body, m, mesh.In(mesh.P("d")), mesh.Out(mesh.P("d")))
	want := x.Sub(7.5)
	lies(t, "whole argument", f(x), mesh.P("d"), want)
	px := mesh.Put(m, mesh.P("d"), x)
	lies(t, "cut argument", f(px), mesh.P("d"), want)
	lies(t, "within a program", weft.Jit(func(x weft.Array) weft.Array { return weft.Sin(f(x)) })(px), mesh.P("d"), weft.Sin(want))
	g := func(x weft.Array) weft.Array { return weft.Square(f(x)).Sum() }
	lies(t, "gradient", weft.Jit(weft.Grad(g))(px), mesh.P("d"), want.Mul(2))
	lies(t, "another mesh", weft.Jit(mesh.ShardMap(body, mesh.New(mesh.Axis("d", 2)), mesh.In(mesh.P("d")), mesh.Out(mesh.P("d"))))(mesh.Put(m, mesh.P(), x)), mesh.P(), want)
}

// What a function captured and what lies on other devices is copied to each device of its arguments.
func TestDividedCaptures(t *testing.T) {
	list := devices(t, 4)
	x := weft.Arange(512.).Reshape(4, 128)
	on := func(list ...weft.Device) weft.Array {
		return mesh.Put(mesh.New(mesh.Axis("d", len(list))).On(list...), mesh.P("d"), x)
	}
	for name, captured := range map[string]weft.Array{
		"as many devices": on(list[2], list[3]), "all": on(list...), "another order": on(list[1], list[0]), "one": on(list[2]),
	} {
		captured = captured.Mul(2) // a result, which may move
		got := weft.Jit(func(x weft.Array) weft.Array { return x.Add(captured) })(on(list[0], list[1]))
		lies(t, name, got, mesh.P("d"), x.Mul(3))
	}
}

// A Go function of a program of several devices cannot run a program on these, or on one of them.
func TestDividedWithinGoFunction(t *testing.T) {
	list := devices(t, 4)
	m := mesh.New(mesh.Axis("d", 4)).On(list...)
	x := mesh.Put(m, mesh.P("d"), weft.Arange(16.))
	add := func(x weft.Array) weft.Array { return x.Add(1) }
	all, one := weft.Jit(add), weft.Jit(add, weft.On(list[1]))
	for name, f := range map[string]func(x weft.Array) weft.Array{
		"several devices": func(x weft.Array) weft.Array { return mesh.Gather(all(mesh.Put(m, mesh.P("d"), x))) },
		"one device":      func(x weft.Array) weft.Array { return one(x).To(weft.Device{}) },
		"an operation":    func(x weft.Array) weft.Array { return x.To(list[2]).Add(1).To(weft.Device{}) },
	} {
		_, err := weft.Try(func() weft.Array {
			return mesh.Gather(weft.Jit(func(x weft.Array) weft.Array { return weft.PureCallback(f, x, x) })(x))
		})
		if err == nil || !strings.Contains(err.Error(), "wait for ever") {
			t.Errorf("%s: got %v, want an error", name, err)
		}
	}
	lies(t, "afterwards", all(x), mesh.P("d"), weft.Arange(16.).Add(1))
}

// A loop that waits for none of its results does not exceed the number of programs that XLA can have
// under way.
func TestManyUnderWay(t *testing.T) {
	m := mesh.New(mesh.Axis("d", 4)).On(devices(t, 4)...)
	f := weft.Jit(mesh.ShardMap(func(x weft.Array) weft.Array { return x.Sub(lax.Pmean(x.Mean(), "d")) }, m, mesh.In(mesh.P("d")), mesh.Out(mesh.P("d"))))
	want := weft.Arange(-8., 8).Add(0.5)
	x := mesh.Put(m, mesh.P("d"), want.Add(7))
	for range 1000 {
		x = f(x)
	}
	lies(t, "the last", x, mesh.P("d"), want)
}

// Parameters stay cut in the same way through steps of training.
func TestDividedTraining(t *testing.T) {
	m := mesh.New(mesh.Axis("data", 2), mesh.Axis("model", 2)).On(devices(t, 4)...)
	type network struct{ Up, Down weft.Array }
	n := network{weft.Sin(weft.Arange(24.).Reshape(3, 8)), weft.Cos(weft.Arange(16.).Reshape(8, 2))}
	x, y := weft.Sin(weft.Arange(24.)).Reshape(8, 3), weft.Cos(weft.Arange(16.)).Reshape(8, 2)
	loss := func(n network, x, y weft.Array) weft.Array {
		return weft.Square(weft.Tanh(x.MatMul(n.Up)).MatMul(n.Down).Sub(y)).Mean()
	}
	step := weft.Jit(func(n network, x, y weft.Array) network {
		g := weft.Grad(func(n network) weft.Array { return loss(n, x, y) })(n)
		return weft.TreeMap2(func(p, g weft.Array) weft.Array { return p.Sub(g.Mul(0.1)) }, n, g)
	})
	p := mesh.Put(m, weft.Axes{"Up": mesh.P(nil, "model"), "Down": mesh.P("model")}, n)
	px, py := mesh.Put(m, mesh.P("data"), x), mesh.Put(m, mesh.P("data"), y)
	for range 5 {
		n, p = step(n, x, y), step(p, px, py)
	}
	lies(t, "up", p.Up, mesh.P(nil, "model"), n.Up)
	lies(t, "down", p.Down, mesh.P("model"), n.Down)
}

// The host runs callbacks within divided programs: on pieces in a ShardMap, otherwise on whole arrays.
func TestDividedHostCalls(t *testing.T) {
	m := mesh.New(mesh.Axis("d", 2)).On(devices(t, 2)...)
	x := weft.Arange(8.).Reshape(4, 2)
	px := mesh.Put(m, mesh.P("d"), x)
	double := func(x weft.Array) weft.Array { return x.Add(x) }
	within := mesh.ShardMap(func(x weft.Array) weft.Array { return weft.PureCallback(double, x, x) }, m, mesh.In(mesh.P("d")), mesh.Out(mesh.P("d")))
	if got := mesh.Gather(within(px)); !near(got, x.Mul(2)) {
		t.Errorf("callback on pieces: got %v", got)
	}
	f := weft.Jit(func(x weft.Array) weft.Array { return weft.PureCallback(double, x, x).Add(1) })
	if got := mesh.Gather(f(px)); !near(got, x.Mul(2).Add(1)) {
		t.Errorf("callback: got %v", got)
	}
	printing := weft.Jit(func(x weft.Array) weft.Array { weft.DebugPrint("x is {}", x); return x })
	if err := core.Catch(func() { printing(px) }); err == nil || !strings.Contains(err.Error(), "debug_print") || !strings.Contains(err.Error(), "ShardMap") {
		t.Errorf("a print: got %v, want an error that names debug_print and ShardMap", err)
	}
	a := weft.FromSlice([]float32{4, 1, 1, 3}, 2, 2)
	if got := mesh.Gather(weft.Jit(linalg.EigvalsH)(mesh.Put(m, mesh.P("d"), a))); !near(got, linalg.EigvalsH(a)) {
		t.Errorf("eigenvalues: got %v", got)
	}
}

// Arrays and meshes that cannot be cut among devices are refused with errors that name the fix.
func TestDividedRefusals(t *testing.T) {
	ds := devices(t, 2)
	m := mesh.New(mesh.Axis("d", 2))
	on := m.On(ds...)
	px := mesh.Put(on, mesh.P("d"), weft.Ones(4))
	for name, c := range map[string]struct {
		f    func()
		want string
	}{
		"number":    {func() { m.On(ds[0]) }, "2 devices (got 1)"},
		"twice":     {func() { m.On(ds[0], ds[0]) }, "twice"},
		"another":   {func() { m.On(weft.Device{}, weft.Device{}) }, "devices of XLA"},
		"mixed":     {func() { m.On(ds[0], weft.DeviceNamed("reference")) }, "one plugin"},
		"size":      {func() { mesh.Put(on, mesh.P("d"), weft.Ones(3)) }, "pad"},
		"axis":      {func() { mesh.Put(on, mesh.P("e"), weft.Ones(4)) }, `"e"`},
		"shards":    {func() { mesh.Shards(on, mesh.P(), px) }, "mesh.Put"},
		"elsewhere": {func() { px.Add(weft.Ones(4).To(ds[0])) }, "different memories"},
	} {
		err := core.Catch(c.f)
		var e *core.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", name, err, c.want)
		}
	}
}
