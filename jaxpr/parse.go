package jaxpr

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr/internal/syntax"
)

// Parse reads a program from its text. Primitives that neither voc nor this package has, and that
// nobody registered (see [Register]), and those with parameters that Weft does not support,
// become [Opaque]; a parameter with a malformed value is an error. Inputs, literals and constants
// are weak if they are marked so, as ~f32[]; the marks of results are inferred, and shapes,
// dtypes and marks must be as the text declares. A text without marks declares none. Where an
// operand is written _, which JAX writes for results that a caller drops, it is the variable of
// that name whose type the equation takes; where several fit, reading it is an error. Errors are
// *core.Error of kind ErrParse that wrap a *ParseError.
func Parse(text string, voc Vocabulary) (j *Jaxpr, err error) {
	err = core.Catch(func() {
		b := &builder{src: text, voc: voc}
		j = b.text(syntax.Read(text))
	})
	if err != nil {
		var at syntax.MistakeAt
		if errors.As(err, &at) {
			err.(*core.Error).Err = parseErrorAt(text, int(at))
		}
		return nil, err
	}
	return j, nil
}

type builder struct {
	src   string
	voc   Vocabulary
	defs  map[string]*definition
	names []string // of defs, in order
	depth int

	again map[string]bool // names that several programs bind
	read  *reading
}

type definition struct {
	raw    *syntax.Program
	j      *Jaxpr
	begun  bool
	uses   []string // the definitions that it names; nil before they are looked up
	string string   // text of j, made for comparisons
}

func (b *builder) text(t *syntax.Text) *Jaxpr {
	b.defs, b.names = map[string]*definition{}, nil
	b.again, b.read = boundAgain(t), &reading{}
	asRead := sharedAsRead(t)
	for _, d := range t.Defs {
		if b.defs[d.Name] != nil {
			b.fail(d.Pos, "the shared program %s is defined twice; rename one", d.Name)
		}
		b.defs[d.Name] = &definition{raw: d.Prog}
		b.names = append(b.names, d.Name)
	}
	j := b.program(t.Main, nil)
	for i, n := range b.names {
		d := b.shared(n, t.Defs[i].Pos) // unused ones are read, too
		if asRead {
			b.read.share(n, d)
		}
	}
	b.read.keep(j)
	return j
}

func (b *builder) fail(pos int, format string, args ...any) {
	panic(&core.Error{Kind: core.ErrParse, Msg: fmt.Sprintf(format, core.Excerpts(args)...), Err: parseErrorAt(b.src, pos)})
}

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
	inputs bool    // the inputs are being bound
}

func (b *builder) bind(s *scope, x syntax.Binder, weak bool) *Var {
	v := NewVar(x.Type)
	v.Type.Weak = weak
	if b.again[x.Name] {
		b.read.name(v, x.Name)
	}
	if x.Name == "_" {
		s.blanks = append(s.blanks, blank{v, x.Pos, s.inputs})
		return v
	}
	if s.vars[x.Name] != nil {
		b.fail(x.Pos, "the variable %s is bound twice; rename one", x.Name)
	}
	s.vars[x.Name] = v
	return v
}

func (b *builder) atom(s *scope, a syntax.Atom) Atom {
	if a.Literal {
		return b.literal(a)
	}
	v := s.vars[a.Word]
	if v == nil {
		b.fail(a.Pos, "the variable %s is not bound here; bind it first", a.Word)
	}
	return v
}

// program makes a program of what was read. outs are the types that its caller binds, if they
// are known.
func (b *builder) program(raw *syntax.Program, outs []core.ShapedArray) *Jaxpr {
	if b.depth++; b.depth > syntax.MaxNesting {
		b.fail(raw.Pos, "programs are nested deeper than %d; share them with let", syntax.MaxNesting)
	}
	defer func() { b.depth-- }()
	s := &scope{vars: make(map[string]*Var, len(raw.Ins)+len(raw.Eqns)), inputs: true}
	j := &Jaxpr{}
	for _, x := range raw.Consts {
		j.Consts = append(j.Consts, b.bind(s, x, x.Type.Weak))
	}
	for _, x := range raw.Ins {
		j.Ins = append(j.Ins, b.bind(s, x, x.Type.Weak))
	}
	s.inputs = false
	eqns := make([]Eqn, len(raw.Eqns))
	if len(eqns) > 0 {
		j.Eqns = make([]*Eqn, len(eqns))
	}
	for i := range eqns {
		e := &eqns[i]
		j.Eqns[i] = e
		b.eqn(s, &raw.Eqns[i], e)
		raw.Eqns[i] = syntax.Eqn{}
	}
	j.Outs = b.blankResults(s, raw.Outs, outs)
	return j
}

