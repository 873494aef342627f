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
	// nothing is counted. It makes tables of variables short where a hash would do, and
	// means nothing: see Numbers.
	serial uint32
}

var serials atomic.Uint32

// MakeVar returns the contents of a fresh variable, for those who bring the memory.
func MakeVar(a core.ShapedArray) Var { return Var{Type: a, serial: serials.Add(1)} }

// NewVar returns a fresh variable of the given type.
func NewVar(a core.ShapedArray) *Var {
	v := MakeVar(a)
	return &v
}

// Aval returns the variable's type.
func (v *Var) Aval() core.ShapedArray {
	core.RequireReceiver("jaxpr.Var.Aval", v == nil)
	return v.Type
}

// Numbers assigns numbers to variables, 0, 1, 2 …, in the order in which they are bound:
// what is known of each can stand in a slice, where a map would take most of the time
// that a pass over a long program takes. The zero Numbers has given none yet.
//
// A program's variables were mostly made one after the other, so that a table over
// their serials finds the numbers; what does not fit stands in a map.
type Numbers struct {
	vars  []*Var
	low   uint32
	table []int32 // by serial − low: number + 1
	rest  map[*Var]int32
}

// NumbersFor returns a numbering with room for the variables of j.
func NumbersFor(j *Jaxpr) *Numbers {
	room := len(j.Consts) + len(j.Ins)
	for _, e := range j.Eqns {
		if e != nil {
			room += len(e.Outs)
		}
	}
	s := &Numbers{vars: make([]*Var, 0, room)}
	first := func(vs []*Var) {
		for _, v := range vs {
			if v != nil && v.serial != 0 && (s.low == 0 || v.serial < s.low) {
				s.low = v.serial
			}
		}
	}
	first(j.Consts)
	first(j.Ins)
	if len(j.Eqns) > 0 && j.Eqns[0] != nil {
		first(j.Eqns[0].Outs)
	}
	return s
}

// Len returns how many variables have numbers.
func (s *Numbers) Len() int {
	core.RequireReceiver("jaxpr.Numbers.Len", s == nil)
	return len(s.vars)
}

// Bind assigns v the next number; fresh is false if it has one already.
func (s *Numbers) Bind(v *Var) (n int, fresh bool) {
	core.RequireReceiver("jaxpr.Numbers.Bind", s == nil || v == nil)
	if i := v.serial - s.low; s.rest == nil && int64(i) < int64(len(s.table)) { // the usual case
		at := &s.table[i]
		if *at == 0 {
			s.vars = append(s.vars, v)
			*at = int32(len(s.vars))
			return len(s.vars) - 1, true
		}
		if s.vars[*at-1] == v {
			return int(*at - 1), false
		}
	}
	if n, ok := s.Of(v); ok {
		return n, false
	}
	n = len(s.vars)
	s.vars = append(s.vars, v)
	if at := s.place(v); at != nil {
		*at = int32(n + 1)
		return n, true
	}
	if s.rest == nil {
		s.rest = make(map[*Var]int32, cap(s.vars)-n)
	}
	s.rest[v] = int32(n)
	return n, true
}

// place returns where the table has room for v's number, nil if nowhere.
func (s *Numbers) place(v *Var) *int32 {
	if v.serial == 0 {
		return nil
	}
	if s.low == 0 {
		s.low = v.serial
	}
	i := int64(v.serial - s.low)
	if i >= int64(len(s.table)) {
		room := int64(cap(s.vars))
		if i >= 16*room+1024 {
			return nil
		}
		grown := make([]int32, max(i+1, 2*int64(len(s.table)), room+64))
		copy(grown, s.table)
		s.table = grown
	}
	if s.table[i] != 0 {
		return nil // another variable of the same serial, 2³² variables before
	}
	return &s.table[i]
}

// Of returns v's number; ok is false if it has none.
func (s *Numbers) Of(v *Var) (n int, ok bool) {
	core.RequireReceiver("jaxpr.Numbers.Of", s == nil)
	if v == nil {
		return 0, false
	}
	if i := v.serial - s.low; int64(i) < int64(len(s.table)) {
		if at := s.table[i]; at != 0 && s.vars[at-1] == v {
			return int(at - 1), true
		}
	}
	if s.rest == nil {
		return 0, false
	}
	k, ok := s.rest[v]
	return int(k), ok
}
