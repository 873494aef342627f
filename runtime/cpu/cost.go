package cpu

import (
	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// cost estimates the time of a kernel per point of its grid, in nanoseconds.
type cost struct {
	symbols []int64
	funcs   []*scalar.Prog
}

// Nanoseconds of one statement on one element: in vector code and in scalar code.
const (
	vectorCost = 0.04
	scalarCost = 1.0
)

func (c cost) block(b ir.Block, each float64) float64 {
	t := 0.0
	for _, s := range b {
		switch s := s.(type) {
		case *ir.Loop:
			n := float64(max(0, s.Extent.In(c.symbols)))
			inner := each
			if s.Kind == ir.Vector {
				inner = vectorCost
			}
			t += n * c.block(s.Body, inner)
		case *ir.Reduce:
			inner := each
			if s.Order != ir.Ordered {
				inner = vectorCost
			}
			t += float64(max(0, s.Extent.In(c.symbols))) * (inner + c.block(s.Body, inner))
		case *ir.Cumulate:
			t += float64(max(0, s.Extent.In(c.symbols))) * (each + c.block(s.Body, each) + c.block(s.Then, each))
		case *ir.While:
			t += 100 * (c.block(s.Cond, each) + c.block(s.Body, each)) // of unknown length
		case *ir.If:
			t += max(c.block(s.Then, each), c.block(s.Else, each))
		case *ir.Apply:
			t += each * float64(len(c.funcs[s.Func].Code))
		case *ir.Load, *ir.Store:
			t += 2 * each
		default:
			t += each
		}
	}
	return t
}

// perPoint returns the time per point of the grid.
func perPoint(k *ir.Kernel, symbols []int64) float64 {
	return cost{symbols, k.Funcs}.block(k.Body, scalarCost)
}

// symbolicLoops reports whether a loop's length is a symbol.
func symbolicLoops(b ir.Block) bool {
	symbolic := false
	b.Walk(func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Loop:
			symbolic = symbolic || !s.Extent.IsConst()
		case *ir.Reduce:
			symbolic = symbolic || !s.Extent.IsConst()
		case *ir.Cumulate:
			symbolic = symbolic || !s.Extent.IsConst()
		}
	})
	return symbolic
}
