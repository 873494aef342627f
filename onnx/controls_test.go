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
