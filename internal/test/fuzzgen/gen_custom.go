package fuzzgen

import (
	"slices"

	"github.com/weft-go/weft/core"
)

// customIn are operands of a function with rules.
func (g *gen) customIn(most int) []*Var {
	in := []*Var{g.few(most)}
	if g.s.n(3) == 1 {
		if v := g.few(most); !slices.Contains(in, v) {
			in = append(in, v)
		}
	}
	if g.s.n(4) == 3 {
		if v := g.pick(func(v *Var) bool { return !isInexact(v) }); v != nil {
			in = append(in, v)
		}
	}
	return in
}

// linear returns a value of the type that is linear in the sum of the elements of ts, times a
// coefficient.
func (g *gen) linear(ts []*Var, coefficient *Var, want core.ShapedArray) *Var {
	var sum *Var
	for _, t := range ts {
		s := g.toDType(g.total(t), want.DType)
		if sum == nil {
			sum = s
		} else {
			sum = g.binaryOf("add", Arg{Var: sum}, Arg{Var: s}, sum.mag+s.mag)
		}
	}
	v := g.binaryOf("mul", Arg{Var: sum}, Arg{Var: coefficient}, 4)
	if want.Rank() > 0 {
		v = g.emit(&Node{Op: "bcast", In: args(v), A: dims(want), B: []int{}}, want, v.mag)
	}
	return v
}

// coefficient returns a scalar, not large.
func (g *gen) coefficient(dt core.DType) *Var {
	v := g.fit(g.latest(isInexact), core.Aval(dt.Real()))
	v = g.unaryOf("cos", v, 1)
	return g.toDType(v, dt)
}

func (g *gen) customJVP(depth int) {
	in := g.customIn(12)
	w := &Wrap{Kind: CustomJVP, Symbolic: g.s.n(4) == 3}
	closed := g.s.n(3) > 0
	f := g.function(closed, in, depth-1)
	g.results(1+g.s.n(2), nil)
	g.end()

	g.cost *= 2
	closed = g.s.n(3) > 0
	rule := g.function(closed, in, -1)
	own := slices.Clone(rule.Params)
	forwarded := g.s.n(3) == 1
	if !forwarded {
		for range g.s.n(3) {
			g.leaf()
		}
	}
	var outs []*Var
	coefficients := map[core.DType]*Var{}
	if !forwarded {
		outs = g.call(f, own)
		for _, v := range outs {
			if isInexact(v) && coefficients[v.Type.DType] == nil {
				coefficients[v.Type.DType] = g.coefficient(v.Type.DType)
			}
		}
	}
	var ts []*Var
	var active []bool
	var along []Arg
	for _, v := range in {
		active = append(active, isInexact(v))
		if !isInexact(v) {
			along = append(along, Arg{})
			continue
		}
		t := g.param(v.Type)
		ts, along = append(ts, t), append(along, Arg{Var: t})
	}
	var touts []*Var
	if forwarded {
		types := f.Types()
		for _, t := range f.Types() {
			if t.DType.IsInexact() {
				types = append(types, t)
			}
		}
		all := g.emitAll(&Node{In: args(own...), W: &Wrap{Kind: JVP, Fs: []*Func{f}, Active: active, Along: [][]Arg{along}}}, types, 4)
		outs = all[:len(f.Outs)]
		for _, t := range all[len(f.Outs):] {
			touts = append(touts, g.binaryOf("mul", Arg{Var: t}, lit(t.Type.DType, 1.5), 4))
		}
	} else {
		for _, v := range outs {
			if isInexact(v) {
				touts = append(touts, g.linear(ts, coefficients[v.Type.DType], v.Type))
			}
		}
	}
	rule.Outs = append(args(outs...), args(touts...)...)
	g.end()
	w.Fs = []*Func{f, rule}
	g.emitAll(&Node{In: args(in...), W: w}, f.Types(), mags(f))
}

func (g *gen) customVJP(depth int) {
	most := 4
	if g.cost > 40 {
		most = 1
	}
	in := g.customIn(most)
	if g.s.n(3) == 2 {
		for k, v := range in {
			if isInexact(v) {
				in[k] = g.unaryOf("stop", v, v.mag)
			}
		}
	}
	g.cost *= 4
	w := &Wrap{Kind: CustomVJP, Symbolic: g.s.n(4) == 3}
	f := g.function(g.s.n(3) > 0, in, depth-1)
	g.results(1, nil)
	if v := f.Outs[0].Var; v.Type.Size() > 4 {
		f.Outs[0].Var = g.tamed(g.total(v))
	}
	if g.s.n(3) == 2 {
		f.Outs = append(f.Outs, Arg{Var: g.pick(func(v *Var) bool { return v.Type.Size() <= 2 || !isInexact(v) })})
		if f.Outs[1].Var == nil {
			f.Outs = f.Outs[:1]
		}
	}
	g.end()

	fwd := g.function(g.s.n(3) > 0, in, -1)
	own := slices.Clone(fwd.Params)
	outs := g.call(f, own)
	for range g.s.n(3) {
		g.leaf()
	}
	res := g.operands(1+g.s.n(2), anyVar)
	w.NumRes = len(res)
	fwd.Outs = append(args(outs...), args(res...)...)
	g.end()

	bwd := g.function(g.s.n(3) > 0, res, -1)
	for range g.s.n(3) {
		g.leaf()
	}
	coefficients := map[core.DType]*Var{}
	for _, v := range in {
		if isInexact(v) && coefficients[v.Type.DType] == nil {
			coefficients[v.Type.DType] = g.coefficient(v.Type.DType)
		}
	}
	var cts, back []*Var
	for _, t := range f.Types() {
		if t.DType.IsInexact() {
			cts = append(cts, g.param(t))
		}
	}
	for _, v := range in {
		if isInexact(v) {
			back = append(back, g.linear(cts, coefficients[v.Type.DType], v.Type))
		}
	}
	bwd.Outs = args(back...)
	g.end()
	w.Fs = []*Func{f, fwd, bwd}
	g.emitAll(&Node{In: args(in...), W: w}, f.Types(), mags(f))
}

// customVmap writes a function with a batching rule. It closes over nothing, which a batch might map, and
// names no axis of a batch around it.
func (g *gen) customVmap(depth int) {
	in := g.operands(1+g.s.n(3), anyVar)
	axes := g.axes
	g.axes = nil
	f := g.function(true, in, depth-1)
	g.results(1+g.s.n(2), nil)
	g.end()
	g.axes = axes
	w := &Wrap{Kind: CustomVmap, Fs: []*Func{f}, OneByOne: g.s.n(2) == 1}
	g.emitAll(&Node{In: args(in...), W: w}, f.Types(), mags(f))
}
