package onnx_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/onnx"
)

// exported returns the file of a model that PyTorch exported.
func exported(t *testing.T, key string) []byte {
	t.Helper()
	return archive(t, "onnx/exports.tar.gz", "testdata/exports/exports.tar.gz")["exports/"+key+"/model.onnx"]
}

// A model is the same from a stream, from memory and from a file.
func TestLoad(t *testing.T) {
	data := exported(t, "mlp")
	file := filepath.Join(t.TempDir(), "model.onnx")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	x := weft.Arange(32.).Reshape(2, 16).AsType(weft.Float32).Div(32.0)
	var first weft.Array
	for name, load := range map[string]func() (*onnx.Model, error){
		"Load":      func() (*onnx.Model, error) { return onnx.Load(bytes.NewReader(data)) },
		"LoadBytes": func() (*onnx.Model, error) { return onnx.LoadBytes(data, nil) },
		"LoadFile":  func() (*onnx.Model, error) { return onnx.LoadFile(file) },
	} {
		m, err := load()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, want := fmt.Sprint(m.Inputs(), m.Outputs()), "[x: f32[batch,16]] [y: f32[batch,10]]"; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		out, err := m.Call(x)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if first.IsZero() {
			first = out[0]
		} else if !out[0].Equal(first) {
			t.Errorf("%s: got %v, want %v", name, out[0], first)
		}
	}
	if _, err := onnx.Load(nil); !errors.Is(err, core.ErrStatic) {
		t.Errorf("got %v for no reader, want an error of kind %v", err, core.ErrStatic)
	}
	for name, load := range map[string]func() (*onnx.Model, error){
		"Load":      func() (*onnx.Model, error) { return onnx.Load(bytes.NewReader(data), nil) },
		"LoadBytes": func() (*onnx.Model, error) { return onnx.LoadBytes(data, nil, onnx.Bind("batch", 2), nil) },
		"LoadFile":  func() (*onnx.Model, error) { return onnx.LoadFile(file, nil) },
	} {
		if _, err := load(); !errors.Is(err, core.ErrStatic) || !strings.Contains(err.Error(), "onnx."+name+": an option is nil") {
			t.Errorf("%s with a nil option: got %v, want an error of kind %v", name, err, core.ErrStatic)
		}
	}
	if _, err := onnx.LoadFile(file + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v for no file, want %v", err, os.ErrNotExist)
	}
}

// A named dimension that is bound has one size.
func TestBindDimension(t *testing.T) {
	m, err := onnx.LoadBytes(exported(t, "mlp"), nil, onnx.Bind("batch", 3))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(m.Inputs()), "[x: f32[3,16]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := m.Call(weft.Ones(3, 16)); err != nil {
		t.Error(err)
	}
	if _, err := m.Call(weft.Ones(2, 16)); err == nil || !strings.Contains(err.Error(), "axis 0 must have size 3") {
		t.Errorf("got the error %v for another size", err)
	}
}

// The gradient with respect to the weights is the gradient of the function, and a step against it lowers the loss.
func TestWeightsAreTrained(t *testing.T) {
	m, err := onnx.LoadBytes(exported(t, "mlp"), nil)
	if err != nil {
		t.Fatal(err)
	}
	x := weft.Arange(32.).Reshape(2, 16).AsType(weft.Float32).Div(32.0)
	f := m.FuncOf()
	weights := map[string]weft.Array{}
	for name, w := range m.Weights() {
		if w.DType() == weft.Float32 && w.Rank() > 0 {
			weights[name] = w
		}
	}
	if len(weights) < 4 {
		t.Fatalf("got %d weights", len(weights))
	}
	loss := func(w map[string]weft.Array) weft.Array { return weft.Square(f(w, []weft.Array{x})[0]).Sum() }
	before, g := weft.ValueAndGrad(loss)(weights)
	after := loss(weft.TreeMap2(func(w, g weft.Array) weft.Array { return w.Sub(g.Mul(1e-3)) }, weights, g))
	if !(after.Float() < before.Float()) {
		t.Errorf("the loss was %v before a step and %v after it", before, after)
	}
	if err := core.Catch(func() { f(map[string]weft.Array{"no such": x}, []weft.Array{x}) }); !errors.Is(err, core.ErrTree) {
		t.Errorf("got %v for a weight that does not exist, want an error of kind %v", err, core.ErrTree)
	}
}

// A model that was exported for one size of batch runs on any under Vmap.
func TestVmap(t *testing.T) {
	m, err := onnx.LoadBytes(exported(t, "mlp"), nil, onnx.Bind("batch", 1))
	if err != nil {
		t.Fatal(err)
	}
	x := weft.Arange(64.).Reshape(4, 1, 16).AsType(weft.Float32).Div(64.0)
	ys := weft.Jit(weft.Vmap(m.Func()))([]weft.Array{x})[0]
	for i := range 4 {
		y, err := m.Call(x.Index(i))
		if err != nil {
			t.Fatal(err)
		}
		if d := differs(ys.Index(i), y[0], 1e-6, 1e-6); d != "" {
			t.Errorf("row %d: %s", i, d)
		}
	}
}

// A message about an operand names the node, the operator and the shapes.
func TestErrorNamesNode(t *testing.T) {
	m, err := onnx.LoadBytes(exported(t, "encoder_legacy"), nil)
	if err != nil {
		t.Skip("the subset has no such model")
	}
	var in []weft.Array
	for _, v := range m.Inputs() {
		dims := make([]int, len(v.Dims))
		for i, d := range v.Dims {
			if dims[i] = d.Size; d.Size < 0 {
				dims[i] = 3
			}
		}
		in = append(in, weft.ZerosOf(v.DType, dims...))
	}
	_, err = m.Call(in...)
	if err == nil || !strings.Contains(err.Error(), "onnx: Reshape") || !strings.Contains(err.Error(), "cannot be reshaped") {
		t.Errorf("got the error %v", err)
	}
}

// A batch norm of one number is an error of its node.
func TestBatchNormOfNumber(t *testing.T) {
	names := []string{"x", "s", "b", "m", "v"}
	g := &format.Graph{Name: "g", Nodes: []*format.Node{{Op: "BatchNormalization", Name: "bn", Inputs: names, Outputs: []string{"y"}}}, Outputs: []*format.ValueInfo{floats("y")}}
	var in []weft.Array
	for _, name := range names {
		g.Inputs, in = append(g.Inputs, floats(name)), append(in, weft.Scalar(float32(1)))
	}
	if _, err := built(t, g).Call(in...); err == nil || !strings.Contains(err.Error(), `BatchNormalization "bn": the operand is one number`) {
		t.Errorf("got %v", err)
	}
}
