package jax_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/python"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// errUnknown is the panic of what the tests' jax.numpy does not have.
type errUnknown = python.Unknown

type tuple = python.Tuple

type keyword struct {
	name string
	v    any
}

type bound struct { // a method of a value, or a function of a module
	on   any
	name string
}

type pymodule string

type pybuiltin string

// jaxNumPy evaluates the expressions in which golden data of jax.numpy are written.
type jaxNumPy struct{}

func (jaxNumPy) Name(name string) any {
	switch name {
	case "jnp", "np", "jax", "lax", "nn", "random", "ml_dtypes":
		return pymodule(name)
	case "divmod":
		return pybuiltin(name)
	case "float", "int", "bool", "complex":
		return pymodule("np." + name)
	}
	panic(errUnknown("name " + name))
}

func (jaxNumPy) Attribute(v any, name string) any {
	switch v := v.(type) {
	case pymodule:
		return attribute(v, name)
	case weft.Array:
		switch name {
		case "T":
			return v.T()
		case "shape":
			var t tuple
			for _, n := range v.Shape() {
				t = append(t, n)
			}
			return t
		}
	}
	return bound{v, name}
}

func (jaxNumPy) Call(f any, pos []any, kw map[string]any) any {
	var args []any
	for _, v := range pos {
		args = append(args, plain(v))
	}
	for _, name := range slices.Sorted(maps.Keys(kw)) {
		args = append(args, keyword{name, plain(kw[name])})
	}
	return call(f, args)
}

// plain returns v with tuples for lists: jax.numpy takes either.
func plain(v any) any {
	switch v := v.(type) {
	case *python.List:
		return plain(tuple(v.Items))
	case tuple:
		out := make(tuple, len(v))
		for i, x := range v {
			out[i] = plain(x)
		}
		return out
	}
	return v
}

func (jaxNumPy) Subscript(v, index any) any {
	idx, ok := index.(tuple)
	if !ok {
		idx = tuple{index}
	}
	out := make([]any, len(idx))
	for i, x := range idx {
		switch x := plain(x).(type) {
		case python.Ellipsis:
			out[i] = weft.Ellipsis
		case python.Slice:
			text := ""
			for k, n := range []any{x.Lo, x.Hi, x.Step} {
				if k > 0 && (k < 2 || n != nil) {
					text += ":"
				}
				if n != nil {
					text += fmt.Sprint(n)
				}
			}
			out[i] = text
		default:
			out[i] = x
		}
	}
	return subscript(v, out)
}

func (jaxNumPy) Unary(op string, v any) any {
	switch v := v.(type) {
	case int:
		return sign(op, v, -v)
	case float64:
		return sign(op, v, -v)
	case complex128:
		return sign(op, v, -v)
	case weft.Array:
		switch op {
		case "-":
			return v.Neg()
		case "+":
			return v
		case "~":
			return v.Not()
		}
	}
	panic(errUnknown(fmt.Sprintf("%s of a %T", op, v)))
}

func sign(op string, plus, minus any) any {
	switch op {
	case "+":
		return plus
	case "-":
		return minus
	}
	panic(errUnknown(op))
}

func (jaxNumPy) Operate(op string, x, y any) any {
	switch op {
	case "and", "or", "is", "in":
		panic(errUnknown(op))
	}
	return operate(op, plain(x), plain(y))
}

func (jaxNumPy) Truth(v any) bool {
	if b, ok := v.(bool); ok {
		return b
	}
	panic(errUnknown("a condition"))
}

// evaluate returns the value of an expression over names, or the error of the library or of
// what is unknown.
func evaluate(src string, names map[string]any) (v any, err error) {
	err = recoverError(func() { v = plain(python.Eval(src, python.NewScope(jaxNumPy{}, names))) })
	return v, err
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
