package native

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// extreme is x > y ? x : y, or x < y ? x : y where least is set: one instruction, which returns y
// where one of them is NaN or both are zeros, as the choice does.
type extreme struct {
	x, y  ir.Ref
	least bool
}

// findExtremes notes the choices of a block between the operands of a comparison of floats by its
// result, as bounds of arguments are, and the comparisons that nothing else uses.
func (g *Gen) findExtremes(b ir.Block) {
	var less map[ir.Ref]*ir.Let
	for _, s := range b {
		l, ok := s.(*ir.Let)
		if !ok {
			continue
		}
		in := &l.Inst
		switch in.Op {
		case scalar.OpLt:
			if g.k.Types[in.Args[0]].IsFloat() {
				if less == nil {
					less = map[ir.Ref]*ir.Let{}
				}
				less[l.Dst] = l
			}
		case scalar.OpSelect:
			c := less[in.Args[0]]
			if c == nil || g.isDeferred(l.Dst) || g.isDeferred(c.Dst) {
				continue
			}
			x, y := in.Args[1], in.Args[2]
			least := c.Inst.Args == [3]ir.Ref{x, y, ir.NoRef}
			if !least && c.Inst.Args != [3]ir.Ref{y, x, ir.NoRef} {
				continue
			}
			if g.extremes == nil {
				g.extremes = map[ir.Ref]extreme{}
			}
			if g.merged == nil {
				g.merged = map[ir.Ref]bool{}
			}
			g.extremes[l.Dst] = extreme{x, y, least}
			g.merged[c.Dst] = g.usesOf(c.Dst) == 1
		}
	}
}
