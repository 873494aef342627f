package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// contains reports whether v holds a dual of i, under the boxes of others.
func (i *jvp) contains(v Value) bool {
	for {
		switch x := v.(type) {
		case *dual:
			if x.i == i || i.contains(x.tangent) {
				return true
			}
			v = x.primal
		case *batched:
			v = x.v
		default:
			return false
		}
	}
}

func (i *jvp) refuseOwn(fn string, vs []Value) {
	for _, v := range vs {
		if v != nil && i.contains(v) {
			trace.RefuseClosure(fn, v.Aval())
		}
	}
}

// refuseYounger refuses values that hold duals of i or of a younger derivative: a call
// that a younger one has passed on was not given them.
func (i *jvp) refuseYounger(fn string, vs []Value) {
	for _, v := range vs {
		for v != nil {
			switch x := v.(type) {
			case *dual:
				if x.i.level >= i.level {
					trace.RefuseClosure(fn, x.Aval())
				}
				v = x.primal
			case *batched:
				v = x.v
			default:
				v = nil
			}
		}
	}
	i.refuseOwn(fn, vs)
}

// refuseRules checks what a program gives when it is differentiated. Only rules of the
// user's within close over anything; if that is being differentiated right here, its
// derivative would be lost.
func (i *jvp) refuseRules(p core.Primitive, results ...[]Value) {
	for _, vs := range results {
		for _, v := range vs {
			if v != nil && i.contains(v) {
				trace.RefuseClosure(customWithin(p), v.Aval())
			}
		}
	}
}

// customWithin returns the name of the first function with rules of the user's within p.
func customWithin(p core.Primitive) string {
	for _, j := range jaxpr.Programs(p) {
		for _, e := range j.Eqns {
			switch c := e.Prim.(type) {
			case *jaxpr.CustomJVP:
				return c.Fn
			case *jaxpr.CustomVJP:
				return c.Fn
			}
			if fn := customWithin(e.Prim); fn != e.Prim.Name() {
				return fn
			}
		}
	}
	return p.Name()
}

// arguments checks that no operand that the function closed over has a tangent,
// and gives the tangents of the others.
func arguments(fn string, numConsts int, in, t []Value) (args, targs []Value) {
	for k := range numConsts {
		if t[k] != nil {
			trace.RefuseClosure(fn, in[k].Aval())
		}
	}
	return in[numConsts:], slices.Clone(t[numConsts:])
}

func jvpCustomJVP(i *jvp, p core.Primitive, in, t []Value) (outs, touts []Value) {
	c := p.(*jaxpr.CustomJVP)
	if !anyTrue(present(t)) {
		outs = core.Bind(p, in...)
		i.refuseOwn(c.Fn, outs)
		return outs, nil
	}
	args, targs := arguments(c.Fn, c.NumConsts, in, t)
	rule := c.Rule
	if rule == nil {
		rule = libraryRule(c)
	}
	if rule == nil {
		core.FailOp(core.ErrCustomRule, c.Fn, nil, "has a custom derivative rule %s that its text does not contain; trace the function again", c.RuleName)
	}
	if !c.SymbolicZeros || c.Rule == nil {
		instantiate(args, targs, differentiable(args))
	}
	outs, touts = rule(args, targs)
	refuseEnded(outs)
	refuseEnded(touts)
	checkRule(c.Fn, c.RuleName, outs, touts, customOuts(c.Jaxpr, c.OutAvals))
	i.refuseOwn(c.Fn, outs)
	i.refuseOwn(c.Fn, touts)
	return outs, touts
}

// differentiable marks the values that can have tangents.
func differentiable(vs []Value) []bool {
	m := make([]bool, len(vs))
	for k, v := range vs {
		m[k] = v.Aval().DType.Tangent() != core.Float0
	}
	return m
}

func customOuts(j *jaxpr.Jaxpr, out []core.ShapedArray) []core.ShapedArray {
	if j != nil {
		return j.OutAvals()
	}
	return out
}

