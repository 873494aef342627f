package mesh

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

func isPlaced(x weft.Array) bool { _, ok := x.Value().(*transforms.Placed); return ok }

// samePlaced checks that got is cut, and has the elements of want.
func samePlaced(t *testing.T, what string, got, want weft.Array) {
	t.Helper()
	if !isPlaced(got) {
		t.Errorf("%s: the result is whole", what)
	}
	same(t, what, Gather(got), want)
}

// What is cut and brought together again is the same, whatever the spec and the size.
func TestPutGather(t *testing.T) {
	m := New(Axis("x", 2), Axis("y", 3))
	for _, s := range []Spec{P(), P("x"), P("y", "x"), P(nil, []string{"y", "x"}), P([]string{"x", "y"}, nil), P(nil, "y")} {
		for _, shape := range [][]int{{6, 6}, {0, 6}, {6, 12, 1}, {12, 0, 2}} {
			x := normal(rand.New(rand.NewPCG(1, 2)), shape...)
			y := Put(m, s, x)
			same(t, s.String(), Gather(y), x)
			if cut := len(s.ir.Names()) > 0; isPlaced(y) != cut {
				t.Errorf("%v: placed %t, want %t", s, isPlaced(y), cut)
			}
			for p := range Shards(m, s, y) {
				index := make([]any, len(p.Start))
				for i, lo := range p.Start {
					index[i] = weft.R(lo, lo+p.Piece.Dim(i))
				}
				same(t, "piece", p.Piece, x.Index(index...))
			}
		}
	}
	for _, dt := range []core.DType{core.Bool, core.Int8, core.Uint64, core.BFloat16, core.Complex64, core.Float64} {
		x := weft.Arange(12.).Reshape(6, 2).AsType(dt)
		same(t, dt.String(), Gather(Put(m, P("y"), x)), x)
	}
	n := Put(m, weft.Axes{"Up": P(nil, "x"), "Down": P("x")}, network{weft.Ones(3, 4), weft.Ones(4, 3)})
	if !isPlaced(n.Up) || !isPlaced(n.Down) || !Gather(n).Up.Equal(weft.Ones(3, 4)) {
		t.Errorf("a tree: got %v", n)
	}
	same(t, "cut anew", Gather(Put(m, P("x"), Put(m, P("y"), weft.Arange(6.)))), weft.Arange(6.))
}

// Elementwise operations run where the pieces lie, and whole operands are cut.
func TestPutElementwise(t *testing.T) {
	m := New(Axis("x", 2), Axis("y", 2))
	r := rand.New(rand.NewPCG(3, 4))
	x, y, row := normal(r, 4, 6), normal(r, 4, 6), normal(r, 1, 6)
	spec := P("y", "x")
	f := func(x, y weft.Array) weft.Array {
		z := weft.Sin(x).Mul(y).Add(2).Sub(row)
		return weft.Where(z.Gt(0), z, z.AsType(weft.Float16).AsType(weft.Float32).Mul(weft.Exp(y)))
	}
	px, py := Put(m, spec, x), Put(m, spec, y)
	samePlaced(t, "both cut", f(px, py), f(x, y))
	samePlaced(t, "one whole", f(px, y), f(x, y))
	samePlaced(t, "compiled", weft.Jit(f)(px, py), f(x, y))
	samePlaced(t, "compiled, one captured", weft.Jit(func(x weft.Array) weft.Array { return f(x, py) })(px), f(x, y))
	grad := func(x, y weft.Array) weft.Array {
		_, back := weft.VJP(func(x weft.Array) weft.Array { return f(x, y) }, x)
		return back(y)
	}
	samePlaced(t, "gradient", grad(px, py), grad(x, y))
}

