package nn_test

import (
	"bytes"
	_ "embed"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/random"
)

// The data is made by testdata/make_torch.py.
var (
	//go:embed testdata/torch_model.safetensors
	torchModel []byte
	//go:embed testdata/torch_grads.safetensors
	torchGrads []byte
	//go:embed testdata/torch_data.safetensors
	torchData []byte
)

// layers is the model of the script, field by field.
type layers struct {
	Linear    nn.Linear
	NoBias    nn.Linear
	Conv      nn.Conv
	Grouped   nn.Conv
	Words     nn.Embedding `weft:"name=embedding"`
	LayerNorm nn.LayerNorm
	RMSNorm   nn.RMSNorm
	GroupNorm nn.GroupNorm
	BatchNorm nn.BatchNorm
	Attention nn.MultiHead
	LSTM      []nn.LSTM
	GRU       nn.GRU
}

func newLayers() layers {
	k := random.New(1)
	m := layers{
		Linear:    nn.NewLinear(k, 5, 4),
		NoBias:    nn.NewLinear(k, 5, 3, nn.Params{NoBias: true}),
		Conv:      nn.NewConv(k, 3, 4, []int{3, 3}, weft.ConvConfig{Strides: []int{2, 2}, Padding: [][2]int{{1, 1}, {1, 1}}}),
		Grouped:   nn.NewConv(k, 4, 6, []int{3}, weft.ConvConfig{Groups: 2, Dilation: []int{2}}),
		Words:     nn.NewEmbedding(k, 7, 4),
		LayerNorm: nn.NewLayerNorm(4, 5),
		RMSNorm:   nn.NewRMSNorm(6),
		GroupNorm: nn.NewGroupNorm(2, 6),
		BatchNorm: nn.NewBatchNorm(3),
		Attention: nn.NewMultiHead(k, 8, 2),
		LSTM:      []nn.LSTM{nn.NewLSTM(k, 5, 4), nn.NewLSTM(k, 4, 4)},
		GRU:       nn.NewGRU(k, 5, 4),
	}
	m.LayerNorm.Eps, m.RMSNorm.Eps = 1e-5, 1e-5
	return m
}

