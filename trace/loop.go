package trace

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// carried stages a loop's body with the types of init. Where init is weak and the
// body returns another dtype, init is converted to that, and the body staged again; a
// difference in the weak mark alone stays. It returns init converted, and the body.
func carried(op string, init []core.Value, stage func(carry []core.ShapedArray) *jaxpr.Jaxpr) ([]core.Value, *jaxpr.Jaxpr) {
	init = slices.Clone(init)
	for again := true; ; {
		avals := core.AvalsOf(init)
		j := stage(avals)
		if len(j.Outs) < len(avals) {
			core.FailOp(core.ErrTree, op, nil, "the body returns %s for a carry of %d; return the carry", core.Count(len(j.Outs), "value"), len(avals))
		}
		converted := false
		for i, a := range avals {
			b := j.Outs[i].Aval()
			if a.Fits(b) {
				continue
			}
			if a.SameType(b) {
				core.FailOp(core.ErrAxis, op, []core.ShapedArray{a, b}, "carry %d starts as %s but the body returns %s, which vary along other axes of the mesh; %s", i, a.Full(), b.Full(), varyFix(a, b))
			}
			if !again || !a.Weak || a.Shape != b.Shape || a.DType.Kind() > b.DType.Kind() {
				core.FailOp(core.Mismatch(a, b), op, []core.ShapedArray{a, b}, "carry %d starts as %s but the body returns %s; a loop's carry keeps its type: convert the start or the body's result with AsType or Reshape", i, a.Full(), b.Full())
			}
			init[i] = strongly(init[i], b.DType)
			converted = true
		}
		if !converted {
			return init, j
		}
		again = false
	}
}

// strongly returns v as a strong value of another dtype; a Go number is converted at once.
func strongly(v core.Value, dt core.DType) core.Value {
	if l, ok := v.(core.Literal); ok && l.Num.Fits(dt) {
		return core.Lit(elem.Round(l.Num, dt), dt)
	}
	return prim.Convert(v, dt, false)
}

// While repeats body while cond holds.
func While(cond func([]core.Value) core.Value, body Func, init []core.Value) []core.Value {
	return WhileOf(Body{F: func(in []core.Value) []core.Value { return []core.Value{cond(in)} }}, Body{F: body}, init)
}

// WhileOf is [While] for functions whose programs are shared; cond returns one value.
func WhileOf(cond, body Body, init []core.Value) []core.Value {
	init, bj := carried("While", init, func(carry []core.ShapedArray) *jaxpr.Jaxpr { return Stage("body", carry, body.F) })
	if len(bj.Outs) != len(init) {
		core.FailOp(core.ErrTree, "While", nil, "the body returns %s for a carry of %d; return the carry", core.Count(len(bj.Outs), "value"), len(init))
	}
	cj := Stage("cond", core.AvalsOf(init), cond.F)
	if len(cj.Outs) != 1 {
		core.FailOp(core.ErrTree, "While", nil, "the condition must return one scalar bool (got %s); reduce it", core.Count(len(cj.Outs), "value"))
	}
	if a := cj.Outs[0].Aval(); a.DType != core.Bool || a.Rank() != 0 {
		core.FailOp(core.Mismatch(a, core.Aval(core.Bool)), "While", []core.ShapedArray{a}, "the condition must give a scalar bool, got %s; compare, or reduce with All or Any", a.Full())
	}
	ncarry := len(init)
	cc, bc := HoistAll(cj), HoistAll(bj)
	// A carry that the body leaves alone and the condition does not read is a
	// constant of the body.
	read := map[*jaxpr.Var]bool{}
	for _, e := range cj.Eqns {
		for _, a := range e.Ins {
			if v, ok := a.(*jaxpr.Var); ok {
				read[v] = true
			}
		}
	}
	if v, ok := cj.Outs[0].(*jaxpr.Var); ok {
		read[v] = true
	}
	var fixed, moving []int
	for i := range ncarry {
		in := bj.Ins[len(bc)+i]
		if bj.Outs[i] == jaxpr.Atom(in) && !read[cj.Ins[len(cc)+i]] {
			fixed = append(fixed, i)
		} else {
			moving = append(moving, i)
		}
	}
	body2, cond2 := &jaxpr.Jaxpr{Eqns: bj.Eqns}, &jaxpr.Jaxpr{Eqns: cj.Eqns, Outs: cj.Outs}
	captured := len(bc)
	body2.Ins = append(body2.Ins, bj.Ins[:captured]...)
	for _, i := range fixed {
		body2.Ins = append(body2.Ins, bj.Ins[captured+i])
		bc = append(bc, init[i])
	}
	cond2.Ins = append(cond2.Ins, cj.Ins[:len(cc)]...)
	var carry []core.Value
	for _, i := range moving {
		body2.Ins = append(body2.Ins, bj.Ins[captured+i])
		body2.Outs = append(body2.Outs, bj.Outs[i])
		cond2.Ins = append(cond2.Ins, cj.Ins[len(cc)+i])
		carry = append(carry, init[i])
	}
	cj, bj = Share(cond.Of, cond2), Share(body.Of, body2)
	out := core.Bind(&jaxpr.While{Cond: cj, CondConsts: len(cc), Body: bj, BodyConsts: len(bc)}, slices.Concat(cc, bc, carry)...)
	all := slices.Clone(init)
	for k, i := range moving {
		all[i] = out[k]
	}
	return all
}

