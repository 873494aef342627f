package onnx

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// The versions that are written: the operators of 21 are those of ONNX 1.16.
const (
	writtenOpset = 21
	writtenIR    = 10
)

// Write returns a program as a model. Operations become operators of version 21. An operation that they cannot
// express is an error, which names the operation and the line that wrote it. Constants are initializers. elements
// returns the bytes of a captured array, in the host's byte order, or false if they are unknown, which is an error;
// elements may be nil if no array is captured. Results are called outs, which must differ from each other and from
// the inputs' names. If outs has not one name for each result, they are called out0, out1, and so on, with a number
// behind a name that an input has.
func Write(j *jaxpr.Jaxpr, elements func(core.Value) ([]byte, bool), outs ...string) (m *Model, err error) {
	err = core.Catch(func() {
		w := &writer{elements: elements, main: &Graph{Name: "weft"}, numbers: map[string]value{}, taken: map[string]bool{}}
		b := &block{writer: w, graph: w.main}
		in := make([]value, len(j.Ins))
		for i, v := range j.Ins {
			name := ""
			if len(j.InNames) == len(j.Ins) {
				name = j.InNames[i]
			}
			in[i] = value{w.name(name, "in"+strconv.Itoa(i)), v.Type.Strong()}
		}
		if len(outs) != len(j.Outs) {
			outs = make([]string, len(j.Outs))
			for i := range outs {
				outs[i] = w.name("", "out"+strconv.Itoa(i))
			}
		}
		for _, name := range outs { // so that no other value gets one of them
			w.taken[name] = true
		}
		ys := b.inline(j, in) // before infoOf, whose errors name no operation
		for _, x := range in {
			w.main.Inputs = append(w.main.Inputs, infoOf(x))
		}
		for _, y := range ys {
			b.result(y)
		}
		for i, v := range w.main.Outputs {
			rename(w.main, v.Name, outs[i])
			v.Name = outs[i]
		}
		m = &Model{IR: writtenIR, Opsets: map[string]int64{"": writtenOpset}, Producer: "weft", Graph: w.main}
	})
	return m, err
}

type writer struct {
	elements func(core.Value) ([]byte, bool)
	main     *Graph           // which has all initializers: graphs within see them
	numbers  map[string]value // constants that were written, by type and elements
	taken    map[string]bool  // names
	last     int              // number of the last value
}

// name returns a name that no value has yet: wish if that is possible, else one that begins with the text `otherwise`.
func (w *writer) name(wish, otherwise string) string {
	if wish == "" || w.taken[wish] {
		wish = otherwise
	}
	for w.taken[wish] {
		w.last++
		wish = otherwise + "_" + strconv.Itoa(w.last)
	}
	w.taken[wish] = true
	return wish
}

type value struct {
	name string
	core.ShapedArray
}

// elemOf returns the element type of a dtype, 0 if there is none.
func elemOf(dt core.DType) Elem {
	for i, e := range elems {
		if e.dtype == dt && dt != core.Invalid {
			return Elem(i)
		}
	}
	return 0
}

// writable refuses types that version 21 does not have, or has no operators for.
func writable(a core.ShapedArray) {
	e := elemOf(a.DType)
	switch {
	case a.DType.IsKey():
		core.Failf(core.ErrNoRule, "ONNX has no keys of random numbers (got %v); draw the numbers outside of the model", a.Full())
	case a.DType.IsComplex():
		core.Failf(core.ErrNoRule, "ONNX has no arithmetic of complex numbers (got %v); compute with real and imaginary parts", a.Full())
	case e == 0 || e > 22:
		core.Failf(core.ErrDType, "ONNX %d has no elements of type %v (got %v); convert to another type", writtenOpset, a.DType, a.Full())
	}
}

func infoOf(x value) *ValueInfo {
	writable(x.ShapedArray)
	t := &TensorType{Elem: elemOf(x.DType), Known: true}
	for _, n := range x.Shape.All() {
		t.Shape = append(t.Shape, Dim{Size: int64(n)})
	}
	return &ValueInfo{Name: x.name, Type: &Type{Tensor: t}}
}

// A block is a graph that is being written.
type block struct {
	*writer
	graph *Graph
	env   map[*jaxpr.Var]value
}

