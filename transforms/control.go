package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms/internal/depend"
)

// rearranged returns a program with the constants and equations of j, which it shares, and the
// given inputs and results.
func rearranged(j *jaxpr.Jaxpr, ins []*jaxpr.Var, outs []jaxpr.Atom) *jaxpr.Jaxpr {
	return &jaxpr.Jaxpr{Consts: j.Consts, ConstVals: j.ConstVals, Ins: ins, Eqns: j.Eqns, Outs: outs}
}

// groups cuts vs into pieces of the given lengths; the last piece is the rest.
//
//go:noinline // keeps programs small
func groups[T any](vs []T, lengths ...int) [][]T {
	var out [][]T
	for _, n := range lengths {
		out = append(out, vs[:n:n])
		vs = vs[n:]
	}
	return append(out, vs)
}

// jvpCond differentiates every branch. A result has a tangent if it has one in any
// branch, and then in all.
func jvpCond(i *jvp, p core.Primitive, in, t []Value) (outs, touts []Value) {
	c := p.(*jaxpr.Cond)
	nz := present(t)[1:]
	if !anyTrue(nz) {
		return core.Bind(p, in...), nil
	}
	nout := len(c.Branches[0].Outs)
	if splits(p, t) {
		l := linearizeCond(c, nz)
		args := concat(in[:1], l.extra, in[1:])
		outs = core.Bind(&jaxpr.Cond{Branches: l.fwd}, args...)
		if !anyTrue(l.nz) {
			return outs[:nout:nout], nil
		}
		linear := &jaxpr.Cond{Branches: l.lin}
		if linear.Closureful() {
			var frames []*jaxpr.Frame
			for _, b := range l.branches {
				frames = append(frames, jaxpr.NewFrame(b, in[1:]))
			}
			linear.Enclosed = jaxpr.EnclosedBy(frames...)
		}
		touts = core.Bind(linear, concat(in[:1], l.linExtra, outs[nout:], pick(in[1:], l.passed), pick(t[1:], nz))...)
		return outs[:nout:nout], spread(touts, l.nz)
	}
	d := jaxpr.Cached(c.Branches[0], branchKey{c, "jvp", bits(nz)}, func() *united {
		parts, want := ofBranches(c, func(b *jaxpr.Jaxpr, want []bool) (*jvpd, []bool) {
			d := jvpRaw(b, nz, want)
			return d, d.nz
		})
		u := &united{marks: want}
		for _, d := range parts {
			u.js = append(u.js, d.j)
		}
		u.extra = trace.Unite(u.js)
		return u
	}, (*united).closed)
	out := core.Bind(&jaxpr.Cond{Branches: d.js}, concat(in[:1], d.extra, in[1:], pick(t[1:], nz))...)
	return out[:nout:nout], spread(out[nout:], d.marks)
}

// ofBranches transforms each branch of a conditional. transform returns a transformed branch and
// its marks; want are marks that it must have too. In the end each branch has the marks that any
// has. A branch that has them all the first time is transformed once.
func ofBranches[T any](c *jaxpr.Cond, transform func(branch *jaxpr.Jaxpr, want []bool) (T, []bool)) (parts []T, want []bool) {
	var marks [][]bool
	for _, b := range c.Branches {
		p, m := transform(b, nil)
		if want == nil {
			want = m
		}
		parts, marks, want = append(parts, p), append(marks, m), or(want, m)
	}
	for k, b := range c.Branches {
		if !covers(marks[k], want) {
			parts[k], _ = transform(b, want)
		}
	}
	return parts, want
}

// branchKey keys what is cached for a conditional, in its first branch.
type branchKey struct {
	c          *jaxpr.Cond
	what, mask string
}

// united is a list of programs with the same leading inputs.
type united struct {
	js    []*jaxpr.Jaxpr
	extra []Value
	marks []bool // results with a tangent or a batch axis, or operands with a cotangent
}

func (u *united) closed() bool { return !core.HasTracer(u.extra) }

// linearizedCond is a conditional split into forward and linear branches.
//
// Residuals of different branches share a slot if they have the same type and depend on the same
// inputs. So a residual that is constant in its branch is not differentiated or mapped because of
// a residual of another branch in the same slot. Many small slots are packed into one.
//
// Residuals that are operands need no slot: passed marks them, and the linear branches take them
// after the slots. So an operand that a batch shares stays shared when the predicate is mapped
// and the slots are chosen element by element.
type linearizedCond struct {
	branches        []*jaxpr.Jaxpr // forward, before slots are shared
	fwd, lin        []*jaxpr.Jaxpr
	extra, linExtra []Value
	passed, nz      []bool
}

