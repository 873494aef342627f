package transforms

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// jvp is the interpreter of forward derivatives. Given tangents that are tracers
// of a tape it linearizes: what depends on no tangent is computed, the rest is
// written on the tape.
type jvp struct {
	level int64
	done  bool
	tape  bool // it linearizes: its tangents are inputs of a tape
}

// dual is a value with its tangent. The tangent of a value that is not a dual is zero.
type dual struct {
	i               *jvp
	primal, tangent Value
}

func newJVP() *jvp { return &jvp{level: core.NextLevel()} }

func (i *jvp) Level() int64 { return i.level }
func (i *jvp) Live() bool   { return !i.done }

func (d *dual) Aval() core.ShapedArray        { return d.primal.Aval() }
func (d *dual) Interpreter() core.Interpreter { return d.i }

func (d *dual) Known() bool { return trace.Known(d.primal) }

func (d *dual) Look() (Value, error) { return trace.Look(d.primal) }

func (d *dual) String() string { return "Dual<" + d.Aval().Full() + ">" }

func (i *jvp) box(primal, tangent Value) Value {
	if tangent == nil {
		return primal
	}
	return &dual{i, primal, tangent}
}

func (i *jvp) unbox(vs []Value) (primals, tangents []Value) {
	n := len(vs)
	both := make([]Value, 2*n)
	primals, tangents = both[:n:n], both[n:]
	for k, v := range vs {
		primals[k], tangents[k] = i.parts(v)
	}
	return primals, tangents
}

// parts returns a value's primal and tangent, nil for zero.
func (i *jvp) parts(v Value) (primal, tangent Value) {
	if t, ok := v.(core.Tracer); ok && !t.Interpreter().Live() {
		v = core.Resolve(t)
	}
	if d, ok := v.(*dual); ok && d.i == i {
		return d.primal, d.tangent
	}
	return v, nil
}

// Interpret computes the results and, by the primitive's rule, their tangents.
func (i *jvp) Interpret(p core.Primitive, in []Value) []Value {
	primals, tangents := i.unbox(in)
	var outs, touts []Value
	if rule := jvpRule(p); rule != nil {
		requireWhole(p)
		jaxpr.WithinThoseOf(p, func() { outs, touts = rule(i, p, primals, tangents) })
		i.refuseRules(p, outs, touts)
	} else {
		outs = core.Bind(p, primals...)
		if anyPresent(tangents) {
			touts = leafJVP(p, primals, outs, tangents)
		}
	}
	for k := range touts {
		outs[k] = i.box(outs[k], touts[k])
	}
	return outs
}

// Apply is Interpret for operations of one or two operands and one result: see [core.Applier].
func (i *jvp) Apply(p core.Primitive, x, y Value) Value {
	if jvpRule(p) != nil {
		if y == nil {
			return i.Interpret(p, []Value{x})[0]
		}
		return i.Interpret(p, []Value{x, y})[0]
	}
	px, tx := i.parts(x)
	if y == nil {
		out := core.Apply1(p, px)
		if tx == nil {
			return out
		}
		vs := [...]Value{px, out, tx}
		return i.boxed(out, leafJVP(p, vs[:1:1], vs[1:2:2], vs[2:]))
	}
	py, ty := i.parts(y)
	out := core.Apply2(p, px, py)
	if tx == nil && ty == nil {
		return out
	}
	vs := [...]Value{px, py, out, tx, ty}
	return i.boxed(out, leafJVP(p, vs[:2:2], vs[2:3:3], vs[3:]))
}

func (i *jvp) boxed(out Value, touts []Value) Value {
	if len(touts) == 0 {
		return out
	}
	return i.box(out, touts[0])
}

func leafJVP(p core.Primitive, in, out, t []Value) []Value {
	defer core.Guard(p, in)
	switch p := p.(type) {
	case core.JVPer:
		touts := p.JVP(in, out, t)
		if len(touts) != len(out) {
			panic("BUG: jvp rule of " + p.Name() + " returned another number of tangents than results")
		}
		for k, tv := range touts {
			if tv == nil {
				continue
			}
			if want := out[k].Aval().Tangent(); want.DType == core.Float0 {
				touts[k] = nil
			} else if !tv.Aval().SameType(want) {
				panic("BUG: jvp rule of " + p.Name() + " returned a tangent " + tv.Aval().Full() + " for a result " + out[k].Aval().Full())
			}
		}
		return touts
	case core.ZeroJVP:
		return nil
	case core.NoJVP:
		core.FailOp(core.ErrNoRule, p.Name(), core.AvalsOf(in), "cannot be differentiated: %s", p.NoJVP())
	}
	core.FailOp(core.ErrNoRule, p.Name(), core.AvalsOf(in), "has no derivative rule; use StopGradient on its operands, or give the function around it a custom.JVP rule")
	return nil
}

// jvpRule returns the rule of a primitive that holds programs or user-defined functions, nil for
// leaves.
func jvpRule(p core.Primitive) func(i *jvp, p core.Primitive, in, t []Value) (outs, touts []Value) {
	switch p.(type) {
	case *jaxpr.Jit, *jaxpr.CoreCall:
		return jvpCall
	case *jaxpr.Cond:
		return jvpCond
	case *jaxpr.While:
		return jvpWhile
	case *jaxpr.Scan:
		return jvpScan
	case *jaxpr.Remat:
		return jvpRemat
	case *jaxpr.ShardMap:
		return jvpShardMap
	case *jaxpr.CustomJVP:
		return jvpCustomJVP
	case *jaxpr.CustomVJP:
		return jvpCustomVJP
	case *jaxpr.CustomLin:
		return jvpCustomLin
	case *jaxpr.CustomVmap:
		return jvpBatchingRule
	case *jaxpr.LinearCall:
		return jvpLinearCall
	case *jaxpr.LinearSolve:
		return jvpLinearSolve
	}
	return nil
}

// run evaluates f on duals and returns results and tangents, nil where zero.
func (i *jvp) run(f func([]Value) []Value, primals, tangents []Value) (outs, touts []Value) {
	defer func() { i.done = true }()
	defer core.Enter(i)()
	in := make([]Value, len(primals))
	for k, p := range primals {
		in[k] = i.box(p, tangents[k])
	}
	return i.unbox(f(in))
}

// JVP evaluates f and its derivative along the tangents, which are nil where zero;
// so are the results' tangents. A value of integers or booleans has no tangent.
func JVP(f func([]Value) []Value, primals, tangents []Value) (outs, touts []Value) {
	checkTangents("JVP", primals, tangents)
	return newJVP().run(f, primals, tangents)
}

func checkTangents(op string, primals, tangents []Value) {
	for k, t := range tangents {
		if t == nil {
			continue
		}
		want := primals[k].Aval().Tangent()
		if got := t.Aval(); want.DType == core.Float0 && got.DType == core.Float0 {
			tangents[k] = nil
		} else if !got.SameType(want) {
			core.FailOp(core.Mismatch(want, got), op, []core.ShapedArray{primals[k].Aval(), got},
				"the tangent of a %s must be %s, got %s; give it the parameter's shape and convert it with AsType", primals[k].Aval().Full(), want.Full(), got.Full())
		}
	}
}

func zeros(primal Value) Value { return prim.Zeros(primal.Aval().Tangent()) }

// instantiate writes out the zero tangents that are marked in want.
func instantiate(primals, tangents []Value, want []bool) {
	for k := range tangents {
		if tangents[k] == nil && want[k] {
			tangents[k] = zeros(primals[k])
		}
	}
}
