package fuzzgen

import (
	"maps"
	"slices"
)

func (m *machine) customJVP(w *Wrap, in []val, e *env) []val {
	f, rule := w.Fs[0], w.Fs[1]
	t := m.takerOf(f, in, e)
	if t.l == nil {
		return m.depending(t, m.plainCall(f, in, e, t))
	}
	ps := t.l.primals(in)
	nout := len(f.Outs)
	closedOver := false
	var outs []val
	touts := make([][]val, nout)
	for d := range t.l.width {
		if !t.l.along(in, d) && d+1 < t.l.width {
			for o := range touts {
				touts[o] = append(touts[o], nil)
			}
			continue
		}
		ts := t.l.tangentsOf(in, d)
		var linear map[uint32]uint32 // what the tangents are linear in, by the seeds that follow them
		if t.loop {                  // a while loop is not taken apart: its tangents are on no tape
			linear = map[uint32]uint32{}
			for k, v := range ts {
				bit := m.newSeedBit()
				linear[bit] = marksOf(v).linear
				ts[k] = marked(v, func(m marks) marks { m.linear = 0; m.seeds |= bit; return m })
			}
		}
		got, used := m.below(t, rule, append(slices.Clone(ps), ts...), e)
		if m.unreachable(t, rule, e, used) {
			m.refuseRule(t, EscapedTracer)
		}
		for _, v := range got {
			closedOver = closedOver || contains(v, t.l.age)
		}
		outs = got[:nout]
		k := nout
		for o, v := range outs {
			var tv val
			if v.like().dt.IsInexact() {
				if tv = got[k]; !t.l.along(in, d) {
					tv = nil
				} else if t.loop {
					tv = marked(tv, func(m marks) marks {
						for bit, l := range linear {
							if m.seeds&bit != 0 {
								m.linear |= l
							}
							m.seeds &^= bit
						}
						return m
					})
				}
				k++
			}
			touts[o] = append(touts[o], tv)
		}
		for bit := range linear {
			m.seeds &^= bit
		}
	}
	if closedOver {
		return m.depending(t, m.closedOver(t, outs))
	}
	boxed := make([]val, nout)
	for o, v := range outs {
		boxed[o] = box(t.l, v, touts[o])
	}
	return m.depending(t, boxed)
}

