package fuzzgen

import "slices"

func (m *machine) customJVP(w *Wrap, in []val, e *env) []val {
	f, rule := w.Fs[0], w.Fs[1]
	t := m.takerOf(w, in, e)
	if t.l == nil {
		return m.plainCall(f, in, e, t)
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
		got := m.below(t, rule, append(slices.Clone(ps), ts...), e)
		for _, v := range got {
			closedOver = closedOver || contains(v, t.l.age)
		}
		outs = got[:nout]
		k := nout
		for o, v := range outs {
			var tv val
			if v.like().dt.IsInexact() {
				if t.l.along(in, d) {
					tv = got[k]
				}
				k++
			}
			touts[o] = append(touts[o], tv)
		}
	}
	if closedOver {
		return m.closedOver(t, outs)
	}
	boxed := make([]val, nout)
	for o, v := range outs {
		boxed[o] = box(t.l, v, touts[o])
	}
	return boxed
}

func (m *machine) customVJP(w *Wrap, in []val, e *env) []val {
	f, fwd, bwd := w.Fs[0], w.Fs[1], w.Fs[2]
	t := m.takerOf(w, in, e)
	if t.l == nil {
		return m.plainCall(f, in, e, t)
	}
	l := t.l
	m.forwardThrough(w, t, in, e)
	got := m.below(t, fwd, l.primals(in), e)
	nout := len(f.Outs)
	outs, res := got[:nout], got[nout:]
	if slices.ContainsFunc(got, func(v val) bool { return contains(v, l.age) }) {
		return m.closedOver(t, outs)
	}
	if slices.ContainsFunc(res, func(v val) bool { return marksOf(v).linear != 0 }) { // a residual on the tape that the rule is for
		m.unknown(ForwardVJP)
		m.unknown(ClosedOver)
	}
	return m.boxInexact(l, outs, m.backward(t, bwd, in, outs, res, e))
}

// forwardThrough records that the derivative may go forward through a reverse rule. It surely
// does not where the operands have tangents at one level only, and that level goes in reverse.
func (m *machine) forwardThrough(w *Wrap, t taker, in []val, e *env) {
	var bits uint32
	for _, v := range in {
		bits |= levelsOf(v)
	}
	for _, f := range w.Fs {
		for _, v := range f.freeVars() {
			if e.has(v) {
				bits |= levelsOf(e.lookup(v))
			}
		}
	}
	if t.loop || bits != t.l.bit || !t.l.taped() || t.l.kind == Linearize {
		m.may[ForwardVJP] = true
	}
}

// backward applies a backward rule to every direction of the cotangents, and returns the tangents
// that make the same of those of the operands.
func (m *machine) backward(t taker, bwd *Func, in, outs, res []val, e *env) (touts [][]val) {
	l := t.l
	for _, v := range bwd.freeVars() {
		if e.has(v) && contains(e.lookup(v), l.age) {
			m.unknown(ClosedOver)
		}
	}
	for o, v := range outs {
		touts = append(touts, make([]val, l.width))
		x := v.like()
		if !x.dt.IsInexact() {
			continue
		}
		parts := make([][]val, l.width)
		for i := range directions(x) {
			cts := m.below(t, bwd, append(slices.Clone(res), unitCotangents(outs, o, i)...), e)
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
	return touts
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

// closedOver returns the results of a rule that closes over what is being differentiated. Their
// derivative is not known.
func (m *machine) closedOver(t taker, outs []val) []val {
	m.unknown(ClosedOver)
	boxed := make([]val, len(outs))
	for k, v := range outs {
		p, _ := t.l.parts(v)
		if boxed[k] = p; !p.like().dt.IsInexact() {
			continue
		}
		ts := make([]val, t.l.width)
		for d := range ts {
			ts[d] = zerosLike(p)
		}
		boxed[k] = &dual{t.l, p, ts}
	}
	return boxed
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
