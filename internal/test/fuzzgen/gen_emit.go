package fuzzgen

import (
	"slices"

	"github.com/weft-go/weft/core"
)

// emit writes a node with one result.
func (g *gen) emit(n *Node, t core.ShapedArray, mag float64) *Var {
	return g.emitAll(n, []core.ShapedArray{t}, mag)[0]
}

func (g *gen) emitAll(n *Node, ts []core.ShapedArray, mag float64) []*Var {
	for _, t := range ts {
		n.Out = append(n.Out, g.newVar(t, mag))
	}
	if n.W == nil {
		g.leafs++
		g.stats.Ops[n.Op] = true
	}
	args := func(as []Arg) {
		for _, a := range as {
			g.use(a)
		}
	}
	args(n.In)
	if w := n.W; w != nil {
		args(w.Again)
		args(w.Bounds[:])
		for _, l := range w.Along {
			args(l)
		}
	}
	g.blk.f.Body = append(g.blk.f.Body, n)
	return n.Out
}

// use records that a variable is used.
func (g *gen) use(a Arg) {
	if a.Var == nil {
		return
	}
	if !slices.Contains(g.blk.vars, a.Var) {
		g.stats.Closures = true
	}
}

func args(vs ...*Var) []Arg {
	out := make([]Arg, len(vs))
	for k, v := range vs {
		out[k].Var = v
	}
	return out
}

// lit returns a literal of a type.
func lit(dt core.DType, v float64) Arg {
	n := core.FloatNumber(v)
	switch {
	case dt.IsComplex():
		n = core.ComplexNumber(complex(v, 0))
	case dt.IsInteger():
		n = core.IntNumber(int64(v))
	case dt.IsBool():
		n = core.BoolNumber(v != 0)
	}
	return Arg{Lit: core.Literal{Num: n, Type: dt}}
}

// number returns a literal that every type contains exactly; sometimes a weak one.
func (g *gen) number(dt core.DType) Arg {
	a := lit(dt, []float64{0.5, 1.5, -0.75, 2, 0.25, -1}[g.s.n(6)])
	a.Lit.Weak = g.s.in256(48)
	return a
}

// unaryOf applies an operation that keeps the type.
func (g *gen) unaryOf(op string, v *Var, mag float64) *Var {
	return g.emit(&Node{Op: op, In: args(v)}, v.Type, mag)
}

// binaryOf applies an operation of two operands of one shape, or one of them a scalar.
func (g *gen) binaryOf(op string, a, b Arg, mag float64) *Var {
	t := a.Type()
	if t.Rank() == 0 {
		t = b.Type()
	}
	return g.emit(&Node{Op: op, In: []Arg{a, b}}, t, mag)
}

func magOf(a Arg) float64 {
	if a.Var != nil {
		return a.Var.mag
	}
	return 2
}

func mags(f *Func) float64 {
	m := 1.0
	for _, a := range f.Outs {
		m = max(m, magOf(a))
	}
	return m
}

// spreadType returns the type of an elementwise result.
func spreadType(as ...Arg) core.ShapedArray {
	var shape []int
	t := as[0].Type()
	for _, a := range as {
		s := dims(a.Type())
		if len(s) == 0 {
			continue
		}
		if shape == nil {
			shape = slices.Clone(s)
		}
		for k, n := range s {
			if shape[k] == 1 {
				shape[k] = n
			}
		}
	}
	return core.Aval(t.DType, shape...)
}

func (g *gen) most(dt core.DType) float64 {
	_, hi := bounds(dt)
	return float64(hi) + 1
}
