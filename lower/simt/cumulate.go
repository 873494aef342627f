package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// running is a cumulative fold that is being emitted.
type running struct {
	*emitter
	s *ir.Cumulate
	f fold

	n      Reg   // number of elements, if length is 0
	length int64 // number of elements if it is known, else 0
}

// cumDepth is the number of levels of a ladder, enough for 32⁸ elements.
const cumDepth = 9

func (e *emitter) cumulate(s *ir.Cumulate) {
	loads, stores := accesses(s.Body, s.Then)
	e.before(loads, stores)
	r := &running{emitter: e, s: s, f: fold{Op: s.Op, Value: e.k.Types[s.Value]}, n: e.extent(s.Extent, nil)}
	if e.together {
		r.shared()
		return
	}
	c := r.levels()
	e.loop(e.num(0), r.n, e.num(1), func(i Reg) {
		r.then(i, c.next(i, r.element(i)))
	})
}

func (r *running) place(i Reg) Reg {
	switch {
	case !r.s.Reverse:
		return i
	case r.length > 0:
		return r.diff(r.num(r.length-1), i)
	}
	return r.diff(r.plus(r.n, -1), i)
}

func (r *running) element(i Reg) Reg {
	r.emitter.axes[r.s.Axis] = r.place(i)
	r.stmts(r.s.Body)
	return r.regs[r.s.Value]
}

// then emits what is done with the running value of element i.
func (r *running) then(i, x Reg) {
	r.emitter.axes[r.s.Axis] = r.place(i)
	r.regs[r.s.Param] = x
	r.stmts(r.s.Then)
}

func (r *running) two(x, y Reg) Reg {
	return r.combine(r.f, element{x, NoReg}, element{y, NoReg})[0]
}

func (r *running) identity() Reg { return r.constant(r.f.Value, r.f.Op.Identity(r.f.Value)) }

// A ladder computes running values one after the other. Level 0 are the elements, level
// l+1 the totals of level l's chunks; a total goes up when the next chunk begins.
type ladder struct {
	*running
	acc    int // by level: the fold of the open chunk
	offset int // by level: the running value of the level above, before the open chunk
	value  int // by level: an element that is on its way up
	count  int // by level: the index of that element
}

func (r *running) levels() ladder {
	return ladder{r, r.array(false, r.f.Value, cumDepth), r.array(false, r.f.Value, cumDepth), r.array(false, r.f.Value, cumDepth), r.array(false, r.ix, cumDepth)}
}

// next returns the running value of element i, whose value is x.
func (c ladder) next(i, x Reg) Reg {
	e := c.emitter
	const m = ir.CumChunk
	level := e.copied(e.num(0))
	c.put(c.value, level, x)
	c.put(c.count, level, i)
	begins := func() Reg { // the element at level begins a chunk that is not the first
		p := c.get(c.count, level)
		return e.both(e.less(e.num(0), p), e.same(e.rest(p, m), e.num(0)))
	}
	up := &While{}
	up.Cond = e.block(func() { up.Test = begins() })
	up.Body = e.block(func() {
		total := c.get(c.acc, level)
		p := e.plus(e.over(c.get(c.count, level), m), -1)
		e.move(level, e.plus(level, 1))
		c.put(c.value, level, total)
		c.put(c.count, level, p)
	})
	e.add(up)
	result := e.reg(c.f.Value)
	down := &While{}
	down.Cond = e.block(func() { down.Test = e.op(scalar.OpLe, scalar.Bool, e.num(0), level) })
	down.Body = e.block(func() {
		p := c.get(c.count, level)
		first := e.same(e.rest(p, m), e.num(0))
		acc := e.copied(c.identity())
		e.when(e.op(scalar.OpNot, scalar.Bool, first), func() { e.move(acc, c.get(c.acc, level)) })
		sum := c.two(acc, c.get(c.value, level))
		c.put(c.acc, level, sum)
		e.move(result, sum)
		e.when(e.op(scalar.OpLe, scalar.Bool, e.num(m), p), func() { e.move(result, c.two(c.get(c.offset, level), sum)) })
		e.move(level, e.plus(level, -1))
		e.when(e.op(scalar.OpLe, scalar.Bool, e.num(0), level), func() { c.put(c.offset, level, result) })
	})
	e.add(down)
	return result
}

