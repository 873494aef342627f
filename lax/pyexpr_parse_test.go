package lax_test

import "strings"

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
