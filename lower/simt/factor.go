package simt

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

type factorer struct {
	*emitter
	kind    scalar.Type // of the parts of numbers
	complex bool
}

func newFactorer(name string, threads int, group bool, dt core.DType, p schedule.Batch) *factorer {
	f := &Func{Name: name, Kernel: &ir.Kernel{Name: name, Buffers: p.Buffers, Symbols: p.Symbols}, Threads: threads, Group: group}
	lengths := make([]int64, len(p.Buffers))
	for i, b := range p.Buffers {
		if lengths[i] = b.Len.Value; !b.Len.IsConst() {
			lengths[i] = math.MaxInt64
		}
	}
	e := &factorer{newEmitter(f, positionType(lengths...)), scalar.F32, dt.IsComplex()}
	if scalar.Stored(dt) == scalar.F64 {
		e.kind = scalar.F64
	}
	return e
}

func (e *factorer) position(m schedule.Matrices, b, i, j Reg) Reg {
	steps := func(x Reg, n int64, symbol ir.Size) Reg {
		if symbol.IsConst() {
			return e.times(x, n)
		}
		return e.prod(x, e.size(symbol))
	}
	return e.more(e.plus(e.sum(e.sum(steps(b, m.Batch, m.Steps[0]), steps(i, m.Row, m.Steps[1])), steps(j, m.Col, m.Steps[2])), m.Offset), m.Place)
}

func (e *factorer) more(x Reg, n ir.Size) Reg {
	if n.IsConst() {
		return e.plus(x, n.Value)
	}
	return e.sum(x, e.size(n))
}

func (e *factorer) raw(buffer int, at Reg) Reg {
	x := e.reg(e.k.Buffers[buffer].Type)
	e.add(&Load{x, buffer, at})
	return x
}

// peek returns an element as it lies in memory.
func (e *factorer) peek(m schedule.Matrices, at Reg) number {
	at = e.times(at, e.width())
	return e.eachPart(func(i int) Reg { return e.raw(m.Buffer, e.plus(at, int64(i))) })
}

func (e *factorer) poke(m schedule.Matrices, at Reg, x number) {
	at = e.times(at, e.width())
	for i, x := range x {
		e.add(&Store{m.Buffer, e.plus(at, int64(i)), x})
	}
}

func (e *factorer) read(m schedule.Matrices, at Reg) number {
	x := e.peek(m, at)
	switch {
	case scalar.IsSmallFloat(m.DType):
		return number{e.widen(m.DType, x[0])}
	case m.Conj:
		return e.conj(x)
	}
	return x
}

func (e *factorer) write(m schedule.Matrices, at Reg, x number) {
	if m.Conj {
		x = e.conj(x)
	}
	e.poke(m, at, e.eachPart(func(i int) Reg {
		if scalar.IsSmallFloat(m.DType) {
			return e.narrow(m.DType, x[i])
		}
		return e.op(scalar.OpCanon, e.kind, x[i])
	}))
}

// readIf returns an element, or 0 if inside is false.
func (e *factorer) readIf(inside Reg, m schedule.Matrices, b, i, j Reg) number {
	x := e.variable(e.zero())
	e.when(inside, func() { e.assign(x, e.read(m, e.position(m, b, i, j))) })
	return x
}

func (e *factorer) upTo(x, y Reg) Reg { return e.op(scalar.OpLe, scalar.Bool, x, y) }

// few is the number of columns that a thread computes side by side.
func (e *factorer) few() int64 { return 4 / e.width() }

// each emits a loop in which the threads of the group share rows × cols pairs of numbers. Neighbouring threads
// have neighbouring columns if `byRow` is set, else neighbouring rows.
func (e *factorer) each(rows, cols int64, byRow bool, body func(i, j Reg)) {
	e.loop(e.tid, e.num(rows*cols), e.num(int64(e.f.Threads)), func(at Reg) {
		if byRow {
			i, j := e.quotient(at, cols)
			body(i, j)
			return
		}
		j, i := e.quotient(at, rows)
		body(i, j)
	})
}

// byRow reports whether neighbouring columns are at least as near to each other in memory as neighbouring rows.
func byRow(m schedule.Matrices) bool { return max(m.Col, -m.Col) <= max(m.Row, -m.Row) }

// skipped returns whether a buffer marks number i of matrix b.
func (e *factorer) skipped(buffer int, from ir.Size, batch int64, b, i Reg) Reg {
	return e.same(e.raw(buffer, e.more(e.sum(e.times(b, batch), i), from)), e.constant(scalar.I32, 1))
}

