package fuzzgen

import (
	"slices"

	"github.com/weft-go/weft/core"
)

func (g *gen) reverse(kind Kind, depth int) {
	most := 4
	if g.cost > 40 {
		most = 1
	}
	in := []*Var{g.few(most)}
	if g.s.n(3) == 1 {
		if v := g.few(2); !slices.Contains(in, v) {
			in = append(in, v)
		}
	}
	active := make([]bool, len(in), len(in)+1)
	for k, v := range in {
		active[k] = true
		g.cost *= float64(1 + v.Type.Size())
	}
	if g.s.n(2) == 1 {
		if v := g.pick(func(v *Var) bool { return !slices.Contains(in, v) }); v != nil {
			in, active = append(in, v), append(active, false)
		}
	}
	f := g.function(false, in, depth-1)
	w := &Wrap{Kind: kind, Fs: []*Func{f}, Active: active}
	if kind == Grad {
		dt := []core.DType{core.Float64, core.Float32}[g.s.n(2)]
		if v := g.latest(isInexact); v.Type.DType.Real().Bits() >= 32 {
			dt = v.Type.DType.Real()
		}
		g.results(0, []core.ShapedArray{core.Aval(dt)})
		if g.s.n(3) == 1 { // an auxiliary result
			f.Outs = append(f.Outs, Arg{Var: g.pick(anyVar)})
		}
		g.end()
		list := make([]Arg, len(f.Outs))
		list[0] = lit(dt, 1)
		w.Along = [][]Arg{list}
	} else {
		g.results(1+g.s.n(2), nil)
		g.end()
		for range 1 + g.s.n(5)/4 {
			w.Along = append(w.Along, g.along(f.Types(), true))
		}
		w.Mode = g.mode()
	}
	types := f.Types()
	for range w.Along {
		for k, v := range in {
			if active[k] {
				types = append(types, v.Type)
			}
		}
	}
	g.tameResults(g.emitAll(&Node{In: args(in...), W: w}, types, 8))
}

func (g *gen) forward(kind Kind, depth int) {
	in := g.operands(1+g.s.n(2), isInexact)
	active := make([]bool, len(in), len(in)+1)
	for k := range in {
		active[k] = true
	}
	if g.s.n(2) == 1 {
		if v := g.pick(func(v *Var) bool { return !slices.Contains(in, v) }); v != nil {
			in, active = append(in, v), append(active, false)
		}
	}
	w := &Wrap{Kind: kind, Active: active}
	var types []core.ShapedArray
	for k, v := range in {
		t := v.Type
		if !active[k] {
			t.DType = core.Float0
		}
		types = append(types, t)
	}
	n := 1
	if kind == Linearize {
		n += g.s.n(5) / 4
		w.Mode = g.mode()
	}
	for range n {
		w.Along = append(w.Along, g.along(types, false))
	}
	g.cost *= 2
	f := g.function(false, in, depth-1)
	g.results(1+g.s.n(2), nil)
	g.end()
	w.Fs = []*Func{f}
	out := f.Types()
	for range w.Along {
		for _, t := range f.Types() {
			if t.DType.IsInexact() {
				out = append(out, t)
			}
		}
	}
	g.tameResults(g.emitAll(&Node{In: args(in...), W: w}, out, 8))
}

func (g *gen) mode() Mode { return []Mode{Direct, Direct, InJit, InVmap}[g.s.n(4)] }

// along returns tangents or cotangents of the types: one at least.
func (g *gen) along(types []core.ShapedArray, always bool) []Arg {
	list := make([]Arg, len(types))
	some := false
	for k, t := range types {
		if !t.DType.IsInexact() || some && g.s.n(4) == 3 {
			continue
		}
		some = true
		v := g.pick(func(v *Var) bool { return v.Type == t })
		if v == nil {
			v = g.fit(g.latest(isInexact), t)
		}
		list[k] = Arg{Var: g.tamed(v)}
	}
	return list
}

// tameResults keeps derivatives, whose size is not known, from growing.
func (g *gen) tameResults(vs []*Var) {
	for _, v := range vs {
		if isInexact(v) && g.s.n(3) == 1 {
			g.tamed(v)
		}
	}
}
