package fuzzgen

import "github.com/weft-go/weft/core"

// leaf writes a leaf operation, and before it what keeps the operation harmless.
func (g *gen) leaf() {
	if g.leafs > 400 {
		return
	}
	switch g.s.n(16) {
	case 0, 1, 2:
		g.unary()
	case 3, 4, 5, 6:
		g.binary()
	case 7:
		g.complexes()
	case 8, 9:
		g.movement()
	case 10, 11:
		g.combination()
	case 12:
		g.logic()
	case 13:
		g.integers()
	case 14:
		g.indexing()
	case 15:
		g.conversion()
	}
}

func (g *gen) unary() {
	v := g.real()
	switch g.s.n(22) {
	case 0, 1:
		g.unaryOf("sin", v, 1)
	case 2:
		g.unaryOf("cos", v, 1)
	case 3:
		g.unaryOf("tanh", v, 1)
	case 4:
		g.unaryOf("exp", g.tamed(v), 400)
	case 5:
		g.unaryOf("log", g.above0(v), 4)
	case 6:
		g.unaryOf("sqrt", g.above0(v), 6)
	case 7:
		g.unaryOf("rsqrt", g.above0(v), 1.2)
	case 8:
		g.unaryOf("logistic", v, 1)
	case 9:
		g.unaryOf("atan", v, 1.6)
	case 10:
		g.unaryOf("erf", v, 1)
	case 11:
		g.unaryOf("square", g.tamed(v), 36)
	case 12:
		w := g.tamed(v)
		g.emit(&Node{Op: "ipow", In: args(w), N: 2 + g.s.n(2)}, w.Type, w.mag*w.mag*w.mag)
	case 13:
		g.unaryOf("neg", v, v.mag)
	case 14:
		g.unaryOf("abs", g.off(v), v.mag)
	case 15:
		g.unaryOf([]string{"sign", "floor", "round"}[g.s.n(3)], g.off(v), v.mag+1)
	case 16:
		g.unaryOf("expm1", g.unaryOf("sin", v, 1), 2)
	case 17:
		g.unaryOf("log1p", g.above0(v), 4)
	case 18:
		g.unaryOf("stop", v, v.mag)
	case 19:
		g.unaryOf("copy", v, v.mag)
	case 20:
		g.emit(&Node{Op: "name", In: args(v), Name: []string{"a", "b"}[g.s.n(2)]}, v.Type, v.mag)
	case 21:
		w := g.pick(anyVar)
		g.emitAll(&Node{Op: "barrier", In: args(v, w)}, []core.ShapedArray{v.Type, w.Type}, max(v.mag, w.mag))
	}
}

// partner returns an operand to go with v: of its shape, a scalar, one that spreads, or a
// literal.
func (g *gen) partner(v *Var) Arg {
	dt := v.Type.DType
	if g.s.n(4) == 3 {
		return g.number(dt)
	}
	w := g.pick(func(w *Var) bool {
		if w.Type.DType != dt || w.Type.Rank() != v.Type.Rank() && w.Type.Rank() != 0 && v.Type.Rank() != 0 {
			return false
		}
		if w.Type.Rank() == 0 || v.Type.Rank() == 0 {
			return true
		}
		for k, n := range v.Type.Shape.All() {
			if o := w.Type.Shape.At(k); n != o && n != 1 && o != 1 {
				return false
			}
		}
		return true
	})
	if w == nil {
		if u := g.pick(isInexact); u != nil && g.s.n(2) == 1 {
			return Arg{Var: g.fit(u, core.Aval(dt))}
		}
		return g.number(dt)
	}
	return Arg{Var: w}
}

