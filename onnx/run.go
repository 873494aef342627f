package onnx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/runtime"
)

// A frame is the evaluation of a graph or of a function's body.
type frame struct {
	model  *Model
	opsets map[string]int64
	values map[string]weft.Array
	last   map[string]weft.Array   // values with features last, added to values when a node wants features first
	quanta map[string]*quantum     // values that stand for integers, added to values when a node wants numbers
	kept   map[string]*stored      // constant matrices that are kept as integers, added to values when a node wants numbers
	outer  *frame                  // the surrounding graph, whose names are visible; nil for functions and the main graph
	attrs  map[string]*format.Attr // of the call of a function
	places *places                 // where caches grow in place; nil if none do
	path   string                  // names of the nodes around
	depth  int                     // of calls and graphs
}

// maxCalls bounds functions and graphs within each other; the format forbids recursion.
const maxCalls = 100

// inner returns a frame for the values of a graph or function that a node evaluates.
func (f *frame) inner(n *format.Node) *frame {
	g := &frame{model: f.model, opsets: f.opsets, values: map[string]weft.Array{}, last: map[string]weft.Array{}, quanta: map[string]*quantum{}, kept: map[string]*stored{}, places: f.places, path: f.path + label(n) + "/", depth: f.depth + 1}
	if g.depth > maxCalls {
		core.FailOp(core.ErrParse, "onnx", nil, "functions and graphs nest more than %d deep at %s; does a function call itself?", maxCalls, f.path)
	}
	return g
}

// lookup returns a value of this frame or of one around it by its name. It converts quanta and stored matrices to floats,
// and moves features to axis 1.
func (f *frame) lookup(name string) (weft.Array, bool) {
	for g := f; g != nil; g = g.outer {
		if x, ok := g.values[name]; ok {
			return x, true
		}
		if q, ok := g.quanta[name]; ok {
			x := q.numbers()
			if g == f {
				f.values[name] = x
			}
			return x, true
		}
		if s, ok := g.kept[name]; ok {
			x := s.numbers()
			if g == f {
				f.values[name] = x
			}
			return x, true
		}
		if x, ok := g.last[name]; ok {
			x = x.MoveAxis(-1, 1)
			if g == f { // not from within a graph that is traced for itself
				f.values[name] = x
			}
			return x, true
		}
	}
	return weft.Array{}, false
}

// graph evaluates a graph whose inputs have been set.
func (f *frame) graph(g *format.Graph) []weft.Array {
	if f.outer != nil { // the main graph's are the model's weights
		for _, t := range g.Initializers {
			if _, set := f.values[t.Name]; !set {
				f.values[t.Name] = arrayOf(t)
			}
		}
		for _, s := range g.Sparse {
			f.values[s.Values.Name] = dense(s)
		}
	}
	f.nodes(g.Nodes)
	return f.results(names(g.Outputs))
}

func (f *frame) results(names []string) []weft.Array {
	out := make([]weft.Array, len(names))
	for i, name := range names {
		x, ok := f.lookup(name)
		if !ok {
			core.FailOp(core.ErrCheck, "onnx", nil, "%soutput %q is not computed by any node; correct its name", f.path, name)
		}
		out[i] = x
	}
	return out
}

func (f *frame) nodes(ns []*format.Node) {
	for _, n := range ns {
		f.node(n)
	}
}

func label(n *format.Node) string {
	op := n.Op
	if n.Domain != "" {
		op = n.Domain + "." + op
	}
	if n.Name != "" {
		return fmt.Sprintf("%s %q", op, n.Name)
	}
	if i := slices.IndexFunc(n.Outputs, func(s string) bool { return s != "" }); i >= 0 {
		return fmt.Sprintf("%s of %q", op, n.Outputs[i])
	}
	return op
}

