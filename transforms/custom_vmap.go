package transforms

import (
	"slices"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// A user-defined batching rule computes its function on a batch, so it is differentiated and
// transposed like the function. The derivative of a call with a rule is a call of the function's
// derivative, with the rule's derivative as its rule.

func function(c *jaxpr.CustomVmap) func([]Value) []Value {
	if c.Jaxpr == nil {
		return c.F
	}
	return func(in []Value) []Value { return eval(c.Jaxpr, in) }
}

// followed reports whether the call may still be mapped. Values that no interpreter traces are
// plain arrays, which no later transformation sees.
func followed(in, t []Value) bool {
	if core.HasTracer(in) {
		return true
	}
	for _, v := range t {
		if x, ok := v.(*trace.Tracer); ok && x.Recorder().IsTape() {
			continue
		}
		if _, ok := v.(core.Tracer); ok {
			return true
		}
	}
	return false
}

// differentiator evaluates a function and its derivative along tangents.
type differentiator func(f func([]Value) []Value, primals, tangents []Value) (outs, touts []Value)

// linearly computes the derivative by linearizing f. The linear program may be transposed later,
// so f may contain reverse rules.
func linearly(f func([]Value) []Value, primals, tangents []Value) (outs, touts []Value) {
	active := present(tangents)
	outs, tape, nz := linearizeOn(f, primals, active, nil, nil)
	return outs, spread(eval(tape, pick(tangents, active)), nz)
}

// tangentRule returns a batching rule, differentiated along the operands that nz marks. It takes
// operands and then tangents. If only one of an operand and its tangent is mapped, the other is
// mapped too.
func tangentRule(c *jaxpr.CustomVmap, nz []bool, run differentiator) func(n int, vs []Value, mapped []bool) (outs, touts []Value, outMapped []bool) {
	return func(n int, vs []Value, mapped []bool) (outs, touts []Value, outMapped []bool) {
		na := len(nz)
		args, m := slices.Clone(vs[:na]), slices.Clone(mapped[:na])
		ts, tm := spread(vs[na:], nz), spread(mapped[na:], nz)
		for k := range args {
			if nz[k] && (m[k] || tm[k]) {
				args[k], ts[k] = front(args[k], m[k], n), front(ts[k], tm[k], n)
				m[k] = true
			}
		}
		outs, touts = run(func(in []Value) (outs []Value) {
			outs, outMapped = c.Rule(n, in, m)
			return outs
		}, args, ts)
		instantiate(outs, touts, differentiable(outs))
		return outs, touts, outMapped
	}
}

func alike(c *jaxpr.CustomVmap, consts int) *jaxpr.CustomVmap {
	return &jaxpr.CustomVmap{Fn: c.Fn, RuleName: c.RuleName, OneByOne: c.OneByOne, NumConsts: consts}
}

// taping linearizes a call. One call computes the values and residuals; a second, on the tape,
// computes the tangents, since a tape holds tangents only. Where the function contains functions
// with user-defined rules, those rules compute the values.
//
// The residuals are those of the function. The batching rule does not compute them and returns zeros
// in their place. The rule of the tangents does not read these: it computes residuals of its own
// from the operands.
func taping(i *jvp, c *jaxpr.CustomVmap, in, t []Value) (outs, touts []Value) {
	c, in, t = recorded(i, c, in, t)
	nz := present(t)
	l := linearizeJaxpr(c.Jaxpr, nz, nil, tracersOnly)
	nout := len(c.Jaxpr.Outs)
	args := concat(l.extra, in)
	consts := len(l.extra) + c.NumConsts
	argNZ := nz[c.NumConsts:]
	fwd := l.fwd.OutAvals()
	primal := alike(c, consts)
	primal.Jaxpr = l.fwd
	primal.Rule = func(n int, vs []Value, mapped []bool) (outs []Value, outMapped []bool) {
		outs, _, _ = linearizeOn(func(in []Value) (outs []Value) {
			outs, outMapped = c.Rule(n, in, mapped)
			return outs
		}, vs, argNZ, nil, nil)
		for _, a := range fwd[nout:] {
			outs, outMapped = append(outs, zerosOf(a)), append(outMapped, false)
		}
		return outs, outMapped
	}
	results := core.Bind(primal, args...)
	outs = results[:nout:nout]
	want := differentiable(outs)
	rule := tangentRule(c, argNZ, linearly)
	isResidual := make([]bool, len(results)) // those that the tangents need
	for _, r := range l.res {
		if !r.in {
			isResidual[r.index] = true
		}
	}
	na, nres := len(args), count(isResidual)
	tangent := alike(c, len(l.linExtra)+consts)
	tangent.F = func(vs []Value) []Value {
		g := groups(vs, len(l.linExtra), na, nres)
		res := l.residuals(g[1], spread(g[2], isResidual))
		touts := spread(eval(l.lin, concat(g[0], res, g[3])), l.nz)
		for k := range nout {
			if want[k] && touts[k] == nil {
				touts[k] = zerosOf(fwd[k].Tangent())
			}
		}
		return pick(touts, want)
	}
	tangent.Rule = func(n int, vs []Value, mapped []bool) ([]Value, []bool) {
		from, to := len(argNZ), len(argNZ)+nres // the residuals
		_, touts, m := rule(n, concat(vs[:from], vs[to:]), concat(mapped[:from], mapped[to:]))
		return pick(touts, want), pick(m, want)
	}
	if l.lin.Closureful() { // reverse rules may close over what the forward program computes
		tangent.Enclosed = jaxpr.EnclosedBy(jaxpr.NewFrame(l.fwd, args))
	}
	return outs, spread(core.Bind(tangent, concat(l.linExtra, args, pick(results, isResidual), pick(t, nz))...), want)
}

// recorded returns a call with the program of its function. Values that the function closes over
// become leading operands.
func recorded(i *jvp, c *jaxpr.CustomVmap, in, t []Value) (*jaxpr.CustomVmap, []Value, []Value) {
	if c.Jaxpr != nil {
		return c, in, t
	}
	q := *c
	q.Jaxpr = trace.StageAt(c.Fn, in, c.F)
	consts := trace.HoistTracers(q.Jaxpr)
	i.refuseOwn(c.Fn, consts)
	q.NumConsts += len(consts)
	return &q, concat(consts, in), concat(make([]Value, len(consts)), t)
}

// jvpBatchingRule differentiates the function and the rule. If the call can no longer be mapped,
// it differentiates the function alone, which may then look at values.
func jvpBatchingRule(i *jvp, p core.Primitive, in, t []Value) (outs, touts []Value) {
	c := p.(*jaxpr.CustomVmap)
	nz := present(t)
	if !anyTrue(nz) {
		outs = core.Bind(p, in...)
		i.refuseOwn(c.Fn, outs)
		return outs, nil
	}
	if c.Rule == nil || anyTrue(nz[:c.NumConsts]) {
		return jvpCustomVmap(i, p, in, t)
	}
	onTape := splits(p, t)
	if !onTape && !followed(in, t) {
		// Zero tangents are written out, as they are when the call is staged.
		outs, touts = jvpCustomVmap(i, p, in, t)
		instantiate(outs, touts, differentiable(outs))
		return outs, touts
	}
	if onTape {
		return taping(i, c, in, t)
	}
	n := len(in)
	f := function(c)
	run := differentiator(func(f func([]Value) []Value, primals, tangents []Value) (outs, touts []Value) {
		return newJVP().run(f, primals, tangents)
	})
	derived := func(vs []Value) (outs, touts []Value) {
		outs, touts = run(f, vs[:n], spread(vs[n:], nz))
		instantiate(outs, touts, differentiable(outs))
		return outs, touts
	}
	rule := tangentRule(c, nz[c.NumConsts:], run)
	q := alike(c, c.NumConsts)
	args := concat(in, pick(t, nz))
	var want []bool
	var once sync.Once
	both := func(outs, touts []Value) []Value {
		m := differentiable(outs)
		once.Do(func() { want = m })
		return concat(outs, pick(touts, m))
	}
	q.F = func(vs []Value) []Value { return both(derived(vs)) }
	q.Rule = func(n int, vs []Value, mapped []bool) ([]Value, []bool) {
		outs, touts, m := rule(n, vs, mapped)
		return both(outs, touts), concat(m, pick(m, differentiable(outs)))
	}
	outs = core.Bind(q, args...)
	return outs[:len(want):len(want)], spread(outs[len(want):], want)
}

// transposeBatchingRule transposes the function and, if the call may still be mapped, the rule.
func transposeBatchingRule(p core.Primitive, cts, in []Value, lin []bool, avals []core.ShapedArray, outs []*jaxpr.Var) []Value {
	c := p.(*jaxpr.CustomVmap)
	known, some := not(lin), present(cts)
	args := concat(pick(in, known), pick(cts, some))
	if c.Rule == nil || anyTrue(lin[:c.NumConsts]) {
		return transposeCustom(p, cts, in, lin, avals, outs)
	}
	if !core.HasTracer(args) {
		return spread(written(transposeCustom(p, cts, in, lin, avals, outs), avals, lin), lin)
	}
	nk := count(known)
	j := c.Jaxpr
	q := alike(c, c.NumConsts)
	q.F = func(vs []Value) []Value {
		return written(backward(j, spread(vs[:nk], known), lin, spread(vs[nk:], some)), avals, lin)
	}
	knownArgs, linArgs := known[c.NumConsts:], lin[c.NumConsts:]
	q.Rule = func(n int, vs []Value, mapped []bool) ([]Value, []bool) {
		// The rule is linear where the function is: there its operands are mapped.
		nk := count(knownArgs)
		m := spread(mapped[:nk], knownArgs)
		types := make([]core.ShapedArray, len(knownArgs))
		for k, v := range spread(vs[:nk], knownArgs) {
			if linArgs[k] {
				a := avals[c.NumConsts+k]
				types[k], m[k] = a.WithShape(a.Shape.Prepend(n)), true
			} else {
				types[k] = v.Aval()
			}
		}
		program := trace.Stage("vmap", types, func(in []Value) []Value {
			outs, om := c.Rule(n, in, m)
			outs = slices.Clone(outs)
			for k := range outs {
				outs[k] = front(outs[k], om[k], n)
			}
			return outs
		})
		ct := slices.Clone(vs[nk:])
		for k := range ct {
			ct[k] = front(ct[k], mapped[nk+k], n)
		}
		got := written(backward(program, spread(vs[:nk], knownArgs), linArgs, spread(ct, some)), types, linArgs)
		return got, all(len(got), true)
	}
	return spread(core.Bind(q, args...), lin)
}
