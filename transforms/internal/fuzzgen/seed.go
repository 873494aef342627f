package fuzzgen

// Linearize writes down what becomes of tangents, and drops what comes to nothing: an
// operand of the linear map is used only if a result depends on it.

// seed is an operand of a linear map, and a copy of it that is followed through the
// function.
type seed struct {
	of, own val
	bit     uint32
}

func (m *machine) newSeed(v val) seed {
	s := seed{of: v, bit: 1}
	for m.seeds&s.bit != 0 {
		s.bit <<= 1
	}
	m.seeds |= s.bit
	s.own = marked(fresh(v), func(k marks) marks { k.seeds |= s.bit; return k })
	return s
}

// grown notes that the operands on which a result's tangent depends are used.
func (m *machine) grown(seeds []seed, t val) {
	if len(seeds) == 0 || t == nil {
		return
	}
	for _, s := range seeds {
		if marksOf(t).seeds&s.bit != 0 {
			m.touch(s.of)
		}
	}
}

func seedBits(seeds []seed) (bits uint32) {
	for _, s := range seeds {
		bits |= s.bit
	}
	return bits
}

// fresh is a copy of v of whose use nobody hears.
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

// watched evaluates f on copies of its arguments and says which arrays it used or gave
// that are not its arguments.
func (m *machine) watched(args []val, f func([]val) []val) (outs []val, used map[*arr]bool) {
	old := m.touched
	m.touched = map[*arr]bool{}
	own := make([]val, len(args))
	original := map[*arr]*arr{}
	for k, v := range args {
		own[k] = fresh(v)
		leaves(v, own[k], func(a, b *arr) { original[b] = a.same() })
	}
	outs = f(own)
	used, m.touched = m.touched, old
	if old != nil {
		for x := range used {
			if o := original[x]; o != nil {
				x = o
			}
			old[x] = true
		}
	}
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
