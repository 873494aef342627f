package fuzzgen

import "slices"

// vmap loops over the batch, or over the devices of a mesh.
func (m *machine) vmap(w *Wrap, in []val, e *env) []val {
	var rows [][]val
	old, had := m.axes[w.Axis]
	for k := range w.Size {
		args := slices.Clone(in)
		for i, a := range w.InAxes {
			if a >= 0 {
				args[i] = m.lane(in[i], a, k)
			}
		}
		m.axes[w.Axis] = int64(k)
		if w.Mesh {
			rows = append(rows, m.recorded(w.Fs[0], args, e))
		} else {
			rows = append(rows, m.call(w.Fs[0], args, e))
		}
	}
	if had {
		m.axes[w.Axis] = old
	} else {
		delete(m.axes, w.Axis)
	}
	outs := make([]val, len(w.OutAxes))
	for o, a := range w.OutAxes {
		var parts []val
		for _, r := range rows {
			parts = append(parts, r[o])
		}
		outs[o] = m.stack(parts, a)
	}
	return outs
}

// lane is element k along an axis, which is dropped.
func (m *machine) lane(x val, axis, k int) val {
	a := x.like()
	shape := dropped(a.shape, []int{axis})
	n := &Node{Op: "pick", A: shape, B: indices(shape, func(at []int) int {
		return ravel(a.shape, slices.Insert(slices.Clone(at), axis, k))
	})}
	return m.node1(n, x)
}

// stack puts values side by side along a new axis.
func (m *machine) stack(vs []val, axis int) val {
	all := vs[0]
	for _, v := range vs[1:] {
		all = join(all, v)
	}
	parts := make([]val, len(vs))
	for k, v := range vs {
		shape := slices.Insert(slices.Clone(v.like().shape), axis, 1)
		parts[k] = m.node1(&Node{Op: "reshape", A: shape}, join(v, all))
	}
	return m.node1(&Node{Op: "concat", N: axis}, parts...)
}
