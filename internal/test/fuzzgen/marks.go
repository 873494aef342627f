package fuzzgen

import "fmt"

// marks states at which levels of differentiation an array, as a part of a tangent, depends on the
// tangents that were put in (linear), and came through a while loop (loop): a bit is a level.
type marks struct{ linear, loop uint32 }

func (a marks) or(b marks) marks { return marks{a.linear | b.linear, a.loop | b.loop} }

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

// looped marks what depends on tangents at these levels as having come through a while loop.
func looped(v val, levels uint32) val {
	return marked(v, func(m marks) marks { m.loop |= m.linear & levels; return m })
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
