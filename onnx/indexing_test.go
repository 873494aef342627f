package onnx_test

import (
	"testing"

	"github.com/weft-go/weft"
	format "github.com/weft-go/weft/lower/onnx"
)

// Integers that have one value as f64 are distinct, and sorted.
func TestUniqueOfLargeIntegers(t *testing.T) {
	const big = 1 << 53
	for elem, c := range map[format.Elem][2]weft.Array{
		7:  {weft.Of[int64](big+1, big, -big-1, big+1, -big), weft.Of[int64](-big-1, -big, big, big+1)},
		13: {weft.Of[uint64](1<<63+1, 1<<63, 1<<63+1, 5), weft.Of[uint64](5, 1<<63, 1<<63+1)},
	} {
		of := func(name string) *format.ValueInfo {
			return &format.ValueInfo{Name: name, Type: &format.Type{Tensor: &format.TensorType{Elem: elem}}}
		}
		m := built(t, &format.Graph{Name: "g", Nodes: []*format.Node{{Op: "Unique", Inputs: []string{"x"}, Outputs: []string{"y"}}}, Inputs: []*format.ValueInfo{of("x")}, Outputs: []*format.ValueInfo{of("y")}})
		y, err := m.Call(c[0])
		if err != nil {
			t.Fatal(err)
		}
		if !y[0].Equal(c[1]) {
			t.Errorf("got %v, want %v", y[0], c[1])
		}
	}
}
