package onnx_test

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/onnx"
)

// Operands of another rank than an operator wants are errors, or work: for the first case of each operator and each of
// its inputs, as a number, a vector, and with an axis more.
func TestRanks(t *testing.T) {
	files := archive(t, "onnx/nodes.tar.gz", "testdata/conformance/nodes.tar.gz")
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		folder, ok := strings.CutSuffix(name, "/model.onnx")
		if !ok {
			continue
		}
		f, err := format.Read(files[name], nil)
		if err != nil || len(f.Graph.Nodes) != 1 || len(f.Functions) > 0 {
			continue
		}
		n := f.Graph.Nodes[0]
		key := n.Domain + "." + n.Op + strconv.Itoa(len(n.Inputs))
		if seen[key] {
			continue
		}
		seen[key] = true
		for _, v := range f.Graph.Inputs {
			if v.Type != nil && v.Type.Tensor != nil {
				v.Type.Tensor.Shape, v.Type.Tensor.Known = nil, false
			}
		}
		data, err := format.Marshal(f)
		if err != nil {
			continue
		}
		m, err := onnx.LoadBytes(data, nil)
		if err != nil {
			continue
		}
		var in []weft.Array
		for i := range m.Inputs() {
			x, _, err := tensor(files[folder+"/test_data_set_0/input_"+strconv.Itoa(i)+".pb"])
			if err != nil {
				break
			}
			in = append(in, x)
		}
		if len(in) != len(m.Inputs()) {
			continue
		}
		for i, x := range in {
			for _, y := range []weft.Array{x.Ravel(), x.Reshape(append([]int{1}, x.Shape()...)...), weft.OnesOf(x.DType()), weft.ZerosOf(x.DType(), 0)} {
				args := slices.Clone(in)
				args[i] = y
				func() {
					defer func() {
						if r := recover(); r != nil {
							t.Errorf("%s, input %d of %v: panics: %v", folder, i, y.Shape(), r)
						}
					}()
					_, err := m.Call(args...)
					if e := (*core.Error)(nil); err != nil && !errors.As(err, &e) {
						t.Errorf("%s, input %d of %v: got the error %v, want one of this package", folder, i, y.Shape(), err)
					}
				}()
			}
		}
	}
	if len(seen) < 150 {
		t.Errorf("got %d operators, want at least 150", len(seen))
	}
}