// unless emits what an iteration does unless it has a mark in an array, 0 for none. Zeros in the place of its products would leave
// real numbers as they are, but not −0 as a part of a complex one, to which the product of two imaginary parts is added.
func (e *factorer) unless(marks int, at Reg, body func()) {
	if marks == 0 {
		body()
		return
	}
	e.when(e.same(e.get(marks, at), e.constant(scalar.I32, 0)), body)
}

// solve writes the kernel of triangular systems. A thread solves for one right side, a few unknowns at a time: it subtracts
// products with the unknowns before these, then those with these. Zeros replace skipped numbers: their products leave
// real sums as they are.
func solve(k *schedule.Solve) *Func {
	e := newFactorer("triangular_solve", k.Threads, true, k.A.DType, k.Batch)
	threads, few := int64(k.Threads), e.few()
	n := k.Most
	a, x := e.numbers(n*n), e.numbers(n*threads) // columns of A, rows of X
	marks := 0
	if k.Skip >= 0 && e.complex {
		marks = e.array(true, scalar.I32, int(n))
	}
	less := e.lessProduct
	if k.Adjoint {
		less = func(c, v, y number) number { return e.lessProduct(v, e.conj(c), y) }
	}
	e.sized([]ir.Size{ir.Const(k.Count), k.Groups}, func(at []Reg) {
		b, first := at[0], e.times(at[1], threads)
		size, sides := e.size(k.N), e.size(k.M)
		skipped := func(i Reg) Reg { return e.skipped(k.Skip, k.SkipFrom, k.SkipBatch, b, i) }
		if marks > 0 {
			e.loop(e.tid, size, e.num(threads), func(i Reg) {
				e.put(marks, i, e.choose(skipped(i), e.constant(scalar.I32, 1), e.constant(scalar.I32, 0)))
			})
		}
		e.each(n, n, byRow(k.A), func(i, j Reg) {
			inside := e.both(e.less(i, size), e.upTo(j, i))
			if k.Unit {
				inside = e.both(e.less(i, size), e.less(j, i))
			}
			v := e.variable(e.zero())
			e.when(inside, func() {
				e.assign(v, e.read(k.A, e.position(k.A, b, i, j)))
				if k.Skip >= 0 {
					e.assign(v, e.pick(skipped(j), e.zero(), v))
				}
			})
			e.keep(a, e.sum(e.times(j, n), i), v)
		})
		e.each(n, threads, byRow(k.B), func(i, s Reg) {
			side := e.sum(first, s)
			e.keep(x, e.sum(e.times(i, threads), s), e.readIf(e.both(e.less(i, size), e.less(side, sides)), k.B, b, i, side))
		})
		e.barrier()
		mine := func(i Reg) Reg { return e.sum(e.times(i, threads), e.tid) }
		e.loop(e.num(0), size, e.num(few), func(j Reg) {
			sums := make([]number, few)
			for r := range sums {
				sums[r] = e.variable(e.from(x, mine(e.plus(j, int64(r)))))
			}
			e.loop(e.num(0), j, e.num(1), func(i Reg) {
				e.unless(marks, i, func() {
					v := e.from(x, mine(i))
					for r, c := range e.beside(a, e.sum(e.times(i, n), j), few) {
						e.assign(sums[r], less(c, v, sums[r]))
					}
				})
			})
			for r := range sums {
				i := e.plus(j, int64(r))
				column := e.beside(a, e.sum(e.times(i, n), j), few)
				if !k.Unit {
					sums[r] = e.quotientOf(sums[r], column[r])
				}
				v := sums[r]
				if k.Skip >= 0 { // the unknown itself goes to memory now
					inside := e.both(e.less(i, size), e.less(e.sum(first, e.tid), sides))
					v = e.variable(v)
					e.when(inside, func() {
						e.write(k.X, e.position(k.X, b, i, e.sum(first, e.tid)), sums[r])
						e.assign(v, e.pick(skipped(i), e.zero(), v))
					})
				}
				e.keep(x, mine(i), v)
				if r+1 == len(sums) {
					break
				}
				e.unless(marks, i, func() {
					for q := r + 1; q < len(sums); q++ {
						e.assign(sums[q], less(column[q], v, sums[q]))
					}
				})
			}
		})
		if k.Skip >= 0 {
			return
		}
		e.barrier()
		e.each(n, threads, byRow(k.X), func(i, s Reg) {
			side := e.sum(first, s)
			e.when(e.both(e.less(i, size), e.less(side, sides)), func() {
				e.write(k.X, e.position(k.X, b, i, side), e.from(x, e.sum(e.times(i, threads), s)))
			})
		})
	})
	return e.f
}

