package device

import (
	"slices"

	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
)

// recordedWhile records a loop that ends by a condition. Its carries have two sets of memory, the first of which is the memory of the
// results: an iteration reads one set and writes the other. So the launches of two iterations are repeated, and the second iteration runs
// only if the condition still holds. The byte tests[0] is the condition after the first iteration, tests[1] the condition before the loop
// and after the second iteration. If the loop ends after the first iteration, its carries are in the second set; only then is tests[1] still 1.
func (l *loop) recordedWhile(x *execution, in, outs []view) error {
	w := l.loop.Eqn.Prim.(*jaxpr.While)
	cc, bc := w.CondConsts, w.CondConsts+w.BodyConsts
	cond, body := l.programs[0], l.programs[1]
	types := typesOf(l.loop.Eqn)
	held := len(x.held)
	defer func() { x.release(held) }()
	var tests [2]view
	var sets [2][]view
	for s := range tests {
		var err error
		if tests[s], err = x.scratch(1); err != nil {
			return err
		}
		sets[s] = slices.Clone(outs)
	}
	for i, t := range types {
		if v := &body.plan.Values[body.plan.Outs[i]]; v.Place == fuse.Input && v.Index == w.BodyConsts+i {
			sets[0][i], sets[1][i] = in[bc+i], in[bc+i] // no iteration changes it
			continue
		}
		for s := range sets {
			if s == 0 && outs[i].p != nil {
				continue
			}
			var err error
			if sets[s][i], err = x.scratch(bytesOf(t)); err != nil {
				return err
			}
		}
		if err := body.copy(x, sets[0][i], in[bc+i], bytesOf(t)); err != nil {
			return err
		}
	}
	ask := func(s int) error {
		_, err := cond.into(x, slices.Concat(in[:cc], sets[s]), []view{tests[1-s]})
		return err
	}
	iterate := func(s int) error {
		if _, err := body.into(x, slices.Concat(in[cc:bc], sets[s]), slices.Clone(sets[1-s])); err != nil {
			return err
		}
		return ask(1 - s)
	}
	if err := ask(0); err != nil {
		return err
	}
	x.record.append(Launch{Control: Repeat}, tests[1])
	if err := iterate(0); err != nil {
		return err
	}
	x.record.append(Launch{Control: If}, tests[0])
	if err := iterate(1); err != nil {
		return err
	}
	x.record.append(Launch{Control: End})
	x.record.append(Launch{Control: End}, tests[0], tests[1])
	x.record.append(Launch{Control: If}, tests[1])
	for i, t := range types {
		if err := body.copy(x, sets[0][i], sets[1][i], bytesOf(t)); err != nil {
			return err
		}
	}
	x.record.append(Launch{Control: End})
	for i, t := range types {
		if outs[i].p != nil {
			if err := body.copy(x, outs[i], sets[0][i], bytesOf(t)); err != nil {
				return err
			}
		}
	}
	return nil
}
