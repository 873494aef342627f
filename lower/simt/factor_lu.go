package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// eliminate writes the kernel that eliminates columns. Threads share the rows below the pivot and, where there are more
// threads than rows, also the columns to its right.
func eliminate(k *schedule.Eliminate) *Func {
	e := newFactorer("eliminate", k.Threads, true, k.X.DType, k.Batch)
	threads := int64(k.Threads)
	bits := e.kind.Unsigned()
	if e.complex {
		bits = scalar.U64
	}
	greatest := e.newGreatest(bits)
	pivots := k.Y.Buffer + 1
	e.panel(&k.Batch, &k.Panel, k.X, k.Y, func(b, rows, cols Reg, get func(i, j Reg) number, set func(i, j Reg, x number)) {
		e.loop(e.num(0), e.size(k.Steps), e.num(1), func(p Reg) {
			best, row := greatest.of(p, rows, func(i Reg) Reg { return e.magnitude(get(i, p)) })
			none := e.same(best, e.constant(bits, 0))
			e.onOne(func() {
				to := e.more(e.sum(e.times(b, k.Each), p), k.First)
				e.add(&Store{pivots, to, e.convert(scalar.I32, e.more(row, k.First))})
				if k.Marks {
					e.add(&Store{pivots + 1, to, e.choose(none, e.constant(scalar.I32, 1), e.constant(scalar.I32, 0))})
				}
			})
			e.when(e.op(scalar.OpNe, scalar.Bool, row, p), func() {
				e.loop(e.tid, cols, e.num(threads), func(j Reg) {
					x, y := get(p, j), get(row, j)
					set(p, j, y)
					set(row, j, x)
				})
			})
			e.barrier()
			end := e.choose(none, e.num(0), rows)
			below := e.plus(p, 1)
			pivot := get(p, p)
			e.loop(e.sum(below, e.tid), end, e.num(threads), func(i Reg) { set(i, p, e.quotientOf(get(i, p), pivot)) })
			e.barrier()
			e.loop(e.sum(below, e.rest(e.tid, k.Across)), end, e.num(k.Across), func(i Reg) {
				x := get(i, p)
				e.loop(e.sum(below, e.over(e.tid, k.Across)), cols, e.num(threads/k.Across), func(j Reg) {
					set(i, j, e.lessProduct(x, get(p, j), get(i, j)))
				})
			})
			e.barrier()
		})
	})
	return e.f
}

// panel emits what body does with the columns of each matrix, which are in shared memory if that has room: get and set read and write
// element (i, j).
func (e *factorer) panel(part *schedule.Batch, p *schedule.Panel, x, y schedule.Matrices, body func(b, rows, cols Reg, get func(i, j Reg) number, set func(i, j Reg, x number))) {
	a := 0
	if p.Shared > 0 {
		a = e.numbers(p.Shared) // by column
	}
	e.points([]int64{part.Count}, func(at []Reg) {
		b, rows, cols := at[0], e.size(p.Rows), e.size(p.Cols)
		if p.Shared == 0 {
			body(b, rows, cols, func(i, j Reg) number { return e.read(y, e.position(y, b, i, j)) }, func(i, j Reg, x number) { e.write(y, e.position(y, b, i, j), x) })
			return
		}
		stride := e.op(scalar.OpOr, e.ix, rows, e.num(1))
		get := func(i, j Reg) number { return e.from(a, e.sum(e.prod(j, stride), i)) }
		set := func(i, j Reg, x number) { e.keep(a, e.sum(e.prod(j, stride), i), x) }
		all := func(f func(i, j Reg)) {
			e.loop(e.tid, e.prod(rows, cols), e.num(int64(e.f.Threads)), func(at Reg) {
				i := e.op(scalar.OpDiv, e.ix, at, cols)
				f(i, e.diff(at, e.prod(i, cols)))
			})
		}
		all(func(i, j Reg) { set(i, j, e.read(x, e.position(x, b, i, j))) })
		e.barrier()
		body(b, rows, cols, get, set)
		all(func(i, j Reg) { e.write(y, e.position(y, b, i, j), get(i, j)) })
	})
}

// A greatest finds the greatest magnitudes of columns, whose rows the threads of a group share.
type greatest struct {
	*factorer
	bits          scalar.Type
	warps         int64
	keys, numbers int // arrays by warp: its greatest magnitude and the row of that; only if there are several warps
}

func (e *factorer) newGreatest(bits scalar.Type) *greatest {
	g := &greatest{factorer: e, bits: bits, warps: int64(e.f.Threads) / warp}
	if g.warps > 1 {
		g.keys, g.numbers = e.array(true, g.bits, int(g.warps)), e.array(true, e.ix, int(g.warps))
	}
	return g
}

