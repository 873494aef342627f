package onnx_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	format "github.com/weft-go/weft/lower/onnx"
)

// elems are the types of the tests' inputs in a model.
var elems = map[weft.DType]format.Elem{weft.Float32: 1, weft.Uint8: 2, weft.Int8: 3, weft.Float8E4M3FN: 17}

// called evaluates a node, whose inputs are those of a model.
func called(t *testing.T, n *format.Node, in ...weft.Array) (weft.Array, error) {
	t.Helper()
	n.Outputs = []string{"y"}
	g := &format.Graph{Name: "g", Nodes: []*format.Node{n}, Outputs: []*format.ValueInfo{{Name: "y", Type: &format.Type{Tensor: &format.TensorType{}}}}}
	var given []weft.Array
	for i, x := range in {
		name := ""
		if !x.IsZero() {
			name = string(rune('a' + i))
			given, g.Inputs = append(given, x), append(g.Inputs, &format.ValueInfo{Name: name, Type: &format.Type{Tensor: &format.TensorType{Elem: elems[x.DType()]}}})
		}
		n.Inputs = append(n.Inputs, name)
	}
	y, err := built(t, g).Call(given...)
	if err != nil {
		return weft.Array{}, err
	}
	return y[0], nil
}

// Products of bytes minus their zero points are those of integers, for all ranks and places of zero points.
func TestProductsOfBytes(t *testing.T) {
	const n = 3
	numbers := func(dt weft.DType, salt int, shape ...int) weft.Array {
		size := 1
		for _, d := range shape {
			size *= d
		}
		x := make([]byte, size)
		for i := range x {
			x[i] = byte((i + salt) * 7919 >> 3)
		}
		return weft.FromSlice(x).View(dt).Reshape(shape...)
	}
	bytes := []weft.DType{weft.Uint8, weft.Int8}
	for _, shape := range [][]int{{6}, {1, 6}, {5, 6}, {2, 5, 6}, {5, 999}, {5, 1000}, {2, 5, 1024}} {
		k := shape[len(shape)-1]
		for _, adt := range bytes {
			for _, bdt := range bytes {
				for i, zeros := range [][2][]int{{nil, nil}, {{}, nil}, {nil, {}}, {{}, {n}}, {nil, {n}}, {nil, {1, n}}} {
					a, b := numbers(adt, 1, shape...), numbers(bdt, 2, k, n)
					in := []weft.Array{a, b, {}, {}}
					x, w := a.AsType(weft.Int32), b.AsType(weft.Int32)
					if zeros[0] != nil {
						in[2] = numbers(adt, 3, zeros[0]...)
						x = x.Sub(in[2].AsType(weft.Int32))
					}
					if zeros[1] != nil {
						in[3] = numbers(bdt, 4, zeros[1]...)
						w = w.Sub(in[3].AsType(weft.Int32))
					}
					want := x.MatMul(w)
					got, err := called(t, &format.Node{Op: "MatMulInteger"}, in...)
					if err != nil || got.Shape().String() != want.Shape().String() || !got.Equal(want) {
						t.Errorf("%v%v by %v, zero points %d: got %v (error %v), want %v", adt, shape, bdt, i, got, err, want)
					}
				}
			}
		}
	}
}

// Products of integers refuse other numbers and zero points that lie along the axis of sums.
func TestRefusedProductsOfBytes(t *testing.T) {
	one := weft.Scalar(float32(1))
	f8 := func(shape ...int) weft.Array { return weft.OnesOf(weft.Float8E4M3FN, shape...) }
	u8 := func(shape ...int) weft.Array { return weft.OnesOf(weft.Uint8, shape...) }
	for _, c := range []struct {
		op   string
		in   []weft.Array
		want string
	}{
		{"QLinearMatMul", []weft.Array{f8(2, 4), one, f8(), f8(4, 3), one, f8(), one, f8()}, "8-bit integers"},
		{"QLinearMatMul", []weft.Array{f8(2, 2, 4), one, f8(), f8(2, 4, 3), one, f8(), one, f8()}, "8-bit integers"},
		{"MatMulInteger", []weft.Array{u8(4), u8(4, 4), u8(4)}, "zero points"},
		{"MatMulInteger", []weft.Array{u8(2, 4), u8(4, 3), u8(1, 4)}, "zero points"},
		{"MatMulInteger", []weft.Array{u8(4, 4), u8(4, 3), {}, u8(4, 1)}, "zero points"},
	} {
		y, err := called(t, &format.Node{Op: c.op}, c.in...)
		if e := (*core.Error)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %v and %v: got %v, error %v, want an error that says %q", c.op, c.in[0].Shape(), c.in[1].Shape(), y, err, c.want)
		}
	}
}

// What products of bytes derive from constant weights is no part of the program, also where the weights are transposed.
func TestConstantWeightsOfBytes(t *testing.T) {
	const m, k, n = 2, 6, 3
	data := make([]byte, k*n)
	for i := range data {
		data[i] = byte(i * 37)
	}
	g := &format.Graph{Name: "g", Inputs: []*format.ValueInfo{{Name: "x", Type: &format.Type{Tensor: &format.TensorType{Elem: 2}}}},
		Initializers: []*format.Tensor{
			{Name: "b", Dims: []int64{k, n}, Elem: 2, Data: data}, {Name: "bt", Dims: []int64{n, k}, Elem: 2, Data: data}, {Name: "z", Elem: 2, Data: []byte{3}},
			{Name: "s", Elem: 1, Data: []byte{0, 0, 0x80, 0x3f}},
		},
		Nodes: []*format.Node{
			{Op: "MatMulInteger", Inputs: []string{"x", "b", "z", "z"}, Outputs: []string{"y0"}},
			{Op: "QGemm", Domain: "com.microsoft", Inputs: []string{"x", "s", "z", "bt", "s", "z"}, Outputs: []string{"y1"},
				Attrs: map[string]*format.Attr{"transB": {Name: "transB", Type: format.AttrInt, Int: 1}}},
		},
		Outputs: []*format.ValueInfo{{Name: "y0", Type: &format.Type{Tensor: &format.TensorType{Elem: 6}}}, floats("y1")}}
	x := arrayOf(weft.Uint8, data[:m*k], m, k)
	j, err := weft.Jaxpr(built(t, g).Func(), []weft.Array{x})
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(j)
	if strings.Contains(text, "transpose") || strings.Contains(text, fmt.Sprintf("i32[%d,%d]", k, n)) || strings.Contains(text, fmt.Sprintf("i32[%d,%d]", n, k)) {
		t.Errorf("the program transposes weights or sums their columns:\n%s", text)
	}
	// The sums of x's rows are computed from x; nothing else is widened.
	if got := strings.Count(text, "i16["); got != 0 {
		t.Errorf("the program has %d arrays of i16, want none:\n%s", got, text)
	}
}
