package jaxpr

import (
	"sync/atomic"

	"github.com/weft-go/weft/core"
)

// Var is a variable: bound once, by a binder of a program or by an equation. Its
// identity is the pointer; names exist only in text.
type Var struct {
	Type core.ShapedArray
	// The number of the variable among all that were ever made, modulo 2³²; 0 if it was not
	// counted. Numbers indexes its tables by it; it has no other meaning.
	serial uint32
}

var serials atomic.Uint32

// MakeVar returns the contents of a fresh variable, for callers that provide the memory.
func MakeVar(a core.ShapedArray) Var { return Var{Type: a, serial: serials.Add(1)} }

// NewVar returns a fresh variable of the given type.
func NewVar(a core.ShapedArray) *Var {
	v := MakeVar(a)
	return &v
}

func (v *Var) Aval() core.ShapedArray {
	core.RequireReceiver("jaxpr.Var.Aval", v == nil)
	return v.Type
}

// Numbers assigns numbers to variables, 0, 1, 2 …, in the order in which they are bound. Passes
// keep facts about variables in slices by these numbers: maps would take most of the time of a
// pass over a long program. The zero Numbers is empty.
//
// A program's variables were mostly made one after the other, so that a table over
// their serials finds the numbers. Other variables are in a hash table over the serials:
// those of small programs that were made while others were being written are far apart.
type Numbers struct {
	vars  []*Var
	low   uint32
	table []int32 // by serial − low: number + 1
	// Numbers + 1 of the variables that do not fit into table, by the hash of the serial and
	// linear probing. The length is a power of two, at least twice scattered.
	hashed    []int32
	scattered int            // variables in hashed
	uncounted map[*Var]int32 // variables without a serial
}

// NumbersFor returns an empty numbering with capacity for the variables of j.
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
	if i := v.serial - s.low; s.scattered == 0 && int64(i) < int64(len(s.table)) { // the usual case
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
	if v.serial == 0 {
		if s.uncounted == nil {
			s.uncounted = make(map[*Var]int32, cap(s.vars)-n)
		}
		s.uncounted[v] = int32(n)
		return n, true
	}
	at := s.place(v)
	if at == nil {
		at = s.placeHashed(v)
	}
	*at = int32(n + 1)
	return n, true
}

// place returns the element of table for v's number, nil if v does not fit into table.
func (s *Numbers) place(v *Var) *int32 {
	if s.low == 0 {
		s.low = v.serial
	}
	i := int64(v.serial - s.low)
	if i >= int64(len(s.table)) {
		room := int64(cap(s.vars))
		if i >= 4*room+16 {
			return nil
		}
		grown := make([]int32, max(i+1, room, min(2*int64(len(s.table)), 4*room+16)))
		copy(grown, s.table)
		s.table = grown
	}
	if s.table[i] != 0 {
		return nil // another variable of the same serial, 2³² variables before
	}
	return &s.table[i]
}

// placeHashed returns a free element of the hash table for the number of v, which is not in it.
func (s *Numbers) placeHashed(v *Var) *int32 {
	if s.scattered++; 2*s.scattered > len(s.hashed) {
		old := s.hashed
		n := max(8, 2*len(old))
		if s.scattered > 64 { // then most variables will be in it
			for n < 2*cap(s.vars) {
				n *= 2
			}
		}
		s.hashed = make([]int32, n)
		for _, k := range old {
			if k != 0 {
				*s.probe(s.vars[k-1]) = k
			}
		}
	}
	return s.probe(v)
}

// probe returns the element of v in the hash table, or the free element where it would be.
func (s *Numbers) probe(v *Var) *int32 {
	mask := uint32(len(s.hashed) - 1)
	for i := v.serial * 0x9e3779b1 >> 7; ; i++ { // a product by 2³²/φ without its lowest bits, which spread least
		if at := &s.hashed[i&mask]; *at == 0 || s.vars[*at-1] == v {
			return at
		}
	}
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
	if v.serial == 0 {
		k, ok := s.uncounted[v]
		return int(k), ok
	}
	if s.scattered == 0 {
		return 0, false
	}
	at := *s.probe(v)
	return int(at) - 1, at != 0
}
