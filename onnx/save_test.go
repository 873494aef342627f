package onnx_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/linalg"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/onnx"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/runtime"
)

// A writtenModel is a function of arrays, with a bound on the difference of ONNX Runtime's results, in ε of the largest element.
type writtenModel struct {
	name string
	f    func(x weft.Array) []weft.Array
	x    weft.Array
	ulps float64
}

// linearLayer is a layer of weights.
type linearLayer struct{ W, B weft.Array }

func (l linearLayer) apply(x weft.Array) weft.Array { return x.MatMul(l.W).Add(l.B) }

func writtenModels() []writtenModel {
	keys, next := random.New(5).SplitN(64), 0
	key := func() random.Key {
		next++
		return keys.At(next)
	}
	draw := func(dims ...int) weft.Array { return random.Normal(key(), dims...).Mul(0.5) }
	dense := func(in, out int) linearLayer { return linearLayer{draw(in, out), draw(out)} }
	one := func(f func(x weft.Array) weft.Array) func(x weft.Array) []weft.Array {
		return func(x weft.Array) []weft.Array { return []weft.Array{f(x)} }
	}

	first, second := dense(16, 32), dense(32, 10)
	mlp := func(x weft.Array) weft.Array { return nn.Softmax(second.apply(nn.Relu(first.apply(x))), -1) }

	filters, last := []weft.Array{draw(4, 1, 3, 3), draw(8, 4, 3, 3)}, dense(8*2*2, 10)
	lenet := func(x weft.Array) weft.Array {
		x = nn.MaxPool(weft.Tanh(weft.Conv(x, filters[0], weft.ConvConfig{Same: true})), nn.PoolConfig{Window: []int{2, 2}})
		x = nn.AvgPool(weft.Tanh(weft.Conv(x, filters[1], weft.ConvConfig{})), nn.PoolConfig{Window: []int{2, 2}})
		return last.apply(x.Reshape(x.Dim(0), -1))
	}

	const features, heads = 16, 2
	embedding := draw(20, features)
	norm := nn.LayerNorm{Scale: weft.Ones(features), Shift: weft.Zeros(features)}
	qkv, out, up, down := dense(features, 3*features), dense(features, features), dense(features, 4*features), dense(4*features, features)
	transformer := func(tokens weft.Array) []weft.Array {
		x := embedding.Index(tokens)
		parts := weft.SplitEvenly(qkv.apply(norm.Apply(x)), -1, 3)
		for i, p := range parts {
			parts[i] = p.Reshape(p.Dim(0), p.Dim(1), heads, features/heads)
		}
		y := nn.Attention(parts[0], parts[1], parts[2], nn.AttentionConfig{Causal: true})
		x = x.Add(out.apply(y.Reshape(x.Shape()...)))
		x = x.Add(down.apply(nn.Gelu(up.apply(norm.Apply(x)))))
		logits := x.MatMul(embedding.Transpose())
		return []weft.Array{logits, logits.ArgMax(-1)}
	}

	lstm := nn.NewLSTM(key(), 5, 8)
	sequence := func(xs weft.Array) []weft.Array {
		s, ys := lstm.Apply(lstm.Zero(), xs)
		return []weft.Array{s.C, s.H, ys}
	}

	gradient := func(x weft.Array) []weft.Array {
		g := weft.Grad(func(l linearLayer) weft.Array { return weft.Square(nn.GeluTanh(l.apply(x))).Sum() })(first)
		return []weft.Array{g.W, g.B}
	}

	// Newton's method until a number does not change, and a choice among three branches.
	control := func(x weft.Array) []weft.Array {
		type state struct{ X, Before weft.Array }
		root := weft.While(func(s state) weft.Array { return s.X.Ne(s.Before) }, func(s state) state {
			return state{s.X.Add(x.Index(0).Div(s.X)).Mul(0.5), s.X}
		}, state{x.Index(0), weft.Scalar(float32(0))})
		which := x.Sum().AsType(weft.Int32)
		y := weft.Switch(which, x.Neg, func() weft.Array { return weft.Square(x) }, func() weft.Array { return weft.Exp(x) })
		return []weft.Array{root.X, y}
	}

	// Operations that round nothing.
	exact := func(x weft.Array) []weft.Array {
		order := x.ArgSort(-1)
		return []weft.Array{
			order, x.Sort(-1), weft.Flip(x, 0).Index(":,1::2"), x.At(1, 2).Set(7), x.Index(order.Index(0)), weft.Pad(x, [][2]int{{1, 0}, {0, 2}}, weft.PadConfig{}),
			weft.Where(x.Gt(0), x, weft.Floor(x)), x.AsType(weft.Int32).Mod(3), weft.Concat(0, x, x.Neg()).Max(0),
		}
	}
	return []writtenModel{
		{"mlp", one(mlp), draw(4, 16), 4},
		{"lenet", one(lenet), draw(2, 1, 12, 12), 8},
		{"transformer", transformer, weft.Of(3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8).Reshape(2, 6), 16},
		{"lstm", sequence, draw(7, 5), 4},
		{"gradient", gradient, draw(3, 16), 8},
		{"exact", exact, weft.Arange(30.).Mul(7).Mod(30).Sub(11.5).Reshape(5, 6).AsType(weft.Float32), 0},
		{"control", control, weft.Of(2.5, 0.25, -1.5), 1},
	}
}

