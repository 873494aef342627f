package weft_test

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/arraycheck"
)

type unary = func(weft.Array) weft.Array

var (
	s, vec, f64   = arraycheck.F32, arraycheck.Vector32, arraycheck.Vector64
	near, nearAll = arraycheck.Near, arraycheck.NearAll
)

// reduceBy returns Reduce with an operation.
func reduceBy(op weft.ReduceOp) func(x weft.Array, c weft.ReduceConfig) weft.Array {
	return func(x weft.Array, c weft.ReduceConfig) weft.Array {
		c.Op = op
		return weft.Reduce(x, c)
	}
}

// skipNaN returns a reduction along axes of what is not NaN.
func skipNaN(op weft.ReduceOp) func(x weft.Array, axes ...int) weft.Array {
	return func(x weft.Array, axes ...int) weft.Array {
		c := weft.ReduceConfig{Op: op, SkipNaN: true}
		c.Axes, c.Keep = splitKeep(axes)
		return weft.Reduce(x, c)
	}
}

// splitKeep separates weft.Keep from the axes of a reduction.
func splitKeep(axes []int) (rest []int, keep bool) {
	for _, a := range axes {
		if a == weft.Keep {
			keep = true
		} else {
			rest = append(rest, a)
		}
	}
	return rest, keep
}
