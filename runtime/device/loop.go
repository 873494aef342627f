package device

import (
	"encoding/binary"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/runtime"
)

// loop is the step of a loop or a branch, whose programs are plans within the plan.
type loop struct {
	loop     *fuse.Loop
	programs []*program
	guarded  bool
	advance  *launch // of a while loop that runs on the device
	choose   *launch // of branches that are chosen on the device
}

func (l *loop) run(x *execution, f *frame) error {
	in := make([]view, len(l.loop.In))
	for i, id := range l.loop.In {
		in[i] = f.views[id]
	}
	outs := make([]view, len(l.loop.Out)) // without memory if nothing reads the result
	for i, id := range l.loop.Out {
		if id >= 0 {
			outs[i] = f.views[id]
		}
	}
	switch l.loop.Kind {
	case fuse.CondCall:
		if l.choose != nil && (l.guarded || x.record != nil) {
			return l.branches(x, in, outs)
		}
		t := f.p.plan.Values[l.loop.In[0]].Type
		data := make([]byte, bytesOf(t))
		if err := x.read(data, in[0]); err != nil {
			return err
		}
		k, _ := elem.Get(data, t.DType)
		_, err := l.programs[min(max(k.Int64(), 0), int64(len(l.programs)-1))].into(x, in[1:], outs)
		return err
	case fuse.WhileLoop:
		switch {
		case l.advance != nil:
			return l.guardedWhile(x, in, outs)
		case x.record != nil:
			return l.recordedWhile(x, in, outs)
		}
		return l.while(x, in, outs)
	}
	return l.scan(x, in, outs)
}

func typesOf(e *jaxpr.Eqn) []core.ShapedArray {
	ts := make([]core.ShapedArray, len(e.Outs))
	for i, v := range e.Outs {
		ts[i] = v.Type
	}
	return ts
}

// carries are the values that a loop carries. Each has up to two pieces of memory: an
// iteration reads one and writes the other.
type carries struct {
	p          *program // of the body
	types      []core.ShapedArray
	now, spare []view
}

func newCarries(p *program, types []core.ShapedArray, init []view) *carries {
	return &carries{p, types, slices.Clone(init), make([]view, len(init))}
}

// step makes the results of an iteration the carries of the next one. The memory that was
// read becomes spare, unless it is the caller's or holds the next carry too. A result that shares memory with another
// value is copied.
func (c *carries) step(x *execution, next []view, first bool, others ...[]view) error {
	for i, v := range next {
		shared := slices.Contains(next[:i], v)
		for j, old := range c.now {
			shared = shared || v == old && i != j
		}
		for _, list := range others {
			shared = shared || slices.Contains(list, v) && v != c.now[i]
		}
		if !shared {
			continue
		}
		own, err := x.alloc(bytesOf(c.types[i]))
		if err != nil {
			return err
		}
		if err := c.p.copy(x, own, v, bytesOf(c.types[i])); err != nil {
			return err
		}
		next[i] = own
	}
	for i := range c.now {
		if first || c.now[i] == next[i] {
			c.spare[i] = view{}
		} else {
			c.spare[i] = c.now[i]
		}
		c.now[i] = next[i]
	}
	return nil
}

