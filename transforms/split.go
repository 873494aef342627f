package transforms

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// split is a program in two parts: known depends on no unknown input and returns
// the known results followed by residuals; unknown takes the residuals and the
// unknown inputs and returns the unknown results.
type split struct {
	known   *jaxpr.Jaxpr // known inputs → known results, residuals
	unknown *jaxpr.Jaxpr // residuals, unknown inputs → unknown results
	out     []bool       // which results are unknown
	res     int
}

// Split divides j by what depends on the inputs that unknown marks. want, if not nil, marks results
// that must count as unknown. Effects stay with the part in which their operands are. The effects
// of an equation that holds a program and returns nothing known stay with the equation.
func Split(j *jaxpr.Jaxpr, unknown, want []bool) (known, rest *jaxpr.Jaxpr, residuals int, outUnknown []bool) {
	s := splitJaxpr(j, unknown, want)
	return s.known, s.unknown, s.res, s.out
}

type splitKey struct{ unknown, want string }

func splitJaxpr(j *jaxpr.Jaxpr, unknown, want []bool) *split {
	return jaxpr.Cached(j, splitKey{bits(unknown), bits(want)}, func() *split {
		isUnknown := jaxpr.NumbersFor(j)
		known := func(a jaxpr.Atom) bool {
			v, ok := a.(*jaxpr.Var)
			if ok {
				_, ok = isUnknown.Of(v)
			}
			return !ok
		}
		for k, v := range j.Ins {
			if unknown[k] {
				isUnknown.Bind(v)
			}
		}
		var first, second []*jaxpr.Eqn
		for _, e := range j.Eqns {
			m := make([]bool, len(e.Ins))
			for k, a := range e.Ins {
				m[k] = !known(a)
			}
			if !anyTrue(m) {
				first = append(first, e)
				continue
			}
			if s := splitEqn(e, m); s != nil {
				if s.known != nil {
					first = append(first, s.known)
				}
				e = s.unknown
			}
			for _, v := range e.Outs {
				isUnknown.Bind(v)
			}
			second = append(second, e)
		}
		s := &split{out: make([]bool, len(j.Outs))}
		var knownOuts, unknownOuts []jaxpr.Atom
		for k, a := range j.Outs {
			s.out[k] = !known(a) || want != nil && want[k]
			if s.out[k] {
				unknownOuts = append(unknownOuts, a)
			} else {
				knownOuts = append(knownOuts, a)
			}
		}
		// Residuals: variables of the first part that the second uses.
		var res []*jaxpr.Var
		bound := jaxpr.NumbersFor(j) // in the second part
		for _, v := range j.Consts {
			bound.Bind(v)
		}
		use := func(a jaxpr.Atom) {
			if v, ok := a.(*jaxpr.Var); ok && known(v) {
				if _, fresh := bound.Bind(v); fresh {
					res = append(res, v)
				}
			}
		}
		for _, e := range second {
			for _, a := range e.Ins {
				use(a)
			}
		}
		for _, a := range unknownOuts {
			use(a)
		}
		s.res = len(res)
		s.known = &jaxpr.Jaxpr{Consts: j.Consts, ConstVals: j.ConstVals, Ins: pick(j.Ins, not(unknown)), Eqns: first, Outs: concat(knownOuts, atoms(res))}
		s.unknown = &jaxpr.Jaxpr{Consts: j.Consts, ConstVals: j.ConstVals, Ins: concat(res, pick(j.Ins, unknown)), Eqns: second, Outs: unknownOuts}
		return s
	}, func(*split) bool { return true })
}

type splitEquation struct{ known, unknown *jaxpr.Eqn }

// splitEqn divides an equation that holds programs by the operands that unknown
// marks. It returns nil if nothing of it is known, or it cannot be divided.
func splitEqn(e *jaxpr.Eqn, unknown []bool) *splitEquation {
	if !anyTrue(not(unknownOf(e, unknown))) {
		return nil
	}
	switch p := e.Prim.(type) {
	case *jaxpr.Jit, *jaxpr.CoreCall:
		return splitCall(e, p, unknown)
	case *jaxpr.Remat:
		return splitCall(e, p, unknown)
	case *jaxpr.ShardMap:
		return splitShardMap(e, p, unknown)
	case *jaxpr.Cond:
		return splitCond(e, p, unknown)
	case *jaxpr.While:
		return splitWhile(e, p, unknown)
	case *jaxpr.Scan:
		return splitScan(e, p, unknown)
	case *jaxpr.CustomVmap:
		if p.Jaxpr != nil && p.Rule != nil {
			return splitBatchingRule(e, p, unknown)
		}
		if p.Jaxpr != nil {
			return splitCall(e, &jaxpr.CoreCall{Fn: "custom", Jaxpr: p.Jaxpr}, unknown)
		}
	case *jaxpr.CustomJVP, *jaxpr.CustomVJP:
		if j := jaxpr.Programs(p); len(j) == 1 {
			return splitCall(e, &jaxpr.CoreCall{Fn: "custom", Jaxpr: j[0]}, unknown)
		}
	}
	return nil
}

