package fuzzgen

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/core"
)

// body writes leaf operations, a wrapper if depth allows, and leaf operations.
func (g *gen) body(depth int) {
	for range 1 + g.s.n(4) {
		g.leaf()
	}
	if depth > 0 {
		g.wrapper(depth)
		if g.s.in256(24) {
			g.wrapper(1)
		}
	}
	for range 1 + g.s.n(3) {
		g.leaf()
	}
}

// weights are the frequencies of the kinds, out of 256. Kinds that take a derivative are
// frequent, because most can go wrong there.
var weights = [NumKinds]int{Jit: 14, JitClosing: 14, Grad: 20, VJP: 15, JVP: 22, Linearize: 15, Vmap: 23, Remat: 8, RematPolicy: 8,
	Scan: 21, Cond: 15, Switch: 14, While: 14, ForI: 9, CustomJVP: 15, CustomVJP: 15, CustomVmap: 14}

// wrapper writes a wrapper whose function has depth−1 more within.
func (g *gen) wrapper(depth int) {
	n := g.s.n(256)
	for kind, w := range weights {
		if n -= w; n < 0 {
			g.wrapperOf(Kind(kind), depth)
			return
		}
	}
}

func (g *gen) wrapperOf(kind Kind, depth int) {
	g.depth++
	g.stats.Stack = max(g.stats.Stack, g.depth)
	if g.stats.Kinds[g.depth] == nil {
		g.stats.Kinds[g.depth] = map[Kind]int{}
	}
	g.stats.Kinds[g.depth][kind]++
	cost := g.cost
	switch kind {
	case Jit, JitClosing, Remat, RematPolicy:
		g.callOf(kind, depth)
	case Grad, VJP:
		g.reverse(kind, depth)
	case JVP, Linearize:
		g.forward(kind, depth)
	case Vmap:
		g.vmap(depth)
	case Scan:
		g.scan(depth)
	case Cond, Switch:
		g.branches(kind, depth)
	case While:
		g.while(depth)
	case ForI:
		g.fori(depth)
	case CustomJVP:
		g.customJVP(depth)
	case CustomVJP:
		g.customVJP(depth)
	case CustomVmap:
		g.customVmap(depth)
	}
	g.cost = cost
	g.depth--
	g.leafs++
}

// function writes a function with parameters like the operands.
func (g *gen) function(closed bool, like []*Var, depth int) *Func {
	f := g.begin(closed)
	for _, v := range like {
		p := g.param(v.Type)
		p.mag = max(v.mag, 1)
	}
	if depth >= 0 {
		g.body(depth)
	}
	return f
}

// call writes a call of f in place.
func (g *gen) call(f *Func, in []*Var) []*Var {
	return g.emitAll(&Node{Op: "call", In: args(in...), W: &Wrap{Fs: []*Func{f}}}, f.Types(), mags(f))
}

func (g *gen) callOf(kind Kind, depth int) {
	in := g.operands(1+g.s.n(3), anyVar)
	f := g.function(false, in, depth-1)
	if kind == JitClosing {
		if c := g.outer(isInexact); c != nil {
			v := g.latest(isInexact)
			c = g.fit(c, core.Aval(v.Type.DType))
			g.tamed(g.binaryOf("mul", Arg{Var: v}, Arg{Var: c}, v.mag*c.mag))
		}
	}
	g.results(1+g.s.n(2), nil)
	g.end()
	if kind == Remat || kind == RematPolicy {
		f.prune() // Remat computes again only what is needed
	}
	w := &Wrap{Kind: kind, Fs: []*Func{f}}
	types := f.Types()
	if kind == RematPolicy {
		w.Policy = []string{"everything", "sin", "names", "nothing"}[g.s.n(4)]
		g.stats.Policies = true
	}
	if g.s.in256(64) && kind != Remat && kind != RematPolicy {
		for _, v := range in {
			same := g.pick(func(o *Var) bool { return o.Type == v.Type })
			w.Again = append(w.Again, Arg{Var: same})
		}
		types = append(types, f.Types()...)
		g.stats.TwoCalls = true
	}
	g.emitAll(&Node{In: args(in...), W: w}, types, mags(f))
}

