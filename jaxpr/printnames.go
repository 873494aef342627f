package jaxpr

// frame contains the names of the variables of one program. Programs that are made of one
// another's equations have variables in common; each program names them for itself, as if
// it had been read from its text.
type frame struct {
	p     *printer
	j     *Jaxpr
	names map[*Var]string
	blank map[*Var]bool // written _ where they are bound, and as results of the program
}

func (p *printer) frame(j *Jaxpr) *frame {
	f := p.frames[j]
	if f == nil {
		f = &frame{p: p, j: j, names: map[*Var]string{}}
		p.frames[j] = f
	}
	return f
}

// name returns the name of a variable. At the variable's first occurrence this is a new name, unless
// the text that was read has one name for it and for a variable that has been named already: that
// one's name is used.
func (f *frame) name(v *Var) string {
	if s, ok := f.names[v]; ok {
		return s
	}
	p := f.p
	read, again := p.read.names[v]
	if s, ok := p.again[read]; again && ok {
		f.names[v] = s
		return s
	}
	s := letters(p.next)
	for p.next++; p.taken[s]; p.next++ {
		s = letters(p.next)
	}
	f.names[v] = s
	if again {
		p.again[read] = s
	}
	return s
}

// inherit names variables of a called program as in JAX: its inputs have the names of the calling
// equation's operands, and its results those of the equation's results, _ included.
func (f *frame) inherit(caller *frame, e *Eqn) {
	outer, inner := e.Ins, f.j.Ins
	if len(inner) == len(outer) {
		f.inheritNames(caller, inner, outer)
	}
	if len(f.j.Outs) != len(e.Outs) {
		return
	}
	var dropped map[*Var]bool
	inner, outer = make([]*Var, len(e.Outs)), make([]Atom, len(e.Outs))
	for i, o := range e.Outs {
		v, ok := f.j.Outs[i].(*Var)
		switch {
		case !ok || v == nil || o == nil:
		case caller.blank[o]:
			if dropped == nil {
				dropped = map[*Var]bool{}
			}
			dropped[v] = true
		default:
			inner[i], outer[i] = v, o
		}
	}
	if dropped != nil {
		f.blank = readableBlanks(f.j, dropped)
	}
	f.inheritNames(caller, inner, outer)
}

func (f *frame) inheritNames(caller *frame, inner []*Var, outer []Atom) {
	var used map[*Var]bool
	for i, v := range inner {
		o, ok := outer[i].(*Var)
		if !ok || v == nil || used[o] {
			continue
		}
		if _, ok := f.names[v]; ok {
			continue
		}
		if read := f.p.read.names; read != nil && (read[v] == "" || read[v] != read[o]) {
			continue // its name is another program's
		}
		if used == nil {
			used = map[*Var]bool{}
		}
		used[o] = true
		f.names[v] = caller.name(o)
	}
}

// readableBlanks returns those variables in dropped that equations of j bind, if
// a text in which they are written _ can be read back: each is a result of j once,
// no equation reads it, and they are results in the order in which they are bound.
// Otherwise it returns nil.
func readableBlanks(j *Jaxpr, dropped map[*Var]bool) map[*Var]bool {
	blank := map[*Var]bool{}
	var order []*Var
	for _, e := range j.Eqns {
		for _, a := range e.Ins {
			if v, ok := a.(*Var); ok && blank[v] {
				return nil
			}
		}
		for _, v := range e.Outs {
			if dropped[v] {
				blank[v] = true
				order = append(order, v)
			}
		}
	}
	k := 0
	for _, a := range j.Outs {
		if v, ok := a.(*Var); ok && blank[v] {
			if k == len(order) || order[k] != v {
				return nil
			}
			k++
		}
	}
	if k != len(order) {
		return nil
	}
	return blank
}
