package onnx_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/onnx"
)

// Gelu has its limits at infinities: the format's formula alone would be −∞·0, a NaN, at −∞.
func TestGelu(t *testing.T) {
	inf, none := math.Inf(1), math.Copysign(0, -1)
	x := weft.Of(float32(-inf), -1e30, -1025, -1024, float32(none), 0, 0.5, 3, float32(inf), float32(math.NaN()))
	want := []float64{none, none, none, none, none, 0, 0.34573123063700656, 2.995950305904555, inf, math.NaN()}
	for _, domain := range []string{"", "com.microsoft"} {
		data, err := format.Marshal(&format.Model{IR: 10, Opsets: map[string]int64{"": 21, "com.microsoft": 1}, Graph: &format.Graph{Name: "g",
			Nodes: []*format.Node{{Op: "Gelu", Domain: domain, Inputs: []string{"x"}, Outputs: []string{"y"}}}, Inputs: []*format.ValueInfo{floats("x")}, Outputs: []*format.ValueInfo{floats("y")}}})
		if err != nil {
			t.Fatal(err)
		}
		m, err := onnx.LoadBytes(data, nil)
		if err != nil {
			t.Fatal(err)
		}
		y := weft.ToSlice[float32](weft.Jit(m.Func())([]weft.Array{x})[0])
		for i, w := range want {
			if got := float64(y[i]); got != w && !(math.Abs(got-w) <= 2e-7*w) && !(math.IsNaN(got) && math.IsNaN(w)) || w == 0 && math.Signbit(got) != math.Signbit(w) {
				t.Errorf("%s Gelu of %v: got %v, want %v", domain, x.Index(i), got, w)
			}
		}
	}
}

// Numbers beyond the greatest of a float of eight bits become it, also where the type before does not have that number.
func TestCastToSmallFloats(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		from, to format.Elem
		x, want  []float64
	}{
		{17, 19, []float64{1, -2, 448, nan}, []float64{1, -2, 448, nan}},
		{18, 19, []float64{1, -2, 240, nan}, []float64{1, -2, 240 + 16, nan}},
		{19, 17, []float64{1, -2, 57344, -inf, nan}, []float64{1, -2, 448, -448, nan}},
		{19, 20, []float64{1, -2, 57344, inf, nan}, []float64{1, -2, 57344, 57344, nan}},
		{24, 17, []float64{1, 2, 1024, nan}, []float64{1, 2, 448, nan}},
		{24, 23, []float64{1, 2, 1024}, []float64{1, 2, 6}},
		{23, 19, []float64{1, -6}, []float64{1, -6}},
		{6, 17, []float64{1, -500, 500}, []float64{1, -448, 448}},
		{4, 18, []float64{1, 255, 65535}, []float64{1, 240, 240}},
		{7, 19, []float64{-7, 1 << 40, -70000}, []float64{-7, 57344, -57344}},
	} {
		of := func(name string, e format.Elem) *format.ValueInfo {
			return &format.ValueInfo{Name: name, Type: &format.Type{Tensor: &format.TensorType{Elem: e}}}
		}
		to := &format.Attr{Name: "to", Type: format.AttrInt, Int: int64(c.to)}
		m := built(t, &format.Graph{Name: "g", Nodes: []*format.Node{{Op: "Cast", Inputs: []string{"x"}, Outputs: []string{"y"}, Attrs: map[string]*format.Attr{"to": to}}}, Inputs: []*format.ValueInfo{of("x", c.from)}, Outputs: []*format.ValueInfo{of("y", c.to)}})
		y, err := m.Call(weft.Of(c.x...).AsType(c.from.DType()))
		if err != nil {
			t.Errorf("%v: %v", c.from.DType(), err)
			continue
		}
		if d := differs(y[0].AsType(weft.Float64), weft.Of(c.want...).AsType(weft.Float64), 0, 0); d != "" || y[0].DType() != c.to.DType() {
			t.Errorf("%v to %v: %v: %s", c.from.DType(), c.to.DType(), y[0], d)
		}
	}
}
