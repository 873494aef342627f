package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// The rules of linear_call, whose transpose is the user's, and of
// custom_linear_solve, whose derivatives are solves again.

// jvpLinearCall: along the linear operands, the derivative is the same call applied to the
// tangents. Along residuals it is the derivative of the function's program. Along both it is the
// latter, unless the tangents are on a tape: there the linear part stays a call, which has the
// user's transpose.
func jvpLinearCall(_ *jvp, p core.Primitive, in, t []Value) (outs, touts []Value) {
	c := p.(*jaxpr.LinearCall)
	n := c.NumRes
	along, onTape := anyTrue(present(t[:n])), taped(t)
	if !along || !evaluates() {
		outs = core.Bind(p, in...)
	}
	if along {
		tr := slices.Clone(t)
		if onTape {
			clear(tr[n:])
		}
		primals, tangents := newJVP().run(func(in []Value) []Value { return eval(c.Jaxpr, in) }, in, tr)
		if outs == nil {
			outs = primals
		}
		touts = tangents
	}
	if anyTrue(present(t[n:])) && (!along || onTape) {
		tl := slices.Clone(t[n:])
		instantiate(in[n:], tl, differentiable(in[n:]))
		touts = sumTangents(core.Bind(p, concat(in[:n], tl)...), touts)
	}
	return outs, touts
}

// evaluates reports whether only batches are active, so that operations are evaluated, not
// recorded or differentiated. Then a call that is differentiated need not be bound itself too.
func evaluates() bool {
	for i := range core.Active() {
		if _, ok := i.(*vmap); !ok {
			return false
		}
	}
	return true
}

// sumTangents adds tangents, nil where zero.
func sumTangents(a, b []Value) []Value {
	if b == nil {
		return a
	}
	a = slices.Clone(a)
	for k, v := range b {
		switch {
		case v == nil:
		case a[k] == nil:
			a[k] = v
		default:
			a[k] = prim.AddAny(a[k], v)
		}
	}
	return a
}

func transposeLinearCall(p core.Primitive, cts, in []Value, lin []bool, avals []core.ShapedArray, outs []*jaxpr.Var) []Value {
	c := p.(*jaxpr.LinearCall)
	for k := range c.NumRes {
		if lin[k] {
			core.FailOp(core.ErrCustomRule, c.Fn, avals[k:k+1], "is not linear in its residuals and cannot be transposed; stop the gradient before it")
		}
	}
	cts = slices.Clone(cts)
	for k := range cts {
		if cts[k] == nil {
			cts[k] = zerosOf(outs[k].Type)
		}
	}
	q := &jaxpr.LinearCall{Fn: c.TransposeName, TransposeName: c.Fn, Jaxpr: c.Transposed, Transposed: c.Jaxpr, NumRes: c.NumRes}
	got := core.Bind(q, concat(in[:c.NumRes], cts)...)
	return concat(make([]Value, c.NumRes), got)
}

type linearCallKey struct {
	transposed *jaxpr.Jaxpr
	residuals  int
	n          int
	axis, part string
	mapped     string
}

func (b *vmap) batchLinearCall(c *jaxpr.LinearCall, in []Value, mapped []bool) ([]Value, []bool) {
	key := linearCallKey{c.Transposed, c.NumRes, b.n, b.axis, b.part.key(), bits(mapped)}
	x := jaxpr.Cached(c.Jaxpr, key, func() *united { return b.linearCallPrograms(c, mapped) }, func(u *united) bool {
		return u.closed() && !c.Jaxpr.Closureful() && !c.Transposed.Closureful()
	})
	q := &jaxpr.LinearCall{Fn: c.Fn, TransposeName: c.TransposeName, Jaxpr: x.js[0], Transposed: x.js[1], NumRes: c.NumRes + len(x.extra)}
	return core.Bind(q, concat(x.extra, in)...), all(len(c.Jaxpr.Outs), true)
}

func (b *vmap) linearCallPrograms(c *jaxpr.LinearCall, mapped []bool) *united {
	nout := len(c.Jaxpr.Outs)
	fwd := b.batchRaw(c.Jaxpr, mapped, all(nout, true))
	ctMapped := concat(mapped[:c.NumRes], all(nout, true))
	var avals []core.ShapedArray
	for k, a := range c.Transposed.InAvals() {
		if ctMapped[k] {
			a = a.WithShape(a.Shape.Prepend(b.n))
		}
		avals = append(avals, a)
	}
	back := trace.Stage("vmap", avals, func(args []Value) (out []Value) {
		b.enter(func() []Value {
			out = b.sums(eval(c.Transposed, b.boxAll(args, ctMapped)), mapped[c.NumRes:])
			return nil
		})
		return out
	})
	u := &united{js: []*jaxpr.Jaxpr{fwd.j, back}}
	u.extra = trace.Unite(u.js)
	return u
}

