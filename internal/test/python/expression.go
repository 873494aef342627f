package python

import (
	"slices"
	"strconv"
	"strings"
)

// tuple returns an expression, or several with commas between them.
func (p *parser) tuple() expr {
	first := p.star()
	if !p.is(",") {
		return first
	}
	es := []expr{first}
	for p.take(",") {
		if k := p.next().kind; k == newlineWord || k == endWord || p.is("=") || p.is(")") || p.is("]") {
			break
		}
		es = append(es, p.star())
	}
	return func(s *Scope) any { return Tuple(evaluateAll(s, es)) }
}

// spread is *x among the elements of a tuple or the arguments of a call.
type spread struct{ items []any }

func (p *parser) star() expr {
	if p.take("*") {
		e := p.expr()
		return func(s *Scope) any { return spread{s.iterate(e(s))} }
	}
	return p.expr()
}

func evaluateAll(s *Scope, es []expr) []any {
	out := []any{}
	for _, e := range es {
		v := e(s)
		if sp, ok := v.(spread); ok {
			out = append(out, sp.items...)
		} else {
			out = append(out, v)
		}
	}
	return out
}

func (p *parser) expr() expr {
	if p.take("lambda") {
		params := p.params(":")
		p.must(":")
		body := p.expr()
		return func(s *Scope) any { return params.bind(s, "<lambda>", body) }
	}
	e := p.binary(0)
	if p.take("if") {
		test := p.binary(0)
		p.must("else")
		no := p.expr()
		return func(s *Scope) any {
			if s.library.Truth(test(s)) {
				return e(s)
			}
			return no(s)
		}
	}
	return e
}

var levels = [][]string{
	{"or"}, {"and"}, {"==", "!=", "<=", ">=", "<", ">", "is", "in"},
	{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "//", "/", "%", "@"},
}

func (p *parser) binary(level int) expr {
	if level == len(levels) {
		return p.unary()
	}
	x := p.binary(level + 1)
	for {
		op := ""
		for _, o := range levels[level] {
			if p.next().kind != stringWord && p.take(o) {
				op = o
				break
			}
		}
		if op == "" {
			return x
		}
		left, right := x, p.binary(level+1)
		x = func(s *Scope) any { return s.library.Operate(op, left(s), right(s)) }
	}
}

func (p *parser) unary() expr {
	for _, op := range []string{"-", "+", "~", "not"} {
		if p.take(op) {
			e := p.unary()
			return func(s *Scope) any { return s.library.Unary(op, e(s)) }
		}
	}
	x := p.postfix()
	if p.take("**") {
		y := p.unary()
		return func(s *Scope) any { return s.library.Operate("**", x(s), y(s)) }
	}
	return x
}

func (p *parser) postfix() expr {
	x := p.atom()
	for {
		on := x
		switch {
		case p.take("."):
			name := p.name()
			x = func(s *Scope) any { return s.library.Attribute(on(s), name) }
		case p.take("("):
			args, keys, values := p.arguments()
			x = func(s *Scope) any {
				f := on(s)
				pos := evaluateAll(s, args)
				kw := map[string]any{}
				for i, k := range keys {
					kw[k] = values[i](s)
				}
				return s.library.Call(f, pos, kw)
			}
		case p.take("["):
			index := p.index()
			x = func(s *Scope) any { return s.library.Subscript(on(s), index(s)) }
		default:
			return x
		}
	}
}

func (p *parser) arguments() (args []expr, keys []string, values []expr) {
	for !p.take(")") {
		w := p.next()
		if w.kind == nameWord && p.words[p.at+1] == (word{markWord, "="}) {
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

func (p *parser) index() expr {
	one := func() expr {
		var parts [3]expr
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
		return func(s *Scope) any {
			var v [3]any
			for i, e := range parts {
				if e != nil {
					v[i] = e(s)
				}
			}
			return Slice{v[0], v[1], v[2]}
		}
	}
	es := []expr{one()}
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
	return func(s *Scope) any { return Tuple(evaluateAll(s, es)) }
}

// comprehension returns "e for x in xs for y in ys if test", whose e has been read.
func (p *parser) comprehension(e expr) expr {
	type clause struct {
		into  target
		over  expr
		tests []expr
	}
	var clauses []clause
	for p.take("for") {
		c := clause{into: p.targets()}
		p.must("in")
		c.over = p.binary(0)
		for p.take("if") {
			c.tests = append(c.tests, p.binary(0))
		}
		clauses = append(clauses, c)
	}
	return func(s *Scope) any {
		out := &List{}
		in := s.inner()
		var loop func(at []clause)
		loop = func(at []clause) {
			if len(at) == 0 {
				out.Items = append(out.Items, e(in))
				return
			}
			for _, v := range in.iterate(at[0].over(in)) {
				at[0].into(in, v)
				if !slices.ContainsFunc(at[0].tests, func(test expr) bool { return !s.library.Truth(test(in)) }) {
					loop(at[1:])
				}
			}
		}
		loop(clauses)
		return out
	}
}

func (p *parser) atom() expr {
	w := p.next()
	p.at++
	constant := func(v any) expr { return func(*Scope) any { return v } }
	switch {
	case w.kind == numberWord:
		return constant(numberOf(w.text))
	case w.kind == stringWord:
		return constant(w.text)
	case w.kind == nameWord:
		switch w.text {
		case "True":
			return constant(true)
		case "False":
			return constant(false)
		case "None":
			return constant(nil)
		}
		return func(s *Scope) any { return s.get(w.text) }
	case w.text == "...":
		return constant(Ellipsis{})
	case w.text == "(":
		if p.take(")") {
			return constant(Tuple{})
		}
		e := p.tuple()
		if p.is("for") {
			e = p.comprehension(e)
		}
		p.must(")")
		return e
	case w.text == "[":
		var es []expr
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
		return func(s *Scope) any { return &List{evaluateAll(s, es)} }
	case w.text == "{":
		var keys, values []expr
		for !p.is("}") {
			keys = append(keys, p.expr())
			p.must(":")
			values = append(values, p.expr())
			if !p.take(",") {
				break
			}
		}
		p.must("}")
		return func(s *Scope) any {
			d := Dict{}
			for i, k := range keys {
				name, ok := k(s).(string)
				if !ok {
					Cannot("a dict whose keys are no strings")
				}
				d[name] = values[i](s)
			}
			return d
		}
	}
	Cannot("%q", w.text)
	return nil
}

func numberOf(s string) any {
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
		Cannot("the number %s", s)
	}
	if imaginary {
		return complex(0, f)
	}
	return f
}
