package jax_test

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/nn"
)

// neural returns the functions of jax.nn that take more than an array.
func neural(name string, args []any, kw map[string]any) (any, bool) {
	x := func() weft.Array { return arr(args[0]) }
	switch name {
	case "gelu":
		if a, ok := pop(kw, "approximate"); ok && a == false {
			return nn.Gelu(x()), true
		}
		return nn.GeluTanh(x()), true
	case "one_hot":
		h := weft.OneHot(x(), args[1].(int))
		if dt, ok := pop(kw, "dtype"); ok {
			h = h.AsType(typeIn(dt))
		}
		return h, true
	case "glu":
		a, _ := pop(kw, "axis")
		return nn.Glu(x(), a.(int)), true
	case "celu":
		return nn.Celu(x(), 1), true
	case "standardize":
		return nn.Standardize(x()), true
	}
	return nil, false
}

// jaxFunction are functions of jax.lax, jax.ops and others.
func jaxFunction(m, name string, args []any, kw map[string]any) (any, bool) {
	switch m + "." + name {
	case "jax.ops.segment_sum", "jax.ops.segment_max":
		n, _ := pop(kw, "num_segments")
		if name == "segment_sum" {
			return weft.SegmentReduce(arr(args[0]), arr(args[1]), n.(int), weft.ReduceSum), true
		}
		return weft.SegmentReduce(arr(args[0]), arr(args[1]), n.(int), weft.ReduceMax), true
	case "lax.cummax":
		a, _ := pop(kw, "axis")
		return arr(args[0]).CumMax(a.(int)), true
	case "lax.top_k":
		v, i := weft.TopK(arr(args[0]), args[1].(int))
		return tuple{v, i}, true
	case "jnp.linalg.norm":
		if _, ok := kw["ord"]; ok || len(args) > 1 {
			ord, _ := pop(kw, "ord")
			if len(args) > 1 {
				ord = args[1]
			}
			x := arr(args[0])
			switch {
			case x.Rank() == 1 && ord == 1:
				return weft.Abs(x).Sum(), true
			case x.Rank() == 1 && ord == math.Inf(1):
				return weft.Abs(x).Max(), true
			case x.Rank() == 2 && ord == 1:
				return linalg.Norm(x, linalg.MaxColumnSum), true
			}
			panic(errUnknown("matrix norms"))
		}
		x := arr(args[0])
		if a, ok := pop(kw, "axis"); ok {
			return weft.Norm(x, ints(a)...), true
		}
		return weft.Norm(x), true
	}
	return nil, false
}

// countFrom returns the n integers from start on.
func countFrom(start, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = start + i
	}
	return out
}

// spread returns jnp.ptp.
func spread(x weft.Array, axes ...int) weft.Array { return x.Max(axes...).Sub(x.Min(axes...)) }

// countNonzero returns jnp.count_nonzero.
func countNonzero(x weft.Array, axes ...int) weft.Array { return x.Ne(0).Sum(axes...) }

// inner returns jnp.inner.
func inner(x, y weft.Array) weft.Array {
	if x.Rank() == 0 || y.Rank() == 0 {
		return x.Mul(y)
	}
	return weft.Tensordot(x, y, []int{-1}, []int{-1})
}
