package weft

import (
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
)

// What a function may change for its caller: arrays behind a pointer, in a slice or in
// a map among its arguments, as a Go function may. A traced function changes copies;
// what it changed are results of its program, and stored after each call.

// written collects what the function changed for its caller: leaves that are no longer
// the tracers that it was given.
func (j *jitted) written(t *traced, args, at []reflect.Value, counts []int, in []core.Value) (outs []core.Value) {
	k := 0
	for i, n := range counts {
		if !j.shared[i] {
			k += n
			continue
		}
		p := j.in[i]
		c := reflect.New(p.Type())
		c.Elem().Set(args[i])
		if path, a, b, differ := p.Difference(at[i].UnsafePointer(), c.UnsafePointer()); differ {
			core.FailOp(core.ErrTree, j.op, nil, "%s changed the structure behind argument %d at %q: %s before, %s after; only arrays can be changed in what is the caller's: give the rest as a result", j.said, i, path, a, b)
		}
		var flat tree.Flat[Array]
		p.Flatten(&flat, c.UnsafePointer())
		for m, x := range flat.Leaves {
			if x.IsZero() {
				core.FailOp(core.ErrTree, j.op, nil, "%s set leaf %q behind argument %d to the zero Array; leave the array there", j.said, p.Paths(c.UnsafePointer())[m], i)
			}
			if v := x.Value(); v != in[k+m] {
				t.written[k+m] = true
				outs = append(outs, v)
			}
		}
		k += n
	}
	t.writes = len(outs) > 0
	return outs
}

// writeBack stores what the function changed where the caller has it.
func (j *jitted) writeBack(t *traced, at []reflect.Value, counts []int, leaves []Array, outs []core.Value) {
	if !t.writes {
		return
	}
	k, m := 0, 0
	for i, n := range counts {
		changed := false
		now := make([]Array, n)
		for l := range n {
			now[l] = leaves[k+l]
			if t.written[k+l] {
				now[l] = FromValue(outs[m])
				changed = true
				m++
			}
		}
		k += n
		if changed {
			j.in[i].Store(at[i].UnsafePointer(), now)
		}
	}
}

// refuseAliases refuses a call of a function that writes a place which the arguments
// hold twice: the program knows two arrays there, and the last one stored would win.
func (j *jitted) refuseAliases(t *traced, at []reflect.Value) {
	if !t.writes {
		return
	}
	var places []tree.Place
	for i, p := range j.in {
		if p != nil {
			places = p.Places(places, at[i].UnsafePointer())
		}
	}
	first := make(map[tree.Place]int, len(places))
	for i, p := range places {
		if p == (tree.Place{}) {
			continue
		}
		k, twice := first[p]
		if !twice {
			first[p] = i
		} else if t.written[i] || t.written[k] {
			counts := make([]int, len(j.in))
			for i, q := range j.in {
				if q != nil {
					counts[i] = len(q.Paths(at[i].UnsafePointer()))
				}
			}
			a, in := j.locate(at, counts, k)
			b, on := j.locate(at, counts, i)
			core.FailOp(core.ErrTree, j.op, nil, "argument %d%s and argument %d%s are one place, and %s writes it: pass a copy in one of them", a, in, b, on, j.said)
		}
	}
}

func countTrue(m []bool) (n int) {
	for _, x := range m {
		if x {
			n++
		}
	}
	return n
}
