package accuracy

import (
	"math"

	"github.com/weft-go/weft/lower/scalar"
)

// what classifies what is known of a value of a program for all arguments of a range.
type what uint8

const (
	anything  what = iota
	between        // a number from lo to hi
	itself         // the argument, or the argument with its sign changed
	alike          // the same for all arguments of the range
	known          // the constant lo; of bools 0 or 1; of integers the bits, if they are the sign bit's or none
	notNumber      // NaN of any bits
)

// A span is what is known of a value.
type span struct {
	what   what
	lo, hi float64
	bits   uint64 // of known integers
}

// rangeOf returns what the results of a program of one f32 are for the arguments from x to y,
// which have one sign and are not NaN: the argument itself, all the same, or anything.
// Most functions have long ranges of arguments that they leave as they are, or clamp.
func rangeOf(p *scalar.Prog, x, y float32) what {
	s := spansOf(p, x, y)
	r := s[p.Results[0]]
	switch {
	case r.what == itself && r == argument(x, y):
		return itself
	case r.what == alike || r.what == known || r.what == notNumber:
		return alike
	}
	return anything
}

func argument(x, y float32) span {
	return span{what: itself, lo: float64(min(x, y)), hi: float64(max(x, y))}
}

// spansOf returns what is known of all values of a program.
func spansOf(p *scalar.Prog, x, y float32) []span {
	s := make([]span, len(p.Code))
	for i, in := range p.Code {
		s[i] = spanOf(s, in, argument(x, y), math.Signbit(float64(x)))
	}
	return s
}

func spanOf(s []span, in scalar.Inst, arg span, negative bool) span {
	var a [3]span
	constant, nan := true, false
	for k := range in.Op.Args() {
		a[k] = s[in.Args[k]]
		constant = constant && a[k].what >= alike
		nan = nan || a[k].what == notNumber
	}
	signBit := uint64(1) << (in.Type.Bits() - 1)
	// turned is a signed argument with the sign made negative or not.
	turned := func(neg bool) span {
		if neg == negative {
			return arg
		}
		return span{what: itself, lo: -arg.hi, hi: -arg.lo}
	}
	minus := func(v span) bool { return v != arg != negative }
	switch in.Op {
	case scalar.OpParam:
		return arg
	case scalar.OpConst:
		return constantOf(in)
	case scalar.OpEq, scalar.OpNe, scalar.OpLt, scalar.OpLe:
		if v, ok := compare(in.Op, a[0], a[1]); ok {
			return truthOf(v)
		}
	case scalar.OpSelect, scalar.OpRare:
		return choice(a[0], a[1], a[2])
	case scalar.OpBitcast:
		if a[0].what == itself || a[0].what == notNumber || a[0].what == known && a[0].bits == 0 {
			return a[0]
		}
	case scalar.OpConvert:
		if a[0].what == itself && in.Type.IsFloat() {
			return a[0]
		}
	case scalar.OpCanon:
		if a[0].what == itself {
			return a[0]
		}
	case scalar.OpAbs:
		if a[0].what == itself {
			return turned(false)
		}
	case scalar.OpNeg:
		if a[0].what == itself {
			return turned(!minus(a[0]))
		}
	case scalar.OpAnd, scalar.OpOr, scalar.OpXor:
		if in.Type == scalar.Bool {
			if v, ok := logic(in.Op, a[0], a[1]); ok {
				return v
			}
			break
		}
		if a[1].what != known || a[1].bits&^signBit != 0 {
			break
		}
		if a[0].what == notNumber && in.Op != scalar.OpAnd {
			return a[0]
		}
		if a[0].what != itself {
			break
		}
		switch {
		case in.Op == scalar.OpAnd && a[1].bits == signBit && minus(a[0]):
			return span{what: known, bits: signBit}
		case in.Op == scalar.OpAnd:
			return span{what: known}
		case a[1].bits == 0:
			return a[0]
		case in.Op == scalar.OpOr:
			return turned(true)
		}
		return turned(!minus(a[0]))
	case scalar.OpSub:
		if in.Type.IsFloat() && a[0].what == known && a[1].what != known && isNumber(a[1]) && !math.IsInf(a[1].lo, 0) && !math.IsInf(a[1].hi, 0) {
			return span{what: between, lo: a[0].lo - a[1].hi, hi: a[0].lo - a[1].lo}
		}
	case scalar.OpSqrt:
		if isNumber(a[0]) && a[0].hi < 0 {
			return span{what: notNumber}
		}
	case scalar.OpMul:
		// Where the product of a number cannot round to zero.
		if c := a[1]; isNumber(a[0]) && a[0].what != known && c.what == known && (c.lo >= 1 || c.lo == 0.5 && in.Type == scalar.F64) {
			return span{what: between, lo: a[0].lo * c.lo, hi: a[0].hi * c.lo}
		}
	}
	switch {
	case constant && !nan:
		return span{what: alike}
	case nan && in.Type.IsFloat() && in.Op != scalar.OpBitcast:
		return span{what: notNumber}
	}
	return span{}
}

// constantOf returns a constant of a program.
func constantOf(in scalar.Inst) span {
	v := span{what: known, bits: in.Imm}
	switch in.Type {
	case scalar.F32:
		v.lo = float64(math.Float32frombits(uint32(in.Imm)))
	case scalar.F64:
		v.lo = math.Float64frombits(in.Imm)
	case scalar.Bool:
		v.lo = float64(in.Imm)
	}
	if v.lo != v.lo {
		return span{what: notNumber}
	}
	v.hi = v.lo
	return v
}

func truthOf(v bool) span {
	if v {
		return span{what: known, lo: 1, hi: 1, bits: 1}
	}
	return span{what: known}
}

func isNumber(v span) bool { return v.what == between || v.what == itself || v.what == known }

// compare returns the result of a comparison, if it is the same for all values.
func compare(op scalar.Op, a, b span) (answer, ok bool) {
	if a.what == notNumber || b.what == notNumber {
		return op == scalar.OpNe, true
	}
	if !isNumber(a) || !isNumber(b) {
		return false, false
	}
	apart := a.hi < b.lo || b.hi < a.lo
	switch op {
	case scalar.OpEq:
		return false, apart
	case scalar.OpNe:
		return true, apart
	case scalar.OpLt:
		return a.hi < b.lo, a.hi < b.lo || b.hi <= a.lo
	}
	return a.hi <= b.lo, a.hi <= b.lo || b.hi < a.lo
}

// logic returns And, Or or Xor of two bools.
func logic(op scalar.Op, a, b span) (span, bool) {
	if a.what != known {
		a, b = b, a
	}
	switch {
	case a.what != known || op == scalar.OpXor:
		return span{}, false
	case op == scalar.OpAnd && a.lo == 0 || op == scalar.OpOr && a.lo == 1:
		return a, true
	}
	return b, true
}

// choice returns c ? x : y.
func choice(c, x, y span) span {
	switch {
	case c.what == known && c.lo == 1:
		return x
	case c.what == known:
		return y
	case c.what == alike && x.what >= alike && y.what >= alike && x.what != notNumber && y.what != notNumber:
		return span{what: alike}
	case isNumber(x) && isNumber(y):
		return span{what: between, lo: min(x.lo, y.lo), hi: max(x.hi, y.hi)}
	}
	return span{}
}