// ScanConfig is how a scan runs.
type ScanConfig struct {
	Length  int // −1: that of xs
	Reverse bool
	Unroll  int    // 0 is 1, and −1 is Length
	Op      string // for messages; "" is Scan
	Of      any    // the function value that the body stands for: see Body
}

// Scan runs body(carry, x) → carry, y for each x along the leading axis of xs.
func Scan(body func(carry, x []core.Value) (next, y []core.Value), init, xs []core.Value, c ScanConfig) (carry, ys []core.Value) {
	if c.Op == "" {
		c.Op = "Scan"
	}
	n := c.Length
	for i, x := range xs {
		a := x.Aval()
		if a.Rank() == 0 {
			core.FailOp(core.ErrShape, c.Op, []core.ShapedArray{a}, "array %d of xs is %s, which has no leading axis to run along; give it one with ExpandDims or Stack", i, a.Full())
		}
		if n < 0 {
			n = a.Shape.At(0)
		}
		if a.Shape.At(0) != n {
			core.FailOp(core.ErrShape, c.Op, core.AvalsOf(xs), "array %d of xs is %s, with %s along its leading axis, where %s %d; make the leading axes equal", i, a.Full(), core.Count(a.Shape.At(0), "element"), c.lengthOf(xs), n)
		}
	}
	if n < 0 {
		core.FailOp(core.ErrShape, c.Op, nil, "without xs the number of steps is unknown; use ScanN")
	}
	slices1 := make([]core.ShapedArray, len(xs))
	for i, x := range xs {
		a := x.Aval()
		slices1[i] = a.WithShape(a.Shape.Slice(1, a.Rank()))
	}
	nk := len(init)
	init, j := carried(c.Op, init, func(avals []core.ShapedArray) *jaxpr.Jaxpr {
		return Stage("body", slices.Concat(avals, slices1), func(in []core.Value) []core.Value {
			next, y := body(in[:nk:nk], in[nk:])
			if len(next) != nk {
				core.FailOp(core.ErrTree, c.Op, nil, "the body returns %s for a carry of %d; return the carry", core.Count(len(next), "value"), nk)
			}
			return slices.Concat(next, y)
		})
	})
	consts := HoistAll(j)
	nc := len(consts)

	// A carry that the body leaves alone becomes a constant; an output that is the
	// slice of an input is that input.
	k := &jaxpr.Jaxpr{Eqns: j.Eqns, Ins: slices.Clone(j.Ins[:nc])}
	var start []core.Value
	var outs []jaxpr.Atom
	carry = slices.Clone(init)
	var moving []int
	for i := range nk {
		in := j.Ins[nc+i]
		if j.Outs[i] == jaxpr.Atom(in) {
			k.Ins = append(k.Ins, in)
			consts = append(consts, init[i])
		} else {
			moving = append(moving, i)
		}
	}
	for _, i := range moving {
		k.Ins = append(k.Ins, j.Ins[nc+i])
		start = append(start, init[i])
		outs = append(outs, j.Outs[i])
	}
	k.Ins = append(k.Ins, j.Ins[nc+nk:]...)
	ys = make([]core.Value, len(j.Outs)-nk)
	var rows jaxpr.Numbers
	for _, v := range j.Ins[nc+nk:] {
		rows.Bind(v)
	}
	var stacked []int
	for i := range ys {
		if v, ok := j.Outs[nk+i].(*jaxpr.Var); ok {
			if at, ok := rows.Of(v); ok {
				ys[i] = xs[at]
				continue
			}
		}
		stacked = append(stacked, i)
		outs = append(outs, j.Outs[nk+i])
	}
	k.Outs = outs
	unroll := c.Unroll
	switch unroll {
	case 0:
		unroll = 1
	case -1:
		unroll = n
	}
	out := core.Bind(&jaxpr.Scan{Jaxpr: Share(c.Of, k), Length: n, NumConsts: len(consts), NumCarry: len(start), Reverse: c.Reverse, Unroll: unroll},
		slices.Concat(consts, start, xs)...)
	for m, i := range moving {
		carry[i] = out[m]
	}
	for m, i := range stacked {
		ys[i] = out[len(start)+m]
	}
	return carry, ys
}