func (g *gen) binary() {
	v := g.pick(isInexact)
	if v == nil {
		v = g.real()
	}
	a, b := Arg{Var: v}, g.partner(v)
	if g.s.n(4) == 1 {
		a, b = b, a
	}
	if a.Var == nil && b.Var == nil {
		return
	}
	t := spreadType(a, b)
	out := func(op string, a, b Arg, mag float64) {
		g.tamed(g.emit(&Node{Op: op, In: []Arg{a, b}}, t, mag))
	}
	sum, product := magOf(a)+magOf(b), magOf(a)*magOf(b)
	switch n := g.s.n(10); {
	case n < 3:
		out("mul", a, b, product)
	case n < 5:
		out("add", a, b, sum)
	case n == 5:
		out("sub", a, b, sum)
	case n == 6 && b.Var != nil && isReal(b.Var):
		out("div", a, Arg{Var: g.above0(b.Var)}, magOf(a)*1.4)
	case n == 7 && t.DType.IsFloat() && b.Var != nil:
		if isInexact(b.Var) {
			b.Var = g.off(b.Var)
		}
		out([]string{"max", "min"}[g.s.n(2)], a, b, sum)
	case n == 8 && t.DType.IsFloat() && a.Var != nil && b.Var != nil && a.Var.Type == b.Var.Type:
		out("pow", Arg{Var: g.above0(g.unaryOf("sin", a.Var, 1))}, Arg{Var: g.unaryOf("sin", b.Var, 1)}, 2)
	case n == 9 && a.Var != nil && b.Var != nil && a.Var.Type == b.Var.Type:
		p := g.pick(func(w *Var) bool { return isBool(w) && (w.Type.Rank() == 0 || w.Type.Shape == a.Var.Type.Shape) })
		if p == nil {
			p = g.fit(g.pick(anyVar), core.Aval(core.Bool))
		}
		g.emit(&Node{Op: "select", In: []Arg{{Var: p}, a, b}}, a.Var.Type, sum)
	default:
		out("mul", a, b, product)
	}
}

func (g *gen) complexes() {
	v := g.pick(isComplex)
	if v == nil {
		re := g.pick(func(v *Var) bool { return v.Type.DType == core.Float32 || v.Type.DType == core.Float64 })
		if re == nil {
			g.unary()
			return
		}
		im := g.unaryOf("sin", re, 1)
		dt := core.Complex64
		if re.Type.DType == core.Float64 {
			dt = core.Complex128
		}
		g.emit(&Node{Op: "complex", In: args(re, im)}, re.Type.WithDType(dt), re.mag+1)
		return
	}
	real := v.Type.WithDType(v.Type.DType.Real())
	switch g.s.n(9) {
	case 0:
		g.unaryOf("conj", v, v.mag)
	case 1, 2:
		g.emit(&Node{Op: []string{"real", "imag"}[g.s.n(2)], In: args(v)}, real, v.mag)
	case 3:
		w := g.binaryOf("mul", Arg{Var: g.tamed(v)}, lit(v.Type.DType, 0.5), 3)
		g.tamed(g.unaryOf([]string{"exp", "sin", "cos"}[g.s.n(3)], w, 20))
	case 4:
		g.tamed(g.unaryOf("square", g.tamed(v), 36))
	case 5:
		g.unaryOf("neg", v, v.mag)
	case 6:
		sq := g.emit(&Node{Op: "cabs", In: args(v)}, real, v.mag)
		g.tamed(sq)
	case 7:
		w := g.tamed(v)
		g.tamed(g.emit(&Node{Op: "ipow", In: args(w), N: 3}, w.Type, 216))
	case 8:
		g.emit(&Node{Op: "complex", In: args(g.toDType(v, real.DType), g.toDType(v, real.DType))}, v.Type, 2*v.mag)
	}
}

