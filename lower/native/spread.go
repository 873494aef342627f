package native

import (
	"github.com/weft-go/weft/lower/ir"
)

type spreadKey struct {
	ref ir.Ref
	n   int
}

// spreadValue is a value that all lanes share, in the registers of u copies.
type spreadValue struct {
	Value
	u int
}

func (g *Gen) get(r ir.Ref) Value {
	b := &g.vals[r]
	if b.konst {
		return g.Splat(g.k.Types[r], b.bits)
	}
	if !b.one || g.Lanes.One() {
		return b.Value
	}
	s := g.scopes[g.vecScope]
	key := spreadKey{r, g.Lanes.N}
	v, ok := s.spread[key]
	if !ok {
		g.hoistTo(g.vecScope, func() { v = spreadValue{g.Spread(b.Value), g.Lanes.U} })
		if s.spread == nil {
			s.spread = map[spreadKey]spreadValue{}
		}
		s.spread[key] = v
	}
	if v.u == g.Lanes.U {
		return v.Value
	}
	out := Value{T: v.T, R: g.RegSlice(), W: v.W}
	for range len(v.R) / v.u * g.Lanes.U {
		out.R = append(out.R, v.R[0])
	}
	return out
}
