package weft_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/testcheck"
)

// python evaluates the expressions in which golden data of jax.numpy are written:
// operators, calls, methods and indices over arrays and numbers. What it does not
// know it refuses with errUnknown, so that a test can tell what it left out.
type python struct {
	s     string
	names map[string]any
}

type errUnknown string

func (e errUnknown) Error() string { return string(e) }

type tuple []any

type keyword struct {
	name string
	v    any
}

type bound struct { // a method of a value, or a function of a module
	on   any
	name string
}

func (p *python) space() { p.s = strings.TrimLeft(p.s, " ") }

func (p *python) take(t string) bool {
	p.space()
	if !strings.HasPrefix(p.s, t) {
		return false
	}
	p.s = p.s[len(t):]
	return true
}

func (p *python) must(t string) {
	if !p.take(t) {
		panic(errUnknown(fmt.Sprintf("want %q at %q", t, p.s)))
	}
}

var levels = [][]string{
	{"==", "!=", "<=", ">=", "<", ">"},
	{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"@", "//", "*", "/", "%"},
}

func (p *python) expr() any { return p.binary(0) }

func (p *python) binary(level int) any {
	if level == len(levels) {
		return p.unary()
	}
	x := p.binary(level + 1)
	for {
		op := ""
		p.space()
		for _, o := range levels[level] {
			if strings.HasPrefix(p.s, o) && !(o == "<" && strings.HasPrefix(p.s, "<<")) && !(o == ">" && strings.HasPrefix(p.s, ">>")) &&
				!(o == "*" && strings.HasPrefix(p.s, "**")) {
				op = o
				break
			}
		}
		if op == "" {
			return x
		}
		p.take(op)
		x = operate(op, x, p.binary(level+1))
	}
}

func (p *python) unary() any {
	switch {
	case p.take("-"):
		switch v := p.unary().(type) {
		case int:
			return -v
		case float64:
			return -v
		case complex128:
			return -v
		case weft.Array:
			return v.Neg()
		}
		panic(errUnknown("minus"))
	case p.take("~"):
		return p.unary().(weft.Array).Not()
	case p.take("+"):
		return p.unary()
	}
	x := p.postfix()
	if p.take("**") {
		return operate("**", x, p.unary())
	}
	return x
}

func (p *python) postfix() any {
	x := p.atom()
	for {
		switch {
		case p.take("."):
			n := 0
			for n < len(p.s) && (p.s[n] == '_' || p.s[n] >= 'a' && p.s[n] <= 'z' || p.s[n] >= 'A' && p.s[n] <= 'Z' || p.s[n] >= '0' && p.s[n] <= '9') {
				n++
			}
			name := p.s[:n]
			p.s = p.s[n:]
			if m, ok := x.(pymodule); ok {
				x = attribute(m, name)
			} else if a, ok := x.(weft.Array); ok && name == "T" {
				x = a.T()
			} else {
				x = bound{x, name}
			}
		case p.take("("):
			x = call(x, p.args(")"))
		case p.take("["):
			x = subscript(x, p.index())
		default:
			return x
		}
	}
}

type pymodule string

type pybuiltin string

func (p *python) atom() any {
	p.space()
	if p.take("(") {
		items := p.args(")")
		if len(items) == 1 && !strings.HasSuffix(p.s, ",)") {
			return items[0]
		}
		return tuple(items)
	}
	if p.take("[") {
		return tuple(p.args("]"))
	}
	if len(p.s) > 0 && (p.s[0] == '\'' || p.s[0] == '"') {
		q := p.s[:1]
		text, rest, _ := strings.Cut(p.s[1:], q)
		p.s = rest
		return text
	}
	n := 0
	for n < len(p.s) && (p.s[n] >= '0' && p.s[n] <= '9' || p.s[n] == '.' || n > 0 && (p.s[n] == 'e' || p.s[n] == '-' && p.s[n-1] == 'e')) {
		n++
	}
	if n > 0 {
		t := p.s[:n]
		p.s = p.s[n:]
		if p.take("j") {
			f, _ := strconv.ParseFloat(t, 64)
			return complex(0, f)
		}
		if i, err := strconv.Atoi(t); err == nil {
			return i
		}
		f, err := strconv.ParseFloat(t, 64)
		if err != nil {
			panic(errUnknown(t))
		}
		return f
	}
	for n < len(p.s) && (p.s[n] == '_' || p.s[n] >= 'a' && p.s[n] <= 'z' || p.s[n] >= 'A' && p.s[n] <= 'Z' || p.s[n] >= '0' && p.s[n] <= '9') {
		n++
	}
	name := p.s[:n]
	p.s = p.s[n:]
	switch name {
	case "True":
		return true
	case "False":
		return false
	case "None":
		return nil
	case "jnp", "np", "jax", "lax", "nn", "random", "ml_dtypes":
		return pymodule(name)
	}
	if v, ok := p.names[name]; ok {
		return v
	}
	switch name {
	case "divmod":
		return pybuiltin(name)
	case "float", "int", "bool", "complex":
		return pymodule("np." + name)
	}
	panic(errUnknown("name " + name))
}

// args reads arguments up to a closing bracket.
func (p *python) args(end string) []any {
	var out []any
	for !p.take(end) {
		save := p.s
		n := 0
		p.space()
		for n < len(p.s) && (p.s[n] == '_' || p.s[n] >= 'a' && p.s[n] <= 'z') {
			n++
		}
		name := p.s[:n]
		if n > 0 && strings.HasPrefix(p.s[n:], "=") && !strings.HasPrefix(p.s[n:], "==") {
			p.s = p.s[n+1:]
			out = append(out, keyword{name, p.expr()})
		} else {
			p.s = save
			out = append(out, p.expr())
		}
		if !p.take(",") {
			p.must(end)
			break
		}
	}
	return out
}

// index reads a subscript: indices and slices.
func (p *python) index() []any {
	var out []any
	for {
		p.space()
		if p.take("...") {
			out = append(out, weft.Ellipsis)
		} else {
			var parts [3]any
			k, slice := 0, false
			for {
				p.space()
				if p.s[0] != ':' && p.s[0] != ',' && p.s[0] != ']' {
					parts[k] = p.expr()
				} else if !slice && p.s[0] != ':' {
					panic(errUnknown("index"))
				}
				if !p.take(":") {
					break
				}
				slice = true
				k++
			}
			if slice {
				text := ""
				for i, v := range parts {
					if i > 0 && (i < 2 || v != nil) {
						text += ":"
					}
					if v != nil {
						text += fmt.Sprint(v)
					}
				}
				out = append(out, text)
			} else {
				out = append(out, parts[0])
			}
		}
		if !p.take(",") {
			p.must("]")
			return out
		}
		if p.take("]") {
			return out
		}
	}
}

func (p *python) run() (v any, err error) {
	err = recoverError(func() { v = p.whole() })
	return v, err
}

// whole evaluates all of the text.
func (p *python) whole() any {
	v := p.expr()
	if p.space(); p.s != "" {
		panic(errUnknown("rest " + p.s))
	}
	return v
}

// recoverError calls f and returns its panic if that is an error. Other panics propagate.
func recoverError(f func()) error {
	err := testcheck.Recover(f)
	var p *testcheck.Panic
	if !errors.As(err, &p) {
		return err
	}
	if p.Unwrap() == nil {
		panic(p)
	}
	return p.Unwrap()
}
