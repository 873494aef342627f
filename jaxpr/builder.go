package jaxpr

import "github.com/weft-go/weft/core"

// Builder writes a program equation by equation:
//
//	b := jaxpr.NewBuilder()
//	x := b.Input(core.Aval(core.Float32, 3))
//	y := b.Eqn(prim.SinP{}, x)
//	j := b.Build(y[0])
type Builder struct{ j *Jaxpr }

// NewBuilder begins a program.
func NewBuilder() *Builder { return &Builder{&Jaxpr{ConstVals: []core.Value{}}} }

// Input binds the next input.
func (b *Builder) Input(a core.ShapedArray) *Var {
	core.RequireReceiver("jaxpr.Builder.Input", b == nil || b.j == nil)
	v := NewVar(a)
	b.j.Ins = append(b.j.Ins, v)
	return v
}

// Const binds a captured value.
func (b *Builder) Const(value core.Value) *Var {
	core.RequireReceiver("jaxpr.Builder.Const", b == nil || b.j == nil)
	v := NewVar(value.Aval())
	b.j.Consts = append(b.j.Consts, v)
	b.j.ConstVals = append(b.j.ConstVals, value)
	return v
}

// Eqn appends an equation and returns its results, of the types that the primitive
// computes. It panics with *core.Error if the operands do not fit.
func (b *Builder) Eqn(p core.Primitive, in ...Atom) []*Var {
	core.RequireReceiver("jaxpr.Builder.Eqn", b == nil || b.j == nil)
	out := core.AbstractOf(p, core.AvalsOf(in))
	e := &Eqn{Prim: p, Ins: append([]Atom(nil), in...), Outs: make([]*Var, len(out)), Site: core.HereSite()}
	for i, a := range out {
		e.Outs[i] = NewVar(a)
	}
	b.j.Eqns = append(b.j.Eqns, e)
	return e.Outs
}

// Splice appends the equations of j, applied to args, and returns its results. j's
// constants become constants of the program; they must have values.
func (b *Builder) Splice(j *Jaxpr, args ...Atom) []Atom {
	core.RequireReceiver("jaxpr.Builder.Splice", b == nil || b.j == nil)
	callAvals("the program", j, core.AvalsOf(args))
	if len(j.ConstVals) != len(j.Consts) {
		core.Failf(core.ErrCheck, "the constants of a program that was read from text have no values; make them inputs")
	}
	c := copier{env: make(map[*Var]Atom, len(j.Eqns)+len(j.Ins))}
	for i, v := range j.Consts {
		c.env[v] = b.Const(j.ConstVals[i])
	}
	for i, v := range j.Ins {
		c.env[v] = args[i]
	}
	for _, e := range j.Eqns {
		b.j.Eqns = append(b.j.Eqns, c.eqn(e))
	}
	return c.atoms(j.Outs)
}

// Build ends the program. The builder must not be used afterwards.
func (b *Builder) Build(outs ...Atom) *Jaxpr {
	core.RequireReceiver("jaxpr.Builder.Build", b == nil || b.j == nil)
	j := b.j
	b.j = nil
	j.Outs = append([]Atom(nil), outs...)
	return j
}