// splitBatchingRule makes two calls with the rule, so that batching either runs the rule, not the
// function. There are no residuals, because the rule returns none; the second call computes
// everything again.
func splitBatchingRule(e *jaxpr.Eqn, c *jaxpr.CustomVmap, unknown []bool) *splitEquation {
	s := splitJaxpr(c.Jaxpr, unknown, nil)
	call := func(j *jaxpr.Jaxpr, ins, outs []bool) *jaxpr.CustomVmap {
		q := alike(c, count(ins[:c.NumConsts]))
		q.Enclosed, q.Jaxpr = c.Enclosed, j
		args := ins[c.NumConsts:]
		avals := core.AvalsOf(e.Ins[c.NumConsts:])
		q.Rule = func(n int, in []Value, mapped []bool) ([]Value, []bool) {
			in = spread(in, args)
			for k, taken := range args {
				if !taken { // the chosen results do not depend on it
					in[k] = zerosOf(avals[k])
				}
			}
			got, outMapped := c.Rule(n, in, spread(mapped, args))
			return pick(got, outs), pick(outMapped, outs)
		}
		return q
	}
	known, every := not(unknown), all(len(e.Ins), true)
	first := dce(rearranged(s.known, s.known.Ins, s.known.Outs[:len(s.known.Outs)-s.res]))
	second := dce(rearranged(c.Jaxpr, c.Jaxpr.Ins, pick(c.Jaxpr.Outs, s.out)))
	return &splitEquation{
		known:   &jaxpr.Eqn{Prim: call(first, known, not(s.out)), Ins: pick(e.Ins, known), Outs: pick(e.Outs, not(s.out)), Site: e.Site},
		unknown: &jaxpr.Eqn{Prim: call(second, every, s.out), Ins: e.Ins, Outs: pick(e.Outs, s.out), Site: e.Site},
	}
}

// parts makes the two equations of a split. The results and operands of e are divided between them;
// residuals are results of the first and operands of the second.
func parts(e *jaxpr.Eqn, known core.Primitive, res []core.ShapedArray, unknownOut []bool, knownIns []jaxpr.Atom, unknown func(res []jaxpr.Atom) (core.Primitive, []jaxpr.Atom)) *splitEquation {
	vars := make([]*jaxpr.Var, len(res))
	for k, a := range res {
		vars[k] = jaxpr.NewVar(a)
	}
	p, ins := unknown(atoms(vars))
	return &splitEquation{
		known:   &jaxpr.Eqn{Prim: known, Ins: knownIns, Outs: concat(pick(e.Outs, not(unknownOut)), vars), Site: e.Site},
		unknown: &jaxpr.Eqn{Prim: p, Ins: ins, Outs: pick(e.Outs, unknownOut), Site: e.Site},
	}
}

func splitCall(e *jaxpr.Eqn, p core.Primitive, unknown []bool) *splitEquation {
	j := jaxpr.Programs(p)[0]
	s := splitJaxpr(j, unknown, nil)
	again := func(j *jaxpr.Jaxpr) core.Primitive {
		if r, ok := p.(*jaxpr.Remat); ok {
			q := *r
			q.Jaxpr = j
			return &q
		}
		return recall(p, j)
	}
	nk := len(s.known.Outs) - s.res
	return parts(e, again(s.known), s.known.OutAvals()[nk:], s.out, pick(e.Ins, not(unknown)), func(res []jaxpr.Atom) (core.Primitive, []jaxpr.Atom) {
		return again(s.unknown), concat(res, pick(e.Ins, unknown))
	})
}

