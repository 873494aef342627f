package device

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
)

// loop runs plans within the plan.
type loop struct {
	loop     *fuse.Loop
	programs []*program
}

// batched reports whether the lanes of a loop end at different times.
func batched(s *fuse.Loop) bool {
	return s.Kind == fuse.WhileLoop && s.Eqn.Prim.(*jaxpr.While).Cond.Outs[0].Aval().Rank() > 0
}

func (l *loop) run(x *execution, f *frame) error {
	in := make([]view, len(l.loop.In))
	for i, id := range l.loop.In {
		in[i] = f.views[id]
	}
	outs := make([]view, len(l.loop.Out)) // without memory where nothing reads
	for i, id := range l.loop.Out {
		if id >= 0 {
			outs[i] = f.views[id]
		}
	}
	switch l.loop.Kind {
	case fuse.CondCall:
		t := f.p.plan.Values[l.loop.In[0]].Type
		data := make([]byte, bytesOf(t))
		if err := x.e.driver.Read(data, in[0].p.m, in[0].offset); err != nil {
			return err
		}
		k, _ := elem.Get(data, t.DType)
		_, err := l.programs[min(max(k.Int64(), 0), int64(len(l.programs)-1))].into(x, in[1:], outs)
		return err
	case fuse.WhileLoop:
		return l.while(x, in, outs)
	}
	return l.scan(x, in, outs)
}

// typesOf returns the types of an equation's results.
func typesOf(e *jaxpr.Eqn) []core.ShapedArray {
	ts := make([]core.ShapedArray, len(e.Outs))
	for i, v := range e.Outs {
		ts[i] = v.Type
	}
	return ts
}

// carries are the values that go round a loop. Each has memory for two iterations: the
// one that is read and the one that is written.
type carries struct {
	types      []core.ShapedArray
	now, spare []view
}

func newCarries(types []core.ShapedArray, init []view) *carries {
	return &carries{types, slices.Clone(init), make([]view, len(init))}
}

// step makes the results of an iteration the carries of the next one. What was read is
// free, unless it is the caller's. A result in memory of another owner is copied.
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
		own, err := x.e.fresh(c.types[i])
		if err != nil {
			return err
		}
		if n := bytesOf(c.types[i]); n > 0 {
			if err := x.e.driver.Copy(own.p.m, own.offset, v.p.m, v.offset, n); err != nil {
				return err
			}
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

// finish copies the carries to the loop's results.
func (c *carries) finish(x *execution, outs []view) error {
	for i, v := range c.now {
		if n := bytesOf(c.types[i]); outs[i].p != nil && outs[i] != v && n > 0 {
			if err := x.e.driver.Copy(outs[i].p.m, outs[i].offset, v.p.m, v.offset, n); err != nil {
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
	c := newCarries(typesOf(l.loop.Eqn), in[bc:])
	test, err := x.e.fresh(core.Aval(core.Bool))
	if err != nil {
		return err
	}
	defer test.p.release()
	for first := true; ; first = false {
		if err := ended(x.ctx); err != nil {
			return err
		}
		if _, err := cond.into(x, slices.Concat(in[:cc], c.now), []view{test}); err != nil {
			return err
		}
		var flag [1]byte
		if err := x.e.driver.Read(flag[:], test.p.m, test.offset); err != nil {
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
	c := newCarries(types[:p.NumCarry], in[nc:k])
	outs = slices.Clone(outs)
	for i := p.NumCarry; i < len(outs); i++ {
		if outs[i].p == nil {
			var err error
			if outs[i], err = x.e.fresh(types[i]); err != nil {
				return err
			}
		}
	}
	for i := range p.Length {
		if err := ended(x.ctx); err != nil {
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
