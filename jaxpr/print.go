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

const defaultWidth = 80

// unknownSite is the note of an equation whose line in the source is not known.
const unknownSite = "unknown"

// Options control how a program is written. The zero Options are those of String.
type Options struct {
	Width   int  // of a line, where it can be kept; 0 is 80
	Sites   bool // after each equation: # main.go:12 (main.loss)
	Weak    bool // weak types with their mark: ~f32[]
	Effects bool // after the results of each program: : { Debug }
}

// String returns the program in JAX's notation.
func (j *Jaxpr) String() string { return j.Text(Options{}) }

// Text returns the program, written with options.
func (j *Jaxpr) Text(o Options) string {
	if j == nil {
		return "<nil>"
	}
	var b strings.Builder
	j.Write(&b, o)
	return b.String()
}

// Write writes the program with options.
func (j *Jaxpr) Write(w io.Writer, o Options) error {
	core.RequireReceiver("jaxpr.Jaxpr.Write", j == nil)
	if w == nil {
		core.FailOp(core.ErrTree, "jaxpr.Jaxpr.Write", nil, "the writer is nil; give one")
	}
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
	frames map[*Jaxpr]*frame
	next   int
	shared map[*Jaxpr]string
	defs   []*Jaxpr
	taken  map[string]bool // names of shared programs
	read   *reading
	again  map[string]string // by the name in the text that was read: the name that is printed
	marks  bool              // marks for the HTML view
	wanted *Eqn              // marked with itself, for messages
}

func newPrinter(top *Jaxpr, o Options) *printer {
	return newPrinterOf(top, o, readingOf(top))
}

func newPrinterOf(top *Jaxpr, o Options, read *reading) *printer {
	p := &printer{top: top, opts: o, frames: map[*Jaxpr]*frame{}, taken: map[string]bool{}, read: read, again: map[string]string{}}
	if p.shared, p.defs = read.shared, read.defs; p.shared == nil {
		p.shared, p.defs = sharing(top, read)
	}
	for _, n := range p.shared {
		p.taken[n] = true
	}
	p.frame(top).blank = unusedResults(top)
	return p
}

// apart lays out an inner program as a text of its own. It names no shared programs if the text
// around it names none.
func (p *printer) apart(j *Jaxpr) *doc {
	return apart(func() *doc {
		read := readingOf(j)
		if read.empty() {
			read = &reading{params: p.read.params, names: p.read.names}
		}
		if len(p.shared) == 0 {
			read = &reading{params: read.params, names: read.names, shared: map[*Jaxpr]string{}}
		}
		return newPrinterOf(j, Options{}, read).document()
	})
}

// unusedResults returns the results of j's equations that nothing after them uses.
func unusedResults(j *Jaxpr) map[*Var]bool {
	used := make(map[*Var]bool)
	note := func(as []Atom) {
		for _, a := range as {
			if v, ok := a.(*Var); ok {
				used[v] = true
			}
		}
	}
	note(j.Outs)
	out := map[*Var]bool{}
	for i := len(j.Eqns) - 1; i >= 0; i-- {
		for _, v := range j.Eqns[i].Outs {
			if v != nil && !used[v] {
				out[v] = true
			}
		}
		note(j.Eqns[i].Ins)
	}
	return out
}

func (p *printer) print(out sink) {
	width := p.opts.Width
	if width == 0 {
		width = defaultWidth
	}
	l := &layouter{width: width, out: out}
	l.run(p.document())
}

