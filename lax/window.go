package lax

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
)

// WindowConfig describes how a window moves over an array. Lists have one element for each axis;
// those left out are ones, no padding, no dilation.
type WindowConfig struct {
	Dims    []int // the window's sizes
	Strides []int
	Padding Padding
	// BaseDilation and WindowDilation are the distances between the elements of the array, and of
	// the window.
	BaseDilation, WindowDilation []int
}

// Padding is how far windows reach beyond the edges: pairs of numbers, one for each axis that a
// window moves along, or a rule that computes them. The zero Padding is Valid.
type Padding struct {
	rule  string
	pairs [][2]int
}

// The rules of padding. Valid adds none. Same adds enough that n positions become ⌈n/stride⌉, an
// odd element at the end; SameLower adds the odd element at the beginning.
var (
	Valid     = Padding{}
	Same      = Padding{rule: "SAME"}
	SameLower = Padding{rule: "SAME_LOWER"}
)

// Pads returns padding by pairs of numbers, before and after each axis; negative ones cut off
// elements.
func Pads(pairs ...[2]int) Padding { return Padding{rule: "pairs", pairs: pairs} }

func (p Padding) of(op string, in, window, strides core.Dims) core.Dims {
	var flat []int
	switch p.rule {
	case "":
		return core.MakeDims(make([]int, 2*in.Len())...)
	case "pairs":
		if len(p.pairs) != in.Len() {
			core.FailOp(core.ErrShape, op, nil, "got %s of padding for %s; give one an axis", core.Count(len(p.pairs), "pair"), core.Count(in.Len(), "axis"))
		}
		for _, q := range p.pairs {
			flat = append(flat, q[0], q[1])
		}
		return core.MakeDims(flat...)
	}
	for _, s := range strides.All() {
		if s <= 0 {
			core.FailOp(core.ErrShape, op, nil, "strides must be positive (got %v); use 1 for none", strides)
		}
	}
	if p.rule == "SAME" {
		return windows.SamePadding(in, window, strides)
	}
	return windows.SameLowerPadding(in, window, strides)
}

func orOnes(op, what string, list []int, n int) core.Dims {
	if list == nil {
		list = make([]int, n)
		for i := range list {
			list[i] = 1
		}
	}
	if len(list) != n {
		core.FailOp(core.ErrShape, op, nil, "the %s %v do not go with %s; give one an axis", what, core.MakeDims(list...), core.Count(n, "axis"))
	}
	return core.MakeDims(list...)
}

// dilate returns the sizes s of axes after by[i]−1 elements are put between neighbors along axis i.
func dilate(s, by core.Dims) core.Dims {
	v := s.Ints()
	for i := range v {
		if v[i] > 0 {
			v[i] = (v[i]-1)*by.At(i) + 1
		}
	}
	return core.MakeDims(v...)
}

func (c WindowConfig) window(op string, x core.ShapedArray) windows.Window {
	n := x.Rank()
	w := windows.Window{
		Dims:           orOnes(op, "window sizes", c.Dims, n),
		Strides:        orOnes(op, "strides", c.Strides, n),
		BaseDilation:   orOnes(op, "base dilations", c.BaseDilation, n),
		WindowDilation: orOnes(op, "window dilations", c.WindowDilation, n),
	}
	w.Padding = c.Padding.of(op, dilate(x.Shape, w.BaseDilation), dilate(w.Dims, w.WindowDilation), w.Strides)
	return w
}

// ReduceWindow combines the elements under a window, at each of its positions, by f, an
// associative function of two scalars whose neutral element is init. Padding and the gaps of
// dilation are skipped. If f is a sum, a maximum or a minimum and init is its neutral number, the
// program contains that reduction.
func ReduceWindow[T weft.Operand](x weft.Array, init T, f func(a, b weft.Array) weft.Array, c WindowConfig) weft.Array {
	v, i := x.Value(), value(init)
	w := c.window("reduce_window", v.Aval())
	j := reducer("reduce_window", v, i, f)
	switch monoid(j, i).(type) {
	case prim.AddP:
		return wrap(windows.ReduceWindowSum(v, w))
	case prim.MaxP:
		return wrap(windows.ReduceWindowMax(v, w))
	case prim.MinP:
		return wrap(windows.ReduceWindowMin(v, w))
	}
	return wrap(windows.ReduceWindow([]core.Value{v}, []core.Value{i}, w, j)[0])
}

// SelectAndGatherAdd takes, at each position of a window, the element of tangents at the position
// of the largest element of x, or of the smallest unless largest.
func SelectAndGatherAdd(tangents, x weft.Array, largest bool, c WindowConfig) weft.Array {
	w := c.window("select_and_gather_add", x.Value().Aval())
	return wrap(windows.SelectAndGatherAdd(tangents.Value(), x.Value(), selection(largest), w))
}

// SelectAndScatterAdd adds, for each position of a window, an element of source at the position
// of the largest element of x, or of the smallest unless largest. Nothing may be dilated.
func SelectAndScatterAdd(source, x weft.Array, largest bool, c WindowConfig) weft.Array {
	w := c.window("select_and_scatter_add", x.Value().Aval())
	if ones := orOnes("", "", nil, w.Dims.Len()); w.BaseDilation != ones || w.WindowDilation != ones {
		core.FailOp(core.ErrShape, "select_and_scatter_add", nil, "a window that scatters cannot have a dilation; remove it")
	}
	return wrap(windows.SelectAndScatterAdd(source.Value(), x.Value(), selection(largest), w.Dims, w.Strides, w.Padding))
}

func selection(largest bool) windows.Select {
	if largest {
		return windows.SelectGe
	}
	return windows.SelectLe
}
