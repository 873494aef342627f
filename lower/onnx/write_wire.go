package onnx

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/weft-go/weft/core"
)

// A message is a protobuf message that is being written. int and text write no field for 0 and "", which are its default.
type message []byte

func (m *message) int(num protowire.Number, v int64) {
	if v != 0 {
		*m = protowire.AppendVarint(protowire.AppendTag(*m, num, protowire.VarintType), uint64(v))
	}
}

func (m *message) text(num protowire.Number, s string) {
	if s != "" {
		m.bytes(num, []byte(s))
	}
}

// bytes writes a field also if it is empty: an empty input of a node has its place in the list.
func (m *message) bytes(num protowire.Number, b []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, num, protowire.BytesType), b)
}

func (m *message) float(num protowire.Number, v float32) {
	*m = protowire.AppendFixed32(protowire.AppendTag(*m, num, protowire.Fixed32Type), math.Float32bits(v))
}

// ints writes a packed list.
func (m *message) ints(num protowire.Number, list []int64) {
	var b []byte
	for _, v := range list {
		b = protowire.AppendVarint(b, uint64(v))
	}
	m.bytes(num, b)
}

// maxFile is the number of bytes of the largest message that protobuf accepts.
const maxFile = math.MaxInt32

// Marshal returns the model as a file, which [Read] reads. It does not write whether a type is a map.
func Marshal(f *Model) ([]byte, error) {
	var m message
	m.int(1, f.IR)
	m.text(2, f.Producer)
	m.bytes(7, f.Graph.marshal())
	m.opsets(8, f.Opsets)
	for _, key := range slices.Sorted(maps.Keys(f.Metadata)) {
		var p message
		p.text(1, key)
		p.text(2, f.Metadata[key])
		m.bytes(14, p)
	}
	for _, fn := range f.Functions {
		m.bytes(25, fn.marshal())
	}
	if len(m) > maxFile {
		return nil, &core.Error{Kind: core.ErrShape, Op: "onnx", Msg: fmt.Sprintf("the model takes %d bytes, a file has at most %d; store its weights in types of fewer bytes", len(m), maxFile)}
	}
	return m, nil
}

func (m *message) opsets(num protowire.Number, versions map[string]int64) {
	for _, name := range slices.Sorted(maps.Keys(versions)) {
		var o message
		o.text(1, name)
		o.int(2, versions[name])
		m.bytes(num, o)
	}
}

func (fn *Function) marshal() message {
	var m message
	m.text(1, fn.Name)
	for _, s := range fn.Inputs {
		m.bytes(4, []byte(s))
	}
	for _, s := range fn.Outputs {
		m.bytes(5, []byte(s))
	}
	for _, s := range fn.Attrs {
		m.bytes(6, []byte(s))
	}
	for _, n := range fn.Nodes {
		m.bytes(7, n.marshal())
	}
	m.opsets(9, fn.Opsets)
	m.text(10, fn.Domain)
	for _, name := range slices.Sorted(maps.Keys(fn.Defaults)) {
		m.bytes(11, fn.Defaults[name].marshal())
	}
	m.text(13, fn.Overload)
	return m
}

func (g *Graph) marshal() message {
	var m message
	for _, n := range g.Nodes {
		m.bytes(1, n.marshal())
	}
	m.text(2, g.Name)
	for _, t := range g.Initializers {
		m.bytes(5, t.marshal())
	}
	for num, list := range [][]*ValueInfo{g.Inputs, g.Outputs, g.Values} {
		for _, v := range list {
			var x message
			x.text(1, v.Name)
			x.bytes(2, v.Type.marshal())
			m.bytes(protowire.Number(11+num), x)
		}
	}
	for _, s := range g.Sparse {
		m.bytes(15, s.marshal())
	}
	return m
}

