package onnx_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/onnx"
	"google.golang.org/protobuf/encoding/protowire"
)

// Valid files load and run, whichever features of the format they use; other files are errors that
// name the cause.
func TestFormat(t *testing.T) {
	files := archive(t, "onnx/format.tar.gz", "testdata/format/format.tar.gz")
	ran := 0
	for _, r := range table(t, "onnx/format.tsv", "testdata/format/format.tsv") {
		name := "format/" + r["name"]
		model := files[name+"/model.onnx"]
		if model == nil {
			continue
		}
		ran++
		t.Run(r["name"], func(t *testing.T) {
			c := conformanceCase{name: name, files: files, rtol: 1e-5, atol: 1e-6}
			err := c.feed(model)
			switch {
			case r["want"] == "load" && err != nil:
				t.Errorf("%s: %v", r["what"], err)
			case r["want"] == "refuse" && err == nil:
				t.Errorf("%s: there is no error", r["what"])
			case err != nil && strings.Contains(err.Error(), "panic"):
				t.Error(err)
			}
			t.Log(err)
		})
	}
	if ran < 10 {
		t.Errorf("only %d files were read", ran)
	}
}

// An attribute that states no type, but has several values, has the type of the first one at each reading.
func TestAttributeWithoutType(t *testing.T) {
	field := func(num protowire.Number, parts ...[]byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), bytes.Join(parts, nil))
	}
	value := protowire.AppendVarint(protowire.AppendTag(nil, 3, protowire.VarintType), 5)
	attr := field(5, field(1, []byte("a")), field(4, []byte("text")), value)
	model := field(7, field(1, field(4, []byte("Op")), attr))
	for range 30 {
		m, err := format.Read(model, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Graph.Nodes[0].Attrs["a"].Type; got != format.AttrInt {
			t.Fatalf("got type %v, want %v", got, format.AttrInt)
		}
	}
}

// Errors of a damaged message name the fields around it, also after messages beside it were read.
func TestDamagedMessageIsNamed(t *testing.T) {
	field := func(num protowire.Number, parts ...[]byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), bytes.Join(parts, nil))
	}
	dim := field(1, protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 2))
	shape := field(2, field(1, field(2, dim, field(1, []byte{0xff})))) // the second dimension is cut off
	for _, c := range []struct {
		graph [][]byte
		want  string
	}{
		{[][]byte{field(11, field(1, []byte("x"))), field(11, field(1, []byte("y")), shape)}, "graph.input[1].type.tensor_type.shape.dim[1]: not a protobuf message"},
		{[][]byte{field(1, field(4, []byte("Op")), field(5, field(1, []byte("a"))), field(5, field(1, []byte("a"))))}, `graph.node[0].attribute[1]: a second attribute is called "a"`},
		{[][]byte{field(5, field(8, []byte("w")))}, `graph.initializer[0] ("w"): the element type 0 does not exist`},
	} {
		_, err := format.Read(field(7, c.graph...), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got the error %v, want one with %s", err, c.want)
		}
	}
}

// feed runs a model on the inputs of its first set, by name where they are weights.
func (c conformanceCase) feed(model []byte) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	m, err := onnx.LoadBytes(model, c.open)
	if err != nil {
		return err
	}
	dir := c.name + "/test_data_set_0/"
	bound := map[string]weft.Array{}
	var in []weft.Array
	for i := 0; ; i++ {
		data, ok := c.files[fmt.Sprintf("%sinput_%d.pb", dir, i)]
		if !ok {
			break
		}
		x, name, err := tensor(data)
		if err != nil {
			return err
		}
		if _, ok := m.Weights()[name]; ok {
			bound[name] = x
			continue
		}
		in = append(in, x)
	}
	if len(in) == 0 { // files that must be refused have no inputs
		for _, v := range m.Inputs() {
			dims := make([]int, len(v.Dims))
			for i, d := range v.Dims {
				dims[i] = max(d.Size, 2)
			}
			dt := v.DType
			switch c.name {
			case "format/r_feed_wrong_dtype":
				dt = weft.Int16
			case "format/r_feed_wrong_shape":
				dims = append(dims, 5)
			}
			in = append(in, weft.ZerosOf(dt, dims...))
		}
	}
	if m, err = m.Bind(bound); err != nil {
		return err
	}
	out, err := m.Call(in...)
	if err != nil {
		return err
	}
	for i, y := range out {
		data, ok := c.files[fmt.Sprintf("%soutput_%d.pb", dir, i)]
		if !ok {
			continue // files that must be refused have none
		}
		want, _, err := tensor(data)
		if err != nil {
			return err
		}
		if d := differs(y, want, c.rtol, c.atol); d != "" {
			return fmt.Errorf("output %d: %s", i, d)
		}
	}
	return nil
}
