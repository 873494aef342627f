package native

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// What is known of the bits of a value.
const (
	quiet    uint8 = 1 << iota // as a float of their size they are not a signaling NaN
	signOnly                   // they are zeros but for the sign
)

// findQuiet notes which values of a block cannot be signaling NaNs, if the machine makes quiet NaNs canonical by
// fewer instructions. Nothing is known of the results of statements other than operations.
func (g *Gen) findQuiet(b ir.Block) {
	if _, ok := g.Target.(QuietTarget); !ok {
		return
	}
	for _, s := range b {
		if l, ok := s.(*ir.Let); ok {
			g.defs[l.Dst].bits = g.bitsOf(&l.Inst)
		}
	}
}

// bitsOf returns what is known of the bits of a result.
func (g *Gen) bitsOf(in *scalar.Inst) uint8 {
	of := func(i int) uint8 { return g.defs[in.Args[i]].bits }
	switch in.Op {
	case scalar.OpConst:
		exponent, top := uint64(0x7f800000), uint64(1)<<22
		if in.Type.Bits() == 64 {
			exponent, top = 0x7ff<<52, 1<<51
		}
		known := uint8(0)
		if in.Imm&exponent != exponent || in.Imm&(top-1) == 0 || in.Imm&top != 0 {
			known |= quiet
		}
		if in.Type.Bits() >= 32 && in.Imm&^signOf(in.Type) == 0 {
			known |= signOnly
		}
		return known
	case scalar.OpAdd, scalar.OpSub, scalar.OpMul, scalar.OpDiv, scalar.OpFMA, scalar.OpSqrt, scalar.OpCanon, scalar.OpScale:
		if in.Type.IsFloat() {
			return quiet
		}
	case scalar.OpConvert:
		if in.Type.IsFloat() {
			return quiet
		}
	case scalar.OpNeg, scalar.OpAbs:
		if in.Type.IsFloat() {
			return of(0) & quiet
		}
	case scalar.OpBitcast:
		return of(0)
	case scalar.OpSelect, scalar.OpRare:
		return of(1) & of(2)
	case scalar.OpAnd:
		return (of(0) | of(1)) & signOnly
	case scalar.OpOr, scalar.OpXor:
		a, b := of(0), of(1)
		if a&signOnly == 0 {
			a, b = b, a
		}
		if a&signOnly != 0 {
			return b
		}
	case scalar.OpShl:
		n, ok := g.number(in.Args[1])
		and := g.definedBy(in.Args[0], scalar.OpAnd)
		if !ok || and == nil || in.Type.Bits() < 32 || n >= uint64(in.Type.Bits()) {
			return 0
		}
		if mask, ok := g.number(and.Inst.Args[1]); ok && mask<<n&(signOf(in.Type)-1) == 0 {
			return signOnly
		}
	}
	return 0
}