// shared emits a cumulative fold that the T threads of a group share, T chunks at once.
// Each thread folds its chunk; T/32 threads run over the chunks' totals, 32 each, and one
// thread runs over the totals of these. Then each thread goes through its chunk again,
// with the offset.
func (r *running) shared() {
	e := r.emitter
	const m = ir.CumChunk
	t := int64(e.f.Threads)
	if t%m != 0 {
		bug("a cumulative fold in a group of %d threads", t)
	}
	totals := e.board(r.f.Value, 0)                 // level 1: running values within chunks
	offsets := e.array(true, r.f.Value, int(t/m)+1) // level 2: running values before chunks; element t/m: the running value so far
	last := e.array(true, r.f.Value, 1)             // the running value of level 1's last element
	var above ladder
	e.apart(func() { above = r.levels() })
	chunks := e.over(e.plus(r.n, m-1), m)
	e.loop(e.num(0), chunks, e.num(t), func(base Reg) {
		mine := e.sum(base, e.tid)
		lo := e.times(mine, m)
		hi := e.least(e.plus(lo, m), r.n)
		acc := e.copied(r.identity())
		e.apart(func() {
			e.loop(lo, hi, e.num(1), func(i Reg) { e.move(acc, r.two(acc, r.element(i))) })
		})
		e.barrier()
		e.put(totals, e.tid, acc)
		e.barrier()
		// Level 1: thread q runs over totals 32q … 32q+31.
		e.when(e.less(e.tid, e.num(t/m)), func() {
			e.apart(func() {
				sum := e.copied(r.identity())
				at := e.times(e.tid, m)
				e.loop(at, e.plus(at, m), e.num(1), func(i Reg) {
					e.move(sum, r.two(sum, e.get(totals, i)))
					e.put(totals, i, sum)
				})
			})
		})
		e.barrier()
		// Level 2 and above: the offset of a chunk of totals is the running value before it.
		// Each chunk that another one follows adds its total.
		e.onOne(func() {
			e.apart(func() {
				first := e.over(base, m) // number of the round's first chunk of level 1
				e.loop(e.num(0), e.num(t/m), e.num(1), func(q Reg) {
					e.put(offsets, q, e.get(offsets, e.num(t/m)))
					// Chunk first+q of totals is complete if another one follows.
					e.when(e.less(e.times(e.plus(e.sum(first, q), 1), m), chunks), func() {
						total := e.get(totals, e.plus(e.times(q, m), m-1))
						e.put(offsets, e.num(t/m), above.next(e.sum(first, q), total))
					})
				})
			})
		})
		e.barrier()
		// The offset of chunk c is the running value of total c−1.
		value := func(at Reg) Reg { // of total base+at
			x := e.copied(e.get(totals, at))
			whole := e.sum(base, at)
			e.when(e.op(scalar.OpLe, scalar.Bool, e.num(m), whole), func() {
				e.move(x, r.two(e.get(offsets, e.over(at, m)), x))
			})
			return x
		}
		offset := e.copied(r.identity())
		e.apart(func() {
			e.add(&If{
				Cond: e.less(e.num(0), e.tid),
				Then: e.block(func() { e.move(offset, value(e.plus(e.tid, -1))) }),
				Else: e.block(func() { e.when(e.less(e.num(0), base), func() { e.move(offset, e.get(last, e.num(0))) }) }),
			})
		})
		// Thread T−1's total is the last one of this round.
		next := e.copied(r.identity())
		e.when(e.same(e.tid, e.num(t-1)), func() { e.apart(func() { e.move(next, value(e.tid)) }) })
		e.barrier()
		e.when(e.same(e.tid, e.num(t-1)), func() { e.put(last, e.num(0), next) })
		sum := e.copied(r.identity())
		e.apart(func() {
			e.loop(lo, hi, e.num(1), func(i Reg) {
				e.move(sum, r.two(sum, r.element(i)))
				x := e.copied(sum)
				e.when(e.less(e.num(0), mine), func() { e.move(x, r.two(offset, sum)) })
				r.then(i, x)
			})
		})
	})
	_, stores := accesses(r.s.Then)
	e.again(true, stores)
}