func splitCond(e *jaxpr.Eqn, c *jaxpr.Cond, unknown []bool) *splitEquation {
	m, want := unknown[1:], unknownOf(e, unknown)
	nk := count(not(want))
	var slots []core.ShapedArray
	var parted []*split
	var offset []int
	for _, b := range c.Branches {
		s := splitJaxpr(b, m, want)
		parted = append(parted, s)
		offset = append(offset, len(slots))
		slots = append(slots, s.known.OutAvals()[nk:]...)
	}
	known, rest := &jaxpr.Cond{}, &jaxpr.Cond{Enclosed: c.Enclosed}
	for n, s := range parted {
		known.Branches = append(known.Branches, trace.Stage("cond", s.known.InAvals(), func(in []Value) []Value {
			out := eval(s.known, in)
			res := make([]Value, len(slots))
			for k, a := range slots {
				if k >= offset[n] && k < offset[n]+s.res {
					res[k] = out[nk+k-offset[n]]
				} else {
					res[k] = zerosOf(a)
				}
			}
			return concat(out[:nk], res)
		}))
		avals := concat(slots, s.unknown.InAvals()[s.res:])
		rest.Branches = append(rest.Branches, trace.Stage("cond", avals, func(in []Value) []Value {
			return eval(s.unknown, concat(in[offset[n]:offset[n]+s.res], in[len(slots):]))
		}))
	}
	return parts(e, known, slots, want, concat(e.Ins[:1], pick(e.Ins[1:], not(m))), func(res []jaxpr.Atom) (core.Primitive, []jaxpr.Atom) {
		return rest, concat(e.Ins[:1], res, pick(e.Ins[1:], m))
	})
}

// splitWhile runs the loop of the known carries by itself, since the condition needs
// no other, and leaves the whole loop for the unknown ones. Effects of the known loop happen in both.
func splitWhile(e *jaxpr.Eqn, w *jaxpr.While, unknown []bool) *splitEquation {
	mc, mb, mk := whileParts(w, unknown)
	mk = carryFixpoint(w.Body, concat(mb, mk), len(mb), len(mk), unknownResults)[len(mb):]
	body := splitJaxpr(w.Body, concat(mb, mk), mk)
	cond := splitJaxpr(w.Cond, concat(mc, mk), nil)
	nk := count(not(mk))
	known := &jaxpr.While{
		Cond: rearranged(cond.known, cond.known.Ins, cond.known.Outs[:1]), CondConsts: count(not(mc)),
		Body: rearranged(body.known, body.known.Ins, body.known.Outs[:nk]), BodyConsts: count(not(mb)),
	}
	rest := *e
	rest.Outs = make([]*jaxpr.Var, len(e.Outs))
	for k, v := range e.Outs {
		rest.Outs[k] = v
		if !mk[k] { // The known loop computes it. Here it is a variable that nothing reads.
			rest.Outs[k] = jaxpr.NewVar(v.Type)
		}
	}
	return &splitEquation{
		known:   &jaxpr.Eqn{Prim: known, Ins: pick(e.Ins, not(concat(mc, mb, mk))), Outs: pick(e.Outs, not(mk)), Site: e.Site},
		unknown: &rest,
	}
}

func splitScan(e *jaxpr.Eqn, s *jaxpr.Scan, unknown []bool) *splitEquation {
	m := carryFixpoint(s.Jaxpr, unknown, s.NumConsts, s.NumCarry, unknownResults)
	nys := len(s.Jaxpr.Outs) - s.NumCarry
	mc, mk, mx := scanParts(s, m)
	want := concat(mk, make([]bool, nys))
	x := splitJaxpr(s.Jaxpr, m, want)
	nKnownOut := count(not(x.out))
	nKnownCarry := count(not(mk))
	known := &jaxpr.Scan{Jaxpr: x.known, Length: s.Length, Reverse: s.Reverse, Unroll: s.Unroll, NumConsts: count(not(mc)), NumCarry: nKnownCarry}
	var res []core.ShapedArray
	for _, a := range x.known.OutAvals()[nKnownOut:] {
		res = append(res, a.WithShape(a.Shape.Prepend(s.Length)))
	}
	// The rest takes constants, carry, then the stacked residuals and xs.
	g := groups(x.unknown.Ins, x.res, count(mc), count(mk))
	body := rearranged(x.unknown, concat(g[1], g[2], g[0], g[3]), x.unknown.Outs)
	rest := &jaxpr.Scan{Jaxpr: body, Length: s.Length, Reverse: s.Reverse, Unroll: s.Unroll, NumConsts: count(mc), NumCarry: count(mk), Primal: s.Primal, PrimalArgs: s.PrimalArgs, Enclosed: s.Enclosed}
	ec, ek, ex := scanParts(s, e.Ins)
	// A carry may be unknown in later steps although its first value is known.
	return parts(e, known, res, x.out, concat(pick(ec, not(mc)), pick(ek, not(mk)), pick(ex, not(mx))), func(res []jaxpr.Atom) (core.Primitive, []jaxpr.Atom) {
		return rest, concat(pick(ec, mc), pick(ek, mk), res, pick(ex, mx))
	})
}
