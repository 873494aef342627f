package cpu

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/runtime"
)

// spinStep runs a loop whose arrays stay in registers, in launches of some 100 µs.
type spinStep struct {
	launchStep
	program *program
	spin    *fuse.Spin
}

func (s *spinStep) run(x *execution, f *frame) error {
	for _, c := range s.spin.Copies {
		copy(s.program.bytes(f, c[0]), s.program.bytes(f, c[1]))
	}
	for _, id := range s.spin.Zero {
		clear(s.program.bytes(f, id))
	}
	more := s.program.bytes(f, s.spin.More)
	for {
		if err := s.launchStep.run(x, f); err != nil {
			return err
		}
		if more[0] == 0 {
			return nil
		}
		if err := x.ended(); err != nil {
			return err
		}
	}
}

// loopStep runs plans within the plan.
type loopStep struct {
	loop     *fuse.Loop
	programs []*program
	outer    *program
}

func (s *loopStep) run(x *execution, f *frame) error {
	in := make([]*runtime.Array, len(s.loop.In))
	for i, id := range s.loop.In {
		in[i] = s.outer.array(f, id, false)
	}
	outs := make([]*runtime.Array, len(s.loop.Out))
	for i, id := range s.loop.Out {
		if id >= 0 {
			outs[i] = s.outer.array(f, id, false)
		}
	}
	switch s.loop.Kind {
	case fuse.CondCall:
		n := s.outer.index(f, s.loop.In[0], len(s.programs))
		return s.programs[n].into(x, in[1:], outs)
	case fuse.WhileLoop:
		return s.while(x, in, outs)
	}
	return s.scan(x, in, outs)
}

// carries are the values that go round a loop. Each has memory for two iterations: the
// one that is read and the one that is written.
type carries struct {
	now, spare []*runtime.Array
}

func newCarries(init []*runtime.Array) *carries {
	return &carries{now: append([]*runtime.Array(nil), init...), spare: make([]*runtime.Array, len(init))}
}

// memory returns what the next iteration writes its carries to.
func (c *carries) memory() []*runtime.Array {
	next := make([]*runtime.Array, len(c.now))
	copy(next, c.spare)
	return next
}

// step makes the results of an iteration the carries of the next one. What was read is
// free, unless it is the caller's.
func (c *carries) step(next []*runtime.Array, first bool) {
	for i := range c.now {
		if first || c.now[i] == next[i] {
			c.spare[i] = nil
		} else {
			c.spare[i] = c.now[i]
		}
		c.now[i] = next[i]
	}
}

// finish puts the carries into outs, whose elements are arrays to write or nil.
func finish(now, outs []*runtime.Array) {
	for i, a := range now {
		if outs[i] == nil {
			outs[i] = a
		} else if outs[i] != a {
			copy(outs[i].Tensor().Data, a.Tensor().Data)
		}
	}
}

// own copies carries that share memory with something that is not theirs: results that
// are operands, or stand twice. A carry that stays as it was needs no copy.
func own(next, now []*runtime.Array, others ...[]*runtime.Array) {
	shared := false
	for i, a := range next {
		for j, b := range now {
			shared = shared || a == b && i != j
		}
		for j, b := range next[:i] {
			shared = shared || a == b && i != j
		}
		for _, list := range others {
			shared = shared || slices.Contains(list, a) && a != now[i]
		}
	}
	if !shared {
		return
	}
	seen := map[*runtime.Array]bool{}
	for _, list := range append(others, now) {
		for _, a := range list {
			seen[a] = true
		}
	}
	for i, a := range next {
		if a != now[i] && seen[a] {
			b := newResult(a.Aval())
			copy(b.Tensor().Data, a.Tensor().Data)
			next[i] = b
		}
		seen[next[i]] = true
	}
}

func (s *loopStep) while(x *execution, in, outs []*runtime.Array) error {
	w := s.loop.Eqn.Prim.(*jaxpr.While)
	cc, bc := w.CondConsts, w.CondConsts+w.BodyConsts
	cond, body := s.programs[0], s.programs[1]
	c := newCarries(in[bc:])
	test := make([]*runtime.Array, 1)
	condArgs := append(append([]*runtime.Array(nil), in[:cc]...), c.now...)
	bodyArgs := append([]*runtime.Array(nil), in[cc:]...)
	for first := true; ; first = false {
		if err := x.ended(); err != nil {
			return err
		}
		copy(condArgs[cc:], c.now)
		test[0] = nil
		if err := cond.into(x, condArgs, test); err != nil {
			return err
		}
		if test[0].Tensor().Data[0] == 0 {
			finish(c.now, outs)
			return nil
		}
		copy(bodyArgs[w.BodyConsts:], c.now)
		next := c.memory()
		if err := body.into(x, bodyArgs, next); err != nil {
			return err
		}
		own(next, c.now, in[:bc])
		c.step(next, first)
	}
}

func (s *loopStep) scan(x *execution, in, outs []*runtime.Array) error {
	p := s.loop.Eqn.Prim.(*jaxpr.Scan)
	body := s.programs[0]
	nc, k := p.NumConsts, p.NumConsts+p.NumCarry
	c := newCarries(in[nc:k])
	args := append([]*runtime.Array(nil), in...)
	types := s.loop.Eqn.Outs
	for i := p.NumCarry; i < len(outs); i++ {
		if outs[i] == nil {
			outs[i] = newResult(types[i].Type)
		}
	}
	for i := range p.Length {
		if err := x.ended(); err != nil {
			return err
		}
		at := i
		if p.Reverse {
			at = p.Length - 1 - i
		}
		copy(args[nc:], c.now)
		for j := k; j < len(in); j++ {
			args[j] = row(in[j], body.plan.Program.Ins[j].Type, at)
		}
		next := append(c.memory(), make([]*runtime.Array, len(outs)-p.NumCarry)...)
		for j := p.NumCarry; j < len(outs); j++ {
			next[j] = row(outs[j], body.plan.Program.Outs[j].Aval(), at)
		}
		if err := body.into(x, args, next); err != nil {
			return err
		}
		carried := next[:p.NumCarry]
		own(carried, c.now, in, args[k:])
		c.step(carried, i == 0)
	}
	finish(c.now, outs[:p.NumCarry])
	return nil
}

// row returns element i of an array along its first axis: the same memory.
func row(a *runtime.Array, t core.ShapedArray, i int) *runtime.Array {
	n := t.Size() * t.DType.Size()
	return runtime.Made(t, a.Tensor().Data[i*n:(i+1)*n:(i+1)*n], nil)
}
