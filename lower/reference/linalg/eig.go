package linalg

import (
	"math"

	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// balance scales rows and columns of a[n, n] by powers of two until their norms are alike, as
// LAPACK's gebal, and returns the factors of the columns.
func balance(a []complex128, n int) []float64 {
	f := &fieldC128
	factors := make([]float64, n)
	for i := range factors {
		factors[i] = 1
	}
	col := make([]complex128, n)
	for again := true; again; {
		again = false
		for i := range n {
			for r := range n {
				col[r] = a[r*n+i]
			}
			row := a[i*n : (i+1)*n]
			c, r := norm(f, col), norm(f, row)
			if c == 0 || r == 0 {
				continue
			}
			sum, by := c+r, 1.0
			for c < r/2 && by < 0x1p500 {
				by, c, r = 2*by, 2*c, r/2
			}
			for c/2 >= r && by > 0x1p-500 {
				by, c, r = by/2, c/2, 2*r
			}
			if c+r >= block.Times(0.95, sum) || by == 1 {
				continue
			}
			if total := block.Times(factors[i], by); total > 0x1p900 || total < 0x1p-900 {
				continue
			}
			factors[i] = block.Times(factors[i], by)
			again = true
			for k := range n {
				row[k] = f.a(f.c(row[k]).Scale(1 / by))
			}
			for k := range n {
				a[k*n+i] = f.a(f.c(a[k*n+i]).Scale(by))
			}
		}
	}
	return factors
}

// eigOne decomposes one matrix; false if it is not finite or iterations do not converge.
func eigOne(f *field[complex128], a []complex128, n int, realInput bool, p matrices.EigP, out [][]complex128) bool {
	big := largest(f, a)
	if math.IsNaN(big) || math.IsInf(big, 0) {
		return false
	}
	shift := exponentOf(big)
	scaleBy(f, a, -shift)
	factors := balance(a, n)
	t, q, ok := schurOfEither(f, a, n, realInput)
	if !ok {
		return false
	}
	w := make([]block.Complex, n)
	for k := 0; k < n; k++ {
		w[k] = f.c(t[k*n+k])
		if k+1 < n && t[(k+1)*n+k] != 0 {
			b, c := real(t[k*n+k+1]), real(t[(k+1)*n+k])
			im := block.Times(math.Sqrt(math.Abs(b)), math.Sqrt(math.Abs(c)))
			w[k].Im = im
			w[k+1] = block.Complex{Re: real(t[(k+1)*n+k+1]), Im: -im}
			k++
		}
	}
	for i, v := range w {
		out[0][i] = complex(math.Ldexp(v.Re, shift), math.Ldexp(v.Im, shift))
	}
	s := &eigenSolver{t: t, w: w, n: n}
	at := 1
	vectors := func(solve func(k int, x []block.Complex), scale func(i int) float64) {
		o := out[at]
		at++
		x := make([]complex128, n*n)
		col := make([]block.Complex, n)
		for k := range n {
			clear(col)
			solve(k, col)
			for i := range n {
				x[i*n+k] = f.a(col[i])
			}
		}
		f.product(o, q, x, n, n, n)
		for i := range n {
			for k := range n {
				o[i*n+k] = f.a(f.c(o[i*n+k]).Scale(scale(i)))
			}
		}
		for k := range n {
			normalize(o, n, k, realInput && w[k].Im == 0, realInput)
		}
		if realInput {
			// The second vector of a pair is the conjugate of the first.
			for k := 0; k+1 < n; k++ {
				if w[k].Im != 0 {
					for i := range n {
						o[i*n+k+1] = f.conj(o[i*n+k])
					}
					k++
				}
			}
		}
	}
	if p.Left {
		vectors(s.left, func(i int) float64 { return 1 / factors[i] })
	}
	if p.Right {
		vectors(s.right, func(i int) float64 { return factors[i] })
	}
	return true
}

// schurOfEither is schurForm, or schurForm of the real parts if the matrix is real.
func schurOfEither(f *field[complex128], a []complex128, n int, realInput bool) (t, q []complex128, ok bool) {
	if !realInput {
		return schurForm(f, a, n)
	}
	re := make([]float64, len(a))
	for i, v := range a {
		re[i] = real(v)
	}
	narrow := fieldF64
	narrow.grain = f.grain
	tr, qr, ok := schurForm(&narrow, re, n)
	if !ok {
		return nil, nil, false
	}
	t, q = a, make([]complex128, n*n)
	for i := range t {
		t[i], q[i] = complex(tr[i], 0), complex(qr[i], 0)
	}
	return t, q, true
}

// An eigenSolver finds the eigenvectors of an upper triangular matrix, or of one with 2 × 2 blocks
// for pairs of complex eigenvalues.
type eigenSolver struct {
	t []complex128
	w []block.Complex
	n int
}

func (s *eigenSolver) at(i, j int) block.Complex { return fieldC128.c(s.t[i*s.n+j]) }

// pair reports whether rows k and k + 1 are a block.
func (s *eigenSolver) pair(k int) bool {
	return k >= 0 && k+1 < s.n && s.t[(k+1)*s.n+k] != 0
}

// floor returns the least size of a divisor; quotient replaces smaller ones by it.
func (s *eigenSolver) floor(w block.Complex) float64 {
	return max(fine.ulp()*w.Size(), fine.least*(float64(s.n)/fine.ulp()))
}

// quotient returns a/b, with b kept away from zero.
func quotient(a, b block.Complex, least float64) block.Complex {
	if b.Size() < least {
		b = block.Complex{Re: least, Im: 0}
	}
	return a.Div(b)
}

// right finds x with T·x = w·x for the eigenvalue w at k. It does nothing for the second one of a conjugate pair.
func (s *eigenSolver) right(k int, x []block.Complex) {
	w := s.w[k]
	least := s.floor(w)
	top := k // rows above it are solved for
	switch {
	case s.pair(k - 1):
		return // the conjugate of the vector before
	case s.pair(k):
		b, c := s.at(k, k+1).Re, s.at(k+1, k).Re
		if math.Abs(b) >= math.Abs(c) {
			x[k], x[k+1] = block.Complex{Re: 1, Im: 0}, block.Complex{Re: 0, Im: w.Im / b}
		} else {
			x[k], x[k+1] = block.Complex{Re: -w.Im / c, Im: 0}, block.Complex{Re: 0, Im: 1}
		}
		for i := range k {
			x[i] = s.at(i, k).Mul(x[k]).Add(s.at(i, k+1).Mul(x[k+1])).Neg()
		}
	default:
		x[k] = block.Complex{Re: 1, Im: 0}
		for i := range k {
			x[i] = s.at(i, k).Neg()
		}
	}
	for j := top - 1; j >= 0; j-- {
		first := j
		if s.pair(j - 1) {
			first = j - 1
			a, b := s.at(first, first).Sub(w), s.at(first, j)
			c, d := s.at(j, first), s.at(j, j).Sub(w)
			x[first], x[j] = solve2(a, b, c, d, x[first], x[j], least)
		} else {
			x[j] = quotient(x[j], s.at(j, j).Sub(w), least)
		}
		for col := first; col <= j; col++ {
			for i := range first {
				x[i] = x[i].Sub(s.at(i, col).Mul(x[col]))
			}
		}
		tame(x)
		j = first
	}
}

// left finds x with xᴴ·T = w·xᴴ for the eigenvalue w at k. It does nothing for the second one of a conjugate pair.
func (s *eigenSolver) left(k int, x []block.Complex) {
	w := s.w[k]
	least := s.floor(w)
	last := k
	switch {
	case s.pair(k - 1):
		return
	case s.pair(k):
		b, c := s.at(k, k+1).Re, s.at(k+1, k).Re
		if math.Abs(b) >= math.Abs(c) {
			x[k], x[k+1] = block.Complex{Re: w.Im / b, Im: 0}, block.Complex{Re: 0, Im: 1}
		} else {
			x[k], x[k+1] = block.Complex{Re: 1, Im: 0}, block.Complex{Re: 0, Im: -w.Im / c}
		}
		last = k + 1
	default:
		x[k] = block.Complex{Re: 1, Im: 0}
	}
	for j := last + 1; j < s.n; j++ {
		end := j
		if s.pair(j) {
			end = j + 1
		}
		for col := j; col <= end; col++ {
			var sum block.Complex
			for i := k; i < j; i++ {
				sum = sum.Add(s.at(i, col).Conj().Mul(x[i]))
			}
			x[col] = sum.Neg()
		}
		if end > j {
			a, b := s.at(j, j).Conj().Sub(w.Conj()), s.at(end, j).Conj()
			c, d := s.at(j, end).Conj(), s.at(end, end).Conj().Sub(w.Conj())
			x[j], x[end] = solve2(a, b, c, d, x[j], x[end], least)
		} else {
			x[j] = quotient(x[j], s.at(j, j).Conj().Sub(w.Conj()), least)
		}
		tame(x)
		j = end
	}
}

// solve2 solves [[a, b], [c, d]]·x = (p, q), the larger of a and c as pivot.
func solve2(a, b, c, d, p, q block.Complex, least float64) (x, y block.Complex) {
	if c.Size() > a.Size() {
		a, b, c, d, p, q = c, d, a, b, q, p
	}
	r := quotient(c, a, least)
	y = quotient(q.Sub(r.Mul(p)), d.Sub(r.Mul(b)), least)
	return quotient(p.Sub(b.Mul(y)), a, least), y
}

// tame scales a vector down by a power of two if its elements have become large.
func tame(x []block.Complex) {
	big := 0.0
	for _, v := range x {
		big = max(big, v.Size())
	}
	if big < 0x1p300 {
		return
	}
	for i, v := range x {
		x[i] = v.Scale(0x1p-300)
	}
}

// normalize scales column k to norm 1 and, if it is complex, to a real largest component.
func normalize(v []complex128, n, k int, isReal, realInput bool) {
	f := &fieldC128
	col := make([]complex128, n)
	for i := range n {
		col[i] = v[i*n+k]
	}
	size := norm(f, col)
	if size == 0 {
		return
	}
	best, big := 0, -1.0
	for i := range col {
		c := f.c(col[i])
		c = block.Complex{Re: c.Re / size, Im: c.Im / size}
		if isReal {
			c.Im = 0
		}
		col[i] = f.a(c)
		if s := math.FMA(c.Re, c.Re, block.Times(c.Im, c.Im)); s > big {
			best, big = i, s
		}
	}
	if !isReal {
		c := f.c(col[best])
		phase := c.Conj().Scale(1 / c.Abs())
		if realInput && c.Re < 0 {
			phase = phase.Neg() // LAPACK's rotation keeps the sign of the real part
		}
		for i := range col {
			col[i] = f.a(f.c(col[i]).Mul(phase))
		}
		col[best] = complex(real(col[best]), 0)
	}
	for i := range n {
		v[i*n+k] = col[i]
	}
}
