package python

import "strings"

type (
	expr   func(*Scope) any
	target func(*Scope, any) // an assignment
	// stmt runs; done reports that the function returned result.
	stmt func(*Scope) (result any, done bool)
)

// parser translates words into functions that evaluate them.
type parser struct {
	words []word
	at    int
}

func (p *parser) next() word { return p.words[p.at] }

func (p *parser) is(mark string) bool {
	w := p.next()
	return (w.kind == markWord || w.kind == nameWord) && w.text == mark
}

func (p *parser) take(mark string) bool {
	if p.is(mark) {
		p.at++
		return true
	}
	return false
}

func (p *parser) must(mark string) {
	if !p.take(mark) {
		Cannot("%q where %q is expected", p.next().text, mark)
	}
}

func (p *parser) name() string {
	w := p.next()
	if w.kind != nameWord {
		Cannot("%q where a name is expected", w.text)
	}
	p.at++
	return w.text
}

func (p *parser) end() {
	if p.next().kind == newlineWord {
		p.at++
	} else if k := p.next().kind; k != endWord && k != dedentWord {
		Cannot("%q at the end of a statement", p.next().text)
	}
}

// program reads statements up to the end of the block.
func (p *parser) program() stmt {
	var body []stmt
	for p.next().kind != endWord && p.next().kind != dedentWord {
		body = append(body, p.statement())
	}
	return func(s *Scope) (any, bool) {
		for _, st := range body {
			if v, done := st(s); done {
				return v, true
			}
		}
		return nil, false
	}
}

// block returns an indented block, or the rest of the line.
func (p *parser) block() stmt {
	p.must(":")
	if p.next().kind != newlineWord {
		return p.statement()
	}
	p.at++
	if p.next().kind != indentWord {
		Cannot("a block that is not indented")
	}
	p.at++
	body := p.program()
	p.at++ // the dedent
	return body
}

func (p *parser) statement() stmt {
	switch {
	case p.take("return"):
		e := func(*Scope) any { return nil }
		if p.next().kind != newlineWord {
			e = p.tuple()
		}
		p.end()
		return func(s *Scope) (any, bool) { return e(s), true }
	case p.take("pass"), p.take("from"), p.take("import"):
		for p.next().kind != newlineWord {
			p.at++
		}
		p.end()
		return func(*Scope) (any, bool) { return nil, false }
	case p.is("@"), p.is("def"):
		return p.definition()
	case p.take("for"):
		into := p.targets()
		p.must("in")
		over, body := p.tuple(), stmt(nil)
		body = p.block()
		return func(s *Scope) (any, bool) {
			for _, v := range s.iterate(over(s)) {
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
		no := func(*Scope) (any, bool) { return nil, false }
		if p.take("else") {
			no = p.block()
		}
		return func(s *Scope) (any, bool) {
			if s.library.Truth(test(s)) {
				return yes(s)
			}
			return no(s)
		}
	case p.take("with"):
		context := p.expr()
		body := p.block()
		return func(s *Scope) (any, bool) { context(s); return body(s) }
	}
	e := p.tuple()
	if !p.is("=") {
		for _, op := range []string{"+", "-", "*", "/"} {
			if p.take(op + "=") {
				return p.augmented(op, e)
			}
		}
		p.end()
		return func(s *Scope) (any, bool) { e(s); return nil, false }
	}
	// The targets were read as expressions: read them again as targets.
	return p.assignment()
}

func (p *parser) augmented(op string, e expr) stmt {
	name := p.words[p.at-2].text
	right := p.tuple()
	p.end()
	return func(s *Scope) (any, bool) { s.Names[name] = s.library.Operate(op, e(s), right(s)); return nil, false }
}

func (p *parser) assignment() stmt {
	for p.at > 0 {
		if k := p.words[p.at-1].kind; k == newlineWord || k == indentWord || k == dedentWord {
			break
		}
		p.at--
	}
	var into []target
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
		Cannot("an assignment to %q", p.next().text)
	}
	e := p.tuple()
	p.end()
	return func(s *Scope) (any, bool) {
		v := e(s)
		for _, t := range into {
			t(s, v)
		}
		return nil, false
	}
}

func (p *parser) tryTargets() (t target) {
	if p.next().kind != nameWord && !p.is("(") {
		return nil
	}
	for at := p.at; ; at++ { // only names, commas and parentheses
		w := p.words[at]
		if w.kind == markWord && w.text == "=" {
			break
		}
		if w.kind != nameWord && !(w.kind == markWord && strings.Contains("(),*", w.text)) {
			return nil
		}
	}
	return p.targets()
}

// targets returns the names that a value is bound to: a, or a, (b, c).
func (p *parser) targets() target {
	var ts []target
	tuple := false
	for p.next().kind == nameWord && !p.is("in") || p.is("(") {
		if p.take("(") {
			ts = append(ts, p.targets())
			p.must(")")
		} else {
			name := p.name()
			ts = append(ts, func(s *Scope, v any) { s.Names[name] = v })
		}
		if !p.take(",") {
			break
		}
		tuple = true
	}
	if !tuple && len(ts) == 1 {
		return ts[0]
	}
	return func(s *Scope, v any) {
		vs := s.iterate(v)
		if len(vs) != len(ts) {
			Cannot("%d values for %d names", len(vs), len(ts))
		}
		for i, t := range ts {
			t(s, vs[i])
		}
	}
}

func (p *parser) definition() stmt {
	var decorators []expr
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
	body := func(s *Scope) any { v, _ := block(s); return v }
	return func(s *Scope) (any, bool) {
		var f any = params.bind(s, name, body)
		for i := len(decorators) - 1; i >= 0; i-- {
			f = s.library.Call(decorators[i](s), []any{f}, nil)
		}
		s.Names[name] = f
		return nil, false
	}
}

// params are the parameters of a function.
type params struct {
	names    []string
	defaults map[string]expr
	rest     string // *args
	only     int    // names from here on are keywords only
}

func (p *parser) params(end string) *params {
	ps := &params{defaults: map[string]expr{}, only: -1}
	for !p.is(end) {
		if p.take("*") {
			ps.only = len(ps.names)
			if p.next().kind == nameWord {
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
