package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// Updates reports whether p changes some elements of its first operand, and may write its
// result over that operand. It returns the index of the operand with the new elements.
func Updates(p core.Primitive) (changes int, ok bool) {
	switch p.(type) {
	case indexed.ScatterP:
		return 2, true
	case indexed.DynamicUpdateSliceP:
		return 1, true
	}
	return 0, false
}

// startFrom makes y a copy of x. They are one tensor where the result is written over the operand: see Updates.
func startFrom(y, x *block.Tensor) {
	if y != x {
		copy(y.Data, x.Data)
	}
}

// Undo is called before an operation for which Updates is true. It returns a function that restores the first
// operand after p has written its result over it.
func Undo(p core.Primitive, in []*block.Tensor) func() {
	x := in[0]
	switch p := p.(type) {
	case indexed.DynamicUpdateSliceP:
		u := in[1]
		if u.Size() == 0 {
			return func() {}
		}
		old := block.NewTensor(u.ShapedArray)
		sx, su := block.RowMajor(nil, x.Shape), block.RowMajor(nil, u.Shape)
		at := clampedOffset(x.Shape, sx, u.Shape, in[2:])
		window(old, x, u.Shape, 0, at, su, sx)
		return func() { window(x, old, u.Shape, at, 0, sx, su) }
	case indexed.ScatterP:
		var runs []elementRun
		w := x.DType.Size()
		var old []byte
		if in[2].Size() > 0 {
			scatterInto(func(d, step, _, n int) {
				runs = append(runs, elementRun{d, step, n})
				for range n {
					old = append(old, x.Data[d*w:(d+1)*w]...)
					d += step
				}
			}, x, in[1], in[2], p.Scattering)
		}
		return func() {
			old := old
			for _, r := range runs {
				for i := range r.n {
					old = old[copy(x.Data[(r.at+i*r.step)*w:], old[:w]):]
				}
			}
		}
	}
	return func() {}
}

// elementRun is n elements, the first at position `at`, that are `step` apart.
type elementRun struct{ at, step, n int }