func (g *gen) branches(kind Kind, depth int) {
	var index *Var
	n := 2
	if kind == Switch {
		n = 2 + g.s.n(2)
		index = g.pick(func(v *Var) bool { return isIntegral(v) && v.Type.Rank() == 0 })
		if index == nil {
			index = g.index()
		}
	} else {
		index = g.pick(func(v *Var) bool { return (isBool(v) || isIntegral(v)) && v.Type.Rank() == 0 })
		if index == nil || g.s.n(4) == 3 {
			index = g.fit(g.latest(isInexact), core.Aval(core.Bool))
		}
	}
	w := &Wrap{Kind: kind}
	var types []core.ShapedArray
	mag := 1.0
	g.cost *= float64(n)
	for k := range n {
		d := depth - 1
		if k != 0 && g.s.n(2) == 1 {
			d = 0
		}
		f := g.function(false, nil, d)
		if k == 0 {
			g.results(1+g.s.n(2), nil)
			types = f.Types()
		} else {
			g.results(0, types)
		}
		g.end()
		w.Fs = append(w.Fs, f)
		mag = max(mag, mags(f))
	}
	if kind == Cond && g.s.n(2) == 1 {
		slices.Reverse(w.Fs)
	}
	g.emitAll(&Node{In: args(index), W: w}, types, mag)
}

func (g *gen) vmap(depth int) {
	n := 2 + g.s.n(2)
	if g.cost > 100 {
		n = 1 + g.s.n(2)
	}
	w := &Wrap{Kind: Vmap, Size: n}
	in := g.operands(1+g.s.n(3), anyVar)
	mapped := false
	axisOf := func(v *Var) int {
		var at []int
		for k, d := range v.Type.Shape.All() {
			if d == n {
				at = append(at, k)
			}
		}
		if len(at) == 0 || mapped && g.s.n(4) == 3 {
			return -1
		}
		mapped = true
		return at[g.s.n(len(at))]
	}
	for _, v := range in {
		w.InAxes = append(w.InAxes, axisOf(v))
	}
	if !mapped && !g.s.in256(24) {
		v := g.pick(func(v *Var) bool { return isReal(v) && v.Type.Size()*n <= 12 })
		if v == nil {
			v = g.fit(g.latest(anyVar), core.Aval(core.Float32))
		}
		at := g.s.n(v.Type.Rank() + 1)
		shape := slices.Insert(dims(v.Type), at, n)
		t := core.Aval(v.Type.DType, shape...)
		wide := g.emit(&Node{Op: "bcast", In: args(v), A: shape, B: slices.Delete(upTo(len(shape)), at, at+1)}, t, v.mag)
		count := g.emit(&Node{Op: "iota", A: shape, N: at, DType: t.DType}, t, 3)
		in = append(in, g.binaryOf("add", Arg{Var: wide}, Arg{Var: count}, v.mag+3))
		w.InAxes = append(w.InAxes, at)
	}
	g.cost *= float64(n)
	f := g.begin(false)
	w.Mesh = f.ID%4 == 3 // not drawn, so that bytes make the programs that they have made
	if g.s.n(2) == 1 {
		w.Axis = fmt.Sprintf("i%d", g.vars)
		g.axes = append(g.axes, axis{w.Axis, g.blk})
	}
	for k, v := range in {
		t := v.Type
		if a := w.InAxes[k]; a >= 0 {
			t = core.Aval(t.DType, slices.Delete(dims(t), a, a+1)...)
		}
		p := g.param(t)
		p.mag = max(v.mag, 1)
	}
	g.body(depth - 1)
	g.results(1+g.s.n(2), nil)
	for k, a := range f.Outs {
		if a.Var.Type.Rank() > 2 {
			f.Outs[k].Var = g.emit(&Node{Op: "reshape", In: []Arg{a}, A: []int{a.Var.Type.Size()}}, core.Aval(a.Var.Type.DType, a.Var.Type.Size()), a.Var.mag)
		}
	}
	g.end()
	if w.Axis != "" {
		g.axes = g.axes[:len(g.axes)-1]
	}
	w.Fs = []*Func{f}
	var types []core.ShapedArray
	for _, t := range f.Types() {
		a := g.s.n(t.Rank() + 1)
		w.OutAxes = append(w.OutAxes, a)
		types = append(types, core.Aval(t.DType, slices.Insert(dims(t), a, n)...))
	}
	g.emitAll(&Node{In: args(in...), W: w}, types, mags(f))
}
