package ir

import (
	"fmt"
	"slices"
)

// Copy returns a copy of a block, with each list of terms replaced by the result of terms, which
// must not change its argument.
func (b Block) Copy(terms func([]Term) []Term) Block {
	access := func(a Access) Access {
		a.Coords = slices.Clone(a.Coords)
		for i := range a.Coords {
			a.Coords[i].Terms = terms(a.Coords[i].Terms)
		}
		return a
	}
	out := make(Block, len(b))
	for i, s := range b {
		switch s := s.(type) {
		case *Let:
			c := *s
			out[i] = &c
		case *Apply:
			c := *s
			c.Args, c.Dst = slices.Clone(s.Args), slices.Clone(s.Dst)
			out[i] = &c
		case *Index:
			c := *s
			c.Terms = terms(s.Terms)
			out[i] = &c
		case *Load:
			c := *s
			c.At = access(s.At)
			out[i] = &c
		case *Store:
			c := *s
			c.At = access(s.At)
			out[i] = &c
		case *Loop:
			c := *s
			c.Tail, c.Body = s.Tail.Copy(), s.Body.Copy(terms)
			c.Carry = slices.Clone(s.Carry)
			out[i] = &c
		case *Reduce:
			c := *s
			c.Tail, c.Body = s.Tail.Copy(), s.Body.Copy(terms)
			c.Folds = slices.Clone(s.Folds)
			out[i] = &c
		case *Cumulate:
			c := *s
			c.Body, c.Then = s.Body.Copy(terms), s.Then.Copy(terms)
			out[i] = &c
		case *While:
			c := *s
			c.Cond, c.Body = s.Cond.Copy(terms), s.Body.Copy(terms)
			c.Carry = slices.Clone(s.Carry)
			out[i] = &c
		case *If:
			c := *s
			c.Then, c.Else = s.Then.Copy(terms), s.Else.Copy(terms)
			c.Merge = slices.Clone(s.Merge)
			out[i] = &c
		default:
			panic(fmt.Sprintf("BUG: statement %T", s))
		}
	}
	return out
}

// Copy returns a copy of a tail, nil for nil.
func (t *Tail) Copy() *Tail {
	if t == nil {
		return nil
	}
	c := *t
	return &c
}
