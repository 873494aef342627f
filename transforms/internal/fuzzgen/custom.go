package fuzzgen

import "slices"

// Who gets a call of a function with rules: the frames are asked from the youngest on. A
// recorder records the function, and what it closes over becomes operands; a level at
// which an operand has a tangent runs the rule, with what is younger out of the way.

// taker is the level that runs the rule of a call.
type taker struct {
	l      *level  // nil if none does
	at     int     // its frame
	staged bool    // the function was recorded on the way
	inside []*Func // recorded functions between the call and the level
	loop   bool    // one of them is the body of a while loop
	passed []*level
	ended  []*level // of those, what has ended when the rule is run
}

// takerOf finds the level that runs the rule of a call of f on in, and refuses what the
// function must not close over.
func (m *machine) takerOf(f *Func, in []val, e *env) taker {
	var t taker
	var closed []val
	for _, v := range f.freeVars() {
		if e.has(v) {
			closed = append(closed, e.lookup(v))
		}
	}
	over := func(l *level) bool { return slices.ContainsFunc(closed, l.at) }
	for i := len(m.frames) - 1; i >= 0; i-- {
		fr := m.frames[i]
		if fr.fn != nil {
			t.inside = append(t.inside, fr.fn)
			t.ended = slices.Clone(t.passed)
			t.loop = t.loop || fr.loop
			if t.staged {
				continue
			}
			t.staged = true
			for _, l := range m.levels { // younger than the recorder
				if !slices.ContainsFunc(m.frames[:i], func(fr frame) bool { return fr.l == l }) && over(l) {
					m.refuse(ClosedOver)
				}
			}
			// It is recorded with nothing differentiated yet.
			m.under(i+1, func() []val {
				return m.ghostly(func() []val {
					plain := make([]val, len(in))
					for k, v := range in {
						plain[k] = base(v)
					}
					return m.recorded(f, plain, &env{around: e, plain: true})
				})
			})
			continue
		}
		for _, l := range slices.Backward(fr.hidden) {
			if t.staged && over(l) {
				m.refuse(ClosedOver)
			}
			if slices.ContainsFunc(in, l.at) {
				t.l, t.at = l, i
				return t
			}
		}
		l := fr.l
		if l == nil {
			continue
		}
		if t.staged && over(l) {
			m.refuse(ClosedOver)
		}
		if slices.ContainsFunc(in, l.at) {
			t.l, t.at = l, i
			return t
		}
		t.passed = append(t.passed, l)
	}
	return t
}

// under evaluates f with only the oldest n frames there.
func (m *machine) under(n int, f func() []val) []val {
	old := m.frames
	var hidden []*level
	for _, fr := range old[n:] {
		hidden = append(hidden, fr.hidden...)
		if fr.l != nil {
			hidden = append(hidden, fr.l)
		}
	}
	m.frames = append(slices.Clip(old[:n]), frame{hidden: hidden})
	defer func() { m.frames = old }()
	return f()
}

// plainCall evaluates a function with rules where nothing is differentiated with respect
// to its operands. The levels that let it pass look at what comes back.
func (m *machine) plainCall(f *Func, in []val, e *env, t taker) []val {
	outs := m.under(0, func() []val { return m.call(f, in, e) })
	for _, l := range t.passed {
		if slices.ContainsFunc(outs, l.at) {
			m.refuse(ClosedOver)
		}
	}
	return outs
}

// unknown reports whether a variable cannot be looked at: it depends on a parameter of a
// recorded function, or on one that is mapped outside of the function that owns it.
func (m *machine) unknown(v *Var) bool {
	return slices.ContainsFunc(v.sources, func(f *Func) bool {
		switch {
		case f.recorded:
			return true
		case f.around == nil:
			return m.recordedWhole
		}
		for g := v.owner; g != nil; g = g.around {
			if g == f {
				return true
			}
		}
		return false
	})
}

// unreachable reports whether a rule closes over what has ended when its level runs it.
func (m *machine) unreachable(t taker, rule *Func, e *env) bool {
	for _, v := range rule.freeVars() {
		if slices.Contains(t.inside, v.owner) && m.unknown(v) {
			return true
		}
		if e.has(v) {
			x := e.lookup(v)
			if slices.ContainsFunc(t.ended, func(l *level) bool { return l.at(x) }) {
				return true
			}
		}
	}
	return false
}

// tangentsOf are the tangents of the operands along direction d; zeros are written out.
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

