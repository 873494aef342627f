package simt

import "github.com/weft-go/weft/lower/ir"

// shared emits a reduction that the threads of a group share. All of them have the
// result.
func (r *reduction) shared() []element {
	switch r.s.Order {
	case ir.Any:
		return r.sharedAny()
	case ir.Chain:
		return r.sharedChain()
	}
	return r.sharedTree()
}

// sharedAny lets each of the T threads fold every T-th element, and combines the results.
func (r *reduction) sharedAny() []element {
	e := r.e
	t := int64(e.f.Threads)
	var x []element
	e.apart(func() { x = r.run(e.tid, r.n, e.num(t)) })
	b := r.board()
	e.barrier()
	b.put(e.tid, x)
	e.barrier()
	r.halve(b, e.tid, NoReg, t, e.least(e.num(t), r.n))
	return r.first(b)
}

// halve combines the first `used` of w neighbouring elements of a board: the thread in
// lane l combines its element with that of lane l+w/2, then with that of l+w/4, and so
// on. at0 is the index of the element of lane 0; NoReg stands for 0.
func (r *reduction) halve(b store, lane, at0 Reg, w int64, used Reg) {
	e := r.e
	at := lane
	if at0 != NoReg {
		at = e.sum(at0, lane)
	}
	for h := w / 2; h > 0; h /= 2 {
		other := e.plus(lane, h)
		e.when(e.both(e.less(lane, e.num(h)), e.less(other, used)), func() {
			b.put(at, r.combine(b.get(at), b.get(e.plus(at, h))))
		})
		e.barrier()
	}
}

func (r *reduction) first(b store) []element { return r.hold(b.get(r.e.num(0))) }

func (r *reduction) onOne(f func()) {
	r.e.onOne(func() { r.e.apart(f) })
}

// sharedChain assigns each thread a chain. Each thread adds all results in order.
func (r *reduction) sharedChain() []element {
	e := r.e
	t := int64(e.f.Threads)
	b := r.board()
	total := r.zero()
	n := r.pieces()
	e.loop(e.num(0), n, e.num(t), func(base Reg) {
		mine := e.sum(base, e.tid)
		x := r.zero()
		e.when(e.less(mine, n), func() { e.apart(func() { r.set(x, r.piece(mine)) }) })
		e.barrier()
		b.put(e.tid, x)
		e.barrier()
		// Every thread computes the sum: all read the same element at once, which costs no more.
		e.loop(e.num(0), e.least(e.num(t), e.diff(n, base)), e.num(1), func(q Reg) { r.add(total, b.get(q)) })
	})
	return total
}

// sharedTree folds pieces side by side and combines neighbours pairwise. One thread
// folds a piece that is a chunk or an element; a block of lanes has a thread for each
// lane. The pieces of one round are combined on the board, the results of rounds by a
// counter.
func (r *reduction) sharedTree() []element {
	e := r.e
	t := int64(e.f.Threads)
	w := int64(1) // threads for each piece
	if r.s.Order == ir.Lanes {
		w = int64(r.s.Lanes)
	}
	if w > t {
		bug("%d lanes in a group of %d threads", w, t)
	}
	round := t / w // pieces at once
	b := r.board()
	n := r.pieces()
	lane, at0 := NoReg, NoReg
	if w > 1 {
		lane = e.rest(e.tid, w)
		at0 = e.diff(e.tid, lane)
	}
	once := r.s.Extent.IsConst() && r.s.Extent.Value <= round*pieceSize(r.s.Order) && r.s.Extent.Value > 0 && r.s.Tail == nil
	one := func(base Reg) {
		mine := e.sum(base, e.over(e.tid, w))
		x := r.hold(r.identity())
		e.when(e.less(mine, n), func() {
			e.apart(func() {
				if w == 1 {
					r.set(x, r.piece(mine))
					return
				}
				lo := e.times(mine, ir.BlockSize)
				hi := e.least(e.plus(lo, ir.BlockSize), r.n)
				r.set(x, r.run(e.sum(lo, lane), hi, e.num(w)))
			})
		})
		e.barrier()
		b.put(e.tid, x)
		e.barrier()
		if w > 1 {
			length := e.diff(r.n, e.times(mine, ir.BlockSize))
			r.halve(b, lane, at0, w, e.least(e.num(w), length))
		}
		count := e.diff(n, base)
		q := e.over(e.tid, w)
		for s := int64(1); s < round; s *= 2 {
			c := e.both(e.same(e.rest(q, 2*s), e.num(0)), e.less(e.plus(q, s), count))
			if w > 1 {
				c = e.both(c, e.same(lane, e.num(0)))
			}
			e.when(c, func() { b.put(e.tid, r.combine(b.get(e.tid), b.get(e.plus(e.tid, s*w)))) })
			e.barrier()
		}
	}
	if once {
		one(e.num(0))
		return r.first(b)
	}
	c := r.newCounter(r.private(levels))
	e.loop(e.num(0), n, e.num(round), func(base Reg) {
		one(base)
		r.onOne(func() { c.push(e.over(base, round), b.get(e.num(0))) })
	})
	e.barrier()
	r.onOne(func() { b.put(e.num(0), c.total()) })
	e.barrier()
	return r.first(b)
}
