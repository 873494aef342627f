package fuzzgen

import (
	"slices"

	"github.com/weft-go/weft/core"
)

// wrapper evaluates an application of a wrapper.
func (m *machine) wrapper(n *Node, e *env) []val {
	if !n.W.Kind.Recorder() {
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
	for _, v := range m.takes {
		m.touch(v)
	}
	for _, f := range n.W.Fs {
		for _, v := range f.freeVars() {
			m.takes = append(m.takes, e.lookup(v))
		}
	}
	// What a program gives depends on all that it takes.
	from, via := m.behind(m.takes)
	outs := m.wrapped(n, in, e)
	taken := m.takes
	m.takes = old
	// Its derivative stays one program: what stands in the way of one result may do so in
	// that of others, and what an operand is in the way of, too.
	var all marks
	for _, v := range outs {
		all = all.or(marksOf(v))
	}
	near := all.stuck | all.near
	for _, v := range taken {
		near |= marksOf(v).stuck | marksOf(v).near
	}
	outs = mark{bit: from}.on(outs)
	for k, v := range outs {
		outs[k] = marked(tangentsMarked(v, marks{near: near}), func(k marks) marks { k.via |= via; return k })
	}
	for _, l := range m.levels {
		if m.boundAt(l) {
			m.boundProgram(l, all, near)
		}
	}
	return outs
}

func (m *machine) wrapped(n *Node, in []val, e *env) []val {
	w := n.W
	switch w.Kind {
	case Jit, JitClosing, Remat, RematPolicy:
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

// behind returns on the parameters of which functions an equation with these operands depends,
// and which levels saw in functions that are being recorded what they were computed from.
func (m *machine) behind(takes []val) (from, via uint32) {
	for _, v := range takes {
		k := marksOf(v)
		from |= k.from
		via |= k.via | m.viaRecorders()&levelsOf(v)
	}
	return from, via
}

// equation returns what an equation with these operands gives: each result depends on all.
func (m *machine) equation(takes, outs []val) []val {
	from, via := m.behind(takes)
	out := make([]val, len(outs))
	for k, v := range outs {
		out[k] = marked(v, func(k marks) marks { k.from |= from; k.via |= via; return k })
	}
	return out
}

// boundAt reports whether the level is the next to see the program that was recorded.
func (m *machine) boundAt(l *level) bool {
	for _, fr := range slices.Backward(m.frames) {
		if fr.fn != nil {
			return false
		}
		if fr.l == l || slices.Contains(fr.hidden, l) {
			return true
		}
	}
	return false
}

// boundProgram refuses a program with whose derivative the level can do nothing.
func (m *machine) boundProgram(l *level, all marks, near uint32) {
	if all.closed&l.bit != 0 {
		m.refuse(ClosedOver)
	}
	if all.stuck&l.bit != 0 && m.vain == 0 && (l.kind == JVP || m.residuals&l.bit != 0) {
		m.refuse(ForwardVJP)
		if m.residuals&l.bit != 0 {
			m.refuse(ClosedOver)
		}
	} else if (near|all.stuck)&l.bit != 0 && (l.kind == JVP || m.residuals&l.bit != 0) {
		m.doubt(ForwardVJP)
		m.doubt(ClosedOver)
	}
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
