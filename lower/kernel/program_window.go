package kernel

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// reduceWindowProgram folds what lies under a window by a program, at each position
// from the initial values on, in row-major order of the window. Padding and the gaps
// of dilation hold the initial values.
func reduceWindowProgram(q prim.ReduceWindowP, call Caller, in, out []*Tensor) {
	k, n := len(out), out[0].Size()
	c := newCombiner(q.Program, call)
	acc, x := make([]*Tensor, k), make([]*Tensor, k)
	for i, t := range out {
		fillScalar(t, in[k+i])
		acc[i] = vector(t, 0, n)
		x[i] = NewTensor(core.Aval(t.DType, n))
	}
	if n == 0 {
		return
	}
	// The walk determines which positions have elements; the others have initial values only.
	var walk windowWalk
	walk.over(q.Window, in[0].Shape, out[0].Shape)
	var buf [fewAxes]axis
	axes := buf[:0]
	total := 1
	for _, m := range q.Window.Dims.All() {
		axes = append(axes, axis{n: m})
		total *= m
	}
	at := make([]int, len(axes))
	var d, s int
	for more := total > 0; more; more = advance(axes, at, &d, &s) {
		reads := !walk.done && equalInts(at, walk.at)
		for i, t := range x {
			fillScalar(t, in[k+i])
			if reads {
				moveTidy(t, in[i], walk.d, walk.s, walk.nest)
			}
		}
		if reads {
			walk.next()
		}
		c.into(acc, x)
	}
}

func equalInts(a, b []int) bool {
	for i, v := range a {
		if v != b[i] {
			return false
		}
	}
	return true
}

// scatterProgram replaces elements by a program of the element and the update, in
// row-major order of the updates.
func scatterProgram(q prim.ScatterApplyP, call Caller, in, out []*Tensor) {
	y, u := out[0], in[2]
	copy(y.Data, in[0].Data)
	if u.Size() == 0 {
		return
	}
	c := newCombiner(q.F, call)
	size := y.DType.Size()
	// Bytes are moved by hand: the updater has offsets, not elements.
	update := func(d, step, from, n int) {
		acc, x := NewTensor(core.Aval(y.DType, n)), vector(u, from, n)
		if step == 0 && n > 1 {
			panic("BUG: updates of one element in one run")
		}
		for i := range n {
			copy(acc.Data[i*size:(i+1)*size], y.Data[(d+i*step)*size:])
		}
		c.into([]*Tensor{acc}, []*Tensor{x})
		for i := range n {
			copy(y.Data[(d+i*step)*size:(d+i*step+1)*size], acc.Data[i*size:])
		}
	}
	scatterInto(update, y, in[1], u, q.Scattering)
}
