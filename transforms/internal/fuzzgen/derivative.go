package fuzzgen

import (
	"slices"

	"github.com/weft-go/weft/core"
)

// reverse evaluates Grad and VJP: the results, then the cotangents of active operands,
// for each list of cotangents. It finds them by differentiating along every direction.
func (m *machine) reverse(n *Node, in []val, e *env) []val {
	w := n.W
	width := 0
	for k, v := range in {
		if w.Active[k] {
			width += directions(v.like())
		}
	}
	l, end := m.begin(w.Kind, max(width, 1))
	args := slices.Clone(in)
	var seeds []*arr // by direction
	for k, v := range in {
		if !w.Active[k] {
			continue
		}
		for i := range directions(v.like()) {
			t := basis(v.like(), i)
			args[k] = m.seed(l, args[k], len(seeds), t)
			seeds = append(seeds, t)
		}
	}
	outs := m.given(m.call(w.Fs[0], args, e))
	end()
	tangents := make([][]val, len(outs))
	for k, v := range outs {
		outs[k], tangents[k] = l.parts(v)
	}
	var results []val
	for _, v := range outs {
		results = append(results, m.without(l, v))
	}
	for _, list := range w.Along {
		cts, before := e.args(list), len(results)
		m.hand(w, cts)
		for k, ct := range cts {
			if ct == nil {
				continue
			}
			for _, t := range tangents[k] {
				if t == nil {
					continue
				}
				if marksOf(t).loop&l.bit != 0 {
					m.refuse(ReverseWhile)
				}
				if marksOf(t).rule&l.bit != 0 {
					m.refuse(ClosedOver)
					m.refuse(EscapedTracer)
				}
			}
		}
		d := 0
		for k, v := range in {
			if !w.Active[k] {
				continue
			}
			x := v.like()
			parts := make([]val, directions(x))
			if o := handedBack(cts, tangents, seeds, d, len(parts)); o >= 0 {
				results = append(results, cts[o])
				d += len(parts)
				continue
			}
			for i := range parts {
				for o, ct := range cts {
					if t := tangents[o][d]; ct != nil && t != nil {
						parts[i] = m.plusAs(x.dt.Real(), parts[i], m.inner(ct, m.without(l, t)))
					}
				}
				d++
			}
			results = append(results, m.assemble(x, parts))
		}
		m.asOne(w, cts, results[before:])
	}
	return results
}

// handedBack returns the result whose cotangent is that of an operand as it is, which has n
// directions from d on: what was put in comes out there and nowhere else. It is −1 if there
// is none.
func handedBack(cts []val, tangents [][]val, seeds []*arr, d, n int) int {
	found := -1
	for o, ct := range cts {
		ts := tangents[o][d : d+n]
		if ct == nil || !slices.ContainsFunc(ts, func(t val) bool { return t != nil }) {
			continue
		}
		for i, t := range ts {
			if x, ok := t.(*arr); found >= 0 || !ok || x.same() != seeds[d+i] {
				return -1
			}
		}
		found = o
	}
	return found
}

// hand notes what a linear map that is a program of its own, or mapped, is applied to.
func (m *machine) hand(w *Wrap, vs []val) {
	for _, v := range vs {
		if w.Mode != Direct && v != nil {
			m.touch(v)
		}
	}
}

