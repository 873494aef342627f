package fuzzgen

import "fmt"

// marks say at which levels of differentiation an array, as a part of a tangent, depends
// on the tangents that were put in (linear), came through a while loop (loop), through a
// function whose backward rule cannot be called (rule), through the derivative of one
// with a reverse rule that would have to be run forward (stuck; near states that such a one
// is part of the same program, whether it is needed or not), or through a rule that
// closes over what is differentiated (closed): a bit is a level. from states on parameters
// of which functions it depends that are being recorded, or mapped: a bit is a frame.
// seeds states on which arguments of linear maps it depends, if anybody asks. via are the
// levels that saw, in functions that are being recorded, what it was computed from.
type marks struct{ linear, loop, rule, stuck, near, closed, from, seeds, via uint32 }

func (a marks) or(b marks) marks {
	return marks{a.linear | b.linear, a.loop | b.loop, a.rule | b.rule, a.stuck | b.stuck, a.near | b.near, a.closed | b.closed, a.from | b.from, a.seeds | b.seeds, a.via | b.via}
}

// marked returns v with its marks changed, in all parts.
func marked(v val, f func(marks) marks) val {
	switch v := v.(type) {
	case *dual:
		t := make([]val, len(v.t))
		for k, x := range v.t {
			if x != nil {
				t[k] = marked(x, f)
			}
		}
		return &dual{v.l, marked(v.p, f), t}
	case *arr:
		return v.with(f(v.marks))
	}
	return nil
}

// marksOf returns the marks of all parts.
func marksOf(v val) marks {
	switch v := v.(type) {
	case *dual:
		m := marksOf(v.p)
		for _, t := range v.t {
			if t != nil {
				m = m.or(marksOf(t))
			}
		}
		return m
	case *arr:
		return v.marks
	}
	return marks{}
}

// tangentsMarked gives the marks loop and rule to what depends on tangents at these levels,
// and the marks stuck and near to all tangents at their levels.
func tangentsMarked(v val, with marks) val {
	own := func(m marks) marks {
		m.loop |= m.linear & with.loop
		m.rule |= m.linear & with.rule
		m.stuck |= m.linear & with.stuck
		m.near |= m.linear & with.near
		return m
	}
	d, ok := v.(*dual)
	if !ok {
		return marked(v, own)
	}
	t := make([]val, len(d.t))
	for k, x := range d.t {
		if x != nil {
			t[k] = marked(tangentsMarked(x, with), func(m marks) marks {
				m.stuck |= d.l.bit & with.stuck
				m.near |= d.l.bit & with.near
				return m
			})
		}
	}
	return &dual{d.l, tangentsMarked(d.p, with), t}
}

// join returns x with zeros written out wherever y has tangents and x has none, and with the
// marks of both.
func join(x, y val) val {
	dx, okx := x.(*dual)
	dy, oky := y.(*dual)
	switch {
	case !okx && !oky:
		a, b := x.(*arr), y.(*arr)
		if a.marks.or(b.marks) == a.marks {
			return a
		}
		return a.with(a.marks.or(b.marks))
	case okx && (!oky || dx.l.age > dy.l.age):
		return &dual{dx.l, join(dx.p, y), dx.t}
	case oky && (!okx || dy.l.age > dx.l.age):
		t := make([]val, len(dy.t))
		for k, v := range dy.t {
			if v != nil {
				t[k] = join(zerosLike(v), v)
			}
		}
		return &dual{dy.l, join(x, dy.p), t}
	}
	t := make([]val, len(dx.t))
	for k := range t {
		switch {
		case dx.t[k] == nil && dy.t[k] == nil:
		case dx.t[k] == nil:
			t[k] = join(zerosLike(dy.t[k]), dy.t[k])
		case dy.t[k] == nil:
			t[k] = dx.t[k]
		default:
			t[k] = join(dx.t[k], dy.t[k])
		}
	}
	return &dual{dx.l, join(dx.p, dy.p), t}
}

func joinAll(xs, ys []val) []val {
	out := make([]val, len(xs))
	for k := range xs {
		out[k] = join(xs[k], ys[k])
	}
	return out
}

// structure describes which tangents a value has, and its marks.
func structure(v val) string {
	switch v := v.(type) {
	case *dual:
		s := fmt.Sprintf("%d(%s", v.l.age, structure(v.p))
		for _, t := range v.t {
			s += ","
			if t != nil {
				s += structure(t)
			}
		}
		return s + ")"
	case *arr:
		return fmt.Sprint(v.marks)
	}
	return ""
}

func structures(vs []val) string {
	s := ""
	for _, v := range vs {
		s += structure(v) + ";"
	}
	return s
}
