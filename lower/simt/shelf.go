package simt

// shelf is where the lines of an operand, rows of A or columns of B, lie in shared memory:
// those of a tile, Depth elements of each, for every stage of every slice.
type shelf struct {
	buffer, array int
	all           int  // lines of the operand
	lines         int  // lines of a tile
	each          int  // lines of a thread
	vec           int  // lines of a thread that are neighbours
	deep          bool // neighbours in memory are elements along k; else elements of neighbouring lines
	stride        int  // from line to line or from depth to depth
	size          int  // elements of a stage
}

// shelf returns new shared memory of an operand. Where eight threads read vectors side by
// side, they are in different banks.
func (t *tile) shelf(buffer, all, lines, each int, deep bool) shelf {
	s := shelf{buffer: buffer, all: all, lines: lines, each: each, vec: min(t.vec, each), deep: deep}
	if deep {
		s.vec, s.stride = 1, t.Depth+t.vec
		s.size = lines * s.stride
	} else {
		s.stride = (lines+t.vec-1)/t.vec*t.vec + t.vec
		s.size = t.Depth * s.stride
	}
	s.array = t.array(true, t.kind, t.Slices*t.Stages*s.size)
	return s
}

func (s *shelf) at(line, depth int) int64 {
	if s.deep {
		return int64(line*s.stride + depth)
	}
	return int64(depth*s.stride + line)
}

// line returns the number of a thread's i-th line, where the thread is the first of n.
func (s *shelf) line(i, n int) int { return i/s.vec*n*s.vec + i%s.vec }

func (t *tile) stage(s *shelf, stage Reg) Reg {
	return t.times(t.sum(t.times(t.sliced, int64(t.Stages)), stage), int64(s.size))
}

type reader struct {
	t       *tile
	s       *shelf
	first   Reg
	threads int
	ahead   [][]Reg // by line: elements along k
}

func (t *tile) reader(s *shelf, stage, thread Reg, threads int) *reader {
	step := int64(s.vec)
	if s.deep {
		step = int64(s.stride)
	}
	return &reader{t: t, s: s, first: t.sum(t.stage(s, stage), t.times(thread, step)), threads: threads, ahead: make([][]Reg, s.each)}
}

func (r *reader) read(q int) []Reg {
	xs := make([]Reg, r.s.each)
	for i := 0; i < len(xs); i += r.s.vec {
		at := r.s.at(r.s.line(i, r.threads), q)
		if !r.s.deep {
			copy(xs[i:], r.vector(at, r.s.vec))
			continue
		}
		if q%r.t.vec == 0 {
			r.ahead[i] = r.vector(at, r.t.vec)
		}
		xs[i] = r.ahead[i][q%r.t.vec]
	}
	return xs
}

func (r *reader) vector(at int64, n int) []Reg {
	if n == 1 {
		return []Reg{r.t.get(r.s.array, r.t.plus(r.first, at))}
	}
	xs := make([]Reg, n)
	for i := range xs {
		xs[i] = r.t.reg(r.t.kind)
	}
	r.t.add(&GetVec{xs, r.s.array, r.first, at})
	return xs
}
