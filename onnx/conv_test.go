package onnx_test

import (
	"testing"

	"github.com/weft-go/weft"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/onnx"
)

// built returns a model of a graph whose inputs have types without shapes.
func built(t *testing.T, g *format.Graph) *onnx.Model {
	t.Helper()
	data, err := format.Marshal(&format.Model{IR: 10, Opsets: map[string]int64{"": 21, "com.microsoft": 1}, Graph: g})
	if err != nil {
		t.Fatal(err)
	}
	m, err := onnx.LoadBytes(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// floats is an input or output of f32; without sizes its shape is not stated.
func floats(name string, dims ...format.Dim) *format.ValueInfo {
	return &format.ValueInfo{Name: name, Type: &format.Type{Tensor: &format.TensorType{Elem: 1, Shape: dims, Known: dims != nil}}}
}

// transposed returns a model of one transposed convolution.
func transposed(t *testing.T, attrs map[string][]int64) *onnx.Model {
	t.Helper()
	n := &format.Node{Op: "ConvTranspose", Inputs: []string{"x", "w"}, Outputs: []string{"y"}, Attrs: map[string]*format.Attr{}}
	for name, v := range attrs {
		n.Attrs[name] = &format.Attr{Name: name, Type: format.AttrInts, Ints: v}
	}
	return built(t, &format.Graph{Name: "g", Nodes: []*format.Node{n}, Inputs: []*format.ValueInfo{floats("x"), floats("w")}, Outputs: []*format.ValueInfo{floats("y")}})
}

// A transposed convolution whose kernel moves by its own size writes a patch for each element: the sum
// over the features, in their order.
func TestPatches(t *testing.T) {
	const in, out, kh, kw = 3, 2, 2, 3
	f := weft.Jit(transposed(t, map[string][]int64{"strides": {kh, kw}}).Func())
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

// Where the size of the result is given, the image decides whether there is padding: a node has patches for one image
// and a convolution for another, and keeps the weights of both.
func TestPatchesAndPadding(t *testing.T) {
	w := weft.Sin(weft.Arange(float32(0), 32*16*2)).Reshape(32, 16, 2) // so many that they are kept
	m, err := transposed(t, map[string][]int64{"strides": {2}, "output_shape": {8}}).Bind(map[string]weft.Array{"w": w})
	if err != nil {
		t.Fatal(err)
	}
	f := weft.Jit(m.Func())
	for _, n := range []int{4, 5, 4} {
		x := weft.Cos(weft.Arange(float32(0), float32(32*n))).Reshape(1, 32, n)
		want, err := m.Call(x)
		if err != nil {
			t.Fatal(err)
		}
		got, err := weft.Try(func() []weft.Array { return f([]weft.Array{x}) })
		if err != nil || !weft.AllClose(got[0], want[0], 1e-6, 1e-6).Bool() {
			t.Errorf("an image of %d: got %v, %v, want %v", n, got, err, want)
		}
	}
}

// Pads that output_shape asks for are longer at the start if they are odd, except with SAME_UPPER. A result that is longer
// than all kernels reach has zeros at its end. The results are those of ONNX Runtime.
func TestTransposedConvolutionOfShape(t *testing.T) {
	x, w := weft.Of[float32](1, 10, 100).Reshape(1, 1, 3), weft.Of[float32](1, 2, 3, 4)
	for _, c := range []struct {
		kernel, stride, size int
		auto                 string
		want                 []float32
	}{
		{3, 2, 6, "", []float32{2, 13, 20, 130, 200, 300}},
		{3, 2, 6, "VALID", []float32{2, 13, 20, 130, 200, 300}},
		{3, 2, 6, "SAME_LOWER", []float32{2, 13, 20, 130, 200, 300}},
		{3, 2, 6, "SAME_UPPER", []float32{1, 2, 13, 20, 130, 200}},
		{3, 2, 0, "SAME_LOWER", []float32{2, 13, 20, 130, 200, 300}},
		{3, 2, 0, "SAME_UPPER", []float32{1, 2, 13, 20, 130, 200}},
		{3, 2, 4, "", []float32{13, 20, 130, 200}},
		{3, 2, 4, "SAME_UPPER", []float32{2, 13, 20, 130}},
		{3, 2, 8, "", []float32{1, 2, 13, 20, 130, 200, 300, 0}},
		{3, 2, 8, "SAME_LOWER", []float32{1, 2, 13, 20, 130, 200, 300, 0}},
		{3, 2, 8, "SAME_UPPER", []float32{1, 2, 13, 20, 130, 200, 300, 0}},
		{3, 3, 11, "", []float32{1, 2, 3, 10, 20, 30, 100, 200, 300, 0, 0}},
		{3, 3, 11, "SAME_LOWER", []float32{1, 2, 3, 10, 20, 30, 100, 200, 300, 0, 0}},
		{2, 3, 10, "SAME_UPPER", []float32{1, 2, 0, 10, 20, 0, 100, 200, 0, 0}},
	} {
		attrs := map[string]*format.Attr{"strides": {Name: "strides", Type: format.AttrInts, Ints: []int64{int64(c.stride)}}}
		if c.size > 0 {
			attrs["output_shape"] = &format.Attr{Name: "output_shape", Type: format.AttrInts, Ints: []int64{int64(c.size)}}
		}
		if c.auto != "" {
			attrs["auto_pad"] = &format.Attr{Name: "auto_pad", Type: format.AttrString, String: c.auto}
		}
		m := built(t, &format.Graph{Name: "g", Nodes: []*format.Node{{Op: "ConvTranspose", Inputs: []string{"x", "w"}, Outputs: []string{"y"}, Attrs: attrs}}, Inputs: []*format.ValueInfo{floats("x"), floats("w")}, Outputs: []*format.ValueInfo{floats("y")}})
		y, err := m.Call(x, w.Index(weft.R(0, c.kernel)).Reshape(1, 1, -1))
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if got := y[0].Ravel(); !got.Equal(weft.Of(c.want...)) {
			t.Errorf("kernel %d, stride %d, size %d, auto_pad %q: got %v, want %v", c.kernel, c.stride, c.size, c.auto, got, c.want)
		}
	}
}
