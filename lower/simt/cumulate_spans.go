package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// spanFold is the code for a row. A span is 32 chunks, which 32 threads fold: thread l folds
// chunk l. Rounds of spans follow one another.
type spanFold struct {
	*rowFold
	board int   // by span, chunk and element: values, then running values within the chunk
	spans int64 // of a round

	// Arrays, by span of the round.
	sums    int // the fold of the span's totals
	offsets int // the running value of the totals of the spans before it
	firsts  int // the running value of the total of the last chunk before the span

	lane, span Reg // thread in its span, span in the round
	row0       Reg // element of the board at which the span begins
	chunk      Reg // number of the span's first chunk in the row
	lo         Reg // number of the span's first element
}

func (w *spanFold) row() {
	w.lane = w.rest(w.tid, ir.CumChunk)
	w.span = w.over(w.tid, ir.CumChunk)
	w.row0 = w.times(w.span, ir.CumChunk*foldRow)
	state := w.above()
	step := w.spans * foldSpan
	if w.length <= step {
		w.round(w.num(0), state)
		return
	}
	w.loop(w.num(0), w.num(w.length), w.num(step), func(base Reg) {
		w.round(base, state)
		w.barrier()
	})
}

// whole emits code for spans that are complete, and other code for those that are not.
func (w *spanFold) whole(complete, rest func()) {
	switch {
	case w.length%(w.spans*foldSpan) == 0:
		complete()
	default:
		w.add(&If{Cond: w.op(scalar.OpLe, scalar.Bool, w.plus(w.lo, foldSpan), w.num(w.length)), Then: w.block(complete), Else: w.block(rest)})
	}
}

// unrolled emits 32 steps, foldUnroll at a time.
func (w *spanFold) unrolled(f func(j []Reg)) {
	w.loop(w.num(0), w.num(ir.CumChunk), w.num(foldUnroll), func(j Reg) {
		js := make([]Reg, foldUnroll)
		for u := range js {
			js[u] = w.plus(j, int64(u))
		}
		f(js)
	})
}

// round emits the fold of the spans from element base on.
func (w *spanFold) round(base Reg, state *aboveSpans) {
	w.lo = w.sum(base, w.times(w.span, foldSpan))
	w.chunk = w.over(w.lo, ir.CumChunk)
	w.read()
	w.barrier()
	w.chunks()
	w.barrier()
	w.total()
	w.barrier()
	w.onOne(func() { state.round(base) })
	w.barrier()
	w.write()
}

// cell returns the place on the board of element l of chunk j of the span.
func (w *spanFold) cell(j, l Reg) Reg { return w.sum(w.row0, w.sum(w.times(j, foldRow), l)) }

func (w *spanFold) read() {
	first := w.sum(w.lo, w.lane)
	w.whole(func() {
		w.unrolled(func(js []Reg) {
			var xs [foldUnroll]Reg
			for u, j := range js {
				xs[u] = w.element(w.sum(first, w.times(j, ir.CumChunk)))
			}
			for u, j := range js {
				w.put(w.board, w.cell(j, w.lane), xs[u])
			}
		})
	}, func() {
		w.loop(w.num(0), w.num(ir.CumChunk), w.num(1), func(j Reg) {
			i := w.sum(first, w.times(j, ir.CumChunk))
			w.when(w.less(i, w.num(w.length)), func() { w.put(w.board, w.cell(j, w.lane), w.element(i)) })
		})
	})
}

// chunks emits the fold of a chunk by each thread.
func (w *spanFold) chunks() {
	acc := w.copied(w.identity())
	w.whole(func() {
		w.unrolled(func(ls []Reg) {
			var xs [foldUnroll]Reg
			for u, l := range ls {
				xs[u] = w.get(w.board, w.cell(w.lane, l))
			}
			x := acc
			for u := range ls {
				x = w.two(x, xs[u])
				xs[u] = x
			}
			for u, l := range ls {
				w.put(w.board, w.cell(w.lane, l), xs[u])
			}
			w.move(acc, x)
		})
	}, func() {
		count := w.least(w.diff(w.num(w.length), w.sum(w.lo, w.times(w.lane, ir.CumChunk))), w.num(ir.CumChunk))
		w.loop(w.num(0), count, w.num(1), func(l Reg) {
			at := w.cell(w.lane, l)
			w.move(acc, w.two(acc, w.get(w.board, at)))
			w.put(w.board, at, acc)
		})
	})
}

