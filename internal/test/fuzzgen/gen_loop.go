package fuzzgen

import (
	"slices"

	"github.com/weft-go/weft/core"
)

// start returns a value to start a loop with.
func (g *gen) start() Arg {
	if g.s.n(6) == 5 {
		return g.number(core.Float32)
	}
	v := g.pick(isInexact)
	if v == nil {
		v = g.real()
	}
	return Arg{Var: g.tamed(v)}
}

// calm returns v, or v under a stopped gradient: loops that cannot be reversed are more
// often entered without a derivative.
func (g *gen) calm(a Arg, op string) Arg {
	if a.Var == nil || g.s.n(3) == 0 {
		return a
	}
	return Arg{Var: g.unaryOf(op, a.Var, a.Var.mag)}
}

// next returns a carry's value for the next step: never the carry itself.
func (g *gen) next(t core.ShapedArray) *Var {
	v := g.fitLatest(t)
	if t.DType.IsComplex() {
		return g.binaryOf("mul", Arg{Var: g.tamed(v)}, lit(t.DType, 0.5), 3)
	}
	return g.unaryOf([]string{"sin", "tanh"}[g.s.n(2)], v, 1)
}

func (g *gen) scan(depth int) {
	w := &Wrap{Kind: Scan, NumCarry: 2, Length: g.s.n(4), Reverse: g.s.n(2) == 1}
	if w.Length == 0 && !g.s.in256(64) {
		w.Length = 2
	}
	var xs []*Var
	for range g.s.n(3) {
		v := g.pick(func(v *Var) bool { return v.Type.Rank() > 0 && (len(xs) == 0 || v.Type.Shape.At(0) == w.Length) })
		if v != nil && !slices.Contains(xs, v) {
			w.Length = v.Type.Shape.At(0)
			xs = append(xs, v)
		}
	}
	counter, carry := lit(core.Int32, float64(g.s.n(2))), g.start()
	counter.Lit.Weak = g.s.n(2) == 1
	g.cost *= float64(max(w.Length, 1) + 1)
	f := g.begin(false)
	i := g.paramLike(counter)
	g.paramLike(carry)
	for _, x := range xs {
		p := g.param(core.Aval(x.Type.DType, dims(x.Type)[1:]...))
		p.mag = max(x.mag, 1)
	}
	g.body(depth - 1)
	up := g.binaryOf("add", Arg{Var: i}, lit(core.Int32, 1), 8)
	f.Outs = args(up, g.next(carry.Type().Strong()))
	types := f.Types()
	if w.Length > 0 {
		for range g.s.n(3) {
			y := g.pick(func(v *Var) bool { return v.Type.Rank() < 3 && v.Type.Size()*w.Length <= 24 })
			if y != nil {
				f.Outs = append(f.Outs, Arg{Var: y})
				types = append(types, core.Aval(y.Type.DType, append([]int{w.Length}, dims(y.Type)...)...))
			}
		}
	}
	g.end()
	w.Fs = []*Func{f}
	g.emitAll(&Node{In: append([]Arg{counter, carry}, args(xs...)...), W: w}, types, mags(f))
}

func (g *gen) while(depth int) {
	counter, carry := lit(core.Int32, 0), g.calm(g.start(), "stop")
	counter.Lit.Weak = g.s.n(2) == 1
	in := []Arg{counter, carry}
	limit := lit(core.Int32, float64(1+g.s.n(3)))
	if g.s.n(3) == 1 {
		limit = Arg{Var: g.small2(g.index())}
	}
	g.cost *= 4
	w := &Wrap{Kind: While, NumCarry: 2}
	cond := g.begin(false)
	i, c := g.paramLike(counter), g.paramLike(carry)
	ok := g.emit(&Node{Op: "lt", In: []Arg{{Var: i}, limit}}, core.Aval(core.Bool), 1)
	if g.s.n(4) == 3 && isReal(c) {
		s := g.total(c)
		more := g.emit(&Node{Op: "lt", In: []Arg{{Var: s}, lit(s.Type.DType, 1.3)}}, core.Aval(core.Bool), 1)
		ok = g.binaryOf("and", Arg{Var: ok}, Arg{Var: more}, 1)
	}
	cond.Outs = args(ok)
	g.end()
	body := g.begin(false)
	i = g.paramLike(counter)
	g.paramLike(carry)
	g.body(depth - 1)
	up := g.binaryOf("add", Arg{Var: i}, lit(core.Int32, 1), 8)
	body.Outs = args(up, g.next(carry.Type().Strong()))
	g.end()
	w.Fs = []*Func{cond, body}
	g.emitAll(&Node{In: in, W: w}, body.Types(), 2)
}

func (g *gen) fori(depth int) {
	carry := g.start()
	lo := lit(core.Int32, float64(g.s.n(2)))
	hi := lit(core.Int32, float64(1+g.s.n(3)))
	if g.s.n(2) == 1 {
		carry = g.calm(carry, "stop")
		hi = Arg{Var: g.small2(g.index())}
	}
	g.cost *= 4
	w := &Wrap{Kind: ForI, NumCarry: 1, Bounds: [2]Arg{lo, hi}}
	f := g.begin(false)
	g.paramLike(lo)
	g.paramLike(carry)
	g.body(depth - 1)
	f.Outs = args(g.next(carry.Type().Strong()))
	g.end()
	w.Fs = []*Func{f}
	g.emitAll(&Node{In: []Arg{carry}, W: w}, f.Types(), 2)
}