func (n *Node) marshal() message {
	var m message
	for _, s := range n.Inputs {
		m.bytes(1, []byte(s))
	}
	for _, s := range n.Outputs {
		m.bytes(2, []byte(s))
	}
	m.text(3, n.Name)
	m.text(4, n.Op)
	for _, name := range slices.Sorted(maps.Keys(n.Attrs)) {
		m.bytes(5, n.Attrs[name].marshal())
	}
	m.text(7, n.Domain)
	m.text(8, n.Overload)
	return m
}

func (a *Attr) marshal() message {
	var m message
	m.text(1, a.Name)
	switch {
	case a.Ref != "":
	case a.Type == AttrFloat:
		m.float(2, a.Float)
	case a.Type == AttrInt:
		m = protowire.AppendVarint(protowire.AppendTag(m, 3, protowire.VarintType), uint64(a.Int))
	case a.Type == AttrString:
		m.bytes(4, []byte(a.String))
	case a.Type == AttrTensor:
		m.bytes(5, a.Tensor.marshal())
	case a.Type == AttrGraph:
		m.bytes(6, a.Graph.marshal())
	case a.Type == AttrFloats:
		for _, v := range a.Floats {
			m.float(7, v)
		}
	case a.Type == AttrInts:
		m.ints(8, a.Ints)
	case a.Type == AttrStrings:
		for _, s := range a.Strings {
			m.bytes(9, []byte(s))
		}
	case a.Type == AttrTensors:
		for _, t := range a.Tensors {
			m.bytes(10, t.marshal())
		}
	case a.Type == AttrGraphs:
		for _, g := range a.Graphs {
			m.bytes(11, g.marshal())
		}
	case a.Type == AttrSparse:
		m.bytes(22, a.Sparse.marshal())
	}
	m.int(20, int64(a.Type))
	m.text(21, a.Ref)
	return m
}

func (s *SparseTensor) marshal() message {
	var m message
	m.bytes(1, s.Values.marshal())
	m.bytes(2, s.Indices.marshal())
	m.ints(3, s.Dims)
	return m
}

func (t *Tensor) marshal() message {
	var m message
	if len(t.Dims) > 0 {
		m.ints(1, t.Dims)
	}
	m.int(2, int64(t.Elem))
	for _, s := range t.Strings {
		m.bytes(6, []byte(s))
	}
	m.text(8, t.Name)
	if t.Elem != String {
		m.bytes(9, toRaw(t.Data, t.Elem.DType()))
	}
	return m
}

// toRaw returns elements as they lie in the file: the inverse of fromRaw.
func toRaw(data []byte, dt core.DType) []byte {
	bits := dt.Bits()
	switch {
	case bits == 2 || bits == 4:
		per := 8 / bits
		out := make([]byte, (len(data)+per-1)/per)
		for i, v := range data {
			out[i/per] |= v & (1<<bits - 1) << (i % per * bits)
		}
		return out
	case dt.Size() == 1 || littleEndian:
		return data
	}
	word := dt.Size()
	if dt.IsComplex() {
		word /= 2
	}
	out := make([]byte, len(data))
	for i := range data {
		out[i] = data[i/word*word+word-1-i%word]
	}
	return out
}

func (t *Type) marshal() message {
	var m message
	element := func(num protowire.Number, t *Type) {
		var e message
		e.bytes(1, t.marshal())
		m.bytes(num, e)
	}
	switch {
	case t.Tensor != nil:
		m.bytes(1, t.Tensor.marshal())
	case t.Sequence != nil:
		element(4, t.Sequence)
	case t.Sparse != nil:
		m.bytes(8, t.Sparse.marshal())
	case t.Optional != nil:
		element(9, t.Optional)
	}
	return m
}

func (t *TensorType) marshal() message {
	var m message
	m.int(1, int64(t.Elem))
	if t.Known {
		var s message
		for _, d := range t.Shape {
			var x message
			switch {
			case d.Size >= 0:
				x = protowire.AppendVarint(protowire.AppendTag(x, 1, protowire.VarintType), uint64(d.Size))
			default:
				x.text(2, d.Name)
			}
			s.bytes(1, x)
		}
		m.bytes(2, s)
	}
	return m
}