func (b *builder) eqn(s *scope, raw *syntax.Eqn, e *Eqn) {
	e.Site = core.TextSite(raw.Pos)
	if raw.Ref != nil {
		b.refEqn(s, raw, e)
		return
	}
	declared := make([]core.ShapedArray, len(raw.Outs))
	for i, x := range raw.Outs {
		declared[i] = x.Type.Strong()
	}
	params := b.params(raw, declared)
	if slices.ContainsFunc(raw.Ins, isBlankAtom) {
		e.Ins = b.blankOperands(s, raw.Ins, func(ins []Atom) error {
			return core.Catch(func() { b.typed(raw, params, core.AvalsOf(ins), declared) })
		})
	} else {
		e.Ins = make([]Atom, len(raw.Ins))
		for i, a := range raw.Ins {
			e.Ins[i] = b.atom(s, a)
		}
	}
	var out []core.ShapedArray
	e.Prim, out = b.typed(raw, params, core.AvalsOf(e.Ins), declared)
	e.Outs = make([]*Var, len(declared))
	for i, x := range raw.Outs {
		e.Outs[i] = b.bind(s, x, out[i].Weak)
	}
	b.read.noteParams(e, params)
}

// typed returns the primitive of an equation for operands of the given types, and the types of
// its results, which must be as declared.
func (b *builder) typed(raw *syntax.Eqn, params []ParsedParam, in, declared []core.ShapedArray) (core.Primitive, []core.ShapedArray) {
	p := b.primitive(raw, params, in, declared)
	if o, ok := p.(*Opaque); ok {
		for i, x := range raw.Outs {
			o.OutAvals[i] = x.Type
		}
	}
	out := b.abstract(raw, p, in)
	if len(out) != len(declared) {
		b.fail(raw.Pos, "%s returns %s, the text binds %d; write a variable for each", raw.Prim, core.Count(len(out), "result"), len(declared))
	}
	for i, x := range raw.Outs {
		if !out[i].SameType(declared[i]) {
			b.fail(x.Pos, "%s of %s returns %v, the text declares %v; correct the type", raw.Prim, avalList(in), out[i], declared[i])
		}
		if x.Type.Weak && !out[i].Weak {
			b.fail(x.Pos, "%s of %s has the strong type %v, the text declares %s; remove the mark", raw.Prim, avalList(in), out[i], x.Type.Full())
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
func (b *builder) abstract(raw *syntax.Eqn, p core.Primitive, in []core.ShapedArray) (out []core.ShapedArray) {
	err := core.Catch(func() { out = core.AbstractOf(p, in) })
	if err != nil {
		b.failWith(raw.Pos, err)
	}
	return out
}

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

func (b *builder) primitive(raw *syntax.Eqn, params []ParsedParam, in, out []core.ShapedArray) core.Primitive {
	read := callWords[raw.Prim]
	if read == nil {
		read = b.voc[raw.Prim]
	}
	if read == nil {
		read = Registered(raw.Prim)
	}
	if read == nil {
		return &Opaque{Op: raw.Prim, Shown: params, OutAvals: out, Why: "it is not in the vocabulary", Unknown: true}
	}
	r := NewParamReader(raw.Prim, params, in, out)
	for _, x := range raw.Outs {
		r.unused = append(r.unused, x.Name == "_")
	}
	var p core.Primitive
	err := core.Catch(func() { p = read(r) })
	var un *unsupported
	switch {
	case errors.As(err, &un):
		return &Opaque{Op: raw.Prim, Shown: params, OutAvals: out, Why: un.why}
	case err != nil:
		pos := raw.Pos
		var bad *badParam
		if errors.As(err, &bad) {
			for _, q := range raw.Params {
				if q.Key == bad.key {
					pos = q.Pos
				}
			}
		}
		b.failWith(pos, err)
	}
	if slices.ContainsFunc(in, textOnly) {
		if err := core.Catch(func() { core.AbstractOf(p, in) }); err != nil {
			return &Opaque{Op: raw.Prim, Shown: params, OutAvals: out, Why: err.(*core.Error).Msg}
		}
	}
	for _, j := range Programs(p) {
		if j.Effects()&^core.EffectsOf(p) != 0 {
			return &Opaque{Op: raw.Prim, Shown: params, OutAvals: out, Why: "a program within it has effects"}
		}
	}
	if rest := r.Unread(); len(rest) > 0 {
		return &Opaque{Op: raw.Prim, Shown: params, OutAvals: out,
			Why: "its parameter " + strings.Join(rest, ", ") + " is not supported"}
	}
	return p
}

// params translates the programs among the parameters. outs are the types of the equation's
// results. A result of a jit that is written _ is written _ in the jit's program too; its type
// shows which variable of the program it is.
func (b *builder) params(raw *syntax.Eqn, outs []core.ShapedArray) []ParsedParam {
	if len(raw.Params) == 0 {
		return nil
	}
	ps := make([]ParsedParam, len(raw.Params))
	for i, q := range raw.Params {
		p := ParsedParam{Key: q.Key, Text: q.Text}
		switch {
		case q.Texts != nil:
			p.Around = q.Around
			for _, t := range q.Texts {
				p.Jaxpr = append(p.Jaxpr, b.part(t))
			}
		case len(q.Elems) > 0 && (b.holdsPrograms(q) || !q.Tuple):
			p.Tuple = q.Tuple
			if raw.Prim != "jit" && raw.Prim != "pjit" {
				outs = nil
			}
			for _, el := range q.Elems {
				p.Jaxpr = append(p.Jaxpr, b.elem(el, q.Pos, outs))
			}
		case programKey(q.Key) && b.defs[q.Text] != nil:
			p.Jaxpr = []*Jaxpr{b.shared(q.Text, q.Pos)}
		case programKey(q.Key) && q.Text == "()" && strings.HasPrefix(q.Key, "branches"):
			p.Tuple = true
		}
		if p.Jaxpr != nil && p.Around == nil {
			p.Text = ""
		}
		ps[i] = p
	}
	return ps
}

// programKey reports whether a parameter of that name can hold programs. If so, a word in its value
// may be the name of a shared program.
func programKey(key string) bool {
	return strings.Contains(key, "jaxpr") || key == "branches" || key == "callee" || key == "call" || key == "transpose"
}

// holdsPrograms reports whether (a b { … }) is a tuple of programs: all words in it
// are names of shared ones.
func (b *builder) holdsPrograms(q syntax.Param) bool {
	for _, el := range q.Elems {
		if el.Prog == nil && (b.defs[el.Name] == nil || !programKey(q.Key)) {
			return false
		}
	}
	return true
}

func (b *builder) elem(el syntax.Elem, pos int, outs []core.ShapedArray) *Jaxpr {
	if el.Prog != nil {
		return b.program(el.Prog, outs)
	}
	return b.shared(el.Name, pos)
}

// part returns a program that was written as a text of its own. Such a text does not name the
// shared programs around it: a definition there that reads the same is the same program.
func (b *builder) part(t *syntax.Text) *Jaxpr {
	inner := &builder{src: b.src, voc: b.voc, depth: b.depth}
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

func (b *builder) uses(p *syntax.Program, names *[]string) {
	for _, e := range p.Eqns {
		for _, q := range e.Params {
			if b.defs[q.Text] != nil {
				*names = append(*names, q.Text)
			}
			for _, el := range q.Elems {
				if el.Prog != nil {
					b.uses(el.Prog, names)
				} else if b.defs[el.Name] != nil {
					*names = append(*names, el.Name)
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

type badParam struct{ key string }

func (e *badParam) Error() string { return "parameter " + e.key }

// unsupported marks correct text that Weft does not support.
type unsupported struct{ why string }

func (e *unsupported) Error() string { return e.why }
