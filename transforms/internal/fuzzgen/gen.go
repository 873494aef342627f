package fuzzgen

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
)

// Options are what Generate is asked for.
type Options struct {
	Depth int // wrappers within wrappers; negative: the bytes decide, up to 6
}

// gen makes a program from choices.
type gen struct {
	s     *source
	vars  int
	funcs int
	blk   *block
	stats Stats
	depth int     // of wrappers around
	cost  float64 // how often what is written now will be evaluated
	leafs int
	axes  []axis
}

// axis is a named axis in scope, and the block in which it was named.
type axis struct {
	name  string
	block *block
}

// block is a function that is being written.
type block struct {
	f      *Func
	around *block
	vars   []*Var
	closed bool // may not use variables of the functions around it
}

// Generate makes a program from bytes.
func Generate(data []byte, o Options) *Program {
	g := &gen{s: &source{data: data}, cost: 1}
	depth := o.Depth
	if depth < 0 {
		depth = []int{1, 2, 3, 4, 4, 3, 5, 6, 0, 4}[g.s.n(10)]
	}
	g.stats.Kinds = map[int]map[Kind]int{}
	g.stats.DTypes, g.stats.Ranks, g.stats.Ops = map[core.DType]bool{}, map[int]bool{}, map[string]bool{}
	p := &Program{Depth: depth}
	f := g.begin(false, false)
	for range 3 + g.s.n(3) {
		g.param(g.inputType())
	}
	// Two that every program has: something to differentiate, and something to count.
	g.param(core.Aval([]core.DType{core.Float64, core.Float32}[g.s.n(2)], g.shape(2)...))
	g.param(core.Aval(core.Int32))
	for _, v := range f.Params {
		p.Args = append(p.Args, g.value(v.Type))
		v.mag = 4
	}
	// Often the whole is differentiated or mapped once more.
	if k := g.s.n(8); k > 2 {
		g.depth--
		g.wrapperOf([]Kind{Grad, VJP, JVP, Linearize, Vmap}[k-3], depth+1)
	} else {
		g.body(depth)
	}
	if g.s.in256(80) {
		g.body(min(depth, 1))
	}
	g.results(1+g.s.n(2), nil)
	p.Main = g.end()
	g.stats.Equations = g.leafs
	p.Stats = g.stats
	return p
}

// begin starts a function.
func (g *gen) begin(recorded, closed bool) *Func {
	g.funcs++
	f := &Func{ID: g.funcs, recorded: recorded}
	if g.blk != nil {
		f.around = g.blk.f
	}
	g.blk = &block{f: f, around: g.blk, closed: closed}
	return f
}

// owner is the recorded function that is being written.
func (g *gen) owner() *Func {
	for b := g.blk; b != nil; b = b.around {
		if b.f.recorded {
			return b.f
		}
	}
	return nil
}

// end ends the function begun last.
func (g *gen) end() *Func {
	b := g.blk
	g.blk = b.around
	return b.f
}

func (g *gen) newVar(t core.ShapedArray, mag float64) *Var {
	g.vars++
	g.stats.DTypes[t.DType] = true
	g.stats.Ranks[t.Rank()] = true
	v := &Var{ID: g.vars, Type: t.Strong(), mag: mag, owner: g.owner()}
	g.blk.vars = append(g.blk.vars, v)
	return v
}

// param adds a parameter.
func (g *gen) param(t core.ShapedArray) *Var {
	v := g.newVar(t, 2)
	g.blk.f.Params = append(g.blk.f.Params, v)
	return v
}

var inputTypes = []core.DType{core.Float64, core.Float32, core.Float64, core.Float32, core.Float64, core.Complex128, core.Int32, core.Float32,
	core.Bool, core.Complex64, core.Int64, core.Uint8, core.Float32, core.BFloat16, core.Float16, core.Uint32, core.Int8}

func (g *gen) inputType() core.ShapedArray {
	return core.Aval(inputTypes[g.s.n(len(inputTypes))], g.shape(3)...)
}

// shape is a random shape of at most 12 elements.
func (g *gen) shape(rank int) []int {
	n := []int{1, 2, 0, 1, 3, 2}[g.s.n(6)]
	s := make([]int, min(n, rank))
	for k := range s {
		s[k] = []int{2, 3, 1, 2}[g.s.n(4)]
	}
	for size(s) > 12 {
		s[slices.Index(s, 3)] = 2
	}
	return s
}

