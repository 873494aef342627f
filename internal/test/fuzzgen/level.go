package fuzzgen

import "slices"

// level is a differentiation in progress. It carries several tangents at once.
type level struct {
	age   int // the younger of two has the greater
	bit   uint32
	kind  Kind
	width int // tangents
}

// begin starts a level; the function that ends it must be called.
func (m *machine) begin(kind Kind, width int) (l *level, end func()) {
	m.ages++
	l = &level{age: m.ages, kind: kind, width: width}
	for b := uint32(1); ; b <<= 1 {
		if m.bits&b == 0 {
			l.bit = b
			break
		}
	}
	m.bits |= l.bit
	m.frames = append(m.frames, frame{l: l})
	n := len(m.frames)
	return l, func() {
		m.bits &^= l.bit
		m.frames = m.frames[:n-1]
	}
}

// taped reports whether the level's tangents are written on a tape.
func (l *level) taped() bool { return l.kind != JVP }

// parts returns the primal and the tangents of v at a level.
func (l *level) parts(v val) (p val, t []val) {
	if d, ok := v.(*dual); ok && d.l == l {
		return d.p, d.t
	}
	return v, make([]val, l.width)
}

// at reports whether v has a tangent at the level.
func (l *level) at(v val) bool {
	for {
		d, ok := v.(*dual)
		if !ok {
			return false
		}
		if d.l == l {
			return true
		}
		for _, t := range d.t {
			if t != nil && l.at(t) {
				return true
			}
		}
		v = d.p
	}
}

// along reports whether an operand has a tangent along direction d.
func (l *level) along(in []val, d int) bool {
	return slices.ContainsFunc(in, func(v val) bool { _, ts := l.parts(v); return ts[d] != nil })
}

// tangentsOf returns the tangents of the operands along direction d; zeros are written out.
func (l *level) tangentsOf(in []val, d int) []val {
	var out []val
	for _, v := range in {
		p, ts := l.parts(v)
		if !p.like().dt.IsInexact() {
			continue
		}
		t := ts[d]
		if t == nil {
			t = zerosLike(p)
		}
		for _, other := range ts {
			if other != nil {
				t = join(t, other)
			}
		}
		out = append(out, t)
	}
	return out
}

func (l *level) primals(in []val) []val {
	out := make([]val, len(in))
	for k, v := range in {
		out[k], _ = l.parts(v)
	}
	return out
}

// contains reports whether v has a part that is dual at a level of at least the given
// age.
func contains(v val, age int) bool {
	d, ok := v.(*dual)
	if !ok {
		return false
	}
	if d.l.age >= age || contains(d.p, age) {
		return true
	}
	for _, t := range d.t {
		if t != nil && contains(t, age) {
			return true
		}
	}
	return false
}

// youngest returns the youngest level of the values, nil if there is none.
func youngest(vs []val) *level {
	var l *level
	for _, v := range vs {
		if d, ok := v.(*dual); ok && (l == nil || d.l.age > l.age) {
			l = d.l
		}
	}
	return l
}

// seed boxes an operand with the tangent t in direction d.
func (m *machine) seed(l *level, p val, d int, t val) val {
	ts := make([]val, l.width)
	q, old := l.parts(p)
	copy(ts, old)
	if l.taped() {
		t = marked(t, func(m marks) marks { m.linear |= l.bit; return m })
	}
	ts[d] = t
	return &dual{l, q, ts}
}

// without returns v as it is once a level has ended.
func (l *level) without(v val) val {
	if v == nil {
		return nil
	}
	return marked(v, func(m marks) marks {
		m.linear &^= l.bit
		m.loop &^= l.bit
		return m
	})
}

// levelsOf returns the levels at which some part of v has a tangent.
func levelsOf(v val) (bits uint32) {
	if d, ok := v.(*dual); ok {
		bits = d.l.bit | levelsOf(d.p)
		for _, t := range d.t {
			if t != nil {
				bits |= levelsOf(t)
			}
		}
	}
	return bits
}

// tangentLevels returns the levels on whose tangents the value depends.
func tangentLevels(v val) uint32 { return marksOf(v).linear }
