package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
)

// A Reuse is an input in whose memory a result may lie: nothing reads the input after step
// Step, and that step reads each element before it writes it.
type Reuse struct {
	Input int // −1: none
	Step  int
}

// ResultBytes returns the bytes of all results, and of the results that may lie in inputs.
func (p *Plan) ResultBytes() (all, reused int) {
	for i, id := range p.Outs {
		v := &p.Values[id]
		if v.Place != Result || v.Index != i {
			continue
		}
		all += v.Bytes()
		if p.Reuse[i].Input >= 0 {
			reused += v.Bytes()
		}
	}
	return all, reused
}

// memoryUse records when the memory of values is used: by root value, the first step and the
// last, −1 for none.
type memoryUse struct {
	p           *planner
	first, last []int
	alias       []int // by value: the value whose memory it has, −1 for its own
	returned    map[int]bool
}

// once reports whether exactly one of ids has the memory of a root value.
func (u *memoryUse) once(ids []int, root int) bool {
	n := 0
	for _, id := range ids {
		if id >= 0 && u.root(id) == root {
			n++
		}
	}
	return n == 1
}

// root returns the value whose memory a value has.
func (u *memoryUse) root(id int) int {
	for u.alias[id] >= 0 {
		id = u.alias[id]
	}
	return id
}

func (p *planner) usesOfMemory() *memoryUse {
	n := len(p.plan.Values)
	u := &memoryUse{p: p, first: make([]int, n), last: make([]int, n), alias: make([]int, n), returned: map[int]bool{}}
	for i := range n {
		u.first[i], u.last[i], u.alias[i] = -1, -1, -1
	}
	for id, of := range p.aliasOf {
		u.alias[id] = of
	}
	for i, s := range p.plan.Steps {
		touches(s, func(id int) {
			r := u.root(id)
			if u.first[r] < 0 {
				u.first[r] = i
			}
			u.last[r] = i
		})
	}
	for _, id := range p.plan.Outs {
		u.returned[u.root(id)] = true
	}
	return u
}

// inPlace assigns to results of steps the memory of operands that nothing reads afterwards.
func (u *memoryUse) inPlace() {
	values := u.p.plan.Values
	for i, s := range u.p.plan.Steps {
		for _, out := range s.reusing() {
			if u.root(out) != out || u.first[out] != i || values[out].Place != Unused {
				continue
			}
			if u.returned[out] && s.overwrites(u, out, func(x int) bool { return u.donatable(x, i, values[out].Type) }) >= 0 {
				continue // it may lie in an input
			}
			x := s.overwrites(u, out, func(x int) bool {
				return values[x].Place == Unused && !u.returned[x] && u.last[x] == i && u.first[x] < i
			})
			if x >= 0 {
				u.p.aliasOf[out], u.alias[out] = x, x
				u.last[x], u.returned[x], u.first[out] = u.last[out], u.returned[out], -1
			}
		}
	}
}

// donatable reports whether root value x is an input of type t, of minReuse bytes or more, that is not returned
// and that the given step is the last to read.
func (u *memoryUse) donatable(x, step int, t core.ShapedArray) bool {
	v := &u.p.plan.Values[x]
	return v.Place == Input && !u.returned[x] && u.last[x] == step && v.Type == t && v.Bytes() >= minReuse
}

// reuses finds results that may lie in inputs' memory.
func (u *memoryUse) reuses() {
	plan := u.p.plan
	plan.Reuse = make([]Reuse, len(plan.Outs))
	taken, written := map[int]bool{}, map[int][]int{} // written: by step, the result of reusing
	for i, id := range plan.Outs {
		plan.Reuse[i].Input = -1
		r := u.root(id)
		at := u.first[r]
		if v := &plan.Values[r]; v.Place != Result || v.Index != i || at < 0 {
			continue
		}
		s := plan.Steps[at]
		if written[at] == nil {
			written[at] = s.reusing()
		}
		for _, out := range written[at] {
			if u.root(out) != r {
				continue
			}
			x := s.overwrites(u, out, func(x int) bool {
				return !taken[x] && u.donatable(x, at, u.p.j.Outs[i].Aval())
			})
			if x >= 0 {
				taken[x] = true
				plan.Reuse[i] = Reuse{plan.Values[x].Index, at}
			}
		}
	}
}

// minReuse is the number of bytes from which a result may lie in the memory of an input.
const minReuse = 65

// largeResult is the number of bytes of an operand from which a step that computes only results
// runs as soon as it can, to free the memory of that operand.
const largeResult = 1 << 14

// advance moves launches that compute nothing but results to where their operands are ready, if
// that frees memory, but not in front of steps that read an input which the launch may overwrite.
func (p *planner) advance() {
	steps := p.plan.Steps
	u := p.usesOfMemory()
	made := make([]int, len(p.plan.Values)) // by root value: the last step that writes it, so far
	read := make([]int, len(p.plan.Values)) // … that touches it
	for i := range made {
		made[i], read[i] = -1, -1
	}
	behind := map[int][]Step{} // by step: the steps that move to after it
	moved := map[int]bool{}
	for i, s := range steps {
		if l, ok := s.(*Launch); ok {
			if to, ok := p.earliest(l, i, u, made, read); ok && to < i-1 {
				behind[to] = append(behind[to], s)
				moved[i] = true
				continue
			}
		}
		_, launch := s.(*Launch)
		touches(s, func(id int) {
			read[u.root(id)] = i
			if !launch { // another step may write all that it touches
				made[u.root(id)] = i
			}
		})
		for _, id := range s.Writes() {
			made[u.root(id)] = i
		}
	}
	if len(moved) == 0 {
		return
	}
	next := append([]Step(nil), behind[-1]...)
	for i, s := range steps {
		if !moved[i] {
			next = append(next, s)
		}
		next = append(next, behind[i]...)
	}
	p.plan.Steps = next
}

// earliest returns the step after which launch i may run; ok is false if it makes more
// than results, needs scratch memory, reads what a moved step writes, or frees little.
func (p *planner) earliest(l *Launch, i int, u *memoryUse, made, read []int) (to int, ok bool) {
	to = -1
	for b, id := range l.Buffers {
		if id < 0 {
			return 0, false
		}
		r := u.root(id)
		v := &p.plan.Values[r]
		if l.Kernel.Buffers[b].Role != ir.In {
			if !u.returned[r] || u.first[r] != i || u.last[r] != i {
				return 0, false
			}
			continue
		}
		switch v.Place {
		case Unused:
			if made[r] < 0 {
				return 0, false // a step that was moved writes it
			}
			to = max(to, made[r])
			ok = ok || u.last[r] == i && v.Bytes() >= largeResult
		case Input:
			to = max(to, read[r])
		}
	}
	return to, ok
}
