package simt

import "github.com/weft-go/weft/lower/scalar"

// AnyNaN returns the registers that only arithmetic and comparisons read. If such a register is
// NaN, it may be any NaN: what arithmetic makes of a NaN is a NaN with unspecified bits.
func (f *Func) AnyNaN() map[Reg]bool {
	open := map[Reg]bool{}
	note := func(arithmetic bool, rs ...Reg) {
		for _, r := range rs {
			before, read := open[r]
			open[r] = arithmetic && (before || !read)
		}
	}
	Walk(f.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Op:
			note(isArithmetic(&s.Inst), s.Inst.Args[:]...)
		case *Move:
			note(false, s.Src)
		case *Store:
			note(false, s.Value)
		case *Put:
			note(false, s.Value)
		case *StoreVec:
			note(false, s.Values...)
		case *PutVec:
			note(false, s.Values...)
		case *Shuffle:
			note(false, s.Src)
		}
	})
	return open
}

// isArithmetic reports whether the result of an operation on floats does not depend on which NaN an operand is, apart
// from the unspecified bits of a NaN that it may be.
func isArithmetic(in *scalar.Inst) bool {
	switch in.Op {
	case scalar.OpAdd, scalar.OpSub, scalar.OpMul, scalar.OpDiv, scalar.OpFMA, scalar.OpSqrt, scalar.OpMin, scalar.OpMax, scalar.OpCanon,
		scalar.OpEq, scalar.OpNe, scalar.OpLt, scalar.OpLe:
		return true
	}
	return false
}
