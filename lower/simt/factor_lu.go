package simt

import (
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// eliminate writes the kernel that eliminates columns. Threads share the rows, and where there are more threads than rows
// the columns behind one.
func eliminate(k *schedule.Eliminate) *Func {
	e := newFactorer("eliminate", k.Threads, true, k.X.DType, k.Buffers)
	threads := int64(k.Threads)
	across := int64(warp) // threads of different rows
	for across < min(threads, k.Rows) {
		across *= 2
	}
	bits := e.kind.Unsigned()
	greatest := e.newGreatest()
	stride := k.Rows | 1
	a := 0
	if k.Shared {
		a = e.array(true, e.kind, int(k.Cols*stride)) // by column
	}
	pivots := k.Y.Buffer + 1
	e.points([]int64{k.Count}, func(at []Reg) {
		b := at[0]
		get := func(i, j Reg) Reg { return e.get(a, e.sum(e.times(j, stride), i)) }
		set := func(i, j, x Reg) { e.put(a, e.sum(e.times(j, stride), i), x) }
		if k.Shared {
			e.each(k.Rows, k.Cols, true, func(i, j Reg) { set(i, j, e.read(k.X, e.position(k.X, b, i, j))) })
			e.barrier()
		} else {
			get = func(i, j Reg) Reg { return e.read(k.Y, e.position(k.Y, b, i, j)) }
			set = func(i, j, x Reg) { e.write(k.Y, e.position(k.Y, b, i, j), x) }
		}
		e.loop(e.num(0), e.num(min(k.Rows, k.Cols)), e.num(1), func(p Reg) {
			best, row := greatest.of(p, k.Rows, func(i Reg) Reg { return get(i, p) })
			none := e.same(best, e.constant(bits, 0))
			e.onOne(func() {
				to := e.plus(e.sum(e.times(b, k.Each), p), k.First)
				e.add(&Store{pivots, to, e.convert(scalar.I32, e.plus(row, k.First))})
				if k.Marks {
					e.add(&Store{pivots + 1, to, e.choose(none, e.constant(scalar.I32, 1), e.constant(scalar.I32, 0))})
				}
			})
			e.when(e.op(scalar.OpNe, scalar.Bool, row, p), func() {
				e.loop(e.tid, e.num(k.Cols), e.num(threads), func(j Reg) {
					x, y := get(p, j), get(row, j)
					set(p, j, y)
					set(row, j, x)
				})
			})
			e.barrier()
			end := e.choose(none, e.num(0), e.num(k.Rows))
			below := e.plus(p, 1)
			pivot := get(p, p)
			e.loop(e.sum(below, e.tid), end, e.num(threads), func(i Reg) { set(i, p, e.over2(get(i, p), pivot)) })
			e.barrier()
			e.loop(e.sum(below, e.rest(e.tid, across)), end, e.num(across), func(i Reg) {
				x := get(i, p)
				e.loop(e.sum(below, e.over(e.tid, across)), e.num(k.Cols), e.num(threads/across), func(j Reg) {
					set(i, j, e.lessProduct(get(p, j), x, get(i, j)))
				})
			})
			e.barrier()
		})
		if k.Shared {
			e.each(k.Rows, k.Cols, true, func(i, j Reg) { e.write(k.Y, e.position(k.Y, b, i, j), get(i, j)) })
		}
	})
	return e.f
}

// A greatest finds the greatest numbers of columns, whose rows the threads of a group share.
type greatest struct {
	*factorer
	bits          scalar.Type
	warps         int64
	keys, numbers int // arrays with the greatest one of each warp, if there is more than one
}

func (e *factorer) newGreatest() *greatest {
	g := &greatest{factorer: e, bits: e.kind.Unsigned(), warps: int64(e.f.Threads) / warp}
	if g.warps > 1 {
		g.keys, g.numbers = e.array(true, g.bits, int(g.warps)), e.array(true, e.ix, int(g.warps))
	}
	return g
}

// of returns the greatest |v| of rows first, … of a column, as bits in whose order NaN is above ∞, and the first of its
// rows; 0 if there is no row. It contains a barrier, behind which a thread may change v.
func (g *greatest) of(first Reg, rows int64, v func(i Reg) Reg) (best, row Reg) {
	e, bits := g.factorer, g.bits
	sign, inf := uint64(1)<<31, uint64(0xff)<<23
	if bits == scalar.U64 {
		sign, inf = uint64(1)<<63, uint64(0x7ff)<<52
	}
	mine := e.sum(first, e.tid)
	best, row = e.copied(e.constant(bits, 0)), e.copied(mine)
	e.loop(mine, e.num(rows), e.num(int64(e.f.Threads)), func(i Reg) {
		size := e.op(scalar.OpAnd, bits, e.op(scalar.OpBitcast, bits, v(i)), e.constant(bits, sign-1))
		e.better(best, row, e.least(size, e.constant(bits, inf+1)), i)
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
	e := newFactorer("row_swaps", 128, false, k.Y.DType, k.Buffers)
	e.points([]int64{k.Count, k.Cols - k.Pivots}, func(at []Reg) {
		b := at[0]
		col := e.choose(e.less(at[1], e.num(k.First)), at[1], e.plus(at[1], k.Pivots))
		e.loop(e.num(k.First), e.num(k.First+k.Pivots), e.num(1), func(p Reg) {
			q := e.convert(e.ix, e.raw(1, e.sum(e.times(b, k.Each), p)))
			e.when(e.op(scalar.OpNe, scalar.Bool, p, q), func() {
				here, there := e.position(k.Y, b, p, col), e.position(k.Y, b, q, col)
				x, y := e.raw(0, here), e.raw(0, there)
				e.add(&Store{0, here, y})
				e.add(&Store{0, there, x})
			})
		})
	})
	return e.f
}

// permutation writes the kernel that applies exchanges to the numbers of rows, one after the other. Negative rows count
// from the end. If the other row is outside, row k gets the nearest one, which itself stays as it is.
func permutation(k *schedule.Permutation) *Func {
	e := newFactorer("permutation", 64, true, 0, k.Buffers)
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
