package onnx_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/weft-go/weft"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/onnx"
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
			{Name: "rs", Dims: []int64{k, 1}, Elem: 1, Data: scales[:4*k]}, {Name: "r", Dims: []int64{k}, Elem: 1, Data: scales[:4*k]}, {Name: "rz", Dims: []int64{k}, Elem: 2, Data: zeros[:k]},
			{Name: "last", Elem: 7, Data: []byte{255, 255, 255, 255, 255, 255, 255, 255}},
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
			{Op: "Mul", Inputs: []string{"ca", "rs"}, Outputs: []string{"ra"}},
			{Op: "Gather", Inputs: []string{"ra", "at"}, Outputs: []string{"y6"}},
			{Op: "DequantizeLinear", Inputs: []string{"b", "r", "rz"}, Outputs: []string{"rb"}, Attrs: map[string]*format.Attr{"axis": {Name: "axis", Type: format.AttrInt}}},
			{Op: "Gather", Inputs: []string{"rb", "at"}, Outputs: []string{"y7"}},
			{Op: "Gather", Inputs: []string{"fb", "last"}, Outputs: []string{"y8"}},
			{Op: "Gather", Inputs: []string{"rb", "last"}, Outputs: []string{"y9"}},
		},
		Outputs: []*format.ValueInfo{floats("y0"), floats("y1"), floats("y2"), floats("y3"), floats("y4"), floats("y5"), floats("y6"), floats("y7"), floats("y8"), floats("y9")}}
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
	row, rs := arrayOf(weft.Uint8, ints, k, n).Index(0).AsType(weft.Float32), s.Index(0)
	for i, want := range []weft.Array{a, a.Mul(s), a.Mul(rs), b.Mul(s), 6: a.Index(0).Mul(rs).Reshape(1, n), 7: row.Sub(weft.Scalar(float32(zeros[0]))).Mul(rs).Reshape(1, n)} {
		if !want.IsZero() && !whole[i].Equal(want) {
			t.Errorf("result %d: got %v, want %v", i, whole[i], want)
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

// Programs of several sizes capture the same array of a Constant node.
func TestConstantNodeOnce(t *testing.T) {
	const n = 1500
	m := built(t, &format.Graph{Name: "g", Inputs: []*format.ValueInfo{floats("x")},
		Nodes: []*format.Node{
			{Op: "Constant", Outputs: []string{"c"}, Attrs: map[string]*format.Attr{"value": {Name: "value", Type: format.AttrTensor, Tensor: &format.Tensor{Dims: []int64{n}, Elem: 1, Data: make([]byte, 4*n)}}}},
			{Op: "Add", Inputs: []string{"x", "c"}, Outputs: []string{"y"}},
		},
		Outputs: []*format.ValueInfo{floats("y")}})
	var captured [2]any
	for i := range captured {
		j, err := weft.Jaxpr(m.Func(), []weft.Array{weft.Zeros(i+1, n)})
		if err != nil {
			t.Fatal(err)
		}
		captured[i] = j.ConstVals[0]
	}
	if captured[0] != captured[1] {
		t.Error("the constant was copied for the second size")
	}
}

// Calls of a function on the same weights have the results of their own attributes.
func TestAttributesOfCalls(t *testing.T) {
	const n = 1500
	alpha := func(a float32) map[string]*format.Attr {
		return map[string]*format.Attr{"alpha": {Name: "alpha", Type: format.AttrFloat, Float: a}}
	}
	w := bytes.Repeat([]byte{0, 0, 0x80, 0xbf}, n) // −1
	data, err := format.Marshal(&format.Model{IR: 10, Opsets: map[string]int64{"": 21, "own": 1},
		Functions: []*format.Function{{Name: "Leak", Domain: "own", Inputs: []string{"v"}, Outputs: []string{"u"}, Attrs: []string{"alpha"}, Opsets: map[string]int64{"": 21},
			Nodes: []*format.Node{{Op: "LeakyRelu", Inputs: []string{"v"}, Outputs: []string{"u"}, Attrs: map[string]*format.Attr{"alpha": {Name: "alpha", Type: format.AttrFloat, Ref: "alpha"}}}}}},
		Graph: &format.Graph{Name: "g", Inputs: []*format.ValueInfo{floats("x")}, Initializers: []*format.Tensor{{Name: "w", Dims: []int64{n}, Elem: 1, Data: w}},
			Nodes: []*format.Node{
				{Op: "Leak", Domain: "own", Inputs: []string{"w"}, Outputs: []string{"a"}, Attrs: alpha(0.5)},
				{Op: "Leak", Domain: "own", Inputs: []string{"w"}, Outputs: []string{"b"}, Attrs: alpha(0.25)},
				{Op: "Mul", Inputs: []string{"x", "a"}, Outputs: []string{"y"}},
				{Op: "Mul", Inputs: []string{"x", "b"}, Outputs: []string{"z"}},
			},
			Outputs: []*format.ValueInfo{floats("y"), floats("z")}}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := onnx.LoadBytes(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := weft.Jit(m.Func())([]weft.Array{weft.Ones(n)})
	for i, want := range []float32{-0.5, -0.25} {
		if !out[i].Equal(weft.Full(weft.Shape{n}, want)) {
			t.Errorf("call %d: got %v, want %v", i, out[i], want)
		}
	}
}

// arrayOf returns an array of bytes.
func arrayOf(dt weft.DType, data []byte, dims ...int) weft.Array {
	x := weft.ZerosOf(dt, dims...)
	copy(x.Value().(*runtime.Array).Tensor().Data, data)
	return x
}
