package onnx_test

import (
	"testing"

	"github.com/weft-go/weft"
	format "github.com/weft-go/weft/lower/onnx"
)

// A loop whose body does not compute its condition, as in a damaged file, is an error.
func TestLoopOfDamagedBody(t *testing.T) {
	of := func(name string, e format.Elem) *format.ValueInfo {
		return &format.ValueInfo{Name: name, Type: &format.Type{Tensor: &format.TensorType{Elem: e, Known: true}}}
	}
	for name, nodes := range map[string][]*format.Node{
		"an Identity of itself":      {{Op: "Identity", Inputs: []string{"more"}, Outputs: []string{"more"}}},
		"two Identities of another":  {{Op: "Identity", Inputs: []string{"a"}, Outputs: []string{"more"}}, {Op: "Identity", Inputs: []string{"more"}, Outputs: []string{"a"}}},
		"an Identity without inputs": {{Op: "Identity", Outputs: []string{"more"}}},
	} {
		body := &format.Graph{Name: "body", Nodes: nodes, Inputs: []*format.ValueInfo{of("i", 7), of("going", 9), of("v", 1)}, Outputs: []*format.ValueInfo{of("more", 9), of("v", 1)}}
		m := built(t, &format.Graph{
			Name:    "g",
			Nodes:   []*format.Node{{Op: "Loop", Inputs: []string{"times", "", "x"}, Outputs: []string{"y"}, Attrs: map[string]*format.Attr{"body": {Name: "body", Type: format.AttrGraph, Graph: body}}}},
			Inputs:  []*format.ValueInfo{of("times", 7), of("x", 1)},
			Outputs: []*format.ValueInfo{of("y", 1)},
		})
		if y, err := m.Call(weft.Scalar(int64(3)), weft.Scalar(float32(1))); err == nil {
			t.Errorf("%s: got %v, want an error", name, y)
		}
	}
}

// A negative number of iterations is none, also where it is not known before the loop runs.
func TestLoopOfNegativeCount(t *testing.T) {
	of := func(name string, e format.Elem) *format.ValueInfo {
		return &format.ValueInfo{Name: name, Type: &format.Type{Tensor: &format.TensorType{Elem: e, Known: true}}}
	}
	body := &format.Graph{
		Name:    "body",
		Nodes:   []*format.Node{{Op: "Add", Inputs: []string{"v", "v"}, Outputs: []string{"w"}}, {Op: "Less", Inputs: []string{"w", "limit"}, Outputs: []string{"more"}}},
		Inputs:  []*format.ValueInfo{of("i", 7), of("going", 9), of("v", 1)},
		Outputs: []*format.ValueInfo{of("more", 9), of("w", 1)},
	}
	for _, named := range []string{"times", ""} {
		m := built(t, &format.Graph{
			Name:    "g",
			Nodes:   []*format.Node{{Op: "Loop", Inputs: []string{named, "", "x"}, Outputs: []string{"y"}, Attrs: map[string]*format.Attr{"body": {Name: "body", Type: format.AttrGraph, Graph: body}}}},
			Inputs:  []*format.ValueInfo{of("times", 7), of("x", 1), of("limit", 1)},
			Outputs: []*format.ValueInfo{of("y", 1)},
		})
		jitted := weft.Jit(m.Func())
		for times, want := range map[int64]float32{-1: 1, -7: 1, 0: 1, 2: 4, 100: 16} {
			if named == "" { // the condition alone ends the loop
				want = 16
			}
			args := []weft.Array{weft.Scalar(times), weft.Scalar(float32(1)), weft.Scalar(float32(16))}
			y, err := m.Call(args...)
			if err != nil {
				t.Fatal(err)
			}
			if z := jitted(args)[0]; y[0].Float() != float64(want) || z.Float() != float64(want) {
				t.Errorf("%d times (input %q): got %v and, compiled, %v, want %v", times, named, y[0], z, want)
			}
		}
	}
}
