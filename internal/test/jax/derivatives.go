package jax

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
)

// pyGrad returns jax.grad and jax.value_and_grad.
func pyGrad(value bool) func(a *pyArgs) any {
	return func(a *pyArgs) any {
		f := a.must(0, "fun")
		argnums := a.or(1, "argnums", 0)
		aux, holomorphic := pyTruth(a.or(2, "has_aux", false)), pyTruth(a.or(3, "holomorphic", false))
		_, single := argnums.(int)
		return pyMade(f, func(pos []any, kw map[string]any) any {
			leaves, forms, with := pySplit(f, pos, kw, pyInts(argnums))
			var y array
			var g []array
			var auxValue any
			switch {
			case holomorphic:
				out, vjp := weft.VJP(func(in []array) array { return pyArray(with(in)) }, leaves)
				y, g = out, vjp(lax.Full(nil, 1, out.DType()))
			case aux:
				var form pyForm
				out, grad, extra := weft.ValueAndGradAux(func(in []array) (array, []array) {
					pair := pyIterate(with(in))
					var l []array
					l, form = Flatten(pair[1])
					return pyArray(pair[0]), l
				})(leaves)
				y, g, auxValue = out, grad, form.rebuild(extra)
			default:
				y, g = weft.ValueAndGrad(func(in []array) array { return pyArray(with(in)) })(leaves)
			}
			var grad any = pyRebuildAll(forms, g)
			if single {
				grad = grad.(pyTuple)[0]
			}
			switch {
			case value && aux:
				return pyTuple{pyTuple{y, auxValue}, grad}
			case value:
				return pyTuple{y, grad}
			case aux:
				return pyTuple{grad, auxValue}
			}
			return grad
		})
	}
}

// pyLeaves returns a function of leaves, and the form of its last result.
func pyLeaves(with func(in []array) any) (f func(in []array) []array, form *pyForm) {
	form = new(pyForm)
	return func(in []array) []array {
		l, fm := Flatten(with(in))
		*form = fm
		return l
	}, form
}

// pyAxes spreads axes, a prefix of the form of a value, over its leaves.
func pyAxes(axes any, form pyForm) []any {
	n := form.leaves()
	var one any
	switch ax := axes.(type) {
	case nil:
		one = weft.None
	case int:
		one = ax
	case pyDict:
		var out []any
		for i, k := range form.keys {
			out = append(out, pyAxes(ax[k], form.parts[i])...)
		}
		return out
	default:
		items := pyIterate(axes)
		if len(items) != len(form.parts) {
			pyCannot("%d axes for %d parts", len(items), len(form.parts))
		}
		var out []any
		for i, x := range items {
			out = append(out, pyAxes(x, form.parts[i])...)
		}
		return out
	}
	return slices.Repeat([]any{one}, n)
}

// pyOutAxes returns out_axes, a prefix of the form of the results, which is not known yet.
func pyOutAxes(axes any) any {
	switch ax := axes.(type) {
	case nil:
		return weft.None
	case int:
		return ax
	}
	var out []any
	for _, x := range pyIterate(axes) {
		out = append(out, pyOutAxes(x))
	}
	return out
}

func pyVmap(a *pyArgs) any {
	f := a.must(0, "fun")
	inAxes, outAxes := a.or(1, "in_axes", 0), a.or(2, "out_axes", 0)
	var opts []weft.VmapOption
	if v := a.or(3, "axis_name", nil); v != nil {
		opts = append(opts, weft.AxisName(v.(string)))
	}
	if v := a.or(4, "axis_size", nil); v != nil {
		opts = append(opts, weft.AxisSize(pyInt(v)))
	}
	return pyMade(f, func(pos []any, kw map[string]any) any {
		leaves, forms, with := pySplit(f, pos, kw, pyEach(pos))
		g, form := pyLeaves(with)
		axes := pyAxes(inAxes, pyForm{kind: 't', parts: forms})
		in := append([]weft.VmapOption{weft.In(axes)}, opts...)
		in = append(in, weft.Out(pyOutAxes(outAxes)))
		out := weft.Vmap(g, in...)(leaves)
		return form.rebuild(out)
	})
}

// pyJacobian returns jacfwd, jacrev or hessian of a function with one array as result, by
// one of its arguments, an array.
func pyJacobian(jacobian func(func(array) array) func(array) array) func(a *pyArgs) any {
	return func(a *pyArgs) any {
		f, which := a.must(0, "fun"), pyInt(a.or(1, "argnums", 0))
		return pyMade(f, func(pos []any, kw map[string]any) any {
			leaves, forms, with := pySplit(f, pos, kw, []int{which})
			if forms[0].kind != '*' {
				pyCannot("a Jacobian by a tree")
			}
			return jacobian(func(x array) array { return pyArray(with([]array{x})) })(leaves[0])
		})
	}
}
