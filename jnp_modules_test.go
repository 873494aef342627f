package weft_test

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
)

func typeIn(v any) weft.DType {
	switch v := v.(type) {
	case weft.DType:
		return v
	case pymodule:
		return pyType(string(v[3:]))
	}
	panic(errUnknown("type"))
}

// pyType returns a type of Python's or NumPy's; the former have the default width.
func pyType(name string) weft.DType {
	switch name {
	case "float":
		return weft.Zeros().DType()
	case "int":
		return weft.Arange(1).DType()
	}
	dt, ok := pyTypes[name]
	if !ok {
		panic(errUnknown("type " + name))
	}
	return dt
}

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
