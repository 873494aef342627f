package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// reduceWindowProgram folds the elements under a window by a program, at each position
// from the initial values on, in row-major order of the window. Padding and the gaps of
// dilation are skipped.
func reduceWindowProgram(q windows.ReduceWindowP, call Caller, in, out []*block.Tensor) {
	c := newCombiner(q.Program, call)
	for i, t := range out {
		fillScalar(t, in[len(out)+i])
	}
	acc, x := make([]*block.Tensor, len(out)), make([]*block.Tensor, len(out))
	// The walk determines which positions have elements; the other positions keep the initial values.
	var walk windowWalk
	for walk.over(q.Window, in[0].Shape, out[0].Shape); !walk.done; walk.next() {
		n := 1
		for _, a := range walk.nest {
			n *= a.N
		}
		for i, t := range out {
			acc[i], x[i] = block.NewTensor(core.Aval(t.DType, n)), block.NewTensor(core.Aval(t.DType, n))
			block.Move(acc[i], t, 0, walk.d, packed(walk.nest, func(a block.Axis) int { return a.D }))
			block.Move(x[i], in[i], 0, walk.s, packed(walk.nest, func(a block.Axis) int { return a.S }))
		}
		c.into(acc, x)
		for i, t := range out {
			axes := packed(walk.nest, func(a block.Axis) int { return a.D })
			for k, a := range axes {
				axes[k].D, axes[k].S = a.S, a.D
			}
			block.Move(t, acc[i], walk.d, 0, axes)
		}
	}
}

// packed returns a nest that reads elements by the strides of another and writes them one
// after the other.
func packed(nest []block.Axis, stride func(block.Axis) int) []block.Axis {
	axes, step := make([]block.Axis, len(nest)), 1
	for i := len(nest) - 1; i >= 0; i-- {
		axes[i] = block.Axis{N: nest[i].N, D: step, S: stride(nest[i])}
		step *= nest[i].N
	}
	return axes
}

// scatterProgram replaces elements by what a program makes of the element and the update, in
// row-major order of the updates.
func scatterProgram(q indexed.ScatterApplyP, call Caller, in, out []*block.Tensor) {
	y, u := out[0], in[2]
	copy(y.Data, in[0].Data)
	if u.Size() == 0 {
		return
	}
	c := newCombiner(q.F, call)
	size := y.DType.Size()
	// Bytes are moved by hand: the updater has offsets, not elements.
	update := func(d, step, from, n int) {
		acc, x := block.NewTensor(core.Aval(y.DType, n)), vector(u, from, n)
		if step == 0 && n > 1 {
			panic("BUG: updates of one element in one run")
		}
		for i := range n {
			copy(acc.Data[i*size:(i+1)*size], y.Data[(d+i*step)*size:])
		}
		c.into([]*block.Tensor{acc}, []*block.Tensor{x})
		for i := range n {
			copy(y.Data[(d+i*step)*size:(d+i*step+1)*size], acc.Data[i*size:])
		}
	}
	scatterInto(update, y, in[1], u, q.Scattering)
}
