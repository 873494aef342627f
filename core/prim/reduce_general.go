package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// ReduceP combines the elements of k arrays along axes by a program that is associative: it
// combines two groups of k numbers into one. The second half of the operands are initial values,
// neutral to the program, one for each result. In a chunk or a lane the program's first operands
// are the values combined so far; for the order see Order.
type ReduceP struct {
	Axes    core.Dims
	Program *jaxpr.Jaxpr
	Fn      string // the function's name
	Order   Order
}

// Reduce combines elements of xs along axes by a program, from initial values.
func Reduce(xs, inits []Value, axes core.Dims, fn string, program *jaxpr.Jaxpr) []Value {
	return core.Bind(ReduceP{Axes: axes, Program: program, Fn: fn}, concat(xs, inits)...)
}

func concat(xs, ys []Value) []Value { return append(append([]Value(nil), xs...), ys...) }

func (ReduceP) Name() string { return "reduce" }

func (ReduceP) read(r *jaxpr.ParamReader) core.Primitive { return readReduce(r) }

func (p ReduceP) Params() []core.Param {
	return p.Order.params(
		param("computation", orWord(p.Fn, "f")),
		param("dimensions", p.Axes),
		param("jaxpr", p.Program),
	)
}

func orWord(s, word string) string {
	if s == "" {
		return word
	}
	return s
}

// Programs returns the program.
func (p ReduceP) Programs() []*jaxpr.Jaxpr { return []*jaxpr.Jaxpr{p.Program} }

// Abstract leaves the axes out; a result is weak if its array and initial value are.
func (p ReduceP) Abstract(in []ShapedArray) []ShapedArray {
	k := reducerAvals(p.Program, in)
	out := make([]ShapedArray, k)
	for i := range out {
		out[i] = reduced(in[i], p.Axes)
		out[i].Weak = in[i].Weak && in[k+i].Weak
	}
	return out
}

// JVP returns the tangent of a tree of the program's combinations. The initial values are
// neutral, so they have no derivative.
func (p ReduceP) JVP(in, out, t []Value) []Value {
	k := len(out)
	if !allNil(t[k:]) {
		core.Failf(core.ErrNoRule, "the initial value of a reduction cannot be differentiated: it must be neutral; combine it with the result instead")
	}
	if reducedSize(in[0].Aval().Shape, p.Axes) == 0 {
		return make([]Value, k)
	}
	xs, ts := make([]Value, k), make([]Value, k)
	for i := range k {
		xs[i] = reducedLast(in[i], p.Axes)
		if t[i] != nil {
			ts[i] = reducedLast(t[i], p.Axes)
		}
	}
	return reducedTangents(p.Program, xs[0].Aval().Rank()-1, xs, ts)
}

// Batch keeps the batch's axis, and the order.
func (p ReduceP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	k := len(in) / 2
	initsUnmapped(mapped[k:])
	xs := allAtFront(n, in[:k], mapped[:k])
	p.Axes, p.Order = batchedOrder(p.Axes, p.Order, xs[0])
	return bound(p, concat(xs, in[k:])...)
}

func initsUnmapped(mapped []bool) {
	for _, m := range mapped {
		if m {
			core.Failf(core.ErrNoRule, "the initial value of a reduction cannot differ over a batch: it must be neutral; combine it with the result instead")
		}
	}
}

func readReduce(r *jaxpr.ParamReader) core.Primitive {
	return ReduceP{Axes: r.Dims("dimensions"), Program: r.Jaxpr("jaxpr"), Fn: r.Text("computation"), Order: readOrder(r)}
}

// ReduceWindowP combines the elements of k arrays under a window, at each of its
// positions, by a program, as ReduceP does: from the initial value on, in row-major
// order of the window. Padding and the gaps of dilation are skipped, so the initial
// value counts once.
type ReduceWindowP struct {
	Window  Window
	Program *jaxpr.Jaxpr
}

// ReduceWindow combines what lies under a window by a program, from initial values.
func ReduceWindow(xs, inits []Value, w Window, program *jaxpr.Jaxpr) []Value {
	return core.Bind(ReduceWindowP{w, program}, concat(xs, inits)...)
}

func (ReduceWindowP) Name() string { return "reduce_window" }

func (ReduceWindowP) read(r *jaxpr.ParamReader) core.Primitive { return readReduceWindow(r) }

func (p ReduceWindowP) Params() []core.Param {
	w := p.Window.Params()
	return append([]core.Param{w[0], param("consts", "()"), param("jaxpr", p.Program)}, w[1:]...)
}

// Programs returns the program.
func (p ReduceWindowP) Programs() []*jaxpr.Jaxpr { return []*jaxpr.Jaxpr{p.Program} }

// Abstract counts the output positions; a result is weak if its array and initial
// value are.
func (p ReduceWindowP) Abstract(in []ShapedArray) []ShapedArray {
	k := reducerAvals(p.Program, in)
	out := make([]ShapedArray, k)
	for i := range out {
		out[i] = in[i].WithShape(p.Window.over(in[i]))
		out[i].Weak = in[i].Weak && in[k+i].Weak
	}
	return out
}

