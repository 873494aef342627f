package onnx_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/onnx"
)

// Corners of operators, which no suite of models covers, have the results of ONNX Runtime.
func TestCorners(t *testing.T) {
	const ours, theirs = "", "com.microsoft"
	number := func(name string, v int64) *format.Attr {
		return &format.Attr{Name: name, Type: format.AttrInt, Int: v}
	}
	float := func(name string, v float32) *format.Attr {
		return &format.Attr{Name: name, Type: format.AttrFloat, Float: v}
	}
	ints := func(name string, v ...int64) *format.Attr {
		return &format.Attr{Name: name, Type: format.AttrInts, Ints: v}
	}
	row := func(v ...float32) weft.Array { return weft.Of(v...).Reshape(1, -1, 1) }
	inf := float32(math.Inf(1))
	none := weft.Array{}
	var corners57 []float64
	for k := range 57 {
		corners57 = append(corners57, float64(k*6/56))
	}
	text := func(name, v string) *format.Attr { return &format.Attr{Name: name, Type: format.AttrString, String: v} }
	twenty, least := weft.Arange[float32](0, 20).Reshape(1, 1, 1, 20), float("mask_filter_value", -math.MaxFloat32)
	q, k, v := row(1, 2), row(1, 2, 3), row(1, 10, 100)
	heads, exact, causal, filter := number("num_heads", 1), float("scale", 1), number("unidirectional", 1), float("mask_filter_value", -16)
	for _, c := range []struct {
		name, domain, op string
		opset            int64
		in               []weft.Array
		attrs            []*format.Attr
		want             []float64
	}{
		{"the bounds that are left out are the greatest finite numbers", ours, "Clip", 7, []weft.Array{weft.Of(-inf, 0, inf)}, []*format.Attr{float("max", 1)}, []float64{-math.MaxFloat32, 0, 1}},
		{"fewer elements are the next ones", ours, "Resize", 10, []weft.Array{weft.Arange[float32](1, 9).Reshape(1, 1, 2, 4), weft.Of[float32](1, 1, 0.6, 0.6)}, nil, []float64{1, 3}},
		{"more elements are the ones before", ours, "Resize", 10, []weft.Array{weft.Arange[float32](1, 4).Reshape(1, 1, 1, 3), weft.Of[float32](1, 1, 1, 1.5)}, nil, []float64{1, 1, 2, 3}},
		{"sizes and positions of f32", ours, "Resize", 10, []weft.Array{twenty, weft.Of[float32](1, 1, 1, 0.7)}, nil, []float64{0, 2, 3, 5, 6, 8, 9, 10, 12, 13, 15, 16, 18, 19}},
		{"positions of f32", ours, "Upsample", 9, []weft.Array{twenty, weft.Of[float32](1, 1, 1, 1.1)}, nil, []float64{0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}},
		{"a size of f32", ours, "Resize", 13, []weft.Array{twenty, none, weft.Of[float32](1, 1, 1, 0.9)}, []*format.Attr{text("nearest_mode", "floor"), text("coordinate_transformation_mode", "asymmetric")},
			[]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18}},
		{"corners that sizes align", ours, "Resize", 13, []weft.Array{weft.Arange[float32](0, 7), none, none, weft.Of[int64](57)}, []*format.Attr{text("nearest_mode", "floor"), text("coordinate_transformation_mode", "align_corners")},
			corners57},
		{"a region that ends before it begins", ours, "RoiAlign", 16, []weft.Array{weft.Arange[float32](1, 10).Reshape(1, 1, 3, 3), weft.Of[float32](2, 2, 1, 1).Reshape(1, 4), weft.Of[int64](0)}, nil, []float64{0}},
		{"no segments of words", theirs, "EmbedLayerNormalization", 21, []weft.Array{weft.Of[int32](1, 0).Reshape(1, 2), none, weft.Of[float32](1, 2, 3, 5).Reshape(2, 2), weft.Of[float32](0, 1, 1, 0).Reshape(2, 2),
			weft.Of[float32](4, 0, 0, 4).Reshape(2, 2), weft.Of[float32](1, 1), weft.Of[float32](0, 0)}, []*format.Attr{float("epsilon", 1)}, []float64{0.4472135901451111, -0.4472135901451111, 0.8944271802902222, -0.8944271802902222}},
		{"ties after the zero point is added", theirs, "QLinearAveragePool", 21, []weft.Array{weft.Of[uint8](1, 2, 4, 5).Reshape(1, 1, 1, 4), weft.Scalar(float32(1)), weft.Scalar(uint8(0)), weft.Scalar(float32(1)), weft.Scalar(uint8(1))},
			[]*format.Attr{ints("kernel_shape", 1, 2)}, []float64{2, 4, 6}},
		{"the first query sees the first key, the last one all", theirs, "MultiHeadAttention", 21, []weft.Array{q, k, v}, []*format.Attr{heads, exact, causal}, []float64{1, 87.87031555175781}},
		{"one query sees all keys", theirs, "MultiHeadAttention", 21, []weft.Array{row(1), k, v}, []*format.Attr{heads, exact, causal}, []float64{69.06140899658203}},
		{"no key counts", theirs, "MultiHeadAttention", 21, []weft.Array{q, k, v, none, weft.ZerosOf(weft.Int32, 1, 3)}, []*format.Attr{heads, exact, filter}, []float64{69.0614013671875, 87.87031555175781}},
		{"numbers below 0 mask", theirs, "MultiHeadAttention", 21, []weft.Array{q, k, v, none, weft.Of[int32](-1, 1, 1).Reshape(1, 3)}, []*format.Attr{heads, exact}, []float64{75.79527282714844, 89.27173614501953}},
		{"padding and later keys are masked alike", theirs, "MultiHeadAttention", 21, []weft.Array{row(1, 2, 3), k, v, none, weft.Of[int32](0, 1, 1).Reshape(1, 3)}, []*format.Attr{heads, exact, causal, least}, []float64{37, 10, 95.73167419433594}},
		{"no key counts, later ones least", theirs, "Attention", 21, []weft.Array{q, weft.Ones(1, 3), weft.Zeros(3), weft.ZerosOf(weft.Int32, 1, 2)}, []*format.Attr{heads, exact, filter, causal}, []float64{1, 1.8807969093322754}},
	} {
		g := &format.Graph{Name: "g", Nodes: []*format.Node{{Op: c.op, Domain: c.domain, Outputs: []string{"y"}, Attrs: map[string]*format.Attr{}}}, Outputs: []*format.ValueInfo{floats("y")}}
		n := g.Nodes[0]
		for _, a := range c.attrs {
			n.Attrs[a.Name] = a
		}
		var in []weft.Array
		for i, x := range c.in {
			name := ""
			if !x.IsZero() {
				name = string(rune('a' + i))
				e := map[weft.DType]format.Elem{weft.Float32: 1, weft.Uint8: 2, weft.Int32: 6, weft.Int64: 7}[x.DType()]
				in, g.Inputs = append(in, x), append(g.Inputs, &format.ValueInfo{Name: name, Type: &format.Type{Tensor: &format.TensorType{Elem: e}}})
			}
			n.Inputs = append(n.Inputs, name)
		}
		data, err := format.Marshal(&format.Model{IR: 10, Opsets: map[string]int64{"": c.opset, theirs: 1}, Graph: g})
		if err != nil {
			t.Fatal(err)
		}
		m, err := onnx.LoadBytes(data, nil)
		if err != nil {
			t.Errorf("%s: %s: %v", c.op, c.name, err)
			continue
		}
		y, err := m.Call(in...)
		if err != nil {
			t.Errorf("%s: %s: %v", c.op, c.name, err)
			continue
		}
		if d := differs(y[0].AsType(weft.Float64).Ravel(), weft.Of(c.want...).AsType(weft.Float64), 2e-6, 1e-7); d != "" {
			t.Errorf("%s: %s: %v: %s", c.op, c.name, y[0], d)
		}
	}
}