func (g *gen) logic() {
	switch g.s.n(5) {
	case 0, 1:
		v := g.pick(func(v *Var) bool { return isReal(v) || isIntegral(v) })
		if v == nil {
			return
		}
		b := lit(v.Type.DType, 1)
		if w := g.pick(func(w *Var) bool { return w.Type == v.Type && w != v }); w != nil && g.s.n(2) == 1 {
			b = Arg{Var: w}
		}
		ops := []string{"lt", "gt", "le", "ge", "eq", "ne"}
		op := ops[g.s.n(4)]
		if isIntegral(v) {
			op = ops[g.s.n(6)]
		} else {
			v = g.off(v)
		}
		g.emit(&Node{Op: op, In: []Arg{{Var: v}, b}}, v.Type.WithDType(core.Bool), 1)
	case 2:
		v := g.pick(isBool)
		if v == nil {
			return
		}
		w := g.pick(func(w *Var) bool { return w.Type == v.Type })
		g.emit(&Node{Op: []string{"and", "or", "xor"}[g.s.n(3)], In: args(v, w)}, v.Type, 1)
	case 3:
		if v := g.pick(func(v *Var) bool { return isBool(v) && v.Type.Rank() > 0 }); v != nil {
			g.emit(&Node{Op: []string{"all", "any"}[g.s.n(2)], In: args(v), A: upTo(v.Type.Rank())}, core.Aval(core.Bool), 1)
		}
	case 4:
		if v := g.pick(isBool); v != nil {
			g.unaryOf("not", v, 1)
		} else if v := g.pick(isReal); v != nil {
			g.emit(&Node{Op: "isfinite", In: args(v)}, v.Type.WithDType(core.Bool), 1)
		}
	}
}

func (g *gen) integers() {
	v := g.pick(isIntegral)
	if v == nil {
		v = g.toDType(g.real(), core.Int32)
	}
	t := v.Type
	most := g.most(t.DType)
	b := lit(t.DType, float64(1+g.s.n(5)))
	if w := g.pick(func(w *Var) bool { return w.Type == t }); w != nil && g.s.n(2) == 1 {
		b = Arg{Var: w}
	}
	bin := func(op string, b Arg, mag float64) { g.emit(&Node{Op: op, In: []Arg{{Var: v}, b}}, t, min(mag, most)) }
	wraps := func(mag float64) float64 { // unsigned differences wrap
		if t.DType.IsUnsigned() {
			return most
		}
		return mag
	}
	switch g.s.n(11) {
	case 0:
		bin("add", b, v.mag+max(magOf(b), 5))
	case 1:
		bin("sub", b, wraps(v.mag+max(magOf(b), 5)))
	case 2:
		bin("mul", b, v.mag*max(magOf(b), 5))
	case 3:
		bin([]string{"max", "min"}[g.s.n(2)], b, v.mag+max(magOf(b), 5))
	case 4:
		bin([]string{"and", "or", "xor"}[g.s.n(3)], b, most)
	case 5:
		bin("rem", lit(t.DType, float64(2+g.s.n(5))), 7)
	case 6:
		bin("div", lit(t.DType, float64(1+g.s.n(4))), v.mag)
	case 7:
		bin("shl", lit(t.DType, float64(g.s.n(4))), most)
	case 8:
		bin("shr", lit(t.DType, float64(g.s.n(4))), v.mag)
	case 9:
		g.unaryOf("not", v, most)
	case 10:
		g.unaryOf([]string{"popcnt", "clz"}[g.s.n(2)], v, 64)
	}
}

func (g *gen) conversion() {
	v := g.pick(anyVar)
	if v == nil {
		return
	}
	all := []core.DType{core.Float32, core.Float64, core.Int32, core.Bool, core.Float16, core.BFloat16, core.Uint8, core.Int64, core.Uint32, core.Int8}
	dt := all[g.s.n(len(all))]
	if isComplex(v) {
		dt = []core.DType{core.Complex64, core.Complex128, core.Float32, core.Float64}[g.s.n(4)]
	}
	w := g.toDType(g.tamed(v), dt)
	// Types of few bits are converted soon, because their errors grow.
	if dt == core.Float16 || dt == core.BFloat16 {
		g.toDType(g.unaryOf([]string{"sin", "neg", "tanh"}[g.s.n(3)], w, w.mag), core.Float32)
	}
}
