package onnx_test

import (
	"testing"

	"github.com/weft-go/weft"
	format "github.com/weft-go/weft/lower/onnx"
)

// With a negative step, a start before the axis is its first element; an end before the axis excludes none.
func TestSliceBackward(t *testing.T) {
	g := &format.Graph{Name: "g", Nodes: []*format.Node{{Op: "Slice", Inputs: []string{"x", "starts", "ends", "axes", "steps"}, Outputs: []string{"y"}}}, Inputs: []*format.ValueInfo{floats("x")}, Outputs: []*format.ValueInfo{floats("y")}}
	for _, name := range g.Nodes[0].Inputs[1:] {
		g.Inputs = append(g.Inputs, &format.ValueInfo{Name: name, Type: &format.Type{Tensor: &format.TensorType{Elem: 7}}})
	}
	m := built(t, g)
	for _, c := range []struct {
		size             int
		start, end, step int64
		want             []float32
	}{
		{5, -100, -1000, -1, []float32{0}},
		{5, -6, -1000, -2, []float32{0}},
		{5, -100, -6, -1, []float32{0}},
		{5, -100, -5, -1, nil},
		{5, -100, 3, -1, nil},
		{5, 100, -1000, -2, []float32{4, 2, 0}},
		{5, 3, 0, -1, []float32{3, 2, 1}},
		{0, -100, -1000, -1, nil},
		{0, 3, -100, -1, nil},
	} {
		y, err := m.Call(weft.Iota(weft.Float32, 0, c.size), weft.Of(c.start), weft.Of(c.end), weft.Of[int64](0), weft.Of(c.step))
		if err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		if want := weft.FromSlice(c.want, len(c.want)); !y[0].Equal(want) {
			t.Errorf("x[%d:%d:%d] of %d elements: got %v, want %v", c.start, c.end, c.step, c.size, y[0], want)
		}
	}
}
