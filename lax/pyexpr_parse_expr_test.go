package lax_test

import (
	"strconv"
	"strings"
)

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