// ForI runs body(i, carry) for i from lo up to, not including, hi. If both bounds are literals it is a scan,
// which can be differentiated in reverse; else it is a while loop.
func ForI(lo, hi core.Value, body func(i core.Value, carry []core.Value) []core.Value, init []core.Value) []core.Value {
	return ForOf(lo, hi, Body{F: func(in []core.Value) []core.Value { return body(in[0], in[1:]) }}, init, 0)
}

// ForOf is [ForI] for a body of the index and the carry. unroll is as in [ScanConfig]; it must be 0
// unless both bounds are literals.
func ForOf(lo, hi core.Value, body Body, init []core.Value, unroll int) []core.Value {
	lo, hi = boundLike(lo, hi), boundLike(hi, lo)
	next := func(i core.Value) core.Value {
		return prim.Add(i, core.Literal{Num: core.IntNumber(1), Type: i.Aval().DType, Weak: i.Aval().Weak})
	}
	if from, ok := whole(lo); ok {
		if to, ok := whole(hi); ok {
			lo, hi = from, to
		}
	}
	if a, b := lo.Aval(), hi.Aval(); a.Rank() != 0 || b.Rank() != 0 || a.DType != b.DType || !a.DType.IsInteger() {
		core.FailOp(core.ErrDType, "ForI", []core.ShapedArray{a, b}, "the bounds must be scalar integers of one type, got %s and %s; convert one with AsType", a.Full(), b.Full())
	}
	l, okL := lo.(core.Literal)
	h, okH := hi.(core.Literal)
	if okL && okH && l.Num.Fits(core.Int64) && h.Num.Fits(core.Int64) {
		from, to := l.Num.Int64(), h.Num.Int64()
		n := to - from // negative if it overflows
		if to < from {
			n = 0
		}
		if n < 0 || int64(int(n)) != n {
			core.FailOp(core.ErrShape, "ForI", nil, "too many steps (got %d); use fewer", uint64(n))
		}
		out, _ := Scan(func(c, _ []core.Value) ([]core.Value, []core.Value) {
			return slices.Concat([]core.Value{next(c[0])}, body.F(c)), nil
		}, slices.Concat([]core.Value{lo}, init), nil, ScanConfig{Length: int(n), Unroll: unroll, Op: "ForI", Of: body.Of})
		return out[1:]
	}
	if unroll != 0 {
		core.FailOp(core.ErrConcrete, "ForI", core.AvalsOf([]core.Value{lo, hi}), "a loop from %s to %s cannot be unrolled; make the bounds Go numbers", lo.Aval().Full(), hi.Aval().Full())
	}
	out := WhileOf(Body{F: func(c []core.Value) []core.Value { return []core.Value{prim.Lt(c[0], c[1])} }}, Body{F: func(c []core.Value) []core.Value {
		return slices.Concat([]core.Value{next(c[0]), c[1]}, body.F(slices.Concat(c[:1], c[2:])))
	}}, slices.Concat([]core.Value{lo, hi}, init))
	return out[2:]
}

// whole returns a bound that is a float without fraction as the integer that Go's numbers are.
func whole(b core.Value) (core.Literal, bool) {
	l, ok := b.(core.Literal)
	if !ok || l.Num.Kind() != core.KindFloat {
		return l, false
	}
	n := core.IntNumber(l.Num.Int64())
	return core.Literal{Num: n, Type: core.Int32, Weak: true}, n.Float() == l.Num.Float() && n.Fits(core.Int32)
}

// boundLike returns a bound that is a Go number in the integer type of the other one.
func boundLike(b, other core.Value) core.Value {
	l, ok := b.(core.Literal)
	dt := other.Aval().DType
	if o, number := other.(core.Literal); !ok || number && o.Weak || !l.Weak || !dt.IsInteger() || !l.Num.Fits(dt) {
		return b
	}
	l.Type = dt
	return l
}

// lengthOf names, for a message, what decides the number of iterations.
func (c ScanConfig) lengthOf(xs []core.Value) string {
	if c.Length >= 0 {
		return "Length is"
	}
	return xs[0].Aval().Full() + " has"
}
