package fuse

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// place assigns each value its place: results, then offsets in the arena. A value's memory is
// used again after the last step that reads or writes it. Lifetimes are counted in steps of the plan: those
// of [jaxpr.Jaxpr.Slots] are counted in equations, some of which fusion removes, joins or moves.
func (p *planner) place() {
	plan := p.plan
	for _, a := range p.j.Outs {
		switch a := a.(type) {
		case core.Literal:
			plan.Outs = append(plan.Outs, p.newValue(Value{Type: a.Aval(), Place: Literal, Lit: a}))
		case *jaxpr.Var:
			plan.Outs = append(plan.Outs, p.of(a).value)
		}
	}
	p.advance()
	p.rowTiles()
	u := p.usesOfMemory()
	u.inPlace()
	taken := map[int]bool{}
	for i, id := range plan.Outs {
		if r := u.root(id); plan.Values[r].Place == Unused && !taken[r] {
			plan.Values[r].Place, plan.Values[r].Index = Result, i
			taken[r] = true
		}
	}
	u.reuses()
	var spans []lifetime
	for id := range plan.Values {
		if plan.Values[id].Place == Unused && u.first[id] >= 0 {
			spans = append(spans, lifetime{id, aligned(plan.Values[id].Bytes()), u.first[id], u.last[id]})
		}
	}
	if len(spans) <= fewValues {
		p.pack(spans)
	} else {
		p.stream(spans)
	}
	for id := range plan.Values {
		if r := u.root(id); r != id {
			v, b := &plan.Values[id], plan.Values[r]
			v.Place, v.Index, v.Offset = b.Place, b.Index, b.Offset
		}
	}
}

// lifetime is a value in the arena: its aligned size, and the steps from the first to the
// last that use it.
type lifetime struct{ id, size, first, last int }

// fewValues is the number of values up to which offsets are chosen from the greatest value to the
// smallest, in time that grows with the square of their number.
const fewValues = 600

// pack assigns each value, the largest first, the lowest offset that is free during its
// lifetime.
func (p *planner) pack(values []lifetime) {
	plan := p.plan
	order := make([]*lifetime, len(values)) // of pointers, since generic functions share their code for all types of pointers
	for i := range values {
		order[i] = &values[i]
	}
	slices.SortStableFunc(order, func(a, b *lifetime) int { return b.size - a.size })
	var beside []*lifetime // placed values in use at the same time, by offset
	for i, v := range order {
		beside = beside[:0]
		for _, w := range order[:i] {
			if w.first <= v.last && v.first <= w.last {
				beside = append(beside, w)
			}
		}
		slices.SortFunc(beside, func(a, b *lifetime) int { return plan.Values[a.id].Offset - plan.Values[b.id].Offset })
		at := 0
		for _, w := range beside {
			o := plan.Values[w.id].Offset
			if o >= at+v.size {
				break
			}
			at = max(at, o+w.size)
		}
		plan.Values[v.id].Place, plan.Values[v.id].Offset = Arena, at
		plan.Arena = max(plan.Arena, at+v.size)
	}
}

// stream assigns values offsets in the order of the steps.
func (p *planner) stream(values []lifetime) {
	plan := p.plan
	starts, ends := make([][]int, len(plan.Steps)), make([][]int, len(plan.Steps))
	for _, v := range values {
		starts[v.first] = append(starts[v.first], v.id)
		ends[v.last] = append(ends[v.last], v.id)
	}
	var a arena
	for i := range plan.Steps {
		for _, id := range starts[i] {
			v := &plan.Values[id]
			v.Place, v.Offset = Arena, a.take(v.Bytes())
		}
		for _, id := range ends[i] {
			v := &plan.Values[id]
			a.free(v.Offset, v.Bytes())
		}
	}
	plan.Arena = a.size
}

// An arena assigns offsets. Free blocks are kept by size class, so that each request takes
// constant time: a block of the class or of the next two serves, else the arena grows.
type arena struct {
	size   int
	blocks [64][]block // by the number of bits of their size
}

type block struct{ offset, size int }

func aligned(n int) int { return (max(n, 1) + Align - 1) &^ (Align - 1) }

func class64(n int) int {
	c := 0
	for ; n > 0; n >>= 1 {
		c++
	}
	return c
}

func (a *arena) take(n int) int {
	n = aligned(n)
	c := class64(n)
	// A block of the same class may be too small, a block of the next class never is.
	for k, b := range a.blocks[c] {
		if b.size >= n {
			a.remove(c, k)
			a.rest(b, n)
			return b.offset
		}
		if k == 8 {
			break
		}
	}
	for d := c + 1; d < min(c+3, len(a.blocks)); d++ {
		if k := len(a.blocks[d]); k > 0 {
			b := a.blocks[d][k-1]
			a.remove(d, k-1)
			a.rest(b, n)
			return b.offset
		}
	}
	at := a.size
	a.size += n
	return at
}

func (a *arena) remove(c, k int) {
	l := a.blocks[c]
	l[k] = l[len(l)-1]
	a.blocks[c] = l[:len(l)-1]
}

// rest frees the part of a block that a request leaves.
func (a *arena) rest(b block, n int) {
	if b.size > n {
		a.put(block{b.offset + n, b.size - n})
	}
}

func (a *arena) put(b block) { c := class64(b.size); a.blocks[c] = append(a.blocks[c], b) }

func (a *arena) free(offset, n int) { a.put(block{offset, aligned(n)}) }