// A loop keeps its carry where it lies.
func TestPutPrograms(t *testing.T) {
	m := New(Axis("d", 2))
	r := rand.New(rand.NewPCG(5, 6))
	x, w := normal(r, 3, 4), normal(r, 4)
	rule := custom.JVP(func(p weft.Array) weft.Array { return weft.Sin(p) }, func(p, t weft.Array) (weft.Array, weft.Array) { return weft.Sin(p), weft.Cos(p).Mul(t) })
	for name, f := range map[string]func(x, w weft.Array) weft.Array{
		"ForI": func(x, w weft.Array) weft.Array {
			return weft.ForI(3, func(_, w weft.Array) weft.Array { return w.Mul(1.5) }, w)
		},
		"While": func(x, w weft.Array) weft.Array {
			type carry struct{ N, W weft.Array }
			return weft.While(func(c carry) weft.Array { return c.N.Lt(3) }, func(c carry) carry { return carry{c.N.Add(1), c.W.Mul(c.N)} }, carry{weft.Scalar(1.), w}).W
		},
		"Scan": func(x, w weft.Array) weft.Array {
			_, ys := weft.Scan(func(w, x weft.Array) (weft.Array, weft.Array) { return w.Add(x), weft.Sin(w) }, w, x)
			return ys.Add(x).Mul(2)
		},
		"Cond": func(x, w weft.Array) weft.Array {
			return weft.Cond(weft.Scalar(true), func() weft.Array { return w.Neg() }, func() weft.Array { return weft.Ones(4) })
		},
		"Remat": func(x, w weft.Array) weft.Array {
			return weft.Remat(func(w weft.Array) weft.Array { return weft.Sin(w) })(w)
		},
		"a rule": func(x, w weft.Array) weft.Array { return rule(w) },
		"a Jit within": func(x, w weft.Array) weft.Array {
			return weft.Jit(func(w weft.Array) weft.Array { return w.Mul(w) })(w)
		},
		"whole carry": func(x, w weft.Array) weft.Array {
			return weft.ForI(2, func(_, c weft.Array) weft.Array { return c.Add(w) }, weft.Zeros(4))
		},
	} {
		px, pw := Put(m, P(nil, "d"), x), Put(m, P("d"), w)
		samePlaced(t, name, f(px, pw), f(x, w))
		samePlaced(t, name+", compiled", weft.Jit(f)(px, pw), weft.Jit(f)(x, w))
	}
}

// Training with parameters and data that lie on the devices has the bits of training with whole ones.
func TestPutTraining(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	m := New(Axis("data", 2), Axis("model", 2))
	specs := weft.Axes{"Up": P(nil, "model"), "Down": P("model")}
	n := network{normal(r, 3, 8), normal(r, 8, 2)}
	x, y := normal(r, 8, 3), normal(r, 8, 2)
	loss := ShardMap(func(n network, x, y weft.Array) weft.Array {
		return lax.Pmean(weft.Square(n.apply(x, "model").Sub(y)).Mean(), "data")
	}, m, In(specs, P("data"), P("data")), Out(P()))
	step := func(n network, x, y weft.Array) network {
		g := weft.Grad(func(n network) weft.Array { return loss(n, x, y) })(n)
		return weft.TreeMap2(func(p, g weft.Array) weft.Array { return p.Sub(g.Mul(0.1)) }, n, g)
	}
	for name, step := range map[string]func(n network, x, y weft.Array) network{"eager": step, "compiled": weft.Jit(step)} {
		p, q := n, Put(m, specs, n)
		px, py := Put(m, P("data"), x), Put(m, P("data"), y)
		for range 3 {
			p, q = step(p, x, y), step(q, px, py)
		}
		samePlaced(t, name, q.Up, p.Up)
		samePlaced(t, name, q.Down, p.Down)
		same(t, name, loss(q, px, py), loss(p, x, y))
	}
}

// Printing shows the type, how the array is cut, and the pieces.
func TestPutPrinted(t *testing.T) {
	x := Put(New(Axis("x", 2), Axis("y", 2)), P(nil, "y"), weft.Arange(8.).Reshape(2, 4))
	want := `f32[2,4] is cut as P(None, 'y') on x=2, y=2
[0:2, 0:2] on devices 0, 2:
[[0. 1.]
 [4. 5.]]
[0:2, 2:4] on devices 1, 3:
[[2. 3.]
 [6. 7.]]`
	if got := x.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Put(New(Axis("x", 64)), P("x"), weft.Arange(64.)).String(); !strings.HasSuffix(got, "\nand 48 more pieces") {
		t.Errorf("got %s", got)
	}
}

