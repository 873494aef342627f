package native

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// rotation is x rotated to the left by n bits.
type rotation struct {
	x ir.Ref
	n int64
}

// findRotations finds the operations of a block that compute (x << n) | (x >> (width − n)) of an unsigned x, if
// the machine has an instruction for that, and the shifts that nothing else uses.
func (g *Gen) findRotations(b ir.Block) {
	var shifts map[ir.Ref]*ir.Let
	var consts map[ir.Ref]uint64
	for _, s := range b {
		l, ok := s.(*ir.Let)
		if !ok || l.Inst.Type != scalar.U32 && l.Inst.Type != scalar.U64 {
			continue
		}
		switch l.Inst.Op {
		case scalar.OpConst:
			if consts == nil {
				consts = map[ir.Ref]uint64{}
			}
			consts[l.Dst] = l.Inst.Imm
		case scalar.OpShl, scalar.OpShr:
			if shifts == nil {
				shifts = map[ir.Ref]*ir.Let{}
			}
			shifts[l.Dst] = l
		case scalar.OpOr:
			up, down := shifts[l.Inst.Args[0]], shifts[l.Inst.Args[1]]
			if up == nil || down == nil {
				continue
			}
			if up.Inst.Op == scalar.OpShr {
				up, down = down, up
			}
			if up.Inst.Op != scalar.OpShl || down.Inst.Op != scalar.OpShr || up.Inst.Args[0] != down.Inst.Args[0] {
				continue
			}
			amount := func(r ir.Ref) uint64 {
				if n, ok := consts[r]; ok {
					return n
				}
				if n, ok := g.constant(r); ok {
					return n
				}
				return 0
			}
			n, m := amount(up.Inst.Args[1]), amount(down.Inst.Args[1])
			if n == 0 || m == 0 || n+m != uint64(l.Inst.Type.Bits()) || !g.Rotates(l.Inst.Type, int64(n)) || g.isDeferred(l.Dst) || g.isDeferred(up.Dst) || g.isDeferred(down.Dst) {
				continue
			}
			if g.rotations == nil {
				g.rotations = map[ir.Ref]rotation{}
			}
			if g.merged == nil {
				g.merged = map[ir.Ref]bool{}
			}
			g.rotations[l.Dst] = rotation{up.Inst.Args[0], int64(n)}
			for _, s := range []*ir.Let{up, down} {
				g.merged[s.Dst] = g.usesOf(s.Dst) == 1
			}
		}
	}
}

func (g *Gen) usesOf(r ir.Ref) int32 {
	if g.reads == nil {
		g.reads = make([]int32, len(g.k.Types))
		g.k.Body.Walk(func(s ir.Stmt) { ir.Reads(s, func(r ir.Ref) { g.reads[r]++ }) })
	}
	return g.reads[r]
}
