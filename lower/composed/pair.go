package composed

import (
	"math"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A pair is the sum of two f64, as package reference's: its operations have the same names there, and
// the same steps.
type pair struct{ hi, lo ir.Ref }

func (w writer) pairNum(hi, lo float64) pair { return pair{w.num(hi), w.num(lo)} }
func (w writer) pairOf(x ir.Ref) pair        { return pair{x, w.num(0)} }
func (w writer) one() pair                   { return w.pairNum(1, 0) }
func (w writer) value(a pair) ir.Ref         { return w.add(a.hi, a.lo) }
func (w writer) pairNeg(a pair) pair         { return pair{w.neg(a.hi), w.neg(a.lo)} }
func (w writer) pairSub(a, b pair) pair      { return w.pairAdd(a, w.pairNeg(b)) }
func (w writer) pairSel(c ir.Ref, a, b pair) pair {
	return pair{w.sel(c, a.hi, b.hi), w.sel(c, a.lo, b.lo)}
}

// sumOf returns a + b exactly.
func (w writer) sumOf(a, b ir.Ref) pair {
	s := w.add(a, b)
	t := w.sub(s, a)
	return pair{s, w.add(w.sub(a, w.sub(s, t)), w.sub(b, t))}
}

// fastSum returns a + b exactly if |a| ≥ |b|.
func (w writer) fastSum(a, b ir.Ref) pair {
	s := w.add(a, b)
	return pair{s, w.sub(b, w.sub(s, a))}
}

func (w writer) productOf(a, b ir.Ref) pair {
	p := w.mul(a, b)
	return pair{p, w.fma(a, b, w.neg(p))}
}

// quotientOf returns a/b.
func (w writer) quotientOf(a, b ir.Ref) pair {
	q := w.div(a, b)
	return w.fastSum(q, w.div(w.fma(w.neg(q), b, a), b))
}

func (w writer) pairAdd(a, b pair) pair {
	s, t := w.sumOf(a.hi, b.hi), w.sumOf(a.lo, b.lo)
	s = w.fastSum(s.hi, w.add(s.lo, t.hi))
	return w.fastSum(s.hi, w.add(s.lo, t.lo))
}

func (w writer) addFloat(a pair, b ir.Ref) pair {
	s := w.sumOf(a.hi, b)
	return w.fastSum(s.hi, w.add(s.lo, a.lo))
}

func (w writer) pairMul(a, b pair) pair {
	p := w.productOf(a.hi, b.hi)
	return w.fastSum(p.hi, w.fma(a.hi, b.lo, w.fma(a.lo, b.hi, p.lo)))
}

func (w writer) mulFloat(a pair, b ir.Ref) pair {
	p := w.productOf(a.hi, b)
	return w.fastSum(p.hi, w.fma(a.lo, b, p.lo))
}

func (w writer) divFloat(a pair, b ir.Ref) pair {
	q := w.div(a.hi, b)
	return w.fastSum(q, w.div(w.add(w.fma(w.neg(q), b, a.hi), a.lo), b))
}

func (w writer) pairDiv(a, b pair) pair {
	q := w.div(a.hi, b.hi)
	r := w.pairSub(a, w.mulFloat(b, q))
	q2 := w.div(r.hi, b.hi)
	r = w.pairSub(r, w.mulFloat(b, q2))
	s := w.fastSum(q, q2)
	return w.addFloat(s, w.div(r.hi, b.hi))
}

// pairExp returns e^a.
func (w writer) pairExp(a pair) pair {
	n := w.op(scalar.OpRint, scalar.F64, w.div(a.hi, w.num(ln2.hi)))
	r := w.addFloat(w.pairSub(a, w.mulFloat(w.pairNum(ln2.hi, ln2.lo), n)), w.neg(w.mul(n, w.num(ln2Rest))))
	r = pair{w.div(r.hi, w.num(512)), w.div(r.lo, w.num(512))}
	s := w.addFloat(w.divFloat(r, w.num(9)), w.num(1))
	s = ofState(w.repeat(0, 7, []ir.Ref{s.hi, s.lo}, func(i ir.Ref, s []ir.Ref) ([]ir.Ref, ir.Ref) {
		k := w.sub(w.num(8), i)
		return state(w.addFloat(w.divFloat(w.pairMul(ofState(s), r), k), w.num(1))), ir.NoRef
	}))
	s = w.pairMul(s, r)
	s = ofState(w.repeat(0, 9, state(s), func(_ ir.Ref, c []ir.Ref) ([]ir.Ref, ir.Ref) {
		s := ofState(c)
		return state(w.pairAdd(w.pairTwice(s), w.pairMul(s, s))), ir.NoRef
	}))
	s = w.addFloat(s, w.num(1))
	s = pair{w.scale(s.hi, n), w.scale(s.lo, n)}
	s = w.pairSel(w.lt(w.num(800), a.hi), w.pairNum(math.Inf(1), 0), s)
	s = w.pairSel(w.lt(w.num(-800), a.hi), s, w.pairNum(0, 0))
	return w.pairSel(w.isNaN(a.hi), a, s)
}

func (w writer) pairTwice(a pair) pair {
	two := w.num(2)
	return pair{w.mul(two, a.hi), w.mul(two, a.lo)}
}

func (w writer) pairHalf(a pair) pair {
	two := w.num(2)
	return pair{w.div(a.hi, two), w.div(a.lo, two)}
}

// frexp returns m and e such that x = m·2ᵉ, ½ ≤ m < 1, of a finite x > 0.
func (w writer) frexp(x ir.Ref) (m, e ir.Ref) {
	small := w.lt(x, w.num(0x1p-1022))
	b := w.bits(w.sel(small, w.mul(x, w.num(0x1p52)), x))
	word := func(x uint64) ir.Ref { return w.Const(scalar.U64, x) }
	e = w.op(scalar.OpConvert, scalar.F64, w.op(scalar.OpShr, scalar.U64, b, word(52)))
	e = w.sub(e, w.sel(small, w.num(1022+52), w.num(1022)))
	m = w.op(scalar.OpOr, scalar.U64, w.op(scalar.OpAnd, scalar.U64, b, word(1<<52-1)), word(1022<<52))
	return w.ofBits(m), e
}

// pairLog returns the logarithm of a.
func (w writer) pairLog(a pair) pair {
	m, e := w.frexp(a.hi)
	low := w.lt(m, w.num(math.Sqrt2/2))
	m = w.sel(low, w.mul(w.num(2), m), m)
	e = w.sel(low, w.sub(e, w.num(1)), e)
	y := pair{m, w.scale(a.lo, w.neg(e))}
	l := w.atanhTwice(w.pairDiv(w.addFloat(y, w.num(-1)), w.addFloat(y, w.num(1))))
	l = w.pairAdd(l, w.addFloat(w.mulFloat(w.pairNum(ln2.hi, ln2.lo), e), w.mul(e, w.num(ln2Rest))))
	l = w.pairSel(w.isInf(a.hi), w.pairOf(a.hi), l)
	l = w.pairSel(w.isZero(a.hi), w.pairNum(math.Inf(-1), 0), l)
	return w.pairSel(w.any(w.isNegative(a.hi), w.isNaN(a.hi)), w.pairNum(math.NaN(), 0), l)
}

// pairLog1p returns log(1 + x).
func (w writer) pairLog1p(x pair) pair {
	return ofState(w.If(w.lt(w.num(0.3), w.abs(x.hi)),
		func() []ir.Ref { return state(w.pairLog(w.addFloat(x, w.num(1)))) },
		func() []ir.Ref { return state(w.atanhTwice(w.pairDiv(x, w.addFloat(x, w.num(2))))) }))
}

// atanhTwice returns 2·atanh z.
func (w writer) atanhTwice(z pair) pair {
	sq := w.pairMul(z, z)
	s := ofState(w.repeat(0, float64(len(oddParts.hi)), state(w.pairNum(0, 0)), func(i ir.Ref, s []ir.Ref) ([]ir.Ref, ir.Ref) {
		return state(w.pairMul(w.pairAdd(ofState(s), w.entry(oddParts, i)), sq)), ir.NoRef
	}))
	return w.pairTwice(w.pairMul(w.addFloat(s, w.num(1)), z))
}

// pairSqrt returns the root of a, 0 of negative numbers.
func (w writer) pairSqrt(a pair) pair {
	s := w.sqrt(a.hi)
	r := w.pairSub(a, w.productOf(s, s))
	return w.pairSel(w.le(a.hi, w.num(0)), w.pairNum(0, 0), w.fastSum(s, w.div(r.hi, w.mul(w.num(2), s))))
}

// state returns pairs as what a loop carries, ofState the pair that two of its values are.
func state(ps ...pair) []ir.Ref {
	var rs []ir.Ref
	for _, p := range ps {
		rs = append(rs, p.hi, p.lo)
	}
	return rs
}

func ofState(s []ir.Ref) pair { return pair{s[0], s[1]} }

// A pairTable is a table of pairs.
type pairTable struct{ hi, lo []float64 }

// entry returns entry k of a table.
func (w writer) entry(t pairTable, k ir.Ref) pair { return pair{w.lookup(t.hi, k), w.lookup(t.lo, k)} }
