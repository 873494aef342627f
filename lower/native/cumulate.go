package native

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// cumulate writes a running fold in one pass. Level 0 runs over the elements of a chunk, level
// k+1 over the totals of the chunks of level k; a level's offset is the running value of the
// level above.
func (g *Gen) cumulate(s *ir.Cumulate) {
	if g.listing {
		g.comment("cumulate a%d %v", s.Axis, s.Op)
	}
	d := g.folderOf(ir.Fold{Op: s.Op, Value: s.Value, Other: ir.NoRef})
	e := g.extentOf(s.Extent, nil)
	end := g.newLabel()
	if g.skipIfEmpty(e, end) {
		return
	}
	levels := 8
	if e.isConst() {
		levels = 1
		for n := e.n; n > ir.CumChunk; n = (n + ir.CumChunk - 1) / ir.CumChunk {
			levels++
		}
	}
	local := make([]element, levels)  // by level: the running value in the chunk
	offset := make([]element, levels) // by level: the running value of the chunks before it
	count := make([]VReg, levels)     // by level: the number of elements of the chunk so far
	for k := range levels {
		local[k] = d.variable(d.identity())
		offset[k] = d.variable(d.identity())
		count[k] = g.NewG()
		g.Put(Inst{Op: Const, D: count[k]})
	}
	n := e.reg
	if e.isConst() {
		n = g.GConst(e.n)
	}
	// The counter runs upwards. If the fold is reversed, the axis runs from the end.
	i := g.NewG()
	g.Put(Inst{Op: Const, D: i})
	segmented := s == g.segment.fold
	var state foldState
	computed := g.newLabel()
	if segmented {
		state = g.newFoldState(d, levels)
		e = extent{reg: g.resume(state, local, offset, count, i, n)}
	}
	if levels > 1 && g.canScanGroups(s, d, e) {
		g.scanGroups(s, d, i, e, local, offset, count)
		g.branchExtent(Ge, i, e, computed)
	}
	at := i
	if s.Reverse {
		at = g.gTied(Sub, g.gAddConst(n, -1), i)
	}
	g.axes[s.Axis] = axis{at, len(g.scopes)}
	g.counted(i, e, 1, func() {
		g.block(s.Body, s.Value)
		x := element{g.get(s.Value)}
		if d.asBool {
			x[0] = g.BoolToInt(scalar.U8, x[0])
		}
		d.update(local[0], x)
		running := d.two(offset[0], local[0])
		if levels == 1 {
			running = local[0]
		}
		v := running[0]
		if d.asBool {
			v = g.Compare(scalar.OpNe, v, g.Num(scalar.U8, 0))
		}
		g.bindRef(s.Param, v)
		g.block(s.Then)
		if levels > 1 {
			next := g.newLabel()
			g.chunkEnd(d, local, offset, count, 0, next)
			g.bind(next)
		}
		if s.Reverse {
			g.gInc(at, -1)
		}
	})
	g.bind(computed)
	if segmented {
		g.branch(Ge, e.reg, n, end)
		g.suspend(state, local, offset)
	}
	g.bind(end)
}

// chunkEnd counts an element of level k and, at the end of a chunk, hands its total to the level
// above, whose running value becomes the offset of the next chunk.
func (g *Gen) chunkEnd(d folder, local, offset []element, count []VReg, k int, done Label) {
	if k+1 == len(local) {
		return
	}
	g.gInc(count[k], 1)
	g.branchI(Lt, count[k], ir.CumChunk, done)
	g.enter()
	g.Put(Inst{Op: Const, D: count[k]})
	d.update(local[k+1], local[k])
	up := local[k+1]
	if k+2 < len(local) {
		up = d.two(offset[k+1], up)
	}
	d.assign(offset[k][0], up[0])
	d.assign(local[k][0], d.identity()[0])
	// The level above ends its chunk after its running value was used.
	g.chunkEnd(d, local, offset, count, k+1, done)
	g.leave()
}
