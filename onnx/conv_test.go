package onnx_test

import (
	"testing"

	"github.com/weft-go/weft"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/onnx"
)

// A transposed convolution whose kernel moves by its own size writes a patch for each element: the sum
// over the features, in their order.
func TestPatches(t *testing.T) {
	const in, out, kh, kw = 3, 2, 2, 3
	node := &format.Node{Op: "ConvTranspose", Inputs: []string{"x", "w"}, Outputs: []string{"y"}, Attrs: map[string]*format.Attr{"strides": {Name: "strides", Type: format.AttrInts, Ints: []int64{kh, kw}}}}
	value := func(name string) *format.ValueInfo {
		return &format.ValueInfo{Name: name, Type: &format.Type{Tensor: &format.TensorType{Elem: 1}}}
	}
	data, err := format.Marshal(&format.Model{IR: 10, Opsets: map[string]int64{"": 21}, Graph: &format.Graph{Name: "g", Nodes: []*format.Node{node},
		Inputs: []*format.ValueInfo{value("x"), value("w")}, Outputs: []*format.ValueInfo{value("y")}}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := onnx.LoadBytes(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := weft.Jit(m.Func())
	w := weft.Sin(weft.Arange(float32(0), in*out*kh*kw)).Reshape(in, out, kh, kw)
	for _, s := range [][3]int{{2, 4, 5}, {1, 1, 1}, {0, 2, 2}, {1, 0, 3}} {
		b, rows, cols := s[0], s[1], s[2]
		x := weft.Cos(weft.Arange(float32(0), float32(b*in*rows*cols))).Reshape(b, in, rows, cols)
		y := f([]weft.Array{x, w})[0]
		want := make([]float32, b*out*rows*kh*cols*kw)
		xs, ws := weft.ToSlice[float32](x), weft.ToSlice[float32](w)
		for i := range want {
			c, r, o, n := i%(cols*kw), i/(cols*kw)%(rows*kh), i/(cols*kw*rows*kh)%out, i/(cols*kw*rows*kh*out)
			var sum float64 // exact to more bits than are compared
			for k := range in {
				sum += float64(xs[((n*in+k)*rows+r/kh)*cols+c/kw]) * float64(ws[((k*out+o)*kh+r%kh)*kw+c%kw])
			}
			want[i] = float32(sum)
		}
		if z := weft.FromSlice(want, b, out, rows*kh, cols*kw); !weft.AllClose(y, z, 1e-6, 1e-6).Bool() {
			t.Errorf("%v: got %v, want %v", s, y, z)
		}
	}
}
