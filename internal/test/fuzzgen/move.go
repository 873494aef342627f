package fuzzgen

import (
	"cmp"
	"math/cmplx"
	"slices"
)

// move evaluates operations that move elements, nil for others.
func (m *machine) move(n *Node, in []*arr) []*arr {
	var x *arr
	if len(in) > 0 {
		x = in[0]
	}
	switch n.Op {
	case "pick":
		return one(pick(x, n.A, n.B))
	case "reshape":
		return one(pick(x, n.A, indices(n.A, func(at []int) int { return ravel(n.A, at) })))
	case "transpose":
		shape := make([]int, len(n.A))
		for k, a := range n.A {
			shape[k] = x.shape[a]
		}
		return one(pick(x, shape, indices(shape, func(at []int) int {
			from := make([]int, len(at))
			for k, a := range n.A {
				from[a] = at[k]
			}
			return ravel(x.shape, from)
		})))
	case "bcast":
		return one(pick(x, n.A, indices(n.A, func(at []int) int {
			from := make([]int, len(x.shape))
			for k, a := range n.B {
				if x.shape[k] != 1 {
					from[k] = at[a]
				}
			}
			return ravel(x.shape, from)
		})))
	case "rev":
		return one(pick(x, x.shape, indices(x.shape, func(at []int) int {
			for _, a := range n.A {
				at[a] = x.shape[a] - 1 - at[a]
			}
			return ravel(x.shape, at)
		})))
	case "slice":
		shape := make([]int, len(n.A))
		for a := range shape {
			shape[a] = (n.B[a] - n.A[a] + n.C[a] - 1) / n.C[a]
		}
		return one(pick(x, shape, indices(shape, func(at []int) int {
			for a := range at {
				at[a] = n.A[a] + at[a]*n.C[a]
			}
			return ravel(x.shape, at)
		})))
	case "pad":
		return one(pad(n, x, in[1]))
	case "concat":
		return one(concat(n.N, in))
	case "split":
		var out []*arr
		lo := 0
		for _, s := range n.A {
			shape := slices.Clone(x.shape)
			shape[n.N] = s
			out = append(out, pick(x, shape, indices(shape, func(at []int) int {
				at[n.N] += lo
				return ravel(x.shape, at)
			})))
			lo += s
		}
		return out
	case "dslice":
		return one(pick(x, n.A, indices(n.A, func(at []int) int {
			for a := range at {
				at[a] += int(clamp(in[1+a].i[0], 0, int64(x.shape[a]-n.A[a])))
			}
			return ravel(x.shape, at)
		})))
	case "dupdate":
		return one(update(x, in[1], in[2:]))
	case "take":
		return one(m.take(n, x, in[1]))
	case "scatteradd":
		return one(m.scatterAdd(n, x, in[1], in[2]))
	case "iota":
		out := newArr(n.DType, n.A)
		for k := range out.size() {
			v := int64(unravel(n.A, k)[n.N])
			if out.c != nil {
				out.c[k].v = complex(float64(v), 0)
			} else {
				out.i[k] = v
			}
		}
		return one(out)
	case "sort":
		return one(pick(x, x.shape, m.sorted(x, n.N)))
	case "sort2":
		at := m.sorted(x, n.N)
		return []*arr{pick(x, x.shape, at), pick(in[1], x.shape, at)}
	case "tile":
		shape := make([]int, len(n.A))
		for a := range shape {
			shape[a] = x.shape[a] * n.A[a]
		}
		return one(pick(x, shape, indices(shape, func(at []int) int {
			for a := range at {
				at[a] %= x.shape[a]
			}
			return ravel(x.shape, at)
		})))
	}
	return nil
}

// put sets element k of x to element j of y.
func (x *arr) put(k int, y *arr, j int) {
	if x.c != nil {
		x.c[k] = y.c[j]
	} else {
		x.i[k] = y.i[j]
	}
}

