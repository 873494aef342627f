package onnx_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
	format "github.com/weft-go/weft/lower/onnx"
)

// Sums and squares of small floats may exceed their type where results do not: the results are those of f32, rounded
// once, as in ONNX Runtime.
func TestSumsOfSmallFloats(t *testing.T) {
	ints := func(name string, v ...int64) *format.Attr {
		return &format.Attr{Name: name, Type: format.AttrInts, Ints: v}
	}
	number := func(name string, v int64) *format.Attr {
		return &format.Attr{Name: name, Type: format.AttrInt, Int: v}
	}
	rows := func(v ...float64) weft.Array { return weft.Of(v...).Reshape(1, 1, 2, 2) }
	for _, c := range []struct {
		op    string
		x     weft.Array
		want  []float64
		attrs []*format.Attr
		more  []weft.Array
	}{
		{op: "ReduceMean", x: rows(4e4, 4e4, 4e4, 4e4), want: []float64{4e4}},
		{op: "ReduceMean", x: weft.Full(weft.Shape{1, 1, 256, 256}, 10.0), want: []float64{10}},
		{op: "ReduceL2", x: rows(300, -300, 300, 300), want: []float64{600}},
		{op: "ReduceLogSum", x: rows(3e4, 3e4, 3e4, 3e4), want: []float64{11.695247021764184}},
		{op: "ReduceSumSquare", x: rows(255, 0, 1, 1), want: []float64{65027}},
		{op: "GlobalAveragePool", x: weft.Full(weft.Shape{1, 1, 256, 256}, 10.0), want: []float64{10}},
		{op: "GlobalLpPool", x: rows(300, 300, 300, -300), want: []float64{600}},
		{op: "AveragePool", x: rows(4e4, 4e4, 4e4, 4e4), want: []float64{4e4, 4e4, 4e4, 4e4}, attrs: []*format.Attr{ints("kernel_shape", 2, 2), ints("pads", 0, 0, 1, 1)}},
		{op: "AveragePool", x: weft.Full(weft.Shape{1, 1, 256, 256}, 10.0), want: []float64{10}, attrs: []*format.Attr{ints("kernel_shape", 256, 256)}},
		{op: "LpPool", x: rows(300, -300, 300, 300), want: []float64{600}, attrs: []*format.Attr{ints("kernel_shape", 2, 2)}},
		{op: "InstanceNormalization", x: rows(600, -600, 600, -600), want: []float64{5, 1, 5, 1}, more: []weft.Array{weft.Of(2.0), weft.Of(3.0)}},
		{op: "MeanVarianceNormalization", x: rows(600, -600, 600, -600), want: []float64{1, -1, 1, -1}},
		{op: "LRN", x: rows(3e4, 3e4, 3e4, 3e4), want: []float64{5.773454, 5.773454, 5.773454, 5.773454}, attrs: []*format.Attr{number("size", 1)}},
		{op: "LpNormalization", x: rows(300, 400, 0, 0), want: []float64{0.6, 0.8, 0, 0}},
		{op: "LpNormalization", x: rows(4e4, 4e4, 0, 0), want: []float64{0.5, 0.5, 0, 0}, attrs: []*format.Attr{number("p", 1)}},
		{op: "Sum", x: weft.Of(6e4), want: []float64{6e4}, more: []weft.Array{weft.Of(6e4), weft.Of(-6e4)}},
		{op: "Mean", x: weft.Of(6e4), want: []float64{6e4}, more: []weft.Array{weft.Of(6e4)}},
		{op: "SoftmaxCrossEntropyLoss", x: weft.Full(weft.Shape{1 << 17, 2}, 1.0), want: []float64{math.Ln2}, more: []weft.Array{weft.ZerosOf(weft.Int64, 1<<17)}},
	} {
		for elem, dt := range map[format.Elem]weft.DType{10: weft.Float16, 16: weft.BFloat16} {
			var args []weft.Array
			g := &format.Graph{Name: "g", Nodes: []*format.Node{{Op: c.op, Outputs: []string{"y"}, Attrs: map[string]*format.Attr{}}}}
			for i, x := range append([]weft.Array{c.x}, c.more...) {
				name, e := string(rune('a'+i)), format.Elem(7)
				if x.DType().IsFloat() {
					x, e = x.AsType(dt), elem
				}
				args = append(args, x)
				g.Nodes[0].Inputs = append(g.Nodes[0].Inputs, name)
				g.Inputs = append(g.Inputs, &format.ValueInfo{Name: name, Type: &format.Type{Tensor: &format.TensorType{Elem: e}}})
			}
			g.Outputs = []*format.ValueInfo{{Name: "y", Type: &format.Type{Tensor: &format.TensorType{Elem: elem}}}}
			for _, a := range c.attrs {
				g.Nodes[0].Attrs[a.Name] = a
			}
			y, err := built(t, g).Call(args...)
			if err != nil {
				t.Errorf("%s of %v: %v", c.op, dt, err)
				continue
			}
			if d := differs(y[0].Ravel(), weft.Of(c.want...).AsType(dt), epsilon(dt), 0); d != "" {
				t.Errorf("%s of %v: %s", c.op, dt, d)
			}
		}
	}
}
