package nn

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/internal/nd"
)

// PoolConfig configures a pooling. Window must be set.
type PoolConfig struct {
	Window  []int    // sizes along the last axes of x
	Strides []int    // steps of the window; nil: the window's sizes, so that none overlap
	Padding [][2]int // before and after each of these axes; nil: none
	Same    bool     // pad so that the window takes ⌈size/stride⌉ positions; Padding must be nil
	// CountPadding makes AvgPool divide by the whole window's size where it lies over
	// padding, instead of by the number of elements of x.
	CountPadding bool
}

// MaxPool returns the largest element of each window.
func MaxPool(x weft.Array, c PoolConfig) weft.Array {
	v, w := c.window("MaxPool", x)
	return weft.FromValue(windows.ReduceWindowMax(v, w))
}

// MinPool returns the least element of each window.
func MinPool(x weft.Array, c PoolConfig) weft.Array {
	v, w := c.window("MinPool", x)
	return weft.FromValue(windows.ReduceWindowMin(v, w))
}

// SumPool returns the sum of each window.
func SumPool(x weft.Array, c PoolConfig) weft.Array {
	v, w := c.window("SumPool", x)
	return weft.FromValue(windows.ReduceWindowSum(nd.SumType("SumPool", v), w))
}

// AvgPool returns the mean of each window.
func AvgPool(x weft.Array, c PoolConfig) weft.Array {
	x = weft.FromValue(nd.Floating("AvgPool", nd.ValueOf("AvgPool", x)))
	v, w := c.window("AvgPool", x)
	dt := v.Aval().DType
	v = nd.Convert("AvgPool", v, nd.AverageType(dt), false) // sums in f16 soon overflow
	sum := weft.FromValue(windows.ReduceWindowSum(v, w))
	mean := nd.WithJAXPromotion(func() weft.Array {
		if c.CountPadding || !c.Same && c.Padding == nil {
			n := 1
			for _, k := range c.Window {
				n *= k
			}
			return sum.Div(float64(n))
		}
		return sum.Div(weft.FromValue(windows.ReduceWindowSum(prim.Full(v.Aval(), 1), w)))
	})
	return weft.FromValue(nd.Convert("AvgPool", mean.Value(), dt, false))
}

// window returns the value of x and the window over all its axes: of size 1 along those that are
// not pooled.
func (c PoolConfig) window(op string, x weft.Array) (core.Value, windows.Window) {
	v := nd.Strong(op, nd.ValueOf(op, x))
	a := v.Aval()
	n := len(c.Window)
	fail := func(format string, args ...any) {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, format, args...)
	}
	switch {
	case n == 0 || n > a.Rank():
		fail("Window has %s for the %s of %v; give one for each axis at the end that is pooled", core.Count(n, "size"), core.Count(a.Rank(), "axis"), a.Full())
	case c.Strides != nil && len(c.Strides) != n:
		fail("Strides has %s, Window %d; give as many", core.Count(len(c.Strides), "number"), n)
	case c.Padding != nil && len(c.Padding) != n:
		fail("Padding has %s, Window %s; give as many", core.Count(len(c.Padding), "pair"), core.Count(n, "size"))
	case c.Padding != nil && c.Same:
		fail("Same and Padding are both given; leave one out")
	}
	lead := slices.Repeat([]int{1}, a.Rank()-n)
	dims := core.MakeDims(append(lead, c.Window...)...)
	strides := dims
	if c.Strides != nil {
		strides = core.MakeDims(append(slices.Clone(lead), c.Strides...)...)
	}
	for i := range dims.Len() {
		if dims.At(i) <= 0 || strides.At(i) <= 0 {
			fail("the window's sizes and strides must be positive (got %v and %v); set them to 1 or more", c.Window, c.Strides)
		}
	}
	padding := core.MakeDims(make([]int, 2*a.Rank())...)
	switch {
	case c.Same:
		padding = windows.SamePadding(a.Shape, dims, strides)
	case c.Padding != nil:
		p := make([]int, 2*(a.Rank()-n), 2*a.Rank())
		for _, lohi := range c.Padding {
			p = append(p, lohi[0], lohi[1])
		}
		padding = core.MakeDims(p...)
	}
	return v, windows.SimpleWindow(dims, strides, padding)
}