var recorded = flag.Bool("recorded", true, "compare with what ONNX Runtime computed, see testdata/ort.py")

// The written models are those that ONNX Runtime ran, whose results are Weft's up to the order of additions. Read again, they
// compute what the functions do, bit for bit, called and jitted.
func TestSaveModels(t *testing.T) {
	for _, c := range writtenModels() {
		t.Run(c.name, func(t *testing.T) {
			var file bytes.Buffer
			if err := onnx.Save(&file, c.f, c.x); err != nil {
				t.Fatal(err)
			}
			want := weft.Jit(c.f)(c.x)
			args, results := []*runtime.Array{c.x.Value().(*runtime.Array)}, make([]*runtime.Array, len(want))
			for i, y := range want {
				results[i] = y.Value().(*runtime.Array)
			}
			saved(t, "0000_"+c.name, file.Bytes(), args, results)
			m, err := onnx.LoadBytes(file.Bytes(), nil)
			if err != nil {
				t.Fatal(err)
			}
			called, err := m.Call(c.x)
			if err != nil {
				t.Fatal(err)
			}
			jitted := weft.Jit(m.Func())([]weft.Array{c.x})
			for i, y := range want {
				scale := 1.0
				if y.DType() == weft.Float32 {
					scale = weft.Abs(y).Max().Float()
				}
				e := 0.0
				if c.name != "control" && c.name != "exact" && y.DType() == weft.Float32 {
					e = c.ulps * 0x1p-23 * scale
				}
				for how, x := range map[string]weft.Array{"called": called[i], "jitted": jitted[i]} {
					if d := differs(x, y, 0, e); d != "" {
						t.Errorf("%s, result %d: %s", how, i, d)
					}
				}
			}
			if !*recorded {
				return
			}
			ort := map[string]weft.Array{}
			f, err := os.Open("testdata/saved/" + c.name + ".npz")
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := weft.Load(f, &ort); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(weft.ToSlice[uint8](ort["model"]), file.Bytes()) {
				t.Errorf("the model is not the one that ONNX Runtime ran; run testdata/ort.py on it")
			}
			for i, y := range want {
				scale := 1.0
				if y.DType() == weft.Float32 {
					scale = weft.Abs(y).Max().Float()
				}
				if d := differs(ort["out"+string(rune('0'+i))], y, 0, c.ulps*0x1p-23*scale); d != "" {
					t.Errorf("ONNX Runtime, result %d: %s", i, d)
				}
			}
		})
	}
}

