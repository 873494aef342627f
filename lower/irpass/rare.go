package irpass

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// The readers of a value that a walk backwards has found. Any other number is the condition of
// the OpRares that are the only readers.
const (
	unread ir.Ref = -3
	needed ir.Ref = -2
)

// A RareFinder finds the operations that only the seldom taken operand of [scalar.OpRare]
// needs: code generators write them behind a branch.
type RareFinder struct{ owner []ir.Ref }

// Find calls f for each Let of a block, from the last to the first. cond is the condition of the OpRares if the
// value is not a constant and only they need it, else NoRef. If the block has no OpRare, Find does not call f
// and returns false. types is the number of the kernel's values; results are the values that are read after the
// block.
func (r *RareFinder) Find(types int, b ir.Block, results []ir.Ref, f func(l *ir.Let, cond ir.Ref)) bool {
	if !slices.ContainsFunc(b, func(s ir.Stmt) bool {
		l, ok := s.(*ir.Let)
		return ok && l.Inst.Op == scalar.OpRare
	}) {
		return false
	}
	if len(r.owner) != types {
		r.owner = make([]ir.Ref, types)
	}
	owner := r.owner
	for i := range owner {
		owner[i] = unread
	}
	use := func(r, cond ir.Ref) {
		switch {
		case r == ir.NoRef: // an absent operand
		case owner[r] == unread:
			owner[r] = cond
		case owner[r] != cond:
			owner[r] = needed
		}
	}
	for _, r := range results {
		use(r, needed)
	}
	for i := len(b) - 1; i >= 0; i-- {
		l, ok := b[i].(*ir.Let)
		if !ok {
			b[i : i+1].Walk(func(s ir.Stmt) { ir.Reads(s, func(r ir.Ref) { use(r, needed) }) })
			continue
		}
		cond := owner[l.Dst]
		if cond == unread || l.Inst.Op == scalar.OpConst {
			cond = needed
		}
		if cond == needed {
			f(l, ir.NoRef)
		} else {
			f(l, cond)
		}
		for k, a := range l.Inst.Args {
			if l.Inst.Op == scalar.OpRare && k == 1 && l.Inst.Args[0] != a && l.Inst.Args[2] != a && cond == needed {
				use(a, l.Inst.Args[0])
			} else {
				use(a, cond) // operands of a rare operation belong to its branch
			}
		}
	}
	return true
}
