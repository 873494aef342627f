package simt

// lines copies lines of an operand to shared memory.
type lines struct {
	*shelf
	t     *tile
	o     Operand
	count int // neighbours of one access
	taken int // threads that take part

	// A thread copies lines line, line + lineStep, … at depths depth, depth + depthStep, ….
	lineStep, lineCount   int
	depthStep, depthCount int
	depth                 Reg
	from, to              Reg   // places of its first element
	inside                []Reg // by line: whether the operand has it; nil: it has all
}

// contiguous reports whether an operand's neighbours along k are neighbours in memory, and those from line to line are
// not, unless there is one line.
func (o Operand) contiguous(lines int) bool { return o.K == 1 && (o.Outer != 1 || lines == 1) }

// lines emits what the fetches of a tile have in common. `at` is the place of the operand's first
// element, and `first` the number of its first line; whole reports whether `at` is a multiple of a vector.
func (t *tile) lines(s *shelf, o Operand, at Reg, whole bool, first Reg) *lines {
	l := &lines{shelf: s, t: t, o: o, count: 1}
	whole = whole && t.length(s.buffer)%int64(t.vec) == 0
	along := o.contiguous(s.all)
	threads := t.Slice()
	var across int // threads along neighbours in memory
	switch {
	case s.deep && along:
		if whole && t.k%t.vec == 0 && (o.Outer%t.vec == 0 || s.all == 1) {
			l.count = t.vec
		}
		across = min(t.Depth/l.count, threads)
	case along: // the copies of eight threads go to different banks
		across = min(8, t.Depth, threads)
		for across < t.Depth && threads/across > s.lines {
			across *= 2
		}
	default:
		if whole && !s.deep && s.all%t.vec == 0 && s.lines%t.vec == 0 && o.Outer == 1 && (o.K%t.vec == 0 || t.k == 1) {
			l.count = t.vec
		}
		across = min(s.lines/l.count, threads)
	}
	near, far := t.times(t.rest(t.lane, int64(across)), int64(l.count)), t.over(t.lane, int64(across))
	var line Reg
	if along {
		l.depthStep, l.lineStep = across*l.count, min(threads/across, s.lines)
		l.depth, line = near, far
		l.taken = across * l.lineStep
	} else {
		l.lineStep, l.depthStep = across*l.count, min(threads/across, t.Depth)
		l.depth, line = far, near
		l.taken = across * l.depthStep
	}
	l.lineCount, l.depthCount = s.lines/l.lineStep, t.Depth/l.depthStep
	if s.deep {
		l.to = t.sum(t.times(line, int64(s.stride)), l.depth)
	} else {
		l.to = t.sum(t.times(l.depth, int64(s.stride)), line)
	}
	mine := t.sum(first, line)
	l.from = t.sum(at, t.sum(t.times(mine, int64(o.Outer)), t.times(l.depth, int64(o.K))))
	if s.all%s.lines != 0 {
		for i := range l.lineCount {
			l.inside = append(l.inside, t.less(t.plus(mine, int64(i*l.lineStep)), t.num(int64(s.all))))
		}
	}
	return l
}

// fetch emits the copies of Depth elements of all lines from k on.
func (l *lines) fetch(k, stage Reg) {
	t := l.t
	to := t.sum(t.stage(l.shelf, stage), l.to)
	from := t.sum(t.times(k, int64(l.o.K)), l.from)
	t.sharing(l.taken, func() {
		for d := range l.depthCount {
			deep := d * l.depthStep
			live := t.exists(t.plus(t.sum(k, l.depth), int64(deep)))
			for i := range l.lineCount {
				cond := live
				switch {
				case l.inside != nil && live != NoReg:
					cond = t.both(live, l.inside[i])
				case l.inside != nil:
					cond = l.inside[i]
				}
				t.add(&Fetch{Array: l.array, To: to, ToPlus: l.at(i*l.lineStep, deep), Buffer: l.buffer, From: from,
					FromPlus: int64(deep)*int64(l.o.K) + int64(i*l.lineStep)*int64(l.o.Outer), N: l.count, If: cond})
			}
		}
	})
}

// exists returns whether operands have elements at k, NoReg if they have at every k that slices take.
func (t *tile) exists(k Reg) Reg {
	if t.parts > 0 && t.k%(t.chunk*t.parts) != 0 {
		return t.less(k, t.num(int64(t.k)))
	}
	if t.parts > 0 || t.k%(t.chunk*t.Slices) == 0 || t.Slices == 1 && t.k%t.Depth == 0 {
		return NoReg
	}
	return t.less(k, t.num(int64(t.k)))
}

func (t *tile) sharing(n int, f func()) {
	if n < t.Slice() {
		t.when(t.less(t.lane, t.num(int64(n))), f)
		return
	}
	f()
}
