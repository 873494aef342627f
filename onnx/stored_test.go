package onnx_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/weft-go/weft"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/runtime"
)

// Matrices that a model keeps as 8-bit integers stay integers in programs that multiply few rows by them or look rows up,
// with the bits of the matrix of floats.
func TestStored(t *testing.T) {
	const k, n = 192, 384
	ints := make([]byte, k*n)
	for i := range ints {
		ints[i] = byte(i * 7919 >> 3)
	}
	var scales []byte
	for i := range n {
		scales = binary.LittleEndian.AppendUint32(scales, math.Float32bits(0.01+float32(i)/1000))
	}
	zeros := make([]byte, n)
	for i := range zeros {
		zeros[i] = byte(i % 11)
	}
	to := map[string]*format.Attr{"to": {Name: "to", Type: format.AttrInt, Int: 1}}
	g := &format.Graph{Name: "g", Inputs: []*format.ValueInfo{floats("x"), {Name: "at", Type: &format.Type{Tensor: &format.TensorType{Elem: 7}}}},
		Initializers: []*format.Tensor{
			{Name: "a", Dims: []int64{k, n}, Elem: 3, Data: ints}, {Name: "b", Dims: []int64{k, n}, Elem: 2, Data: ints},
			{Name: "s", Dims: []int64{n}, Elem: 1, Data: scales}, {Name: "one", Elem: 1, Data: scales[:4]}, {Name: "z", Dims: []int64{n}, Elem: 2, Data: zeros},
		},
		Nodes: []*format.Node{
			{Op: "Cast", Inputs: []string{"a"}, Outputs: []string{"ca"}, Attrs: to},
			{Op: "Mul", Inputs: []string{"ca", "s"}, Outputs: []string{"fa"}},
			{Op: "Mul", Inputs: []string{"one", "ca"}, Outputs: []string{"ga"}},
			{Op: "DequantizeLinear", Inputs: []string{"b", "s", "z"}, Outputs: []string{"fb"}},
			{Op: "MatMul", Inputs: []string{"x", "ca"}, Outputs: []string{"y0"}},
			{Op: "MatMul", Inputs: []string{"x", "fa"}, Outputs: []string{"y1"}},
			{Op: "MatMul", Inputs: []string{"x", "ga"}, Outputs: []string{"y2"}},
			{Op: "MatMul", Inputs: []string{"x", "fb"}, Outputs: []string{"y3"}},
			{Op: "Gather", Inputs: []string{"fa", "at"}, Outputs: []string{"y4"}},
			{Op: "Gather", Inputs: []string{"fb", "at"}, Outputs: []string{"y5"}},
		},
		Outputs: []*format.ValueInfo{floats("y0"), floats("y1"), floats("y2"), floats("y3"), floats("y4"), floats("y5")}}
	m := built(t, g)
	for _, rows := range [][]int{{1, k}, {k}, {2, 5, k}, {33, k}} {
		size := 1
		for _, d := range rows {
			size *= d
		}
		in := []weft.Array{weft.Sin(weft.Arange(float32(size))).Reshape(rows...), weft.Of(3, -1, k-1).AsType(weft.Int64)}
		want, err := m.Call(in...)
		if err != nil {
			t.Fatal(err)
		}
		for i, y := range weft.Jit(m.Func())(in) {
			if !y.Equal(want[i]) {
				t.Errorf("%v, result %d: got %v, want %v", rows, i, y, want[i])
			}
		}
		if size > 32*k {
			continue
		}
		j, err := weft.Jaxpr(m.Func(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range j.Consts {
			if c.Type.DType == weft.Float32 && c.Type.Size() > n {
				t.Errorf("%v: the program has a constant %v", rows, c.Type)
			}
		}
	}
	// The same matrices of floats.
	whole, err := m.Call(weft.Eye(k), weft.Of(0).AsType(weft.Int64))
	if err != nil {
		t.Fatal(err)
	}
	a, s := arrayOf(weft.Int8, ints, k, n).AsType(weft.Float32), arrayOf(weft.Float32, scales, n)
	b := arrayOf(weft.Uint8, ints, k, n).AsType(weft.Float32).Sub(arrayOf(weft.Uint8, zeros, n).AsType(weft.Float32))
	for i, want := range []weft.Array{a, a.Mul(s), a.Mul(s.Index(0)), b.Mul(s)} {
		if !whole[i].Equal(want) {
			t.Errorf("matrix %d: got %v, want %v", i, whole[i], want)
		}
	}
}

// Zero points of rows, together with a single scale, are not taken for zero points of columns.
func TestStoredZerosOfRows(t *testing.T) {
	const n = 256
	ints, zeros := make([]byte, n*n), make([]byte, n)
	for i := range ints {
		ints[i] = byte(i * 7919 >> 3)
	}
	for i := range zeros {
		zeros[i] = byte(i)
	}
	axis := map[string]*format.Attr{"axis": {Name: "axis", Type: format.AttrInt}}
	m := built(t, &format.Graph{Name: "g", Inputs: []*format.ValueInfo{floats("x")},
		Initializers: []*format.Tensor{{Name: "b", Dims: []int64{n, n}, Elem: 2, Data: ints}, {Name: "s", Elem: 1, Data: []byte{0, 0, 0x80, 0x3f}}, {Name: "z", Dims: []int64{n}, Elem: 2, Data: zeros}},
		Nodes: []*format.Node{
			{Op: "DequantizeLinear", Inputs: []string{"b", "s", "z"}, Outputs: []string{"f"}, Attrs: axis},
			{Op: "MatMul", Inputs: []string{"x", "f"}, Outputs: []string{"y"}},
		},
		Outputs: []*format.ValueInfo{floats("y")}})
	x := weft.Sin(weft.Arange(float32(n))).Reshape(1, n)
	want, err := m.Call(x)
	if err != nil {
		t.Fatal(err)
	}
	if got := weft.Jit(m.Func())([]weft.Array{x}); !got[0].Equal(want[0]) {
		t.Errorf("got %v, want %v", got[0], want[0])
	}
}

// arrayOf returns an array of bytes.
func arrayOf(dt weft.DType, data []byte, dims ...int) weft.Array {
	x := weft.ZerosOf(dt, dims...)
	copy(x.Value().(*runtime.Array).Tensor().Data, data)
	return x
}
