package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

func scanParts[T any](s *jaxpr.Scan, vs []T) (consts, carry, xs []T) {
	g := groups(vs, s.NumConsts, s.NumCarry)
	return g[0], g[1], g[2]
}

// scanKey keys a transformed body rearranged for a scan: one body may serve scans
// that cut its inputs differently.
type scanKey struct{ consts, carry int }

func jvpScan(i *jvp, p core.Primitive, in, t []Value) (outs, touts []Value) {
	s := p.(*jaxpr.Scan)
	if !anyTrue(present(t)) {
		return core.Bind(p, in...), nil
	}
	nout := len(s.Jaxpr.Outs)
	nys := nout - s.NumCarry
	onTape := splits(p, t)
	nz := carryFixpoint(s.Jaxpr, present(t), s.NumConsts, s.NumCarry, func(j *jaxpr.Jaxpr, m []bool) []bool {
		if onTape { // a reverse rule within has no forward derivative
			return linearizeJaxpr(j, m, nil, everything).nz
		}
		return jvpJaxpr(j, m, nil, everything).nz
	})
	t = slices.Clone(t)
	instantiate(in, t, nz)
	want := concat(nz[s.NumConsts:s.NumConsts+s.NumCarry], make([]bool, nys))
	tc, tk, tx := scanParts(s, t)
	nzc, nzk, nzx := scanParts(s, nz)
	tc, tk, tx = pick(tc, nzc), pick(tk, nzk), pick(tx, nzx)
	if onTape {
		return linearizeScan(s, in, nz, want, tc, tk, tx)
	}

	d := jvpJaxpr(s.Jaxpr, nz, want, everything)
	consts, carry, xs := scanParts(s, in)
	// The program takes extra, consts, carry, xs and then the tangents of each; a
	// scan takes consts and their tangents, carry and its tangents, xs and theirs.
	type arranged struct{ j *jaxpr.Jaxpr }
	a := jaxpr.Cached(d.j, scanKey{s.NumConsts, s.NumCarry}, func() arranged {
		g := groups(d.j.Ins, len(d.extra), s.NumConsts, s.NumCarry, len(xs), len(tc), len(tk))
		o := groups(d.j.Outs, s.NumCarry, nys, len(tk))
		return arranged{rearranged(d.j, concat(g[0], g[1], g[4], g[2], g[5], g[3], g[6]), concat(o[0], o[2], o[1], o[3]))}
	}, func(arranged) bool { return true })
	out := core.Bind(&jaxpr.Scan{Jaxpr: a.j, Length: s.Length, Reverse: s.Reverse, Unroll: s.Unroll,
		NumConsts: len(d.extra) + len(consts) + len(tc), NumCarry: len(carry) + len(tk)},
		concat(d.extra, consts, tc, carry, tk, xs, tx)...)
	o := groups(out, s.NumCarry, len(tk), nys)
	return concat(o[0], o[2]), spread(concat(o[1], o[3]), d.nz)
}

