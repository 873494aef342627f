package fuzzgen

import "slices"

// Which level gets a call of a function with rules: the frames are tried from the youngest on. A
// level at which an operand has a tangent runs the rule, with what is younger out of the way.

// taker is the level that runs the rule of a call.
type taker struct {
	l      *level // nil if none does
	at     int    // its frame
	loop   bool   // the body of a while loop is between the call and the level
	passed []*level
}

// takerOf finds the level that runs the rule of a call of w's function on in. It records the
// reasons for which the call may be refused: see [Reason].
func (m *machine) takerOf(w *Wrap, in []val, e *env) (t taker) {
	m.closes(w, e)
	for i := len(m.frames) - 1; i >= 0; i-- {
		fr := m.frames[i]
		t.loop = t.loop || fr.loop
		for _, l := range slices.Backward(append(slices.Clone(fr.hidden), fr.l)) {
			if l == nil {
				continue
			}
			if slices.ContainsFunc(in, l.at) {
				t.l, t.at = l, i
				return t
			}
			t.passed = append(t.passed, l)
		}
	}
	return t
}

// closes records whether the functions of a call close over what is differentiated, or over a
// value of a function that is being recorded or differentiated, which may end before a rule is run.
// Of a function that is recorded and then differentiated, all that calls return counts as
// differentiated, though its derivative be zero. So does what is handed on to a function that does not use it.
func (m *machine) closes(w *Wrap, e *env) {
	recording := slices.ContainsFunc(m.frames, func(fr frame) bool { return fr.fn != nil })
	differentiating := slices.ContainsFunc(m.frames, func(fr frame) bool { return fr.l != nil })
	for _, f := range w.Fs {
		for _, v := range f.seenVars() {
			if !e.has(v) {
				continue
			}
			x := e.lookup(v)
			differentiated := levelsOf(x) != 0
			if differentiated || recording && differentiating && x.like().dt.IsInexact() {
				m.may[ClosedOver] = true
			}
			if differentiated || recording {
				m.may[EscapedTracer] = true
			}
		}
	}
}

// below evaluates a rule where the level that takes a call runs it: below itself.
func (m *machine) below(t taker, rule *Func, args []val, e *env) []val {
	return m.under(t.at, func() []val { return m.call(rule, args, e) })
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
// to its operands. The levels that let it pass look at what is returned.
func (m *machine) plainCall(f *Func, in []val, e *env, t taker) []val {
	outs := m.under(0, func() []val { return m.call(f, in, e) })
	for _, l := range t.passed {
		if slices.ContainsFunc(outs, l.at) {
			m.unknown(ClosedOver)
		}
	}
	return outs
}
