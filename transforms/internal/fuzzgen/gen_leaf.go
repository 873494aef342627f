package fuzzgen

import (
	"slices"

	"github.com/weft-go/weft/core"
)

// leaf writes a leaf operation, with what it needs to be harmless.
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

// off is v moved a little, so that it is not by its making where functions jump.
func (g *gen) off(v *Var) *Var {
	return g.binaryOf("add", Arg{Var: v}, lit(v.Type.DType, []float64{0.28125, -0.34375}[g.s.n(2)]), v.mag+0.4)
}

// uneven is v with its elements along axes moved apart, so that they are not equal by
// their making.
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

// above0 is a value that is not near zero nor negative.
func (g *gen) above0(v *Var) *Var {
	v = g.tamed(v)
	sq := g.unaryOf("square", v, v.mag*v.mag)
	return g.binaryOf("add", Arg{Var: sq}, lit(v.Type.DType, 0.75), sq.mag+0.75)
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

// partner is an operand to go with v: of its shape, a scalar, one that spreads, or a
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

// spreadType is the type of an elementwise result.
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

func magOf(a Arg) float64 {
	if a.Var != nil {
		return a.Var.mag
	}
	return 2
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

func (g *gen) movement() {
	v := g.pick(func(v *Var) bool { return v.Type.Rank() > 0 })
	if v == nil {
		v = g.pick(anyVar)
		if v == nil {
			v = g.real()
		}
		s := []int{2 + g.s.n(2)}
		g.emit(&Node{Op: "bcast", In: args(v), A: s, B: []int{}}, core.Aval(v.Type.DType, s...), v.mag)
		return
	}
	t := v.Type
	s := dims(t)
	r := len(s)
	typed := func(shape []int) core.ShapedArray { return core.Aval(t.DType, shape...) }
	switch g.s.n(11) {
	case 0, 1:
		shape := []int{t.Size()}
		if r == 1 {
			shape = []int{1, t.Size()}
			if t.Size()%2 == 0 {
				shape = []int{2, t.Size() / 2}
			}
		}
		g.emit(&Node{Op: "reshape", In: args(v), A: shape}, typed(shape), v.mag)
	case 2:
		if r == 1 { // there would be nothing to do
			g.emit(&Node{Op: "rev", In: args(v), A: []int{0}}, t, v.mag)
			return
		}
		perm := upTo(r)
		slices.Reverse(perm)
		if r == 3 && g.s.n(2) == 1 {
			perm = []int{1, 2, 0}
		}
		shape := make([]int, r)
		for k, a := range perm {
			shape[k] = s[a]
		}
		g.emit(&Node{Op: "transpose", In: args(v), A: perm}, typed(shape), v.mag)
	case 3:
		if r < 3 && t.Size() <= 6 {
			at := g.s.n(r + 1)
			shape := slices.Insert(slices.Clone(s), at, 2)
			d := slices.Delete(upTo(r+1), at, at+1)
			g.emit(&Node{Op: "bcast", In: args(v), A: shape, B: d}, typed(shape), v.mag)
		}
	case 4:
		g.emit(&Node{Op: "rev", In: args(v), A: []int{g.s.n(r)}}, t, v.mag)
	case 5:
		lo, hi, step := make([]int, r), slices.Clone(s), make([]int, r)
		shape := slices.Clone(s)
		for k := range step {
			step[k] = 1
		}
		a := g.s.n(r)
		if s[a] == 3 && g.s.n(2) == 1 {
			step[a], shape[a] = 2, 2
		} else if s[a] > 1 {
			lo[a], shape[a] = 1, s[a]-1
		}
		g.emit(&Node{Op: "slice", In: args(v), A: lo, B: hi, C: step}, typed(shape), v.mag)
	case 6:
		if t.Size() > 6 {
			return
		}
		config, shape := make([]int, 3*r), slices.Clone(s)
		a := g.s.n(r)
		switch g.s.n(4) {
		case 0:
			config[3*a], shape[a] = 1, s[a]+1
		case 1:
			config[3*a+1], shape[a] = 1, s[a]+1
		case 2:
			config[3*a+2], shape[a] = 1, 2*s[a]-1
		case 3:
			config[3*a], config[3*a+1] = -1, 1
		}
		fill := g.number(t.DType)
		if w := g.pick(func(w *Var) bool { return w.Type == core.Aval(t.DType) }); w != nil {
			fill = Arg{Var: w}
		}
		g.emit(&Node{Op: "pad", In: []Arg{{Var: v}, fill}, A: config}, typed(shape), max(v.mag, magOf(fill)))
	case 7:
		a := g.s.n(r)
		w := g.pick(func(w *Var) bool {
			if w.Type.DType != t.DType || w.Type.Rank() != r {
				return false
			}
			for k, n := range w.Type.Shape.All() {
				if k != a && n != s[k] {
					return false
				}
			}
			return true
		})
		shape := slices.Clone(s)
		if shape[a] += w.Type.Shape.At(a); size(shape) <= 12 {
			g.emit(&Node{Op: "concat", In: args(v, w), N: a}, typed(shape), max(v.mag, w.mag))
		}
	case 8:
		a := g.s.n(r)
		if s[a] > 1 {
			x, y := slices.Clone(s), slices.Clone(s)
			x[a], y[a] = 1, s[a]-1
			g.emitAll(&Node{Op: "split", In: args(v), N: a, A: []int{1, s[a] - 1}}, []core.ShapedArray{typed(x), typed(y)}, v.mag)
		}
	case 9:
		if t.Size() <= 6 {
			reps := make([]int, r)
			for k := range reps {
				reps[k] = 1
			}
			a := g.s.n(r)
			reps[a] = 2
			shape := slices.Clone(s)
			shape[a] *= 2
			g.emit(&Node{Op: "tile", In: args(v), A: reps}, typed(shape), v.mag)
		}
	case 10:
		dt := []core.DType{core.Float32, core.Int32, core.Float64}[g.s.n(3)]
		shape := []int{2, 3}[:1+g.s.n(2)]
		g.emit(&Node{Op: "iota", A: shape, N: g.s.n(len(shape)), DType: dt}, core.Aval(dt, shape...), 2)
	}
}

func (g *gen) combination() {
	v := g.pick(func(v *Var) bool { return v.Type.Rank() > 0 && !isBool(v) })
	if v == nil {
		g.movement()
		return
	}
	t := v.Type
	s := dims(t)
	r := len(s)
	axes := []int{g.s.n(r)}
	if r > 1 && g.s.n(3) == 2 {
		axes = upTo(r)
	}
	reduced := core.Aval(t.DType, dropped(s, axes)...)
	count := float64(t.Size())
	limit := func(mag float64) float64 {
		if isIntegral(v) {
			return min(mag, g.most(t.DType))
		}
		return mag
	}
	choice := g.s.n(10)
	if isInexact(v) && (choice == 2 || choice >= 5 && choice <= 7) {
		v = g.uneven(v, axes)
	}
	switch choice {
	case 0, 1:
		g.tamed(g.emit(&Node{Op: "sum", In: args(v), A: axes}, reduced, limit(v.mag*count)))
	case 2:
		if !isComplex(v) {
			g.emit(&Node{Op: []string{"maxr", "minr"}[g.s.n(2)], In: args(v), A: axes}, reduced, v.mag)
		}
	case 3:
		if w := g.tamed(v); w.mag <= 6 && s[axes[0]] <= 3 {
			g.tamed(g.emit(&Node{Op: "prod", In: args(w), A: axes[:1]}, core.Aval(t.DType, dropped(s, axes[:1])...), limit(216)))
		}
	case 4:
		g.tamed(g.emit(&Node{Op: "cumsum", In: args(v), N: axes[0], Flag: g.s.n(2) == 1}, t, limit(v.mag*count)))
	case 5:
		if !isComplex(v) {
			g.emit(&Node{Op: "cummax", In: args(v), N: axes[0], Flag: g.s.n(2) == 1}, t, v.mag)
		}
	case 6:
		if !isComplex(v) {
			g.emit(&Node{Op: "argmax", In: args(v), N: axes[0], DType: core.Int32}, core.Aval(core.Int32, dropped(s, axes[:1])...), 3)
		}
	case 7:
		if isComplex(v) {
			return
		}
		if w := g.pick(func(w *Var) bool { return w.Type.Shape == t.Shape && w != v }); w != nil && g.s.n(2) == 1 {
			g.emitAll(&Node{Op: "sort2", In: args(v, w), N: axes[0]}, []core.ShapedArray{t, w.Type}, max(v.mag, w.mag))
			return
		}
		g.emit(&Node{Op: "sort", In: args(v), N: axes[0]}, t, v.mag)
	default:
		g.dot(v)
	}
}

// dot contracts the last axis of v with an axis of another array, perhaps with a leading
// axis in step.
func (g *gen) dot(v *Var) {
	v = g.tamed(v)
	t := v.Type
	s := dims(t)
	r := len(s)
	var axis, batch int
	w := g.pick(func(w *Var) bool {
		if w.Type.DType != t.DType || w.Type.Rank() == 0 || w.mag > 6 && isInexact(w) {
			return false
		}
		ws := dims(w.Type)
		if r > 1 && len(ws) > 1 && ws[0] == s[0] && slices.Contains(ws[1:], s[r-1]) {
			batch, axis = 1, 1+slices.Index(ws[1:], s[r-1])
			return true
		}
		batch, axis = 0, slices.Index(ws, s[r-1])
		return axis >= 0
	})
	if w == nil {
		w = v
	}
	// pick has looked at others since: find the axes again.
	ws := dims(w.Type)
	batch, axis = 0, slices.Index(ws, s[r-1])
	if r > 1 && len(ws) > 1 && ws[0] == s[0] && slices.Contains(ws[1:], s[r-1]) {
		batch, axis = 1, 1+slices.Index(ws[1:], s[r-1])
	}
	shape := slices.Clone(s[:r-1])
	for a := batch; a < len(ws); a++ {
		if a != axis {
			shape = append(shape, ws[a])
		}
	}
	if size(shape) > 12 || len(shape) > 3 {
		return
	}
	mag := v.mag * w.mag * float64(s[r-1])
	if isIntegral(v) {
		mag = min(mag, g.most(t.DType))
	}
	g.tamed(g.emit(&Node{Op: "dot", In: args(v, w), A: []int{r - 1}, B: []int{axis}, N: batch}, core.Aval(t.DType, shape...), mag))
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

// index is an integer scalar.
func (g *gen) index() *Var {
	v := g.pick(func(v *Var) bool { return v.Type == core.Aval(core.Int32) })
	if v == nil {
		v = g.fit(g.latest(anyVar), core.Aval(core.Int32))
	}
	return v
}

func (g *gen) indexing() {
	if len(g.axes) > 0 && g.s.n(3) == 1 {
		if a := g.axes[g.s.n(len(g.axes))]; g.sees(a.block) {
			g.emit(&Node{Op: "axisindex", Name: a.name}, core.Aval(core.Int32), 2)
			g.stats.NamedAxes = true
			return
		}
	}
	v := g.pick(func(v *Var) bool { return v.Type.Rank() > 0 })
	if v == nil {
		g.movement()
		return
	}
	t := v.Type
	s := dims(t)
	switch g.s.n(4) {
	case 0:
		part := slices.Clone(s)
		a := g.s.n(len(s))
		part[a] = max(1, s[a]-1)
		in := args(v)
		for k := range s {
			if k == a {
				in = append(in, Arg{Var: g.index()})
			} else {
				in = append(in, lit(core.Int32, 0))
			}
		}
		g.emit(&Node{Op: "dslice", In: in, A: part}, core.Aval(t.DType, part...), v.mag)
	case 1:
		u := slices.Clone(s)
		u[g.s.n(len(s))] = 1
		w := g.fit(g.latest(func(w *Var) bool { return w != v }), core.Aval(t.DType, u...))
		in := args(v, w)
		for range s {
			in = append(in, Arg{Var: g.index()})
		}
		g.emit(&Node{Op: "dupdate", In: in}, t, max(v.mag, w.mag))
	case 2:
		i := g.indexes()
		shape := append([]int{i.Type.Shape.At(0)}, s[1:]...)
		if size(shape) <= 12 {
			g.emit(&Node{Op: "take", In: args(v, i), Flag: g.s.n(2) == 1 && isReal(v)}, core.Aval(t.DType, shape...), max(v.mag, 0.5))
		}
	case 3:
		if isBool(v) {
			return
		}
		i := g.indexes()
		shape := append([]int{i.Type.Shape.At(0)}, s[1:]...)
		if size(shape) > 12 {
			return
		}
		u := g.fit(g.latest(func(w *Var) bool { return w != v && w != i }), core.Aval(t.DType, shape...))
		mag := v.mag + 3*u.mag
		if isIntegral(v) {
			mag = min(mag, g.most(t.DType))
		}
		g.tamed(g.emit(&Node{Op: "scatteradd", In: args(v, i, u), Flag: g.s.n(2) == 1}, t, mag))
	}
}

// sees reports whether the block is the one being written or around it.
func (g *gen) sees(b *block) bool {
	for x := g.blk; x != nil; x = x.around {
		if x == b {
			return true
		}
	}
	return false
}

// indexes is a vector of indices.
func (g *gen) indexes() *Var {
	v := g.pick(func(v *Var) bool { return v.Type.DType == core.Int32 && v.Type.Rank() == 1 })
	if v != nil {
		return v
	}
	n := 2 + g.s.n(2)
	i := g.emit(&Node{Op: "iota", A: []int{n}, DType: core.Int32}, core.Aval(core.Int32, n), 2)
	return g.binaryOf("add", Arg{Var: i}, Arg{Var: g.index()}, 8)
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
	// Types of few bits are left soon: their errors grow.
	if dt == core.Float16 || dt == core.BFloat16 {
		g.toDType(g.unaryOf([]string{"sin", "neg", "tanh"}[g.s.n(3)], w, w.mag), core.Float32)
	}
}
