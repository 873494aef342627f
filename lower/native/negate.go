package native

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// sum is ±x·y ± z, rounded once.
type sum struct {
	x, y, z                ir.Ref
	lessProduct, lessOther bool // −x·y; −z
}

// findSums notes the fused multiplications and additions of a block whose operands are negated for them alone, and
// these negations, where the machine has instructions for such sums.
func (g *Gen) findSums(b ir.Block) {
	if _, ok := g.Target.(SumTarget); !ok {
		return
	}
	var negated map[ir.Ref]ir.Ref // by a number, the number that it is the negative of
	read := map[ir.Ref]int32{}    // by a negated number, how many operands of fused multiplications and additions it is
	for _, s := range b {
		l, ok := s.(*ir.Let)
		if !ok || g.isDeferred(l.Dst) {
			continue
		}
		switch l.Inst.Op {
		case scalar.OpNeg:
			if l.Inst.Type.IsFloat() {
				if negated == nil {
					negated = map[ir.Ref]ir.Ref{}
				}
				negated[l.Dst] = l.Inst.Args[0]
			}
		case scalar.OpFMA:
			for _, r := range l.Inst.Args {
				if _, ok := negated[r]; ok {
					read[r]++
				}
			}
		}
	}
	for r, n := range read {
		if g.usesOf(r) != n {
			delete(negated, r)
		}
	}
	for _, s := range b {
		l, ok := s.(*ir.Let)
		if !ok || l.Inst.Op != scalar.OpFMA || g.isDeferred(l.Dst) {
			continue
		}
		negative := [3]bool{}
		args := l.Inst.Args
		for i, r := range args {
			if x, ok := negated[r]; ok {
				args[i], negative[i] = x, true
				if g.merged == nil {
					g.merged = map[ir.Ref]bool{}
				}
				g.merged[r] = true
			}
		}
		if negative != [3]bool{} {
			if g.sums == nil {
				g.sums = map[ir.Ref]sum{}
			}
			g.sums[l.Dst] = sum{args[0], args[1], args[2], negative[0] != negative[1], negative[2]}
		}
	}
}