// What does not run where pieces lie is an error that names how the array is cut, and the fix.
func TestPutRefusals(t *testing.T) {
	m := New(Axis("d", 2))
	x, y := Put(m, P("d"), weft.Ones(4, 4)), Put(m, P(nil, "d"), weft.Ones(4, 4))
	id := func(x weft.Array) weft.Array { return x }
	for name, c := range map[string]struct {
		f    func()
		want []string
	}{
		"reduction":       {func() { x.Sum() }, []string{"reduce_sum", "f32[4,4] is cut as P('d',) on d=2", "mesh.Gather"}},
		"compiled":        {func() { weft.Jit(func(x weft.Array) weft.Array { return x.Sum() })(x) }, []string{"reduce_sum", "mesh.Gather"}},
		"cut differently": {func() { x.Add(y) }, []string{"P('d',)", "P(None, 'd')", "mesh.Put"}},
		"other axes":      {func() { weft.Where(weft.Ones(2, 4, 4).Gt(0), x, 0.) }, []string{"mesh"}},
		"looking":         {func() { weft.ToSlice[float32](x) }, []string{"ToSlice", "P('d',)", "mesh.Gather"}},
		"comparison":      {func() { x.Equal(x) }, []string{"mesh.Gather"}},
		"branching":       {func() { Put(m, P("d"), weft.Ones(2)).Gt(0).Any() }, []string{"mesh.Gather"}},
		"other spec":      {func() { ShardMap(id, m, In(P(nil, "d")), Out(P(nil, "d")))(x) }, []string{"ShardMap", "P('d',)", "P(None, 'd')", "mesh.Put"}},
		"a copy":          {func() { ShardMap(id, m, In(P()), Out(P()))(x) }, []string{"ShardMap", "P('d',)", "each device takes all of it", "mesh.Gather"}},
		"closed over": {func() {
			ShardMap(func(y weft.Array) weft.Array { return x.Add(y) }, m, In(P()), Out(P()))(weft.Ones(4, 4))
		}, []string{"ShardMap", "P('d',)", "closes over"}},
		"other mesh":      {func() { ShardMap(id, New(Axis("d", 4)), In(P("d")), Out(P("d")))(x) }, []string{"d=2", "d=4", "mesh.Put"}},
		"traced":          {func() { weft.Jit(func(x weft.Array) weft.Array { return Put(m, P("d"), x) })(weft.Ones(4)) }, []string{"mesh.Put", "traced", "ShardMap"}},
		"gather":          {func() { weft.Jit(func(x weft.Array) weft.Array { return Gather(x) })(x) }, []string{"mesh.Gather", "traced"}},
		"no such axis":    {func() { Put(m, P("e"), weft.Ones(4)) }, []string{"mesh.Put", `"e"`}},
		"does not divide": {func() { Put(m, P("d"), weft.Ones(3)) }, []string{"mesh.Put", "pad"}},
		"scan over a cut": {func() { weft.Scan(func(c, x weft.Array) (weft.Array, weft.Array) { return c, x }, weft.Scalar(1.), x) }, []string{"first axis", "ShardMap"}},
		"shards":          {func() { Shards(m, P(nil, "d"), x) }, []string{"Shards", "P(None, 'd')", "mesh.Put"}},
		"saving": {func() {
			if _, err := x.MarshalBinary(); err != nil {
				panic(err)
			}
		}, []string{"mesh.Gather"}},
	} {
		err := core.Catch(c.f)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not contain %q", name, err, w)
			}
		}
	}
}

