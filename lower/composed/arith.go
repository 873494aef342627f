package composed

import (
	"math"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A writer writes arithmetic of f64 into a kernel; negations and fma have the type of their operands.
type writer struct{ *ir.Builder }

func (w writer) op(o scalar.Op, t scalar.Type, args ...ir.Ref) ir.Ref {
	in := scalar.Inst{Op: o, Type: t}
	copy(in.Args[:], args)
	return w.Op(in)
}

// num returns a constant.
func (w writer) num(x float64) ir.Ref { return w.Const(scalar.F64, math.Float64bits(x)) }

func (w writer) add(a, b ir.Ref) ir.Ref { return w.op(scalar.OpAdd, w.TypeOf(a), a, b) }
func (w writer) sub(a, b ir.Ref) ir.Ref { return w.op(scalar.OpSub, w.TypeOf(a), a, b) }
func (w writer) mul(a, b ir.Ref) ir.Ref { return w.op(scalar.OpMul, w.TypeOf(a), a, b) }
func (w writer) div(a, b ir.Ref) ir.Ref { return w.op(scalar.OpDiv, w.TypeOf(a), a, b) }
func (w writer) half(a ir.Ref) ir.Ref   { return w.div(a, w.num(2)) }
func (w writer) neg(a ir.Ref) ir.Ref    { return w.op(scalar.OpNeg, w.TypeOf(a), a) }
func (w writer) abs(a ir.Ref) ir.Ref    { return w.op(scalar.OpAbs, scalar.F64, a) }
func (w writer) sqrt(a ir.Ref) ir.Ref   { return w.op(scalar.OpSqrt, scalar.F64, a) }
func (w writer) floor(a ir.Ref) ir.Ref  { return w.op(scalar.OpFloor, scalar.F64, a) }

// fma returns a·b + c, rounded once.
func (w writer) fma(a, b, c ir.Ref) ir.Ref { return w.op(scalar.OpFMA, w.TypeOf(a), a, b, c) }

// scale returns a·2ⁿ, rounded once, where n is a whole number.
func (w writer) scale(a, n ir.Ref) ir.Ref { return w.op(scalar.OpScale, scalar.F64, a, n) }

func (w writer) bits(a ir.Ref) ir.Ref   { return w.op(scalar.OpBitcast, scalar.U64, a) }
func (w writer) ofBits(a ir.Ref) ir.Ref { return w.op(scalar.OpBitcast, scalar.F64, a) }

func (w writer) lt(a, b ir.Ref) ir.Ref { return w.op(scalar.OpLt, scalar.Bool, a, b) }
func (w writer) le(a, b ir.Ref) ir.Ref { return w.op(scalar.OpLe, scalar.Bool, a, b) }
func (w writer) eq(a, b ir.Ref) ir.Ref { return w.op(scalar.OpEq, scalar.Bool, a, b) }
func (w writer) ne(a, b ir.Ref) ir.Ref { return w.op(scalar.OpNe, scalar.Bool, a, b) }
func (w writer) not(a ir.Ref) ir.Ref   { return w.op(scalar.OpNot, scalar.Bool, a) }

// all reports whether all of some conditions are true, any whether one is.
func (w writer) all(a ...ir.Ref) ir.Ref { return w.logic(scalar.OpAnd, a) }
func (w writer) any(a ...ir.Ref) ir.Ref { return w.logic(scalar.OpOr, a) }

func (w writer) logic(o scalar.Op, a []ir.Ref) ir.Ref {
	r := a[0]
	for _, b := range a[1:] {
		r = w.op(o, scalar.Bool, r, b)
	}
	return r
}

func (w writer) sel(c, a, b ir.Ref) ir.Ref { return w.op(scalar.OpSelect, w.TypeOf(a), c, a, b) }

func (w writer) isNaN(a ir.Ref) ir.Ref      { return w.ne(a, a) }
func (w writer) isPositive(a ir.Ref) ir.Ref { return w.lt(w.num(0), a) }
func (w writer) isNegative(a ir.Ref) ir.Ref { return w.lt(a, w.num(0)) }
func (w writer) isZero(a ir.Ref) ir.Ref     { return w.eq(a, w.num(0)) }
func (w writer) isInf(a ir.Ref) ir.Ref      { return w.eq(a, w.num(math.Inf(1))) }

// lookup returns entry k of a table of at most 32 numbers, where k is a whole f64.
func (w writer) lookup(table []float64, k ir.Ref) ir.Ref {
	n := 1
	for n < len(table) {
		n *= 2
	}
	full := make([]float64, n)
	copy(full, table)
	i := w.op(scalar.OpConvert, scalar.I64, k)
	return w.Op(scalar.Inst{Op: scalar.OpLookup, Type: scalar.F64, Args: [3]ir.Ref{i}, Imm: uint64(w.Table(scalar.FloatTable(scalar.F64, full...)))})
}

// repeat runs body for k = first, first + 1, … below limit, until it stops. stop may be NoRef. It
// returns the state after the last iteration.
func (w writer) repeat(first, limit float64, state []ir.Ref, body func(k ir.Ref, s []ir.Ref) (next []ir.Ref, stop ir.Ref)) []ir.Ref {
	end := w.num(limit)
	return w.While(append([]ir.Ref{w.num(first)}, state...), func(c []ir.Ref) ir.Ref {
		return w.lt(c[0], end)
	}, func(c []ir.Ref) []ir.Ref {
		next, stop := body(c[0], c[1:])
		k := w.add(c[0], w.num(1))
		if stop != ir.NoRef {
			k = w.sel(stop, end, k)
		}
		return append([]ir.Ref{k}, next...)
	})[1:]
}

// An exception is a result where a condition is true.
type exception struct{ cond, value ir.Ref }

// unless returns the value of the first exception whose condition is true, else what general writes.
func (w writer) unless(cases []exception, general func() ir.Ref) ir.Ref {
	conds := make([]ir.Ref, len(cases))
	for i, c := range cases {
		conds[i] = c.cond
	}
	return w.If(w.any(conds...), func() []ir.Ref {
		r := cases[len(cases)-1].value
		for i := len(cases) - 2; i >= 0; i-- {
			r = w.sel(cases[i].cond, cases[i].value, r)
		}
		return []ir.Ref{r}
	}, func() []ir.Ref { return []ir.Ref{general()} })[0]
}
