package onnx_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/onnx"
)

// convolved compiles and runs a node of version v that reads x and the result of a convolution of x, whose features are
// last while it is traced.
func convolved(t *testing.T, v int64, op string, x, w weft.Array) (y weft.Array, err error) {
	t.Helper()
	data, err := format.Marshal(&format.Model{IR: 3, Opsets: map[string]int64{"": v}, Graph: &format.Graph{
		Name:    "g",
		Nodes:   []*format.Node{{Op: "Conv", Inputs: []string{"x", "w"}, Outputs: []string{"c"}}, {Op: op, Inputs: []string{"x", "c"}, Outputs: []string{"y"}}},
		Inputs:  []*format.ValueInfo{floats("x"), floats("w")},
		Outputs: []*format.ValueInfo{floats("y")},
	}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := onnx.LoadBytes(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = core.Catch(func() { y = weft.Jit(m.Func())([]weft.Array{x, w})[0] })
	return y, err
}

// Behind a convolution a Concat without an axis is what it is elsewhere: version 1 takes axis 1, version 4 wants one.
func TestConcatLayout(t *testing.T) {
	x, w := weft.Arange(float32(0), 24).Reshape(2, 3, 2, 2), weft.Ones(3, 3, 1, 1)
	y, err := convolved(t, 1, "Concat", x, w)
	if err != nil {
		t.Fatal(err)
	}
	sum := x.Sum(1)
	if want := weft.Concat(1, x, weft.Stack(1, sum, sum, sum)); !y.Equal(want) {
		t.Errorf("got %v, want %v", y, want)
	}
	if y, err := convolved(t, 4, "Concat", x, w); err == nil || !strings.Contains(err.Error(), "attribute axis is missing") {
		t.Errorf("version 4: got %v, %v", y, err)
	}
}

// A mean of two inputs is refused, whichever is the convolution's.
func TestAverageLayout(t *testing.T) {
	x, w := weft.Ones(1, 3, 2, 2), weft.Ones(3, 3, 1, 1)
	if y, err := convolved(t, 21, "GlobalAveragePool", x, w); err == nil || !strings.Contains(err.Error(), "takes 1 input (got 2)") {
		t.Errorf("got %v, %v", y, err)
	}
}