func linearizeCond(c *jaxpr.Cond, nz []bool) *linearizedCond {
	return jaxpr.Cached(c.Branches[0], branchKey{c, "linearize", bits(nz)}, func() *linearizedCond {
		nout := len(c.Branches[0].Outs)
		parts, want := ofBranches(c, func(b *jaxpr.Jaxpr, want []bool) (*linearized, []bool) {
			l := linearizeRaw(b, nz, want)
			return l, l.nz
		})
		var slots []sharing
		slotsOf := map[sharing][]int{}
		inputs := depend.NewSources(len(nz))
		var slotOf [][]int // of each branch's residuals; ^i is operand i
		passed := make([]bool, len(nz))
		for _, l := range parts {
			taken := map[sharing]int{} // how many slots of a kind
			needs := inputs.Of(l.fwd)[nout:]
			var at []int
			for k, r := range l.fwd.Outs[nout:] {
				if v, ok := r.(*jaxpr.Var); ok {
					if i := slices.Index(l.fwd.Ins, v); i >= 0 {
						passed[i] = true
						at = append(at, ^i)
						continue
					}
				}
				s := sharing{r.Aval().Strong(), needs[k].Key()}
				if taken[s] == len(slotsOf[s]) {
					slotsOf[s] = append(slotsOf[s], len(slots))
					slots = append(slots, s)
				}
				at = append(at, slotsOf[s][taken[s]])
				taken[s]++
			}
			slotOf = append(slotOf, at)
		}
		x := &linearizedCond{passed: passed, nz: want}
		place := make([]int, len(passed)) // of each operand that is passed, after the slots
		packed := packSlots(slots, func(n int) bool { return slots[n].a.Rank() <= 1 })
		behind := len(packed.types)
		for i, p := range passed {
			if p {
				place[i] = behind
				behind++
			}
		}
		for n, l := range parts {
			at := slotOf[n]
			fwd := l.fwd
			x.branches = append(x.branches, fwd)
			x.fwd = append(x.fwd, trace.Stage("cond", fwd.InAvals(), func(in []Value) []Value {
				out := eval(fwd, in)
				res := make([]Value, len(slots))
				for k, v := range out[nout:] {
					if at[k] >= 0 {
						res[at[k]] = v
					}
				}
				return concat(out[:nout], packed.pack(res))
			}))
			lin := l.lin
			used := make([]bool, len(slots))
			for _, k := range at {
				if k >= 0 {
					used[k] = true
				}
			}
			avals := concat(packed.types, pick(fwd.InAvals(), passed), lin.InAvals()[len(at):])
			x.lin = append(x.lin, trace.Stage("cond", avals, func(in []Value) []Value {
				res := packed.unpack(in, used)
				args := make([]Value, 0, len(lin.Ins))
				for _, k := range at {
					if k < 0 {
						args = append(args, in[place[^k]])
					} else {
						args = append(args, res[k])
					}
				}
				return eval(lin, append(args, in[behind:]...))
			}))
		}
		x.extra = trace.Unite(x.fwd)
		x.linExtra = trace.Unite(x.lin)
		return x
	}, func(x *linearizedCond) bool { return !core.HasTracer(x.extra) && !core.HasTracer(x.linExtra) })
}

func transposeCond(p core.Primitive, cts, in []Value, lin []bool, _ []core.ShapedArray, _ []*jaxpr.Var) []Value {
	c := p.(*jaxpr.Cond)
	if lin[0] {
		panic("BUG: the index of a cond is linear")
	}
	lin = lin[1:]
	ct := present(cts)
	t := jaxpr.Cached(c.Branches[0], branchKey{c, "transpose", bits(lin, ct)}, func() *united {
		parts, want := ofBranches(c, func(b *jaxpr.Jaxpr, want []bool) (*transposed, []bool) {
			t := transposeRaw(b, lin, ct, want, nil)
			return t, t.nz
		})
		u := &united{marks: want}
		for _, t := range parts {
			u.js = append(u.js, t.j)
		}
		u.extra = trace.Unite(u.js)
		return u
	}, (*united).closed)
	out := core.Bind(&jaxpr.Cond{Branches: t.js}, concat(in[:1], t.extra, pick(in[1:], not(lin)), pick(cts, ct))...)
	return append([]Value{nil}, spread(out, t.marks)...)
}

