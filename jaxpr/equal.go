package jaxpr

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
)

// Equal reports whether two programs are equal: the same equations in the same
// order on the same types, weak marks included, regardless of the names of variables
// and whether or not programs within them are shared. Values of constants and the Go
// functions of custom rules do not count, only their types and names.
func Equal(a, b *Jaxpr) bool { return Diff(a, b) == "" }

// Diff returns the first difference between two programs, "" if they are Equal.
func Diff(a, b *Jaxpr) string {
	d := &differ{same: map[[2]*Jaxpr]bool{}}
	d.queue(a, b, "")
	for len(d.todo) > 0 {
		t := d.todo[0]
		d.todo = d.todo[1:]
		at, why := d.program(t.a, t.b, t.path)
		if why == "" {
			continue
		}
		where := "equation"
		switch {
		case at < 0:
			return t.path + why
		case at >= len(t.a.Eqns):
			return fmt.Sprintf("%s%s %d: %s\n+ %s", t.path, where, at, why, equationText(b, t.b.Eqns[at]))
		case at >= len(t.b.Eqns):
			return fmt.Sprintf("%s%s %d: %s\n- %s", t.path, where, at, why, equationText(a, t.a.Eqns[at]))
		}
		return fmt.Sprintf("%s%s %d: %s\n- %s\n+ %s", t.path, where, at, why, equationText(a, t.a.Eqns[at]), equationText(b, t.b.Eqns[at]))
	}
	return ""
}

type differ struct {
	same map[[2]*Jaxpr]bool // found equal, or about to be compared
	todo []diffPair
}

type diffPair struct {
	a, b *Jaxpr
	path string
}

func (d *differ) queue(a, b *Jaxpr, path string) {
	if a == b || d.same[[2]*Jaxpr{a, b}] {
		return
	}
	d.same[[2]*Jaxpr{a, b}] = true
	d.todo = append(d.todo, diffPair{a, b, path})
}

// program returns the first difference between two programs, "" if there is none, and the number of its equation, −1 if it is
// in none. It queues the programs within them.
func (d *differ) program(a, b *Jaxpr, path string) (at int, why string) {
	twin := make(map[*Var]*Var, len(a.Eqns)+len(a.Ins))
	binders := func(what string, x, y []*Var) string {
		if len(x) != len(y) {
			return fmt.Sprintf("%d %s, not %d", len(x), what, len(y))
		}
		for i := range x {
			if x[i].Type != y[i].Type {
				return fmt.Sprintf("%s %d: %v, not %v", strings.TrimSuffix(what, "s"), i, x[i].Type.Full(), y[i].Type.Full())
			}
			twin[x[i]] = y[i]
		}
		return ""
	}
	atoms := func(what string, x, y []Atom) string {
		if len(x) != len(y) {
			return fmt.Sprintf("%d %s, not %d", len(x), what, len(y))
		}
		for i := range x {
			if v, ok := x[i].(*Var); ok {
				if w, ok := y[i].(*Var); !ok || twin[v] != w {
					return fmt.Sprintf("%s %d is another value", strings.TrimSuffix(what, "s"), i)
				}
			} else if !sameLiteral(x[i], y[i]) {
				return fmt.Sprintf("%s %d is another value", strings.TrimSuffix(what, "s"), i)
			}
		}
		return ""
	}
	if why := binders("constants", a.Consts, b.Consts); why != "" {
		return -1, why
	}
	if why := binders("inputs", a.Ins, b.Ins); why != "" {
		return -1, why
	}
	for i, e := range a.Eqns {
		if i == len(b.Eqns) {
			return i, "only the first program goes on"
		}
		f := b.Eqns[i]
		if why := d.primitive(e.Prim, f.Prim, fmt.Sprintf("%sequation %d (%s): ", path, i, e.Prim.Name())); why != "" {
			return i, why
		}
		if why := atoms("operands", e.Ins, f.Ins); why != "" {
			return i, why
		}
		if why := binders("results", e.Outs, f.Outs); why != "" {
			return i, why
		}
	}
	if len(b.Eqns) > len(a.Eqns) {
		return len(a.Eqns), "only the second program goes on"
	}
	if why := atoms("results", a.Outs, b.Outs); why != "" {
		return -1, "the whole: " + why
	}
	return 0, ""
}

// sameLiteral reports whether two atoms, the first of which is no variable, are the same literal. A literal of a complex
// type may hold a real number, which text writes as a complex one.
func sameLiteral(a, b Atom) bool {
	l, ok := a.(core.Literal)
	m, also := b.(core.Literal)
	if ok && also && l.Type.IsComplex() {
		l.Num, m.Num = core.ComplexNumber(l.Num.Complex()), core.ComplexNumber(m.Num.Complex())
		return l == m
	}
	return a == b
}

// primitive returns the first difference between two primitives, by their type and what text shows of them; "" if there is none.
func (d *differ) primitive(p, q core.Primitive, path string) string {
	if p == q {
		return ""
	}
	if p.Name() != q.Name() {
		return p.Name() + ", not " + q.Name()
	}
	if reflect.TypeOf(p) != reflect.TypeOf(q) {
		return fmt.Sprintf("%T, not %T", p, q)
	}
	x, y := params(p), params(q)
	if len(x) != len(y) {
		return "other parameters"
	}
	for i := range x {
		k := x[i].Key
		if k != y[i].Key {
			return "parameter " + k + ", not " + y[i].Key
		}
		js, isProgram := programValues(x[i].Value)
		ks, alsoProgram := programValues(y[i].Value)
		if isProgram != alsoProgram || len(js) != len(ks) || !slices.Equal(around(x[i].Value), around(y[i].Value)) {
			return "parameter " + k + " differs"
		}
		for n := range js {
			d.queue(js[n], ks[n], path+k+": ")
		}
		if !isProgram && fmt.Sprint(x[i].Value) != fmt.Sprint(y[i].Value) {
			return fmt.Sprintf("parameter %s: %v, not %v", k, x[i].Value, y[i].Value)
		}
	}
	return ""
}

func params(p core.Primitive) []core.Param {
	if q, ok := p.(core.Paramer); ok {
		return q.Params()
	}
	return nil
}

func programValues(v any) ([]*Jaxpr, bool) {
	switch v := v.(type) {
	case *Jaxpr:
		return []*Jaxpr{v}, true
	case []*Jaxpr:
		return v, true
	case Mixed:
		return v.Programs, true
	}
	return nil, false
}

func around(v any) []string {
	m, _ := v.(Mixed)
	return m.Around
}
