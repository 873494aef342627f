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

// weights say how often the kinds come up, of 256. Where a derivative is taken something
// can go wrong.
var weights = [NumKinds]int{Jit: 14, JitClosing: 14, Grad: 22, VJP: 16, JVP: 24, Linearize: 16, Vmap: 26, Remat: 8, RematPolicy: 8,
	Scan: 22, Cond: 15, Switch: 14, While: 14, ForI: 9, CustomJVP: 18, CustomVJP: 16}

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
	}
	g.cost = cost
	g.depth--
	g.leafs++
}

// function writes a function with parameters like the operands.
func (g *gen) function(recorder, closed bool, like []*Var, depth int) *Func {
	f := g.begin(recorder, closed)
	for _, v := range like {
		p := g.param(v.Type)
		p.mag = max(v.mag, 1)
		if !recorder {
			p.owner = v.owner
		}
	}
	if depth >= 0 {
		g.body(depth)
	}
	return f
}

// operands picks n variables.
func (g *gen) operands(n int, ok func(*Var) bool) []*Var {
	var out []*Var
	for range n {
		if v := g.pick(ok); v != nil && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		out = append(out, g.latest(func(v *Var) bool { return ok(v) }))
	}
	return out
}

func mags(f *Func) float64 {
	m := 1.0
	for _, a := range f.Outs {
		m = max(m, magOf(a))
	}
	return m
}

func (g *gen) callOf(kind Kind, depth int) {
	in := g.operands(1+g.s.n(3), anyVar)
	f := g.function(true, false, in, depth-1)
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
		f.prune() // what is computed again is what is needed
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

// outer picks a variable of a function around the one being written.
func (g *gen) outer(ok func(*Var) bool) *Var {
	var found []*Var
	g.visible(func(v *Var, own bool) bool {
		if !own && ok(v) {
			found = append(found, v)
		}
		return len(found) < 8
	})
	if len(found) == 0 {
		return nil
	}
	return found[g.s.n(len(found))]
}

// few is an operand to differentiate with respect to, in all directions: not many.
func (g *gen) few(most int) *Var {
	count := func(v *Var) int {
		if isComplex(v) {
			return 2 * v.Type.Size()
		}
		return v.Type.Size()
	}
	if v := g.pick(func(v *Var) bool { return isInexact(v) && count(v) <= most && v.Type.DType.Bits() >= 32 }); v != nil {
		return v
	}
	dt := []core.DType{core.Float64, core.Float32}[g.s.n(2)]
	shape := []int{}
	if most >= 2 && g.s.n(3) == 1 {
		shape = []int{2}
	}
	return g.fit(g.latest(isInexact), core.Aval(dt, shape...))
}

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
	f := g.function(false, false, in, depth-1)
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

func (g *gen) mode() Mode { return []Mode{Direct, Direct, InJit, InVmap}[g.s.n(4)] }

// along is tangents or cotangents of the types: one at least.
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
	f := g.function(false, false, in, depth-1)
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
	f := g.begin(false, false)
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
		p.mag, p.owner = max(v.mag, 1), v.owner
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

// start is a value to start a loop with.
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

// paramLike adds a parameter like an operand.
func (g *gen) paramLike(a Arg) *Var {
	p := g.param(a.Type().Strong())
	p.mag = max(magOf(a), 2)
	if p.mag > 6 {
		p.mag = 6
	}
	return p
}

// next is a carry's value for the next step: never the carry itself.
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
	f := g.begin(true, false)
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
		f := g.function(true, false, nil, d)
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

// calm is v, or v under a stopped gradient: loops that cannot be reversed are more
// often entered without a derivative.
func (g *gen) calm(a Arg, op string) Arg {
	if a.Var == nil || g.s.n(3) == 0 {
		return a
	}
	return Arg{Var: g.unaryOf(op, a.Var, a.Var.mag)}
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
	cond := g.begin(true, false)
	i, c := g.paramLike(counter), g.paramLike(carry)
	ok := g.emit(&Node{Op: "lt", In: []Arg{{Var: i}, limit}}, core.Aval(core.Bool), 1)
	if g.s.n(4) == 3 && isReal(c) {
		s := g.total(c)
		more := g.emit(&Node{Op: "lt", In: []Arg{{Var: s}, lit(s.Type.DType, 1.3)}}, core.Aval(core.Bool), 1)
		ok = g.binaryOf("and", Arg{Var: ok}, Arg{Var: more}, 1)
	}
	cond.Outs = args(ok)
	g.end()
	body := g.begin(true, false)
	i = g.paramLike(counter)
	g.paramLike(carry)
	g.body(depth - 1)
	up := g.binaryOf("add", Arg{Var: i}, lit(core.Int32, 1), 8)
	body.Outs = args(up, g.next(carry.Type().Strong()))
	g.end()
	w.Fs = []*Func{cond, body}
	g.emitAll(&Node{In: in, W: w}, body.Types(), 2)
}

// small2 is an integer from 0 to 3.
func (g *gen) small2(v *Var) *Var {
	return g.emit(&Node{Op: "and", In: []Arg{{Var: v}, lit(v.Type.DType, 3)}}, v.Type, 3)
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
	f := g.begin(true, false)
	g.paramLike(lo)
	g.paramLike(carry)
	g.body(depth - 1)
	f.Outs = args(g.next(carry.Type().Strong()))
	g.end()
	w.Fs = []*Func{f}
	g.emitAll(&Node{In: []Arg{carry}, W: w}, f.Types(), 2)
}

// linear is a value of the type that is linear in the sum of the elements of ts, times a
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

// coefficient is a scalar, not large.
func (g *gen) coefficient(dt core.DType) *Var {
	v := g.fit(g.latest(isInexact), core.Aval(dt.Real()))
	v = g.unaryOf("cos", v, 1)
	return g.toDType(v, dt)
}

// call writes a call of f in place.
func (g *gen) call(f *Func, in []*Var) []*Var {
	return g.emitAll(&Node{Op: "call", In: args(in...), W: &Wrap{Fs: []*Func{f}}}, f.Types(), mags(f))
}

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

func (g *gen) customJVP(depth int) {
	in := g.customIn(12)
	w := &Wrap{Kind: CustomJVP, Symbolic: g.s.n(4) == 3}
	closed := g.s.n(3) > 0
	f := g.function(false, closed, in, depth-1)
	g.results(1+g.s.n(2), nil)
	g.end()

	g.cost *= 2
	closed = g.s.n(3) > 0
	rule := g.function(false, closed, in, -1)
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
		w.Forwarded = true
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
	f := g.function(false, g.s.n(3) > 0, in, depth-1)
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

	fwd := g.function(false, g.s.n(3) > 0, in, -1)
	own := slices.Clone(fwd.Params)
	outs := g.call(f, own)
	for range g.s.n(3) {
		g.leaf()
	}
	res := g.operands(1+g.s.n(2), anyVar)
	w.NumRes = len(res)
	fwd.Outs = append(args(outs...), args(res...)...)
	g.end()

	bwd := g.function(false, g.s.n(3) > 0, res, -1)
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
