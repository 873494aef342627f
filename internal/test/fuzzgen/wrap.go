package fuzzgen

import (
	"slices"

	"github.com/weft-go/weft/core"
)

// wrapper evaluates an application of a wrapper.
func (m *machine) wrapper(n *Node, e *env) []val {
	if !n.W.Recorder() {
		return m.wrapped(n, e.args(n.In), e)
	}
	outs := m.program(n, e.args(n.In), e)
	if n.W.Again != nil {
		outs = append(outs, m.program(n, e.args(n.W.Again), e)...)
	}
	return outs
}

// program evaluates a call of a recorded program.
func (m *machine) program(n *Node, in []val, e *env) []val {
	old := m.takes
	m.takes = slices.Clone(in)
	for _, a := range n.W.Bounds {
		if a.Var != nil {
			m.takes = append(m.takes, e.arg(a))
		}
	}
	for _, f := range n.W.Fs {
		for _, v := range f.freeVars() {
			m.takes = append(m.takes, e.lookup(v))
		}
	}
	outs := m.wrapped(n, in, e)
	m.takes = old
	return outs
}

func (m *machine) wrapped(n *Node, in []val, e *env) []val {
	w := n.W
	switch w.Kind {
	case Jit, JitClosing, Remat, RematPolicy, CustomVmap:
		return m.recorded(w.Fs[0], in, e)
	case Grad, VJP:
		return m.reverse(n, in, e)
	case JVP, Linearize:
		return m.forward(n, in, e)
	case Vmap:
		return m.vmap(w, in, e)
	case Scan:
		return m.scan(w, in, e)
	case Cond, Switch:
		return m.branch(n, in, e)
	case While:
		return m.while(w, in, e)
	case ForI:
		return m.fori(w, in, e)
	case CustomJVP:
		return m.customJVP(w, in, e)
	case CustomVJP:
		return m.customVJP(w, in, e)
	}
	panic("no meaning for " + w.Kind.String())
}

// branch evaluates Cond and Switch. Every branch is looked at: a result has a tangent if
// it has one in any.
func (m *machine) branch(n *Node, in []val, e *env) []val {
	w := n.W
	i := base(in[0]).i[0]
	which := int(clamp(wrap(core.Int32, i), 0, int64(len(w.Fs)-1))) // an index is an i32
	if w.Kind == Cond {
		which = 0
		if i == 0 {
			which = 1
		}
	}
	var all []val
	for k, f := range w.Fs {
		if k == which {
			continue
		}
		outs := m.ghostly(func() []val { return m.recorded(f, nil, e) })
		if all == nil {
			all = outs
		} else {
			all = joinAll(all, outs)
		}
	}
	outs := m.recorded(w.Fs[which], nil, e)
	if all != nil {
		outs = joinAll(outs, all)
	}
	return outs
}
