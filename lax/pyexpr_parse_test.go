package lax_test

import (
	"strconv"
	"strings"
)

// pyScope is the names of a program, of a function's call or of a comprehension.
type pyScope struct {
	names map[string]any
	outer *pyScope
}

func (s *pyScope) inner() *pyScope { return &pyScope{map[string]any{}, s} }

func (s *pyScope) get(name string) any {
	for at := s; at != nil; at = at.outer {
		if v, ok := at.names[name]; ok {
			return v
		}
	}
	return pyBuiltinName(name)
}

type (
	pyExpr   func(*pyScope) any
	pyTarget func(*pyScope, any) // an assignment
	// pyStmt runs; done tells that the function returned result.
	pyStmt func(*pyScope) (result any, done bool)
)

// pyParser reads words to functions that evaluate them.
type pyParser struct {
	words []pyToken
	at    int
}

func (p *pyParser) next() pyToken { return p.words[p.at] }

func (p *pyParser) is(mark string) bool {
	w := p.next()
	return (w.kind == pyMark || w.kind == pyName) && w.text == mark
}

func (p *pyParser) take(mark string) bool {
	if p.is(mark) {
		p.at++
		return true
	}
	return false
}

func (p *pyParser) must(mark string) {
	if !p.take(mark) {
		pyCannot("%q where %q is expected", p.next().text, mark)
	}
}

func (p *pyParser) name() string {
	w := p.next()
	if w.kind != pyName {
		pyCannot("%q where a name is expected", w.text)
	}
	p.at++
	return w.text
}

func (p *pyParser) end() {
	if p.next().kind == pyNewline {
		p.at++
	} else if k := p.next().kind; k != pyEnd && k != pyDedent {
		pyCannot("%q at the end of a statement", p.next().text)
	}
}

// program reads statements up to the end of the block.
func (p *pyParser) program() pyStmt {
	var body []pyStmt
	for p.next().kind != pyEnd && p.next().kind != pyDedent {
		body = append(body, p.statement())
	}
	return func(s *pyScope) (any, bool) {
		for _, st := range body {
			if v, done := st(s); done {
				return v, true
			}
		}
		return nil, false
	}
}

// block is an indented block, or the rest of the line.
func (p *pyParser) block() pyStmt {
	p.must(":")
	if p.next().kind != pyNewline {
		return p.statement()
	}
	p.at++
	if p.next().kind != pyIndent {
		pyCannot("a block that is not indented")
	}
	p.at++
	body := p.program()
	p.at++ // the dedent
	return body
}

func (p *pyParser) statement() pyStmt {
	switch {
	case p.take("return"):
		e := func(*pyScope) any { return nil }
		if p.next().kind != pyNewline {
			e = p.tuple()
		}
		p.end()
		return func(s *pyScope) (any, bool) { return e(s), true }
	case p.take("pass"), p.take("from"), p.take("import"):
		for p.next().kind != pyNewline {
			p.at++
		}
		p.end()
		return func(*pyScope) (any, bool) { return nil, false }
	case p.is("@"), p.is("def"):
		return p.definition()
	case p.take("for"):
		into := p.targets()
		p.must("in")
		over, body := p.tuple(), pyStmt(nil)
		body = p.block()
		return func(s *pyScope) (any, bool) {
			for _, v := range pyIterate(over(s)) {
				into(s, v)
				if r, done := body(s); done {
					return r, true
				}
			}
			return nil, false
		}
	case p.take("if"):
		test := p.expr()
		yes := p.block()
		no := func(*pyScope) (any, bool) { return nil, false }
		if p.take("else") {
			no = p.block()
		}
		return func(s *pyScope) (any, bool) {
			if pyTruth(test(s)) {
				return yes(s)
			}
			return no(s)
		}
	case p.take("with"):
		context := p.expr()
		body := p.block()
		return func(s *pyScope) (any, bool) { context(s); return body(s) }
	}
	e := p.tuple()
	if !p.is("=") {
		for _, op := range []string{"+", "-", "*", "/"} {
			if p.take(op + "=") {
				return p.augmented(op, e)
			}
		}
		p.end()
		return func(s *pyScope) (any, bool) { e(s); return nil, false }
	}
	// The targets were read as expressions: read them again as what they are.
	return p.assignment()
}

