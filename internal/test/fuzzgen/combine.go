package fuzzgen

import (
	"math/cmplx"
	"slices"

	"github.com/weft-go/weft/core"
)

// combine evaluates operations that combine elements, nil for others.
func (m *machine) combine(n *Node, in []*arr) []*arr {
	x := in[0]
	switch n.Op {
	case "sum", "prod":
		return one(m.reduce(n.Op, n.A, x))
	case "maxr", "minr":
		places, shape := m.extreme(n.Op == "maxr", n.A, x)
		out := pick(x, shape, places)
		if out.c != nil { // any of the candidates may win
			for k, lane := range lanes(x.shape, n.A) {
				for _, p := range lane {
					out.c[k].e = max(out.c[k].e, x.c[p].e)
				}
			}
		}
		return one(out)
	case "argmax":
		out := newArr(n.DType, dropped(x.shape, []int{n.N}))
		for k, lane := range lanes(x.shape, []int{n.N}) {
			out.i[k] = int64(m.best(x, lane, true, true))
		}
		return one(out)
	case "all", "any":
		out := newArr(core.Bool, dropped(x.shape, n.A))
		for k, lane := range lanes(x.shape, n.A) {
			all, any := int64(1), int64(0)
			for _, p := range lane {
				all &= x.i[p]
				any |= x.i[p]
			}
			out.i[k] = any
			if n.Op == "all" {
				out.i[k] = all
			}
		}
		return one(out)
	case "cumsum", "cummax":
		return one(m.cumulate(n, x))
	case "dot":
		return one(m.dot(n, x, in[1]))
	}
	return nil
}

// dropped returns the shape without some axes.
func dropped(shape, axes []int) []int {
	out := []int{}
	for a, n := range shape {
		if !slices.Contains(axes, a) {
			out = append(out, n)
		}
	}
	return out
}

// lanes are, for each element of a reduction over axes, the positions of its elements.
func lanes(shape, axes []int) [][]int {
	rest := dropped(shape, axes)
	out := make([][]int, size(rest))
	for p := range size(shape) {
		at := unravel(shape, p)
		var to []int
		for a := range shape {
			if !slices.Contains(axes, a) {
				to = append(to, at[a])
			}
		}
		k := ravel(rest, to)
		out[k] = append(out[k], p)
	}
	return out
}

func (m *machine) reduce(op string, axes []int, x *arr) *arr {
	out := newArr(x.dt, dropped(x.shape, axes))
	out.mark([]*arr{x})
	for k, lane := range lanes(x.shape, axes) {
		if x.c == nil {
			v := int64(0)
			if op == "prod" {
				v = 1
			}
			for _, p := range lane {
				if op == "prod" {
					v *= x.i[p]
				} else {
					v += x.i[p]
				}
			}
			out.i[k] = wrap(x.dt, v)
			continue
		}
		if op == "prod" {
			r := num{v: 1}
			for _, p := range lane {
				r = m.times(x.dt, r, x.c[p])
			}
			out.c[k] = r
			continue
		}
		out.c[k] = m.total(x.dt, x, lane)
	}
	return out
}

// total returns the sum of some elements.
func (m *machine) total(dt core.DType, x *arr, places []int) num {
	var v complex128
	e, all := 0.0, 0.0
	for _, p := range places {
		v += x.c[p].v
		e += x.c[p].e
		all += cmplx.Abs(x.c[p].v)
	}
	return m.rounded(dt, v, e+float64(len(places))*unit(dt)*all, 1)
}

// best returns the position in lane of the greatest or least element, the first of equals.
func (m *machine) best(x *arr, lane []int, most, first bool) int {
	b := 0
	for j := 1; j < len(lane); j++ {
		p, q := lane[j], lane[b]
		if x.c == nil {
			if most && x.i[p] > x.i[q] || !most && x.i[p] < x.i[q] {
				b = j
			}
			continue
		}
		d := real(x.c[p].v) - real(x.c[q].v)
		if most && d > 0 || !most && d < 0 {
			b = j
		}
	}
	for j := range lane {
		if x.c == nil || j == b {
			continue
		}
		if x.c[lane[j]].v == x.c[lane[b]].v && !first {
			m.tied("equal extremes") // the derivative is divided among them
		}
		m.apart("an extreme", x.c[lane[j]], x.c[lane[b]])
	}
	return b
}

