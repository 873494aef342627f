package onnx_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/weft-go/weft"
	format "github.com/weft-go/weft/lower/onnx"
)

// A product of many 8-bit integers that stand for floats exceeds 32-bit integers as it does not exceed floats.
func TestLongProductsOfQuanta(t *testing.T) {
	const k = 1 << 17 // 128·128·k is 2³¹
	ints := bytes.Repeat([]byte{128}, k)
	scale := binary.LittleEndian.AppendUint32(nil, math.Float32bits(1))
	g := &format.Graph{Name: "g", Inputs: []*format.ValueInfo{{Name: "x", Type: &format.Type{Tensor: &format.TensorType{Elem: 2}}}},
		Initializers: []*format.Tensor{
			{Name: "m", Dims: []int64{k, 1}, Elem: 2, Data: ints}, {Name: "w", Dims: []int64{1, 1, k}, Elem: 2, Data: ints}, {Name: "s", Elem: 1, Data: scale},
			{Name: "row", Dims: []int64{2}, Elem: 7, Data: binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, 1), k)},
		},
		Nodes: []*format.Node{
			{Op: "Reshape", Inputs: []string{"x", "row"}, Outputs: []string{"r"}},
			{Op: "DequantizeLinear", Inputs: []string{"x", "s"}, Outputs: []string{"fx"}},
			{Op: "DequantizeLinear", Inputs: []string{"r", "s"}, Outputs: []string{"fr"}},
			{Op: "DequantizeLinear", Inputs: []string{"m", "s"}, Outputs: []string{"fm"}},
			{Op: "DequantizeLinear", Inputs: []string{"w", "s"}, Outputs: []string{"fw"}},
			{Op: "MatMul", Inputs: []string{"fr", "fm"}, Outputs: []string{"y0"}},
			{Op: "Gemm", Inputs: []string{"fr", "fm"}, Outputs: []string{"y1"}},
			{Op: "Conv", Inputs: []string{"fx", "fw"}, Outputs: []string{"y2"}},
		},
		Outputs: []*format.ValueInfo{floats("y0"), floats("y1"), floats("y2")}}
	out, err := built(t, g).Call(arrayOf(weft.Uint8, ints, 1, 1, k))
	if err != nil {
		t.Fatal(err)
	}
	for i, y := range out {
		if got := y.Reshape().Float(); got != 1<<31 {
			t.Errorf("result %d: got %v, want %v", i, got, 1<<31)
		}
	}
}