func (p *pyParser) augmented(op string, e pyExpr) pyStmt {
	name := p.words[p.at-2].text
	right := p.tuple()
	p.end()
	return func(s *pyScope) (any, bool) { s.names[name] = pyOperate(op, e(s), right(s)); return nil, false }
}

func (p *pyParser) assignment() pyStmt {
	for p.at > 0 {
		if k := p.words[p.at-1].kind; k == pyNewline || k == pyIndent || k == pyDedent {
			break
		}
		p.at--
	}
	var into []pyTarget
	for {
		start := p.at
		if t := p.tryTargets(); t != nil && p.take("=") {
			into = append(into, t)
			continue
		}
		p.at = start
		break
	}
	if len(into) == 0 {
		pyCannot("an assignment to %q", p.next().text)
	}
	e := p.tuple()
	p.end()
	return func(s *pyScope) (any, bool) {
		v := e(s)
		for _, t := range into {
			t(s, v)
		}
		return nil, false
	}
}

func (p *pyParser) tryTargets() (t pyTarget) {
	if p.next().kind != pyName && !p.is("(") {
		return nil
	}
	for at := p.at; ; at++ { // only names, commas and parentheses
		w := p.words[at]
		if w.kind == pyMark && w.text == "=" {
			break
		}
		if w.kind != pyName && !(w.kind == pyMark && strings.Contains("(),*", w.text)) {
			return nil
		}
	}
	return p.targets()
}

// targets are the names that a value is bound to: a, or a, (b, c).
func (p *pyParser) targets() pyTarget {
	var ts []pyTarget
	tuple := false
	for p.next().kind == pyName && !p.is("in") || p.is("(") {
		if p.take("(") {
			ts = append(ts, p.targets())
			p.must(")")
		} else {
			name := p.name()
			ts = append(ts, func(s *pyScope, v any) { s.names[name] = v })
		}
		if !p.take(",") {
			break
		}
		tuple = true
	}
	if !tuple && len(ts) == 1 {
		return ts[0]
	}
	return func(s *pyScope, v any) {
		vs := pyIterate(v)
		if len(vs) != len(ts) {
			pyCannot("%d values for %d names", len(vs), len(ts))
		}
		for i, t := range ts {
			t(s, vs[i])
		}
	}
}

func (p *pyParser) definition() pyStmt {
	var decorators []pyExpr
	for p.take("@") {
		decorators = append(decorators, p.expr())
		p.end()
	}
	p.must("def")
	name := p.name()
	p.must("(")
	params := p.params(")")
	p.must(")")
	block := p.block()
	body := func(s *pyScope) any { v, _ := block(s); return v }
	return func(s *pyScope) (any, bool) {
		var f any = params.bind(s, name, body)
		for i := len(decorators) - 1; i >= 0; i-- {
			f = pyCall(decorators[i](s), []any{f}, nil)
		}
		s.names[name] = f
		return nil, false
	}
}

// pyParams are the parameters of a function.
type pyParams struct {
	names    []string
	defaults map[string]pyExpr
	rest     string // *args
	only     int    // names from here on are keywords only
}

func (p *pyParser) params(end string) *pyParams {
	ps := &pyParams{defaults: map[string]pyExpr{}, only: -1}
	for !p.is(end) {
		if p.take("*") {
			ps.only = len(ps.names)
			if p.next().kind == pyName {
				ps.rest = p.name()
			}
		} else {
			name := p.name()
			ps.names = append(ps.names, name)
			if p.take("=") {
				ps.defaults[name] = p.expr()
			}
		}
		if !p.take(",") {
			break
		}
	}
	if ps.only < 0 {
		ps.only = len(ps.names)
	}
	return ps
}

// bind makes a function of parameters and a body; defaults are evaluated now.
func (ps *pyParams) bind(s *pyScope, name string, body pyExpr) *pyFunc {
	f := &pyFunc{name: name, params: ps, body: body, scope: s, defaults: map[string]any{}}
	for n, e := range ps.defaults {
		f.defaults[n] = e(s)
	}
	return f
}

