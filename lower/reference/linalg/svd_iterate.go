package linalg

import (
	"math"

	"github.com/weft-go/weft/lower/reference/internal/block"
)

// A bidiagonal is a matrix with diagonal d and superdiagonal e, which QR iterations diagonalize. Rows of ut and
// vt take the rotations.
type bidiagonal struct {
	d, e        []float64
	ut, vt      *rotator
	n           int
	tol, thresh float64
	v, u        []rotation
	grain       precision
}

// bidiagonalQR diagonalizes the bidiagonal matrix, upper or lower, by LAPACK's bdsqr: singular
// values decrease and are not negative. It returns false without convergence.
func bidiagonalQR(d, e []float64, ut, vt *rotator, n int, lower bool, grain precision) bool {
	b := &bidiagonal{d: d, e: e, ut: ut, vt: vt, n: n, grain: grain, v: make([]rotation, n), u: make([]rotation, n)}
	var rots []rotation // from lower to upper form
	if lower {
		rots = make([]rotation, n-1)
		for i := range rots {
			var r float64
			rots[i], r = givens(d[i], e[i])
			d[i], e[i] = r, block.Times(rots[i].s, d[i+1])
			d[i+1] = block.Times(rots[i].c, d[i+1])
		}
		ut.add(0, false, rots...)
	}
	b.bounds()
	if !b.iterate() {
		return false
	}
	b.sort()
	middleSigns(ut, vt, rots, n)
	return true
}

// bounds computes the bounds below which elements are negligible.
func (b *bidiagonal) bounds() {
	d, e, n, eps := b.d, b.e, b.n, b.grain.eps
	b.tol = max(10, min(100, math.Sqrt(1/math.Sqrt(math.Sqrt(eps))))) * eps
	// An estimate of the least singular value determines what is negligible.
	least := math.Abs(d[0])
	for i, mu := 1, least; i < n && least > 0; i++ {
		mu = block.Times(math.Abs(d[i]), mu/(mu+math.Abs(e[i-1])))
		least = min(least, mu)
	}
	least /= math.Sqrt(float64(n))
	b.thresh = max(block.Times(b.tol, least), 6*float64(n)*float64(n)*b.grain.least)
}

// sort applies the rotations, changes the signs of negative values, and exchanges values and their
// vectors such that the values decrease.
func (b *bidiagonal) sort() {
	d, ut, vt := b.d, b.ut, b.vt
	ut.flush()
	vt.flush()
	for i := range d {
		if d[i] < 0 || d[i] == 0 && math.Signbit(d[i]) {
			d[i] = -d[i]
			vt.negateRow(i)
		}
	}
	for last := b.n - 1; last > 0; last-- {
		// The least of the first values, up to last, goes to the end.
		k := 0
		for j := 1; j <= last; j++ {
			if d[j] <= d[k] {
				k = j
			}
		}
		if k == last {
			continue
		}
		d[k], d[last] = d[last], d[k]
		ut.swapRows(k, last)
		vt.swapRows(k, last)
	}
}

// iterate works on the last block that is not diagonal, until there is none; false without
// convergence.
func (b *bidiagonal) iterate() bool {
	d, e := b.d, b.e
	left := 6 * b.n * b.n  // how many rotations are allowed
	oldLo, oldHi := -1, -1 // the block before
	down := true           // from the first row to the last
	for hi := b.n - 1; hi > 0; {
		if left < 0 {
			return false
		}
		if math.Abs(d[hi]) <= 0 {
			d[hi] = 0
		}
		big, lo := math.Abs(d[hi]), 0
		for i := hi - 1; i >= 0; i-- {
			if math.Abs(e[i]) <= b.thresh {
				e[i] = 0
				lo = i + 1
				break
			}
			big = max(big, math.Abs(d[i]), math.Abs(e[i]))
		}
		if lo == hi {
			hi--
			continue
		}
		if lo == hi-1 {
			var right, leftRot rotation
			d[hi], d[lo], right, leftRot = triangular2(d[lo], e[lo], d[hi])
			e[lo] = 0
			b.vt.add(lo, false, right)
			b.ut.add(lo, false, leftRot)
			hi -= 2
			continue
		}
		if lo > oldHi || hi < oldLo {
			down = math.Abs(d[lo]) >= math.Abs(d[hi])
		}
		least, split := b.split(lo, hi, down)
		if split {
			continue
		}
		oldLo, oldHi = lo, hi
		left -= hi - lo
		if shift := b.nextShift(lo, hi, down, least, big); shift == 0 {
			b.zero(lo, hi, !down)
		} else {
			b.shift(lo, hi, shift, !down)
		}
	}
	return true
}

