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
		var paths []path
		if t.loop { // a while loop is not taken apart: its tangents are on no tape
			ts, paths = m.offTape(ts)
		}
		got, used := m.below(t, rule, m.asInputs(t, in, append(slices.Clone(ps), ts...)), e)
		m.closesOverEnded(t, rule, e, used)
		for _, v := range got {
			closedOver = closedOver || contains(v, t.l.age)
		}
		outs = got[:nout]
		k := nout
		for o, v := range outs {
			var tv val
			if v.like().dt.IsInexact() {
				if t.l.along(in, d) {
					tv = onTapeAgain(got[k], paths)
				}
				k++
			}
			touts[o] = append(touts[o], tv)
		}
		for _, p := range paths {
			m.seeds &^= p.seed
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

// path follows a tangent: what it was linear in, by the seed that it has instead.
type path struct{ seed, linear uint32 }

// offTape takes tangents off their tapes.
func (m *machine) offTape(ts []val) (off []val, paths []path) {
	for _, v := range ts {
		p := path{m.newSeedBit(), marksOf(v).linear}
		paths = append(paths, p)
		off = append(off, marked(v, func(k marks) marks { k.linear = 0; k.seeds |= p.seed; return k }))
	}
	return off, paths
}

// onTapeAgain puts what came of them back.
func onTapeAgain(v val, paths []path) val {
	return marked(v, func(k marks) marks {
		for _, p := range paths {
			if k.seeds&p.seed != 0 {
				k.linear |= p.linear
			}
			k.seeds &^= p.seed
		}
		return k
	})
}

func (m *machine) customVJP(w *Wrap, in []val, e *env) []val {
	f, fwd, bwd := w.Fs[0], w.Fs[1], w.Fs[2]
	t := m.takerOf(f, in, e)
	if t.l == nil {
		return m.depending(t, m.plainCall(f, in, e, t))
	}
	l := t.l
	tape, stuck := m.tapeFor(t, in)
	got, used := m.below(t, fwd, m.asInputs(t, in, l.primals(in)), e)
	m.closesOverEnded(t, fwd, e, used)
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
	refused, perhaps := maps.Clone(m.refused), maps.Clone(m.perhaps)
	touts, legal := m.backward(t, bwd, in, outs, res, e)
	var rule uint32
	if !legal { // what it would give is not known
		m.refused, m.perhaps = refused, perhaps
		if rule = tape; tape == 0 { // an older derivative may call the rule before this one is refused
			m.doubt(ClosedOver)
			m.doubt(EscapedTracer)
		}
	}
	for o, v := range outs {
		for d, tv := range touts[o] {
			if !legal {
				tv = join(zerosLike(v), zerosLike(v))
			}
			if tv != nil {
				touts[o][d] = marked(tv, func(k marks) marks { k.linear |= tape; k.rule |= rule; k.stuck |= stuck; return k })
			}
		}
	}
	return m.depending(t, m.boxInexact(l, outs, touts))
}

// tapeFor returns on which tapes a reverse rule stands, and at which levels the derivative goes
// forward through it after all. The tangents must be written on a tape: of the level that
// takes the call, or, in a rule that applies a derivative to its tangents, of the level that
// runs the rule.
func (m *machine) tapeFor(t taker, in []val) (tape, stuck uint32) {
	l := t.l
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
	return tape, stuck
}

// backward applies a backward rule to every direction of the cotangents, and gives the
// tangents that make the same of those of the operands; legal is false if the rule cannot be
// called.
func (m *machine) backward(t taker, bwd *Func, in, outs, res []val, e *env) (touts [][]val, legal bool) {
	l := t.l
	legal = true
	for o, v := range outs {
		touts = append(touts, make([]val, l.width))
		x := v.like()
		if !x.dt.IsInexact() {
			continue
		}
		parts := make([][]val, l.width)
		for i := range directions(x) {
			cts, used := m.below(t, bwd, append(slices.Clone(res), unitCotangents(outs, o, i)...), e)
			m.closesOverEnded(t, bwd, e, used)
			for _, v := range bwd.freeVars() {
				legal = legal && !(e.has(v) && usedIn(e.lookup(v), used) && contains(e.lookup(v), l.age))
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
			if l.along(in, d) {
				touts[o][d] = m.assemble(x, parts[d])
			}
		}
	}
	return touts, legal
}

// unitCotangents returns cotangents of the inexact results: direction i of result o, else zero.
func unitCotangents(outs []val, o, i int) (cts []val) {
	for k, v := range outs {
		switch {
		case !v.like().dt.IsInexact():
		case k == o:
			cts = append(cts, basis(v.like(), i))
		default:
			cts = append(cts, zerosLike(v))
		}
	}
	return cts
}

// closedOver returns what comes of a rule that closes over what is being differentiated. At
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

// tapes returns the levels on whose tapes the values' tangents at level l are, and those on
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

// older returns the bits of the levels that are older than l and see what l does at once: no
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

// onTape returns the levels of whose tapes v is a part, and not only its tangents.
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
