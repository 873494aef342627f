package fuzzgen

import (
	"math"

	"github.com/weft-go/weft/core"
)

// tamed returns v, or a function of it that is not large.
func (g *gen) tamed(v *Var) *Var {
	if v.mag <= 6 || !isInexact(v) {
		return v
	}
	if isComplex(v) {
		k := math.Exp2(-math.Ceil(math.Log2(v.mag / 2)))
		return g.binaryOf("mul", Arg{Var: v}, lit(v.Type.DType, max(k, 0x1p-20)), 2)
	}
	return g.unaryOf([]string{"tanh", "sin", "atan"}[g.s.n(3)], v, 1.6)
}

// toDType converts v.
func (g *gen) toDType(v *Var, dt core.DType) *Var {
	t := v.Type
	if t.DType == dt {
		return v
	}
	convert := func(v *Var, mag float64) *Var {
		return g.emit(&Node{Op: "convert", In: args(v), DType: dt}, v.Type.WithDType(dt), mag)
	}
	switch {
	case dt.IsBool() && isComplex(v):
		return g.toDType(g.emit(&Node{Op: "real", In: args(v)}, t.WithDType(t.DType.Real()), v.mag), dt)
	case dt.IsBool() && isReal(v):
		return g.emit(&Node{Op: "gt", In: []Arg{{Var: v}, lit(t.DType, 0.28125)}}, t.WithDType(dt), 1)
	case dt.IsBool():
		return g.emit(&Node{Op: "lt", In: []Arg{{Var: v}, lit(t.DType, 2)}}, t.WithDType(dt), 1)
	case dt.IsInteger() && isComplex(v):
		return g.toDType(g.emit(&Node{Op: "imag", In: args(v)}, t.WithDType(t.DType.Real()), v.mag), dt)
	case dt.IsInteger() && isReal(v):
		return convert(g.off(g.tamed(v)), 6)
	case dt.IsInteger():
		return convert(v, min(v.mag, g.most(dt)))
	case isIntegral(v) && v.mag > 100:
		return convert(g.small(v), 8)
	case dt.IsFloat() && isComplex(v):
		v = g.emit(&Node{Op: []string{"real", "imag"}[g.s.n(2)], In: args(v)}, t.WithDType(t.DType.Real()), v.mag)
		if v.Type.DType == dt {
			return v
		}
	}
	return convert(v, v.mag)
}

// small returns an integer between −7 and 7.
func (g *gen) small(v *Var) *Var {
	if v.mag <= 8 {
		return v
	}
	return g.emit(&Node{Op: "rem", In: []Arg{{Var: v}, lit(v.Type.DType, 7)}}, v.Type, 7)
}

// small2 returns an integer from 0 to 3.
func (g *gen) small2(v *Var) *Var {
	return g.emit(&Node{Op: "and", In: []Arg{{Var: v}, lit(v.Type.DType, 3)}}, v.Type, 3)
}

// total returns the sum of all elements, or of truth values whether any is true.
func (g *gen) total(v *Var) *Var {
	t := v.Type
	if t.Rank() == 0 {
		return v
	}
	op, mag := "sum", v.mag*float64(t.Size())
	switch {
	case isBool(v):
		op, mag = "any", 1
	case isIntegral(v):
		mag = min(mag, g.most(t.DType))
	}
	return g.emit(&Node{Op: op, In: args(v), A: upTo(t.Rank())}, core.Aval(t.DType), mag)
}

// fit makes a value of the given type out of v.
func (g *gen) fit(v *Var, want core.ShapedArray) *Var {
	v = g.toDType(v, want.DType)
	if v.Type.Shape == want.Shape {
		return v
	}
	if v.Type.Size() == want.Size() {
		return g.emit(&Node{Op: "reshape", In: args(v), A: dims(want)}, want, v.mag)
	}
	v = g.tamed(g.total(v))
	if want.Rank() == 0 {
		return v
	}
	return g.emit(&Node{Op: "bcast", In: args(v), A: dims(want), B: []int{}}, want, v.mag)
}

// fitLatest makes a value of the given type from the latest suitable variable of the function, so
// that what was written last matters.
func (g *gen) fitLatest(want core.ShapedArray) *Var {
	var best *Var
	g.visible(func(v *Var, own bool) bool {
		if want.DType.IsInexact() && !isInexact(v) && own {
			return true // to keep the derivative
		}
		best = v
		return false
	})
	if best == nil || want.DType.IsInexact() && !isInexact(best) {
		if v := g.pick(isInexact); v != nil {
			best = v
		}
	}
	if best == nil {
		best = g.real()
	}
	return g.fit(best, want)
}

// results sets the results of the function: of the given types, or n of the latest
// variables.
func (g *gen) results(n int, types []core.ShapedArray) {
	f := g.blk.f
	for _, t := range types {
		f.Outs = append(f.Outs, Arg{Var: g.fitLatest(t)})
	}
	if types != nil {
		return
	}
	f.Outs = append(f.Outs, Arg{Var: g.latest(isInexact)})
	for range n - 1 {
		f.Outs = append(f.Outs, Arg{Var: g.pick(anyVar)})
	}
	for _, a := range f.Outs {
		g.use(a)
	}
}

// off returns v plus a small constant, so that it does not lie by construction where functions
// jump.
func (g *gen) off(v *Var) *Var {
	return g.binaryOf("add", Arg{Var: v}, lit(v.Type.DType, []float64{0.28125, -0.34375}[g.s.n(2)]), v.mag+0.4)
}

// uneven returns v with its elements along axes moved apart, so that they are not equal by
// construction.
func (g *gen) uneven(v *Var, axes []int) *Var {
	if isComplex(v) {
		return v
	}
	step := 0.40625
	for _, a := range axes {
		i := g.emit(&Node{Op: "iota", A: dims(v.Type), N: a, DType: v.Type.DType}, v.Type, 3)
		i = g.binaryOf("mul", Arg{Var: i}, lit(v.Type.DType, step), 1)
		v = g.binaryOf("add", Arg{Var: v}, Arg{Var: i}, v.mag+1)
		step /= 4
	}
	return v
}

// above0 returns a value that is not near zero nor negative.
func (g *gen) above0(v *Var) *Var {
	v = g.tamed(v)
	sq := g.unaryOf("square", v, v.mag*v.mag)
	return g.binaryOf("add", Arg{Var: sq}, lit(v.Type.DType, 0.75), sq.mag+0.75)
}
