package onnx

import (
	"math"

	"github.com/weft-go/weft/core"
)

// Read parses a file. Files of external data are opened by open, which may be nil if the model has
// none; tensors may share the memory of data and of what open returns.
func Read(data []byte, open Opener) (m *Model, err error) {
	r := &reader{file: &file{open: open}}
	err = core.Catch(func() { m = r.model(data) })
	return m, err
}

// ReadTensor parses a tensor that is a file of its own.
func ReadTensor(data []byte) (t *Tensor, err error) {
	r := &reader{file: &file{}}
	err = core.Catch(func() { t = r.tensor(data) })
	return t, err
}

func (r *reader) model(msg []byte) *Model {
	m := &Model{Opsets: map[string]int64{}, Metadata: map[string]string{}}
	var graph []byte
	found := false
	r.fields(msg, func(f field) {
		switch f.num {
		case 1:
			m.IR = f.int()
		case 2:
			m.Producer = f.text()
		case 7: // a message that occurs twice is merged: its fields follow each other
			graph, found = joined(graph, f.bytes()), true
		case 8:
			r.within("opset_import").opset(f.bytes(), m.Opsets)
		case 14:
			r.within("metadata_props").pair(f.bytes(), m.Metadata)
		case 25:
			m.Functions = append(m.Functions, r.item("functions", len(m.Functions)).function(f.bytes()))
		}
	})
	if !found {
		r.fail("there is no graph; is this an ONNX file?")
	}
	if len(m.Opsets) == 0 && m.IR >= 3 {
		r.fail("there is no opset_import; export the model again")
	}
	if len(m.Opsets) == 0 { // before version 3 of the format there was one set
		m.Opsets[""] = 1
	}
	m.Graph = r.within("graph").graph(graph)
	return m
}

// joined returns a followed by b; it copies only if both have bytes.
func joined(a, b []byte) []byte {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	return append(a[:len(a):len(a)], b...)
}

// domain returns the name of a domain: "" stands for ai.onnx.
func domain(s string) string {
	if s == "ai.onnx" {
		return ""
	}
	return s
}

func (r *reader) opset(msg []byte, to map[string]int64) {
	name, version := "", int64(0)
	r.fields(msg, func(f field) {
		switch f.num {
		case 1:
			name = domain(f.text())
		case 2:
			version = f.int()
		}
	})
	if version < 1 {
		r.fail("domain %q has version %d; versions begin with 1", name, version)
	}
	if old, ok := to[name]; ok && old != version {
		r.fail("domain %q is imported as version %d and as version %d; export the model again", name, old, version)
	}
	to[name] = version
}

// pair reads a StringStringEntryProto into a map.
func (r *reader) pair(msg []byte, to map[string]string) {
	var key, value string
	r.fields(msg, func(f field) {
		switch f.num {
		case 1:
			key = f.text()
		case 2:
			value = f.text()
		}
	})
	to[key] = value
}

func (r *reader) function(msg []byte) *Function {
	fn := &Function{Opsets: map[string]int64{}, Defaults: map[string]*Attr{}}
	r.fields(msg, func(f field) {
		switch f.num {
		case 1:
			fn.Name = f.text()
		case 4:
			fn.Inputs = append(fn.Inputs, f.text())
		case 5:
			fn.Outputs = append(fn.Outputs, f.text())
		case 6:
			fn.Attrs = append(fn.Attrs, f.text())
		case 7:
			fn.Nodes = append(fn.Nodes, r.item("node", len(fn.Nodes)).node(f.bytes()))
		case 9:
			r.within("opset_import").opset(f.bytes(), fn.Opsets)
		case 10:
			fn.Domain = domain(f.text())
		case 11:
			a := r.item("attribute_proto", len(fn.Defaults)).attr(f.bytes())
			fn.Defaults[a.Name] = a
		case 13:
			fn.Overload = f.text()
		}
	})
	return fn
}

func (r *reader) graph(msg []byte) *Graph {
	g := &Graph{}
	r.fields(msg, func(f field) {
		switch f.num {
		case 1:
			g.Nodes = append(g.Nodes, r.item("node", len(g.Nodes)).node(f.bytes()))
		case 2:
			g.Name = f.text()
		case 5:
			g.Initializers = append(g.Initializers, r.item("initializer", len(g.Initializers)).tensor(f.bytes()))
		case 11:
			g.Inputs = append(g.Inputs, r.item("input", len(g.Inputs)).value(f.bytes()))
		case 12:
			g.Outputs = append(g.Outputs, r.item("output", len(g.Outputs)).value(f.bytes()))
		case 13:
			g.Values = append(g.Values, r.item("value_info", len(g.Values)).value(f.bytes()))
		case 15:
			g.Sparse = append(g.Sparse, r.item("sparse_initializer", len(g.Sparse)).sparse(f.bytes()))
		}
	})
	return g
}

func (r *reader) node(msg []byte) *Node {
	n := &Node{}
	r.fields(msg, func(f field) {
		switch f.num {
		case 1:
			n.Inputs = append(n.Inputs, f.text())
		case 2:
			n.Outputs = append(n.Outputs, f.text())
		case 3:
			n.Name = f.text()
		case 4:
			n.Op = f.text()
		case 5:
			s := r.item("attribute", len(n.Attrs))
			a := s.attr(f.bytes())
			if n.Attrs[a.Name] != nil {
				s.fail("a second attribute is called %q; export the model again", a.Name)
			}
			if n.Attrs == nil {
				n.Attrs = map[string]*Attr{}
			}
			n.Attrs[a.Name] = a
		case 7:
			n.Domain = domain(f.text())
		case 8:
			n.Overload = f.text()
		}
	})
	if n.Op == "" {
		r.fail("the node has no operator; export the model again")
	}
	return n
}

