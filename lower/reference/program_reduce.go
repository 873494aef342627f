package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// reduceProgram reduces arrays by a program, in the groups, blocks, lanes and chunks of sums. The initial
// values should be neutral to the program, but need not be. So lanes and chunks start from their first
// element, and the initial values are combined once, f(init, result). The number of lanes is the number of elements
// of the widest type in 256 bytes.
func reduceProgram(q prim.ReduceP, call Caller, in, out []*block.Tensor) {
	k := len(out)
	r := programReduction{c: newCombiner(q.Program, call), w: maxLanes}
	for _, t := range out {
		r.w = min(r.w, laneBytes/max(t.DType.Size(), 1))
	}
	if out[0].Size() == 0 {
		return
	}
	// Results that reduce no elements keep the initial values.
	for i, t := range out {
		fillScalar(t, in[k+i])
	}
	flat := make([]*block.Tensor, k)
	for i, t := range out {
		flat[i] = vector(t, 0, t.Size())
	}
	if in[0].Size() == 0 {
		return
	}
	x := in[:k]
	lanes := q.Order.Implied(x[0].Shape, q.Axes) == prim.OrderLanes
	groups := groupsOf(nil, x[0].Shape, q.Axes)
	part := make([]*block.Tensor, k)
	for i, t := range x {
		part[i] = vector(t, 0, t.Size())
	}
	inner := 1
	for g := len(groups) - 1; g >= 0; g-- {
		n := groups[g].n
		if !groups[g].reduced {
			inner *= n
			continue
		}
		part = r.group(part, n, inner, lanes)
		lanes = false
	}
	r.c.into(flat, part)
}

type programReduction struct {
	c *combiner
	w int
}

func news(x []*block.Tensor, n int) []*block.Tensor {
	out := make([]*block.Tensor, len(x))
	for i, t := range x {
		out[i] = block.NewTensor(core.Aval(t.DType, n))
	}
	return out
}

func parts(x []*block.Tensor, off, n int) []*block.Tensor {
	out := make([]*block.Tensor, len(x))
	for i, t := range x {
		out[i] = vector(t, off, n)
	}
	return out
}

func copyParts(dst, src []*block.Tensor) {
	for i, t := range dst {
		copy(t.Data, src[i].Data)
	}
}

// group reduces the middle axis of x[outer, n, inner].
func (r *programReduction) group(x []*block.Tensor, n, inner int, lanes bool) []*block.Tensor {
	size := n * inner
	outer := x[0].Size() / size
	y := news(x, outer*inner)
	for o := range outer {
		row := parts(x, o*size, size)
		if !lanes {
			r.chunks(parts(y, o*inner, inner), row, n, inner)
			continue
		}
		if inner > 1 {
			transposed := news(row, size)
			for i, t := range row {
				block.Move(transposed[i], t, 0, 0, []block.Axis{{N: inner, D: n, S: 1}, {N: n, D: 1, S: inner}})
			}
			row = transposed
		}
		for j := range inner {
			r.lanes(parts(y, o*inner+j, 1), parts(row, j*n, n))
		}
	}
	return y
}

func (r *programReduction) lanes(y, x []*block.Tensor) {
	n := x[0].Size()
	blocks := (n + blockSize - 1) / blockSize
	part := news(x, blocks)
	for b := range blocks {
		at := b * blockSize
		r.block(parts(part, b, 1), parts(x, at, min(blockSize, n-at)))
	}
	r.tree(y, part, blocks, 1)
}

func (r *programReduction) block(y, x []*block.Tensor) {
	n := x[0].Size()
	used := min(r.w, n)
	acc := news(x, used)
	copyParts(acc, parts(x, 0, used))
	for at := used; at < n; at += r.w {
		m := min(r.w, n-at)
		r.c.into(parts(acc, 0, m), parts(x, at, m))
	}
	for h := r.w / 2; h > 0; h /= 2 {
		if used > h {
			r.c.into(parts(acc, 0, used-h), parts(acc, h, used-h))
			used = h
		}
	}
	copyParts(y, parts(acc, 0, 1))
}

// chunks reduces x[n, inner] along its first axis.
func (r *programReduction) chunks(y, x []*block.Tensor, n, inner int) {
	m := (n + chunkSize - 1) / chunkSize
	part := news(x, m*inner)
	for c := range m {
		acc := parts(part, c*inner, inner)
		at := c * chunkSize
		copyParts(acc, parts(x, at*inner, inner))
		for i := at + 1; i < min(at+chunkSize, n); i++ {
			r.c.into(acc, parts(x, i*inner, inner))
		}
	}
	r.tree(y, part, m, inner)
}

// tree combines the n rows of inner elements of x pairwise, neighbours first, into y. It
// overwrites x.
func (r *programReduction) tree(y, x []*block.Tensor, n, inner int) {
	for n > 1 {
		for i := 0; i < n; i += 2 {
			row := parts(x, i*inner, inner)
			if i+1 < n {
				r.c.into(row, parts(x, (i+1)*inner, inner))
			}
			if i > 0 {
				copyParts(parts(x, i/2*inner, inner), row)
			}
		}
		n = (n + 1) / 2
	}
	copyParts(y, parts(x, 0, inner))
}
