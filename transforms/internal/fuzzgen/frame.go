package fuzzgen

// frame is a recorded function that is being evaluated, or a level.
type frame struct {
	fn    *Func
	loop  bool  // fn is the body of a while loop
	again bool  // fn is recorded again, to apply a rule
	takes []val // what fn was given and closes over, as seen from without
	mark        // of what depends on fn's parameters
	l     *level

	hidden []*level // levels out of the way, the youngest last: they get what is theirs
}

// recorded evaluates a function that is recorded.
func (m *machine) recorded(f *Func, args []val, e *env) []val {
	return m.recordedIn(frame{fn: f}, f, args, e)
}

func (m *machine) recordedIn(fr frame, f *Func, args []val, e *env) []val {
	fr.mark, fr.takes = m.newMark(), m.takes
	m.frames = append(m.frames, fr)
	outs := m.call(f, fr.on(args), e)
	for _, v := range outs {
		m.touch(v)
	}
	m.frames = m.frames[:len(m.frames)-1]
	via := m.viaRecorders()
	for k, v := range outs {
		outs[k] = fresh(marked(v, func(k marks) marks { k.via &= via; return k })) // results of an equation
	}
	return m.end(fr.mark, outs)
}

// viaRecorders returns the levels that see what is done in a function that is being recorded
// only later: those around it.
func (m *machine) viaRecorders() (bits uint32) {
	var around uint32
	for _, fr := range m.frames {
		if fr.fn != nil {
			bits |= around
		}
		if fr.l != nil {
			around |= fr.l.bit
		}
		for _, l := range fr.hidden {
			around |= l.bit
		}
	}
	return bits
}

// loopTapes returns the levels with a tape on which a while loop is that goes on: what is not
// needed in its body is no part of what older levels see.
func (m *machine) loopTapes() (bits uint32) {
	for _, fr := range m.frames {
		if fr.loop {
			for _, v := range fr.takes {
				bits |= marksOf(v).linear
			}
		}
	}
	return bits
}

// mark is a bit for what depends on the parameters of a function that is being recorded
// or mapped, and since when.
type mark struct {
	age int
	bit uint32
}

func (m *machine) newMark() mark {
	m.ages++
	for b := uint32(1); ; b <<= 1 {
		if m.marks&b == 0 {
			m.marks |= b
			return mark{m.ages, b}
		}
	}
}

// on gives the mark to all values.
func (k mark) on(vs []val) []val {
	out := make([]val, len(vs))
	for i, v := range vs {
		out[i] = marked(v, func(m marks) marks { m.from |= k.bit; return m })
	}
	return out
}

// end takes the mark off again.
func (m *machine) end(k mark, vs []val) []val {
	m.marks &^= k.bit
	out := make([]val, len(vs))
	for i, v := range vs {
		out[i] = marked(v, func(m marks) marks { m.from &^= k.bit; return m })
	}
	return out
}