// result makes a value an output of the graph. A value that no node of the graph computes (an input, a constant or a value
// of a surrounding graph) passes through an Identity, and so does a value that is an output already.
func (b *block) result(x value) {
	made := slices.ContainsFunc(b.graph.Nodes, func(n *Node) bool { return slices.Contains(n.Outputs, x.name) })
	if !made || slices.ContainsFunc(b.graph.Outputs, func(v *ValueInfo) bool { return v.Name == x.name }) {
		x = b.op("Identity", x.ShapedArray, nil, x)
	}
	b.graph.Outputs = append(b.graph.Outputs, infoOf(x))
}

// rename gives a value another name in a graph and in the graphs within it.
func rename(g *Graph, old, name string) {
	change := func(list []string) {
		for i, s := range list {
			if s == old {
				list[i] = name
			}
		}
	}
	for _, n := range g.Nodes {
		change(n.Inputs)
		change(n.Outputs)
		for _, a := range n.Attrs {
			if a.Graph != nil {
				rename(a.Graph, old, name)
			}
		}
	}
}

// inline writes a program whose inputs are values, and returns its results. Equations whose results
// nobody reads are left out.
func (b *block) inline(j *jaxpr.Jaxpr, in []value) []value {
	outer := b.env
	defer func() { b.env = outer }()
	b.env = map[*jaxpr.Var]value{}
	for i, v := range j.Ins {
		b.env[v] = in[i]
	}
	if len(j.ConstVals) != len(j.Consts) {
		core.Failf(core.ErrCheck, "the program was read from text, without the values of its %s; make them inputs", core.Count(len(j.Consts), "constant"))
	}
	j = jaxpr.DCE(j)
	for i, v := range j.Consts {
		b.env[v] = b.array(j.ConstVals[i])
	}
	for _, e := range j.Eqns {
		xs := make([]value, len(e.Ins))
		for i, a := range e.Ins {
			xs[i] = b.read(a)
		}
		for i, y := range b.equation(e, xs) {
			b.env[e.Outs[i]] = y
		}
	}
	outs := make([]value, len(j.Outs))
	for i, a := range j.Outs {
		outs[i] = b.read(a)
	}
	return outs
}

func (b *block) read(a jaxpr.Atom) value {
	if v, ok := a.(*jaxpr.Var); ok {
		x, ok := b.env[v]
		if !ok {
			core.Failf(core.ErrCheck, "a variable of type %v is used where it is not bound; check the program", v.Type.Full())
		}
		return x
	}
	l := a.(core.Literal)
	return b.literal(l.Num, l.Type)
}

// equation writes an equation and returns its results. Errors name its line.
func (b *block) equation(e *jaxpr.Eqn, in []value) (out []value) {
	defer func() {
		if r := recover(); r != nil {
			if c, ok := r.(*core.Error); ok && c.Op == "" {
				c.Op, c.Pos = e.Prim.Name(), e.Site.String()
				for _, x := range in {
					c.Avals = append(c.Avals, x.ShapedArray)
				}
			}
			panic(r)
		}
	}()
	if core.EffectsOf(e.Prim) != 0 {
		core.Failf(core.ErrNoRule, "calls the host, which ONNX cannot; remove the callback before you export")
	}
	avals := make([]core.ShapedArray, len(e.Outs))
	for i, v := range e.Outs {
		avals[i] = v.Type.Strong()
	}
	if out = b.programs(e.Prim, in, avals); out != nil {
		return out
	}
	for _, x := range in {
		writable(x.ShapedArray)
	}
	for _, a := range avals {
		writable(a)
	}
	for _, rules := range []func(core.Primitive, []value, []core.ShapedArray) []value{b.elementwise, b.numbersRule, b.bitsRule, b.moves, b.indexed, b.reductions, b.products} {
		if out = rules(e.Prim, in, avals); out != nil {
			return out
		}
	}
	if core.NamesAxes(e.Prim) {
		core.Failf(core.ErrNoRule, "names an axis, which ONNX has none of; export the function without it")
	}
	if x, ok := e.Prim.(core.Expander); ok {
		return b.staged(e.Prim.Name(), x.Expand, in)
	}
	if out = b.legal(e, in); out != nil {
		return out
	}
	core.Failf(core.ErrNoRule, "ONNX %d has no operator for it; compute it otherwise, or outside of the model", writtenOpset)
	return nil
}

