package composed

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/reference/special"
	"github.com/weft-go/weft/lower/scalar"
)

// Special returns the kernel of a special function of operands f64[n], whose buffers are the operands
// and the result; nil of other operations.
func Special(p core.Primitive, n int) *ir.Kernel {
	operands := 2
	var f func(w writer, x []ir.Ref) ir.Ref
	switch p.(type) {
	case prim.IgammaP:
		f = func(w writer, x []ir.Ref) ir.Ref { return w.igamma(x[0], x[1], false) }
	case prim.IgammacP:
		f = func(w writer, x []ir.Ref) ir.Ref { return w.igamma(x[0], x[1], true) }
	case prim.IgammaGradAP:
		f = func(w writer, x []ir.Ref) ir.Ref { return w.igammaGrad(x[0], x[1], false) }
	case prim.RandomGammaGradP:
		f = func(w writer, x []ir.Ref) ir.Ref { return w.igammaGrad(x[0], x[1], true) }
	case prim.RegularizedIncompleteBetaP:
		operands = 3
		f = func(w writer, x []ir.Ref) ir.Ref { return w.betainc(x[0], x[1], x[2]) }
	case prim.ZetaP:
		f = func(w writer, x []ir.Ref) ir.Ref { return w.hurwitz(x[0], x[1]) }
	default:
		return nil
	}
	w := writer{ir.NewBuilder(p.Name())}
	size := ir.Const(int64(n))
	names := []string{"x", "y", "z"}
	at := make([]ir.Access, operands+1)
	i := w.Grid(size)
	for k := range at {
		name, role := "out", ir.Out
		if k < operands {
			name, role = names[k], ir.In
		}
		at[k] = ir.Access{Buffer: w.Buffer(name, role, scalar.F64, size), Coords: []ir.Coord{{
			Stride: ir.Const(1), Bound: size, Terms: []ir.Term{{Axis: i, Coeff: ir.Const(1)}}, Value: ir.NoRef,
		}}}
	}
	x := make([]ir.Ref, operands)
	for k := range x {
		x[k] = w.Load(at[k], ir.NoRef)
	}
	w.Store(at[operands], w.op(scalar.OpCanon, scalar.F64, f(w, x)))
	return w.Finish()
}

// lgamma is log Γ(a) for a > 0.
func (w writer) lgamma(a pair) pair {
	a, shift := w.raisedTo(40, a, w.one(), func(sum, a pair) pair { return w.pairMul(sum, a) })
	s := w.pairAdd(w.stirlingRest(a), w.pairNum(halfLog2Pi.hi, halfLog2Pi.lo))
	l := w.pairLog(a)
	s = w.pairSub(w.pairAdd(s, w.pairMul(w.addFloat(a, w.num(-0.5)), l)), a)
	return ofState(w.If(w.ne(shift.hi, w.num(1)),
		func() []ir.Ref { return state(w.pairSub(s, w.pairLog(shift))) },
		func() []ir.Ref { return state(s) }))
}

// stirlingRest returns log Γ(a) − (a − ½)·log a + a − ½·log 2π by Stirling's series.
func (w writer) stirlingRest(a pair) pair {
	v := w.pairDiv(w.one(), a)
	s := w.horner(stirling, w.pairMul(v, v), func(c pair, _ ir.Ref) pair { return c })
	return w.pairMul(s, v)
}

// digamma returns Γ'(a)/Γ(a) for a > 0.
func (w writer) digamma(a pair) pair {
	a, sum := w.raisedTo(40, a, w.pairNum(0, 0), func(sum, a pair) pair { return w.pairAdd(sum, w.pairDiv(w.one(), a)) })
	v := w.pairDiv(w.one(), a)
	z := w.pairMul(v, v)
	last := float64(2*len(stirling.hi) - 1)
	s := w.horner(stirling, z, func(c pair, i ir.Ref) pair {
		return w.mulFloat(c, w.sub(w.num(last), w.mul(w.num(2), i))) // 2k + 1
	})
	s = w.pairMul(s, z)
	return w.pairSub(w.pairSub(w.pairSub(w.pairLog(a), w.pairHalf(v)), s), sum)
}

// raisedTo adds 1 to a until it is least or more, and returns what step makes of the numbers on the way.
func (w writer) raisedTo(least float64, a, sum pair, step func(sum, a pair) pair) (pair, pair) {
	r := w.While(state(a, sum), func(s []ir.Ref) ir.Ref { return w.lt(s[0], w.num(least)) }, func(s []ir.Ref) []ir.Ref {
		a := ofState(s)
		return state(w.addFloat(a, w.num(1)), step(ofState(s[2:]), a))
	})
	return ofState(r), ofState(r[2:])
}

// horner returns the value of a series at z. coefficient makes one of entry i of the table.
func (w writer) horner(t pairTable, z pair, coefficient func(c pair, i ir.Ref) pair) pair {
	return ofState(w.repeat(0, float64(len(t.hi)), state(w.pairNum(0, 0)), func(i ir.Ref, s []ir.Ref) ([]ir.Ref, ir.Ref) {
		return state(w.pairAdd(w.pairMul(ofState(s), z), coefficient(w.entry(t, i), i))), ir.NoRef
	}))
}