// JVP follows the window with the derivative of the program.
func (p ReduceWindowP) JVP(in, out, t []Value) []Value {
	k := len(out)
	if !allNil(t[k:]) {
		core.Failf(core.ErrNoRule, "the initial value of a reduction cannot be differentiated: it must be neutral; combine it with the result instead")
	}
	_, dout := p.folded(in, t)
	return dout
}

func (p ReduceWindowP) Expand(in []Value) []Value {
	out, _ := p.folded(in, make([]Value, len(in)))
	return out
}

// folded combines the strided slices of the arrays that stand under the window's positions, one
// after the other, and their tangents, nil where zero. Where a position has padding, the values
// so far stay.
func (p ReduceWindowP) folded(in, t []Value) (acc, dacc []Value) {
	k := len(in) / 2
	shape := p.Window.over(in[0].Aval())
	acc, dacc = make([]Value, k), make([]Value, k)
	padded, dpadded := make([]Value, k), make([]Value, k)
	var elements Value // whether padded has an element or padding; nil if it has elements only
	if p.Window.Pads() && shape.Size() > 0 {
		elements = p.Window.Padded(Full(in[0].Aval().WithDType(core.Bool), 1), Full(core.Aval(core.Bool), 0))
	}
	for i := range k {
		acc[i] = spreadTo(in[k+i], shape)
		if shape.Size() == 0 {
			continue
		}
		padded[i] = p.Window.Padded(in[i], in[k+i])
		if t[i] != nil {
			dpadded[i] = p.Window.Padded(t[i], Num(t[i].Aval().WithShape(core.Dims{}), 0))
		}
	}
	if shape.Size() == 0 {
		return acc, dacc
	}
	for at := range p.Window.offsets() {
		x, dx := make([]Value, k), make([]Value, k)
		for i := range k {
			x[i] = p.Window.slice(padded[i], at, shape)
			if dpadded[i] != nil {
				dx[i] = p.Window.slice(dpadded[i], at, shape)
			}
		}
		next, dnext := applied(p.Program, concat(acc, x), concat(dacc, dx))
		if elements != nil {
			here := p.Window.slice(elements, at, shape)
			for i := range k {
				next[i] = SelectN(here, acc[i], next[i])
				dnext[i] = eitherTangent(here, dacc[i], dnext[i])
			}
		}
		acc, dacc = next, dnext
	}
	return acc, dacc
}

// eitherTangent chooses between tangents, nil where zero.
func eitherTangent(which, no, yes Value) Value {
	switch {
	case no == nil && yes == nil:
		return nil
	case no == nil:
		no = Zeros(yes.Aval())
	case yes == nil:
		yes = Zeros(no.Aval())
	}
	return SelectN(which, no, yes)
}

// Pads reports whether the window reaches beyond the elements, or into gaps.
func (w Window) Pads() bool {
	for i := range w.Dims.Len() {
		if w.Padding.At(2*i) > 0 || w.Padding.At(2*i+1) > 0 || w.BaseDilation.At(i) > 1 {
			return true
		}
	}
	return false
}

// Padded returns x with its padding, and the gaps of its dilation, filled in.
func (w Window) Padded(x, fill Value) Value {
	n := w.Dims.Len()
	config := make([]int, 0, 3*n)
	for i := range n {
		config = append(config, w.Padding.At(2*i), w.Padding.At(2*i+1), w.BaseDilation.At(i)-1)
	}
	return Pad(x, fill, core.MakeDims(config...))
}

// offsets enumerates the positions in the window in row-major order.
func (w Window) offsets() func(func([]int) bool) {
	return func(yield func([]int) bool) {
		at := make([]int, w.Dims.Len())
		for {
			if !yield(at) {
				return
			}
			i := len(at) - 1
			for ; i >= 0; i-- {
				if at[i]++; at[i] < w.Dims.At(i) {
					break
				}
				at[i] = 0
			}
			if i < 0 {
				return
			}
		}
	}
}

// slice takes the elements of a padded array that stand under one position of the
// window at each of its positions.
func (w Window) slice(x Value, at []int, places core.Dims) Value {
	start, limit := make([]int, len(at)), make([]int, len(at))
	for i, o := range at {
		start[i] = o * w.WindowDilation.At(i)
		limit[i] = start[i] + (places.At(i)-1)*w.Strides.At(i) + 1
	}
	return Slice(x, core.MakeDims(start...), core.MakeDims(limit...), w.Strides)
}

func (p ReduceWindowP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	k := len(in) / 2
	initsUnmapped(mapped[k:])
	return bound(ReduceWindowP{p.Window.withBatchAxis(), p.Program}, concat(allAtFront(n, in[:k], mapped[:k]), in[k:])...)
}

func readReduceWindow(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("consts", "()")
	return ReduceWindowP{readWindow(r), r.Jaxpr("jaxpr")}
}
