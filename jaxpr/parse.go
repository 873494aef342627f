package jaxpr

import (
	"errors"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
)

// Parse reads a program from its text. Primitives that neither voc nor this package has, and that
// nobody registered (see [Register]), and those with parameters that Weft does not support,
// become [Opaque]; a parameter with a malformed value is an error. Inputs, literals and constants
// are weak if they are marked so, as ~f32[]; the marks of results are inferred, and shapes,
// dtypes and marks must be as the text declares. A text without marks declares none. Where an
// operand is written _, which JAX writes for results that a caller drops, it is the variable of
// that name whose type the equation takes; where several fit, reading it is an error. Errors are
// *core.Error of kind ErrParse with a *ParseError behind.
func Parse(text string, voc Vocabulary) (j *Jaxpr, err error) {
	err = core.Catch(func() {
		r := &reader{src: text}
		raw := r.text()
		r.blanks()
		if r.pos < len(r.src) {
			if r.peek() == '{' {
				r.fail(r.pos, "a second program begins here; a text contains one")
			}
			r.fail(r.pos, "expected the end of the text")
		}
		b := &builder{reader: r, voc: voc}
		j = b.text(raw)
	})
	if err != nil {
		return nil, err
	}
	return j, nil
}

// builder makes programs of what was read.
type builder struct {
	*reader
	voc   Vocabulary
	defs  map[string]*definition
	names []string // of defs, in order
	depth int

	again map[string]bool // names that several programs bind
	read  *reading
}

type definition struct {
	raw    *rawProgram
	j      *Jaxpr
	begun  bool
	uses   []string // the definitions that it names; nil before they are looked up
	string string   // text of j, made for comparisons
}

func (b *builder) text(t *rawText) *Jaxpr {
	b.defs, b.names = map[string]*definition{}, nil
	b.again, b.read = t.boundAgain(), &reading{}
	asRead := t.sharedAsRead()
	for _, d := range t.defs {
		if b.defs[d.name] != nil {
			b.fail(d.pos, "the shared program %s is defined twice; rename one", d.name)
		}
		b.defs[d.name] = &definition{raw: d.prog}
		b.names = append(b.names, d.name)
	}
	j := b.program(t.main, nil)
	for i, n := range b.names {
		d := b.shared(n, t.defs[i].pos) // unused ones are read, too
		if asRead {
			b.read.share(n, d)
		}
	}
	b.read.keep(j)
	return j
}

// shared returns the program defined under a name.
func (b *builder) shared(name string, pos int) *Jaxpr {
	d := b.defs[name]
	if d.j == nil {
		if d.begun {
			b.fail(pos, "the shared program %s contains itself; write a loop", name)
		}
		d.begun = true
		d.j = b.program(d.raw, nil)
		d.raw = nil
	}
	return d.j
}

// scope is what the names of one program mean.
type scope struct {
	vars   map[string]*Var
	blanks []blank // in order
	inputs bool    // are being bound
}

func (b *builder) bind(s *scope, x rawBinder, weak bool) *Var {
	v := NewVar(x.typ)
	v.Type.Weak = weak
	if b.again[x.name] {
		b.read.name(v, x.name)
	}
	if x.name == "_" {
		s.blanks = append(s.blanks, blank{v, x.pos, s.inputs})
		return v
	}
	if s.vars[x.name] != nil {
		b.fail(x.pos, "the variable %s is bound twice; rename one", x.name)
	}
	s.vars[x.name] = v
	return v
}

func (b *builder) atom(s *scope, a rawAtom) Atom {
	if a.literal {
		return b.literal(a)
	}
	v := s.vars[a.word]
	if v == nil {
		b.fail(a.pos, "the variable %s is not bound here; bind it first", a.word)
	}
	return v
}

// program makes a program of what was read. outs are the types that its caller binds, if they
// are known.
func (b *builder) program(raw *rawProgram, outs []core.ShapedArray) *Jaxpr {
	if b.depth++; b.depth > maxNesting {
		b.fail(raw.pos, "programs are nested deeper than %d; share them with let", maxNesting)
	}
	defer func() { b.depth-- }()
	s := &scope{vars: make(map[string]*Var, len(raw.ins)+len(raw.eqns)), inputs: true}
	j := &Jaxpr{}
	for _, x := range raw.consts {
		j.Consts = append(j.Consts, b.bind(s, x, x.typ.Weak))
	}
	for _, x := range raw.ins {
		j.Ins = append(j.Ins, b.bind(s, x, x.typ.Weak))
	}
	s.inputs = false
	eqns := make([]Eqn, len(raw.eqns))
	if len(eqns) > 0 {
		j.Eqns = make([]*Eqn, len(eqns))
	}
	for i := range eqns {
		e := &eqns[i]
		j.Eqns[i] = e
		b.eqn(s, &raw.eqns[i], e)
		raw.eqns[i] = rawEqn{}
	}
	j.Outs = b.blankResults(s, raw.outs, outs)
	return j
}

