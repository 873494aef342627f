package fuzzgen

// touch notes that an operation is applied to a value.
func (m *machine) touch(v val) {
	if m.touched == nil {
		return
	}
	switch v := v.(type) {
	case *arr:
		m.note(v.same())
	case *dual:
		m.touch(v.p)
		for _, t := range v.t {
			if t != nil {
				m.touch(t)
			}
		}
	}
}

// note notes that an array is used. Who asked before it was lent hears of the original.
func (m *machine) note(x *arr) {
	if m.touched == nil {
		return
	}
	for {
		m.touched[x] = true
		o, ok := m.lents[x]
		if !ok || o.asking < m.asking {
			return
		}
		x = o.of
	}
}

// fresh returns a copy of v whose use is not recorded.
func fresh(v val) val {
	switch v := v.(type) {
	case *dual:
		t := make([]val, len(v.t))
		for k, x := range v.t {
			if x != nil {
				t[k] = fresh(x)
			}
		}
		return &dual{v.l, fresh(v.p), t}
	case *arr:
		x := *v
		x.first = nil
		return &x
	}
	return nil
}

// leaves calls f with the arrays of which v and w, of one structure, consist.
func leaves(v, w val, f func(a, b *arr)) {
	switch v := v.(type) {
	case *dual:
		w := w.(*dual)
		leaves(v.p, w.p, f)
		for k, x := range v.t {
			if x != nil {
				leaves(x, w.t[k], f)
			}
		}
	case *arr:
		f(v, w.(*arr))
	}
}

// usedIn reports whether some part of v is among used arrays.
func usedIn(v val, used map[*arr]bool) bool {
	is := false
	leaves(v, v, func(x, _ *arr) { is = is || used[x.same()] })
	return is
}

// watched evaluates f on copies of its arguments and states which arrays it used or gave
// that are not its arguments.
func (m *machine) watched(args []val, f func([]val) []val) (outs []val, used map[*arr]bool) {
	old, passed := m.touched, m.passed
	m.touched, m.passed = map[*arr]bool{}, map[*arr]bool{}
	own := make([]val, len(args))
	original := map[*arr]*arr{}
	for k, v := range args {
		own[k] = fresh(v)
		leaves(v, own[k], func(a, b *arr) { original[b] = a.same() })
	}
	m.asking++
	outs = f(own)
	m.asking--
	used, m.touched = m.touched, old
	for x := range used {
		if o := original[x]; o != nil {
			x = o
		}
		m.note(x)
	}
	for x := range m.passed {
		used[x] = true
		if o := original[x]; o != nil {
			x = o
		}
		if passed != nil {
			passed[x] = true
		}
	}
	m.passed = passed
	for _, v := range outs {
		leaves(v, v, func(x, _ *arr) {
			used[x.same()] = true
			if o := original[x.same()]; o != nil {
				x.first = o // an argument is given back
			}
		})
	}
	return outs, used
}

// given notes what a function under a transformation gives: it is looked at, if nothing
// else is done to it.
func (m *machine) given(vs []val) []val {
	if m.passed != nil {
		for _, v := range vs {
			leaves(v, v, func(x, _ *arr) { m.passed[x.same()] = true })
		}
	}
	return vs
}

// loan is what a copy stands for, for which level it was made, and how many asked then.
type loan struct {
	of     *arr
	to     *level
	asking int
}

// lent returns v as a derivative gets it: to use it is not to use what is around the
// derivative.
func (m *machine) lent(l *level, v val) val {
	own := fresh(v)
	if m.lents == nil {
		m.lents = map[*arr]loan{}
	}
	leaves(v, own, func(a, b *arr) { m.lents[b] = loan{a.same(), l, m.asking} })
	return own
}

// returned returns v with what was lent to the level given back.
func (m *machine) returned(l *level, v val) val {
	leaves(v, v, func(x, _ *arr) {
		if o, ok := m.lents[x.same()]; ok && o.to == l && x != x.same() {
			x.first = o.of
		}
	})
	return v
}
