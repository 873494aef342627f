package fuzzgen

// frame is a recorded function that is being evaluated, or a level.
type frame struct {
	fn   *Func
	loop bool // fn is the body of a while loop
	l    *level

	hidden []*level // levels out of the way, the youngest last: they get what is theirs
}

// recorded evaluates a function that is recorded.
func (m *machine) recorded(f *Func, args []val, e *env) []val {
	return m.recordedIn(frame{fn: f}, args, e)
}

func (m *machine) recordedIn(fr frame, args []val, e *env) []val {
	m.frames = append(m.frames, fr)
	outs := m.call(fr.fn, args, e)
	m.frames = m.frames[:len(m.frames)-1]
	return outs
}
