package amd64

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
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

var broadcastOps = bySize{1: Vpbroadcastb, 2: Vpbroadcastw, 4: Vbroadcastss, 8: Vpbroadcastq}

// spread copies the only element of a value to all lanes.
func (g *gen) spread(x value) value {
	v := value{t: x.t, r: g.regSlice(), w: x.w}
	if x.t == scalar.Bool && g.isa == AVX512 {
		d := g.newG()
		g.put(minst{op: KmovwR, d: d, b: x.r[0]})
		d = g.gTiedI(AndI, d, 1)
		n := g.newG()
		g.put(minst{op: Neg, d: n, c: d})
		k := g.newK()
		g.put(minst{op: KmovqG, d: k, b: n})
		for range g.cx.u {
			v.r = append(v.r, k)
		}
		return v
	}
	size := x.t.Size()
	if x.t == scalar.Bool {
		size = int(x.w)
	}
	parts, length := g.layout(size)
	r := g.op1(broadcastOps[size], length, x.r[0])
	for range parts * g.cx.u {
		v.r = append(v.r, r)
	}
	return v
}