// finish copies the carries to those results of the loop that have memory.
func (c *carries) finish(x *execution, outs []view) error {
	for i, v := range c.now {
		if outs[i].p != nil {
			if err := c.p.copy(x, outs[i], v, bytesOf(c.types[i])); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *loop) while(x *execution, in, outs []view) error {
	w := l.loop.Eqn.Prim.(*jaxpr.While)
	cc, bc := w.CondConsts, w.CondConsts+w.BodyConsts
	cond, body := l.programs[0], l.programs[1]
	c := newCarries(body, typesOf(l.loop.Eqn), in[bc:])
	test, err := x.alloc(1)
	if err != nil {
		return err
	}
	defer test.p.release()
	for first := true; ; first = false {
		if err := runtime.Ended(x.ctx); err != nil {
			return err
		}
		if _, err := cond.into(x, slices.Concat(in[:cc], c.now), []view{test}); err != nil {
			return err
		}
		var flag [1]byte
		if err := x.read(flag[:], test); err != nil {
			return err
		}
		if flag[0] == 0 {
			return c.finish(x, outs)
		}
		next, err := body.into(x, slices.Concat(in[cc:bc], c.now), slices.Clone(c.spare))
		if err != nil {
			return err
		}
		if err := c.step(x, next, first, in[:bc]); err != nil {
			return err
		}
	}
}

func (l *loop) scan(x *execution, in, outs []view) error {
	p := l.loop.Eqn.Prim.(*jaxpr.Scan)
	body := l.programs[0]
	nc, k := p.NumConsts, p.NumConsts+p.NumCarry
	types := typesOf(l.loop.Eqn)
	c := newCarries(body, types[:p.NumCarry], in[nc:k])
	outs = slices.Clone(outs)
	for i := p.NumCarry; i < len(outs); i++ {
		if outs[i].p == nil {
			var err error
			if outs[i], err = x.alloc(bytesOf(types[i])); err != nil {
				return err
			}
		}
	}
	for i := range p.Length {
		if err := runtime.Ended(x.ctx); err != nil {
			return err
		}
		at := i
		if p.Reverse {
			at = p.Length - 1 - i
		}
		args := slices.Concat(in[:nc], c.now, in[k:])
		for j := k; j < len(in); j++ {
			args[j] = view{in[j].p, in[j].offset + at*bytesOf(body.plan.Program.Ins[j].Type)}
		}
		want := append(slices.Clone(c.spare), outs[p.NumCarry:]...)
		for j := p.NumCarry; j < len(outs); j++ {
			want[j] = view{outs[j].p, outs[j].offset + at*bytesOf(body.plan.Program.Outs[j].Aval())}
		}
		next, err := body.into(x, args, want)
		if err != nil {
			return err
		}
		if err := c.step(x, next[:p.NumCarry], i == 0, in, args[k:]); err != nil {
			return err
		}
	}
	return c.finish(x, outs[:p.NumCarry])
}

// guardedWhile runs a while loop whose programs are guarded. Iterations alternate between two sets
// of memory for what they carry: the number of those that took place determines which set has
// the result.
func (l *loop) guardedWhile(x *execution, in, outs []view) error {
	w := l.loop.Eqn.Prim.(*jaxpr.While)
	cc, bc := w.CondConsts, w.CondConsts+w.BodyConsts
	cond, body := l.programs[0], l.programs[1]
	types := typesOf(l.loop.Eqn)
	held := len(x.held)
	state, err := x.scratch(stateBytes)
	if err != nil {
		return err
	}
	test, err := x.scratch(1)
	if err != nil {
		return err
	}
	sets := [2][]view{make([]view, len(types)), make([]view, len(types))}
	for i, t := range types {
		if v := &body.plan.Values[body.plan.Outs[i]]; v.Place == fuse.Input && v.Index == w.BodyConsts+i {
			sets[0][i], sets[1][i] = in[bc+i], in[bc+i] // no iteration changes it
			continue
		}
		for s := range sets {
			if sets[s][i], err = x.scratch(bytesOf(t)); err != nil {
				return err
			}
		}
	}
	data := [stateBytes]byte{stateLive: 1}
	if err := x.e.driver.Write(state.p.m, 0, data[:]); err != nil {
		return err
	}
	x.guard = view{state.p, stateLive}
	defer func() { x.guard = view{} }()
	now := in[bc:]
	for issued, batch := 0, 1; ; batch = min(2*batch, mostBatch) {
		for range batch {
			if err := runtime.Ended(x.ctx); err != nil {
				return err
			}
			next := sets[1-issued%2]
			if _, err := cond.into(x, slices.Concat(in[:cc], now), []view{test}); err != nil {
				return err
			}
			if err := x.launch(l.advance, false, []view{state, x.guard, test}); err != nil {
				return err
			}
			if _, err := body.into(x, slices.Concat(in[cc:bc], now), next); err != nil {
				return err
			}
			now = next
			issued++
		}
		if err := x.read(data[:], view{p: state.p}); err != nil {
			return err
		}
		if data[stateLive] == 0 {
			break
		}
	}
	done := sets[binary.NativeEndian.Uint32(data[:])%2]
	if binary.NativeEndian.Uint32(data[:]) == 0 {
		done = in[bc:]
	}
	x.guard = view{}
	for i, v := range done {
		if n := bytesOf(types[i]); outs[i].p != nil && n > 0 && outs[i] != v {
			if err := x.e.driver.Copy(outs[i].p.m, outs[i].offset, v.p.m, v.offset, n); err != nil {
				return err
			}
		}
	}
	x.release(held)
	return nil
}

// mostBatch bounds the iterations that are launched before the host reads whether a loop has ended.
const mostBatch = 64

// branches launches the kernels of all branches. Guards, or the graph that is recorded, let only those of the chosen branch run.
func (l *loop) branches(x *execution, in, outs []view) error {
	was := x.guard
	defer func() { x.guard = was }()
	held := len(x.held)
	guards, err := x.scratch(len(l.programs))
	if err != nil {
		return err
	}
	outer := was
	if outer.p == nil {
		if outer, err = x.e.always(); err != nil {
			return err
		}
	}
	if err := x.launch(l.choose, false, []view{in[0], outer, guards}); err != nil {
		return err
	}
	want := slices.Clone(outs)
	for i := range want {
		if want[i].p == nil {
			if want[i], err = x.scratch(bytesOf(l.loop.Eqn.Outs[i].Type)); err != nil {
				return err
			}
		}
	}
	for i, q := range l.programs {
		chosen := view{guards.p, guards.offset + i}
		if l.guarded {
			x.guard = chosen
		} else {
			x.record.append(Launch{Control: If}, chosen)
		}
		if _, err := q.into(x, in[1:], want); err != nil {
			return err
		}
		if !l.guarded {
			x.record.append(Launch{Control: End})
		}
	}
	x.release(held)
	return nil
}
