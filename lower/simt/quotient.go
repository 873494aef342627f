package simt

import (
	"math"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A divisor is an f32 y that divides all elements of a row. Its quotients are computed by its
// reciprocal r, rounded to nearest: q = x·r, then q + (x − q·y)·r. If nothing is subnormal or
// overflows, that sum is nearly x/y before it is rounded. Both round to the same f32 unless the
// middle of two neighbouring f32 lies between them; TestReciprocals computes all x and y for
// which it may.
type divisor struct {
	y, inverse Reg
	least      Reg // quotients of at least this magnitude are right: ∞ if none are
	zero       Reg // an operand whose quotient is right: 0, or NaN if none is
}

// The divisors that are taken: their reciprocals are normal numbers.
const (
	leastDivisor    = 0x1p-90
	greatestDivisor = 0x1p100
)

// The least quotient is normal, and so great that x − q·y, whose last digit is 47 digits below the
// first one of x, has no digit below those of subnormal numbers.
const (
	leastQuotient = 0x1p-120
	leastProduct  = 0x1p-97
)

// leastShared is the number of elements from which on a reciprocal pays.
const leastShared = 4

func (e *emitter) divisorOf(y Reg) divisor {
	if d, ok := e.divisors[y]; ok {
		return d
	}
	f := func(x float64) Reg { return e.constant(scalar.F32, floatBits(scalar.F32, x)) }
	r := e.op(scalar.OpDiv, scalar.F32, f(1), y)
	taken := e.both(e.op(scalar.OpLe, scalar.Bool, f(leastDivisor), y), e.op(scalar.OpLe, scalar.Bool, y, f(greatestDivisor)))
	least := e.op(scalar.OpMax, scalar.F32, e.prod(r, f(leastProduct)), f(leastQuotient))
	d := divisor{y, r, e.choose(taken, least, f(math.Inf(1))), e.choose(taken, f(0), f(math.NaN()))}
	e.divisors[y] = d
	return d
}

// quotient32 emits x/y, and whether it may be wrong. The result itself shows that: it is NaN
// if x is not finite or something has overflowed.
func (e *emitter) quotient32(x Reg, d *divisor) (q, wrong Reg) {
	fma := func(x, y, z Reg) Reg { return e.op(scalar.OpFMA, scalar.F32, x, y, z) }
	negative := func(x Reg) Reg { return e.op(scalar.OpNeg, scalar.F32, x) }
	q = e.prod(x, d.inverse)
	q = fma(negative(fma(d.y, q, negative(x))), d.inverse, q) // with these signs the quotient of −0 is −0
	great := e.op(scalar.OpLe, scalar.Bool, d.least, e.op(scalar.OpAbs, scalar.F32, q))
	return q, e.both(e.op(scalar.OpNe, scalar.Bool, x, d.zero), e.op(scalar.OpNot, scalar.Bool, great))
}

// isShared reports whether a statement divides all elements of a row by one number.
func (e *emitter) isShared(s ir.Stmt) bool {
	l, ok := s.(*ir.Let)
	return ok && e.rowwise != nil && l.Inst.Op == scalar.OpDiv && l.Inst.Type == scalar.F32 && e.rowwise(l.Inst.Args[1]) && !e.rowwise(l.Inst.Args[0])
}

// apartFromQuotients divides parts of a block so that divisions by one number are parts of their
// own.
func (e *emitter) apartFromQuotients(parts []part) []part {
	var all []part
	for _, p := range parts {
		if p.cond != ir.NoRef {
			all = append(all, p)
			continue
		}
		list := part{cond: ir.NoRef}
		for _, s := range p.stmts {
			if e.isShared(s) {
				all = append(all, list, part{cond: ir.NoRef, quotient: s.(*ir.Let)})
				list.stmts = nil
				continue
			}
			list.stmts = append(list.stmts, s)
		}
		all = append(all, list)
	}
	return all
}

// divide emits the quotients of elements by one number. If one of them may be wrong, all are
// computed again by divisions.
func (e *emitter) divide(l *ir.Let, regs [][]Reg) {
	d := e.divisorOf(regs[0][l.Inst.Args[1]])
	type division struct{ quotient, x Reg }
	var computed []division
	wrong := NoReg
	for _, r := range regs {
		x := r[l.Inst.Args[0]]
		key := l.Inst
		key.Args = [3]Reg{x, d.y, NoReg}
		q, ok := e.known[key]
		if !ok {
			fast, w := e.quotient32(x, &d)
			if q = e.copied(fast); wrong != NoReg {
				w = e.op(scalar.OpOr, scalar.Bool, wrong, w)
			}
			computed, wrong = append(computed, division{q, x}), w
			e.known[key] = q
		}
		r[l.Dst] = q
	}
	if wrong == NoReg {
		return
	}
	e.when(wrong, func() {
		for _, c := range computed {
			e.move(c.quotient, e.op(scalar.OpDiv, scalar.F32, c.x, d.y))
		}
	})
}