func (p *printer) document() *doc {
	var ds []*doc
	for _, j := range p.defs {
		ds = append(ds, lazy(func() *doc {
			return cat(text("let "), p.defined(j), text(" = "), p.foldable(j), text(" in"), softSpace)
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

// program lays out a program, not a reference to it.
func (p *printer) program(j *Jaxpr) *doc {
	f := p.frame(j)
	head := cat(p.keyword("lambda "), f.binders(j.Consts), text("; "), f.binders(j.Ins), text(". "), p.keyword("let"))
	tail := lazy(func() *doc {
		end := ")"
		if len(j.Outs) == 1 {
			end = ",)"
		}
		d := cat(p.keyword("in "), text("("), f.results(j.Outs), text(end))
		if p.opts.Effects {
			d = cat(d, text(" : { "+effectText(j.Effects())+" }"))
		}
		return d
	})
	return group(cat(nest(cat(text("{ "), head, nest(cat(softSpace, f.eqns(j.Eqns))), softSpace, tail)), text(" }")))
}

func (f *frame) eqns(es []*Eqn) *doc {
	if len(es) == 0 {
		return nothing
	}
	return lazy(func() *doc {
		if len(es) == 1 {
			return f.eqn(es[0])
		}
		return cat(f.eqn(es[0]), softSemi, f.eqns(es[1:]))
	})
}

func (f *frame) eqn(e *Eqn) *doc {
	p := f.p
	if c, ok := e.Prim.(*Jit); ok && c.Jaxpr != nil && p.shared[c.Jaxpr] == "" {
		p.frame(c.Jaxpr).inherit(f, e)
	}
	var d *doc
	if r, ok := e.Prim.(*RefOp); ok {
		d = f.refEqn(r, e)
	} else {
		ds := make([]*doc, 0, 6)
		if len(e.Outs) > 0 {
			eq := text(" = ")
			if p.opts.Sites {
				eq = cat(eq, siteNote(e.Site))
			}
			ds = append(ds, f.binders(e.Outs), eq)
		}
		ds = append(ds, p.prim(e.Prim), p.params(e), space, f.operands(e.Ins))
		d = cat(ds...)
	}
	if p.wanted == e {
		return cat(mark(e), d, mark(e))
	}
	return d
}

func (p *printer) params(e *Eqn) *doc {
	q, ok := e.Prim.(core.Paramer)
	if !ok {
		return nothing
	}
	ps := q.Params()
	if len(ps) == 0 {
		return nothing
	}
	ds := make([]*doc, len(ps))
	for i, q := range ps {
		ds[i] = lazy(func() *doc { return cat(text(q.Key+"="), p.value(p.read.value(e, q))) })
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
	case Mixed:
		var ds []*doc
		for i, around := range v.Around {
			ds = append(ds, text(around))
			if i < len(v.Programs) {
				ds = append(ds, p.apart(v.Programs[i]))
			}
		}
		return cat(ds...)
	case fmt.Stringer:
		return p.value(v.String())
	}
	panic(fmt.Sprintf("BUG: a parameter of type %T does not print", v))
}

func tuple(ds []*doc) *doc {
	return group(cat(nest(cat(text("("), softNone, join(softSpace, ds))), softNone, text(")")))
}

// nested lays out a program in an equation: whole, or by its name if it is shared.
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
	return p.foldable(j)
}

// foldable lays out an inner program, in the HTML view with the marks by which it folds.
func (p *printer) foldable(j *Jaxpr) *doc {
	if p.marks {
		return cat(mark(programMark{}), p.program(j), mark(endProgram{}))
	}
	return p.program(j)
}

func (f *frame) binders(vs []*Var) *doc {
	if len(vs) == 0 {
		return nest(nothing)
	}
	ds := make([]*doc, len(vs))
	for i, v := range vs {
		switch {
		case f.p.marks:
			ds[i] = cat(f.variable(v, true), text(":"), f.p.typ(v.Type))
		case f.blank[v]:
			ds[i] = text("_:" + f.p.typeText(v.Type))
		default:
			ds[i] = text(f.name(v) + ":" + f.p.typeText(v.Type))
		}
	}
	if len(ds) == 1 {
		return ds[0]
	}
	return nest(group(join(fillSpace, ds)))
}

func (f *frame) operands(as []Atom) *doc {
	ds := make([]*doc, len(as))
	for i, a := range as {
		ds[i] = f.atom(a)
	}
	return filled(ds, fillSpace)
}

func (f *frame) results(as []Atom) *doc {
	ds := make([]*doc, len(as))
	for i, a := range as {
		if v, ok := a.(*Var); ok {
			ds[i] = f.variable(v, true)
		} else {
			ds[i] = f.atom(a)
		}
	}
	return filled(ds, cat(text(","), fillSpace))
}

func filled(ds []*doc, between *doc) *doc {
	if len(ds) == 1 {
		return ds[0]
	}
	return nest(group(join(between, ds)))
}

func (f *frame) atom(a Atom) *doc {
	switch a := a.(type) {
	case *Var:
		return f.variable(a, false)
	case core.Literal:
		if f.p.marks {
			return cat(mark(literalMark{}), text(a.Text()), mark(endMark{}), text(":"), f.p.typ(a.Aval()))
		}
		if f.p.opts.Weak {
			return text(a.Text() + ":" + f.p.typeText(a.Aval()))
		}
		return text(a.String())
	case nil:
		return text("?")
	}
	// Not an atom: only a program that does not pass Check has one.
	return text(fmt.Sprintf("<%T:%v>", a, a.Aval()))
}

// variable lays out a variable, as _ if mayBeBlank is set and it is blank in this program.
func (f *frame) variable(v *Var, mayBeBlank bool) *doc {
	if v == nil {
		return text("?")
	}
	name := "_"
	if !mayBeBlank || !f.blank[v] {
		name = f.name(v)
	}
	if f.p.marks {
		return cat(mark(varMark{v}), text(name), mark(endMark{}))
	}
	return text(name)
}

func (p *printer) typ(a core.ShapedArray) *doc {
	return cat(mark(typeMark{a}), text(p.typeText(a)), mark(endMark{}))
}

func (p *printer) typeText(a core.ShapedArray) string {
	if p.opts.Weak {
		return a.Full()
	}
	return a.String()
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
		return note(unknownSite)
	}
	place := filepath.Base(file) + ":" + strconv.Itoa(line)
	if fn != "" { // a text has no functions of Go
		place += " (" + path.Base(fn) + ")"
	}
	return note(place)
}
