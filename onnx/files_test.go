package onnx_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/weft-go/weft"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/onnx"
)

// largeModel returns a model that adds up rows of weights, [rows, 1<<16] of ones: in the file, or in
// one beside it.
func largeModel(t *testing.T, rows int, outside string) []byte {
	t.Helper()
	const cols = 1 << 16
	w := &format.Tensor{Name: "w", Dims: []int64{int64(rows), cols}, Elem: 1, Data: bytes.Repeat([]byte{0, 0, 0x80, 0x3f}, rows*cols)}
	vector := func(name string) *format.ValueInfo {
		return &format.ValueInfo{Name: name, Type: &format.Type{Tensor: &format.TensorType{Elem: 1, Known: true, Shape: []format.Dim{{Size: int64(rows)}}}}}
	}
	m := &format.Model{IR: 10, Opsets: map[string]int64{"": 21}, Graph: &format.Graph{Name: "large", Initializers: []*format.Tensor{w},
		Nodes:  []*format.Node{{Op: "ReduceSum", Inputs: []string{"w", "axes"}, Outputs: []string{"s"}}, {Op: "Add", Inputs: []string{"x", "s"}, Outputs: []string{"y"}}},
		Inputs: []*format.ValueInfo{vector("x")}, Outputs: []*format.ValueInfo{vector("y")}}}
	m.Graph.Nodes[0].Attrs = map[string]*format.Attr{"keepdims": {Name: "keepdims", Type: format.AttrInt}}
	m.Graph.Initializers = append(m.Graph.Initializers, &format.Tensor{Name: "axes", Dims: []int64{1}, Elem: 7, Data: []byte{1, 0, 0, 0, 0, 0, 0, 0}})
	if outside == "" {
		data, err := format.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if err := os.WriteFile(outside, w.Data, 0o600); err != nil {
		t.Fatal(err)
	}
	m.Graph.Initializers = m.Graph.Initializers[1:]
	data, err := format.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	// The graph continues in a second message, which has the tensor.
	entry := func(k, v string) []byte {
		b := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), k)
		return protowire.AppendString(protowire.AppendTag(b, 2, protowire.BytesType), v)
	}
	var x []byte
	for _, d := range w.Dims {
		x = protowire.AppendVarint(protowire.AppendTag(x, 1, protowire.VarintType), uint64(d))
	}
	x = protowire.AppendVarint(protowire.AppendTag(x, 2, protowire.VarintType), 1)
	x = protowire.AppendString(protowire.AppendTag(x, 8, protowire.BytesType), "w")
	x = protowire.AppendBytes(protowire.AppendTag(x, 13, protowire.BytesType), entry("location", filepath.Base(outside)))
	x = protowire.AppendVarint(protowire.AppendTag(x, 14, protowire.VarintType), 1)
	graph := protowire.AppendBytes(protowire.AppendTag(nil, 5, protowire.BytesType), x)
	return protowire.AppendBytes(protowire.AppendTag(data, 7, protowire.BytesType), graph)
}