const (
	lowerTile    = schedule.FactorTile
	lowerThreads = 16 // threads side by side, each with 4×4 elements
	lowerDepth   = 16 // products of a stage
)

// lower writes the kernel of C −= A·W. Zeros in the place of products that are left out leave a real element as it is.
func lower(k *schedule.Lower) *Func {
	e := newFactorer("lower", lowerThreads*lowerThreads, true, k.C.DType, k.Batch)
	const stride = lowerTile + 4
	as, ws := e.numbers(lowerDepth*stride), e.numbers(lowerDepth*stride)
	marks := 0
	if e.complex {
		marks = e.array(true, scalar.I32, lowerDepth)
	}
	e.sized([]ir.Size{ir.Const(k.Count), k.Rows, k.Cols}, func(at []Reg) {
		b, i0, j0 := at[0], e.times(at[1], lowerTile), e.times(at[2], lowerTile)
		rows, cols, depth := e.size(k.M), e.size(k.N), e.size(k.K)
		if k.Triangle {
			depth = e.choose(e.upTo(j0, i0), depth, e.num(0))
		}
		i1, j1 := e.sum(i0, e.times(e.over(e.tid, lowerThreads), 4)), e.sum(j0, e.times(e.rest(e.tid, lowerThreads), 4))
		inside := func(r, c int64) Reg {
			i, j := e.plus(i1, r), e.plus(j1, c)
			in := e.both(e.less(i, rows), e.less(j, cols))
			if k.Triangle {
				in = e.both(in, e.upTo(j, i))
			}
			return in
		}
		var sums [4][4]number
		for r := range int64(4) {
			for c := range int64(4) {
				sums[r][c] = e.readIf(inside(r, c), k.C, b, e.plus(i1, r), e.plus(j1, c))
			}
		}
		skipped := func(q Reg) Reg { return e.skipped(k.Skip, k.SkipFrom, k.SkipBatch, b, q) }
		load := func(array int, lines, l Reg, m schedule.Matrices, first, k0 Reg) {
			e.each(lowerTile, lowerDepth, byRow(m), func(line, d Reg) {
				q := e.sum(k0, d)
				v := e.variable(e.zero())
				e.when(e.both(e.less(e.sum(first, line), lines), e.less(q, l)), func() {
					e.assign(v, e.read(m, e.position(m, b, e.sum(first, line), q)))
					if k.Skip >= 0 {
						e.assign(v, e.pick(skipped(q), e.zero(), v))
					}
				})
				e.keep(array, e.sum(e.times(d, stride), line), v)
			})
		}
		e.loop(e.num(0), depth, e.num(lowerDepth), func(k0 Reg) {
			load(as, rows, depth, k.A, i0, k0)
			load(ws, cols, depth, k.W.Transposed(), j0, k0)
			if marks > 0 {
				e.loop(e.tid, e.num(lowerDepth), e.num(int64(e.f.Threads)), func(d Reg) {
					out := e.copied(e.constant(scalar.Bool, 1))
					q := e.sum(k0, d)
					e.when(e.less(q, depth), func() {
						if k.Skip >= 0 {
							e.move(out, skipped(q))
							return
						}
						e.move(out, e.constant(scalar.Bool, 0))
					})
					e.put(marks, d, e.choose(out, e.constant(scalar.I32, 1), e.constant(scalar.I32, 0)))
				})
			}
			e.barrier()
			e.loop(e.num(0), e.num(lowerDepth), e.num(1), func(d Reg) {
				e.unless(marks, d, func() {
					row := e.times(d, stride)
					a := e.beside(as, e.sum(row, e.diff(i1, i0)), 4)
					w := e.beside(ws, e.sum(row, e.diff(j1, j0)), 4)
					for r := range a {
						for c := range w {
							e.assign(sums[r][c], e.lessProduct(a[r], w[c], sums[r][c]))
						}
					}
				})
			})
			e.barrier()
		})
		for r := range int64(4) {
			for c := range int64(4) {
				e.when(inside(r, c), func() {
					e.write(k.C, e.position(k.C, b, e.plus(i1, r), e.plus(j1, c)), sums[r][c])
				})
			}
		}
	})
	return e.f
}
