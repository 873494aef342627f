package jaxpr

import "github.com/weft-go/weft/core"

// Inlining says which calls Inline writes out besides jit and core_call.
type Inlining struct {
	Custom bool // custom_jvp_call, custom_vjp_call, custom_vmap_call: their rules are lost
	Remat  bool // remat2: what is kept for the backward pass is lost
	Within bool // also in the programs of what stays: branches, loops
}

// Inline is j with the programs of calls in their place. Constants of the called
// programs become constants of the whole; a call of a program read from text, whose
// constants have no values, stays if the whole has values.
func Inline(j *Jaxpr, o Inlining) *Jaxpr {
	il := &inliner{o: o, done: map[*Jaxpr]*Jaxpr{}}
	return il.program(j)
}

type inliner struct {
	o    Inlining
	done map[*Jaxpr]*Jaxpr
}

// called is the program that e calls and that is to be written out, or nil.
func (il *inliner) called(p core.Primitive) *Jaxpr {
	switch p := p.(type) {
	case *Jit:
		return p.Jaxpr
	case *CoreCall:
		return p.Jaxpr
	case *Remat:
		if il.o.Remat {
			return p.Jaxpr
		}
	case *CustomJVP:
		if il.o.Custom {
			return p.Jaxpr
		}
	case *CustomVJP:
		if il.o.Custom {
			return p.Jaxpr
		}
	case *CustomVmap:
		if il.o.Custom {
			return p.Jaxpr
		}
	}
	return nil
}

func (il *inliner) program(j *Jaxpr) *Jaxpr {
	if out, ok := il.done[j]; ok {
		return out
	}
	out := &Jaxpr{}
	if j.ConstVals != nil {
		out.ConstVals = append([]core.Value{}, j.ConstVals...)
	}
	c := copier{env: map[*Var]Atom{}}
	for _, v := range j.Consts {
		out.Consts = append(out.Consts, c.fresh(v))
	}
	for _, v := range j.Ins {
		out.Ins = append(out.Ins, c.fresh(v))
	}
	il.into(out, j.Eqns, &c)
	out.Outs = c.atoms(j.Outs)
	il.done[j] = out
	return out
}

func (c *copier) fresh(v *Var) *Var {
	w := NewVar(v.Type)
	c.env[v] = w
	return w
}

// into appends the equations, read in c's environment, to out.
func (il *inliner) into(out *Jaxpr, eqns []*Eqn, c *copier) {
	for _, e := range eqns {
		j := il.called(e.Prim)
		if j == nil || !il.constants(out, j) {
			d := c.eqn(e)
			if il.o.Within {
				d.Prim = il.within(d.Prim)
			}
			out.Eqns = append(out.Eqns, d)
			continue
		}
		inner := copier{env: make(map[*Var]Atom, len(j.Eqns)+len(j.Ins))}
		for i, v := range j.Consts {
			w := inner.fresh(v)
			out.Consts = append(out.Consts, w)
			if j.ConstVals != nil {
				out.ConstVals = append(out.ConstVals, j.ConstVals[i])
			}
		}
		for i, a := range e.Ins {
			inner.env[j.Ins[i]] = c.atom(a)
		}
		il.into(out, j.Eqns, &inner)
		for i, v := range e.Outs {
			c.env[v] = inner.atom(j.Outs[i])
		}
	}
}

// constants reports whether j's constants can become out's: either all of out's
// have values or none has.
func (il *inliner) constants(out, j *Jaxpr) bool {
	if len(j.Consts) == 0 || len(out.Consts) == 0 {
		return true
	}
	return (j.ConstVals == nil) == (out.ConstVals == nil)
}

// within inlines in the programs of a primitive that stays.
func (il *inliner) within(p core.Primitive) core.Primitive {
	js := Programs(p)
	if len(js) == 0 {
		return p
	}
	out := make([]*Jaxpr, len(js))
	for i, j := range js {
		out[i] = il.program(j)
	}
	q, ok := WithPrograms(p, out)
	if !ok {
		return p
	}
	return q
}

// Rebuilder is a primitive of another package that holds programs and can be made
// with others.
type Rebuilder interface {
	Holder
	// WithPrograms is the primitive with other programs, in the order of Programs.
	WithPrograms(js []*Jaxpr) core.Primitive
}

// WithPrograms is p with other programs in the order of Programs(p); ok is false
// for primitives of other packages that keep theirs to themselves: see [Rebuilder].
func WithPrograms(p core.Primitive, js []*Jaxpr) (q core.Primitive, ok bool) {
	switch p := p.(type) {
	case *Jit:
		c := *p
		c.Jaxpr = js[0]
		return &c, true
	case *CoreCall:
		c := *p
		c.Jaxpr = js[0]
		return &c, true
	case *Cond:
		c := *p
		c.Branches = js
		return &c, true
	case *While:
		c := *p
		c.Body, c.Cond = js[0], js[1]
		return &c, true
	case *Scan:
		c := *p
		c.Jaxpr = js[0]
		return &c, true
	case *Remat:
		c := *p
		c.Jaxpr = js[0]
		return &c, true
	case *CustomJVP:
		c := *p
		c.Jaxpr = js[0]
		return &c, true
	case *CustomVJP:
		c := *p
		c.Jaxpr = js[0]
		return &c, true
	case *CustomVmap:
		c := *p
		c.Jaxpr = js[0]
		return &c, true
	case *LinearCall:
		c := *p
		c.Jaxpr, c.Transposed = js[0], js[1]
		return &c, true
	case *LinearSolve:
		c := *p
		c.Matvec, c.Vecmat, c.Solve = js[0], js[1], js[2]
		if len(js) > 3 {
			c.TransposeSolve = js[3]
		}
		return &c, true
	case Rebuilder:
		return p.WithPrograms(js), true
	}
	return p, false
}
