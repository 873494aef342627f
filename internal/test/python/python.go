// Package python evaluates the small part of Python in which records of JAX are written:
// expressions, functions, loops, branches. A [Library], which a test implements for the functions
// that it compares, defines what operators, names, attributes and calls mean.
package python

import (
	"fmt"
	"maps"
	"slices"
)

// Unknown is the panic of a program that uses something that the reader or the library does not
// have. It is no failure: tests count such records and list them.
type Unknown string

func (e Unknown) Error() string { return "cannot evaluate " + string(e) }

// Cannot panics with an [Unknown].
func Cannot(format string, args ...any) { panic(Unknown(fmt.Sprintf(format, args...))) }

// The values of a program besides nil, bool, int, uint64, float64, complex128, string and those
// of the library.
type (
	Tuple []any
	List  struct{ Items []any }
	Dict  map[string]any
	// Slice is lo:hi:step in an index; nil where left out.
	Slice struct{ Lo, Hi, Step any }
	// Ellipsis is ... in an index.
	Ellipsis struct{}
)

// A Library defines the meaning of programs. Its methods call [Cannot] for what they do not have.
type Library interface {
	// Name returns the value of a name that the program does not define.
	Name(name string) any
	Attribute(v any, name string) any
	// Call calls f, which may be a [*Func].
	Call(f any, pos []any, kw map[string]any) any
	Subscript(v, index any) any
	Unary(op string, v any) any
	Operate(op string, x, y any) any
	Truth(v any) bool
}

// A Scope contains the names of a program, of a function's call or of a comprehension.
type Scope struct {
	Names   map[string]any
	outer   *Scope
	library Library
}

// NewScope returns the outermost scope of a program.
func NewScope(l Library, names map[string]any) *Scope {
	return &Scope{Names: names, library: l}
}

func (s *Scope) inner() *Scope { return &Scope{map[string]any{}, s, s.library} }

func (s *Scope) get(name string) any {
	for at := s; at != nil; at = at.outer {
		if v, ok := at.Names[name]; ok {
			return v
		}
	}
	return s.library.Name(name)
}

// Run runs the statements of a program.
func Run(src string, s *Scope) {
	p := &parser{words: split(src)}
	p.program()(s)
}

// Eval evaluates one expression.
func Eval(src string, s *Scope) any {
	p := &parser{words: split(src)}
	e := p.tuple()
	p.end()
	if w := p.next(); w.kind != endWord {
		Cannot("%q after an expression", w.text)
	}
	return e(s)
}

// Func is a function of the program.
type Func struct {
	Name     string
	params   *params
	defaults map[string]any
	body     expr
	scope    *Scope
}

// bind makes a function from parameters and a body; defaults are evaluated now.
func (ps *params) bind(s *Scope, name string, body expr) *Func {
	f := &Func{Name: name, params: ps, body: body, scope: s, defaults: map[string]any{}}
	for n, e := range ps.defaults {
		f.defaults[n] = e(s)
	}
	return f
}

// Call calls the function.
func (f *Func) Call(pos []any, kw map[string]any) any {
	s := f.scope.inner()
	maps.Copy(s.Names, f.defaults)
	for i, v := range pos {
		if i >= f.params.only {
			if f.params.rest == "" {
				Cannot("%s with %d arguments", f.Name, len(pos))
			}
			break
		}
		s.Names[f.params.names[i]] = v
	}
	if r := f.params.rest; r != "" {
		s.Names[r] = Tuple(slices.Clone(pos[min(f.params.only, len(pos)):]))
	}
	maps.Copy(s.Names, kw)
	for _, n := range f.params.names {
		if _, ok := s.Names[n]; !ok {
			Cannot("%s without %s", f.Name, n)
		}
	}
	return f.body(s)
}

// An Iterator is a library whose values can be unpacked and iterated over.
type Iterator interface {
	Iterate(v any) (items []any, ok bool)
}

// iterate returns the elements of a value of the language or of the library.
func (s *Scope) iterate(v any) []any {
	if l, ok := s.library.(Iterator); ok {
		if items, ok := l.Iterate(v); ok {
			return items
		}
	}
	return Iterate(v)
}

// Iterate returns the elements of a tuple or a list, or the keys of a dict in their order.
func Iterate(v any) []any {
	switch v := v.(type) {
	case Tuple:
		return v
	case *List:
		return v.Items
	case Dict:
		var keys []any
		for _, k := range slices.Sorted(maps.Keys(v)) {
			keys = append(keys, k)
		}
		return keys
	}
	Cannot("an iteration over a %T", v)
	return nil
}
