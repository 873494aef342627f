package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// A reducer is a program over scalars that combines two groups of k numbers into one. Rules run
// it on whole arrays, element by element; that works if all its operations are elementwise.

func reducerFree(j *jaxpr.Jaxpr) {
	if len(j.Consts) != len(j.ConstVals) {
		core.Failf(core.ErrCheck, "the program was read from text without the values of its constants; make them operands")
	}
}

// Applied runs a program of elementwise operations on arrays of one shape in the
// place of scalars. With tangents, nil where zero, it also returns the results' tangents.
func Applied(j *jaxpr.Jaxpr, in, t []Value) (out, dout []Value) {
	reducerFree(j)
	env := map[*jaxpr.Var][2]Value{}
	for i, v := range j.Consts {
		env[v] = [2]Value{j.ConstVals[i]}
	}
	shape := core.Dims{}
	for i, v := range j.Ins {
		env[v] = [2]Value{in[i], t[i]}
		if s := in[i].Aval().Shape; s.Len() > 0 {
			shape = s
		}
	}
	read := func(atoms []jaxpr.Atom) (in, t []Value) {
		for _, a := range atoms {
			v := [2]Value{a}
			if x, ok := a.(*jaxpr.Var); ok {
				v = env[x]
			}
			in, t = append(in, v[0]), append(t, v[1])
		}
		return in, t
	}
	for _, e := range j.Eqns {
		in, t := read(e.Ins)
		out, dout := appliedEqn(e, shape, in, t)
		for i, v := range e.Outs {
			env[v] = [2]Value{out[i], dout[i]}
		}
	}
	out, dout = read(j.Outs)
	for i := range out {
		out[i] = SpreadTo(out[i], shape)
		if dout[i] != nil {
			dout[i] = SpreadTo(dout[i], shape)
		}
	}
	return out, dout
}

func appliedEqn(e *jaxpr.Eqn, shape core.Dims, in, t []Value) (out, dout []Value) {
	if call, ok := e.Prim.(*jaxpr.Jit); ok {
		return Applied(call.Jaxpr, in, t)
	}
	_, selects := e.Prim.(SelectNP)
	if _, ok := e.Prim.(core.Elementwise); !ok && !selects {
		core.Failf(core.ErrNoRule, "a program that reduces arrays must consist of elementwise operations to be transformed (got %s); write it with those", e.Prim.Name())
	}
	if selects {
		// The cases of a select must have one shape.
		for i := range in {
			in[i] = SpreadTo(in[i], shape)
			if t[i] != nil {
				t[i] = SpreadTo(t[i], shape)
			}
		}
	}
	out = core.Bind(e.Prim, in...)
	dout = make([]Value, len(out))
	if rule.AllNil(t) {
		return out, dout
	}
	switch p := e.Prim.(type) {
	case core.ZeroJVP:
	case core.JVPer:
		dout = p.JVP(in, out, t)
	case core.NoJVP:
		core.Failf(core.ErrNoRule, "%s cannot be differentiated: %s", p.Name(), p.NoJVP())
	default:
		core.Failf(core.ErrNoRule, "%s has no derivative; stop the gradient before it", p.Name())
	}
	return out, dout
}

// reducedTangents returns the derivative of a reduction of the elements along axis, which
// combines neighbours until one element is left: in order, for the program need not
// commute.
func reducedTangents(j *jaxpr.Jaxpr, axis int, in, t []Value) []Value {
	k := len(in)
	for {
		n := in[0].Aval().Shape.At(axis)
		if n == 1 {
			break
		}
		cut := func(vs []Value, lo, hi, step int) []Value {
			out := make([]Value, k)
			for i, v := range vs {
				if v != nil {
					out[i] = SliceAxis(v, axis, lo, hi, step)
				}
			}
			return out
		}
		h := n / 2
		a, ta := cut(in, 0, 2*h, 2), cut(t, 0, 2*h, 2)
		b, tb := cut(in, 1, 2*h, 2), cut(t, 1, 2*h, 2)
		out, dout := Applied(j, append(a, b...), append(ta, tb...))
		if n%2 == 1 {
			rest, trest := cut(in, n-1, n, 1), cut(t, n-1, n, 1)
			for i := range out {
				out[i] = Concatenate(axis, out[i], rest[i])
				if dout[i] != nil || trest[i] != nil {
					parts := OrZeros([]Value{dout[i], trest[i]}, []ShapedArray{tangentOf(out[i], h, axis), tangentOf(rest[i], 1, axis)})
					dout[i] = Concatenate(axis, parts...)
				}
			}
		}
		in, t = out, dout
	}
	for i, v := range t {
		if v != nil {
			t[i] = Squeeze(v, core.MakeDims(axis))
		}
	}
	return t
}

func tangentOf(v Value, n, axis int) ShapedArray {
	a := v.Aval().Tangent()
	s := a.Shape.Ints()
	s[axis] = n
	return a.WithShape(core.MakeDims(s...))
}
