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
	loose bool // only arithmetic and comparisons read it: the bits of a NaN do not matter
}

// findExtremes finds the selections in a block between two floats by their comparison, as clamping an argument
// makes, and the comparisons that nothing else uses.
func (g *Gen) findExtremes(b ir.Block) {
	var less map[ir.Ref]*ir.Let
	found := false
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
			g.extremes[l.Dst] = extreme{x: x, y: y, least: least}
			g.merged[c.Dst] = g.usesOf(c.Dst) == 1
			found = true
		}
	}
	if found {
		g.findLoose(b)
	}
}

// findLoose marks the extremes of a block that only operations with hidesNaNs read, directly or through other
// extremes, negations and absolute values.
func (g *Gen) findLoose(b ir.Block) {
	if _, ok := g.Target.(LooseTarget); !ok {
		return
	}
	reads := make([]int32, len(g.k.Types)) // by ir.Ref: how often these operations read a value
	for i := len(b) - 1; i >= 0; i-- {
		l, ok := b[i].(*ir.Let)
		if !ok {
			continue
		}
		loose := hidesNaNs(l.Inst.Op)
		if l.Inst.Op == scalar.OpNeg || l.Inst.Op == scalar.OpAbs {
			loose = reads[l.Dst] == g.usesOf(l.Dst)
		}
		if e, ok := g.extremes[l.Dst]; ok {
			loose = reads[l.Dst] == g.usesOf(l.Dst)
			e.loose = loose
			g.extremes[l.Dst] = e
		}
		if loose {
			ir.Reads(l, func(r ir.Ref) { reads[r]++ })
		}
	}
}

// hidesNaNs reports whether the result of an operation on floats is the same for every NaN as an operand, apart from
// the bits of a NaN that arithmetic produces, which are unspecified until it is made canonical.
func hidesNaNs(op scalar.Op) bool {
	switch op {
	case scalar.OpAdd, scalar.OpSub, scalar.OpMul, scalar.OpFMA, scalar.OpSqrt, scalar.OpRint, scalar.OpEq, scalar.OpNe, scalar.OpLt, scalar.OpLe, scalar.OpCanon:
		return true
	}
	return false
}

// nonzero reports whether a value is a constant float other than a zero or NaN.
func (g *Gen) nonzero(r ir.Ref) bool {
	n, ok := g.constant(r)
	infinity := uint64(0x7f800000)
	if g.k.Types[r] == scalar.F64 {
		infinity = 0x7ff << 52
	}
	n &= infinity | infinity - 1
	return ok && n != 0 && n <= infinity
}