func (m *machine) customJVP(w *Wrap, in []val, e *env) []val {
	f, rule := w.Fs[0], w.Fs[1]
	t := m.takerOf(f, in, e)
	if t.l == nil {
		return m.plainCall(f, in, e, t)
	}
	if m.unreachable(t, rule, e) {
		m.refuse(EscapedTracer)
	}
	ps := t.l.primals(in)
	nout := len(f.Outs)
	var outs []val
	touts := make([][]val, nout)
	for d := range t.l.width {
		ts := t.l.tangentsOf(in, d)
		if t.loop { // a while loop is not taken apart: its tangents are on no tape
			for k, v := range ts {
				ts[k] = marked(v, func(m marks) marks { m.linear = 0; return m })
			}
		}
		got := m.under(t.at, func() []val { return m.call(rule, append(slices.Clone(ps), ts...), e) })
		for _, v := range got {
			if contains(v, t.l.age) {
				m.refuse(ClosedOver)
			}
		}
		outs = got[:nout]
		k := nout
		for o, v := range outs {
			var tv val
			if v.like().dt.IsInexact() {
				tv = got[k]
				k++
			}
			touts[o] = append(touts[o], tv)
		}
	}
	if slices.ContainsFunc(outs, func(v val) bool { return contains(v, t.l.age) }) {
		return outs // refused: there is nothing to box
	}
	boxed := make([]val, nout)
	for o, v := range outs {
		boxed[o] = box(t.l, v, touts[o])
	}
	return boxed
}

func (m *machine) customVJP(w *Wrap, in []val, e *env) []val {
	f, fwd, bwd := w.Fs[0], w.Fs[1], w.Fs[2]
	t := m.takerOf(f, in, e)
	if t.l == nil {
		return m.plainCall(f, in, e, t)
	}
	l := t.l
	// The tangents must be written on a tape: of this level, or, in a rule that applies a
	// derivative to its tangents, of the level that runs the rule.
	var tape, below uint32
	for _, v := range in {
		_, ts := l.parts(v)
		for _, x := range ts {
			if a, ok := x.(*arr); ok && !l.taped() {
				tape |= a.linear
			} else if x != nil && l.taped() {
				tape |= marksOf(x).linear & l.bit
			} else if x != nil {
				below |= marksOf(x).linear
			}
		}
	}
	switch {
	case t.loop || tape|below == 0:
		m.refuse(ForwardVJP)
	case tape == 0 && t.staged: // the program is taken apart all the same
		m.backwardRules = append(m.backwardRules, l)
	case tape == 0:
		m.refuse(ForwardVJP)
	}
	for bit, o := range m.levels {
		if tape&bit != 0 && o.kind == Linearize {
			m.backwardRules = append(m.backwardRules, o)
		}
	}
	if m.unreachable(t, fwd, e) {
		m.refuse(EscapedTracer)
	}
	ps := l.primals(in)
	got := m.under(t.at, func() []val { return m.call(fwd, ps, e) })
	nout := len(f.Outs)
	outs, res := got[:nout], got[nout:]
	for _, v := range got {
		if contains(v, l.age) {
			m.refuse(ClosedOver)
			if t.staged { // a residual that is differentiated where the loop or call is
				m.refuse(ForwardVJP)
			}
			return outs
		}
	}
	illegal := m.unreachable(t, bwd, e)
	for _, v := range bwd.freeVars() {
		illegal = illegal || e.has(v) && contains(e.lookup(v), l.age)
	}
	touts := make([][]val, nout)
	for o := range touts {
		touts[o] = make([]val, l.width)
	}
	if illegal { // what it would give is not known
		for o, v := range outs {
			for d := range l.width {
				z := join(zerosLike(v), zerosLike(v))
				touts[o][d] = marked(z, func(k marks) marks { k.linear |= tape; k.rule |= tape; return k })
			}
		}
		return m.boxInexact(l, outs, touts)
	}
	for o, v := range outs {
		x := v.like()
		if !x.dt.IsInexact() {
			continue
		}
		parts := make([][]val, l.width)
		for i := range directions(x) {
			args := slices.Clone(res)
			for k, u := range outs {
				if !u.like().dt.IsInexact() {
					continue
				}
				if k == o {
					args = append(args, basis(x, i))
				} else {
					args = append(args, zerosLike(u))
				}
			}
			cts := m.under(t.at, func() []val { return m.call(bwd, args, e) })
			for d := range l.width {
				var sum val
				for j, tv := range l.tangentsOf(in, d) {
					sum = m.plusAs(x.dt.Real(), sum, m.inner(cts[j], tv))
				}
				parts[d] = append(parts[d], sum)
			}
		}
		for d := range l.width {
			touts[o][d] = marked(m.assemble(x, parts[d]), func(k marks) marks { k.linear |= tape; return k })
		}
	}
	return m.boxInexact(l, outs, touts)
}

func (m *machine) boxInexact(l *level, outs []val, touts [][]val) []val {
	boxed := make([]val, len(outs))
	for o, v := range outs {
		boxed[o] = v
		if v.like().dt.IsInexact() {
			boxed[o] = box(l, v, touts[o])
		}
	}
	return boxed
}