func dims(t core.ShapedArray) []int { return t.Shape.Ints() }

// value is a random value of a type.
func (g *gen) value(t core.ShapedArray) Value {
	v := Value{Type: t}
	one := func() float64 {
		x := float64(g.s.n(256)-128) / 64
		if unit(t.DType) < 0x1p-16 {
			x += float64(g.s.n(256)) / 0x1p14
		}
		return x
	}
	for range t.Size() {
		switch {
		case t.DType.IsComplex():
			v.Elems = append(v.Elems, complex(one(), one()))
		case t.DType.IsFloat():
			v.Elems = append(v.Elems, complex(one(), 0))
		default:
			k := int64(g.s.n(9) - 3)
			if t.DType.IsUnsigned() || t.DType.IsBool() {
				k = max(k, -k)
			}
			v.Elems = append(v.Elems, complex(float64(wrap(t.DType, k)), 0))
		}
	}
	return v
}

// ---- variables

// visible calls f with the variables that may be used, own ones first, the latest first;
// it stops when f returns false.
func (g *gen) visible(f func(v *Var, own bool) bool) {
	own := true
	for b := g.blk; b != nil; b = b.around {
		for _, v := range slices.Backward(b.vars) {
			if !f(v, own) {
				return
			}
		}
		if b.closed {
			return
		}
		own = false
	}
}

// pick chooses a variable: often the latest, sometimes one of a function around.
func (g *gen) pick(ok func(v *Var) bool) *Var {
	var own, outer []*Var
	g.visible(func(v *Var, mine bool) bool {
		if ok(v) {
			if mine {
				own = append(own, v)
			} else {
				outer = append(outer, v)
			}
		}
		return len(own)+len(outer) < 60
	})
	how := g.s.n(8)
	switch {
	case len(own) > 0 && how < 4:
		return own[0]
	case len(own) > 0 && (how < 6 || len(outer) == 0):
		return own[g.s.n(len(own))]
	case len(outer) > 0:
		return outer[g.s.n(min(len(outer), 12))]
	}
	return nil
}

func isReal(v *Var) bool     { return v.Type.DType.IsFloat() }
func isComplex(v *Var) bool  { return v.Type.DType.IsComplex() }
func isInexact(v *Var) bool  { return v.Type.DType.IsInexact() }
func isIntegral(v *Var) bool { return v.Type.DType.IsInteger() }
func isBool(v *Var) bool     { return v.Type.DType.IsBool() }
func anyVar(*Var) bool       { return true }

// real is a real variable; there always is one, or one is made.
func (g *gen) real() *Var {
	if v := g.pick(isReal); v != nil {
		return v
	}
	if v := g.pick(anyVar); v != nil {
		return g.fit(v, core.Aval(core.Float32, dims(v.Type)...))
	}
	return g.emit(&Node{Op: "iota", A: []int{3}, DType: core.Float32}, core.Aval(core.Float32, 3), 2)
}

// use notes that a variable is used.
func (g *gen) use(a Arg) {
	if a.Var == nil {
		return
	}
	if !slices.Contains(g.blk.vars, a.Var) {
		g.stats.Closures = true
	}
}

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

func args(vs ...*Var) []Arg {
	out := make([]Arg, len(vs))
	for k, v := range vs {
		out[k].Var = v
	}
	return out
}

// lit is a literal of a type.
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

// number is a literal that every type holds exactly; sometimes a weak one.
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

// tamed is v, or a function of it that is not large.
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

// ---- conversions

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

func (g *gen) most(dt core.DType) float64 {
	_, hi := bounds(dt)
	return float64(hi) + 1
}

// small is an integer between −7 and 7.
func (g *gen) small(v *Var) *Var {
	if v.mag <= 8 {
		return v
	}
	return g.emit(&Node{Op: "rem", In: []Arg{{Var: v}, lit(v.Type.DType, 7)}}, v.Type, 7)
}

// total is the sum of all elements, or of truth values whether any is true.
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

// fitLatest makes a value of the given type out of the latest variable of the function
// that suits, so that what was written last matters.
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

// latest is the latest variable that suits, made if need be.
func (g *gen) latest(ok func(*Var) bool) *Var {
	var best *Var
	g.visible(func(v *Var, own bool) bool {
		if ok(v) {
			best = v
			return false
		}
		return true
	})
	if best == nil {
		return g.real()
	}
	return best
}