// tuple is an expression, or several with commas between them.
func (p *pyParser) tuple() pyExpr {
	first := p.star()
	if !p.is(",") {
		return first
	}
	es := []pyExpr{first}
	for p.take(",") {
		if k := p.next().kind; k == pyNewline || k == pyEnd || p.is("=") || p.is(")") || p.is("]") {
			break
		}
		es = append(es, p.star())
	}
	return func(s *pyScope) any { return pyTuple(pyAll(s, es)) }
}

// pySpread is *x among the elements of a tuple or the arguments of a call.
type pySpread struct{ items []any }

func (p *pyParser) star() pyExpr {
	if p.take("*") {
		e := p.expr()
		return func(s *pyScope) any { return pySpread{pyIterate(e(s))} }
	}
	return p.expr()
}

func pyAll(s *pyScope, es []pyExpr) []any {
	out := []any{}
	for _, e := range es {
		v := e(s)
		if sp, ok := v.(pySpread); ok {
			out = append(out, sp.items...)
		} else {
			out = append(out, v)
		}
	}
	return out
}

func (p *pyParser) expr() pyExpr {
	if p.take("lambda") {
		params := p.params(":")
		p.must(":")
		body := p.expr()
		return func(s *pyScope) any { return params.bind(s, "<lambda>", body) }
	}
	e := p.binary(0)
	if p.take("if") {
		test := p.binary(0)
		p.must("else")
		no := p.expr()
		return func(s *pyScope) any {
			if pyTruth(test(s)) {
				return e(s)
			}
			return no(s)
		}
	}
	return e
}

var pyLevels = [][]string{
	{"or"}, {"and"}, {"==", "!=", "<=", ">=", "<", ">", "is", "in"},
	{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "//", "/", "%", "@"},
}

func (p *pyParser) binary(level int) pyExpr {
	if level == len(pyLevels) {
		return p.unary()
	}
	x := p.binary(level + 1)
	for {
		op := ""
		for _, o := range pyLevels[level] {
			if p.next().kind != pyString && p.take(o) {
				op = o
				break
			}
		}
		if op == "" {
			return x
		}
		left, right := x, p.binary(level+1)
		x = func(s *pyScope) any { return pyOperate(op, left(s), right(s)) }
	}
}

func (p *pyParser) unary() pyExpr {
	for _, op := range []string{"-", "+", "~", "not"} {
		if p.take(op) {
			e := p.unary()
			return func(s *pyScope) any { return pyUnary(op, e(s)) }
		}
	}
	x := p.postfix()
	if p.take("**") {
		y := p.unary()
		return func(s *pyScope) any { return pyOperate("**", x(s), y(s)) }
	}
	return x
}

func (p *pyParser) postfix() pyExpr {
	x := p.atom()
	for {
		on := x
		switch {
		case p.take("."):
			name := p.name()
			x = func(s *pyScope) any { return pyAttribute(on(s), name) }
		case p.take("("):
			args, keys, values := p.arguments()
			x = func(s *pyScope) any {
				f := on(s)
				pos := pyAll(s, args)
				kw := map[string]any{}
				for i, k := range keys {
					kw[k] = values[i](s)
				}
				return pyCall(f, pos, kw)
			}
		case p.take("["):
			index := p.index()
			x = func(s *pyScope) any { return pySubscript(on(s), index(s)) }
		default:
			return x
		}
	}
}

func (p *pyParser) arguments() (args []pyExpr, keys []string, values []pyExpr) {
	for !p.take(")") {
		w := p.next()
		if w.kind == pyName && p.words[p.at+1] == (pyToken{pyMark, "="}) {
			p.at += 2
			keys, values = append(keys, w.text), append(values, p.expr())
		} else {
			e := p.star()
			if p.is("for") {
				e = p.comprehension(e)
			}
			args = append(args, e)
		}
		if !p.take(",") {
			p.must(")")
			break
		}
	}
	return args, keys, values
}

// pySlice is lo:hi:step in an index; nil where left out.
type pySlice struct{ lo, hi, step any }

type pyEllipsis struct{}

