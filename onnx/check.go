package onnx

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unsafe"

	"github.com/weft-go/weft/core"
	format "github.com/weft-go/weft/lower/onnx"
)

// newest is the newest version of ai.onnx whose operators are known.
const newest = 28

func aligned(b []byte) bool {
	return len(b) > 0 && uintptr(unsafe.Pointer(unsafe.SliceData(b)))%16 == 0
}

// check refuses a model of a newer version of ai.onnx, or with nodes of a domain that it does not import, or
// with operators that are not supported; the error names all of these operators.
func (m *Model) check(op string) {
	missing := map[string][]string{}
	var nodes func(path string, ns []*format.Node, opsets map[string]int64)
	nodes = func(path string, ns []*format.Node, opsets map[string]int64) {
		for _, n := range ns {
			if m.functions[opName{n.Domain, n.Op, n.Overload}] == nil && operators[opKey{n.Domain, n.Op}] == nil {
				name := n.Op
				if n.Domain != "" {
					name = n.Domain + "." + name
				}
				missing[name] = append(missing[name], path+label(n))
			} else if _, ok := opsets[n.Domain]; !ok && m.functions[opName{n.Domain, n.Op, n.Overload}] == nil {
				core.FailOp(core.ErrParse, op, nil, "%s%s is of domain %q, which the model does not import; add it to opset_import", path, label(n), n.Domain)
			}
			for _, g := range graphs(n) {
				nodes(path+label(n)+"/", g.Nodes, opsets)
			}
		}
	}
	if v := m.file.Opsets[""]; v > newest {
		core.FailOp(core.ErrNoRule, op, nil, "the model uses version %d of ai.onnx, versions up to %d are known; export it with an older one", v, newest)
	}
	nodes("", m.file.Graph.Nodes, m.file.Opsets)
	for _, f := range m.file.Functions {
		nodes(f.Name+"/", f.Nodes, f.Opsets)
	}
	if len(missing) == 0 {
		return
	}
	var b strings.Builder
	for i, name := range slices.Sorted(maps.Keys(missing)) {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s (%s", name, missing[name][0])
		if k := len(missing[name]) - 1; k > 0 {
			fmt.Fprintf(&b, " and %d more", k)
		}
		b.WriteString(")")
	}
	core.FailOp(core.ErrNoRule, op, nil, "operators that are not supported: %s", b.String())
}

// sort puts the nodes of the main graph in an order in which each node reads values that earlier
// nodes define, if the file has them in another order.
func (m *Model) sort(op string) {
	g := m.file.Graph
	defined := map[string]bool{"": true}
	for name := range m.weights {
		defined[name] = true
	}
	for _, v := range g.Inputs {
		defined[v.Name] = true
	}
	rest := g.Nodes
	var order []*format.Node
	for len(rest) > 0 {
		var later []*format.Node
		for _, n := range rest {
			if slices.ContainsFunc(reads(n), func(s string) bool { return !defined[s] }) {
				later = append(later, n)
				continue
			}
			for _, o := range n.Outputs {
				if o != "" && defined[o] {
					core.FailOp(core.ErrCheck, op, nil, "%s defines %q, which is defined already; correct the order of the nodes or their names", label(n), o)
				}
				defined[o] = true
			}
			order = append(order, n)
		}
		if len(later) == len(rest) {
			n := later[0]
			i := slices.IndexFunc(reads(n), func(s string) bool { return !defined[s] })
			core.FailOp(core.ErrCheck, op, nil, "%s reads %q, which nothing defines before it; correct the order of the nodes or their names", label(n), reads(n)[i])
		}
		rest = later
	}
	g.Nodes = order
}

// reads returns the names of the surrounding graph that a node reads: its inputs, and the names that graphs within it read
// but do not define.
func reads(n *format.Node) []string {
	out := slices.Clip(n.Inputs)
	for _, g := range graphs(n) {
		own := map[string]bool{"": true}
		for _, v := range g.Inputs {
			own[v.Name] = true
		}
		for _, t := range g.Initializers {
			own[t.Name] = true
		}
		for _, s := range g.Sparse {
			own[s.Values.Name] = true
		}
		for _, inner := range g.Nodes {
			for _, o := range inner.Outputs {
				own[o] = true
			}
		}
		for _, inner := range g.Nodes {
			for _, name := range reads(inner) {
				if !own[name] {
					out = append(out, name)
				}
			}
		}
		for _, v := range g.Outputs {
			if !own[v.Name] {
				out = append(out, v.Name)
			}
		}
	}
	return out
}

func graphs(n *format.Node) (gs []*format.Graph) {
	for _, a := range n.Attrs {
		gs = append(gs, a.Graphs...)
		if a.Graph != nil {
			gs = append(gs, a.Graph)
		}
	}
	return gs
}
