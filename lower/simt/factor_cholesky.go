package simt

import (
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// cholesky writes the kernel that factors matrices in shared memory. A thread computes a row, four columns at a time: it
// subtracts products with the columns before them. Then each thread factors the 4×4 block on the diagonal for itself, and
// with it finishes its four numbers.
func cholesky(k *schedule.Cholesky) *Func {
	n := (k.N + 3) &^ 3
	threads := int64(warp)
	for threads < n {
		threads *= 2
	}
	e := newFactorer("cholesky", int(threads), true, k.X.DType, k.Batch)
	stride := n + 4
	l := e.array(true, e.kind, int(n*stride)) // by column
	diagonal := e.array(true, e.kind, 16)
	e.points([]int64{k.Count}, func(at []Reg) {
		b, size := at[0], e.num(k.N)
		e.each(n, n, true, func(i, j Reg) {
			e.put(l, e.sum(e.times(j, stride), i), e.readIf(e.both(e.less(i, size), e.upTo(j, i)), k.X, b, i, j))
		})
		e.barrier()
		positive := e.copied(e.constant(scalar.Bool, 1))
		row := e.least(e.tid, e.num(n-1))
		e.loop(e.num(0), e.num(n), e.num(4), func(p Reg) {
			column := func(c int64) Reg { return e.times(e.plus(p, c), stride) }
			x := make([]Reg, 4)
			for c := range x {
				x[c] = e.copied(e.get(l, e.sum(column(int64(c)), row)))
			}
			e.loop(e.num(0), p, e.num(1), func(q Reg) {
				before := e.times(q, stride)
				mine := e.get(l, e.sum(before, row))
				for c, v := range e.four(l, e.sum(before, p)) {
					e.move(x[c], e.lessProduct(v, mine, x[c]))
				}
			})
			of := e.diff(e.tid, p)
			e.when(e.both(e.upTo(e.num(0), of), e.less(of, e.num(4))), func() {
				for c := range x {
					e.put(diagonal, e.plus(e.times(of, 4), int64(c)), x[c])
				}
			})
			e.barrier()
			var d [4][]Reg
			for r := range d {
				d[r] = e.four(diagonal, e.num(int64(4*r)))
			}
			for c := range x {
				ok := e.less(e.zero(), d[c][c])
				if n != k.N {
					ok = e.op(scalar.OpOr, scalar.Bool, ok, e.upTo(size, e.plus(p, int64(c))))
				}
				e.move(positive, e.both(positive, ok))
				root := e.op(scalar.OpSqrt, e.kind, d[c][c])
				x[c] = e.over2(x[c], root)
				for r := c + 1; r < 4; r++ {
					d[r][c] = e.over2(d[r][c], root)
				}
				for q := c + 1; q < 4; q++ {
					for r := q; r < 4; r++ {
						d[r][q] = e.lessProduct(d[q][c], d[r][c], d[r][q])
					}
					x[q] = e.lessProduct(d[q][c], x[c], x[q])
				}
				here := e.plus(p, int64(c))
				e.when(e.both(e.upTo(here, e.tid), e.less(e.tid, e.num(n))), func() {
					e.put(l, e.sum(column(int64(c)), e.tid), e.choose(e.same(here, e.tid), root, x[c]))
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
				e.when(e.upTo(j, i), func() { e.write(k.Y, to, e.get(l, e.sum(e.times(j, stride), i))) })
				return
			}
			e.finalCholesky(k.X, k.Y, positive, b, i, j, func() Reg { return e.get(l, e.sum(e.times(j, stride), i)) })
		})
	})
	return e.f
}

// finalCholesky stores element (i, j) of the result: NaN, the root's, or above the diagonal the operand's.
func (e *factorer) finalCholesky(operand, y schedule.Matrices, positive, b, i, j Reg, root func() Reg) {
	to := e.position(y, b, i, j)
	nan := uint64(scalar.NaNBits32)
	if e.kind == scalar.F64 {
		nan = scalar.NaNBits64
	}
	ok := e.block(func() {
		below := e.block(func() { e.write(y, to, root()) })
		above := e.block(func() {
			e.add(&Store{y.Buffer, to, e.raw(operand.Buffer, e.position(operand, b, i, j))})
		})
		e.add(&If{e.upTo(j, i), below, above})
	})
	e.add(&If{positive, ok, e.block(func() { e.write(y, to, e.constant(e.kind, nan)) })})
}

// choleskyEnd writes the kernel that stores the results of matrices which other kernels have factored.
func choleskyEnd(k *schedule.CholeskyEnd) *Func {
	e := newFactorer("cholesky_end", 128, false, k.X.DType, k.Batch)
	e.points([]int64{k.Count, k.N, k.N}, func(at []Reg) {
		positive := e.same(e.raw(1, at[0]), e.constant(scalar.I32, 0))
		e.finalCholesky(k.Operand, k.Y, positive, at[0], at[1], at[2], func() Reg { return e.read(k.X, e.position(k.X, at[0], at[1], at[2])) })
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