func (b *builder) eqn(s *scope, raw *rawEqn, e *Eqn) {
	e.Site = core.TextSite(raw.pos)
	if raw.ref != nil {
		b.refEqn(s, raw, e)
		return
	}
	declared := make([]core.ShapedArray, len(raw.outs))
	for i, x := range raw.outs {
		declared[i] = x.typ.Strong()
	}
	params := b.params(raw, declared)
	if slices.ContainsFunc(raw.ins, isBlankAtom) {
		e.Ins = b.blankOperands(s, raw.ins, func(ins []Atom) error {
			return core.Catch(func() { b.typed(raw, params, core.AvalsOf(ins), declared) })
		})
	} else {
		e.Ins = make([]Atom, len(raw.ins))
		for i, a := range raw.ins {
			e.Ins[i] = b.atom(s, a)
		}
	}
	var out []core.ShapedArray
	e.Prim, out = b.typed(raw, params, core.AvalsOf(e.Ins), declared)
	e.Outs = make([]*Var, len(declared))
	for i, x := range raw.outs {
		e.Outs[i] = b.bind(s, x, out[i].Weak)
	}
	b.read.noteParams(e, params)
}

// typed returns the primitive of an equation for operands of the given types, and the types of
// its results, which must be as declared.
func (b *builder) typed(raw *rawEqn, params []ParsedParam, in, declared []core.ShapedArray) (core.Primitive, []core.ShapedArray) {
	p := b.primitive(raw, params, in, declared)
	if o, ok := p.(*Opaque); ok {
		for i, x := range raw.outs {
			o.OutAvals[i] = x.typ
		}
	}
	out := b.abstract(raw, p, in)
	if len(out) != len(declared) {
		b.fail(raw.pos, "%s returns %s, the text binds %d; write a variable for each", raw.prim, core.Count(len(out), "result"), len(declared))
	}
	for i, x := range raw.outs {
		if !out[i].SameType(declared[i]) {
			b.fail(x.pos, "%s of %s returns %v, the text declares %v; correct the type", raw.prim, avalList(in), out[i], declared[i])
		}
		if x.typ.Weak && !out[i].Weak {
			b.fail(x.pos, "%s of %s has the strong type %v, the text declares %s; remove the mark", raw.prim, avalList(in), out[i], x.typ.Full())
		}
	}
	return p, out
}

func avalList(as []core.ShapedArray) string {
	if len(as) == 0 {
		return "no operands"
	}
	s := make([]string, len(as))
	for i, a := range as {
		s[i] = a.Full()
	}
	return strings.Join(s, ", ")
}

// abstract returns the result types of p. Mistakes in the operands' types are reported at the
// equation.
func (b *builder) abstract(raw *rawEqn, p core.Primitive, in []core.ShapedArray) (out []core.ShapedArray) {
	err := core.Catch(func() { out = core.AbstractOf(p, in) })
	if err != nil {
		b.failWith(raw.pos, err)
	}
	return out
}

// textOnly reports whether a type is one that exists in text only.
func textOnly(a core.ShapedArray) bool {
	return a.DType == core.Token || a.Ref
}

// failWith ends reading with the error of another package about the text at pos.
func (b *builder) failWith(pos int, err error) {
	e := err.(*core.Error)
	at := parseErrorAt(b.src, pos)
	at.Err = e.Kind
	panic(&core.Error{Kind: core.ErrParse, Op: e.Op, Avals: e.Avals, Msg: e.Msg, Err: at})
}

func (b *builder) primitive(raw *rawEqn, params []ParsedParam, in, out []core.ShapedArray) core.Primitive {
	read := callWords[raw.prim]
	if read == nil {
		read = b.voc[raw.prim]
	}
	if read == nil {
		read = Registered(raw.prim)
	}
	if read == nil {
		return &Opaque{Op: raw.prim, Shown: params, OutAvals: out, Why: "it is not in the vocabulary", Unknown: true}
	}
	r := NewParamReader(raw.prim, params, in, out)
	for _, x := range raw.outs {
		r.unused = append(r.unused, x.name == "_")
	}
	var p core.Primitive
	err := core.Catch(func() { p = read(r) })
	var un *unsupported
	switch {
	case errors.As(err, &un):
		return &Opaque{Op: raw.prim, Shown: params, OutAvals: out, Why: un.why}
	case err != nil:
		pos := raw.pos
		var bad *badParam
		if errors.As(err, &bad) {
			for _, q := range raw.params {
				if q.key == bad.key {
					pos = q.pos
				}
			}
		}
		b.failWith(pos, err)
	}
	if slices.ContainsFunc(in, textOnly) {
		if err := core.Catch(func() { core.AbstractOf(p, in) }); err != nil {
			return &Opaque{Op: raw.prim, Shown: params, OutAvals: out, Why: err.(*core.Error).Msg}
		}
	}
	for _, j := range Programs(p) {
		if j.Effects()&^core.EffectsOf(p) != 0 {
			return &Opaque{Op: raw.prim, Shown: params, OutAvals: out, Why: "a program within it has effects"}
		}
	}
	if rest := r.Unread(); len(rest) > 0 {
		return &Opaque{Op: raw.prim, Shown: params, OutAvals: out,
			Why: "its parameter " + strings.Join(rest, ", ") + " is not supported"}
	}
	return p
}

