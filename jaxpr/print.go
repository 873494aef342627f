package jaxpr

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
)

// Options say how a program is written. The zero Options are those of String.
type Options struct {
	Width   int  // of a line, where it can be kept; 0 is 80
	Sites   bool // behind each equation: # main.go:12 (main.loss)
	Effects bool // behind the results of each program: : { Debug }
}

// String is the program in JAX's notation.
func (j *Jaxpr) String() string { return j.Text(Options{}) }

// Text is the program, written with options.
func (j *Jaxpr) Text(o Options) string {
	var b strings.Builder
	j.Write(&b, o)
	return b.String()
}

// Write writes the program with options.
func (j *Jaxpr) Write(w io.Writer, o Options) error {
	if o.Sites {
		s := &notedSink{prefix: " # "}
		newPrinter(j, o).print(s)
		_, err := io.WriteString(w, s.join())
		return err
	}
	s := &plainSink{w: bufio.NewWriter(w)}
	newPrinter(j, o).print(s)
	return s.w.Flush()
}

// printer names variables in the order in which their binders are laid out.
type printer struct {
	top    *Jaxpr
	opts   Options
	names  map[*Var]string
	next   int
	shared map[*Jaxpr]string
	defs   []*Jaxpr
	taken  map[string]bool // names of shared programs
	marks  bool            // marks for the HTML view
	wanted *Eqn            // marked with itself, for messages
}

func newPrinter(top *Jaxpr, o Options) *printer {
	p := &printer{top: top, opts: o, names: map[*Var]string{}, taken: map[string]bool{}}
	p.shared, p.defs = sharing(top)
	for _, n := range p.shared {
		p.taken[n] = true
	}
	for _, v := range unusedResults(top) {
		p.names[v] = "_"
	}
	return p
}

// unusedResults are the results of j's equations that nothing after them uses.
func unusedResults(j *Jaxpr) []*Var {
	used := make(map[*Var]bool)
	note := func(as []Atom) {
		for _, a := range as {
			if v, ok := a.(*Var); ok {
				used[v] = true
			}
		}
	}
	note(j.Outs)
	var out []*Var
	for i := len(j.Eqns) - 1; i >= 0; i-- {
		for _, v := range j.Eqns[i].Outs {
			if !used[v] {
				out = append(out, v)
			}
		}
		note(j.Eqns[i].Ins)
	}
	return out
}

func (p *printer) print(out sink) {
	width := p.opts.Width
	if width == 0 {
		width = 80
	}
	l := &layouter{width: width, out: out}
	l.run(p.document())
}

func (p *printer) document() *doc {
	var ds []*doc
	for _, j := range p.defs {
		ds = append(ds, lazy(func() *doc {
			return cat(text("let "), p.defined(j), text(" = "), p.program(j), text(" in"), softSpace)
		}))
	}
	return cat(append(ds, lazy(func() *doc { return p.program(p.top) }))...)
}

// letters counts in base 26: a … z, ba, bb …
func letters(n int) string {
	s := string(rune('a' + n%26))
	for n /= 26; n > 0; n /= 26 {
		s = string(rune('a'+n%26)) + s
	}
	return s
}

func (p *printer) name(v *Var) string {
	if s, ok := p.names[v]; ok {
		return s
	}
	s := letters(p.next)
	for p.next++; p.taken[s]; p.next++ {
		s = letters(p.next)
	}
	p.names[v] = s
	return s
}

// program is a whole program, not a reference to it.
func (p *printer) program(j *Jaxpr) *doc {
	head := cat(p.keyword("lambda "), p.binders(j.Consts), text("; "), p.binders(j.Ins), text(". "), p.keyword("let"))
	tail := lazy(func() *doc {
		end := ")"
		if len(j.Outs) == 1 {
			end = ",)"
		}
		d := cat(p.keyword("in "), text("("), p.atoms(j.Outs, ","), text(end))
		if p.opts.Effects {
			d = cat(d, text(" : { "+effectText(j.Effects())+" }"))
		}
		return d
	})
	return group(cat(nest(cat(text("{ "), head, nest(cat(softSpace, p.eqns(j.Eqns))), softSpace, tail)), text(" }")))
}

// eqns is the rest of a program's equations.
func (p *printer) eqns(es []*Eqn) *doc {
	if len(es) == 0 {
		return nothing
	}
	return lazy(func() *doc {
		if len(es) == 1 {
			return p.eqn(es[0])
		}
		return cat(p.eqn(es[0]), softSemi, p.eqns(es[1:]))
	})
}

func (p *printer) eqn(e *Eqn) *doc {
	if c, ok := e.Prim.(*Jit); ok && c.Jaxpr != nil && p.shared[c.Jaxpr] == "" {
		p.inherit(c.Jaxpr.Ins, e.Ins)
		outs := make([]Atom, len(e.Outs))
		for i, v := range e.Outs {
			outs[i] = v
		}
		inner := make([]*Var, len(c.Jaxpr.Outs))
		for i, a := range c.Jaxpr.Outs {
			inner[i], _ = a.(*Var)
		}
		p.inherit(inner, outs)
	}
	var d *doc
	if r, ok := e.Prim.(*refOp); ok {
		d = p.refEqn(r, e)
	} else {
		ds := make([]*doc, 0, 6)
		if len(e.Outs) > 0 {
			eq := text(" = ")
			if p.opts.Sites {
				eq = cat(eq, siteNote(e.Site))
			}
			ds = append(ds, p.binders(e.Outs), eq)
		}
		ds = append(ds, p.prim(e.Prim), p.params(e.Prim), space, p.atoms(e.Ins, ""))
		d = cat(ds...)
	}
	if p.wanted == e {
		return cat(mark(e), d, mark(e))
	}
	return d
}

