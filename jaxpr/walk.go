package jaxpr

import "github.com/weft-go/weft/core"

// Walk interprets j over values of any kind T. Of its two functions, the first converts a constant
// or a literal, and apply returns the results of an equation; in holds the inputs. Interpreters of
// programs are built on it.
//
// Errors that arise while an equation is applied name the user's line that wrote it.
func Walk[T any](j *Jaxpr, of func(core.Value) T, in []T, apply func(e *Eqn, in []T) []T) []T {
	if len(in) != len(j.Ins) {
		core.Failf(core.ErrCheck, "the program takes %s (got %d); pass one for each input", core.Count(len(j.Ins), "argument"), len(in))
	}
	if j.ConstVals == nil && len(j.Consts) > 0 {
		core.Failf(core.ErrCheck, "the program was read from text, which does not contain the values of its %s; make them inputs", core.Count(len(j.Consts), "constant"))
	}
	env := make(map[*Var]T, len(j.Consts)+len(j.Ins)+len(j.Eqns))
	for i, v := range j.Consts {
		env[v] = of(j.ConstVals[i])
	}
	for i, v := range j.Ins {
		env[v] = in[i]
	}
	read := func(as []Atom) []T {
		out := make([]T, len(as))
		for i, a := range as {
			v, ok := a.(*Var)
			if !ok {
				out[i] = of(a)
			} else if out[i], ok = env[v]; !ok {
				core.Failf(core.ErrCheck, "a variable of type %v is used where it is not bound, so the program does not pass Check; bind it first", v.Type.Full())
			}
		}
		return out
	}
	replay := core.StartReplay()
	defer replay.End()
	for _, e := range j.Eqns {
		replay.At(e.Site)
		out := apply(e, read(e.Ins))
		if len(out) != len(e.Outs) {
			core.FailOp(core.ErrCheck, e.Prim.Name(), core.AvalsOf(e.Ins), "the interpreter returned %s for an operation that has %d; return one for each result", core.Count(len(out), "result"), len(e.Outs))
		}
		for i, v := range e.Outs {
			env[v] = out[i]
		}
	}
	return read(j.Outs)
}

// Parameter returns a parameter of p as IR text shows it, by its name: a string or Stringer,
// or a program or list of programs. ok is false if p does not show one.
func Parameter(p core.Primitive, name string) (value any, ok bool) {
	q, ok := p.(core.Paramer)
	if !ok {
		return nil, false
	}
	for _, x := range q.Params() {
		if x.Key == name {
			return x.Value, true
		}
	}
	return nil, false
}