// A tensor's float_data may come in pieces, packed or number by number.
func TestFloatData(t *testing.T) {
	m := &format.Model{IR: 10, Opsets: map[string]int64{"": 21}, Graph: &format.Graph{Name: "g",
		Nodes: []*format.Node{{Op: "Identity", Inputs: []string{"w"}, Outputs: []string{"y"}}}, Outputs: []*format.ValueInfo{floats("y")}}}
	data, err := format.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	one := func(v float32) []byte {
		return protowire.AppendFixed32(protowire.AppendTag(nil, 4, protowire.Fixed32Type), math.Float32bits(v))
	}
	packed := func(v ...float32) []byte {
		var b []byte
		for _, x := range v {
			b = protowire.AppendFixed32(b, math.Float32bits(x))
		}
		return protowire.AppendBytes(protowire.AppendTag(nil, 4, protowire.BytesType), b)
	}
	for name, pieces := range map[string][][]byte{
		"one piece":           {packed(1, 2, 3, 4)},
		"two pieces":          {packed(1, 2), packed(3, 4)},
		"an empty one":        {packed(), packed(1, 2, 3, 4), packed()},
		"numbers":             {one(1), one(2), one(3), one(4)},
		"numbers and a piece": {one(1), packed(2, 3), one(4)},
		"a piece and numbers": {packed(1, 2), one(3), one(4)},
		"too few":             {packed(1, 2), one(3)},
		"no multiple of 4":    {protowire.AppendBytes(protowire.AppendTag(nil, 4, protowire.BytesType), make([]byte, 15))},
	} {
		x := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 4)
		x = protowire.AppendVarint(protowire.AppendTag(x, 2, protowire.VarintType), 1)
		x = protowire.AppendString(protowire.AppendTag(x, 8, protowire.BytesType), "w")
		x = append(x, bytes.Join(pieces, nil)...)
		graph := protowire.AppendBytes(protowire.AppendTag(nil, 5, protowire.BytesType), x)
		m, err := onnx.LoadBytes(protowire.AppendBytes(protowire.AppendTag(bytes.Clone(data), 7, protowire.BytesType), graph), nil)
		if want := map[string]string{"too few": "float_data has 3 numbers", "no multiple of 4": "has 15 bytes, no multiple of 4"}[name]; want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %q", name, err, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if y, err := m.Call(); err != nil || !y[0].Equal(weft.Of[float32](1, 2, 3, 4)) {
			t.Errorf("%s: got %v, %v", name, y, err)
		}
	}
}

// resident returns the bytes of resident memory that belong to no file, and those that are pages of files.
func resident(t *testing.T) (own, file int) {
	t.Helper()
	runtime.GC()
	runtime.GC()
	debug.FreeOSMemory()
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("the system does not tell how much memory is resident")
	}
	for line := range strings.Lines(string(data)) {
		var n int
		if _, err := fmt.Sscanf(line, "RssAnon: %d kB", &n); err == nil {
			own = n << 10
		}
		if _, err := fmt.Sscanf(line, "RssFile: %d kB", &n); err == nil {
			file = n << 10
		}
	}
	return own, file
}

// The weights of a model are in memory once. Weights in a file beside the model are in the file's pages.
func TestWeightsOnce(t *testing.T) {
	const rows = 256 // 64 MB
	const size = rows << 18
	for _, outside := range []bool{false, true} {
		dir := t.TempDir()
		beside := ""
		if outside {
			beside = filepath.Join(dir, "weights.bin")
		}
		name := filepath.Join(dir, "model.onnx")
		if err := os.WriteFile(name, largeModel(t, rows, beside), 0o600); err != nil {
			t.Fatal(err)
		}
		ownBefore, fileBefore := resident(t)
		m, err := onnx.LoadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f := weft.Jit(m.Func())
		x := weft.Zeros(rows)
		for range 2 {
			if y := f([]weft.Array{x})[0]; !y.Equal(weft.Full(weft.Shape{rows}, float32(65536))) {
				t.Fatalf("got %v, want 65536 each", y)
			}
		}
		own, file := resident(t)
		own, file = own-ownBefore, file-fileBefore
		t.Logf("outside %v: %d MB of its own, %d MB of files for %d MB of weights", outside, own>>20, file>>20, size>>20)
		wantOwn, wantFile := size+size/4, size/4
		if outside {
			wantOwn, wantFile = size/4, size+size/4
		}
		if own > wantOwn || file > wantFile {
			t.Errorf("outside %v: got %d MB of its own and %d MB of files for %d MB of weights", outside, own>>20, file>>20, size>>20)
		}
		runtime.KeepAlive(m)
	}
}

// A model that was loaded with Copy does not change with its files.
func TestCopy(t *testing.T) {
	dir := t.TempDir()
	name, beside := filepath.Join(dir, "model.onnx"), filepath.Join(dir, "weights.bin")
	if err := os.WriteFile(name, largeModel(t, 16, beside), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := onnx.LoadFile(name, onnx.Copy())
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{name, beside} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if y, err := m.Call(weft.Zeros(16)); err != nil || !y[0].Equal(weft.Full(weft.Shape{16}, float32(65536))) {
		t.Errorf("got %v and %v, want 65536 each", y, err)
	}
}
