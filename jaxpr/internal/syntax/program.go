package syntax

import (
	"strings"

	"github.com/weft-go/weft/core"
)

// MaxNesting is how deep programs may stand within programs.
const MaxNesting = 1024

type reader struct {
	src   string
	pos   int
	depth int
	types map[string]core.ShapedArray

	seen, line int // the position last looked up, and where its line begins
}

// Read reads a text. A mistake is a panic with a *core.Error that wraps a [MistakeAt].
func Read(src string) *Text {
	r := &reader{src: src}
	t := r.text()
	r.blanks()
	if r.pos < len(r.src) {
		if r.peek() == '{' {
			r.fail(r.pos, "a second program begins here; a text contains one")
		}
		r.fail(r.pos, "expected the end of the text")
	}
	return t
}

// text reads definitions and the program after them.
func (r *reader) text() *Text {
	t := &Text{}
	r.blanks()
	for r.word("let") {
		r.blanks()
		pos := r.pos
		name := strings.TrimRight(r.until("\n={"), " \t")
		if name == "" {
			r.fail(pos, "expected the name of a shared program after let")
		}
		r.blanks()
		r.expect("=")
		r.blanks()
		p := r.program()
		r.blanks()
		if !r.word("in") {
			r.fail(r.pos, "expected in after the definition of %s", name)
		}
		r.blanks()
		t.Defs = append(t.Defs, Def{name, pos, p})
	}
	t.Main = r.program()
	return t
}

// program reads { lambda consts ; inputs . let equations in (results) }.
func (r *reader) program() *Program {
	if r.depth++; r.depth > MaxNesting {
		r.fail(r.pos, "programs are nested deeper than %d; share them with let", MaxNesting)
	}
	defer func() { r.depth-- }()
	p := &Program{Pos: r.pos}
	r.expect("{")
	r.blanks()
	if !r.word("lambda") {
		r.fail(r.pos, "expected lambda")
	}
	p.Consts = r.binders()
	r.blanks()
	r.expect(";")
	p.Ins = r.binders()
	r.blanks()
	r.expect(".")
	r.blanks()
	if !r.word("let") {
		r.fail(r.pos, "expected let")
	}
	for {
		r.blanks()
		for r.peek() == ';' {
			r.pos++
			r.blanks()
		}
		if r.inKeyword() {
			break
		}
		if c := r.peek(); c == 0 || c == '}' {
			r.fail(r.pos, "expected an equation, or in and the results")
		}
		p.Eqns = append(p.Eqns, r.eqn())
	}
	r.pos += len("in")
	r.blanks()
	r.expect("(")
	for {
		r.blanks()
		if r.peek() == ')' {
			r.pos++
			break
		}
		p.Outs = append(p.Outs, r.atom())
		r.blanks()
		if r.peek() == ',' {
			r.pos++
		} else if r.peek() != ')' {
			r.fail(r.pos, "expected , or ) among the results")
		}
	}
	r.blanks()
	if r.peek() == ':' {
		r.effects()
	}
	r.expect("}")
	return p
}

// effects skips ": { Debug }", which follows from the equations.
func (r *reader) effects() {
	r.pos++
	r.blanks()
	r.expect("{")
	for r.peek() != '}' {
		if r.peek() == 0 || r.peek() == '{' {
			r.fail(r.pos, "expected effects and }")
		}
		r.pos++
	}
	r.pos++
	r.blanks()
}

// binders reads name:type pairs as far as there are any.
func (r *reader) binders() []Binder {
	var bs []Binder
	for {
		r.blanks()
		n := r.ident(r.pos)
		if n == 0 || r.at(r.pos+n) != ':' {
			return bs
		}
		b := Binder{Name: r.src[r.pos : r.pos+n], Pos: r.pos}
		r.pos += n + 1
		b.Type = r.markedType()
		bs = append(bs, b)
	}
}

func (r *reader) eqn() Eqn {
	e := Eqn{Pos: r.pos}
	indent := r.lineIndent(r.pos)
	e.Outs = r.binders()
	r.blanks()
	if len(e.Outs) > 0 {
		switch {
		case strings.HasPrefix(r.src[r.pos:], "<-"):
			r.pos += 2
			e.Ref = &Ref{Op: "get"}
			r.refIndex(e.Ref)
			return e
		case r.peek() == ',':
			r.pos++
			e.Ref = &Ref{Op: "swap"}
			r.swap(e.Ref)
			return e
		}
		if r.peek() != '=' {
			r.fail(r.pos, "expected = after the results of an equation")
		}
		r.pos++
		r.blanks()
	}
	pos := r.pos
	e.Prim = r.primName()
	if e.Prim == "" {
		r.fail(pos, "expected the name of a primitive")
	}
	if r.peek() == '[' {
		if len(e.Outs) == 0 && !r.keyAhead(r.pos+1) {
			r.pos = pos
			e.Ref = r.refWrite()
			return e
		}
		r.pos++
		e.Params = r.params(e.Prim)
	}
	for r.moreAtoms(indent) {
		e.Ins = append(e.Ins, r.atom())
	}
	return e
}