// split sets a negligible element of the block to zero and reports whether there was one; least
// is an estimate of the least singular value of the block.
func (b *bidiagonal) split(lo, hi int, down bool) (least float64, split bool) {
	d, e := b.d, b.e
	first, last, step := ends(lo, hi, !down)
	if k := min(last, last-step); math.Abs(e[k]) <= block.Times(b.tol, math.Abs(d[last])) {
		e[k] = 0
		return 0, true
	}
	mu := math.Abs(d[first])
	least = mu
	for i := first; i != last; i += step {
		k := min(i, i+step)
		if math.Abs(e[k]) <= block.Times(b.tol, mu) {
			e[k] = 0
			return 0, true
		}
		mu = block.Times(math.Abs(d[i+step]), mu/(mu+math.Abs(e[k])))
		least = min(least, mu)
	}
	return least, false
}

// nextShift returns the shift of the next iteration, 0 where a shift is negligible or would cost relative accuracy.
func (b *bidiagonal) nextShift(lo, hi int, down bool, least, big float64) float64 {
	d, e := b.d, b.e
	if block.Times(float64(b.n)*b.tol, least/big) <= max(b.grain.eps, 0.01*b.tol) {
		return 0
	}
	end, shift := math.Abs(d[lo]), 0.0
	if down {
		shift = leastSingular2(d[hi-1], e[hi-1], d[hi])
	} else {
		end = math.Abs(d[hi])
		shift = leastSingular2(d[lo], e[lo], d[lo+1])
	}
	if end > 0 {
		if q := shift / end; block.Times(q, q) < b.grain.eps {
			return 0
		}
	}
	return shift
}

// apply applies the rotations of one iteration to the vectors.
func (b *bidiagonal) apply(lo, hi int, backward bool) {
	b.vt.add(lo, backward, b.v[:hi-lo]...)
	b.ut.add(lo, backward, b.u[:hi-lo]...)
}

// clip sets element i of the superdiagonal to zero if it is negligible.
func (b *bidiagonal) clip(i int) {
	if math.Abs(b.e[i]) <= b.thresh {
		b.e[i] = 0
	}
}

// keep records the rotations of the step at element k of the block's superdiagonal. If up is set,
// the iteration goes from the last row to the first: the right and the left one change places and turn the other way.
func (b *bidiagonal) keep(k int, right, left rotation, up bool) {
	if up {
		right, left = rotation{left.c, -left.s}, rotation{right.c, -right.s}
	}
	b.v[k], b.u[k] = right, left
}

// ends returns the first and the last row of an iteration, and the step between rows.
func ends(lo, hi int, up bool) (first, last, step int) {
	if up {
		return hi, lo, -1
	}
	return lo, hi, 1
}

// zero is a QR iteration without shift on rows lo to hi, from the last one to the first if up is set.
func (b *bidiagonal) zero(lo, hi int, up bool) {
	d, e := b.d, b.e
	rot, old := rotation{1, 0}, rotation{1, 0}
	first, last, step := ends(lo, hi, up)
	for i := first; i != last; i += step {
		k := min(i, i+step)
		var r float64
		rot, r = givens(block.Times(d[i], rot.c), e[k])
		if i != first {
			e[k-step] = block.Times(old.s, r)
		}
		old, d[i] = givens(block.Times(old.c, r), block.Times(d[i+step], rot.s))
		b.keep(k-lo, rot, old, up)
	}
	h, k := block.Times(d[last], rot.c), min(last, last-step)
	d[last], e[k] = block.Times(h, old.c), block.Times(h, old.s)
	b.apply(lo, hi, up)
	b.clip(k)
}

// rotate returns (c·x + s·y, c·y − s·x).
func (r rotation) rotate(x, y float64) (float64, float64) {
	return math.FMA(r.c, x, block.Times(r.s, y)), math.FMA(r.c, y, -block.Times(r.s, x))
}

