package simt

import "github.com/weft-go/weft/lower/scalar"

// AnyNaN finds the registers that only arithmetic and comparisons read; for these its result is true. A NaN in such a
// register may be replaced by any other NaN, since no defined result depends on its bits.
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

// isArithmetic reports whether an operation on floats treats all NaNs alike: the bits of a NaN operand change at most
// the bits of a NaN result, which are unspecified.
func isArithmetic(in *scalar.Inst) bool {
	switch in.Op {
	case scalar.OpAdd, scalar.OpSub, scalar.OpMul, scalar.OpDiv, scalar.OpFMA, scalar.OpSqrt, scalar.OpMin, scalar.OpMax, scalar.OpCanon,
		scalar.OpEq, scalar.OpNe, scalar.OpLt, scalar.OpLe:
		return true
	}
	return false
}