// extreme returns where the extremes over axes are.
func (m *machine) extreme(most bool, axes []int, x *arr) (places, shape []int) {
	for _, lane := range lanes(x.shape, axes) {
		places = append(places, lane[m.best(x, lane, most, false)])
	}
	return places, dropped(x.shape, axes)
}

// cumulate runs along an axis; Flag runs it backwards.
func (m *machine) cumulate(n *Node, x *arr) *arr {
	if n.Op == "cummax" {
		return pick(x, x.shape, m.running(n, x))
	}
	out := newArr(x.dt, x.shape)
	out.mark([]*arr{x})
	for k := range out.size() {
		var lane []int
		m.prefix(n, x.shape, k, func(p int) { lane = append(lane, p) })
		if x.c != nil {
			out.c[k] = m.total(x.dt, x, lane)
			continue
		}
		for _, p := range lane {
			out.i[k] = wrap(x.dt, out.i[k]+x.i[p])
		}
	}
	return out
}

// prefix enumerates the elements that come before element k along the axis, and k.
func (m *machine) prefix(n *Node, shape []int, k int, f func(p int)) {
	at := unravel(shape, k)
	own := at[n.N]
	for j := range shape[n.N] {
		if !n.Flag && j <= own || n.Flag && j >= own {
			at[n.N] = j
			f(ravel(shape, at))
		}
	}
}

// running returns which element is the greatest so far.
func (m *machine) running(n *Node, x *arr) []int {
	return indices(x.shape, func(at []int) int {
		var lane []int
		m.prefix(n, x.shape, ravel(x.shape, at), func(p int) { lane = append(lane, p) })
		return lane[m.best(x, lane, true, false)]
	})
}

// dot contracts axes A of x with axes B of y; the first N axes run in step.
func (m *machine) dot(n *Node, x, y *arr) *arr {
	b := n.N
	var xs, ys []int // axes that are kept
	for a := b; a < len(x.shape); a++ {
		if !slices.Contains(n.A, a) {
			xs = append(xs, a)
		}
	}
	for a := b; a < len(y.shape); a++ {
		if !slices.Contains(n.B, a) {
			ys = append(ys, a)
		}
	}
	shape := slices.Clone(x.shape[:b])
	var inner []int
	for _, a := range n.A {
		inner = append(inner, x.shape[a])
	}
	for _, a := range xs {
		shape = append(shape, x.shape[a])
	}
	for _, a := range ys {
		shape = append(shape, y.shape[a])
	}
	out := newArr(x.dt, shape)
	out.mark([]*arr{x, y})
	for k := range out.size() {
		at := unravel(shape, k)
		px, py := make([]int, len(x.shape)), make([]int, len(y.shape))
		copy(px, at[:b])
		copy(py, at[:b])
		for j, a := range xs {
			px[a] = at[b+j]
		}
		for j, a := range ys {
			py[a] = at[b+len(xs)+j]
		}
		var v complex128
		var iv int64
		e, all := 0.0, 0.0
		for c := range size(inner) {
			for j, p := range unravel(inner, c) {
				px[n.A[j]], py[n.B[j]] = p, p
			}
			i, j := ravel(x.shape, px), ravel(y.shape, py)
			if x.c == nil {
				iv += x.i[i] * y.i[j]
				continue
			}
			p, q := x.c[i], y.c[j]
			v += p.v * q.v
			e += cmplx.Abs(p.v)*q.e + cmplx.Abs(q.v)*p.e + p.e*q.e
			all += cmplx.Abs(p.v * q.v)
		}
		if x.c == nil {
			out.i[k] = wrap(x.dt, iv)
		} else {
			out.c[k] = m.rounded(x.dt, v, e+8*float64(size(inner))*unit(x.dt)*all, 1)
		}
	}
	return out
}
