package amd64

import (
	"github.com/weft-go/weft/lower/ir"
)

type spreadKey struct {
	ref ir.Ref
	n   int
}

// spreadValue is one register for all elements, in the form of u copies.
type spreadValue struct {
	value
	u int
}

// get returns a value for the present lanes.
func (g *gen) get(r ir.Ref) value {
	b := &g.vals[r]
	if b.konst {
		return g.konst(g.k.Types[r], b.bits)
	}
	if !b.one || g.cx.one() {
		return b.value
	}
	s := g.scopes[g.vecScope]
	key := spreadKey{r, g.cx.n}
	v, ok := s.spread[key]
	if !ok {
		g.hoistTo(g.vecScope, func() { v = spreadValue{g.spread(b.value), g.cx.u} })
		if s.spread == nil {
			s.spread = map[spreadKey]spreadValue{}
		}
		s.spread[key] = v
	}
	if v.u == g.cx.u {
		return v.value
	}
	out := value{t: v.t, r: g.regSlice(), w: v.w}
	for range len(v.r) / v.u * g.cx.u {
		out.r = append(out.r, v.r[0])
	}
	return out
}