func (r *reader) attr(msg []byte) *Attr {
	a := &Attr{}
	var tensor, graph, sparse []byte
	var has [protoFields]bool
	r.fields(msg, func(f field) {
		if f.num < protoFields {
			has[f.num] = true
		}
		switch f.num {
		case 1:
			a.Name = f.text()
		case 2:
			a.Float = f.float()
		case 3:
			a.Int = f.int()
		case 4:
			a.String = f.text()
		case 5:
			tensor = joined(tensor, f.bytes())
		case 6:
			graph = joined(graph, f.bytes())
		case 7:
			for _, w := range f.words32(nil) {
				a.Floats = append(a.Floats, math.Float32frombits(w))
			}
		case 8:
			a.Ints = f.ints(a.Ints)
		case 9:
			a.Strings = append(a.Strings, f.text())
		case 10:
			a.Tensors = append(a.Tensors, r.item("tensors", len(a.Tensors)).tensor(f.bytes()))
		case 11:
			a.Graphs = append(a.Graphs, r.item("graphs", len(a.Graphs)).graph(f.bytes()))
		case 20:
			a.Type = AttrType(f.int())
		case 21:
			a.Ref = f.text()
		case 22:
			sparse = joined(sparse, f.bytes())
		}
	})
	if has[5] {
		a.Tensor = r.within("t").tensor(tensor)
	}
	if has[6] {
		a.Graph = r.within("g").graph(graph)
	}
	if has[22] {
		a.Sparse = r.within("sparse_tensor").sparse(sparse)
	}
	if a.Type == AttrUndefined && a.Ref == "" {
		a.Type = guessed(has)
	}
	return a
}

// protoFields exceeds the numbers of all fields of an attribute.
const protoFields = 24

// guessed returns the type of an attribute that states none, as files before version 2 of the
// format do. Of several values it takes the one whose field has the lowest number.
func guessed(has [protoFields]bool) AttrType {
	for field, t := range [protoFields]AttrType{2: AttrFloat, 3: AttrInt, 4: AttrString, 5: AttrTensor, 6: AttrGraph, 7: AttrFloats, 8: AttrInts, 9: AttrStrings, 10: AttrTensors, 11: AttrGraphs, 22: AttrSparse} {
		if t != AttrUndefined && has[field] {
			return t
		}
	}
	return AttrUndefined
}

func (r *reader) value(msg []byte) *ValueInfo {
	v := &ValueInfo{}
	var typ []byte
	r.fields(msg, func(f field) {
		switch f.num {
		case 1:
			v.Name = f.text()
		case 2:
			typ = joined(typ, f.bytes())
		}
	})
	v.Type = r.within("type").typ(typ)
	return v
}

func (r *reader) typ(msg []byte) *Type {
	t := &Type{}
	r.fields(msg, func(f field) {
		switch f.num {
		case 1:
			t.Tensor = r.within("tensor_type").tensorType(f.bytes())
		case 4:
			t.Sequence = r.within("sequence_type").element(f.bytes())
		case 5:
			t.Map = true
		case 8:
			t.Sparse = r.within("sparse_tensor_type").tensorType(f.bytes())
		case 9:
			t.Optional = r.within("optional_type").element(f.bytes())
		}
	})
	return t
}

// element reads the type of the elements of a sequence or optional.
func (r *reader) element(msg []byte) *Type {
	t := &Type{}
	r.fields(msg, func(f field) {
		if f.num == 1 {
			t = r.within("elem_type").typ(f.bytes())
		}
	})
	return t
}

func (r *reader) tensorType(msg []byte) *TensorType {
	t := &TensorType{}
	r.fields(msg, func(f field) {
		switch f.num {
		case 1:
			t.Elem = Elem(f.int())
		case 2:
			t.Known = true
			shape := r.within("shape")
			shape.fields(f.bytes(), func(f field) {
				if f.num == 1 {
					t.Shape = append(t.Shape, shape.item("dim", len(t.Shape)).dim(f.bytes()))
				}
			})
		}
	})
	return t
}

func (r *reader) dim(msg []byte) Dim {
	d := Dim{Size: -1}
	r.fields(msg, func(f field) {
		switch f.num {
		case 1:
			d = Dim{Size: f.int()}
		case 2:
			d = Dim{Size: -1, Name: f.text()}
		}
	})
	if d.Size < 0 { // some exporters write −1 for a size that is not known
		d.Size = -1
	}
	return d
}

func (r *reader) sparse(msg []byte) *SparseTensor {
	s := &SparseTensor{}
	r.fields(msg, func(f field) {
		switch f.num {
		case 1:
			s.Values = r.within("values").tensor(f.bytes())
		case 2:
			s.Indices = r.within("indices").tensor(f.bytes())
		case 3:
			s.Dims = f.ints(s.Dims)
		}
	})
	if s.Values == nil || s.Indices == nil {
		r.fail("a sparse tensor has values and indices; export the model again")
	}
	return s
}