// inherit lets the variables of a nested program be called what the variables
// outside are called.
func (p *printer) inherit(inner []*Var, outer []Atom) {
	if len(inner) != len(outer) {
		return
	}
	var used map[*Var]bool
	for i, v := range inner {
		o, ok := outer[i].(*Var)
		if !ok || v == nil || used[o] {
			continue
		}
		if _, ok := p.names[v]; ok {
			continue
		}
		if used == nil {
			used = map[*Var]bool{}
		}
		used[o] = true
		p.names[v] = p.name(o)
	}
}

func (p *printer) params(prim core.Primitive) *doc {
	q, ok := prim.(core.Paramer)
	if !ok {
		return nothing
	}
	ps := q.Params()
	if len(ps) == 0 {
		return nothing
	}
	ds := make([]*doc, len(ps))
	for i, q := range ps {
		ds[i] = lazy(func() *doc { return cat(text(q.Key+"="), p.value(q.Value)) })
	}
	return group(cat(nest(cat(text("["), softNone, join(softSpace, ds))), softNone, text("]")))
}

func (p *printer) value(v any) *doc {
	switch v := v.(type) {
	case *Jaxpr:
		return p.nested(v)
	case []*Jaxpr:
		ds := make([]*doc, len(v))
		for i, j := range v {
			ds[i] = lazy(func() *doc { return p.nested(j) })
		}
		return tuple(ds)
	case string:
		if v == "()" {
			return tuple(nil)
		}
		return text(v)
	case fmt.Stringer:
		return p.value(v.String())
	}
	panic(fmt.Sprintf("BUG: a parameter of type %T does not print", v))
}

func tuple(ds []*doc) *doc {
	return group(cat(nest(cat(text("("), softNone, join(softSpace, ds))), softNone, text(")")))
}

// nested is a program in an equation: whole, or by name.
func (p *printer) nested(j *Jaxpr) *doc {
	if j == nil {
		return text("?")
	}
	if n, ok := p.shared[j]; ok {
		if p.marks {
			return cat(mark(refMark{n}), text(n), mark(endRef{}))
		}
		return text(n)
	}
	if p.marks {
		return cat(mark(programMark{}), p.program(j), mark(endProgram{}))
	}
	return p.program(j)
}

func (p *printer) binders(vs []*Var) *doc {
	if len(vs) == 0 {
		return nest(nothing)
	}
	ds := make([]*doc, len(vs))
	for i, v := range vs {
		if p.marks {
			ds[i] = cat(p.variable(v), text(":"), p.typ(v.Type))
		} else {
			ds[i] = text(p.name(v) + ":" + v.Type.String())
		}
	}
	if len(ds) == 1 {
		return ds[0]
	}
	return nest(group(join(fillSpace, ds)))
}

func (p *printer) atoms(as []Atom, sep string) *doc {
	ds := make([]*doc, len(as))
	for i, a := range as {
		ds[i] = p.atom(a)
	}
	if len(ds) == 1 {
		return ds[0]
	}
	between := fillSpace
	if sep != "" {
		between = cat(text(sep), fillSpace)
	}
	return nest(group(join(between, ds)))
}

func (p *printer) atom(a Atom) *doc {
	switch a := a.(type) {
	case *Var:
		return p.variable(a)
	case core.Literal:
		if p.marks {
			return cat(mark(literalMark{}), text(a.Text()), mark(endMark{}), text(":"), p.typ(a.Aval()))
		}
		return text(a.String())
	case nil:
		return text("?")
	}
	// Not an atom: only a program that does not pass Check has one.
	return text(fmt.Sprintf("<%T:%v>", a, a.Aval()))
}

func (p *printer) variable(v *Var) *doc {
	if v == nil {
		return text("?")
	}
	if p.marks {
		return cat(mark(varMark{v}), text(p.name(v)), mark(endMark{}))
	}
	return text(p.name(v))
}

func (p *printer) typ(a core.ShapedArray) *doc {
	return cat(mark(typeMark{a}), text(a.String()), mark(endMark{}))
}

func (p *printer) keyword(s string) *doc {
	if p.marks {
		return cat(mark(keywordMark{}), text(s), mark(endMark{}))
	}
	return text(s)
}

func (p *printer) prim(q core.Primitive) *doc {
	if q == nil {
		return text("?")
	}
	if p.marks {
		return cat(mark(primMark{}), text(q.Name()), mark(endMark{}))
	}
	return text(q.Name())
}

// defined is the name of a shared program where it is defined.
func (p *printer) defined(j *Jaxpr) *doc {
	n := p.shared[j]
	if p.marks {
		return cat(mark(defMark{n}), text(n), mark(endMark{}))
	}
	return text(n)
}

func siteNote(s core.Site) *doc {
	file, line, fn := s.Resolve()
	if file == "" {
		return note("unknown")
	}
	return note(filepath.Base(file) + ":" + strconv.Itoa(line) + " (" + path.Base(fn) + ")")
}
