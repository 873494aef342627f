package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// sortByProgram sorts by a comparator: runs of 1, 2, 4, … elements are merged, those of
// all rows in step, so that the comparator compares many pairs at a time. Each merge takes
// the right element only where it comes before the left one, which keeps equal elements in
// order and ends for any comparator.
func sortByProgram(q indexed.SortByP, call Caller, in, out []*block.Tensor) {
	shape := in[0].Shape
	n := shape.At(q.Dimension)
	inner := 1
	for _, m := range shape.Slice(q.Dimension+1, shape.Len()).All() {
		inner *= m
	}
	for i, y := range out {
		copy(y.Data, in[i].Data)
	}
	if n < 2 || in[0].Size() == 0 {
		return
	}
	rows := in[0].Size() / n
	// order lists for each row the positions of its elements in the arrays.
	order, next := make([]int, rows*n), make([]int, rows*n)
	for r := range rows {
		at := r/inner*n*inner + r%inner
		for i := range n {
			order[r*n+i] = at + i*inner
		}
	}
	c := &comparer{combiner: newCombiner(q.Before, call), in: in}
	for width := 1; width < n; width *= 2 {
		c.merge(next, order, n, width)
		order, next = next, order
	}
	for t, y := range out {
		size := y.DType.Size()
		for r := range rows {
			at := r/inner*n*inner + r%inner
			for i := range n {
				to, from := (at+i*inner)*size, order[r*n+i]*size
				copy(y.Data[to:to+size], in[t].Data[from:from+size])
			}
		}
	}
}

type comparer struct {
	*combiner
	in []*block.Tensor
}

// run is a merge under way: left and right go up to mid and end.
type run struct{ left, mid, right, end, to int }

func (c *comparer) merge(dst, src []int, n, width int) {
	var open []run
	for row := 0; row < len(src); row += n {
		for lo := 0; lo < n; lo += 2 * width {
			mid, hi := min(lo+width, n), min(lo+2*width, n)
			open = append(open, run{row + lo, row + mid, row + mid, row + hi, row + lo})
		}
	}
	left, right := make([]int, 0, len(open)), make([]int, 0, len(open))
	for {
		// Runs that have one side left are copied; the others compare.
		still := open[:0]
		left, right = left[:0], right[:0]
		for _, m := range open {
			if m.left == m.mid || m.right == m.end {
				copy(dst[m.to:], src[m.left:m.mid])
				copy(dst[m.to+m.mid-m.left:], src[m.right:m.end])
				continue
			}
			still = append(still, m)
			left, right = append(left, src[m.left]), append(right, src[m.right])
		}
		if open = still; len(open) == 0 {
			return
		}
		for i, before := range c.before(right, left) {
			m := &open[i]
			if before != 0 {
				dst[m.to] = src[m.right]
				m.right++
			} else {
				dst[m.to] = src[m.left]
				m.left++
			}
			m.to++
		}
	}
}

// before reports for pairs of positions whether the first comes before the second.
func (c *comparer) before(a, b []int) []byte {
	n := len(a)
	args := make([]*block.Tensor, 0, 2*len(c.in))
	for _, t := range c.in {
		size := t.DType.Size()
		for _, at := range [][]int{a, b} {
			v := block.NewTensor(core.Aval(t.DType, n))
			for i, p := range at {
				copy(v.Data[i*size:(i+1)*size], t.Data[p*size:])
			}
			args = append(args, v)
		}
	}
	if c.flat {
		y := runFlat(c.j, args)[0]
		if y.Rank() == 0 {
			full := block.NewTensor(core.Aval(core.Bool, n))
			fillScalar(full, y)
			y = full
		}
		return y.Data
	}
	out := make([]byte, n)
	scalars := make([]*block.Tensor, len(args))
	for i := range n {
		for k, t := range args {
			v := block.NewTensor(core.Aval(t.DType))
			copy(v.Data, vector(t, i, 1).Data)
			scalars[k] = v
		}
		out[i] = c.call(c.j, scalars)[0].Data[0]
	}
	return out
}
