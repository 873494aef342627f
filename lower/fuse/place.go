package fuse

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// place gives each value its place: results, then offsets in the arena. A value's memory
// is used again after the last step that reads it.
func (p *planner) place() {
	plan := p.plan
	root := func(id int) int {
		for {
			b, ok := p.aliasOf[id]
			if !ok {
				return id
			}
			id = b
		}
	}
	returned := map[int]bool{}
	for _, a := range p.j.Outs {
		var id int
		switch a := a.(type) {
		case core.Literal:
			id = p.newValue(Value{Type: a.Aval(), Place: Literal, Lit: a})
		case *jaxpr.Var:
			id = p.of(a).value
		}
		plan.Outs = append(plan.Outs, id)
		returned[root(id)] = true
	}
	first, last := make([]int, len(plan.Values)), make([]int, len(plan.Values))
	for i := range first {
		first[i], last[i] = -1, -1
	}
	touch := func(id, step int) {
		if id < 0 {
			return
		}
		r := root(id)
		if first[r] < 0 {
			first[r] = step
		}
		last[r] = step
	}
	for i, s := range plan.Steps {
		switch s := s.(type) {
		case *Launch:
			for _, id := range s.Buffers {
				touch(id, i)
			}
		case *Spin:
			for _, id := range s.Buffers {
				touch(id, i)
			}
			for _, c := range s.Copies {
				touch(c[0], i)
				touch(c[1], i)
			}
		case *Call:
			for _, id := range slices.Concat(s.In, s.Out) {
				touch(id, i)
			}
		case *Product:
			touch(s.In[0], i)
			touch(s.In[1], i)
			touch(s.Out, i)
		case *Conv:
			touch(s.In[0], i)
			touch(s.In[1], i)
			touch(s.Out, i)
		case *Turn:
			touch(s.In, i)
			touch(s.Out, i)
		case *Update:
			for _, id := range append(slices.Clone(s.Args), s.Out) {
				touch(id, i)
			}
		case *Sort:
			for _, id := range slices.Concat(s.In, s.Out) {
				touch(id, i)
			}
		case *Loop:
			for _, id := range slices.Concat(s.In, s.Out) {
				touch(id, i)
			}
		}
	}
	for i, s := range plan.Steps {
		if s, ok := s.(*Update); ok {
			if x := root(s.Args[0]); plan.Values[x].Place == Unused && !returned[x] && last[x] == i && p.reads(s, x, root) == 1 {
				p.aliasOf[s.Out] = x
				last[x], returned[x], first[s.Out] = last[s.Out], returned[s.Out], -1
			}
		}
	}
	taken := map[int]bool{}
	for i, id := range plan.Outs {
		if r := root(id); plan.Values[r].Place == Unused && !taken[r] {
			plan.Values[r].Place, plan.Values[r].Index = Result, i
			taken[r] = true
		}
	}
	starts, ends := make([][]int, len(plan.Steps)), make([][]int, len(plan.Steps))
	for id := range plan.Values {
		if plan.Values[id].Place == Unused && first[id] >= 0 {
			starts[first[id]] = append(starts[first[id]], id)
			ends[last[id]] = append(ends[last[id]], id)
		}
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
	for id := range plan.Values {
		if r := root(id); r != id {
			v, b := &plan.Values[id], plan.Values[r]
			v.Place, v.Index, v.Offset = b.Place, b.Index, b.Offset
		}
	}
}

// reads returns how many operands of an update lie in the memory of root value x.
func (p *planner) reads(s *Update, x int, root func(int) int) int {
	n := 0
	for _, id := range s.Args {
		if root(id) == x {
			n++
		}
	}
	return n
}

// An arena assigns offsets. Free blocks are kept by size class, so that each request
// takes constant time: a block of the class serves, else the arena grows.
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

// take returns the offset of n bytes.
func (a *arena) take(n int) int {
	n = aligned(n)
	c := class64(n)
	// A block of the same class may be too small, one of the next never is.
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

// rest frees what a request leaves of a block.
func (a *arena) rest(b block, n int) {
	if b.size > n {
		a.put(block{b.offset + n, b.size - n})
	}
}

func (a *arena) put(b block) { c := class64(b.size); a.blocks[c] = append(a.blocks[c], b) }

func (a *arena) free(offset, n int) { a.put(block{offset, aligned(n)}) }