func (w *spanFold) totalOf(j Reg) Reg { return w.get(w.board, w.cell(j, w.num(ir.CumChunk-1))) }

// total emits the fold of the chunks' totals of each span but the last of the row.
func (w *spanFold) total() {
	w.when(w.both(w.same(w.lane, w.num(0)), w.less(w.plus(w.lo, foldSpan), w.num(w.length))), func() {
		acc := w.copied(w.identity())
		w.unrolled(func(js []Reg) {
			var xs [foldUnroll]Reg
			for u, j := range js {
				xs[u] = w.totalOf(j)
			}
			x := acc
			for u := range js {
				x = w.two(x, xs[u])
			}
			w.move(acc, x)
		})
		w.put(w.sums, w.span, acc)
	})
}

// write emits what is done with the running values.
func (w *spanFold) write() {
	first := w.sum(w.lo, w.lane)
	acc := w.copied(w.identity()) // the running value of the span's totals
	offset := w.copied(w.get(w.firsts, w.span))
	above := w.get(w.offsets, w.span)
	begins := w.same(w.chunk, w.num(0)) // the span begins the row
	value := func(j Reg, x, total Reg, mayBegin bool) Reg {
		y := w.two(offset, x)
		if mayBegin {
			y = w.choose(w.both(begins, w.same(j, w.num(0))), x, y)
		}
		w.move(acc, w.two(acc, total))
		w.move(offset, w.choose(begins, acc, w.two(above, acc)))
		return y
	}
	w.whole(func() {
		w.unrolled(func(js []Reg) {
			var xs, totals [foldUnroll]Reg
			for u, j := range js {
				xs[u], totals[u] = w.get(w.board, w.cell(j, w.lane)), w.totalOf(j)
			}
			for u, j := range js {
				xs[u] = value(j, xs[u], totals[u], u == 0)
			}
			for u, j := range js {
				w.then(w.sum(first, w.times(j, ir.CumChunk)), xs[u])
			}
		})
	}, func() {
		w.loop(w.num(0), w.num(ir.CumChunk), w.num(1), func(j Reg) {
			i := w.sum(first, w.times(j, ir.CumChunk))
			w.when(w.less(i, w.num(w.length)), func() {
				w.then(i, value(j, w.get(w.board, w.cell(j, w.lane)), w.totalOf(j), true))
			})
		})
	})
}

// aboveSpans is the state of the spans before a round. Only the thread of onOne advances it.
type aboveSpans struct {
	*spanFold
	offset Reg // the running value of the spans' totals
	first  Reg // the running value of the last chunk's total
	levels *ladder
}

// above emits the state before the first span.
func (w *spanFold) above() *aboveSpans {
	a := &aboveSpans{spanFold: w, offset: w.copied(w.identity()), first: w.copied(w.identity())}
	if w.length > ir.CumChunk*foldSpan {
		c := w.levels()
		a.levels = &c
	}
	return a
}

// round emits the offsets of the spans of a round.
func (a *aboveSpans) round(base Reg) {
	first := a.over(base, foldSpan)
	a.loop(a.num(0), a.num(a.spans), a.num(1), func(q Reg) {
		a.put(a.offsets, q, a.offset)
		a.put(a.firsts, q, a.first)
		i := a.sum(first, q) // number of the span
		a.when(a.less(a.times(a.plus(i, 1), foldSpan), a.num(a.length)), func() {
			total := a.get(a.sums, q)
			a.move(a.first, a.choose(a.same(i, a.num(0)), total, a.two(a.offset, total)))
			if a.levels != nil {
				a.move(a.offset, a.levels.next(i, total))
			} else {
				a.move(a.offset, a.two(a.offset, total))
			}
		})
	})
}
