package fuzzgen

import (
	"fmt"
	"slices"
)

// env holds the values of variables; scopes within read those around them, or the
// numbers of those only, or not their tangents at some levels.
type env struct {
	vars   map[*Var]val
	around *env
	plain  bool
	strip  []*level
}

func (e *env) lookup(v *Var) val {
	plain := false
	var strip []*level
	for s := e; s != nil; s = s.around {
		plain = plain || s.plain
		strip = append(strip, s.strip...)
		if x, ok := s.vars[v]; ok {
			if plain {
				return base(x)
			}
			return stripped(x, strip)
		}
	}
	panic(fmt.Sprintf("BUG: %v has no value", v))
}

// has reports whether the variable has a value.
func (e *env) has(v *Var) bool {
	for s := e; s != nil; s = s.around {
		if _, ok := s.vars[v]; ok {
			return true
		}
	}
	return false
}

func (e *env) arg(a Arg) val {
	switch {
	case a.None():
		return nil
	case a.Var != nil:
		return e.lookup(a.Var)
	}
	out := newArr(a.Lit.Type, nil)
	if out.c != nil {
		out.c[0].v = a.Lit.Num.Complex()
	} else {
		out.i[0] = wrap(a.Lit.Type, a.Lit.Num.Int64())
	}
	return out
}

func (e *env) args(as []Arg) []val {
	out := make([]val, len(as))
	for k, a := range as {
		out[k] = e.arg(a)
	}
	return out
}

// stripped returns v without its tangents at some levels.
func stripped(v val, levels []*level) val {
	d, ok := v.(*dual)
	switch {
	case !ok || len(levels) == 0:
		return v
	case slices.Contains(levels, d.l):
		return stripped(d.p, levels)
	}
	t := make([]val, len(d.t))
	for k, x := range d.t {
		if x != nil {
			t[k] = stripped(x, levels)
		}
	}
	return &dual{d.l, stripped(d.p, levels), t}
}