// Messages name the array of a tree, and the function that was called.
func TestMessagesNameArrays(t *testing.T) {
	m := New(Axis("d", 2))
	type params struct{ W, B weft.Array }
	p := params{weft.Zeros(4, 2), weft.Zeros(3)}
	dir := filepath.Join(t.TempDir(), "checkpoint")
	if err := Save(dir, p); err != nil {
		t.Fatal(err)
	}
	loss := func(w, x weft.Array) weft.Array { return w.Mul(x).Sum() }
	for _, c := range []struct {
		f    func() error
		want string
	}{
		{func() error { Put(m, P("d"), p); return nil }, `axis 0 of the array at ".B", a f32[3], is cut along "d" into 2 pieces`},
		{func() error { _, err := Load(dir, m, P("d"), p); return err }, `axis 0 of the array at ".B", a f32[3], is cut along "d" into 2 pieces`},
		{func() error { DataParallel(m, "batch", loss); return nil }, `DataParallel: the mesh d=2 has no axis "batch"`},
		{func() error { DataParallel(m, "d", loss)(weft.Zeros(2), weft.Scalar(float32(1))); return nil }, "DataParallel: argument 1 is f32[] and has no axis of the batch to cut; put what all devices share into the first argument"},
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

// Put copies the pieces of the process's own devices, in two or three steps on the reference executor,
// and never the array.
func TestPutCopiesOwnPieces(t *testing.T) {
	m := New(Axis("d", 4))
	x := weft.Arange(1<<20).Reshape(1024, 1024)
	for i, s := range []Spec{P("d"), P(nil, "d")} {
		leave := Join(echo{place: place{size: 4}})
		runtime.WithSettings(func(s *runtime.Settings) { s.Executor = runtime.Reference }, func() {
			const pieces = 1 << 20
			if got := allocated(func() { Put(m, s, x) }); got > uint64(i+2)*pieces+pieces/2 {
				t.Errorf("%v: got %d bytes allocated, want %d times the pieces' %d", s, got, i+2, pieces)
			}
		})
		if err := leave(nil); err != nil {
			t.Error(err)
		}
	}
}

func allocated(f func()) uint64 {
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	f()
	goruntime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// What was cut within a job of several processes is used there alone, and prints anywhere; what one process has all of is
// used anywhere.
func TestPutOutlivesItsJob(t *testing.T) {
	m := New(Axis("x", 4), Axis("y", 2))
	x := weft.Arange(16.).Reshape(4, 4)
	leave := Join(place{rank: 1, size: 4})
	px, py := Put(m, P("x"), x), Put(m, P("y"), x)
	printed := px.String()
	if err := leave(nil); err != nil {
		t.Fatal(err)
	}
	same(t, "all pieces are here", Gather(py), x)
	sum := ShardMap(func(x weft.Array) weft.Array { return lax.Psum(x, "x") }, m, In(P("x")), Out(P()))
	for name, f := range map[string]func() error{
		"mesh.Gather":   func() error { Gather(px); return nil },
		"mesh.Put":      func() error { Put(m, P("y"), px); return nil },
		"Shards":        func() error { Shards(m, P("x"), px); return nil },
		"mesh.Save":     func() error { return Save(t.TempDir(), px) },
		"mul":           func() error { px.Mul(2); return nil },
		"jit":           func() error { weft.Jit(func(y weft.Array) weft.Array { return y.Add(px) })(x); return nil },
		"ShardMap":      func() error { sum(px); return nil },
		"ToSlice":       func() error { weft.ToSlice[float32](px); return nil },
		"MarshalBinary": func() error { _, err := px.MarshalBinary(); return err },
	} {
		var err error
		if caught := core.Catch(func() { err = f() }); caught != nil {
			err = caught
		}
		want := "f32[4,4] is cut as P('x',) on x=4, y=2, in a mesh.Run that has ended, and this process has only a part of the pieces; within that Run, bring them together with mesh.Gather"
		if err == nil || !strings.Contains(err.Error(), name+": "+want) {
			t.Errorf("got %v, want %q", err, name+": "+want)
		}
	}
	if got := px.String(); got != printed || !strings.Contains(got, "[1:2, 0:4] on devices 2, 3:\n[[4. 5. 6. 7.]]") {
		t.Errorf("printed as\n%s\nwithin the job\n%s", got, printed)
	}
}

// Printing shows the pieces within traces, where the context has ended, and where results are searched for NaNs.
func TestPutPrintsAnywhere(t *testing.T) {
	x := Put(New(Axis("x", 2)), P("x"), weft.FromSlice([]float32{1, float32(math.NaN())}, 2))
	want := x.String()
	ctx, end := context.WithCancel(t.Context())
	end()
	got := map[string]string{}
	weft.With(weft.Context(ctx), func() { got["an ended context"] = x.String() })
	weft.With(weft.DebugNaNs(true), func() { got["a search for NaNs"] = x.String() })
	weft.Jit(func(y weft.Array) weft.Array { got["a trace"] = x.String(); return y })(weft.Ones(2))
	for where, text := range got {
		if text != want || !strings.HasSuffix(text, "[1:2] on device 1:\n[nan]") {
			t.Errorf("%s: got %q, want %q", where, text, want)
		}
	}
}