// pad puts low, high and interior padding around the elements, for each axis three
// numbers of A.
func pad(n *Node, x, fill *arr) *arr {
	shape := make([]int, len(x.shape))
	for a, s := range x.shape {
		shape[a] = n.A[3*a] + n.A[3*a+1] + s + max(s-1, 0)*n.A[3*a+2]
	}
	out := newArr(x.dt, shape)
	out.mark([]*arr{x, fill})
	for k := range out.size() {
		at := unravel(shape, k)
		inside := true
		for a := range at {
			p, step := at[a]-n.A[3*a], n.A[3*a+2]+1
			inside = inside && p >= 0 && p%step == 0 && p/step < x.shape[a]
			at[a] = p / step
		}
		if inside {
			out.put(k, x, ravel(x.shape, at))
		} else {
			out.put(k, fill, 0)
		}
	}
	return out
}

func concat(axis int, in []*arr) *arr {
	shape := slices.Clone(in[0].shape)
	shape[axis] = 0
	for _, x := range in {
		shape[axis] += x.shape[axis]
	}
	out := newArr(in[0].dt, shape)
	out.mark(in)
	for k := range out.size() {
		at := unravel(shape, k)
		for _, x := range in {
			if at[axis] < x.shape[axis] {
				out.put(k, x, ravel(x.shape, at))
				break
			}
			at[axis] -= x.shape[axis]
		}
	}
	return out
}

// update writes u into x at a position, which is moved until u lies inside.
func update(x, u *arr, start []*arr) *arr {
	out := pick(x, x.shape, indices(x.shape, func(at []int) int { return ravel(x.shape, at) }))
	out.mark([]*arr{u})
	for k := range u.size() {
		at := unravel(u.shape, k)
		for a := range at {
			at[a] += int(clamp(start[a].i[0], 0, int64(x.shape[a]-u.shape[a])))
		}
		out.put(ravel(x.shape, at), u, k)
	}
	return out
}

// take takes the rows at the indices idx. For a row out of bounds it takes the nearest one, or,
// with Flag, ½ or 0.
func (m *machine) take(n *Node, x, idx *arr) *arr {
	shape := append([]int{idx.shape[0]}, x.shape[1:]...)
	out := newArr(x.dt, shape)
	out.mark([]*arr{x})
	for k := range out.size() {
		at := unravel(shape, k)
		r := idx.i[at[0]]
		if n.Flag && (r < 0 || r >= int64(x.shape[0])) {
			if out.c != nil && n.N == 0 {
				out.c[k].v = 0.5
			}
			continue
		}
		at[0] = int(clamp(r, 0, int64(x.shape[0]-1)))
		out.put(k, x, ravel(x.shape, at))
	}
	return out
}

// scatterAdd adds rows to the rows at the indices idx. One out of bounds is left out, or, with
// Flag, added to the nearest row.
func (m *machine) scatterAdd(n *Node, x, idx, u *arr) *arr {
	out := pick(x, x.shape, indices(x.shape, func(at []int) int { return ravel(x.shape, at) }))
	out.mark([]*arr{u})
	for k := range u.size() {
		at := unravel(u.shape, k)
		r := idx.i[at[0]]
		if !n.Flag && (r < 0 || r >= int64(x.shape[0])) {
			continue
		}
		at[0] = int(clamp(r, 0, int64(x.shape[0]-1)))
		p := ravel(x.shape, at)
		if out.c != nil {
			out.c[p] = m.rounded(x.dt, out.c[p].v+u.c[k].v, out.c[p].e+u.c[k].e+unit(x.dt)*cmplx.Abs(u.c[k].v), 2)
		} else {
			out.i[p] = wrap(x.dt, out.i[p]+u.i[k])
		}
	}
	return out
}

// sorted returns where each element comes from when x is sorted along an axis.
func (m *machine) sorted(x *arr, axis int) []int {
	from := make([]int, x.size())
	for k := range from {
		at := unravel(x.shape, k)
		if at[axis] != 0 {
			continue
		}
		lane := make([]int, x.shape[axis])
		for j := range lane {
			at[axis] = j
			lane[j] = ravel(x.shape, at)
		}
		order := slices.Clone(lane)
		slices.SortStableFunc(order, func(a, b int) int {
			if x.c == nil {
				return cmp.Compare(x.i[a], x.i[b])
			}
			m.apart("sorting", x.c[a], x.c[b])
			return cmp.Compare(real(x.c[a].v), real(x.c[b].v))
		})
		for j, p := range order {
			from[lane[j]] = p
		}
	}
	return from
}
