package legalize

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// isElementwise reports whether a program of scalars consists of operations that run on
// arrays, element by element, and captures nothing but numbers.
func isElementwise(j *jaxpr.Jaxpr) bool {
	if len(j.Consts) != len(j.ConstVals) {
		return false
	}
	for _, v := range j.Consts {
		if v.Type.Rank() > 0 {
			return false
		}
	}
	for _, e := range j.Eqns {
		if call, ok := e.Prim.(*jaxpr.Jit); ok {
			if !isElementwise(call.Jaxpr) {
				return false
			}
			continue
		}
		_, selects := e.Prim.(prim.SelectNP)
		if _, ok := e.Prim.(core.Elementwise); !ok && !selects {
			return false
		}
	}
	return true
}

// applied runs a program of scalars on arrays of one shape.
func applied(j *jaxpr.Jaxpr, shape core.Dims, in ...core.Value) []core.Value {
	env := make(map[*jaxpr.Var]core.Value, len(j.Ins)+len(j.Eqns))
	for i, v := range j.Consts {
		env[v] = filled(j.ConstVals[i], shape)
	}
	for i, v := range j.Ins {
		env[v] = in[i]
	}
	read := func(atoms []jaxpr.Atom) []core.Value {
		vs := make([]core.Value, len(atoms))
		for i, a := range atoms {
			vs[i] = a
			if v, ok := a.(*jaxpr.Var); ok {
				vs[i] = env[v]
			}
			if vs[i].Aval().Shape != shape {
				vs[i] = filled(vs[i], shape)
			}
		}
		return vs
	}
	for _, e := range j.Eqns {
		var out []core.Value
		if call, ok := e.Prim.(*jaxpr.Jit); ok {
			out = applied(call.Jaxpr, shape, read(e.Ins)...)
		} else {
			out = core.Bind(e.Prim, read(e.Ins)...)
		}
		for i, v := range e.Outs {
			env[v] = out[i]
		}
	}
	return read(j.Outs)
}