// forward evaluates JVP and Linearize: the results, then for each list of tangents the
// tangents of the inexact results.
func (m *machine) forward(n *Node, in []val, e *env) []val {
	w := n.W
	l, end := m.begin(w.Kind, len(w.Along))
	args := slices.Clone(in)
	var seeds []seed
	for d, list := range w.Along {
		ts := e.args(list)
		m.hand(w, ts)
		for k, t := range ts {
			if !w.Active[k] {
				continue
			}
			if t == nil && w.Kind == Linearize {
				t = zerosLike(in[k]) // the map takes a tangent for every active operand
			}
			if t != nil && w.Kind == Linearize && w.Mode == Direct && m.touched != nil {
				seeds = append(seeds, m.newSeed(t))
				t = seeds[len(seeds)-1].own
			}
			if t != nil {
				args[k] = m.seed(l, args[k], d, t)
			}
		}
	}
	outs := m.given(m.call(w.Fs[0], args, e))
	end()
	var results []val
	tangents := make([][]val, len(outs))
	for k, v := range outs {
		outs[k], tangents[k] = l.parts(v)
		results = append(results, m.without(l, outs[k]))
		for _, t := range tangents[k] {
			switch {
			case t == nil:
			case marksOf(t).stuck&l.bit != 0:
				m.refuse(ForwardVJP)
				if marksOf(t).rule&l.bit != 0 { // an older derivative may call the rule first
					m.doubt(ClosedOver)
					m.doubt(EscapedTracer)
				}
			case marksOf(t).near&l.bit != 0:
				m.doubt(ForwardVJP)
			}
			m.grown(seeds, t)
		}
	}
	m.seeds &^= seedBits(seeds)
	for d, list := range w.Along {
		before := len(results)
		for k, v := range outs {
			if !v.like().dt.IsInexact() {
				continue
			}
			t := m.without(l, tangents[k][d])
			if t == nil {
				t = zerosLike(v)
			}
			results = append(results, t)
		}
		m.asOne(w, e.args(list), results[before:])
	}
	return results
}

// inner returns Re Σ a·b, a scalar of real type.
func (m *machine) inner(a, b val) val {
	p := m.op("mul", a, b)
	shape := p.like().shape
	s := m.node1(&Node{Op: "sum", A: upTo(len(shape))}, p)
	if s.like().dt.IsComplex() {
		s = m.op("real", s)
	}
	return s
}

// asOne makes what a linear map that is a program of its own gives depend on all that it
// takes.
func (m *machine) asOne(w *Wrap, taken, outs []val) {
	if w.Mode != InJit {
		return
	}
	taken = slices.DeleteFunc(taken, func(v val) bool { return v == nil })
	copy(outs, m.equation(append(taken, outs...), outs))
}

// plusAs adds b, converted to a type, to a.
func (m *machine) plusAs(dt core.DType, a, b val) val {
	if b.like().dt != dt {
		b = m.node1(&Node{Op: "convert", DType: dt}, b)
	}
	return m.plus(a, b)
}

// assemble makes a cotangent of x from its parts along the directions, nil where zero.
func (m *machine) assemble(x *arr, parts []val) val {
	if !slices.ContainsFunc(parts, func(v val) bool { return v != nil }) {
		return constant(x.dt, x.shape, 0)
	}
	row := func(step, from int) val {
		var rows []val
		for k := from; k < len(parts); k += step {
			v := parts[k]
			if v == nil {
				v = constant(x.dt.Real(), nil, 0)
			}
			rows = append(rows, m.node1(&Node{Op: "reshape", A: []int{1}}, v))
		}
		return m.node1(&Node{Op: "reshape", A: x.shape}, m.node1(&Node{Op: "concat"}, rows...))
	}
	if x.dt.IsComplex() { // g with Re(g·t) along 1 and i
		return m.op("complex", row(2, 0), m.op("neg", row(2, 1)))
	}
	return row(1, 0)
}

// basis returns the direction k of the tangents of x: one for each element, and for complex
// elements one along the imaginary axis.
func basis(x *arr, k int) *arr {
	t := constant(x.dt, x.shape, 0)
	v := complex128(1)
	if x.dt.IsComplex() {
		if k%2 == 1 {
			v = 1i
		}
		k /= 2
	}
	t.c[k].v = v
	return t
}

func directions(x *arr) int {
	if x.dt.IsComplex() {
		return 2 * x.size()
	}
	return x.size()
}

func upTo(n int) []int {
	out := make([]int, n)
	for k := range out {
		out[k] = k
	}
	return out
}
