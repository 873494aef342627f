package accuracy

import "github.com/weft-go/weft/lower/scalar"

// Parity is how a function of one f32 or f64 takes a change of its argument's sign, as
// far as its program shows.
type Parity uint8

const (
	None Parity = iota // nothing is known
	Even               // the same bits
	Odd                // the sign changes, or both are NaN
	flip               // the sign bit changes and no other: only on the way
)

// ParityOf reads it from a program, for arguments that are not NaN: what is computed
// from |x| alone is even, and that times x or with the sign bit of x is odd.
func ParityOf(p *scalar.Prog) Parity {
	at := make([]Parity, len(p.Code))
	for i, in := range p.Code {
		at[i] = parityOf(p, at, in)
	}
	if r := at[p.Results[0]]; r != flip {
		return r
	}
	return Odd
}

func parityOf(p *scalar.Prog, at []Parity, in scalar.Inst) Parity {
	var a [3]Parity
	allEven := true
	for k := range in.Op.Args() {
		a[k] = at[in.Args[k]]
		allEven = allEven && a[k] == Even
	}
	odd := func(q Parity) bool { return q == Odd || q == flip }
	switch in.Op {
	case scalar.OpParam:
		return flip
	case scalar.OpBitcast, scalar.OpNeg:
		return a[0]
	case scalar.OpAbs:
		if a[0] == flip || a[0] == Even {
			return Even
		}
	case scalar.OpConvert:
		if in.Type == scalar.F64 && a[0] == flip {
			return flip
		}
		if in.Type.IsFloat() && odd(a[0]) {
			return Odd
		}
	case scalar.OpCanon:
		if odd(a[0]) {
			return Odd
		}
	case scalar.OpMul, scalar.OpDiv:
		if in.Type.IsFloat() && (odd(a[0]) && a[1] == Even || a[0] == Even && odd(a[1])) {
			return Odd
		}
	case scalar.OpXor:
		if a[0] == flip && a[1] == Even || a[0] == Even && a[1] == flip {
			return flip
		}
	case scalar.OpAnd:
		if c := p.Code[in.Args[1]]; a[0] == flip && c.Op == scalar.OpConst {
			if c.Imm>>(in.Type.Bits()-1)&1 == 1 {
				return flip
			}
			return Even
		}
	case scalar.OpOr:
		if a[0] == Even && a[1] == flip && noSign(p, in.Args[0]) {
			return flip
		}
	case scalar.OpSelect, scalar.OpRare:
		nan := func(r scalar.Ref) bool { return isNaN(p.Code[r]) }
		if a[0] == Even && (odd(a[1]) || nan(in.Args[1])) && (odd(a[2]) || nan(in.Args[2])) {
			return Odd
		}
	}
	if allEven {
		return Even
	}
	return None
}

// noSign reports whether the sign bit of a value is never set.
func noSign(p *scalar.Prog, r scalar.Ref) bool {
	for p.Code[r].Op == scalar.OpBitcast {
		r = p.Code[r].Args[0]
	}
	return p.Code[r].Op == scalar.OpAbs
}

func isNaN(in scalar.Inst) bool {
	if in.Op != scalar.OpConst {
		return false
	}
	switch in.Type {
	case scalar.F32:
		return in.Imm&(1<<31-1) > 0x7f800000
	case scalar.F64:
		return in.Imm&(1<<63-1) > 0x7ff<<52
	}
	return false
}
