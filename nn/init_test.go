package nn_test

import (
	"bytes"
	_ "embed"
	"slices"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/random"
)

//go:embed testdata/init.jsonl
var initData []byte // made by testdata/make_init.py

// TestInitMatchesJAX compares what initializers draw with jax.nn.initializers.
func TestInitMatchesJAX(t *testing.T) {
	inits := map[string]nn.Init{
		"constant":         nn.Constant(0.25),
		"normal":           nn.Normal(0.02),
		"truncated_normal": nn.TruncatedNormal(0.02),
		"uniform":          nn.Uniform(0.5),
		"lecun_normal":     nn.LecunNormal, "lecun_uniform": nn.LecunUniform,
		"he_normal": nn.HeNormal, "he_uniform": nn.HeUniform,
		"glorot_normal": nn.GlorotNormal, "glorot_uniform": nn.GlorotUniform,
		"fan_out":          nn.VarianceScaling{Scale: 3, Mode: nn.FanOut, Draw: nn.DrawNormal}.Init(),
		"fan_geo":          nn.VarianceScaling{Mode: nn.FanGeometric, Draw: nn.DrawUniform}.Init(),
		"conv":             nn.VarianceScaling{In: []int{1}, Out: []int{0}}.Init(),
		"batch":            nn.VarianceScaling{Draw: nn.DrawNormal, Batch: []int{0}}.Init(),
		"orthogonal":       nn.Orthogonal(2),
		"delta_orthogonal": nn.DeltaOrthogonal(1),
	}
	seen := map[string]bool{}
	for r := range goldenfile.Records[struct {
		Name, Dtype string
		Seed        uint64
		Shape       []int
		Data        []float64
	}](t, bytes.NewReader(initData)) {
		if r.Name == "" {
			continue
		}
		seen[r.Name] = true
		dt := map[string]weft.DType{"float32": weft.Float32, "float64": weft.Float64}[r.Dtype]
		want := weft.FromSlice(r.Data, r.Shape...)
		if r.Name == "delta_orthogonal" { // JAX has the outputs last
			want = want.Transpose(2, 1, 0)
		}
		k := random.New(r.Seed)
		if dt != weft.Float32 {
			k = random.As(k, dt)
		}
		got := inits[r.Name](k, want.Shape()...)
		if got.DType() != dt {
			t.Errorf("%s: got %v, want %v", r.Name, got.DType(), dt)
		}
		near(t, r.Name, got, want)
	}
	if len(seen) != len(inits) {
		t.Errorf("compared %d of %d initializers", len(seen), len(inits))
	}
}

func TestNewLayersFollowTheKeysType(t *testing.T) {
	k := random.As(random.New(1), weft.BFloat16)
	for name, x := range map[string]weft.Array{
		"Linear":    nn.NewLinear(k, 2, 3).B,
		"Conv":      nn.NewConv(k, 2, 3, []int{3}, weft.ConvConfig{}).W,
		"LSTM":      nn.NewLSTM(k, 2, 3).B,
		"GRU":       nn.NewGRU(k, 2, 3).Bn,
		"Embedding": nn.NewEmbedding(k, 2, 3).W,
		"constant":  nn.Constant(1)(k, 2),
	} {
		if x.DType() != weft.BFloat16 {
			t.Errorf("%s: got %v, want bf16", name, x.DType())
		}
	}
}

func TestConvLayouts(t *testing.T) {
	k := random.New(3)
	x := random.Normal(k, 2, 3, 5, 4)
	conv := nn.NewConv(k, 3, 6, []int{3, 2}, weft.ConvConfig{})
	conv.B = weft.Arange(6.)
	last := nn.NewConv(k, 3, 6, []int{3, 2}, weft.ConvConfig{Layout: "NHWC,HWIO->NHWC"})
	if want := []int{3, 2, 3, 6}; !slices.Equal(last.W.Shape(), want) {
		t.Fatalf("kernel: got %v, want %v", last.W.Shape(), want)
	}
	last.W, last.B = conv.W.Transpose(2, 3, 1, 0), conv.B
	near(t, "layout", last.Apply(x.Transpose(0, 2, 3, 1)).Transpose(0, 3, 1, 2), conv.Apply(x))
}

func TestDropout(t *testing.T) {
	x := weft.Ones(100, 100)
	y := nn.Dropout(random.New(1), x, 0.25)
	kept := y.Ne(0).Mean().Float()
	if kept < 0.73 || kept > 0.77 || !y.Max().Equal(weft.Scalar(float32(4./3))) {
		t.Errorf("got %v kept, largest %v; want 0.75 and 4/3", kept, y.Max())
	}
	if y := nn.Dropout(random.New(1), x, 0); !y.Equal(x) {
		t.Error("rate 0 changes the array")
	}
	if y := nn.Dropout(random.New(1), x, 1); !y.Equal(weft.ZerosLike(x)) {
		t.Error("rate 1 keeps elements")
	}
	g := weft.Grad(func(x weft.Array) weft.Array { return nn.Dropout(random.New(1), x, 0.25).Sum() })(x)
	if !g.Equal(y) {
		t.Error("the derivative of the sum is not the mask")
	}
	if _, err := weft.Try(func() weft.Array { return nn.Dropout(random.New(1), x, 2) }); err == nil {
		t.Error("rate 2: no error")
	}
}

