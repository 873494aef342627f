package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// slowOp is + or × on one type.
type slowOp[A block.Float] struct {
	id A
	do func(a, b A) A
}

func slowAdd[A block.Float]() slowOp[A] { return slowOp[A]{0, func(a, b A) A { return a + b }} }

func slowMul[A block.Float]() slowOp[A] { return slowOp[A]{1, func(a, b A) A { return a * b }} }

// slowTree combines neighbours pairwise until one is left.
func slowTree[A block.Float](op slowOp[A], v []A) A {
	switch len(v) {
	case 0:
		return op.id
	case 1:
		return v[0]
	}
	half := 1 // the greatest power of two below the length
	for 2*half < len(v) {
		half *= 2
	}
	return op.do(slowTree(op, v[:half]), slowTree(op, v[half:]))
}

// slowChunks reduces chunks of 16 in order from the identity, and their results in a
// tree.
func slowChunks[A block.Float](op slowOp[A], v []A) A {
	var parts []A
	for len(v) > 0 {
		n := min(16, len(v))
		acc := op.id
		for _, x := range v[:n] {
			acc = op.do(acc, x)
		}
		parts = append(parts, acc)
		v = v[n:]
	}
	return slowTree(op, parts)
}

// slowLanes reduces blocks of 1024 in lanes of 256 bytes, and the blocks' results in a
// tree.
func slowLanes[A block.Float](op slowOp[A], v []A, size int) A {
	w := 256 / size
	var blocks []A
	for len(v) > 0 {
		n := min(1024, len(v))
		lanes := make([]A, w)
		for l := range lanes {
			lanes[l] = op.id
		}
		for i, x := range v[:n] {
			lanes[i%w] = op.do(lanes[i%w], x)
		}
		for h := w / 2; h >= 1; h /= 2 {
			for l := range h {
				lanes[l] = op.do(lanes[l], lanes[l+h])
			}
		}
		blocks = append(blocks, lanes[0])
		v = v[n:]
	}
	return slowTree(op, blocks)
}

// slowReduce reduces x, of the given shape, over axes.
func slowReduce[A block.Float](op slowOp[A], x []A, shape, axes core.Dims, order prim.Order, size int) []A {
	type group struct {
		n       int
		reduced bool
	}
	var groups []group
	for i, n := range shape.All() {
		r := axes.Has(i)
		if n == 1 {
			continue
		}
		if k := len(groups); k > 0 && groups[k-1].reduced == r {
			groups[k-1].n *= n
		} else {
			groups = append(groups, group{n, r})
		}
	}
	lanes := len(groups) > 0 && groups[len(groups)-1].reduced
	switch order {
	case prim.OrderLanes:
		lanes = true
	case prim.OrderChunks:
		lanes = false
	}
	any := false
	for g := len(groups) - 1; g >= 0; g-- {
		if !groups[g].reduced {
			continue
		}
		any = true
		outer, inner, n := 1, 1, groups[g].n
		for _, h := range groups[:g] {
			outer *= h.n
		}
		for _, h := range groups[g+1:] {
			inner *= h.n
		}
		y := make([]A, outer*inner)
		for o := range outer {
			for j := range inner {
				col := make([]A, n)
				for i := range n {
					col[i] = x[(o*n+i)*inner+j]
				}
				if lanes {
					y[o*inner+j] = slowLanes(op, col, size)
				} else {
					y[o*inner+j] = slowChunks(op, col)
				}
			}
		}
		x, lanes = y, false
		groups = append(groups[:g], groups[g+1:]...)
	}
	if !any {
		y := make([]A, len(x))
		for i, v := range x {
			y[i] = op.do(op.id, v)
		}
		return y
	}
	return x
}

// slowInts reduces integers as 64-bit ones and wraps at the end.
func slowInts(name string, x *block.Tensor, axes core.Dims, out core.ShapedArray) *block.Tensor {
	y := block.NewTensor(out)
	acc := make([]int64, y.Size())
	seen := make([]bool, y.Size())
	s := block.RowMajor(nil, out.Shape)
	for i := range x.Size() {
		idx := unravel(i, x.Shape)
		at, k := 0, 0
		for a := range x.Rank() {
			if !axes.Has(a) {
				at += idx[a] * s[k]
				k++
			}
		}
		v := intAt(x, i)
		switch {
		case !seen[at]:
			acc[at], seen[at] = v, true
		case name == "sum":
			acc[at] += v
		case name == "prod":
			acc[at] *= v
		case name == "max" && x.DType == core.Uint64 && uint64(v) > uint64(acc[at]), name == "max" && x.DType != core.Uint64 && v > acc[at],
			name == "min" && x.DType == core.Uint64 && uint64(v) < uint64(acc[at]), name == "min" && x.DType != core.Uint64 && v < acc[at]:
			acc[at] = v
		}
	}
	for i, v := range acc {
		elem.Put(vector(y, i, 1).Data, core.IntNumber(v), y.DType)
	}
	return y
}