func (b *block) staged(name string, f func([]core.Value) []core.Value, in []value) []value {
	avals := make([]core.ShapedArray, len(in))
	for i, x := range in {
		avals[i] = x.ShapedArray
	}
	return b.made(name, func() []value { return b.inline(trace.Stage(name, avals, f), in) })
}

// made writes operations that stand for the operation called name. Their errors become errors of that operation.
func (b *block) made(name string, write func() []value) []value {
	defer func() {
		if r := recover(); r != nil {
			if c, ok := r.(*core.Error); ok {
				if c.Op != name {
					c.Msg = "is made of " + c.Op + ": " + c.Msg
				}
				c.Op, c.Avals = "", nil
			}
			panic(r)
		}
	}()
	return write()
}

// node writes a node. Operands must be of types that the operator takes.
func (b *block) node(op string, out []core.ShapedArray, attrs []*Attr, in ...value) []value {
	n := &Node{Op: op, Attrs: map[string]*Attr{}}
	for _, a := range attrs {
		n.Attrs[a.Name] = a
	}
	for _, x := range in {
		n.Inputs = append(n.Inputs, x.name)
	}
	xs := make([]value, len(out))
	for i, a := range out {
		b.last++
		xs[i] = value{b.name("v"+strconv.Itoa(b.last), "v"), a.Strong()}
		n.Outputs = append(n.Outputs, xs[i].name)
	}
	n.Name = op + "_" + strconv.Itoa(b.last)
	b.graph.Nodes = append(b.graph.Nodes, n)
	return xs
}

func attrInt(name string, v int) *Attr { return &Attr{Name: name, Type: AttrInt, Int: int64(v)} }

func attrText(name, s string) *Attr { return &Attr{Name: name, Type: AttrString, String: s} }

func attrInts(name string, v []int) *Attr {
	return &Attr{Name: name, Type: AttrInts, Ints: wide(v)}
}

func attrGraph(name string, g *Graph) *Attr { return &Attr{Name: name, Type: AttrGraph, Graph: g} }

func wide(v []int) []int64 {
	out := make([]int64, len(v))
	for i, x := range v {
		out[i] = int64(x)
	}
	return out
}

// constant returns an initializer; small equal constants share one.
func (b *block) constant(a core.ShapedArray, data []byte) value {
	writable(a)
	key := fmt.Sprint(a.Strong().Full()) + "\x00" + string(data)
	small := len(data) <= 1<<12
	if x, ok := b.numbers[key]; ok && small {
		return x
	}
	b.last++
	x := value{b.name("c"+strconv.Itoa(b.last), "c"), a.Strong()}
	b.main.Initializers = append(b.main.Initializers, &Tensor{Name: x.name, Dims: wide(a.Shape.Ints()), Elem: elemOf(a.DType), Data: data})
	if small {
		b.numbers[key] = x
	}
	return x
}

func (b *block) literal(n core.Number, dt core.DType) value {
	data := make([]byte, dt.Size())
	elem.Put(data, n, dt)
	return b.constant(core.Aval(dt), data)
}

func (b *block) number(v float64, dt core.DType) value {
	return b.literal(prim.Num(core.Aval(dt), v).(core.Literal).Num, dt)
}

func (b *block) integer(v int, dt core.DType) value { return b.literal(core.IntNumber(int64(v)), dt) }

// longs returns integers as an i64 constant of rank 1.
func (b *block) longs(v []int) value {
	data := make([]byte, 0, 8*len(v))
	for _, x := range v {
		data = binary.NativeEndian.AppendUint64(data, uint64(int64(x)))
	}
	return b.constant(core.Aval(core.Int64, len(v)), data)
}

func (b *block) array(v core.Value) value {
	if l, ok := v.(core.Literal); ok {
		return b.literal(l.Num, l.Type)
	}
	a := v.Aval()
	writable(a)
	if b.elements != nil {
		if data, ok := b.elements(v); ok {
			return b.constant(a, data)
		}
	}
	core.Failf(core.ErrConcrete, "the elements of a constant of type %v are unknown; make it an input", a.Full())
	return value{}
}
