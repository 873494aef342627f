package fuse

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
)

// Reuse states that a result may lie in the memory of an input, which nothing reads behind
// step Step: the step reads each element before it writes it.
type Reuse struct {
	Input int // −1: none
	Step  int
}

// MayFail returns the number of steps up to the last one that may fail: calls of the
// reference executor, and loops, which a context ends.
func (p *Plan) MayFail() int {
	for i := len(p.Steps) - 1; i >= 0; i-- {
		switch p.Steps[i].(type) {
		case *Call, *Conv, *Loop, *Spin:
			return i + 1
		}
	}
	return 0
}

// ResultBytes returns the bytes of the results, and of those that may lie in inputs.
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

// memoryUse is when the memory of values is used: by root value, the first step and the
// last, −1 for none.
type memoryUse struct {
	p           *planner
	first, last []int
	alias       []int // by value: the value whose memory it has, −1 for its own
	returned    map[int]bool
}

// root returns the value whose memory a value has.
func (u *memoryUse) root(id int) int {
	for u.alias[id] >= 0 {
		id = u.alias[id]
	}
	return id
}

// touched returns the values that a step reads or writes; −1 stands for none.
func touched(s Step) []int {
	switch s := s.(type) {
	case *Launch:
		return s.Buffers
	case *Spin:
		ids := slices.Clone(s.Buffers)
		for _, c := range s.Copies {
			ids = append(ids, c[:]...)
		}
		return ids
	case *Call:
		return slices.Concat(s.In, s.Out)
	case *Product:
		return []int{s.In[0], s.In[1], s.Out}
	case *Conv:
		return []int{s.In[0], s.In[1], s.Kernel, s.Out}
	case *Turn:
		return []int{s.In, s.Out}
	case *Attention:
		return append(slices.Clone(s.In), s.Out)
	case *Update:
		return append(slices.Clone(s.Args), s.Out)
	case *Sort:
		return slices.Concat(s.In, s.Out)
	case *Loop:
		return slices.Concat(s.In, s.Out)
	case *Bands:
		var ids []int
		for _, q := range s.Steps {
			ids = append(ids, touched(q)...)
		}
		return ids
	}
	return nil
}

// usesOfMemory notes when the memory of values is used.
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
		for _, id := range touched(s) {
			if id < 0 {
				continue
			}
			r := u.root(id)
			if u.first[r] < 0 {
				u.first[r] = i
			}
			u.last[r] = i
		}
	}
	for _, id := range p.plan.Outs {
		u.returned[u.root(id)] = true
	}
	return u
}

// overwrites returns the operand whose memory output out of step s may take, −1 if there
// is none. candidate states which root values qualify.
func (u *memoryUse) overwrites(s Step, out int, candidate func(root int) bool) int {
	count := func(ids []int, root int) (n, at int) {
		for i, id := range ids {
			if id >= 0 && u.root(id) == root {
				n, at = n+1, i
			}
		}
		return n, at
	}
	switch s := s.(type) {
	case *Update:
		x := u.root(s.Args[0])
		if n, _ := count(s.Args, x); n == 1 && candidate(x) {
			return x
		}
	case *Launch:
		for i, id := range s.Buffers {
			if id < 0 || s.Kernel.Buffers[i].Role != ir.In {
				continue
			}
			x := u.root(id)
			if u.p.plan.Values[x].Bytes() != u.p.plan.Values[out].Bytes() || !candidate(x) {
				continue
			}
			n, _ := count(s.Buffers, x)
			_, o := count(s.Buffers, out)
			if n == 1 && readsFirst(s.Kernel, i, o) {
				return x
			}
		}
	case *Loop:
		for i, id := range s.In {
			if id < 0 {
				continue
			}
			x := u.root(id)
			if n, _ := count(s.In, x); n == 1 && candidate(x) && s.returnsInPlace(i, slices.Index(s.Out, out)) {
				return x
			}
		}
	case *Bands:
		for _, q := range s.Steps {
			if l, ok := q.(*Launch); ok && slices.Contains(l.Buffers, out) {
				return u.overwrites(l, out, func(x int) bool {
					n, _ := count(touched(s), x)
					return n == 1 && candidate(x)
				})
			}
		}
	}
	return -1
}

// outputsOf returns the values that a step writes and that may take an operand's memory.
func outputsOf(s Step) []int {
	switch s := s.(type) {
	case *Update:
		return []int{s.Out}
	case *Launch:
		var out []int
		for i, id := range s.Buffers {
			if id >= 0 && s.Kernel.Buffers[i].Role == ir.Out {
				out = append(out, id)
			}
		}
		return out
	case *Loop:
		if s.EndsByLane() {
			return nil // the reference executor runs it
		}
		return slices.DeleteFunc(slices.Clone(s.Out), func(id int) bool { return id < 0 })
	case *Bands:
		var out []int
		for _, q := range s.Steps {
			out = append(out, outputsOf(q)...)
		}
		return out
	}
	return nil
}

// returnsInPlace reports whether result k of a loop or of branches may lie in the memory of operand i:
// every branch, or every iteration, returns it there or as it is.
func (s *Loop) returnsInPlace(i, k int) bool {
	plans, first := s.Plans, 1 // behind the index
	switch q := s.Eqn.Prim.(type) {
	case *jaxpr.While:
		plans, first = s.Plans[1:], q.CondConsts
		if i != first+q.BodyConsts+k {
			return false
		}
	case *jaxpr.Scan:
		first = 0
		if i != q.NumConsts+k || k >= q.NumCarry {
			return false
		}
	}
	if i < first {
		return false
	}
	for _, q := range plans {
		v := &q.Values[q.Outs[k]]
		if same := v.Place == Input && v.Index == i-first; !same && q.Reuse[k].Input != i-first {
			return false
		}
	}
	return true
}