// params translates the programs among the parameters. Results of a jit that are written _ are
// written so in its program.
func (b *builder) params(raw *rawEqn, outs []core.ShapedArray) []ParsedParam {
	if len(raw.params) == 0 {
		return nil
	}
	ps := make([]ParsedParam, len(raw.params))
	for i, q := range raw.params {
		p := ParsedParam{Key: q.key, Text: q.text}
		switch {
		case q.texts != nil:
			p.Around = q.around
			for _, t := range q.texts {
				p.Jaxpr = append(p.Jaxpr, b.part(t))
			}
		case len(q.elems) > 0 && (b.holdsPrograms(q) || !q.tuple):
			p.Tuple = q.tuple
			if raw.prim != "jit" && raw.prim != "pjit" {
				outs = nil
			}
			for _, el := range q.elems {
				p.Jaxpr = append(p.Jaxpr, b.elem(el, q.pos, outs))
			}
		case programKey(q.key) && b.defs[q.text] != nil:
			p.Jaxpr = []*Jaxpr{b.shared(q.text, q.pos)}
		case programKey(q.key) && q.text == "()" && strings.HasPrefix(q.key, "branches"):
			p.Tuple = true
		}
		if p.Jaxpr != nil && p.Around == nil {
			p.Text = ""
		}
		ps[i] = p
	}
	return ps
}

// programKey reports whether a parameter holds programs: a word there may be the name of a shared
// one, elsewhere it is only a word.
func programKey(key string) bool {
	return strings.Contains(key, "jaxpr") || key == "branches" || key == "callee" || key == "call" || key == "transpose"
}

// holdsPrograms reports whether (a b { … }) is a tuple of programs: all words in it
// are names of shared ones.
func (b *builder) holdsPrograms(q rawParam) bool {
	for _, el := range q.elems {
		if el.prog == nil && (b.defs[el.name] == nil || !programKey(q.key)) {
			return false
		}
	}
	return true
}

func (b *builder) elem(el rawElem, pos int, outs []core.ShapedArray) *Jaxpr {
	if el.prog != nil {
		return b.program(el.prog, outs)
	}
	return b.shared(el.name, pos)
}

// part returns a program that was written as a text of its own. Such a text does not name the
// shared programs around it: a definition there that reads the same is the same program.
func (b *builder) part(t *rawText) *Jaxpr {
	inner := &builder{reader: b.reader, voc: b.voc, depth: b.depth}
	j := inner.text(t)
	s := "" // text of j, made when a definition may be the same
	for _, n := range b.names {
		d := b.defs[n]
		if d.j == nil && b.reachesOpen(n, map[string]bool{}) {
			continue // it contains this equation
		}
		k := b.shared(n, 0)
		if !sameOutline(k, j) {
			continue
		}
		if d.string == "" {
			d.string = k.String()
		}
		if s == "" {
			s = j.String()
		}
		if d.string == s {
			return d.j
		}
	}
	return j
}

// reachesOpen reports whether a definition is being read, or uses one that is.
func (b *builder) reachesOpen(name string, seen map[string]bool) bool {
	d := b.defs[name]
	if d == nil || d.j != nil || seen[name] {
		return false
	}
	if d.begun {
		return true
	}
	seen[name] = true
	if d.uses == nil {
		d.uses = []string{}
		b.uses(d.raw, &d.uses)
	}
	return slices.ContainsFunc(d.uses, func(n string) bool { return b.reachesOpen(n, seen) })
}

// uses lists the definitions that a program names.
func (b *builder) uses(p *rawProgram, names *[]string) {
	for _, e := range p.eqns {
		for _, q := range e.params {
			if b.defs[q.text] != nil {
				*names = append(*names, q.text)
			}
			for _, el := range q.elems {
				if el.prog != nil {
					b.uses(el.prog, names)
				} else if b.defs[el.name] != nil {
					*names = append(*names, el.name)
				}
			}
		}
	}
}

// sameOutline reports whether two programs have as many inputs and results and the same
// primitives: programs of the same text do.
func sameOutline(j, k *Jaxpr) bool {
	return len(j.Consts) == len(k.Consts) && len(j.Ins) == len(k.Ins) && len(j.Outs) == len(k.Outs) &&
		slices.EqualFunc(j.Eqns, k.Eqns, func(e, f *Eqn) bool { return e.Prim.Name() == f.Prim.Name() && len(e.Outs) == len(f.Outs) })
}

// badParam marks errors about one parameter.
type badParam struct{ key string }

func (e *badParam) Error() string { return "parameter " + e.key }

// unsupported marks correct text that Weft does not support.
type unsupported struct{ why string }

func (e *unsupported) Error() string { return e.why }
