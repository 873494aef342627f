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
