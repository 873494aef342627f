package native

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// findRoundings finds the values that a block narrows to bfloat16 and widens again, as each operation of a
// chain in bfloat16 does: the f32 value stays in its register and loses its lower bits. A number that is
// also stored is narrowed as usual.
func (g *Gen) findRoundings(b ir.Block) {
	var narrowed map[ir.Ref]ir.Ref // bfloat16 numbers, and what they are rounded from
	for _, s := range b {
		l, ok := s.(*ir.Let)
		if !ok || l.Inst.DType != core.BFloat16 || g.isDeferred(l.Dst) {
			continue
		}
		switch x := l.Inst.Args[0]; l.Inst.Op {
		case scalar.OpNarrow:
			if g.usesOf(l.Dst) == 1 {
				if narrowed == nil {
					narrowed = map[ir.Ref]ir.Ref{}
				}
				narrowed[l.Dst] = x
			}
		case scalar.OpWiden:
			wide, ok := narrowed[x]
			if !ok {
				continue
			}
			if g.roundings == nil {
				g.roundings = map[ir.Ref]ir.Ref{}
			}
			if g.merged == nil {
				g.merged = map[ir.Ref]bool{}
			}
			g.roundings[l.Dst], g.merged[x] = wide, true
		}
	}
}

// RoundTop adds to the bits of an f32 the number that rounds their upper 16 to nearest even. The lower bits of
// the sum have no meaning, and the sum of a NaN has none.
func (g *Gen) RoundTop(x Value) Value {
	b := x.As(scalar.U32)
	odd := g.IntOp(scalar.OpAnd, g.ShiftConst(scalar.OpShr, b, 16), g.Splat(scalar.U32, 1))
	return g.IntOp(scalar.OpAdd, g.IntOp(scalar.OpAdd, b, g.Splat(scalar.U32, 0x7fff)), odd)
}
