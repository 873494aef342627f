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
	takes  []val   // then the operands of the call in the program: what f uses, too
	inside []frame // recorded functions between the call and the level
	loop   bool    // one of them is the body of a while loop
	passed []*level
	ended  []*level // of those, what has ended when the rule is run
}

// takerOf finds the level that runs the rule of a call of f on in, and refuses what the
// function must not close over.
func (m *machine) takerOf(f *Func, in []val, e *env) taker {
	var t taker
	m.given(in)      // the level that gets the call looks at its operands
	var closed []val // what f uses of what is around it, once it has been recorded
	over := func(l *level) bool { return slices.ContainsFunc(closed, l.at) }
	for i := len(m.frames) - 1; i >= 0; i-- {
		fr := m.frames[i]
		if fr.fn != nil {
			t.inside = append(t.inside, fr)
			t.ended = slices.Clone(t.passed)
			t.loop = t.loop || fr.loop
			if t.staged {
				continue
			}
			t.staged = true
			for _, v := range in {
				m.touch(v)
			}
			closed = m.recordedUses(f, in, e, i)
			t.takes = slices.Concat(closed, in)
			for _, l := range m.levels { // younger than the recorder
				if !slices.ContainsFunc(m.frames[:i], func(fr frame) bool { return fr.l == l }) && over(l) {
					m.refuse(ClosedOver)
				}
			}
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

// recordedUses records f, with nothing differentiated yet, and gives the values that it
// uses of those around it.
func (m *machine) recordedUses(f *Func, in []val, e *env, at int) (used []val) {
	old := m.touched
	m.touched = map[*arr]bool{}
	m.asking++
	outs := m.under(at+1, func() []val {
		return m.ghostly(func() []val {
			plain := make([]val, len(in))
			for k, v := range in { // an array of its own: to use it is not to use what was given
				plain[k] = fresh(base(v))
			}
			return m.recorded(f, plain, &env{around: e, plain: true})
		})
	})
	for _, v := range outs {
		m.touch(v)
	}
	for _, v := range f.freeVars() {
		if x := e.lookup(v); m.touched[base(x).same()] {
			used = append(used, x)
		}
	}
	touched := m.touched
	m.touched = old
	m.asking--
	for x := range touched {
		m.note(x)
	}
	return used
}

// below evaluates a rule where the level that takes a call runs it: below itself. What was
// recorded on the way is recorded again there. Which arrays it used is said, too.
func (m *machine) below(t taker, rule *Func, args []val, e *env) (outs []val, used map[*arr]bool) {
	outs, used = m.watched(args, func(args []val) []val {
		return m.under(t.at, func() []val { return m.call(rule, args, e) }, t.inside...)
	})
	if again := t.again(); again != 0 {
		for k, v := range outs { // what the call gives depends on what it takes: see depending
			outs[k] = marked(v, func(k marks) marks { k.from &^= again; return k })
		}
	}
	return outs, used
}

// again returns the marks of the functions that are recorded again when the rule is run.
func (t taker) again() (bits uint32) {
	for _, fr := range t.inside {
		bits |= fr.bit
	}
	return bits
}

// asInputs returns the arguments of a rule, primals and perhaps tangents, in functions that are
// recorded again: what is being differentiated there is an input of them, wherever it came
// from.
func (m *machine) asInputs(t taker, in, args []val) []val {
	again := t.again()
	if again == 0 {
		return args
	}
	mark := func(v val) val { return marked(v, func(k marks) marks { k.from |= again; return k }) }
	out := slices.Clone(args)
	tangents := out[len(in):]
	for k, v := range in {
		traced := levelsOf(v) != 0
		if traced {
			out[k] = mark(out[k])
		}
		if len(tangents) > 0 && v.like().dt.IsInexact() {
			if traced {
				tangents[0] = mark(tangents[0])
			}
			tangents = tangents[1:]
		}
	}
	return out
}

// under evaluates f with only the oldest n frames there, and those given, the youngest
// first.
func (m *machine) under(n int, f func() []val, again ...frame) []val {
	old := m.frames
	var hidden []*level
	for _, fr := range old[n:] {
		hidden = append(hidden, fr.hidden...)
		if fr.l != nil {
			hidden = append(hidden, fr.l)
		}
	}
	m.frames = append(slices.Clip(old[:n]), frame{hidden: hidden})
	for _, fr := range slices.Backward(again) {
		fr.again = true
		m.frames = append(m.frames, fr)
	}
	defer func() { m.frames = old }()
	return f()
}

// plainCall evaluates a function with rules where nothing is differentiated with respect
// to its operands. The levels that let it pass look at what is returned.
func (m *machine) plainCall(f *Func, in []val, e *env, t taker) []val {
	outs := m.under(0, func() []val { return m.call(f, in, e) })
	for _, l := range t.passed {
		if slices.ContainsFunc(outs, l.at) {
			m.refuse(ClosedOver)
		}
	}
	return outs
}

// closesOverEnded notes that a rule, which used some arrays, may be refused where it closes
// over a value of a trace or a transformation that has ended when its level runs it. A value
// of a trace is computed again, and may then be one that is being differentiated.
func (m *machine) closesOverEnded(t taker, rule *Func, e *env, used map[*arr]bool) {
	for _, v := range rule.freeVars() {
		if !e.has(v) || !usedIn(e.lookup(v), used) {
			continue
		}
		x := e.lookup(v)
		if slices.ContainsFunc(t.inside, func(fr frame) bool { return fr.fn == v.owner || fr.again }) {
			m.doubt(ClosedOver)
		}
		if slices.ContainsFunc(t.ended, func(l *level) bool { return l.at(x) || marksOf(x).via&l.bit != 0 }) {
			m.doubt(EscapedTracer)
			m.doubt(ClosedOver)
		}
	}
}

// depending returns what a call gives: once it is recorded it is one equation, whose results
// depend on all that it takes.
func (m *machine) depending(t taker, outs []val) []val {
	if !t.staged {
		return outs
	}
	return m.equation(t.takes, outs)
}
