package exchange

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// mostTogether is the number of bytes from which on combining exchanges gains little.
const mostTogether = 64 << 10

// Together returns the program in which small exchanges of kind Gathering are combined, such as
// those for the sums of several gradients. A combined exchange is written when it has many bytes,
// or when one of its results is needed. All processes write exchanges in the same order.
func Together(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	s := &schedule{}
	open := map[string]*gathers{} // by what they must have in common
	of := map[*jaxpr.Eqn]*gathers{}
	s.write = func(e *jaxpr.Eqn) {
		g := of[e]
		switch {
		case g == nil:
			s.append(e)
		case open[g.key] == g:
			delete(open, g.key)
			g.write(s)
		}
	}
	return s.of(j, Together, func(e *jaxpr.Eqn, x acrossP) {
		s.demand(e.Ins)
		a := e.Ins[0].Aval()
		bytes := a.Size() * a.DType.Size()
		if x.of.exchange.Kind != Gathering || bytes >= mostTogether {
			s.append(e)
			return
		}
		key := fmt.Sprint(x.of.exchange.Axis, x.of.exchange.Group, a.DType)
		g := open[key]
		if g == nil {
			g = &gathers{key: key}
			open[key] = g
		}
		g.eqns, g.bytes, of[e] = append(g.eqns, e), g.bytes+bytes, g
		s.putOff(e)
		if g.bytes >= mostTogether {
			s.demand([]jaxpr.Atom{e.Outs[0]})
		}
	})
}

// gathers are exchanges that become one.
type gathers struct {
	key   string
	eqns  []*jaxpr.Eqn
	bytes int
}

func (g *gathers) write(s *schedule) {
	first := g.eqns[0]
	if len(g.eqns) == 1 {
		s.append(first)
		return
	}
	call := func(name string, ins []jaxpr.Atom, outs []*jaxpr.Var, f func(in []Value) []Value) {
		s.append(&jaxpr.Eqn{Prim: &jaxpr.Jit{Fn: name, Jaxpr: trace.Stage(name, core.AvalsOf(ins), f)}, Ins: ins, Outs: outs, Site: first.Site})
	}
	var ins []jaxpr.Atom
	var outs []*jaxpr.Var
	size := 0
	for _, e := range g.eqns {
		ins, outs, size = append(ins, e.Ins[0]), append(outs, e.Outs[0]), size+e.Ins[0].Aval().Size()
	}
	x := first.Prim.(acrossP)
	k := len(x.of.exchange.Group)
	row := core.Aval(first.Outs[0].Type.DType, 1, size)
	packed, gathered := jaxpr.NewVar(row), jaxpr.NewVar(WithRows(row, k))
	call("pack", ins, []*jaxpr.Var{packed}, func(in []Value) []Value {
		flat := make([]Value, len(in))
		for i, v := range in {
			flat[i] = prim.Reshape(v, core.MakeDims(1, v.Aval().Size()))
		}
		return []Value{prim.Concatenate(1, flat...)}
	})
	s.append(&jaxpr.Eqn{Prim: newAcross(x.of.begin, x.of.exchange, k), Ins: []jaxpr.Atom{packed}, Outs: []*jaxpr.Var{gathered}, Site: first.Site})
	call("unpack", []jaxpr.Atom{gathered}, outs, func(in []Value) []Value {
		parts := make([]Value, len(outs))
		at := 0
		for i, v := range outs {
			n := ins[i].Aval().Size()
			parts[i] = prim.Reshape(prim.SliceAxis(in[0], 1, at, at+n, 1), v.Type.Shape)
			at += n
		}
		return parts
	})
}
