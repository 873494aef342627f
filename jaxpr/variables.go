package jaxpr

import (
	"sync/atomic"

	"github.com/weft-go/weft/core"
)

// Var is a variable: bound once, by a binder of a program or by an equation. Its
// identity is the pointer; names exist only in text.
type Var struct {
	Type core.ShapedArray
	// The place of the variable among all that were ever made, modulo 2³²; 0 if
	// nobody counted. It makes tables of variables short where a hash would do, and
	// means nothing: see numbers.
	serial uint32
}

var serials atomic.Uint32

// MakeVar is the contents of a fresh variable, for those who bring the memory.
func MakeVar(a core.ShapedArray) Var { return Var{Type: a, serial: serials.Add(1)} }

// NewVar is a fresh variable of the given type.
func NewVar(a core.ShapedArray) *Var {
	v := MakeVar(a)
	return &v
}

// Aval is the variable's type.
func (v *Var) Aval() core.ShapedArray { return v.Type }

// numbers gives variables small numbers, in the order in which they are bound. A
// program's variables were mostly made one after the other, so that a table over
// their serials holds them; what does not fit stands in a map.
type numbers struct {
	vars  []*Var
	low   uint32
	table []int32 // by serial − low: number + 1
	rest  map[*Var]int32
}

// numbersFor is an empty numbering with room for the variables that j binds.
func numbersFor(j *Jaxpr) *numbers {
	n, lo, hi := 0, ^uint32(0), uint32(0)
	count := func(vs []*Var) {
		n += len(vs)
		for _, v := range vs {
			if v != nil && v.serial != 0 {
				lo, hi = min(lo, v.serial), max(hi, v.serial)
			}
		}
	}
	count(j.Consts)
	count(j.Ins)
	for _, e := range j.Eqns {
		if e != nil {
			count(e.Outs)
		}
	}
	s := &numbers{vars: make([]*Var, 0, n), low: lo}
	if lo <= hi && int64(hi-lo) < 8*int64(n)+64 {
		s.table = make([]int32, hi-lo+1)
	} else {
		s.rest = make(map[*Var]int32, n)
	}
	return s
}

// bind gives v the next number; ok is false if it has one.
func (s *numbers) bind(v *Var) (n int32, ok bool) {
	n = int32(len(s.vars))
	if i := v.serial - s.low; v.serial != 0 && int64(i) < int64(len(s.table)) {
		switch at := &s.table[i]; {
		case *at == 0:
			*at = n + 1
			s.vars = append(s.vars, v)
			return n, true
		case s.vars[*at-1] == v:
			return *at - 1, false
		}
	}
	if old, ok := s.rest[v]; ok {
		return old, false
	}
	if s.rest == nil {
		s.rest = map[*Var]int32{}
	}
	s.rest[v] = n
	s.vars = append(s.vars, v)
	return n, true
}

// of is v's number; ok is false if it has none.
func (s *numbers) of(v *Var) (n int32, ok bool) {
	if v == nil {
		return 0, false
	}
	if i := v.serial - s.low; v.serial != 0 && int64(i) < int64(len(s.table)) {
		if at := s.table[i]; at != 0 && s.vars[at-1] == v {
			return at - 1, true
		}
	}
	n, ok = s.rest[v]
	return n, ok
}