func (m *machine) customVJP(w *Wrap, in []val, e *env) []val {
	f, fwd, bwd := w.Fs[0], w.Fs[1], w.Fs[2]
	t := m.takerOf(f, in, e)
	if t.l == nil {
		return m.depending(t, m.plainCall(f, in, e, t))
	}
	l := t.l
	// The tangents must be written on a tape: of this level, or, in a rule that applies a
	// derivative to its tangents, of the level that runs the rule.
	tape, below := m.tapes(l, in)
	if t.staged { // whether the program is taken apart depends on all that it takes
		of, parts := m.tapes(l, t.inside[len(t.inside)-1].takes)
		switch {
		case of|parts == 0:
			tape, below = 0, 0
		case tape == 0 && l.taped(): // a tangent that the program was given, or one of a rule's own
			m.doubt(ForwardVJP)
			tape = of
		default:
			below |= of | parts
		}
	}
	var stuck uint32
	switch {
	case t.loop || tape|below == 0:
		m.refuseRule(t, ForwardVJP)
	case tape == 0 && t.staged: // the program is taken apart all the same
		stuck = l.bit
	case tape == 0:
		m.refuseRule(t, ForwardVJP)
	}
	for bit, o := range m.levels {
		if tape&bit != 0 && o.kind == Linearize {
			stuck |= bit
		}
	}
	ps := l.primals(in)
	got, used := m.below(t, fwd, ps, e)
	if m.unreachable(t, fwd, e, used) {
		m.refuseRule(t, EscapedTracer)
	}
	nout := len(f.Outs)
	outs, res := got[:nout], got[nout:]
	if slices.ContainsFunc(got, func(v val) bool { return contains(v, l.age) }) {
		if t.staged {
			m.residuals |= l.bit
		}
		return m.depending(t, m.closedOver(t, outs))
	}
	for bit, o := range m.levels { // a residual that is dual at the level whose tape it is for
		if tape&bit == 0 || !slices.ContainsFunc(res, o.at) {
			continue
		}
		if m.residuals |= bit; t.staged {
			stuck |= bit
		} else {
			m.refuseRule(t, ForwardVJP)
			m.refuseRule(t, ClosedOver)
		}
	}
	touts := make([][]val, nout)
	for o := range touts {
		touts[o] = make([]val, l.width)
	}
	refused, perhaps := maps.Clone(m.refused), maps.Clone(m.perhaps)
	illegal := false
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
			cts, used := m.below(t, bwd, args, e)
			illegal = illegal || m.unreachable(t, bwd, e, used)
			for _, v := range bwd.freeVars() {
				illegal = illegal || e.has(v) && usedIn(e.lookup(v), used) && contains(e.lookup(v), l.age)
			}
			for d := range l.width {
				var sum val
				for j, tv := range l.tangentsOf(in, d) {
					sum = m.plusAs(x.dt.Real(), sum, m.inner(cts[j], tv))
				}
				parts[d] = append(parts[d], sum)
			}
		}
		for d := range l.width {
			if !l.along(in, d) {
				continue
			}
			touts[o][d] = marked(m.assemble(x, parts[d]), func(k marks) marks { k.linear |= tape; k.stuck |= stuck; return k })
		}
	}
	if illegal { // what it would give is not known
		m.refused, m.perhaps = refused, perhaps
		for o, v := range outs {
			for d := range l.width {
				z := join(zerosLike(v), zerosLike(v))
				touts[o][d] = marked(z, func(k marks) marks { k.linear |= tape; k.rule |= tape; k.stuck |= stuck; return k })
			}
		}
	}
	return m.depending(t, m.boxInexact(l, outs, touts))
}

// closedOver is what comes of a rule that closes over what is being differentiated. At
// once it is refused; in a recorded program if anything depends on it.
func (m *machine) closedOver(t taker, outs []val) []val {
	if !t.staged {
		m.refuse(ClosedOver)
	}
	marks := func(k marks) marks {
		k.closed |= t.l.bit
		k.stuck |= t.l.bit & m.residuals
		return k
	}
	boxed := make([]val, len(outs))
	for k, v := range outs {
		p, _ := t.l.parts(v)
		if boxed[k] = p; !p.like().dt.IsInexact() {
			continue
		}
		ts := make([]val, t.l.width)
		for d := range ts {
			ts[d] = marked(zerosLike(p), marks)
		}
		boxed[k] = &dual{t.l, marked(p, marks), ts}
	}
	return boxed
}

// refuseRule refuses a rule that is called, or may do so where a loop leaves the call out.
func (m *machine) refuseRule(t taker, r Reason) {
	if m.loose > 0 && m.loopTapes()&^t.l.bit != 0 {
		m.doubt(r)
	} else {
		m.refuse(r)
	}
}

// tapes are the levels on whose tapes the values' tangents at level l are, and those on
// whose tapes parts of these are.
func (m *machine) tapes(l *level, vs []val) (tape, below uint32) {
	for _, v := range vs {
		_, ts := l.parts(v)
		for _, x := range ts {
			switch {
			case x == nil:
			case l.taped():
				tape |= marksOf(x).linear & l.bit
			default:
				tape |= onTape(x) & m.older(l)
				below |= marksOf(x).linear & m.older(l)
			}
		}
	}
	return tape, below
}

// older are the bits of the levels that are older than l and see what l does at once: no
// function is recorded between them.
func (m *machine) older(l *level) (bits uint32) {
	below := false
	for _, fr := range slices.Backward(m.frames) {
		if below && fr.fn != nil && !fr.again {
			break
		}
		for _, o := range append(slices.Clone(fr.hidden), fr.l) {
			below = below || o == l
			if o != nil && o.age < l.age {
				bits |= o.bit
			}
		}
	}
	return bits
}

// onTape are the levels of whose tapes v is a part, and not only its tangents.
func onTape(v val) uint32 { return base(v).linear }

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
