package device

import "slices"

// script is what a run of a program does if the host takes no part in it: launches on
// memory. It is recorded by the first run. Later runs replace memory, and nothing else: they
// neither visit steps nor look at values.
type script struct {
	launches []Launch // one without a kernel and Control copies Symbols[0] bytes from buffer 0 to 1
	uses     [][]use  // by slot
	now      []Place  // by slot: its memory in the run before

	// Slots are pieces of memory: those of the arguments, and those that a run allocates.
	same []int // by argument: the first one that lies in the same place
	own  []ownSlot
	outs []symbol

	changed []int  // launches whose memory is other than in the run before
	marked  []bool // by launch: whether it is in changed
}

// ownSlot is memory that a run allocates.
type ownSlot struct {
	bytes  int
	result bool   // a result lies in it; otherwise it is free when the run has been given to the device
	before *block // its block in the run before
}

// use is a buffer of a launch that lies in a slot, from a byte on.
type use struct{ launch, buffer, offset int }

// symbol is memory in a slot, or that of the program if slot is −1.
type symbol struct {
	slot, offset int
	fixed        view
}

// recorder makes a script while a program runs.
type recorder struct {
	script
	given []view // the arguments
	args  []view // the arguments as the run takes them, in pieces of their own
	slots map[*piece]int
	own   []*piece
	spare map[int][]*piece // the pieces of own that the run no longer needs, by size
}

// record returns a recorder of a run on arguments. The run takes the recorder's views of them,
// in pieces of their own: an argument may also be a constant of the program, and later runs
// do not replace the memory of constants.
func record(args []view) *recorder {
	r := &recorder{given: args, slots: map[*piece]int{}, spare: map[int][]*piece{}}
	r.same = sameViews(nil, args)
	for i, v := range args {
		if first := r.same[i]; first != i {
			r.args = append(r.args, r.args[first])
			continue
		}
		own := &piece{block: v.p.block}
		r.args = append(r.args, view{own, v.offset})
		r.slots[own] = i
	}
	return r
}

// original returns a view of the run, moved from the recorder's piece of an argument to the argument's own piece.
func (r *recorder) original(v view) view {
	if slot, known := r.slots[v.p]; known && slot < len(r.args) {
		v.p = r.given[slot].p
	}
	return v
}

// sameViews appends, for each view, the number of the first one that is equal.
func sameViews(to []int, views []view) []int {
	for i, v := range views {
		to = append(to, slices.Index(views[:i+1], v))
	}
	return to
}

// alloc returns memory that the run has released, or new memory.
func (r *recorder) alloc(p *pool, bytes int) (*piece, error) {
	size := pieceBytes(bytes)
	if l := r.spare[size]; len(l) > 0 {
		r.spare[size] = l[:len(l)-1]
		return l[len(l)-1], nil
	}
	x, err := p.alloc(bytes)
	if err == nil {
		r.slots[x] = len(r.args) + len(r.own)
		r.own = append(r.own, x)
	}
	return x, err
}

// free takes memory that the rest of the run may use for something else.
func (r *recorder) free(p *piece) { r.spare[p.bytes] = append(r.spare[p.bytes], p) }

func (r *recorder) symbol(v view) symbol {
	slot, known := r.slots[v.p]
	if !known {
		return symbol{-1, 0, v}
	}
	return symbol{slot, v.offset - r.base(slot).offset, view{}}
}

func (r *recorder) base(slot int) view {
	if slot < len(r.args) {
		return r.args[slot]
	}
	return view{p: r.own[slot-len(r.args)]}
}

func (r *recorder) add(k Kernel, groups int, views []view, symbols []int64) {
	r.append(Launch{Kernel: k, Groups: groups, Symbols: slices.Clone(symbols)}, views...)
}

func (r *recorder) append(l Launch, views ...view) {
	for i, v := range views {
		l.Buffers = append(l.Buffers, v.place())
		if s := r.symbol(v); s.slot >= 0 {
			for len(r.uses) <= s.slot {
				r.uses = append(r.uses, nil)
			}
			r.uses[s.slot] = append(r.uses[s.slot], use{len(r.launches), i, s.offset})
		}
	}
	r.launches = append(r.launches, l)
}

// finish returns the script of a run with these results. It releases memory in which no
// result lies: commands that use it have been given.
func (r *recorder) finish(outs []view) *script {
	s := &r.script
	for range r.own {
		s.own = append(s.own, ownSlot{})
	}
	for _, v := range outs {
		o := r.symbol(v)
		s.outs = append(s.outs, o)
		if k := o.slot - len(r.args); k >= 0 {
			s.own[k].result = true
		}
	}
	for slot := range len(r.args) + len(r.own) {
		s.now = append(s.now, r.base(slot).place())
		if k := slot - len(r.args); k >= 0 {
			s.own[k].bytes = r.own[k].bytes
		}
	}
	for len(s.uses) < len(s.now) {
		s.uses = append(s.uses, nil)
	}
	s.marked = make([]bool, len(s.launches))
	r.drop(s)
	return s
}

// drop releases the memory that the recorder's run allocated, except for results of the script.
func (r *recorder) drop(s *script) {
	for k, p := range r.own {
		if s == nil || !s.own[k].result {
			p.release()
		}
	}
	r.given, r.args, r.own, r.slots, r.spare = nil, nil, nil, nil, nil
}

func (s *script) set(slot int, at Place) {
	if s.now[slot] == at {
		return
	}
	s.now[slot] = at
	for _, u := range s.uses[slot] {
		s.launches[u.launch].Buffers[u.buffer] = Place{at.Memory, at.Offset + u.offset}
		if !s.marked[u.launch] {
			s.marked[u.launch] = true
			s.changed = append(s.changed, u.launch)
		}
	}
}

// settle clears the marks of launches whose memory has changed.
func (s *script) settle() {
	for _, i := range s.changed {
		s.marked[i] = false
	}
	s.changed = s.changed[:0]
}