// shift is a QR iteration with the given shift on rows lo to hi, from the last one to the first if up is set.
func (b *bidiagonal) shift(lo, hi int, shift float64, up bool) {
	d, e := b.d, b.e
	first, last, step := ends(lo, hi, up)
	f := block.Times(math.Abs(d[first])-shift, math.Copysign(1, d[first])+shift/d[first])
	g := e[min(first, first+step)]
	for i := first; i != last; i += step {
		k := min(i, i+step)
		right, r := givens(f, g)
		if i != first {
			e[k-step] = r
		}
		f, e[k] = right.rotate(d[i], e[k])
		g, d[i+step] = block.Times(right.s, d[i+step]), block.Times(right.c, d[i+step])
		var left rotation
		left, d[i] = givens(f, g)
		f, d[i+step] = left.rotate(e[k], d[i+step])
		if i+step != last {
			g, e[k+step] = block.Times(left.s, e[k+step]), block.Times(left.c, e[k+step])
		}
		b.keep(k-lo, right, left, up)
	}
	k := min(last, last-step)
	e[k] = f
	b.apply(lo, hi, up)
	b.clip(k)
}

// leastSingular2 returns the lesser singular value of [[f, g], [0, h]].
func leastSingular2(f, g, h float64) float64 {
	a, b, ga := math.Abs(f), math.Abs(h), math.Abs(g)
	lo, hi := min(a, b), max(a, b)
	if lo == 0 {
		return 0
	}
	if ga < hi {
		as, at, q := 1+lo/hi, (hi-lo)/hi, ga/hi
		au := block.Times(q, q)
		return block.Times(lo, 2/(math.Sqrt(math.FMA(as, as, au))+math.Sqrt(math.FMA(at, at, au))))
	}
	au := hi / ga
	if au == 0 {
		return block.Times(lo, hi) / ga
	}
	as, at := block.Times(1+lo/hi, au), block.Times((hi-lo)/hi, au)
	c := 1 / (math.Sqrt(math.FMA(as, as, 1)) + math.Sqrt(math.FMA(at, at, 1)))
	return 2 * block.Times(block.Times(lo, c), au)
}

// triangular2 returns the singular value decomposition of [[f, g], [0, h]]: the lesser value, the
// greater one, both with signs, and the rotations of the right and the left side.
func triangular2(f, g, h float64) (least, most float64, right, left rotation) {
	ft, ht, gt := f, h, g
	fa, ha, ga := math.Abs(f), math.Abs(h), math.Abs(g)
	which := 1
	swap := ha > fa
	if swap {
		which = 3
		ft, ht, fa, ha = ht, ft, ha, fa
	}
	var cl, sl, cr, sr float64
	switch {
	case ga == 0:
		least, most, cl, cr = ha, fa, 1, 1
	case ga > fa && fa/ga < fine.eps:
		which = 2
		most = ga
		if ha > 1 {
			least = fa / (ga / ha)
		} else {
			least = block.Times(fa/ga, ha)
		}
		cl, sl, sr, cr = 1, ht/gt, 1, ft/gt
	default:
		if ga > fa {
			which = 2
		}
		d := fa - ha
		l := d / fa
		if d == fa {
			l = 1
		}
		m := gt / ft
		t := 2 - l
		mm := block.Times(m, m)
		s := math.Sqrt(math.FMA(t, t, mm))
		r := math.Abs(m)
		if l != 0 {
			r = math.Sqrt(math.FMA(l, l, mm))
		}
		a := 0.5 * (s + r)
		least, most = ha/a, block.Times(fa, a)
		switch {
		case mm != 0:
			t = block.Times(m/(s+t)+m/(r+l), 1+a)
		case l == 0:
			t = block.Times(math.Copysign(2, ft), math.Copysign(1, gt))
		default:
			t = gt/math.Copysign(d, ft) + m/t
		}
		l = math.Sqrt(math.FMA(t, t, 4))
		cr, sr = 2/l, t/l
		cl = math.FMA(sr, m, cr) / a
		sl = block.Times(ht/ft, sr) / a
	}
	if swap {
		left, right = rotation{sr, cr}, rotation{sl, cl}
	} else {
		left, right = rotation{cl, sl}, rotation{cr, sr}
	}
	sign := func(v ...float64) float64 {
		s := 1.0
		for _, x := range v {
			s = block.Times(s, math.Copysign(1, x))
		}
		return s
	}
	var sg float64
	switch which {
	case 1:
		sg = sign(right.c, left.c, f)
	case 2:
		sg = sign(right.s, left.c, g)
	default:
		sg = sign(right.s, left.s, h)
	}
	return math.Copysign(least, sign(sg, f, h)), math.Copysign(most, sg), right, left
}
