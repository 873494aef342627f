package transforms

import (
	"slices"

	"github.com/weft-go/weft/jaxpr"
)

// marking returns which results of a program are marked when the inputs in mask are. Marked
// means: has a tangent, is mapped, or is unknown.
type marking func(j *jaxpr.Jaxpr, mask []bool) []bool

// carryFixpoint extends the mask of the inputs of a loop's body until every carried result that
// is marked has a marked input. The n carried inputs begin at index from; the carried results are
// the body's first n.
//
// Most loops need one or two rounds over the whole body. Where a chain of carries hands a mark
// on, one carry per round, the equations are examined one by one instead, each again only when
// another of its operands becomes marked. Bodies with user-defined rules always go by rounds:
// equations one by one would call the rules too often.
func carryFixpoint(body *jaxpr.Jaxpr, mask []bool, from, n int, of marking) []bool {
	mask = slices.Clone(mask)
	carry := mask[from : from+n]
	const patience = 3
	for round := 0; ; round++ {
		if round == patience && !body.Closureful() {
			copy(mask, spreadMarks(body, mask, from, n, of))
		}
		grown := or(carry, of(body, mask)[:n])
		if slices.Equal(grown, carry) {
			return mask
		}
		copy(carry, grown)
	}
}

// spreadMarks finds all inputs that carryFixpoint will mark, in time that grows with
// the number of operands of the body's equations.
func spreadMarks(body *jaxpr.Jaxpr, mask []bool, from, n int, of marking) []bool {
	s := &spreading{number: jaxpr.NumbersFor(body), of: of}
	for _, v := range body.Consts {
		s.bind(v)
	}
	for _, v := range body.Ins {
		s.bind(v)
	}
	for i, e := range body.Eqns {
		for _, a := range e.Ins {
			if v, ok := a.(*jaxpr.Var); ok {
				at := &s.vars[s.at(v)]
				at.users = append(at.users, i)
			}
		}
		for _, v := range e.Outs {
			s.bind(v)
		}
	}
	for k, a := range body.Outs[:n] {
		if v, ok := a.(*jaxpr.Var); ok {
			at := &s.vars[s.at(v)]
			at.carried = append(at.carried, s.at(body.Ins[from+k]))
		}
	}
	s.waits = make([]bool, len(body.Eqns))
	for i := range slices.Backward(body.Eqns) { // in reverse, so that the first is asked first
		s.wait(i)
	}
	for k, v := range body.Ins {
		if mask[k] {
			s.mark(s.at(v))
		}
	}
	for len(s.todo) > 0 {
		i := s.todo[len(s.todo)-1]
		s.todo, s.waits[i] = s.todo[:len(s.todo)-1], false
		s.ask(body.Eqns[i])
	}
	out := make([]bool, len(body.Ins))
	for k, v := range body.Ins {
		out[k] = s.vars[s.at(v)].marked
	}
	return out
}

type spreading struct {
	number *jaxpr.Numbers
	vars   []spreadVar // by number
	todo   []int       // equations to be asked
	waits  []bool      // equations that are in todo
	of     marking
}

type spreadVar struct {
	marked  bool
	users   []int // equations
	carried []int // inputs that hold its value in the next step
}

func (s *spreading) bind(v *jaxpr.Var) {
	s.number.Bind(v)
	s.vars = append(s.vars, spreadVar{})
}

func (s *spreading) at(v *jaxpr.Var) int {
	n, ok := s.number.Of(v)
	if !ok {
		panic("BUG: a variable of a loop's body is not bound")
	}
	return n
}

func (s *spreading) wait(eqn int) {
	if !s.waits[eqn] {
		s.waits[eqn] = true
		s.todo = append(s.todo, eqn)
	}
}

// mark marks a variable and, transitively, the inputs that hold its value in the next steps.
func (s *spreading) mark(n int) {
	for next := []int{n}; len(next) > 0; {
		v := &s.vars[next[len(next)-1]]
		next = next[:len(next)-1]
		if v.marked {
			continue
		}
		v.marked = true
		for _, i := range v.users {
			s.wait(i)
		}
		next = append(next, v.carried...)
	}
}

// ask marks results of an equation: those that are marked in the program that consists of the
// equation alone.
func (s *spreading) ask(e *jaxpr.Eqn) {
	one := &jaxpr.Jaxpr{ConstVals: []Value{}, Eqns: []*jaxpr.Eqn{e}, Outs: atoms(e.Outs)}
	var mask []bool
	var operands jaxpr.Numbers
	for _, a := range e.Ins {
		v, ok := a.(*jaxpr.Var)
		if !ok {
			continue
		}
		if _, fresh := operands.Bind(v); fresh {
			one.Ins = append(one.Ins, v)
			mask = append(mask, s.vars[s.at(v)].marked)
		}
	}
	for k, marked := range s.of(one, mask) {
		if marked {
			s.mark(s.at(e.Outs[k]))
		}
	}
}