func (p *pyParser) index() pyExpr {
	one := func() pyExpr {
		var parts [3]pyExpr
		k, sliced := 0, false
		for {
			if !p.is(":") && !p.is(",") && !p.is("]") {
				parts[k] = p.expr()
			}
			if !p.take(":") {
				break
			}
			sliced = true
			k++
		}
		if !sliced {
			return parts[0]
		}
		return func(s *pyScope) any {
			var v [3]any
			for i, e := range parts {
				if e != nil {
					v[i] = e(s)
				}
			}
			return pySlice{v[0], v[1], v[2]}
		}
	}
	es := []pyExpr{one()}
	tuple := false
	for p.take(",") {
		tuple = true
		if p.is("]") {
			break
		}
		es = append(es, one())
	}
	p.must("]")
	if !tuple {
		return es[0]
	}
	return func(s *pyScope) any { return pyTuple(pyAll(s, es)) }
}

// comprehension is "e for x in xs", whose e has been read.
func (p *pyParser) comprehension(e pyExpr) pyExpr {
	p.must("for")
	into := p.targets()
	p.must("in")
	over := p.binary(0)
	var test pyExpr
	if p.take("if") {
		test = p.binary(0)
	}
	return func(s *pyScope) any {
		out := &pyList{}
		for _, v := range pyIterate(over(s)) {
			in := s.inner()
			into(in, v)
			if test == nil || pyTruth(test(in)) {
				out.items = append(out.items, e(in))
			}
		}
		return out
	}
}

func (p *pyParser) atom() pyExpr {
	w := p.next()
	p.at++
	constant := func(v any) pyExpr { return func(*pyScope) any { return v } }
	switch {
	case w.kind == pyNumber:
		return constant(pyNumberOf(w.text))
	case w.kind == pyString:
		return constant(w.text)
	case w.kind == pyName:
		switch w.text {
		case "True":
			return constant(true)
		case "False":
			return constant(false)
		case "None":
			return constant(nil)
		}
		return func(s *pyScope) any { return s.get(w.text) }
	case w.text == "...":
		return constant(pyEllipsis{})
	case w.text == "(":
		if p.take(")") {
			return constant(pyTuple{})
		}
		e := p.tuple()
		if p.is("for") {
			e = p.comprehension(e)
		}
		p.must(")")
		return e
	case w.text == "[":
		var es []pyExpr
		for !p.is("]") {
			e := p.star()
			if p.is("for") {
				e = p.comprehension(e)
				p.must("]")
				return e
			}
			es = append(es, e)
			if !p.take(",") {
				break
			}
		}
		p.must("]")
		return func(s *pyScope) any { return &pyList{pyAll(s, es)} }
	case w.text == "{":
		var keys, values []pyExpr
		for !p.is("}") {
			keys = append(keys, p.expr())
			p.must(":")
			values = append(values, p.expr())
			if !p.take(",") {
				break
			}
		}
		p.must("}")
		return func(s *pyScope) any {
			d := pyDict{}
			for i, k := range keys {
				name, ok := k(s).(string)
				if !ok {
					pyCannot("a dict whose keys are no strings")
				}
				d[name] = values[i](s)
			}
			return d
		}
	}
	pyCannot("%q", w.text)
	return nil
}

func pyNumberOf(s string) any {
	t, imaginary := strings.CutSuffix(strings.ReplaceAll(s, "_", ""), "j")
	if !imaginary {
		if n, err := strconv.ParseInt(t, 0, 64); err == nil {
			return int(n)
		}
		if n, err := strconv.ParseUint(t, 0, 64); err == nil {
			return n // beyond an int64: for NumPy's uint64 only
		}
	}
	f, err := strconv.ParseFloat(t, 64)
	if err != nil {
		pyCannot("the number %s", s)
	}
	if imaginary {
		return complex(0, f)
	}
	return f
}

// pyParse reads a program.
func pyParse(src string) pyStmt {
	p := &pyParser{words: pyLex(src)}
	return p.program()
}

// pyParseExpr reads one expression.
func pyParseExpr(src string) pyExpr {
	p := &pyParser{words: pyLex(src)}
	e := p.tuple()
	p.end()
	return e
}