// inPlace assigns to results of steps the memory of operands that nothing reads afterwards.
func (u *memoryUse) inPlace() {
	values := u.p.plan.Values
	for i, s := range u.p.plan.Steps {
		for _, out := range outputsOf(s) {
			if u.root(out) != out || u.first[out] != i || values[out].Place != Unused {
				continue
			}
			if u.returned[out] && u.overwrites(s, out, func(x int) bool { return u.donatable(x, i, values[out].Type) }) >= 0 {
				continue // it may lie in an input
			}
			x := u.overwrites(s, out, func(x int) bool {
				return values[x].Place == Unused && !u.returned[x] && u.last[x] == i && u.first[x] < i
			})
			if x >= 0 {
				u.p.aliasOf[out], u.alias[out] = x, x
				u.last[x], u.returned[x], u.first[out] = u.last[out], u.returned[out], -1
			}
		}
	}
}

// donatable reports whether root value x is an input of type t that nothing reads behind a
// step.
func (u *memoryUse) donatable(x, step int, t core.ShapedArray) bool {
	v := &u.p.plan.Values[x]
	return v.Place == Input && !u.returned[x] && u.last[x] == step && v.Type == t && v.Bytes() >= minReuse
}

// reuses finds results that may lie in inputs' memory.
func (u *memoryUse) reuses() {
	plan := u.p.plan
	plan.Reuse = make([]Reuse, len(plan.Outs))
	taken, written := map[int]bool{}, map[int][]int{} // written by step
	for i, id := range plan.Outs {
		plan.Reuse[i].Input = -1
		r := u.root(id)
		at := u.first[r]
		if v := &plan.Values[r]; v.Place != Result || v.Index != i || at < 0 {
			continue
		}
		s := plan.Steps[at]
		if written[at] == nil {
			written[at] = outputsOf(s)
		}
		for _, out := range written[at] {
			if u.root(out) != r {
				continue
			}
			x := u.overwrites(s, out, func(x int) bool {
				return !taken[x] && u.donatable(x, at, u.p.j.Outs[i].Aval())
			})
			if x >= 0 {
				taken[x] = true
				plan.Reuse[i] = Reuse{plan.Values[x].Index, at}
			}
		}
	}
}

// minReuse is the size from which a result lies in the memory of an input.
const minReuse = 65

// readsFirst reports whether a kernel reads buffer in only where it writes buffer out
// later, at the same place in the same iteration.
func readsFirst(k *ir.Kernel, in, out int) bool {
	if k.Buffers[in].Type.Size() != k.Buffers[out].Type.Size() {
		return false
	}
	var loads, stores []*ir.Access
	ok := true
	k.Body.Walk(func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Load:
			if s.At.Buffer == in {
				loads = append(loads, &s.At)
				ok = ok && len(stores) == 0
			}
		case *ir.Store:
			if s.At.Buffer == out {
				stores = append(stores, &s.At)
			}
		}
	})
	for _, l := range loads {
		ok = ok && slices.ContainsFunc(stores, func(s *ir.Access) bool { return sameAccess(l, s) })
	}
	return ok && len(loads) > 0
}

// sameAccess reports whether two accesses have one place, which the axes alone determine.
func sameAccess(a, b *ir.Access) bool {
	return a.Offset == b.Offset && slices.EqualFunc(a.Coords, b.Coords, func(x, y ir.Coord) bool {
		return x.Mode == ir.Proved && y.Mode == ir.Proved && x.Stride == y.Stride && x.Base == y.Base && slices.Equal(x.Terms, y.Terms)
	})
}

// largeResult is the number of bytes from which a step that only makes results runs as
// soon as it can, so that what it reads is needed no more.
const largeResult = 1 << 14

// advance moves launches that compute nothing but results to where their operands are
// ready, if that frees memory, but not before other steps that read an input which they
// may overwrite.
func (p *planner) advance() {
	steps := p.plan.Steps
	u := p.usesOfMemory()
	made := make([]int, len(p.plan.Values)) // by root value: the last step that writes it, so far
	read := make([]int, len(p.plan.Values)) // … that touches it
	for i := range made {
		made[i], read[i] = -1, -1
	}
	behind := map[int][]Step{} // by step: those that move to behind it
	moved := map[int]bool{}
	for i, s := range steps {
		if l, ok := s.(*Launch); ok {
			if to, ok := p.earliest(l, i, u, made, read); ok && to < i-1 {
				behind[to] = append(behind[to], s)
				moved[i] = true
				continue
			}
		}
		var out []int
		switch s := s.(type) {
		case *Launch:
			out = outputsOf(s)
		default:
			out = touched(s)
		}
		for _, id := range touched(s) {
			if id >= 0 {
				read[u.root(id)] = i
			}
		}
		for _, id := range out {
			if id >= 0 {
				made[u.root(id)] = i
			}
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

// earliest returns the step behind which launch i may run; ok is false if it makes more
// than results, or frees little.
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
				return 0, false // a step that moved makes it
			}
			to = max(to, made[r])
			ok = ok || u.last[r] == i && v.Bytes() >= largeResult
		case Input:
			to = max(to, read[r])
		}
	}
	return to, ok
}
