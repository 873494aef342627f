package irpass

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
)

// sweep removes the operations, loads and reductions of a kernel whose values have no uses.
func sweep(k *ir.Kernel) {
	w := &sweeper{uses: make([]int, len(k.Types))}
	k.Body = w.block(k.Body)
}

// A sweeper counts the uses of values, from the last statement of a kernel to the first.
type sweeper struct{ uses []int }

func (w *sweeper) block(b ir.Block) ir.Block {
	keep := make([]bool, len(b))
	n := 0
	for i := len(b) - 1; i >= 0; i-- {
		if keep[i] = w.needed(b[i]); !keep[i] {
			continue
		}
		n++
		ir.Reads(b[i], func(r ir.Ref) { w.uses[r]++ })
		first, second := ir.Inner(b[i])
		if second != nil {
			*second = w.block(*second)
		}
		if first != nil {
			*first = w.block(*first)
		}
	}
	out := make(ir.Block, 0, n)
	for i, s := range b {
		if keep[i] {
			out = append(out, s)
		}
	}
	return out
}

func (w *sweeper) needed(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.Let:
		return w.uses[s.Dst] > 0
	case *ir.Apply:
		return slices.ContainsFunc(s.Dst, func(r ir.Ref) bool { return w.uses[r] > 0 })
	case *ir.Index:
		return w.uses[s.Dst] > 0
	case *ir.Load:
		return w.uses[s.Dst] > 0
	case *ir.Reduce:
		return slices.ContainsFunc(s.Folds, func(f ir.Fold) bool {
			return w.uses[f.Result] > 0 || f.Other != ir.NoRef && w.uses[f.Other] > 0
		})
	}
	return true
}
