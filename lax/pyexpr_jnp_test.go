package lax_test

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/special"
)

// What golden programs about derivatives use of jax.numpy and jax.nn.

// pyMethod returns a method of an array.
func pyMethod(x array, name string) (any, bool) {
	if op, ok := pyReductions[name]; ok {
		return &pyBuiltin{name, func(a *pyArgs) any { return pyReduce(op, x, a, 0) }}, true
	}
	if f, ok := pyMethods[name]; ok {
		return &pyBuiltin{name, func(a *pyArgs) any { return f(x, a) }}, true
	}
	if name == "at" {
		return pyAt{x: x}, true
	}
	return nil, false
}

// pyAxis returns the axis argument: none are all.
func pyAxis(a *pyArgs, i int) []int {
	if v := a.or(i, "axis", nil); v != nil {
		return pyInts(v)
	}
	return nil
}

// pyAt is x.at and x.at[idx].
type pyAt struct {
	x   array
	idx []any
}

func (at pyAt) member(name string) (any, bool) {
	update := map[string]func(v any) array{"set": at.x.At(at.idx...).Set, "add": at.x.At(at.idx...).Add}[name]
	return &pyBuiltin{name, func(a *pyArgs) any { return update(a.must(0, "values")) }}, update != nil
}

func pyNumPyJAX() map[string]func(a *pyArgs) any {
	m := map[string]func(a *pyArgs) any{
		"jnp.where": func(a *pyArgs) any {
			c, x, y := a.array(0, "condition"), a.array(1, "x"), a.array(2, "y")
			return weft.Where(c, x, y)
		},
		"jnp.dot":      func(a *pyArgs) any { return a.array(0, "a").Dot(a.array(1, "b")) },
		"nn.logsumexp": func(a *pyArgs) any { return special.LogSumExp(a.array(0, "a"), pyAxis(a, 1)...) },
		"jnp.array": func(a *pyArgs) any {
			v := a.must(0, "object")
			if items, ok := pyItems(v); ok && slices.ContainsFunc(items, func(x any) bool { _, ok := x.(array); return ok }) {
				return weft.Stack(0, pyArrays(v)...)
			}
			if dt, given := a.get(1, "dtype"); given {
				return pyJNPScalar(pyNumPyArray(v, pyDType(dt), true))
			}
			return pyJNPScalar(pyNumPyArray(v, 0, false))
		},
		"jax.tree.map": func(a *pyArgs) any {
			f := a.must(0, "f")
			first, form := pyFlatten(a.must(1, "tree"))
			others := a.rest(2)
			out := make([]array, len(first))
			for i, x := range first {
				args := []any{x}
				for _, o := range others {
					l, _ := pyFlatten(o)
					args = append(args, l[i])
				}
				out[i] = pyArray(pyCall(f, args, nil))
			}
			return form.rebuild(out)
		},
	}
	for name, f := range map[string]func(array) array{"jnp.tanh": weft.Tanh, "jnp.sin": weft.Sin, "jnp.cos": weft.Cos, "jnp.exp": weft.Exp, "jnp.log": weft.Log,
		"jnp.sqrt": weft.Sqrt, "nn.relu": nn.Relu} {
		m[name] = func(a *pyArgs) any { return f(a.array(0, "x")) }
	}
	return m
}