func solveParts[T any](s *jaxpr.LinearSolve, vs []T) (mv, vm, so, ts, rhs []T) {
	g := groups(vs, s.MatvecConsts, s.VecmatConsts, s.SolveConsts, s.TransposeSolveConsts)
	return g[0], g[1], g[2], g[3], g[4]
}

// jvpLinearSolve: A x = b implies A dx = db − dA x.
func jvpLinearSolve(_ *jvp, p core.Primitive, in, t []Value) (outs, touts []Value) {
	s := p.(*jaxpr.LinearSolve)
	outs = core.Bind(p, in...)
	if !anyTrue(present(t)) {
		return outs, nil
	}
	mv, vm, so, ts, _ := solveParts(s, in)
	tmv, _, _, _, trhs := solveParts(s, t)
	n := len(trhs)
	rhs := slices.Clone(trhs)
	if anyTrue(present(tmv)) {
		_, dAx := newJVP().run(func(in []Value) []Value { return eval(s.Matvec, in) },
			concat(mv, outs[:n]), concat(tmv, make([]Value, n)))
		for k, d := range dAx {
			if d == nil {
				continue
			}
			d = prim.Neg(d)
			if rhs[k] != nil {
				d = prim.AddAny(rhs[k], d)
			}
			rhs[k] = d
		}
	}
	if !anyTrue(present(rhs)) {
		return outs, nil
	}
	instantiate(outs[:n], rhs, all(n, true))
	touts = core.Bind(p, concat(mv, vm, so, ts, rhs)...)
	for k := n; k < len(touts); k++ {
		touts[k] = nil // auxiliary results have no derivative
	}
	return outs, touts
}

func transposeLinearSolve(p core.Primitive, cts, in []Value, lin []bool, avals []core.ShapedArray, outs []*jaxpr.Var) []Value {
	s := p.(*jaxpr.LinearSolve)
	if s.TransposeSolve == nil {
		core.FailOp(core.ErrCustomRule, "custom_linear_solve", nil, "has no solver of the transposed system; pass one to differentiate in reverse")
	}
	mv, vm, so, ts, rhs := solveParts(s, in)
	nc := len(in) - len(rhs)
	if anyTrue(lin[:nc]) {
		core.FailOp(core.ErrNoRule, "custom_linear_solve", nil, "is not linear in the operator; use custom.LinearSolve with a transposed solver")
	}
	n := len(rhs)
	ct := slices.Clone(cts[:n])
	for k := range ct {
		if ct[k] == nil {
			ct[k] = zerosOf(outs[k].Type)
		}
	}
	q := &jaxpr.LinearSolve{
		Matvec: s.Vecmat, MatvecConsts: s.VecmatConsts, Vecmat: s.Matvec, VecmatConsts: s.MatvecConsts,
		Solve: s.TransposeSolve, SolveConsts: s.TransposeSolveConsts, TransposeSolve: s.Solve, TransposeSolveConsts: s.SolveConsts,
	}
	got := core.Bind(q, concat(vm, mv, ts, so, ct)...)
	return concat(make([]Value, nc), got[:n])
}

func (b *vmap) batchLinearSolve(s *jaxpr.LinearSolve, in []Value, mapped []bool) ([]Value, []bool) {
	mv, vm, so, ts, rhs := solveParts(s, in)
	mmv, mvm, mso, mts, mrhs := solveParts(s, mapped)
	q := &jaxpr.LinearSolve{}
	one := func(j *jaxpr.Jaxpr, consts []Value, m []bool) (*jaxpr.Jaxpr, []Value) {
		if j == nil {
			return nil, nil
		}
		x := b.batchJaxpr(j, concat(m, all(len(j.Ins)-len(m), true)), all(len(j.Outs), true), everything)
		return x.j, concat(x.extra, consts)
	}
	q.Matvec, mv = one(s.Matvec, mv, mmv)
	q.Vecmat, vm = one(s.Vecmat, vm, mvm)
	q.Solve, so = one(s.Solve, so, mso)
	q.TransposeSolve, ts = one(s.TransposeSolve, ts, mts)
	q.MatvecConsts, q.VecmatConsts, q.SolveConsts, q.TransposeSolveConsts = len(mv), len(vm), len(so), len(ts)
	rhs = slices.Clone(rhs)
	for k := range rhs {
		rhs[k] = front(rhs[k], mrhs[k], b.n)
	}
	outs := core.Bind(q, concat(mv, vm, so, ts, rhs)...)
	return outs, all(len(outs), true)
}