func loadLayers(t *testing.T, file []byte) layers {
	t.Helper()
	m := newLayers()
	unused, err := nn.LoadTorch(bytes.NewReader(file), &m, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(unused) > 0 {
		t.Errorf("unused names: %v", unused)
	}
	return m
}

func torchTensors(t *testing.T) map[string]weft.Array {
	t.Helper()
	var d map[string]weft.Array
	if err := weft.Load(bytes.NewReader(torchData), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// near requires that two arrays agree to 4 ulps of the largest number: the layers are sums of up to
// 64 products of either sign, which PyTorch adds in another order. Measured: 2.4.
func near(t *testing.T, what string, got, want weft.Array) {
	t.Helper()
	nearUlps(t, what, got, want, 4)
}

// nearDerivative requires 12 ulps, since derivatives are sums of such sums. Measured: 8.2.
func nearDerivative(t *testing.T, what string, got, want weft.Array) {
	t.Helper()
	nearUlps(t, what, got, want, 12)
}

func nearUlps(t *testing.T, what string, got, want weft.Array, ulps float64) {
	t.Helper()
	testcheck.NearLargest(t, what, got.Shape(), want.Shape(), weft.ToSlice[float64](got.AsType(weft.Float64)), weft.ToSlice[float64](want.AsType(weft.Float64)), ulps*0x1p-23)
}

// TestLayersMatchPyTorch compares values and derivatives of every layer with PyTorch's.
func TestLayersMatchPyTorch(t *testing.T) {
	d := torchTensors(t)
	m := loadLayers(t, torchModel)
	want := loadLayers(t, torchGrads)
	// The file's two biases of LSTM and GRU have the same derivative: their sum is loaded.
	for i := range want.LSTM {
		want.LSTM[i].B = want.LSTM[i].B.Mul(0.5)
	}
	want.GRU.B = want.GRU.B.At(weft.R(0, 8)).Mul(0.5)

	attention := nn.AttentionConfig{Causal: true}
	runs := map[string]func(m layers, x weft.Array) weft.Array{
		"linear":     func(m layers, x weft.Array) weft.Array { return m.Linear.Apply(x) },
		"no_bias":    func(m layers, x weft.Array) weft.Array { return m.NoBias.Apply(x) },
		"conv":       func(m layers, x weft.Array) weft.Array { return m.Conv.Apply(x) },
		"grouped":    func(m layers, x weft.Array) weft.Array { return m.Grouped.Apply(x) },
		"embedding":  func(m layers, x weft.Array) weft.Array { return m.Words.Apply(x) },
		"layer_norm": func(m layers, x weft.Array) weft.Array { return m.LayerNorm.Apply(x) },
		"rms_norm":   func(m layers, x weft.Array) weft.Array { return m.RMSNorm.Apply(x) },
		"group_norm": func(m layers, x weft.Array) weft.Array { return m.GroupNorm.Apply(x) },
		"batch_norm": func(m layers, x weft.Array) weft.Array { y, _ := m.BatchNorm.Train(x); return y },
		"attention":  func(m layers, x weft.Array) weft.Array { return m.Attention.Apply(x, attention) },
		"lstm": func(m layers, x weft.Array) weft.Array {
			for i, l := range m.LSTM {
				_, x = l.Apply(nn.LSTMState{H: d["lstm.h"].Index(i), C: d["lstm.c"].Index(i)}, x)
			}
			return x
		},
		"gru": func(m layers, x weft.Array) weft.Array { _, y := m.GRU.Apply(d["gru.h"].Index(0), x); return y },
		"rotary": func(_ layers, x weft.Array) weft.Array {
			return nn.Rotary(x, weft.Arange(3, 7), nn.RotaryConfig{})
		},
		"rotary_pairs": func(_ layers, x weft.Array) weft.Array {
			return nn.Rotary(x, weft.Arange(3, 7), nn.RotaryConfig{Interleaved: true})
		},
		"ctc": func(_ layers, x weft.Array) weft.Array {
			return nn.CTC(x, d["ctc.labels"], nn.CTCConfig{Steps: d["ctc.lengths"], Labels: d["ctc.label_lengths"]})
		},
		"grouped_query": func(_ layers, x weft.Array) weft.Array {
			return nn.Attention(x, d["grouped_query.k"], d["grouped_query.v"], nn.AttentionConfig{})
		},
	}
	total := weft.ZerosLike(m)
	for name, f := range runs {
		x, r := d[name+".x"], d[name+".r"]
		near(t, name, f(m, x), d[name+".y"])
		near(t, name+" under Jit", weft.Jit(f)(m, x), d[name+".y"])
		type both struct {
			M layers
			X weft.Array
		}
		g := weft.Jit(weft.Grad(func(p both) weft.Array { return f(p.M, p.X).Mul(r).Sum() }))(both{m, x})
		if want, ok := d[name+".dx"]; ok {
			nearDerivative(t, name+": dx", g.X, want)
		}
		total = weft.TreeMap2(func(a, b weft.Array) weft.Array { return a.Add(b) }, total, g.M)
	}
	got := map[string]weft.Array{}
	for path, x := range weft.TreeLeaves(total) {
		got[path] = x
	}
	for path, x := range weft.TreeLeaves(want) {
		if path == ".Attention.K.B" {
			// The softmax of scores does not depend on what is added to all keys: the derivative is 0,
			// and both are rounding errors of terms below 2.
			if d := weft.Abs(got[path]).Max().Float(); d > 4*0x1p-23 {
				t.Errorf("derivative of %s: got %g, want 0 within 4 ulps of 1", path, d)
			}
			continue
		}
		nearDerivative(t, "derivative of "+path, got[path], x)
	}
}

func TestBatchNormStatistics(t *testing.T) {
	d, m := torchTensors(t), loadLayers(t, torchModel)
	_, trained := m.BatchNorm.Train(d["batch_norm.x"])
	near(t, "mean", trained.Mean, d["batch_norm.mean"])
	near(t, "variance", trained.Var, d["batch_norm.var"])
	near(t, "evaluation", trained.Apply(d["batch_norm.x"]), d["batch_norm_eval.y"])
}

func TestBatchNormAux(t *testing.T) {
	d, m := torchTensors(t), loadLayers(t, torchModel).BatchNorm
	x := d["batch_norm.x"]
	loss := func(m nn.BatchNorm) (weft.Array, nn.BatchNorm) {
		y, m := m.Train(x)
		return weft.Square(y).Sum(), m
	}
	_, g, next := weft.ValueAndGradAux(loss)(m)
	near(t, "mean", next.Mean, d["batch_norm.mean"])
	if g.Mean.DType() != weft.Float0 || g.Scale.DType() != weft.Float32 {
		t.Errorf("gradient: got %v and %v, want float0 and f32", g.Mean.DType(), g.Scale.DType())
	}
}

func TestMultiHeadMasks(t *testing.T) {
	d, m := torchTensors(t), loadLayers(t, torchModel).Attention
	x := d["attention.x"]
	mask := weft.Of(5, 3).Reshape(2, 1, 1, 1).Gt(weft.Arange(5))
	near(t, "padding", m.Apply(x, nn.AttentionConfig{Mask: mask}), d["attention_padded.y"])
	near(t, "cross", m.Cross(x, d["attention_cross.memory"], nn.AttentionConfig{}), d["attention_cross.y"])
	bias := weft.Where(mask, 0, math.Inf(-1))
	near(t, "bias", m.Apply(x, nn.AttentionConfig{Bias: bias}), d["attention_padded.y"])
}

// TestKVCache compares steps of several sizes with attention to all positions at once.
func TestKVCache(t *testing.T) {
	d, m := torchTensors(t), loadLayers(t, torchModel).Attention
	x := d["attention.x"]
	step := weft.Jit(m.Step)
	for _, sizes := range [][]int{{1, 1, 1, 1, 1}, {3, 2}, {2, 1, 2}, {5}} {
		cache := m.NewCache(5, 2)
		var parts []weft.Array
		at := 0
		for _, n := range sizes {
			var y weft.Array
			y, cache = step(x.Index(weft.All, weft.R(at, at+n)), cache)
			parts = append(parts, y)
			at += n
		}
		near(t, "steps", weft.Concat(1, parts...), d["attention.y"])
		if y, _ := step(x.Index(weft.All, weft.R(0, 1)), cache); !weft.IsNaN(y).All().Bool() {
			t.Errorf("beyond the capacity: got %v, want NaN", y)
		}
	}
}

func TestRecurrentStates(t *testing.T) {
	d, m := torchTensors(t), loadLayers(t, torchModel)
	x := d["lstm.x"]
	for i, l := range m.LSTM {
		s, y := l.Apply(nn.LSTMState{H: d["lstm.h"].Index(i), C: d["lstm.c"].Index(i)}, x)
		near(t, "h", s.H, d["lstm.hn"].Index(i))
		near(t, "c", s.C, d["lstm.cn"].Index(i))
		x = y
	}
	if s := m.LSTM[0].Zero(3); !slices.Equal(s.H.Shape(), []int{3, 4}) {
		t.Errorf("zero state: got %v, want [3 4]", s.H.Shape())
	}
}

func TestLoadTorchErrors(t *testing.T) {
	type small struct{ Linear, Other nn.Linear }
	k := random.New(1)
	m := small{nn.NewLinear(k, 5, 4), nn.NewLinear(k, 5, 4)}
	before := m.Linear.W
	_, err := nn.LoadTorch(bytes.NewReader(torchModel), &m, nil)
	if err == nil || !strings.Contains(err.Error(), `no "other.weight"`) {
		t.Errorf("missing tensor: got %v", err)
	}
	if !m.Linear.W.Equal(before) {
		t.Error("the model changed although loading failed")
	}
	wide := struct{ Linear nn.Linear }{nn.NewLinear(k, 6, 4)}
	if _, err := nn.LoadTorch(bytes.NewReader(torchModel), &wide, nil); err == nil || !strings.Contains(err.Error(), `"linear.weight" does not fit (got f32[5,4], want f32[6,4]`) {
		t.Errorf("shape: got %v", err)
	}
	if _, err := nn.LoadTorch(bytes.NewReader(torchModel), m, nil); err == nil || !strings.Contains(err.Error(), "pass &model") {
		t.Errorf("no pointer: got %v", err)
	}
	renamed := struct{ Layers []nn.Linear }{[]nn.Linear{m.Linear}}
	unused, err := nn.LoadTorch(bytes.NewReader(torchModel), &renamed, func(name string) string {
		return map[string]string{"layers.0": "linear"}[name]
	})
	if err != nil || len(unused) == 0 || slices.Contains(unused, "linear.weight") {
		t.Errorf("map of names: got %v, %v", unused, err)
	}
}

// TestMultiHeadParts builds attention with rotary positions of the layer's parts: whole sequences
// and steps with a cache agree.
func TestMultiHeadParts(t *testing.T) {
	m, x := loadLayers(t, torchModel).Attention, torchTensors(t)["attention.x"]
	rotate := func(x weft.Array, from int) weft.Array {
		return nn.Rotary(x, weft.Arange(x.Dim(1)).Add(from), nn.RotaryConfig{})
	}
	q, k, v := m.Project(x)
	whole := m.Merge(nn.Attention(rotate(q, 0), rotate(k, 0), v, nn.AttentionConfig{Causal: true}))
	cache := m.NewCache(5, 2)
	for i := range 5 {
		q, k, v := m.Project(x.Index(weft.All, weft.R(i, i+1)))
		var y weft.Array
		y, cache = cache.Attend(rotate(q, i), rotate(k, i), v)
		near(t, "step", m.Merge(y), whole.Index(weft.All, weft.R(i, i+1)))
	}
}