// linearizeScan runs the forward scan, which stacks the residuals that change from
// step to step, and binds a linear scan of the tangents. A residual that is a
// constant of the scan or a slice of its inputs is passed as it is.
func linearizeScan(s *jaxpr.Scan, in []Value, nz, want []bool, tc, tk, tx []Value) (outs, touts []Value) {
	l := linearizeJaxpr(s.Jaxpr, nz, want, everything)
	_, _, xs := scanParts(s, in)
	ne, nout := len(l.extra), len(s.Jaxpr.Outs)

	// Where a residual of one step is found: a constant, a slice of an input, or an
	// output; the carry on entering a step must be stacked like a computed value.
	type place struct {
		c, x, y int // index into constants, xs, stacked outputs; −1: none
	}
	var places []place
	fwdOuts := slices.Clone(l.fwd.Outs)
	stack := func(a jaxpr.Atom) int {
		fwdOuts = append(fwdOuts, a)
		return len(fwdOuts) - 1 - s.NumCarry
	}
	stacked := map[jaxpr.Atom]int{}
	for _, r := range l.res {
		pl := place{-1, -1, -1}
		switch k := r.index - ne; {
		case r.in && k < 0:
			pl.c = r.index
		case r.in && k < s.NumConsts:
			pl.c = r.index
		case r.in && k >= s.NumConsts+s.NumCarry:
			pl.x = k - s.NumConsts - s.NumCarry
		case r.in:
			v := l.fwd.Ins[r.index]
			if _, ok := stacked[v]; !ok {
				stacked[v] = stack(v)
			}
			pl.y = stacked[v]
		case r.index < s.NumCarry:
			// A residual that is the carry on leaving a step.
			v := l.fwd.Outs[r.index]
			if _, ok := stacked[v]; !ok {
				stacked[v] = stack(v)
			}
			pl.y = stacked[v]
		default:
			pl.y = r.index - s.NumCarry
		}
		places = append(places, pl)
	}
	fwd := jaxpr.Cached(l.fwd, scanKey{s.NumConsts, s.NumCarry}, func() *jaxpr.Jaxpr { return rearranged(l.fwd, l.fwd.Ins, fwdOuts) }, func(*jaxpr.Jaxpr) bool { return true })
	args := concat(l.extra, in)
	out := core.Bind(&jaxpr.Scan{Jaxpr: fwd, Length: s.Length, Reverse: s.Reverse, Unroll: s.Unroll,
		NumConsts: ne + s.NumConsts, NumCarry: s.NumCarry}, args...)
	outs = out[:nout:nout]
	if !anyTrue(l.nz) {
		return outs, nil
	}
	ys := out[s.NumCarry:]

	// The linear scan: constants are linExtra, constant residuals and tc; carry is
	// tk; inputs are stacked residuals and tx.
	var cres, xres []Value
	var cvars, xvars []*jaxpr.Var
	resVars := l.lin.Ins[len(l.linExtra) : len(l.linExtra)+len(l.res)]
	for k, pl := range places {
		switch {
		case pl.c >= 0:
			cres, cvars = append(cres, args[pl.c]), append(cvars, resVars[k])
		case pl.x >= 0:
			xres, xvars = append(xres, xs[pl.x]), append(xvars, resVars[k])
		default:
			xres, xvars = append(xres, ys[pl.y]), append(xvars, resVars[k])
		}
	}
	lin := jaxpr.Cached(l.lin, scanKey{s.NumConsts, s.NumCarry}, func() *jaxpr.Jaxpr {
		g := groups(l.lin.Ins, len(l.linExtra), len(l.res), len(tc), len(tk))
		return rearranged(l.lin, concat(g[0], cvars, g[2], g[3], xvars, g[4]), l.lin.Outs)
	}, func(*jaxpr.Jaxpr) bool { return true })
	linear := &jaxpr.Scan{Jaxpr: lin, Length: s.Length, Reverse: s.Reverse, Unroll: s.Unroll,
		NumConsts: len(l.linExtra) + len(cres) + len(tc), NumCarry: len(tk)}
	if lin.Closureful() {
		linear.Primal = &jaxpr.Scan{Jaxpr: l.fwd, Length: s.Length, Reverse: s.Reverse, Unroll: s.Unroll, NumConsts: ne + s.NumConsts, NumCarry: s.NumCarry}
		linear.PrimalArgs = args
	}
	touts = core.Bind(linear,
		concat(l.linExtra, cres, tc, tk, xres, tx)...)
	return outs, spread(touts, l.nz)
}

