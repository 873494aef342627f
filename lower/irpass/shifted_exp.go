package irpass

import (
	"math"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// magic returns three numbers for floats of type t: M, whose sum with an integer has that integer in its low bits; h,
// which is added to the exponents n; and the least n for which 2ⁿ⁺ʰ and half of it are normal numbers.
func magic(t scalar.Type) (m float64, h int, least float64) {
	if t == scalar.F64 {
		return 0x1.8p52, 512, -1020 - 512
	}
	return 0x1.8p23, 64, -124 - 64
}

// isExp reports whether p is 1 plus a number of less than ½ in magnitude that is computed from the rest y − n·log 2.
func (s *shifter) isExp(p *shiftedPower) bool {
	last := s.let(p.p, scalar.OpFMA)
	if last == nil {
		return false
	}
	if one, ok := s.number(last.Args[2]); !ok || one != 1 {
		return false
	}
	budget := 64
	more := s.magnitude(last.Args[0], p, &budget) * s.magnitude(last.Args[1], p, &budget)
	return more < 0.5 // false for NaN, too
}

// magnitude returns a bound of the magnitude of a value that is computed from the rest y − n·log 2, infinity if
// none is known.
func (s *shifter) magnitude(r ir.Ref, p *shiftedPower, budget *int) float64 {
	if *budget--; *budget < 0 {
		return math.Inf(1)
	}
	if c, ok := s.number(r); ok {
		return math.Abs(c)
	}
	if s.isRest(r, p) {
		return 0.36 // ½log 2, and more than the errors of the constants
	}
	of := func(r ir.Ref) float64 { return s.magnitude(r, p, budget) }
	if in := s.let(r, scalar.OpFMA); in != nil {
		return of(in.Args[0])*of(in.Args[1]) + of(in.Args[2])
	}
	if in := s.let(r, scalar.OpMul); in != nil {
		return of(in.Args[0]) * of(in.Args[1])
	}
	return math.Inf(1)
}

// isRest reports whether r is y − n·log 2, with log 2 in two parts.
func (s *shifter) isRest(r ir.Ref, p *shiftedPower) bool {
	second := s.let(r, scalar.OpFMA)
	if second == nil || second.Args[0] != p.n {
		return false
	}
	first := s.let(second.Args[2], scalar.OpFMA)
	if first == nil || first.Args[0] != p.n || first.Args[2] != p.bounded {
		return false
	}
	a, ok := s.number(first.Args[1])
	b, ok2 := s.number(second.Args[1])
	return ok && ok2 && math.Abs(a+b+math.Ln2) < 1e-6
}

// scale returns the operation that computes p·2ⁿ, and appends the operations that it depends on to out and before.
// OpScale is given no n for which its result could be subnormal.
func (s *shifter) scale(out *ir.Block, t scalar.Type, p *shiftedPower, before *ir.Block) scalar.Inst {
	least, unit, integer := -125.0, 149.0, scalar.I32
	if t == scalar.F64 {
		least, unit, integer = -1021, 1074, scalar.I64
	}
	bound, up := s.float(before, t, least), s.float(before, t, unit)
	small := s.define(out, scalar.Bool, scalar.OpLt, 0, p.n, bound)
	normal := s.define(out, t, scalar.OpScale, 0, p.p, s.define(out, t, scalar.OpSelect, 0, small, bound, p.n))
	units := s.define(out, t, scalar.OpRint, 0, s.define(out, t, scalar.OpScale, 0, p.p, s.define(out, t, scalar.OpAdd, 0, p.n, up)))
	bits := s.define(out, t, scalar.OpBitcast, 0, s.define(out, integer, scalar.OpConvert, 0, units))
	return scalar.Inst{Op: scalar.OpRare, Type: t, Args: [3]ir.Ref{small, bits, normal}}
}
