package simteval

import "github.com/weft-go/weft/lower/simt"

// flight is the state of a group's fetches, for the evaluator.
type flight struct {
	open   [][]fetched   // by thread: since its last commit
	sets   [][][]fetched // by thread: committed
	coming [][]bool      // by array and element: it is not there yet
	n      int           // how many elements are not
	used   bool          // something was fetched, or committed
}

// fetched is an element that a thread fetches.
type fetched struct {
	array int
	at    int64
	value uint64
}

func newFlight(threads, arrays int) *flight {
	return &flight{open: make([][]fetched, threads), sets: make([][][]fetched, threads), coming: make([][]bool, arrays)}
}

// comes reports whether an element is not there yet.
func (f *flight) comes(array int, at int64) bool {
	return f.n > 0 && f.coming[array] != nil && f.coming[array][at]
}

func (f *flight) commit(t int) {
	f.used = true
	f.sets[t] = append(f.sets[t], f.open[t])
	f.open[t] = nil
}

// fetch begins to copy elements for a thread. No thread may use them, and no other may have
// used them since the last barrier.
func (v *evaluator) fetch(s *simt.Fetch, t int) {
	a := v.f.Arrays[s.Array]
	if bytes := s.N * a.Type.Size(); !a.Shared || bytes != 4 && bytes != 8 && bytes != 16 {
		v.fail("a fetch of %d elements of type %v to array %d", s.N, a.Type, s.Array)
		return
	}
	all := s.If == simt.NoReg || v.regs[s.If][t] != 0
	from, to := v.position(s.From, t)+s.FromPlus, v.position(s.To, t)+s.ToPlus
	if s.N > 1 && (!v.vector(s.N, a.Type, to, nil) || all && !v.vector(s.N, a.Type, from, v.buffers[s.Buffer])) {
		return
	}
	for i := range int64(s.N) {
		x := uint64(0)
		if all {
			b, size := v.element(s.Buffer, from+i, t)
			if b == nil {
				return
			}
			v.touch(spot{false, v.memory[s.Buffer], from + i}, t, simt.Reads)
			x = bitsOf(b, size)
		}
		if _, ok := v.slot(s.Array, to+i, t, simt.Writes); !ok {
			return
		}
		if v.flight.coming[s.Array] == nil {
			v.flight.coming[s.Array] = make([]bool, a.Len)
		}
		v.flight.coming[s.Array][to+i] = true
		v.flight.n++
		v.flight.used = true
		v.flight.open[t] = append(v.flight.open[t], fetched{s.Array, to + i, x})
	}
}

// await completes all sets of a thread but the last ones.
func (v *evaluator) await(left, t int) {
	f := v.flight
	for len(f.sets[t]) > left {
		for _, x := range f.sets[t][0] {
			f.coming[x.array][x.at] = false
			f.n--
			v.touch(spot{true, x.array, x.at}, t, simt.Writes)
			v.arrays[x.array][x.at] = x.value
		}
		f.sets[t] = f.sets[t][1:]
	}
}