// moreAtoms moves to the next operand, if there is one. Operands go on after a
// line break if they stand deeper than the equation and do not look like the
// beginning of another.
func (r *reader) moreAtoms(indent int) bool {
	i := r.afterBlanks(r.pos)
	newline := strings.IndexByte(r.src[r.pos:i], '\n') >= 0
	if i == len(r.src) || r.src[i] == ';' || r.src[i] == '}' {
		return false
	}
	save := r.pos
	r.pos = i
	if r.inKeyword() || newline && (r.column(i) <= indent || r.eqnAhead()) {
		r.pos = save
		return false
	}
	return true
}

// eqnAhead reports whether an equation, and no operand, begins here.
func (r *reader) eqnAhead() bool {
	n := r.ident(r.pos)
	if n == 0 {
		return false
	}
	switch r.at(r.pos + n) {
	case ':':
		return !wordNumber(r.src[r.pos : r.pos+n])
	case '[':
		return true
	}
	return false
}

func wordNumber(s string) bool {
	return s == "nan" || s == "inf" || s == "True" || s == "False"
}

func (r *reader) atom() Atom {
	a := Atom{Pos: r.pos}
	switch c := r.peek(); {
	case c == '(':
		end := strings.IndexByte(r.src[r.pos:], ')')
		if end < 0 {
			r.fail(r.pos, "expected a complex number")
		}
		r.pos += end + 1
	case c == '[':
		r.fail(r.pos, "a literal array has no value in text; make it an input of the program")
	default:
		r.until(" \t\r\n:,;()[]{}=")
	}
	a.Word = r.src[a.Pos:r.pos]
	if a.Word == "" && r.peek() == '=' {
		before := strings.TrimRight(r.src[:r.pos], " \t\r\n")
		name := before[strings.LastIndexAny(before, " \t\r\n;,")+1:]
		r.fail(a.Pos, "the variable %s has no type; write it before the =, as in %s:f32[] = …", name, name)
	}
	if a.Word == "" {
		r.fail(a.Pos, "expected a variable or a literal")
	}
	if r.peek() == ':' {
		r.pos++
		a.Literal = true
		a.Type = r.markedType()
		return a
	}
	if r.ident(a.Pos) != len(a.Word) {
		r.fail(a.Pos, "expected a variable, or a literal with its type as 2.0:f32[]; got %s (JAX before 0.6 wrote literals without types; add the types, or print the program with a later one)", a.Word)
	}
	return a
}

// inKeyword reports whether the keyword "in" stands here, and not a variable of that
// name.
func (r *reader) inKeyword() bool {
	if !strings.HasPrefix(r.src[r.pos:], "in") {
		return false
	}
	i := r.afterBlanks(r.pos + 2)
	if r.at(i) != '(' {
		return false
	}
	end := strings.IndexByte(r.src[i:], ')')
	if end < 0 {
		return true
	}
	// A complex number in parentheses has its type right after it.
	inner := r.src[i+1 : i+end]
	return !(r.at(i+end+1) == ':' && strings.HasSuffix(inner, "j") && !strings.ContainsAny(inner, " ,:("))
}

// refIndex reads a[index], or a[index][index] of a part of a reference.
func (r *reader) refIndex(f *Ref) {
	r.blanks()
	f.Ref = r.atom()
	if f.Ref.Literal {
		r.fail(f.Ref.Pos, "expected a reference")
	}
	r.expect("[")
	end := strings.IndexByte(r.src[r.pos:], ']')
	if end < 0 || strings.ContainsAny(r.src[r.pos:r.pos+end], "\n{}=") {
		r.fail(r.pos, "expected an index and ]")
	}
	for strings.HasPrefix(r.src[r.pos+end:], "][") {
		n := strings.IndexByte(r.src[r.pos+end+1:], ']')
		if n < 0 || strings.ContainsAny(r.src[r.pos+end+1:r.pos+end+1+n], "\n{}=") {
			r.fail(r.pos+end+1, "expected an index and ]")
		}
		end += n + 1
	}
	f.Index = r.src[r.pos : r.pos+end]
	r.pos += end + 1
}

// swap reads a[index] <- a[index], value.
func (r *reader) swap(f *Ref) {
	r.refIndex(f)
	r.blanks()
	r.expect("<-")
	again := Ref{}
	r.refIndex(&again)
	if again.Ref.Word != f.Ref.Word || again.Index != f.Index {
		r.fail(again.Ref.Pos, "a swap reads and writes the same place; write the same index on both sides")
	}
	r.expect(",")
	r.blanks()
	v := r.atom()
	f.Value = &v
}

// refWrite reads a[index] <- value or a[index] += value.
func (r *reader) refWrite() *Ref {
	f := &Ref{Op: "swap"}
	r.refIndex(f)
	r.blanks()
	if strings.HasPrefix(r.src[r.pos:], "+=") {
		f.Op = "addupdate"
		r.pos += 2
	} else {
		r.expect("<-")
	}
	r.blanks()
	v := r.atom()
	f.Value = &v
	return f
}
