package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// arguments returns the operands that the function did not close over, and their tangents. It refuses a
// tangent of the others.
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
	if !underTape(t) {
		if i.tape {
			// A tangent is linear in the inputs of the tape. One that depends on none of them,
			// such as the result of a rule for zeros alone, is zero.
			outs = core.Bind(p, in...)
			i.refuseOwn(c.Fn, outs)
			return outs, nil
		}
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
	touts = core.Bind(lin, concat(res, pick(targs, not(zero)))...)
	for k := range touts {
		if !diff[k] {
			touts[k] = nil
		}
	}
	return outs, touts
}

// jvpCustomLin applies a call that stands for a reverse rule to the tangents of its linear
// operands. A tangent of a residual is refused: the rule has no forward derivative. Residuals have
// tangents in JVP of Linearize, and where a rule within a call closed over a value that is
// differentiated outside the call.
func jvpCustomLin(_ *jvp, p core.Primitive, in, t []Value) (outs, touts []Value) {
	c := p.(*jaxpr.CustomLin)
	requireReverse(c)
	for k := range c.NumRes {
		if t[k] != nil {
			core.FailOp(core.ErrCustomRule, c.BwdName, nil, "forward-mode differentiation (JVP) does not go through the derivative of a custom.VJP function; use Grad of Grad instead of JVP of Linearize, and if a rule closes over a value that is being differentiated, pass that as an argument")
		}
	}
	outs = core.Bind(p, in...)
	if anyTrue(present(t)) {
		touts = core.Bind(p, concat(in[:c.NumRes], zerosFor(in, t)[c.NumRes:])...)
	}
	return outs, touts
}

// requireReverse demands that c has its rule, a Go function, which a program that was read from text does not have.
func requireReverse(c *jaxpr.CustomLin) {
	if c.Bwd == nil {
		core.FailOp(core.ErrCustomRule, c.BwdName, nil, "the reverse rule of a custom.VJP function is a Go function, and this program was read from text; differentiate the function itself")
	}
}

func zerosFor(in, t []Value) []Value {
	t = slices.Clone(t)
	instantiate(in, t, differentiable(in))
	return t
}

func transposeCustomLin(p core.Primitive, cts, in []Value, lin []bool, avals []core.ShapedArray, outs []*jaxpr.Var) []Value {
	c := p.(*jaxpr.CustomLin)
	requireReverse(c)
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

// transposeCustom transposes the program of a call with rules. In a linear program the rules have
// no further use.
func transposeCustom(p core.Primitive, cts, in []Value, lin []bool, _ []core.ShapedArray, _ []*jaxpr.Var) []Value {
	j := jaxpr.Programs(p)
	if len(j) == 0 {
		panic("BUG: a custom call on a tape that was not recorded")
	}
	return backward(j[0], in, lin, cts)
}