// refuseEnded refuses what a rule gives of a trace or a transformation that had ended when
// the rule ran, whether anybody uses it or not. What was known of it stands for itself.
func refuseEnded(vs []Value) {
	for k, v := range vs {
		if t, ok := v.(core.Tracer); ok && !t.Interpreter().Live() {
			vs[k] = core.Resolve(t)
		}
	}
}

// checkRule compares what a rule gave with what the function gives.
func checkRule(fn, rule string, outs, touts []Value, want []core.ShapedArray) {
	if want != nil && len(outs) != len(want) {
		core.FailOp(core.ErrCustomRule, fn, nil, "its rule %s returns %s, but the function returns %d; return one tangent for each result", rule, core.Count(len(outs), "result"), len(want))
	}
	for k, v := range outs {
		a := v.Aval()
		if want != nil && !a.SameType(want[k]) {
			core.FailOp(core.ErrCustomRule, fn, []core.ShapedArray{want[k], a}, "its rule %s returns %s for result %d, but the function returns %s; return the function's type", rule, a.Full(), k, want[k].Full())
		}
		t := touts[k]
		if t == nil {
			continue
		}
		tw, got := a.Tangent(), t.Aval()
		if got.DType == core.Float0 && tw.DType == core.Float0 {
			touts[k] = nil
		} else if !got.SameType(tw) {
			core.FailOp(core.ErrCustomRule, fn, []core.ShapedArray{tw, got}, "its rule %s returns a tangent %s for result %d of type %s; return the tangent type", rule, got.Full(), k, a.Full())
		}
	}
}

func jvpCustomVJP(i *jvp, p core.Primitive, in, t []Value) (outs, touts []Value) {
	c := p.(*jaxpr.CustomVJP)
	if !anyTrue(present(t)) {
		outs = core.Bind(p, in...)
		i.refuseOwn(c.Fn, outs)
		return outs, nil
	}
	args, targs := arguments(c.Fn, c.NumConsts, in, t)
	if !c.HasRules() {
		core.FailOp(core.ErrCustomRule, c.Fn, nil, "has custom derivative rules %s and %s that its text does not contain; trace the function again", c.FwdName, c.BwdName)
	}
	if !taped(t) {
		core.FailOp(core.ErrCustomRule, c.Fn, core.AvalsOf(args), noForwardRule)
	}
	outs, res, bwd := c.Run(args, present(targs))
	refuseEnded(outs)
	refuseEnded(res)
	checkRule(c.Fn, c.FwdName, outs, make([]Value, len(outs)), customOuts(c.Jaxpr, c.OutAvals))
	i.refuseYounger(c.Fn, outs)
	i.refuseYounger(c.Fn, res)
	zero := not(present(targs))
	lin := &jaxpr.CustomLin{BwdName: c.BwdName, Bwd: bwd, NumRes: len(res), InZeros: zero, SymbolicZeros: c.SymbolicZeros, Closed: c.Closed}
	diff := make([]bool, len(outs))
	for k, v := range outs {
		a := v.Aval().Tangent()
		diff[k] = a.DType != core.Float0
		lin.OutAvals = append(lin.OutAvals, a)
	}
	touts = core.Bind(lin, slices.Concat(res, pick(targs, not(zero)))...)
	for k := range touts {
		if !diff[k] {
			touts[k] = nil
		}
	}
	return outs, touts
}

// jvpCustomLin: what stands on a linear program for a reverse rule can only be
// transposed.
func jvpCustomLin(_ *jvp, p core.Primitive, in, t []Value) (outs, touts []Value) {
	c := p.(*jaxpr.CustomLin)
	for k := range c.NumRes {
		if t[k] != nil {
			core.FailOp(core.ErrCustomRule, c.BwdName, nil, "forward-mode differentiation (JVP) does not go through the derivative of a custom.VJP function; use Grad of Grad instead of JVP of Linearize")
		}
	}
	outs = core.Bind(p, in...)
	if anyTrue(present(t)) {
		touts = core.Bind(p, slices.Concat(in[:c.NumRes], zerosFor(in, t)[c.NumRes:])...)
	}
	return outs, touts
}

