package jaxpr

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr/internal/syntax"
)

// A reading is what a text tells beyond the meaning of its program: which programs and variables
// are one object in Python, and how values of parameters are spelled. A program that was read
// prints with its reading, so that a text of JAX prints as JAX printed it. Programs that are
// derived from it have no reading.
type reading struct {
	params map[*Eqn][]readParam
	names  map[*Var]string   // of variables whose name several programs bind
	shared map[*Jaxpr]string // nil where sharing follows from the program
	defs   []*Jaxpr          // of shared, in order
}

// readParam is a parameter that a text spells otherwise than its primitive.
type readParam struct {
	key  string
	own  any // the primitive's value: *Jaxpr, or its text
	read any
}

type readingKey struct{}

// readingOf returns what j's text told; an empty reading if there is none.
func readingOf(j *Jaxpr) *reading {
	if r, ok := j.Memoized(readingKey{}); ok {
		return r.(*reading)
	}
	return &reading{}
}

func (r *reading) empty() bool { return r.params == nil && r.names == nil && r.shared == nil }

// keep stores the reading with the program, if it has anything.
func (r *reading) keep(j *Jaxpr) {
	if !r.empty() {
		j.Memo(readingKey{}, func() any { return r })
	}
}

func (r *reading) value(e *Eqn, q core.Param) any {
	for _, p := range r.params[e] {
		if p.key == q.Key && p.own == ownValue(q.Value) {
			return p.read
		}
	}
	return q.Value
}

// ownValue returns the value of a parameter in a form that == compares; nil if there is no such form.
func ownValue(v any) any {
	switch v := v.(type) {
	case *Jaxpr, string:
		return v
	case []*Jaxpr, Mixed:
		return nil
	case fmt.Stringer:
		return v.String()
	}
	return nil
}

func (r *reading) share(name string, j *Jaxpr) {
	if r.shared == nil {
		r.shared = map[*Jaxpr]string{}
	}
	r.shared[j], r.defs = name, append(r.defs, j)
}

func (r *reading) name(v *Var, name string) {
	if r.names == nil {
		r.names = map[*Var]string{}
	}
	r.names[v] = name
}

// noteParams notes the parameters of e that its primitive spells otherwise than the text.
func (r *reading) noteParams(e *Eqn, params []ParsedParam) {
	var own []core.Param
	for _, p := range params {
		program := len(p.Jaxpr) == 1 && !p.Tuple && p.Around == nil
		if !program && (p.Jaxpr != nil || !spelled(p.Text)) {
			continue
		}
		if own == nil {
			q, ok := e.Prim.(core.Paramer)
			if _, holds := e.Prim.(Holder); !ok || holds && program {
				return
			}
			own = q.Params()
		}
		for _, q := range own {
			if v := ownValue(q.Value); q.Key == p.Key && v != nil && v != p.value() {
				if r.params == nil {
					r.params = map[*Eqn][]readParam{}
				}
				r.params[e] = append(r.params[e], readParam{p.Key, v, p.value()})
			}
		}
	}
}

// spelled reports whether the text of a value may differ from what the primitive prints for the same
// value: it contains integers of NumPy, ranges or shardings.
func spelled(s string) bool {
	return strings.Contains(s, "np.") || strings.Contains(s, "range(") || strings.Contains(s, "Sharding(")
}

// sharedAsRead reports whether the sharing of programs in a text cannot be found from the program:
// texts within values use shared programs too. A text in which a program of more than inPlace
// equations stands in place does not count: JAX would have shared that program.
func sharedAsRead(t *syntax.Text) bool {
	mixed, large := false, false
	walkText(t, func(p *syntax.Program, caller *syntax.Eqn) {
		large = large || caller != nil && len(p.Eqns) > inPlace
		for _, e := range p.Eqns {
			for _, q := range e.Params {
				mixed = mixed || q.Texts != nil
			}
		}
	})
	return mixed && !large
}

// walkText calls f with each program of a text, in order, and the equation in which it stands: nil
// for a definition and for the main program. It does not enter texts within values.
func walkText(t *syntax.Text, f func(p *syntax.Program, caller *syntax.Eqn)) {
	var one func(p *syntax.Program, caller *syntax.Eqn)
	one = func(p *syntax.Program, caller *syntax.Eqn) {
		f(p, caller)
		for i := range p.Eqns {
			for _, q := range p.Eqns[i].Params {
				for _, el := range q.Elems {
					if el.Prog != nil {
						one(el.Prog, &p.Eqns[i])
					}
				}
			}
		}
	}
	for _, d := range t.Defs {
		one(d.Prog, nil)
	}
	one(t.Main, nil)
}

// boundAgain returns the names that several programs of a text bind, if they are JAX's names and
// some are not passed on by a call: the programs have been made of one another, and have variables
// in common.
func boundAgain(t *syntax.Text) map[string]bool {
	last := map[string]*syntax.Program{} // the last program that binds the name
	again := map[string]bool{}
	common, jax := false, true
	walkText(t, func(p *syntax.Program, caller *syntax.Eqn) {
		bind := func(bs []syntax.Binder) {
			for _, b := range bs {
				if b.Name == "_" {
					continue
				}
				if last[b.Name] != nil {
					again[b.Name] = true
					common = common || !passes(caller, b.Name)
				}
				last[b.Name] = p
			}
		}
		bind(p.Consts)
		bind(p.Ins)
		for _, e := range p.Eqns {
			bind(e.Outs)
		}
	})
	if !common {
		return nil
	}
	for n := range last {
		jax = jax && letterNumber(n) < len(last)+len(t.Defs)
	}
	if !jax {
		return nil
	}
	return again
}

// passes reports whether e is a jit with an operand or a result called name: variables of its program have these names.
func passes(e *syntax.Eqn, name string) bool {
	if e == nil || e.Prim != "jit" && e.Prim != "pjit" {
		return false
	}
	for _, a := range e.Ins {
		if a.Word == name {
			return true
		}
	}
	for _, b := range e.Outs {
		if b.Name == name {
			return true
		}
	}
	return false
}

// letterNumber returns the n for which letters returns s; a large number if there is none.
func letterNumber(s string) int {
	const none = 1 << 30
	n := 0
	for i, c := range []byte(s) {
		if c < 'a' || c > 'z' || n > none/26-1 || i == 0 && c == 'a' && len(s) > 1 {
			return none
		}
		n = 26*n + int(c-'a')
	}
	return n
}
