package transforms

import (
	"math"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// libraryRules are the derivative rules of functions of JAX's library, by the names of the rule
// and the function in text: texts contain no rules. They return the tangents of the results.
var libraryRules = map[[2]string]func(in, out, t []Value) []Value{
	{"_relu_jvp", "relu"}: func(in, _, t []Value) []Value {
		x := in[0]
		return []Value{prim.SelectN(prim.Gt(x, prim.Num(x.Aval(), 0)), prim.Zeros(t[0].Aval()), t[0])}
	},
	{"_frexp_jvp", "_frexp"}: func(_, out, t []Value) []Value {
		scale := prim.Exp2(prim.Neg(prim.Convert(out[1], t[0].Aval().DType, false)))
		return []Value{prim.Mul(t[0], scale), nil}
	},
	{"_logaddexp_jvp", "logaddexp"}:   logAddExpRule(prim.Exp),
	{"_logaddexp2_jvp", "logaddexp2"}: logAddExpRule(prim.Exp2),
	{"_xlogy_jvp", "xlogy"}: func(in, _, t []Value) []Value {
		x, y := in[0], in[1]
		return []Value{prim.Add(prim.Mul(t[0], prim.Log(y)), prim.Div(prim.Mul(t[1], x), y))}
	},
	{"_xlogx_jvp", "_xlogx"}: func(in, _, t []Value) []Value {
		l := prim.Log(in[0])
		return []Value{prim.Mul(t[0], prim.Add(l, prim.Num(l.Aval(), 1)))}
	},
}

// HasLibraryRule reports whether the derivative rule that c names is a known rule of JAX's
// library.
func HasLibraryRule(c *jaxpr.CustomJVP) bool { return libraryRules[[2]string{c.RuleName, c.Fn}] != nil }

// libraryRule returns the rule of a function that was read from text, nil if it is not known or if
// the function's program has constants.
func libraryRule(c *jaxpr.CustomJVP) func(in, t []Value) (out, dout []Value) {
	rule := libraryRules[[2]string{c.RuleName, c.Fn}]
	if rule == nil || c.Jaxpr == nil || len(c.Jaxpr.Consts) > 0 {
		return nil
	}
	return func(in, t []Value) (out, dout []Value) {
		out = jaxpr.Eval(c.Jaxpr, nil, in)
		return out, rule(in, out, t)
	}
}

// logAddExpRule weights the tangent of each operand x by exp(x − result), where +∞ counts as 0.
func logAddExpRule(exp func(Value) Value) func(in, out, t []Value) []Value {
	finite := func(x Value) Value {
		re := x
		if x.Aval().DType.IsComplex() {
			re = prim.Real(x)
		}
		return prim.SelectN(prim.Eq(re, prim.Num(re.Aval(), math.Inf(1))), x, prim.Zeros(x.Aval()))
	}
	return func(in, out, t []Value) []Value {
		weigh := func(k int) Value { return prim.Mul(t[k], exp(prim.Sub(finite(in[k]), finite(out[0])))) }
		return []Value{prim.Add(weigh(0), weigh(1))}
	}
}
