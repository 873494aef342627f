package weft

import (
	"reflect"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// Through applies a call within a program to an interpreter's own values. A T is a tree of
// arrays: the first is the value, the others accompany it. For a plain call, run evaluates its
// program.
//
// For a call with user-defined rules (custom.JVP, custom.VJP), run interprets the function when
// it is called, and the program of a rule when a derivative is taken, so that derivatives of the
// result are those of the rules. Tangents and cotangents are passed to run with the arrays that
// accompany their values. The accompanying arrays are not differentiated.
func Through[T any](p Primitive, in []T, run func(program *IR, in []T) []T) []T {
	leaves.RequireNonNil("Through", run)
	k := pass[T]{formOf[T]("Through"), run}
	switch c := p.(type) {
	case *jaxpr.Jit:
		return run(c.Jaxpr, in)
	case *jaxpr.CoreCall:
		return run(c.Jaxpr, in)
	case *jaxpr.Remat:
		return run(c.Jaxpr, in)
	case *jaxpr.CustomJVP:
		var out keeping[T]
		return out.take(core.Bind(throughJVP(c, k, in, &out), k.operands(c.NumConsts, in)...))
	case *jaxpr.CustomVJP:
		var out keeping[T]
		return out.take(core.Bind(throughVJP(c, k, in, &out), k.operands(c.NumConsts, in)...))
	case *jaxpr.CustomVmap, *jaxpr.CustomLin:
		refuseRule("Through", p)
	}
	core.FailOp(core.ErrNoRule, p.Name(), nil, "%s is no call of a function; give it a meaning in the interpreter", p.Name())
	return nil
}

// pass is an interpreter: the form of its values and the function that evaluates a program.
type pass[T any] struct {
	form form[T]
	run  func(*IR, []T) []T
}

func plainPass(run func(*IR, []Array) []Array) pass[Array] {
	return pass[Array]{formOf[Array]("Within"), run}
}

func passJVP(c *jaxpr.CustomJVP, k pass[Array]) Primitive {
	return throughJVP(c, k, make([]Array, len(c.Jaxpr.Ins)), new(keeping[Array]))
}

func passVJP(c *jaxpr.CustomVJP, k pass[Array]) Primitive {
	return throughVJP(c, k, make([]Array, len(c.Jaxpr.Ins)), new(keeping[Array]))
}

// keeping describes a flattened list of Ts. The values come first, then the arrays that accompany
// them.
type keeping[T any] struct {
	defs []defOf
}

// apart returns the values of ts and then the arrays that accompany them. as.take rebuilds ts from
// such a list.
func (k pass[T]) apart(ts []T) (vals []core.Value, as keeping[T]) {
	var rest []core.Value
	for i := range ts {
		leaves, def := k.form.Values("Through", &ts[i])
		if len(leaves) == 0 {
			core.FailOp(core.ErrTree, "Through", nil, "%s contains no array; give what it goes through a field of one", core.WithArticle(reflect.TypeFor[T]()))
		}
		vals, rest = append(vals, leaves[0]), append(rest, leaves[1:]...)
		as.defs = append(as.defs, def)
	}
	return append(vals, rest...), as
}

func (a keeping[T]) size() (n int) {
	for _, d := range a.defs {
		n += d.Len()
	}
	return n
}

func (a keeping[T]) take(vals []core.Value) []T {
	ts := make([]T, len(a.defs))
	rest := vals[len(ts):]
	for i, d := range a.defs {
		n := d.Len() - 1
		ts[i] = together[T](d, append([]core.Value{vals[i]}, rest[:n]...))
		rest = rest[n:]
	}
	return ts
}

// with returns the Ts whose values are not nil, with the arrays that accompany them.
func (a keeping[T]) with(vals, rest []core.Value) (ts []T) {
	for i, t := range a.take(slices.Concat(vals, rest)) {
		if vals[i] != nil {
			ts = append(ts, t)
		}
	}
	return ts
}

// operands flattens the operands of a call: those that the function closed over come first.
func (k pass[T]) operands(consts int, in []T) []core.Value {
	closed, _ := k.apart(in[:consts])
	args, _ := k.apart(in[consts:])
	return append(closed, args...)
}

// forms returns the forms of the operands of a call. The arrays in them are not read.
func (k pass[T]) forms(consts int, in []T) (closed, args keeping[T]) {
	for i := range in {
		_, def := k.form.Flatten(&in[i])
		if i < consts {
			closed.defs = append(closed.defs, def)
		} else {
			args.defs = append(args.defs, def)
		}
	}
	return closed, args
}

// function returns a function that interprets j. It takes and returns flattened lists of Ts.
func (k pass[T]) function(j *jaxpr.Jaxpr, closed, args keeping[T], out *keeping[T]) func([]core.Value) []core.Value {
	return func(in []core.Value) (vals []core.Value) {
		n := closed.size()
		vals, *out = k.apart(k.run(j, append(closed.take(in[:n]), args.take(in[n:])...)))
		return vals
	}
}

func throughJVP[T any](c *jaxpr.CustomJVP, k pass[T], in []T, out *keeping[T]) *jaxpr.CustomJVP {
	closed, args := k.forms(c.NumConsts, in)
	q := &jaxpr.CustomJVP{Fn: c.Fn, RuleName: c.RuleName, NumConsts: closed.size(), SymbolicZeros: c.SymbolicZeros, Closed: c.Closed,
		F: k.function(c.Jaxpr, closed, args, out)}
	if c.Rule == nil {
		return q
	}
	q.Rule = func(vals, t []core.Value) (outs, touts []core.Value) {
		n := len(args.defs)
		var has []bool // which tangents the rule returns
		program := stageRule(c.RuleName, vals[:n], t[:n], func(vals, t []core.Value) []core.Value {
			o, to := c.Rule(vals, t)
			has = given(to)
			return append(slices.Clone(o), present(to)...)
		})
		got := k.run(program, append(args.take(vals), args.with(t[:n], vals[n:])...))
		outs, *out = k.apart(got[:len(has)])
		tangents, _ := k.apart(got[len(has):])
		return outs, append(placed(tangents, has), make([]core.Value, len(outs)-len(has))...)
	}
	return q
}

func throughVJP[T any](c *jaxpr.CustomVJP, k pass[T], in []T, out *keeping[T]) *jaxpr.CustomVJP {
	closed, args := k.forms(c.NumConsts, in)
	q := &jaxpr.CustomVJP{Fn: c.Fn, FwdName: c.FwdName, BwdName: c.BwdName, NumConsts: closed.size(), SymbolicZeros: c.SymbolicZeros, Closed: c.Closed,
		F: k.function(c.Jaxpr, closed, args, out)}
	if !c.HasRules() {
		return q
	}
	q.Forward = func(vals []core.Value, active []bool) (outs, res []core.Value, bwd jaxpr.Backward) {
		n := len(args.defs)
		var results int
		var back jaxpr.Backward
		program := stageRule(c.FwdName, vals[:n], nil, func(vals, _ []core.Value) []core.Value {
			o, r, b := c.Run(vals, active[:n])
			results, back = len(o), b
			return append(slices.Clone(o), r...)
		})
		got := k.run(program, args.take(vals))
		outs, *out = k.apart(got[:results])
		res, residual := k.apart(got[results:])
		// Cotangents are passed with the arrays that accompany the results: keep these as
		// residuals.
		return outs, append(res, outs[results:]...), k.backward(c.BwdName, back, residual, *out, args)
	}
	return q
}

// backward returns bwd, interpreted, as a rule on flattened lists of Ts.
func (k pass[T]) backward(name string, bwd jaxpr.Backward, residual, out, args keeping[T]) jaxpr.Backward {
	return func(res, ct []core.Value) []core.Value {
		n, m := residual.size(), len(out.defs)
		var has []bool
		program := stageRule(name, res[:len(residual.defs)], ct[:m], func(res, ct []core.Value) []core.Value {
			g := bwd(res, ct)
			has = given(g)
			return present(g)
		})
		got, _ := k.apart(k.run(program, append(residual.take(res[:n]), out.with(ct[:m], res[n:])...)))
		return append(placed(got, has), make([]core.Value, args.size()-len(args.defs))...)
	}
}

// stageRule traces a rule of values and of tangents or cotangents; nil ones stay nil.
func stageRule(name string, vals, t []core.Value, rule func(vals, t []core.Value) []core.Value) *jaxpr.Jaxpr {
	has := given(t)
	return trace.Stage(name, core.AvalsOf(append(slices.Clone(vals), present(t)...)), func(in []core.Value) []core.Value {
		return rule(in[:len(vals)], placed(in[len(vals):], has))
	})
}

func given(vs []core.Value) []bool {
	out := make([]bool, len(vs))
	for i, v := range vs {
		out[i] = v != nil
	}
	return out
}

func present(vs []core.Value) (out []core.Value) {
	for _, v := range vs {
		if v != nil {
			out = append(out, v)
		}
	}
	return out
}

// placed returns a list with the values vs where has is true, and nil elsewhere.
func placed(vs []core.Value, has []bool) []core.Value {
	out := make([]core.Value, len(has))
	for i, h := range has {
		if h {
			out[i], vs = vs[0], vs[1:]
		}
	}
	return out
}