// hurwitz returns ζ(s, q).
func (w writer) hurwitz(s, q ir.Ref) ir.Ref {
	num := w.num
	nan, inf, zero, one := num(math.NaN()), num(math.Inf(1)), num(0), num(1)
	whole := w.eq(s, w.floor(s))
	return w.unless([]exception{
		{w.any(w.isNaN(s), w.isNaN(q), w.lt(s, one)), nan},
		{w.eq(s, one), inf},
		{w.all(w.le(q, zero), w.eq(q, w.floor(q))), inf},
		{w.all(w.isNegative(q), w.any(w.not(whole), w.lt(q, num(-special.HurwitzTerms)))), nan},
		{w.isInf(q), zero},
		{w.all(w.isInf(s), w.lt(q, one)), inf},
		{w.all(w.isInf(s), w.eq(q, one)), one},
		{w.isInf(s), zero},
	}, func() ir.Ref {
		s := w.op(scalar.OpMin, scalar.F64, s, num(0x1p1000))
		return w.If(w.le(num(special.HurwitzFar), q), func() []ir.Ref { return []ir.Ref{w.zetaTail(s, q)} }, func() []ir.Ref { return []ir.Ref{w.zetaSum(s, q)} })[0]
	})
}

// zetaTail returns the first term of ζ(s, q) for large q, q^(1 − s)/(s − 1).
func (w writer) zetaTail(s, q ir.Ref) ir.Ref {
	t := w.sumOf(s, w.num(-1))
	return w.value(w.pairExp(w.pairNeg(w.pairAdd(w.pairMul(w.pairLog(w.pairOf(q)), t), w.pairLog(t)))))
}

// zetaSum adds terms of ζ(s, q), and the rest of the series by Euler and Maclaurin's formula.
func (w writer) zetaSum(s, q ir.Ref) ir.Ref {
	num, zero := w.num, w.num(0)
	odd := w.ne(s, w.mul(num(2), w.op(scalar.OpTrunc, scalar.F64, w.div(s, num(2)))))
	power := func(y pair) pair {
		below := w.isNegative(y.hi)
		p := w.pairExp(w.mulFloat(w.pairLog(w.pairSel(below, w.pairNeg(y), y)), w.neg(s)))
		return w.pairSel(w.all(below, odd), w.pairNeg(p), p)
	}
	// The loop carries k, y, the sum, how it ended, and an infinite term.
	const going, diverged, converged = 0, 1, 2
	r := w.While(append([]ir.Ref{zero, num(going), zero}, state(w.pairOf(q), w.pairNum(0, 0))...), func(c []ir.Ref) ir.Ref {
		return w.all(w.eq(c[1], num(going)), w.any(w.lt(c[0], num(12)), w.lt(c[3], num(12))))
	}, func(c []ir.Ref) []ir.Ref {
		k, y, sum := c[0], ofState(c[3:]), ofState(c[5:])
		p := power(y)
		infinite := w.isInf(w.abs(p.hi))
		sum = w.pairAdd(sum, p)
		next := w.add(k, num(1))
		y = w.sumOf(q, next)
		small := w.le(w.abs(p.hi), w.mul(w.abs(sum.hi), num(0x1p-120)))
		done := w.all(w.isPositive(k), w.lt(num(1), y.hi), small)
		end := w.sel(infinite, num(diverged), w.sel(done, num(converged), num(going)))
		return append([]ir.Ref{next, end, p.hi}, state(y, sum)...)
	})
	end, infinite, y, sum := r[1], r[2], ofState(r[3:]), ofState(r[5:])
	return w.If(w.eq(end, num(going)), func() []ir.Ref {
		v := w.pairDiv(w.one(), y)
		z := w.pairMul(v, v)
		tail := w.addFloat(w.pairDiv(y, w.sumOf(s, num(-1))), num(0.5))
		t := w.repeat(0, float64(len(maclaurin.hi)), state(tail, w.mulFloat(v, s)), func(j ir.Ref, c []ir.Ref) ([]ir.Ref, ir.Ref) {
			tail, rise := ofState(c), ofState(c[2:])
			tail = w.pairAdd(tail, w.pairMul(rise, w.entry(maclaurin, j)))
			twice := w.mul(num(2), j)
			rise = w.pairMul(w.pairMul(rise, w.sumOf(s, w.add(twice, num(1)))), w.sumOf(s, w.add(twice, num(2))))
			return state(tail, w.pairMul(rise, z)), ir.NoRef
		})
		return []ir.Ref{w.value(w.pairAdd(sum, w.pairMul(power(y), ofState(t))))}
	}, func() []ir.Ref {
		return []ir.Ref{w.sel(w.eq(end, num(diverged)), infinite, w.value(sum))}
	})[0]
}
