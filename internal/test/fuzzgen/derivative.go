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
	d := 0
	for k, v := range in {
		if !w.Active[k] {
			continue
		}
		for i := range directions(v.like()) {
			args[k] = m.seed(l, args[k], d, basis(v.like(), i))
			d++
		}
	}
	outs := m.call(w.Fs[0], args, e)
	end()
	tangents := make([][]val, len(outs))
	for k, v := range outs {
		outs[k], tangents[k] = l.parts(v)
	}
	var results []val
	for _, v := range outs {
		results = append(results, l.without(v))
	}
	for _, list := range w.Along {
		cts := e.args(list)
		for k, ct := range cts {
			if ct == nil {
				continue
			}
			for _, t := range tangents[k] {
				if t == nil {
					continue
				}
				if marksOf(t).loop&l.bit != 0 {
					m.may[ReverseWhile] = true
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
			for i := range parts {
				for o, ct := range cts {
					if t := tangents[o][d]; ct != nil && t != nil {
						parts[i] = m.plusAs(x.dt.Real(), parts[i], m.inner(ct, l.without(t)))
					}
				}
				d++
			}
			results = append(results, m.assemble(x, parts))
		}
	}
	return results
}

// forward evaluates JVP and Linearize: the results, then for each list of tangents the
// tangents of the inexact results.
func (m *machine) forward(n *Node, in []val, e *env) []val {
	w := n.W
	l, end := m.begin(w.Kind, len(w.Along))
	args := slices.Clone(in)
	for d, list := range w.Along {
		ts := e.args(list)
		for k, t := range ts {
			if !w.Active[k] {
				continue
			}
			if t == nil && w.Kind == Linearize {
				t = zerosLike(in[k]) // the map takes a tangent for every active operand
			}
			if t != nil {
				args[k] = m.seed(l, args[k], d, t)
			}
		}
	}
	outs := m.call(w.Fs[0], args, e)
	end()
	var results []val
	tangents := make([][]val, len(outs))
	for k, v := range outs {
		outs[k], tangents[k] = l.parts(v)
		results = append(results, l.without(outs[k]))
	}
	for d := range w.Along {
		for k, v := range outs {
			if !v.like().dt.IsInexact() {
				continue
			}
			t := l.without(tangents[k][d])
			if t == nil {
				t = zerosLike(v)
			}
			results = append(results, t)
		}
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