// of returns the greatest size of the rows of a column from row first on, and the first row that has
// it. Sizes are the bits of magnitudes; NaN is above ∞. The greatest is 0 if there is no row. of
// contains a barrier, after which a thread may change the column.
func (g *greatest) of(first, rows Reg, size func(i Reg) Reg) (best, row Reg) {
	e, bits := g.factorer, g.bits
	inf := uint64(0xff) << 23
	if bits == scalar.U64 {
		inf = 0x7ff << 52
	}
	mine := e.sum(first, e.tid)
	best, row = e.copied(e.constant(bits, 0)), e.copied(mine)
	e.loop(mine, rows, e.num(int64(e.f.Threads)), func(i Reg) {
		e.better(best, row, e.least(size(i), e.constant(bits, inf+1)), i)
	})
	for xor := warp / 2; xor > 0; xor /= 2 {
		size, i := e.reg(bits), e.reg(e.ix)
		e.add(&Shuffle{Dst: size, Src: best, Xor: xor})
		e.add(&Shuffle{Dst: i, Src: row, Xor: xor})
		e.better(best, row, size, i)
	}
	if g.warps > 1 {
		e.when(e.same(e.rest(e.tid, warp), e.num(0)), func() {
			e.put(g.keys, e.over(e.tid, warp), best)
			e.put(g.numbers, e.over(e.tid, warp), row)
		})
	}
	e.barrier()
	if g.warps > 1 {
		for i := range g.warps {
			e.better(best, row, e.get(g.keys, e.num(i)), e.get(g.numbers, e.num(i)))
		}
	}
	return best, row
}

// better replaces a pivot by another one that is greater, or as great and in an earlier row.
func (e *factorer) better(best, row, size, i Reg) {
	take := e.both(e.same(best, size), e.less(i, row))
	take = e.op(scalar.OpOr, scalar.Bool, take, e.less(best, size))
	e.move(best, e.choose(take, size, best))
	e.move(row, e.choose(take, i, row))
}

// rowSwaps writes the kernel that exchanges rows: a thread has a column.
func rowSwaps(k *schedule.RowSwaps) *Func {
	e := newFactorer("row_swaps", 128, false, k.Y.DType, k.Batch)
	e.sized([]ir.Size{ir.Const(k.Count), k.Others}, func(at []Reg) {
		b, first, pivots := at[0], e.size(k.First), e.size(k.Pivots)
		col := e.choose(e.less(at[1], first), at[1], e.sum(at[1], pivots))
		e.loop(first, e.sum(first, pivots), e.num(1), func(p Reg) {
			q := e.convert(e.ix, e.raw(1, e.sum(e.times(b, k.Each), p)))
			e.when(e.op(scalar.OpNe, scalar.Bool, p, q), func() {
				here, there := e.position(k.Y, b, p, col), e.position(k.Y, b, q, col)
				x, y := e.peek(k.Y, here), e.peek(k.Y, there)
				e.poke(k.Y, here, y)
				e.poke(k.Y, there, x)
			})
		})
	})
	return e.f
}

// permutation writes the kernel that applies exchanges to the numbers of rows, one after the other: exchange i is between row
// i and the row that it names. Negative rows count from the end. If the named row is outside, row i gets the number of the
// nearest row, which keeps it.
func permutation(k *schedule.Permutation) *Func {
	e := newFactorer("permutation", 64, true, 0, k.Batch)
	a := 0
	if k.Shared {
		a = e.array(true, scalar.I32, int(k.Size))
	}
	e.points([]int64{k.Count}, func(at []Reg) {
		base := e.times(at[0], k.Size)
		get := func(i Reg) Reg { return e.raw(0, e.sum(base, i)) }
		set := func(i, x Reg) { e.add(&Store{0, e.sum(base, i), x}) }
		if k.Shared {
			get, set = func(i Reg) Reg { return e.get(a, i) }, func(i, x Reg) { e.put(a, i, x) }
		}
		all := func(body func(i Reg)) { e.loop(e.tid, e.num(k.Size), e.num(int64(e.f.Threads)), body) }
		all(func(i Reg) { set(i, e.convert(scalar.I32, i)) })
		if k.N > 0 {
			e.barrier()
			e.onOne(func() {
				e.loop(e.num(0), e.num(k.N), e.num(1), func(i Reg) {
					s := e.convert(e.ix, e.raw(1, e.sum(e.times(at[0], k.N), i)))
					s = e.choose(e.less(s, e.num(0)), e.plus(s, k.Size), s)
					to := e.least(e.op(scalar.OpMax, e.ix, s, e.num(0)), e.num(k.Size-1))
					old, other := get(i), get(to)
					set(i, other)
					e.when(e.same(to, s), func() { set(to, old) })
				})
			})
			e.barrier()
		}
		if k.Shared {
			all(func(i Reg) { e.add(&Store{0, e.sum(base, i), e.get(a, i)}) })
		}
	})
	return e.f
}