func TestEmbeddingAttend(t *testing.T) {
	e := nn.NewEmbedding(random.New(1), 5, 3)
	x := e.Apply(weft.Of(2, 4))
	near(t, "attend", e.Attend(x), x.MatMul(e.W.T()))
	if y := e.Apply(weft.Of(7)); !weft.IsNaN(y).All().Bool() {
		t.Errorf("outside the table: got %v, want NaN", y)
	}
}

// TestLayerErrors checks that the mistakes a user makes first are named.
func TestLayerErrors(t *testing.T) {
	k := random.New(1)
	x := weft.Ones(2, 3)
	for want, f := range map[string]func() weft.Array{
		"Linear: the last axis of x must have 4 features (got f32[2,3])": func() weft.Array { return nn.NewLinear(k, 4, 2).Apply(x) },
		"NewLinear: sizes must be positive (got 0)":                      func() weft.Array { return nn.NewLinear(k, 0, 2).W },
		"Embedding: ids must be integers (got f32[2,3])":                 func() weft.Array { return nn.NewEmbedding(k, 4, 2).Apply(x) },
		"GroupNorm: axis 1 of x must have the features of the scale":     func() weft.Array { return nn.NewGroupNorm(2, 4).Apply(x) },
		"NewGroupNorm: 3 groups do not divide 4 features":                func() weft.Array { return nn.NewGroupNorm(3, 4).Scale },
		"NewMultiHead: 3 heads do not divide a width of 8":               func() weft.Array { return nn.NewMultiHead(k, 8, 3).Q.W },
		"MultiHead: x must have the axes [batch…, position, feature]":    func() weft.Array { return nn.NewMultiHead(k, 8, 2).Apply(weft.Ones(8), nn.AttentionConfig{}) },
		"Attention: the mask must be boolean (got i32[])": func() weft.Array {
			return nn.NewMultiHead(k, 8, 2).Apply(weft.Ones(2, 8), nn.AttentionConfig{Mask: weft.Scalar(int32(1))})
		},
		"LSTM.Apply: the inputs are laid out as [steps, batch…, features]": func() weft.Array {
			l := nn.NewLSTM(k, 2, 3)
			_, y := l.Apply(l.Zero(), weft.Ones(2))
			return y
		},
		"CTC: logits must be":                     func() weft.Array { return nn.CTC(x, weft.Ones(2), nn.CTCConfig{}) },
		"Dropout: the rate must be a probability": func() weft.Array { return nn.Dropout(k, x, -1) },
		"Rotary: an even number of features":      func() weft.Array { return nn.Rotary(weft.Ones(2, 3, 5), weft.Arange(2), nn.RotaryConfig{}) },
		"NewConv: 2 groups do not divide 3":       func() weft.Array { return nn.NewConv(k, 3, 4, []int{3}, weft.ConvConfig{Groups: 2}).W },
		"Linear: ":                                func() weft.Array { return nn.Linear{}.Apply(x) },
		"LayerNorm: ":                             func() weft.Array { return nn.LayerNorm{}.Apply(x) },
		"Attention: ":                             func() weft.Array { return nn.Attention(x, x, x, nn.AttentionConfig{}) },
		"KVCache: the new keys do not fit": func() weft.Array {
			m := nn.NewMultiHead(k, 8, 2)
			y, _ := m.Step(weft.Ones(9, 8), m.NewCache(4))
			return y
		},
		"LayerNorm: f32[] has fewer axes than a": func() weft.Array { return nn.NewLayerNorm(2).Apply(weft.Scalar(float32(1))) },
	} {
		_, err := weft.Try(f)
		if err == nil || !bytes.Contains([]byte(err.Error()), []byte(want)) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// Apply of a cell is Step along the first axis.
func TestRecurrentSteps(t *testing.T) {
	x := random.Normal(random.New(3), 5, 4, 2)
	gru, lstm := nn.NewGRU(random.New(1), 2, 3), nn.NewLSTM(random.New(2), 2, 3)
	h, all := gru.Apply(gru.Zero(4), x)
	s, outs := lstm.Apply(lstm.Zero(4), x)
	oneH, oneS := gru.Zero(4), lstm.Zero(4)
	for i := range x.Dim(0) {
		var y, z weft.Array
		oneH, y = gru.Step(oneH, x.Index(i))
		oneS, z = lstm.Step(oneS, x.Index(i))
		if !y.Equal(all.Index(i)) || !z.Equal(outs.Index(i)) {
			t.Errorf("step %d: got %v and %v, want %v and %v", i, y, z, all.Index(i), outs.Index(i))
		}
	}
	if !oneH.Equal(h) || !oneS.H.Equal(s.H) || !oneS.C.Equal(s.C) {
		t.Errorf("got the states %v and %v, want %v and %v", oneH, oneS, h, s)
	}
}

func TestGRUZeroState(t *testing.T) {
	l := nn.NewGRU(random.New(1), 2, 3)
	h, y := l.Apply(l.Zero(4), weft.Ones(5, 4, 2))
	if !slices.Equal(h.Shape(), []int{4, 3}) || !slices.Equal(y.Shape(), []int{5, 4, 3}) || !h.Equal(y.Index(-1)) {
		t.Errorf("got shapes %v and %v, want [4 3] and [5 4 3]", h.Shape(), y.Shape())
	}
}
