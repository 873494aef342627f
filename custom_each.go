package weft

import (
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// CustomJVPs returns f with a derivative rule for its one argument: dx gives the tangent of
// the result for the tangent t of x, and is given the result, too. See [CustomJVPs2].
func CustomJVPs[O any](f func(x Array) O, dx func(t Array, ans O, x Array) O, names ...NameOption) func(x Array) O {
	functions("CustomJVPs", f)
	type one struct{ X Array }
	call := eachRule("CustomJVPs", func(p one) O { return f(p.X) }, []func(Array, O, one) O{
		unlessNil(dx, func(t Array, ans O, p one) O { return dx(t, ans, p.X) }),
	}, namesOf(names, f, dx))
	return func(x Array) O { return call(one{x}) }
}

// CustomJVPs2 returns f with a derivative rule for each argument: what the tangent of the
// argument adds to the tangent of the result. A rule is given the tangent, the result of
// the function, and the arguments; nil says that the result does not depend on the
// argument. Derivatives of higher order follow by themselves.
func CustomJVPs2[O any](f func(x, y Array) O, dx, dy func(t Array, ans O, x, y Array) O, names ...NameOption) func(x, y Array) O {
	functions("CustomJVPs2", f)
	call := eachRule("CustomJVPs2", func(p arrays2) O { return f(p.X, p.Y) }, []func(Array, O, arrays2) O{
		unlessNil(dx, func(t Array, ans O, p arrays2) O { return dx(t, ans, p.X, p.Y) }),
		unlessNil(dy, func(t Array, ans O, p arrays2) O { return dy(t, ans, p.X, p.Y) }),
	}, namesOf(names, f, dx))
	return func(x, y Array) O { return call(arrays2{x, y}) }
}

// CustomJVPs3 returns [CustomJVPs2] of a function of three arrays.
func CustomJVPs3[O any](f func(x, y, z Array) O, dx, dy, dz func(t Array, ans O, x, y, z Array) O, names ...NameOption) func(x, y, z Array) O {
	functions("CustomJVPs3", f)
	call := eachRule("CustomJVPs3", func(p arrays3) O { return f(p.X, p.Y, p.Z) }, []func(Array, O, arrays3) O{
		unlessNil(dx, func(t Array, ans O, p arrays3) O { return dx(t, ans, p.X, p.Y, p.Z) }),
		unlessNil(dy, func(t Array, ans O, p arrays3) O { return dy(t, ans, p.X, p.Y, p.Z) }),
		unlessNil(dz, func(t Array, ans O, p arrays3) O { return dz(t, ans, p.X, p.Y, p.Z) }),
	}, namesOf(names, f, dx))
	return func(x, y, z Array) O { return call(arrays3{x, y, z}) }
}

// unlessNil returns r, or nil if the function that the user gave is.
func unlessNil[R any](given any, r R) R {
	if reflect.ValueOf(given).IsNil() {
		var none R
		return none
	}
	return r
}

// eachRule returns f with a rule for each array of its parameters.
func eachRule[P, O any](op string, f func(P) O, rules []func(t Array, ans O, p P) O, names []called) func(P) O {
	c := newCustom[P, O](op, f, names)
	var call func(P) O
	prim := c.jvp(func(p, t P) (O, O) {
		ans := call(p)
		ts, _ := c.fp.apart(&t)
		return ans, c.sum(&ans, rules, ts, p)
	})
	call = func(p P) O { return c.call(p, prim) }
	return call
}

// sum adds up what the rules give for tangents.
func (c *custom[P, O]) sum(ans *O, rules []func(Array, O, P) O, ts []core.Value, p P) O {
	outs, def := c.fo.values(c.op, ans)
	sum := make([]core.Value, len(outs))
	for k, t := range ts {
		if rules[k] == nil || t.Aval().DType == core.Float0 {
			continue
		}
		to := rules[k](FromValue(t), *ans, p)
		parts, wrong := c.fo.fit(ans, &to)
		if wrong != "" {
			c.fail(nil, "the tangent that the rule of argument %d gives must have the structure of the result: %s", k, wrong)
		}
		for i, v := range c.tangents(ans, outs, parts) {
			switch {
			case v == nil || v.Aval().DType == core.Float0:
			case sum[i] == nil:
				sum[i] = v
			default:
				sum[i] = prim.AddAny(sum[i], v)
			}
		}
	}
	return together[O](def, sum)
}