// A model that is read, written and read again is the same model.
func TestMarshal(t *testing.T) {
	files := archive(t, "onnx/exports.tar.gz", "testdata/exports/exports.tar.gz")
	n := 0
	for name, data := range files {
		if !strings.HasSuffix(name, ".onnx") {
			continue
		}
		n++
		first, err := format.Read(data, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again, err := format.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		second, err := format.Read(again, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := cmp.Diff(first, second, cmpopts.EquateEmpty(), cmpopts.EquateNaNs()); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	if n == 0 {
		t.Error("there is no model")
	}
}

// Arguments keep the names of their fields, and a program is written as it is.
func TestSaveNames(t *testing.T) {
	apply := func(l linearLayer, x weft.Array) weft.Array { return l.apply(x) }
	l, x := linearLayer{weft.Ones(3, 2), weft.Zeros(2)}, weft.Ones(4, 3)
	ir, err := weft.Jaxpr(apply, l, x)
	if err != nil {
		t.Fatal(err)
	}
	for how, save := range map[string]func(b *bytes.Buffer) error{
		"function": func(b *bytes.Buffer) error { return onnx.Save(b, apply, l, x) },
		"program":  func(b *bytes.Buffer) error { return onnx.Save(b, ir) },
	} {
		var b bytes.Buffer
		if err := save(&b); err != nil {
			t.Fatal(err)
		}
		m, err := onnx.Load(&b)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, v := range append(m.Inputs(), m.Outputs()...) {
			names = append(names, v.String())
		}
		if got, want := strings.Join(names, " "), "arg0.W: f32[3,2] arg0.B: f32[2] arg1: f32[4,3] out0: f32[4,2]"; got != want {
			t.Errorf("%s: got %s, want %s", how, got, want)
		}
	}
}

// Results get names that no input has.
func TestSaveFreeNames(t *testing.T) {
	ir, err := weft.Jaxpr(func(x, y weft.Array) []weft.Array { return []weft.Array{x.Add(y), x.Mul(y)} }, weft.Ones(2), weft.Ones(2))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := onnx.Save(&b, &weft.IR{Ins: ir.Ins, Eqns: ir.Eqns, Outs: ir.Outs, InNames: []string{"out1", "out0"}}); err != nil {
		t.Fatal(err)
	}
	m, err := onnx.Load(&b)
	if err != nil {
		t.Fatal(err)
	}
	if y, err := m.Call(weft.Of[float32](2, 3), weft.Of[float32](4, 5)); err != nil || !y[0].Equal(weft.Of[float32](6, 8)) || !y[1].Equal(weft.Of[float32](8, 15)) {
		t.Errorf("got %v, %v", y, err)
	}
}

// An operation that no operator can express is named, with the line that wrote it; results that are inputs, constants or
// equal to each other are written nevertheless.
func TestSaveRefuses(t *testing.T) {
	x := weft.Eye(3)
	err := onnx.Save(&bytes.Buffer{}, func(x weft.Array) weft.Array {
		return linalg.Det(x) // the line
	}, x)
	if !errors.Is(err, core.ErrNoRule) || !strings.Contains(err.Error(), "save_test.go:") || !strings.Contains(err.Error(), "lu: ONNX 21 has no operator") {
		t.Errorf("got %v", err)
	}
	for _, bad := range []error{onnx.Save(nil, weft.Exp, x), onnx.Save(&bytes.Buffer{}, nil), onnx.Save(&bytes.Buffer{}, (*weft.IR)(nil))} {
		if !errors.Is(bad, core.ErrStatic) {
			t.Errorf("got %v, want an error of kind %v", bad, core.ErrStatic)
		}
	}
	var b bytes.Buffer
	same := func(x weft.Array) []weft.Array {
		y := weft.Exp(x)
		return []weft.Array{x, y, y, weft.Of(1.5, 2.5)}
	}
	if err := onnx.Save(&b, same, x); err != nil {
		t.Fatal(err)
	}
	m, err := onnx.Load(&b)
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Call(x)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range same(x) {
		if !got[i].Equal(want) {
			t.Errorf("result %d: got %v, want %v", i, got[i], want)
		}
	}
}

// Names are those of a written model's inputs and outputs; without them a list's arrays are called after the argument.
func TestNames(t *testing.T) {
	f := func(in []weft.Array) []weft.Array { return []weft.Array{in[0].Add(in[1]), in[1]} }
	args := []weft.Array{weft.Ones(2), weft.Ones(2)}
	for _, c := range []struct {
		args    []any
		in, out []string
	}{
		{[]any{args}, []string{"arg0[0]", "arg0[1]"}, []string{"out0", "out1"}},
		{[]any{args, onnx.Names([]string{"x", "out0"}, []string{"y", "v1"})}, []string{"x", "out0"}, []string{"y", "v1"}},
		{[]any{args, onnx.Names([]string{"[0]", "arg0[1]"}, []string{"arg0[0]", "[1]"})}, []string{"[0]", "arg0[1]"}, []string{"arg0[0]", "[1]"}},
	} {
		var file bytes.Buffer
		if err := onnx.Save(&file, f, c.args...); err != nil {
			t.Fatal(err)
		}
		m, err := onnx.Load(&file)
		if err != nil {
			t.Fatal(err)
		}
		var in, out []string
		for _, v := range m.Inputs() {
			in = append(in, v.Name)
		}
		for _, v := range m.Outputs() {
			out = append(out, v.Name)
		}
		if diff := cmp.Diff([][]string{c.in, c.out}, [][]string{in, out}); diff != "" {
			t.Error(diff)
		}
		if y, err := m.Call(args...); err != nil || !y[0].Equal(weft.Of[float32](2, 2)) {
			t.Errorf("got %v %v", y, err)
		}
	}
	for _, names := range []any{onnx.Names([]string{"x"}, []string{"y", "z"}), onnx.Names([]string{"x", "x"}, []string{"y", "z"}), onnx.Names([]string{"x", "y"}, []string{"y", ""})} {
		if err := onnx.Save(&bytes.Buffer{}, f, args, names); err == nil || !strings.Contains(err.Error(), "onnx.Names: ") {
			t.Errorf("%v: got %v", names, err)
		}
	}
}

// Indices of u64 beyond those of i64 are the last position, or dropped, as in the program.
func TestSaveLargeIndices(t *testing.T) {
	x, u := weft.Iota(weft.Float32, 0, 8), weft.Of[float32](20, 21)
	for name, f := range map[string]func(i weft.Array) weft.Array{
		"slice":  func(i weft.Array) weft.Array { return lax.DynamicSlice(x, []weft.Array{i}, 2) },
		"update": func(i weft.Array) weft.Array { return lax.DynamicUpdateSlice(x, u, []weft.Array{i}) },
		"rows": func(i weft.Array) weft.Array {
			return lax.Gather(x, i.Reshape(1), lax.GatherConfig{CollapsedSliceDims: []int{0}, StartIndexMap: []int{0}, SliceSizes: []int{1}, Mode: lax.Clip})
		},
		"windows": func(i weft.Array) weft.Array {
			return lax.Gather(x, i.Reshape(1), lax.GatherConfig{OffsetDims: []int{0}, StartIndexMap: []int{0}, SliceSizes: []int{2}, Mode: lax.Clip})
		},
		"dropped": func(i weft.Array) weft.Array {
			return lax.Scatter(x, i.Reshape(1), weft.Scalar(float32(20)), lax.ScatterConfig{InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}, Mode: lax.FillOrDrop})
		},
	} {
		var file bytes.Buffer
		if err := onnx.Save(&file, f, weft.Scalar(uint64(0))); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m, err := onnx.Load(&file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, k := range []uint64{3, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
			i := weft.Scalar(k)
			got, err := m.Call(i)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if d := differs(got[0], f(i), 0, 0); d != "" {
				t.Errorf("%s of index %d: %s", name, k, d)
			}
		}
	}
}
