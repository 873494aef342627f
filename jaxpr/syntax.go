package jaxpr

import (
	"strings"

	"github.com/weft-go/weft/core"
)

// maxNesting is how deep programs may stand within programs.
const maxNesting = 1024

type reader struct {
	src   string
	pos   int
	depth int
	types map[string]core.ShapedArray

	seen, line int // the line that contains the position last looked up begins at line
}

// text reads definitions and the program behind them.
func (r *reader) text() *rawText {
	t := &rawText{}
	r.blanks()
	start := r.pos
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
		t.defs = append(t.defs, rawDef{name, pos, p})
	}
	t.main = r.program()
	t.src = r.src[start:r.pos]
	return t
}

// program reads { lambda consts ; inputs . let equations in (results) }.
func (r *reader) program() *rawProgram {
	if r.depth++; r.depth > maxNesting {
		r.fail(r.pos, "programs are nested deeper than %d; share them with let", maxNesting)
	}
	defer func() { r.depth-- }()
	p := &rawProgram{pos: r.pos}
	r.expect("{")
	r.blanks()
	if !r.word("lambda") {
		r.fail(r.pos, "expected lambda")
	}
	p.consts = r.binders()
	r.blanks()
	r.expect(";")
	p.ins = r.binders()
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
		p.eqns = append(p.eqns, r.eqn())
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
		p.outs = append(p.outs, r.atom())
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

// effects skips ": { Debug }", which adds nothing to the equations.
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
func (r *reader) binders() []rawBinder {
	var bs []rawBinder
	for {
		r.blanks()
		n := r.ident(r.pos)
		if n == 0 || r.at(r.pos+n) != ':' {
			return bs
		}
		b := rawBinder{name: r.src[r.pos : r.pos+n], pos: r.pos}
		r.pos += n + 1
		b.typ = r.markedType()
		bs = append(bs, b)
	}
}

func (r *reader) eqn() rawEqn {
	e := rawEqn{pos: r.pos}
	indent := r.lineIndent(r.pos)
	e.outs = r.binders()
	r.blanks()
	if len(e.outs) > 0 {
		switch {
		case strings.HasPrefix(r.src[r.pos:], "<-"):
			r.pos += 2
			e.ref = &rawRef{op: "get"}
			r.refIndex(e.ref)
			return e
		case r.peek() == ',':
			r.pos++
			e.ref = &rawRef{op: "swap"}
			r.swap(e.ref)
			return e
		}
		if r.peek() != '=' {
			r.fail(r.pos, "expected = after the results of an equation")
		}
		r.pos++
		r.blanks()
	}
	pos := r.pos
	e.prim = r.primName()
	if e.prim == "" {
		r.fail(pos, "expected the name of a primitive")
	}
	if r.peek() == '[' {
		if len(e.outs) == 0 && !r.keyAhead(r.pos+1) {
			r.pos = pos
			e.ref = r.refWrite()
			return e
		}
		r.pos++
		e.params = r.params(e.prim)
	}
	for r.moreAtoms(indent) {
		e.ins = append(e.ins, r.atom())
	}
	return e
}

// moreAtoms moves to the next operand, if there is one. Operands go on behind a
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

// wordNumber reports whether a word may be a number.
func wordNumber(s string) bool {
	return s == "nan" || s == "inf" || s == "True" || s == "False"
}

// atom reads a variable or a literal.
func (r *reader) atom() rawAtom {
	a := rawAtom{pos: r.pos}
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
	a.word = r.src[a.pos:r.pos]
	if a.word == "" && r.peek() == '=' {
		before := strings.TrimRight(r.src[:r.pos], " \t\r\n")
		name := before[strings.LastIndexAny(before, " \t\r\n;,")+1:]
		r.fail(a.pos, "the variable %s has no type; write it before the =, as in %s:f32[] = …", name, name)
	}
	if a.word == "" {
		r.fail(a.pos, "expected a variable or a literal")
	}
	if r.peek() == ':' {
		r.pos++
		a.literal = true
		a.typ = r.markedType()
		return a
	}
	if r.ident(a.pos) != len(a.word) {
		r.fail(a.pos, "expected a variable, or a literal with its type as 2.0:f32[]; got %s (JAX before 0.6 wrote literals without types; add the types, or print the program with a later one)", a.word)
	}
	return a
}

// inKeyword reports whether the word in stands here and ends the equations, and is
// not a variable of that name.
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
	// A complex number in parentheses has its type right behind it.
	inner := r.src[i+1 : i+end]
	return !(r.at(i+end+1) == ':' && strings.HasSuffix(inner, "j") && !strings.ContainsAny(inner, " ,:("))
}

// refIndex reads a[index].
func (r *reader) refIndex(f *rawRef) {
	r.blanks()
	f.ref = r.atom()
	if f.ref.literal {
		r.fail(f.ref.pos, "expected a reference")
	}
	r.expect("[")
	end := strings.IndexByte(r.src[r.pos:], ']')
	if end < 0 || strings.ContainsAny(r.src[r.pos:r.pos+end], "\n{}=") {
		r.fail(r.pos, "expected an index and ]")
	}
	f.index = r.src[r.pos : r.pos+end]
	r.pos += end + 1
}

// swap reads a[index] <- a[index], value.
func (r *reader) swap(f *rawRef) {
	r.refIndex(f)
	r.blanks()
	r.expect("<-")
	again := rawRef{}
	r.refIndex(&again)
	if again.ref.word != f.ref.word || again.index != f.index {
		r.fail(again.ref.pos, "a swap reads and writes the same place; write the same index on both sides")
	}
	r.expect(",")
	r.blanks()
	v := r.atom()
	f.value = &v
}

// refWrite reads a[index] <- value or a[index] += value.
func (r *reader) refWrite() *rawRef {
	f := &rawRef{op: "swap"}
	r.refIndex(f)
	r.blanks()
	if strings.HasPrefix(r.src[r.pos:], "+=") {
		f.op = "addupdate"
		r.pos += 2
	} else {
		r.expect("<-")
	}
	r.blanks()
	v := r.atom()
	f.value = &v
	return f
}
