package windows

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// ReduceWindowP combines the elements of k arrays under a window, at each of its
// positions, by a program like that of [prim.ReduceP]: from the initial value on, in row-major
// order of the window. Padding and the gaps of dilation are skipped, so the initial
// value counts once.
type ReduceWindowP struct {
	Window  Window
	Program *jaxpr.Jaxpr
}

// ReduceWindow combines what lies under a window by a program, from initial values.
func ReduceWindow(xs, inits []core.Value, w Window, program *jaxpr.Jaxpr) []core.Value {
	return core.Bind(ReduceWindowP{w, program}, slices.Concat(xs, inits)...)
}

func (ReduceWindowP) Name() string { return "reduce_window" }

func (ReduceWindowP) read(r *jaxpr.ParamReader) core.Primitive { return readReduceWindow(r) }

func (p ReduceWindowP) Params() []core.Param {
	w := p.Window.Params()
	return append([]core.Param{w[0], rule.Param("consts", "()"), rule.Param("jaxpr", p.Program)}, w[1:]...)
}

// Programs returns the program.
func (p ReduceWindowP) Programs() []*jaxpr.Jaxpr { return []*jaxpr.Jaxpr{p.Program} }

// Abstract counts the output positions; a result is weak if its array and initial
// value are.
func (p ReduceWindowP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	k := rule.ReducerAvals(p.Program, in)
	out := make([]core.ShapedArray, k)
	for i := range out {
		out[i] = in[i].WithShape(p.Window.over(in[i]))
		out[i].Weak = in[i].Weak && in[k+i].Weak
	}
	return out
}

// JVP folds each window with the derivative of the program. It refuses a tangent of the initial value.
func (p ReduceWindowP) JVP(in, out, t []core.Value) []core.Value {
	k := len(out)
	if !rule.AllNil(t[k:]) {
		core.Failf(core.ErrNoRule, "the initial value of a reduction cannot be differentiated: it must be neutral; combine it with the result instead")
	}
	_, dout := p.folded(in, t)
	return dout
}

func (p ReduceWindowP) Expand(in []core.Value) []core.Value {
	out, _ := p.folded(in, make([]core.Value, len(in)))
	return out
}

// folded goes through the elements of the window. For each it takes the slices of the arrays that lie
// under it, one element for each position of the window, and combines them with the values so far;
// the tangents t, nil where zero, likewise. Where a slice has padding, the values so far stay.
func (p ReduceWindowP) folded(in, t []core.Value) (acc, dacc []core.Value) {
	k := len(in) / 2
	shape := p.Window.over(in[0].Aval())
	acc, dacc = make([]core.Value, k), make([]core.Value, k)
	padded, dpadded := make([]core.Value, k), make([]core.Value, k)
	var elements core.Value // true where padded has an element, false where it has padding; nil if it has no padding
	if p.Window.Pads() && shape.Size() > 0 {
		elements = p.Window.Padded(prim.Full(in[0].Aval().WithDType(core.Bool), 1), prim.Full(core.Aval(core.Bool), 0))
	}
	for i := range k {
		acc[i] = prim.SpreadTo(in[k+i], shape)
		if shape.Size() == 0 {
			continue
		}
		padded[i] = p.Window.Padded(in[i], in[k+i])
		if t[i] != nil {
			dpadded[i] = p.Window.Padded(t[i], prim.Num(t[i].Aval().WithShape(core.Dims{}), 0))
		}
	}
	if shape.Size() == 0 {
		return acc, dacc
	}
	for at := range p.Window.offsets() {
		x, dx := make([]core.Value, k), make([]core.Value, k)
		for i := range k {
			x[i] = p.Window.slice(padded[i], at, shape)
			if dpadded[i] != nil {
				dx[i] = p.Window.slice(dpadded[i], at, shape)
			}
		}
		next, dnext := prim.Applied(p.Program, slices.Concat(acc, x), slices.Concat(dacc, dx))
		if elements != nil {
			here := p.Window.slice(elements, at, shape)
			for i := range k {
				next[i] = prim.SelectN(here, acc[i], next[i])
				dnext[i] = eitherTangent(here, dacc[i], dnext[i])
			}
		}
		acc, dacc = next, dnext
	}
	return acc, dacc
}

// eitherTangent chooses between tangents, nil where zero.
func eitherTangent(which, no, yes core.Value) core.Value {
	switch {
	case no == nil && yes == nil:
		return nil
	case no == nil:
		no = prim.Zeros(yes.Aval())
	case yes == nil:
		yes = prim.Zeros(no.Aval())
	}
	return prim.SelectN(which, no, yes)
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
func (w Window) Padded(x, fill core.Value) core.Value {
	n := w.Dims.Len()
	config := make([]int, 0, 3*n)
	for i := range n {
		config = append(config, w.Padding.At(2*i), w.Padding.At(2*i+1), w.BaseDilation.At(i)-1)
	}
	return prim.Pad(x, fill, core.MakeDims(config...))
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

// slice takes, for each position of the window, the element of a padded array that lies under element
// `at` of the window. places is the shape of the positions.
func (w Window) slice(x core.Value, at []int, places core.Dims) core.Value {
	start, limit := make([]int, len(at)), make([]int, len(at))
	for i, o := range at {
		start[i] = o * w.WindowDilation.At(i)
		limit[i] = start[i] + (places.At(i)-1)*w.Strides.At(i) + 1
	}
	return prim.Slice(x, core.MakeDims(start...), core.MakeDims(limit...), w.Strides)
}

func (p ReduceWindowP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	k := len(in) / 2
	rule.InitsUnmapped(mapped[k:])
	return rule.Bound(ReduceWindowP{p.Window.withBatchAxis(), p.Program}, slices.Concat(prim.AllAtFront(n, in[:k], mapped[:k]), in[k:])...)
}

func readReduceWindow(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("consts", "()")
	return ReduceWindowP{readWindow(r), r.Jaxpr("jaxpr")}
}

// WithPrograms returns p with another program.
func (p ReduceWindowP) WithPrograms(js []*jaxpr.Jaxpr) core.Primitive {
	p.Program = js[0]
	return p
}