// transposeScan runs the transposed body in the other direction. Cotangents of
// constants are accumulated in the carry.
func transposeScan(p core.Primitive, cts, in []Value, lin []bool, avals []core.ShapedArray, _ []*jaxpr.Var) []Value {
	s := p.(*jaxpr.Scan)
	linC, _, linX := scanParts(s, lin)
	// Every remaining carry is linear. One whose start is not a tangent started from a zero that
	// was written out; its cotangent is dropped.
	bodyLin := concat(linC, all(s.NumCarry, true), linX)
	ctK, ctY := cts[:s.NumCarry], cts[s.NumCarry:]
	ctMask := concat(all(s.NumCarry, true), present(ctY))
	// What the body does not use of constants and inputs has no cotangent.
	want := concat(make([]bool, s.NumConsts), all(s.NumCarry, true), make([]bool, len(linX)))
	steps := &stepReads{primal: s.Primal, args: s.PrimalArgs}
	var t *transposed
	steps.within(func() { t = transposeJaxpr(s.Jaxpr, bodyLin, ctMask, want, everything, steps) })
	nzC, _, nzX := scanParts(s, t.nz)

	c, _, x := scanParts(s, in)
	cRes, xRes := pick(c, not(linC)), pick(x, not(linX))
	nlc, nlx := count(nzC), count(nzX)
	ys := pick(ctY, present(ctY))

	// t.j: extra, c residuals, x residuals, ct carry, ct ys, what rules read → ct consts, ct
	// carry, ct xs.
	body := jaxpr.Cached(t.j, scanKey{s.NumConsts, s.NumCarry}, func() *jaxpr.Jaxpr {
		g := groups(t.j.Ins, len(t.extra), len(cRes), len(xRes), s.NumCarry)
		o := groups(t.j.Outs, nlc, s.NumCarry)
		acc := make([]*jaxpr.Var, nlc)
		outs := make([]jaxpr.Atom, nlc)
		eqns := slices.Clone(t.j.Eqns)
		for k := range acc {
			a := o[0][k].Aval()
			acc[k] = jaxpr.NewVar(a)
			sum := jaxpr.NewVar(a)
			eqns = append(eqns, &jaxpr.Eqn{Outs: []*jaxpr.Var{sum}, Prim: prim.AddAnyP{}, Ins: []jaxpr.Atom{acc[k], o[0][k]}})
			outs[k] = sum
		}
		return &jaxpr.Jaxpr{Ins: concat(g[0], g[1], acc, g[3], g[2], g[4]), Eqns: eqns, Outs: concat(outs, o[1], o[2])}
	}, func(*jaxpr.Jaxpr) bool { return true })
	var init []Value
	for k, nz := range nzC {
		if nz {
			init = append(init, zerosOf(avals[k].Tangent()))
		}
	}
	for k, ct := range ctK {
		if ct == nil {
			ct = zerosOf(avals[s.NumConsts+k].Tangent())
		}
		init = append(init, ct)
	}
	out := core.Bind(&jaxpr.Scan{Jaxpr: body, Length: s.Length, Reverse: !s.Reverse, Unroll: s.Unroll,
		NumConsts: len(t.extra) + len(cRes), NumCarry: len(init)}, concat(t.extra, cRes, init, xRes, ys, steps.values())...)
	o := groups(out, nlc, s.NumCarry)
	if len(o[2]) != nlx {
		panic("BUG: transposed scan returned another number of stacked cotangents")
	}
	return concat(spread(o[0], nzC), o[1], spread(o[2], nzX))
}

func (b *vmap) batchScan(s *jaxpr.Scan, in []Value, mapped []bool) ([]Value, []bool) {
	m, x := b.batchBody(s.Jaxpr, mapped, s.NumConsts, s.NumCarry)
	args := slices.Clone(in)
	for k := range args {
		switch {
		case k >= s.NumConsts+s.NumCarry:
			if mapped[k] { // the loop's axis stands before the batch's
				args[k] = swapFront(args[k])
			}
		case m[k]:
			args[k] = front(args[k], mapped[k], b.n)
		}
	}
	out := core.Bind(&jaxpr.Scan{Jaxpr: x.j, Length: s.Length, Reverse: s.Reverse, Unroll: s.Unroll,
		NumConsts: len(x.extra) + s.NumConsts, NumCarry: s.NumCarry}, concat(x.extra, args)...)
	for k := s.NumCarry; k < len(out); k++ {
		if x.out[k] {
			out[k] = swapFront(out[k])
		}
	}
	return out, x.out
}

func swapFront(v Value) Value {
	perm := core.Range(0, v.Aval().Rank()).Ints()
	perm[0], perm[1] = 1, 0
	return prim.Transpose(v, core.MakeDims(perm...))
}
