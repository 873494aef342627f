package testcheck

import "github.com/weft-go/weft/lower/scalar"

// LooksAtNaN reports whether a program reads the bits of a float that arithmetic made. The bits
// of NaNs are not specified there.
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