// node evaluates a node. Errors name it.
func (f *frame) node(n *format.Node) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *core.Error:
			e := *r
			if !strings.HasPrefix(e.Op, "onnx: ") { // the innermost node is named
				e.Op = strings.TrimSuffix("onnx: "+f.path+label(n)+": "+e.Op, ": ")
			}
			panic(&e)
		default:
			panic(r)
		}
	}()
	if f.grown(n) || f.integerNode(n) || f.storedNode(n) || f.featuresLast(n) {
		return
	}
	in := make([]weft.Array, len(n.Inputs))
	fixed := true
	for i, name := range n.Inputs {
		if name == "" {
			continue
		}
		x, ok := f.lookup(name)
		if !ok {
			core.FailOp(core.ErrCheck, "", nil, "input %q is not defined before the node; correct its name, or move the node that defines it to the front", name)
		}
		in[i] = x
		fixed = fixed && (x.IsZero() || constant(x))
	}
	if f.quantized(n, in, fixed) || f.stored(n, in, fixed) {
		return
	}
	out := f.apply(n, in, fixed)
	if len(out) < len(n.Outputs) {
		for _, name := range n.Outputs[len(out):] {
			if name != "" {
				core.FailOp(core.ErrNoRule, "", nil, "output %q, number %d, is not computed by this operator; remove what reads it", name, len(out)+1)
			}
		}
	}
	for i, name := range n.Outputs {
		if name != "" {
			f.values[name] = out[i]
		}
	}
}

// constant reports whether an array is concrete, not traced.
func constant(x weft.Array) bool {
	switch x.Value().(type) {
	case *runtime.Array, core.Literal:
		return true
	}
	return false
}

// look returns the value of a boolean, and whether it is known while the model is traced.
func look(x weft.Array) (v, known bool) {
	err := core.Catch(func() { v = x.Reshape().Bool() })
	return v, err == nil
}

// apply returns the results of a node. If fixed is set, all inputs are constant, and the results of an operator without
// graphs are computed at once.
func (f *frame) apply(n *format.Node, in []weft.Array, fixed bool) []weft.Array {
	if fn := f.model.functions[opName{n.Domain, n.Op, n.Overload}]; fn != nil {
		return f.call(n, fn, in)
	}
	op := operators[opKey{n.Domain, n.Op}]
	if op == nil {
		core.FailOp(core.ErrNoRule, "", nil, "the operator is not supported; export the model without it")
	}
	a := &node{Node: n, f: f, version: f.opsets[n.Domain], in: in}
	a.fits()
	if fixed && len(graphs(n)) == 0 { // graphs may read values that are traced
		return f.model.folded.of(n, 0, in, func() []weft.Array { return op(a) })
	}
	return op(a)
}

func (f *frame) call(n *format.Node, fn *format.Function, in []weft.Array) []weft.Array {
	g := f.inner(n)
	g.opsets = fn.Opsets
	g.attrs = map[string]*format.Attr{}
	for name, a := range fn.Defaults {
		g.attrs[name] = a
	}
	for name, a := range n.Attrs {
		g.attrs[name] = f.attr(a)
	}
	if len(in) > len(fn.Inputs) {
		core.FailOp(core.ErrTree, "", nil, "the function takes %s (got %d); leave out the rest", core.Count(len(fn.Inputs), "input"), len(in))
	}
	for i, name := range fn.Inputs { // inputs that are left off are absent in the body
		g.values[name] = weft.Array{}
		if i < len(in) {
			g.values[name] = in[i]
		}
	}
	g.nodes(fn.Nodes)
	return g.results(fn.Outputs)
}

// attr returns a, or if it refers to an attribute of the surrounding function's call, that attribute: nil if the call lacks it.
func (f *frame) attr(a *format.Attr) *format.Attr {
	if a == nil || a.Ref == "" {
		return a
	}
	for g := f; g != nil; g = g.outer {
		if g.attrs != nil {
			return g.attrs[a.Ref]
		}
	}
	return nil
}

// body evaluates a graph that is an attribute of a node, and may read the values of the graphs around it.
func (f *frame) body(n *format.Node, g *format.Graph, in ...weft.Array) []weft.Array {
	if len(in) != len(g.Inputs) {
		core.FailOp(core.ErrTree, "", nil, "graph %q takes %s (got %d); pass as many", g.Name, core.Count(len(g.Inputs), "input"), len(in))
	}
	b := f.inner(n)
	b.outer = f
	for i, v := range g.Inputs {
		b.values[v.Name] = in[i]
	}
	return b.graph(g)
}