func zerosFor(in, t []Value) []Value {
	t = slices.Clone(t)
	instantiate(in, t, differentiable(in))
	return t
}

func transposeCustomLin(p core.Primitive, cts, in []Value, lin []bool, avals []core.ShapedArray, outs []*jaxpr.Var) []Value {
	c := p.(*jaxpr.CustomLin)
	for k := range c.NumRes {
		if lin[k] {
			core.FailOp(core.ErrCustomRule, c.BwdName, nil, "a residual of a custom.VJP function depends on the tangent that is transposed; compute it from the function's arguments")
		}
	}
	cts = slices.Clone(cts)
	if !c.SymbolicZeros {
		for k := range cts {
			if cts[k] == nil {
				cts[k] = zerosOf(outs[k].Type)
			}
		}
	}
	got := c.Bwd(in[:c.NumRes], cts)
	if len(got) != len(c.InZeros) {
		core.FailOp(core.ErrCustomRule, c.BwdName, nil, "the reverse rule returns %s for %s; return one cotangent for each operand", core.Count(len(got), "cotangent"), core.Count(len(c.InZeros), "operand"))
	}
	out := make([]Value, len(in))
	k := c.NumRes
	for a, zero := range c.InZeros {
		if zero {
			continue
		}
		if ct := got[a]; ct != nil && ct.Aval().DType != core.Float0 {
			if want := avals[k]; !ct.Aval().SameType(want) {
				core.FailOp(core.ErrCustomRule, c.BwdName, []core.ShapedArray{want, ct.Aval()}, "the reverse rule returns a cotangent %s for operand %d of type %s; return the operand's type", ct.Aval().Full(), a, want.Full())
			}
			out[k] = ct
		}
		k++
	}
	return out
}

// transposeCustom inlines a call with rules: on a linear program nothing follows
// that its rules could be for.
func transposeCustom(p core.Primitive, cts, in []Value, lin []bool, _ []core.ShapedArray, _ []*jaxpr.Var) []Value {
	j := jaxpr.Programs(p)
	if len(j) == 0 {
		panic("BUG: a custom call on a tape that was not recorded")
	}
	return backward(j[0], in, lin, cts)
}

