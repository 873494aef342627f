package simt

import (
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// cholesky writes the kernel that factors matrices in shared memory. A thread computes a row, a few columns at a time: it
// subtracts products with the columns before them. Then each thread factors the block on the diagonal for itself, and
// with it finishes its few numbers.
func cholesky(k *schedule.Cholesky) *Func {
	n := (k.N + 3) &^ 3
	threads := int64(warp)
	for threads < n {
		threads *= 2
	}
	e := newFactorer("cholesky", int(threads), true, k.X.DType, k.Batch)
	stride, few := n+4, e.few()
	l := e.numbers(n * stride) // by column
	diagonal := e.numbers(few * few)
	e.points([]int64{k.Count}, func(at []Reg) {
		b, size := at[0], e.num(k.N)
		e.each(n, n, true, func(i, j Reg) {
			e.keep(l, e.sum(e.times(j, stride), i), e.readIf(e.both(e.less(i, size), e.upTo(j, i)), k.X, b, i, j))
		})
		e.barrier()
		positive := e.copied(e.constant(scalar.Bool, 1))
		row := e.least(e.tid, e.num(n-1))
		e.loop(e.num(0), e.num(n), e.num(few), func(p Reg) {
			column := func(c int64) Reg { return e.times(e.plus(p, c), stride) }
			x := make([]number, few)
			for c := range x {
				x[c] = e.variable(e.from(l, e.sum(column(int64(c)), row)))
			}
			e.loop(e.num(0), p, e.num(1), func(q Reg) {
				before := e.times(q, stride)
				mine := e.from(l, e.sum(before, row))
				for c, v := range e.beside(l, e.sum(before, p), few) {
					e.assign(x[c], e.lessProduct(mine, e.conj(v), x[c]))
				}
			})
			of := e.diff(e.tid, p)
			e.when(e.both(e.upTo(e.num(0), of), e.less(of, e.num(few))), func() {
				for c := range x {
					e.keep(diagonal, e.plus(e.times(of, few), int64(c)), x[c])
				}
			})
			e.barrier()
			d := make([][]number, few)
			for r := range d {
				d[r] = e.beside(diagonal, e.num(few*int64(r)), few)
			}
			for c := range x {
				pivot := d[c][c][0]
				ok := e.less(e.constant(e.kind, 0), pivot)
				if n != k.N {
					ok = e.op(scalar.OpOr, scalar.Bool, ok, e.upTo(size, e.plus(p, int64(c))))
				}
				e.move(positive, e.both(positive, ok))
				root := e.real(e.op(scalar.OpSqrt, e.kind, pivot))
				x[c] = e.quotientOf(x[c], root)
				for r := c + 1; r < len(d); r++ {
					d[r][c] = e.quotientOf(d[r][c], root)
				}
				for q := c + 1; q < len(d); q++ {
					factor := e.conj(d[q][c])
					for r := q; r < len(d); r++ {
						d[r][q] = e.lessProduct(d[r][c], factor, d[r][q])
					}
					x[q] = e.lessProduct(x[c], factor, x[q])
				}
				here := e.plus(p, int64(c))
				e.when(e.both(e.upTo(here, e.tid), e.less(e.tid, e.num(n))), func() {
					e.keep(l, e.sum(column(int64(c)), e.tid), e.pick(e.same(here, e.tid), root, x[c]))
				})
			}
			e.barrier()
		})
		if k.Failed {
			e.onOne(func() {
				e.when(e.op(scalar.OpNot, scalar.Bool, positive), func() {
					e.add(&Store{len(k.Buffers) - 1, b, e.constant(scalar.I32, 1)})
				})
			})
		}
		e.each(k.N, k.N, true, func(i, j Reg) {
			to := e.position(k.Y, b, i, j)
			if k.Failed {
				e.when(e.upTo(j, i), func() { e.write(k.Y, to, e.from(l, e.sum(e.times(j, stride), i))) })
				return
			}
			e.finalCholesky(k.X, k.Y, positive, b, i, j, func() number { return e.from(l, e.sum(e.times(j, stride), i)) })
		})
	})
	return e.f
}

// finalCholesky stores element (i, j) of the result: NaN, the root's, or above the diagonal the operand's.
func (e *factorer) finalCholesky(operand, y schedule.Matrices, positive, b, i, j Reg, root func() number) {
	to := e.position(y, b, i, j)
	nan := uint64(scalar.NaNBits32)
	if e.kind == scalar.F64 {
		nan = scalar.NaNBits64
	}
	ok := e.block(func() {
		below := e.block(func() { e.write(y, to, root()) })
		above := e.block(func() {
			e.poke(y, to, e.peek(operand, e.position(operand, b, i, j)))
		})
		e.add(&If{e.upTo(j, i), below, above})
	})
	none := e.block(func() { e.write(y, to, e.eachPart(func(int) Reg { return e.constant(e.kind, nan) })) })
	e.add(&If{positive, ok, none})
}

// choleskyEnd writes the kernel that stores the results of matrices which other kernels have factored.
func choleskyEnd(k *schedule.CholeskyEnd) *Func {
	e := newFactorer("cholesky_end", 128, false, k.X.DType, k.Batch)
	e.points([]int64{k.Count, k.N, k.N}, func(at []Reg) {
		positive := e.same(e.raw(1, at[0]), e.constant(scalar.I32, 0))
		e.finalCholesky(k.Operand, k.Y, positive, at[0], at[1], at[2], func() number { return e.read(k.X, e.position(k.X, at[0], at[1], at[2])) })
	})
	return e.f
}

// matrixCopy writes the kernel that copies matrices and converts their elements; if Upper, zeros replace those below the diagonal.
func matrixCopy(k *schedule.MatrixCopy) *Func {
	e := newFactorer("matrix_copy", 128, false, k.X.DType, k.Batch)
	e.points([]int64{k.Count, k.Rows, k.Cols}, func(at []Reg) {
		to := e.position(k.Y, at[0], at[1], at[2])
		if k.Upper {
			e.write(k.Y, to, e.readIf(e.upTo(at[1], at[2]), k.X, at[0], at[1], at[2]))
			return
		}
		e.write(k.Y, to, e.read(k.X, e.position(k.X, at[0], at[1], at[2])))
	})
	return e.f
}
