package testcheck

import "github.com/weft-go/weft/lower/scalar"

// LooksAtNaN reports whether a program takes the bits of a float that arithmetic made: those of
// its NaNs are not specified.
func LooksAtNaN(p *scalar.Prog) bool {
	for _, in := range p.Code {
		switch in.Op {
		case scalar.OpBitcast, scalar.OpNeg, scalar.OpAbs:
			a := p.Code[in.Args[0]]
			if a.Type.IsFloat() && a.Op != scalar.OpParam && a.Op != scalar.OpConst && a.Op != scalar.OpCanon {
				return true
			}
		}
	}
	return false
}