// batchCustom passes a call with rules on with its functions made to work on the
// batch; ok is false for other primitives. All results are mapped.
func (b *vmap) batchCustom(p core.Closureful, in []Value, mapped []bool) (outs []Value, outMapped []bool, ok bool) {
	switch c := p.(type) {
	case *jaxpr.CustomJVP:
		if c.Closed && !anyTrue(mapped) {
			return nil, nil, false
		}
		q := &jaxpr.CustomJVP{Fn: c.Fn, RuleName: c.RuleName, NumConsts: c.NumConsts, SymbolicZeros: c.SymbolicZeros, Closed: c.Closed}
		q.F = b.batchF(c.F, c.Jaxpr, mapped)
		if rule := c.Rule; rule != nil {
			m := mapped[c.NumConsts:]
			q.Rule = func(args, t []Value) (outs, touts []Value) {
				b.enter(func() []Value {
					o, to := rule(b.boxAll(args, m), b.boxSome(t, m))
					outs, touts = b.fronts(o), b.fronts(to)
					return nil
				})
				return outs, touts
			}
		}
		outs = core.Bind(q, in...)
	case *jaxpr.CustomVJP:
		if c.Closed && !anyTrue(mapped) {
			return nil, nil, false
		}
		q := &jaxpr.CustomVJP{Fn: c.Fn, FwdName: c.FwdName, BwdName: c.BwdName, NumConsts: c.NumConsts, SymbolicZeros: c.SymbolicZeros, Closed: c.Closed}
		q.F = b.batchF(c.F, c.Jaxpr, mapped)
		if c.HasRules() {
			m := mapped[c.NumConsts:]
			q.Forward = func(args []Value, active []bool) (outs, res []Value, bwd jaxpr.Backward) {
				b.enter(func() []Value {
					o, r, back := c.Run(b.boxAll(args, m), active)
					var resMapped []bool
					res, resMapped = b.unbox(r)
					outs, bwd = b.fronts(o), b.batchBwd(back, resMapped, m)
					return nil
				})
				return outs, res, bwd
			}
		}
		outs = core.Bind(q, in...)
	case *jaxpr.CustomLin:
		q := *c
		m := make([]bool, len(c.InZeros))
		rm := mapped[:c.NumRes]
		k := c.NumRes
		for a, zero := range c.InZeros {
			if !zero {
				m[a] = mapped[k]
				k++
			}
		}
		q.OutAvals = nil
		for _, a := range c.OutAvals {
			q.OutAvals = append(q.OutAvals, a.WithShape(a.Shape.Prepend(b.n)))
		}
		bwd := c.Bwd
		q.Bwd = func(res, ct []Value) (cts []Value) {
			b.enter(func() []Value {
				cts = b.sums(bwd(b.boxAll(res, rm), b.boxSome(ct, all(len(ct), true))), m)
				return nil
			})
			return cts
		}
		outs = core.Bind(&q, in...)
	case *jaxpr.CustomVmap:
		if !anyTrue(mapped) {
			outs, outMapped = b.passCustomVmap(c, in)
			return outs, outMapped, true
		}
		if c.Rule == nil {
			core.FailOp(core.ErrCustomRule, c.Fn, nil, "has a custom batching rule %s that its text does not contain; trace the function again", c.RuleName)
		}
		for k := range c.NumConsts {
			if mapped[k] {
				core.FailOp(core.ErrCustomRule, c.Fn, []core.ShapedArray{in[k].Aval()}, "a function with a custom batching rule closes over a value that is mapped; pass it as an argument")
			}
		}
		outs, outMapped = c.Rule(b.n, in[c.NumConsts:], mapped[c.NumConsts:])
		return outs, outMapped, true
	default:
		return nil, nil, false
	}
	return outs, all(len(outs), true), true
}

// batchF returns a custom call's function on the batch.
func (b *vmap) batchF(f func([]Value) []Value, j *jaxpr.Jaxpr, mapped []bool) func([]Value) []Value {
	if j != nil {
		f = func(in []Value) []Value { return eval(j, in) }
	}
	return func(in []Value) []Value {
		return b.enter(func() []Value { return b.fronts(f(b.boxAll(in, mapped))) })
	}
}

// batchBwd returns a reverse rule on the batch: cotangents of operands that are not
// mapped are summed over it.
func (b *vmap) batchBwd(bwd func(res, ct []Value) []Value, resMapped, mapped []bool) func(res, ct []Value) []Value {
	return func(res, ct []Value) (out []Value) {
		b.enter(func() []Value {
			out = b.sums(bwd(b.boxAll(res, resMapped), b.boxSome(ct, all(len(ct), true))), mapped)
			return nil
		})
		return out
	}
}

// boxSome returns boxAll where values may be nil.
func (b *vmap) boxSome(vs []Value, mapped []bool) []Value {
	out := make([]Value, len(vs))
	for k, v := range vs {
		if v != nil {
			out[k] = b.box(v, mapped[k])
		}
	}
	return out
}

// fronts unboxes values and gives each the batch's axis; nil stays nil.
func (b *vmap) fronts(vs []Value) []Value {
	out := make([]Value, len(vs))
	for k, v := range vs {
		if v == nil {
			continue
		}
		u, m := b.unbox([]Value{v})
		out[k] = front(u[0], m[0], b.n)
	}
	return out
}
