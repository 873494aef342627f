package native

import (
	"github.com/weft-go/weft/lower/ir"
)

func (g *Gen) size(s ir.Size) VReg {
	if s.IsConst() {
		return g.GConst(s.Value)
	}
	return g.gLoad(ArgsReg, g.symbolArg(s.Symbol-1))
}

func (g *Gen) branchSize(cc cond, r VReg, s ir.Size, to Label) {
	if s.IsConst() {
		g.branchI(cc, r, s.Value, to)
		return
	}
	g.BranchOp(cc, Inst{Op: Cmp, A: r, Mem: true, Base: ArgsReg, Disp: g.symbolArg(s.Symbol - 1)}, to)
}

// extent is the number of iterations of a loop: a constant, or a register.
type extent struct {
	n   int64
	reg VReg // 0: the constant n
}

func (g *Gen) extentOf(s ir.Size, t *ir.Tail) extent {
	if t == nil {
		if s.IsConst() {
			return extent{n: max(0, s.Value)}
		}
		return extent{reg: g.size(s)}
	}
	// min(Extent, Total − Extent·Outer)
	var done VReg
	outer := g.axes[t.Outer].reg
	if s.IsConst() {
		done = g.gMulConst(outer, s.Value)
	} else {
		done = g.gTied(Mul, outer, g.size(s))
	}
	rest := g.gTied(Sub, g.size(t.Total), done)
	n := g.size(s)
	return extent{reg: g.GMin(n, rest)}
}

func (e extent) isConst() bool { return e.reg == 0 }

func (g *Gen) branchExtent(cc cond, r VReg, e extent, to Label) {
	if e.isConst() {
		g.branchI(cc, r, e.n, to)
	} else {
		g.branch(cc, r, e.reg, to)
	}
}

// skipIfEmpty jumps to `end` if there is no iteration. If their number is a constant, it writes no jump and
// reports whether there is none: the loop need not be written then.
func (g *Gen) skipIfEmpty(e extent, end Label) bool {
	if e.isConst() {
		return e.n <= 0
	}
	g.branchI(Le, e.reg, 0, end)
	return false
}

// counted writes a loop: r counts from its value on while it is less than e, in steps. There is
// at least one iteration.
func (g *Gen) counted(r VReg, e extent, step int64, body func()) {
	g.enter()
	again := g.newLabel()
	g.Put(Inst{Kind: KindLoopStart})
	g.bind(again)
	body()
	g.gInc(r, step)
	g.branchExtent(Lt, r, e, again)
	g.Put(Inst{Kind: KindLoopEnd})
	g.leave()
}

// overAxis writes a counted loop with the axis a, from 0.
func (g *Gen) overAxis(a ir.Axis, e extent, body func()) {
	r := g.NewG()
	g.Put(Inst{Op: Const, D: r})
	g.axes[a] = axis{r, len(g.scopes)}
	g.counted(r, e, 1, body)
}
