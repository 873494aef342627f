package native

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

func (g *Gen) let(s *ir.Let) {
	in := &s.Inst
	if g.listing {
		g.comment("%%%d = %s", s.Dst, in.Text())
	}
	if r, ok := g.rotations[s.Dst]; ok {
		g.bindRef(s.Dst, g.Rotate(g.get(r.x), r.n))
		return
	}
	if e, ok := g.extremes[s.Dst]; ok {
		extreme := g.Extreme
		if e.loose && g.nonzero(e.x) {
			extreme = g.Target.(LooseTarget).LooseExtreme
		}
		g.bindRef(s.Dst, extreme(g.get(e.x), g.get(e.y), e.least))
		return
	}
	if x, ok := g.roundings[s.Dst]; ok {
		g.bindRef(s.Dst, g.Rounded(g.get(x)))
		return
	}
	if f, ok := g.sums[s.Dst]; ok {
		g.bindRef(s.Dst, g.Target.(SumTarget).Sum(g.get(f.x), g.get(f.y), g.get(f.z), f.lessProduct, f.lessOther))
		return
	}
	if j, ok := g.joints[s.Dst]; ok {
		g.bindRef(s.Dst, g.joined(in.Type, j))
		return
	}
	switch in.Op {
	case scalar.OpConst:
		g.vals[s.Dst] = binding{konst: true, bits: in.Imm}
		return
	case scalar.OpRare:
		g.bindRef(s.Dst, g.rare(in))
		return
	case scalar.OpCanon:
		if g.defs[in.Args[0]].bits&quiet != 0 {
			g.bindRef(s.Dst, g.Target.(QuietTarget).CanonQuiet(g.get(in.Args[0])))
			return
		}
	case scalar.OpAdd, scalar.OpSub:
		if n, ok := g.constant(in.Args[1]); ok && n == 0 && in.Type.IsInt() {
			g.bindRef(s.Dst, g.get(in.Args[0]))
			return
		}
	case scalar.OpShl, scalar.OpShr:
		if n, ok := g.constant(in.Args[1]); ok {
			g.bindRef(s.Dst, g.ShiftConst(in.Op, g.get(in.Args[0]), n))
			return
		}
	}
	var x [3]Value
	for i := range in.Op.Args() {
		x[i] = g.get(in.Args[i])
	}
	g.bindRef(s.Dst, g.operation(in, x))
	g.vals[s.Dst].span = g.spanOf(in)
}

func (g *Gen) operation(in *scalar.Inst, x [3]Value) Value {
	switch in.Op {
	case scalar.OpEq, scalar.OpNe, scalar.OpLt, scalar.OpLe:
		return g.Compare(in.Op, x[0], x[1])
	case scalar.OpSelect, scalar.OpRare:
		return g.Choose(x[0], x[1], x[2])
	case scalar.OpConvert:
		return g.Convert(in.Type, x[0])
	case scalar.OpBitcast:
		return x[0].As(in.Type)
	case scalar.OpWiden:
		return g.widen(in.DType, x[0])
	case scalar.OpNarrow:
		return g.narrow(in.DType, x[0])
	case scalar.OpScale:
		return g.Scale(x[0], x[1])
	case scalar.OpLookup:
		return g.Lookup(g.k.Tables[in.Imm], x[0])
	}
	switch {
	case in.Type == scalar.Bool && in.Op == scalar.OpNot:
		return g.Not(x[0])
	case in.Type == scalar.Bool:
		return g.Logic(in.Op, x[0], x[1])
	case in.Type.IsFloat():
		return g.FloatOp(in.Op, x[0], x[1], x[2])
	}
	return g.IntOp(in.Op, x[0], x[1])
}

func (g *Gen) constant(r ir.Ref) (uint64, bool) { return g.vals[r].bits, g.vals[r].konst }
