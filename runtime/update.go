package runtime

import (
	"context"
	"slices"

	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
)

// An update is an equation that changes some elements of its first operand, which is read
// for the last time there. Where nothing else holds the operand, the result is written over it.
type update struct {
	leaf    *leaf
	dead    int // index of the operand in the step's dead
	changes int // index of the operand with the new elements
}

// updateOf returns the step as an update, nil if it is not one.
func updateOf(s *step) *update {
	l, ok := s.act.(*leaf)
	if !ok || len(s.in) == 0 || s.in[0].slot < 0 {
		return nil
	}
	changes, ok := reference.Updates(l.p)
	if !ok {
		return nil
	}
	k := slices.Index(s.dead, s.in[0].slot)
	if k < 0 || slices.ContainsFunc(s.in[1:], func(o operand) bool { return o.slot == s.in[0].slot }) {
		return nil
	}
	return &update{l, k, changes}
}

// run runs the update in place. It reports false, and has done nothing, where that must not be: the
// operand has another holder or occurs twice, results are searched for NaNs or infinities, or a large
// part of a donated argument would change.
func (u *update) run(x *run, in, out, dying []*Array) bool {
	a := in[0]
	if a.refs != 1 || x.watch != 0 || slices.Contains(in[1:], a) {
		return false
	}
	if x.taken.has(a) {
		if 4*in[u.changes].t.Size() > a.t.Size() {
			return false // saving the old elements would cost as much as a copy
		}
		x.taken.undo = append(x.taken.undo, reference.Undo(u.leaf.p, tensors(in)))
	}
	a.t.ShapedArray = u.leaf.types[0]
	out[0], dying[u.dead] = a, nil
	u.leaf.f(u.leaf.p, tensors(in), tensors(out))
	return true
}

// taken are the donated arguments whose memory a run may overwrite, and what restores them if
// the run fails.
type taken struct {
	arrays []*Array
	undo   []func()
}

func (t *taken) has(a *Array) bool { return t != nil && slices.Contains(t.arrays, a) }

// restore undoes what a failed run wrote.
func (t *taken) restore() {
	for _, undo := range slices.Backward(t.undo) {
		undo()
	}
}

// run runs a program with donated arguments. It reports lost if these may have been overwritten
// even when the results are refused.
func (d *donation) run(ctx context.Context, s *Settings, e Executor, p *jaxpr.Jit, args []*Array) (outs []*Array, lost bool) {
	d.host = e.Memory() == Host
	if s.Watch != 0 {
		return runOn(ctx, s, e, p, args), false
	}
	d.all = d.all && !d.views(e)
	var donated []bool
	if d.all {
		donated = p.Donated
	}
	c := compiledFor(e, p.Jaxpr, donated, s, p.Fn).now()
	switch {
	case c.ref != nil && e.Memory() == Host:
		return c.taking(ctx, d, args), false
	case d.all:
		return c.start(ctx, args), true
	}
	return c.run(ctx, args), false
}

// views reports whether e would read a donated array of a device through a view in host memory.
// Nothing may overwrite a view: other arrays and the device's buffer may share its memory.
func (d *donation) views(e Executor) bool {
	return e.Memory() == Host && slices.ContainsFunc(d.arrays, func(a *Array) bool { return a.Buffer() != nil })
}

// taking runs a program on the reference executor, which may overwrite the arguments that d has
// taken.
func (c *Compiled) taking(ctx context.Context, d *donation, args []*Array) []*Array {
	t := &taken{}
	args = slices.Clone(args)
	for i, a := range d.arrays {
		if !d.taken[i] || a.remote() != nil {
			continue
		}
		if k := slices.Index(args, a); k >= 0 {
			args[k] = a.successor(true)
			args[k].refs = 1
			t.arrays = append(t.arrays, args[k])
		}
	}
	failed := true
	defer func() {
		if failed {
			t.restore()
		}
	}()
	outs := make([]*Array, len(c.types))
	c.ref.runTaking(ctx, hostArrays(ctx, c.label, args), outs, t)
	failed = false
	for i, a := range outs {
		outs[i] = a.marked(c.types[i]) // an argument or a constant may have another weak mark
	}
	return outs
}
