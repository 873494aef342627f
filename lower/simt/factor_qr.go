package simt

import (
	"math"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// reflectColumns writes the kernel that factors columns by reflectors. All threads find the greatest magnitude of a column, and
// one computes its norm, a chain of fma. Then each thread computes the sums of a reflection for some columns, also chains.
// For the rest, threads share the rows.
func reflectColumns(k *schedule.Reflect) *Func {
	e := newFactorer("reflect", k.Threads, true, k.Y.DType, k.Batch)
	threads := int64(k.Threads)
	greatest := e.newGreatest(e.kind.Unsigned())
	head, sums := e.numbers(2), e.numbers(k.Widest) // τ and what the column is divided by
	e.panel(&k.Batch, &k.Panel, k.X, k.Y, func(b, rows, cols Reg, get func(i, j Reg) number, set func(i, j Reg, x number)) {
		e.loop(e.num(0), e.size(k.Steps), e.num(1), func(p Reg) {
			below := e.plus(p, 1)
			alpha := e.variable(get(p, p))
			best, _ := greatest.of(below, rows, func(i Reg) Reg { return e.greatestPart(get(i, p)) })
			none := e.same(best, e.constant(greatest.bits, 0))
			for _, im := range alpha[1:] {
				none = e.both(none, e.same(im, e.constant(e.kind, 0)))
			}
			end := e.choose(none, e.num(0), rows)
			e.onOne(func() {
				beta, tau, divisor := e.reflector(alpha, best, p, end, func(i Reg) number { return get(i, p) })
				tau = e.pick(none, e.zero(), tau)
				e.keep(head, e.num(0), tau)
				e.keep(head, e.num(1), divisor)
				set(p, p, e.real(e.choose(none, alpha[0], beta)))
				e.write(k.Taus, e.position(k.Taus, b, p, e.num(0)), tau)
			})
			e.barrier()
			tau, divisor := e.from(head, e.num(0)), e.from(head, e.num(1))
			e.loop(e.sum(below, e.tid), end, e.num(threads), func(i Reg) { set(i, p, e.quotientOf(get(i, p), divisor)) })
			e.barrier()
			e.loop(e.sum(below, e.tid), e.choose(none, e.num(0), cols), e.num(threads), func(j Reg) {
				s := e.variable(e.moreProduct(e.conj(e.one()), get(p, j), e.zero()))
				e.loop(below, end, e.num(1), func(i Reg) { e.assign(s, e.moreProduct(e.conj(get(i, p)), get(i, j), s)) })
				e.keep(sums, j, e.narrowed(e.wideProduct(e.wide(s), e.wide(tau).conj(e))))
			})
			e.barrier()
			e.loop(e.sum(p, e.rest(e.tid, k.Across)), end, e.num(k.Across), func(i Reg) {
				v := e.pick(e.same(i, p), e.one(), get(i, p))
				e.loop(e.sum(below, e.over(e.tid, k.Across)), cols, e.num(threads/k.Across), func(j Reg) {
					set(i, j, e.lessProduct(v, e.from(sums, j), get(i, j)))
				})
			})
			e.barrier()
		})
	})
	return e.f
}

// reflector returns β and τ of the column v with α in row p, and the divisor of the rows below p.
// best is the greatest magnitude of the parts of those rows, as bits. The norm is a chain of fma in f64 over
// parts scaled by a power of two.
func (e *factorer) reflector(alpha number, best, p, end Reg, v func(i Reg) number) (beta Reg, tau, divisor number) {
	const f64 = scalar.F64
	f := func(x float64) Reg { return e.constant(f64, math.Float64bits(x)) }
	bits := e.typeOf(best)
	top := uint64(1) << (8*bits.Size() - 1)
	big := e.op(scalar.OpMax, bits, best, e.greatestPart(alpha))
	size := e.convert(f64, e.op(scalar.OpBitcast, e.kind, big))
	small := e.less(size, f(0x1p-1022))
	exponent := e.op(scalar.OpShr, scalar.U64, e.op(scalar.OpBitcast, scalar.U64, e.choose(small, e.prod(size, f(0x1p54)), size)), e.constant(scalar.U64, 52))
	power := e.convert(f64, e.convert(scalar.I32, exponent))
	power = e.diff(power, e.choose(small, f(1022+54), f(1022)))
	power = e.choose(e.less(size, f(math.Inf(1))), power, f(0)) // NaN too
	back := e.op(scalar.OpNeg, f64, power)
	scaled := func(x Reg) Reg { return e.op(scalar.OpScale, f64, x, back) }
	if e.kind == scalar.F32 {
		scale := e.op(scalar.OpScale, f64, f(1), back)
		scaled = func(x Reg) Reg { return e.prod(x, scale) }
	}
	s := e.copied(f(0))
	e.loop(p, end, e.num(1), func(i Reg) {
		for _, x := range v(i) {
			x = scaled(e.convert(f64, x))
			e.move(s, e.op(scalar.OpFMA, f64, x, x, s))
		}
	})
	norm := e.op(scalar.OpScale, f64, e.op(scalar.OpSqrt, f64, s), power)
	plus := e.less(e.op(scalar.OpBitcast, bits, alpha[0]), e.constant(bits, top))
	norm = e.choose(plus, e.op(scalar.OpNeg, f64, norm), norm)
	beta = e.convert(e.kind, norm)
	a, b := e.wide(alpha), e.convert(f64, beta)
	tau = e.narrowed(wide{e.op(scalar.OpDiv, f64, e.diff(b, a.re), b), e.op(scalar.OpDiv, f64, e.op(scalar.OpNeg, f64, a.im), b)})
	return beta, tau, e.narrowed(wide{e.diff(a.re, b), a.im})
}

// vector returns element (i, j) of the vectors of a panel: 1 on the diagonal, 0 above it.
func (e *factorer) vector(m schedule.Matrices, b, i, j Reg) number {
	x := e.variable(e.pick(e.same(i, j), e.one(), e.zero()))
	e.when(e.less(j, i), func() { e.assign(x, e.read(m, e.position(m, b, i, j))) })
	return x
}

const factorThreads = 256 // of a panelFactor

// panelFactor writes the kernel of T. Threads share the products of vectors. Then a thread computes a row of T, with sums in
// f64. Those of real numbers are complex, too, with imaginary parts 0: where a factor is not finite, 0·∞ makes them NaN, and so
// the element of T.
func panelFactor(k *schedule.PanelFactor) *Func {
	e := newFactorer("panel_factor", factorThreads, true, k.T.DType, k.Batch)
	w := k.Cols
	gram, row := e.numbers(w*w), e.numbers(w*w) // T by column
	e.points([]int64{k.Count}, func(at []Reg) {
		b, rows := at[0], e.size(k.Rows)
		e.each(w, w, true, func(i, j Reg) {
			total := e.variable(e.zero())
			e.loop(e.num(0), rows, e.num(schedule.ProductChunk), func(c Reg) {
				s := e.variable(e.zero())
				e.loop(c, e.least(rows, e.plus(c, schedule.ProductChunk)), e.num(1), func(r Reg) {
					e.assign(s, e.moreProduct(e.conj(e.vector(k.V, b, r, i)), e.vector(k.V, b, r, j), s))
				})
				e.assign(total, e.total(total, s))
			})
			e.keep(gram, e.sum(e.times(i, w), j), total)
		})
		e.barrier()
		i := e.tid
		e.when(e.less(i, e.num(w)), func() {
			e.loop(e.num(0), e.num(w), e.num(1), func(j Reg) {
				tau := e.read(k.Taus, e.position(k.Taus, b, j, e.num(0)))
				zero := e.constant(scalar.F64, 0)
				s := wide{e.copied(zero), e.copied(zero)}
				e.loop(i, j, e.num(1), func(l Reg) {
					p := e.wideProduct(e.wide(e.from(row, e.sum(e.times(l, w), i))), e.wide(e.from(gram, e.sum(e.times(l, w), j))))
					e.move(s.re, e.sum(s.re, p.re))
					e.move(s.im, e.sum(s.im, p.im))
				})
				t := e.negative(e.narrowed(e.wideProduct(s, e.wide(tau))))
				t = e.pick(e.less(i, j), t, e.pick(e.same(i, j), tau, e.zero()))
				e.keep(row, e.sum(e.times(j, w), i), t)
				e.write(k.T, e.position(k.T, b, i, j), t)
			})
		})
	})
	return e.f
}

// panelProduct writes the kernel of a product whose sums are chains of ProductChunk products each, added from the left.
// Zeros in the place of products outside add nothing.
func panelProduct(k *schedule.PanelProduct) *Func {
	e := newFactorer("panel_product", lowerThreads*lowerThreads, true, k.C.DType, k.Batch)
	const stride = lowerTile + 4
	as, bs := e.numbers(lowerDepth*stride), e.numbers(lowerDepth*stride)
	count := k.Batches
	if count.IsConst() {
		count = ir.Const(k.Count)
	}
	e.sized([]ir.Size{count, k.Rows, k.Cols}, func(at []Reg) {
		b, i0, j0 := at[0], e.times(at[1], lowerTile), e.times(at[2], lowerTile)
		rows, cols, depth := e.size(k.M), e.size(k.N), e.size(k.K)
		r1, c1 := e.times(e.over(e.tid, lowerThreads), 4), e.times(e.rest(e.tid, lowerThreads), 4)
		i1, j1 := e.sum(i0, r1), e.sum(j0, c1)
		left := func(i, q Reg) number {
			switch {
			case k.Vectors && k.Transposed:
				return e.conj(e.vector(k.A.Adjoint(), b, q, i))
			case k.Vectors:
				return e.vector(k.A, b, i, q)
			}
			return e.read(k.A, e.position(k.A, b, i, q))
		}
		load := func(array int, first, lines Reg, m schedule.Matrices, k0 Reg, read func(line, q Reg) number) {
			e.each(lowerTile, lowerDepth, byRow(m), func(line, d Reg) {
				l, q := e.sum(first, line), e.sum(k0, d)
				v := e.variable(e.zero())
				e.when(e.both(e.less(l, lines), e.less(q, depth)), func() { e.assign(v, read(l, q)) })
				e.keep(array, e.sum(e.times(d, stride), line), v)
			})
		}
		fill := func() (all [16]number) {
			for i := range all {
				all[i] = e.variable(e.zero())
			}
			return all
		}
		totals := fill()
		e.loop(e.num(0), depth, e.num(schedule.ProductChunk), func(chunk Reg) {
			sums := fill()
			e.loop(chunk, e.least(depth, e.plus(chunk, schedule.ProductChunk)), e.num(lowerDepth), func(k0 Reg) {
				load(as, i0, rows, k.A, k0, left)
				load(bs, j0, cols, k.B.Transposed(), k0, func(j, q Reg) number { return e.read(k.B, e.position(k.B, b, q, j)) })
				e.barrier()
				e.loop(e.num(0), e.num(lowerDepth), e.num(1), func(d Reg) {
					row := e.times(d, stride)
					x, y := e.beside(as, e.sum(row, r1), 4), e.beside(bs, e.sum(row, c1), 4)
					for i, s := range sums {
						e.assign(s, e.moreProduct(x[i/4], y[i%4], s))
					}
				})
				e.barrier()
			})
			for i, s := range sums {
				e.assign(totals[i], e.total(totals[i], s))
			}
		})
		for n, v := range totals {
			i, j := e.plus(i1, int64(n/4)), e.plus(j1, int64(n%4))
			e.when(e.both(e.less(i, rows), e.less(j, cols)), func() {
				to := e.position(k.C, b, i, j)
				if k.Less {
					v = e.lessProduct(e.one(), v, e.read(k.C, to))
				}
				e.write(k.C, to, v)
			})
		}
	})
	return e.f
}

// identity writes the kernel of identities: a thread has an element.
func identity(k *schedule.Identity) *Func {
	e := newFactorer("identity", 128, false, k.Y.DType, k.Batch)
	e.points([]int64{k.Count, k.Rows, k.Cols}, func(at []Reg) {
		e.write(k.Y, e.position(k.Y, at[0], at[1], at[2]), e.pick(e.same(at[1], at[2]), e.one(), e.zero()))
	})
	return e.f
}