func (b *vmap) batchCond(c *jaxpr.Cond, in []Value, mapped []bool) ([]Value, []bool) {
	if mapped[0] {
		return b.selectBranches(c, in, mapped)
	}
	x := jaxpr.Cached(c.Branches[0], batchCondKey{c, b.n, b.axis, b.part.key(), bits(mapped)}, func() *united {
		parts, want := ofBranches(c, func(j *jaxpr.Jaxpr, want []bool) (*batchedProgram, []bool) {
			x := b.batchRaw(j, mapped[1:], want)
			return x, x.out
		})
		u := &united{marks: want}
		for _, p := range parts {
			u.js = append(u.js, p.j)
		}
		u.extra = trace.Unite(u.js)
		return u
	}, func(u *united) bool { return u.closed() && !c.Closureful() })
	return core.Bind(&jaxpr.Cond{Branches: x.js}, concat(in[:1], x.extra, in[1:])...), x.marks
}

type batchCondKey struct {
	c          *jaxpr.Cond
	n          int
	axis, part string
	mapped     string
}

// selectBranches runs every branch on the whole batch and selects the results
// element by element: each element of the batch has its own index.
//
// A branch must not receive, in its derivative, the elements that do not take it: an
// infinite derivative there, times a cotangent of zero, is NaN. So each branch reads
// its operands through a selection that has no derivative for those elements.
func (b *vmap) selectBranches(c *jaxpr.Cond, in []Value, mapped []bool) ([]Value, []bool) {
	for _, j := range c.Branches {
		if j.Effects() != 0 {
			core.FailOp(core.ErrNoRule, "cond", nil, "has a branch with effects and a predicate that is mapped by Vmap: all branches would run; take the effect out of the branch")
		}
	}
	index := in[0]
	if n := len(c.Branches); !indexInRange(index, n) {
		ia := index.Aval()
		index = prim.Clamp(prim.Num(ia, 0), index, prim.Num(ia, float64(n-1)))
	}
	cases := make([][]Value, len(c.Branches))
	for k, j := range c.Branches {
		args, argsMapped := b.maskOperands(index, k, len(c.Branches), in[1:], mapped[1:])
		outs, outMapped := b.apply(func(in []Value) []Value { return eval(j, in) }, args, argsMapped)
		for m := range outs {
			outs[m] = front(outs[m], outMapped[m], b.n)
		}
		cases[k] = outs
	}
	nout := len(c.Branches[0].Outs)
	outs := make([]Value, nout)
	for m := range outs {
		var cs []Value
		for k := range cases {
			cs = append(cs, cases[k][m])
		}
		outs[m] = selectCase(index, cs)
	}
	return outs, all(nout, true)
}

// indexInRange reports whether a branch index is known to be in 0 … n−1 by the
// equation that computed it: tracing clamps the index of Switch, and converts the
// predicate of Cond.
func indexInRange(index Value, n int) bool {
	for {
		x, ok := index.(*batched)
		if !ok {
			break
		}
		index = x.v
	}
	t, ok := index.(*trace.Tracer)
	if !ok || t.Equation() == nil {
		return false
	}
	e := t.Equation()
	switch e.Prim.(type) {
	case prim.ConvertElementTypeP:
		return n >= 2 && e.Ins[0].Aval().DType == core.Bool
	case prim.ClampP:
		lo, okLo := e.Ins[0].(core.Literal)
		hi, okHi := e.Ins[2].(core.Literal)
		return okLo && okHi && lo.Num.Int64() >= 0 && hi.Num.Int64() < int64(n)
	}
	return false
}

// maskOperands returns the operands of branch k with the derivative removed for the
// elements of the batch that take another branch: neither tangents nor cotangents, which may
// be NaN there, pass. Their values do not change. What has no derivative stays as it is:
// integers, and arrays that no interpreter owns.
func (b *vmap) maskOperands(index Value, k, branches int, in []Value, mapped []bool) ([]Value, []bool) {
	if branches == 1 {
		return in, mapped
	}
	in, mapped = slices.Clone(in), slices.Clone(mapped)
	var taken Value
	for i, v := range in {
		if _, traced := v.(core.Tracer); !traced || v.Aval().DType.Tangent() == core.Float0 {
			continue
		}
		if taken == nil {
			taken = prim.Eq(index, prim.Num(index.Aval(), float64(k)))
		}
		x := front(v, mapped[i], b.n)
		stopped := core.Apply1(prim.StopGradientP{Masks: true}, x)
		in[i], mapped[i] = selectCase(taken, []Value{stopped, x}), true
	}
	return in, mapped
}

// selectCase picks, for each element of a batch, the case that index names.
func selectCase(index Value, cases []Value) Value {
	if len(cases) == 1 {
		return cases[0]
	}
	a := cases[0].Aval()
	if a.Rank() > 1 {
		index = prim.BroadcastInDim(index, a.Shape, core.MakeDims(0))
	}
	return prim.SelectN(index, cases...)
}
