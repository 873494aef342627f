package onnx

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
)

var reductions = map[string]operator{
	"ReduceSum":  reduction(13, func(x weft.Array, axes []int) weft.Array { return lax.ReduceSum(x, axes...) }),
	"ReduceProd": reduction(18, func(x weft.Array, axes []int) weft.Array { return lax.ReduceProd(x, axes...) }),
	"ReduceMax":  reduction(18, func(x weft.Array, axes []int) weft.Array { return extreme(x, axes, lax.ReduceMax, lax.ReduceOr) }),
	"ReduceMin":  reduction(18, func(x weft.Array, axes []int) weft.Array { return extreme(x, axes, lax.ReduceMin, lax.ReduceAnd) }),
	"ReduceMean": reduction(18, mean),
	"ReduceL1":   reduction(18, func(x weft.Array, axes []int) weft.Array { return lax.ReduceSum(weft.Abs(x), axes...) }),
	"ReduceL2": reduction(18, func(x weft.Array, axes []int) weft.Array {
		return root(lax.ReduceSum(x.Mul(x), axes...))
	}),
	"ReduceSumSquare": reduction(18, func(x weft.Array, axes []int) weft.Array { return lax.ReduceSum(x.Mul(x), axes...) }),
	"ReduceLogSum":    reduction(18, func(x weft.Array, axes []int) weft.Array { return logarithm(lax.ReduceSum(x, axes...)) }),
	"ReduceLogSumExp": reduction(18, logSumExp),
	"ArgMax":          arg(lax.Argmax), "ArgMin": arg(lax.Argmin),
}

// reduction makes an operator of a function along axes, which are an attribute before some
// version of the operator and an input since. Small floats are combined in f32.
func reduction(since int64, f func(x weft.Array, axes []int) weft.Array) operator {
	return func(n *node) []weft.Array {
		x := n.x(0)
		axes := n.listed("axes", 1, since)
		if len(axes) == 0 {
			if n.int("noop_with_empty_axes", 0) != 0 {
				return one(f(x.AsType(wide(x.DType())), nil).AsType(x.DType()))
			}
			axes = iotas(x.Rank())
		}
		axes = n.axes(axes, x.Rank())
		y := f(x.AsType(wide(x.DType())), axes).AsType(x.DType())
		if n.int("keepdims", 1) != 0 {
			dims := append([]int{}, x.Shape()...)
			for _, a := range axes {
				dims[a] = 1
			}
			y = y.Reshape(dims...)
		}
		return one(y)
	}
}

func extreme(x weft.Array, axes []int, of, truth func(weft.Array, ...int) weft.Array) weft.Array {
	if x.DType() == weft.Bool {
		return truth(x, axes...)
	}
	return of(x, axes...)
}

func count(x weft.Array, axes []int) int {
	k := 1
	for _, a := range axes {
		k *= x.Dim(a)
	}
	return k
}

// mean returns the mean along axes, truncated for integers.
func mean(x weft.Array, axes []int) weft.Array {
	sum := lax.ReduceSum(x, axes...)
	if x.DType().IsInteger() {
		return lax.Div(sum, weft.FullLike(sum, count(x, axes)))
	}
	return sum.Div(float64(count(x, axes)))
}

func root(x weft.Array) weft.Array {
	if x.DType().IsInteger() {
		return weft.Sqrt(x.AsType(weft.Float64)).AsType(x.DType())
	}
	return weft.Sqrt(x)
}

func logarithm(x weft.Array) weft.Array {
	if x.DType().IsInteger() {
		return weft.Log(x.AsType(weft.Float64)).AsType(x.DType())
	}
	return weft.Log(x)
}

// logSumExp returns log ∑ exp x along axes. It subtracts the maximum, so that no exponential overflows.
func logSumExp(x weft.Array, axes []int) weft.Array {
	y := x
	if x.DType().IsInteger() {
		y = x.AsType(weft.Float64)
	}
	if len(axes) == 0 {
		return y.AsType(x.DType())
	}
	most := lax.ReduceMax(y, axes...)
	dims := append([]int{}, x.Shape()...)
	for _, a := range axes {
		dims[a] = 1
	}
	shift := weft.StopGradient(weft.Where(weft.IsFinite(most), most, weft.ZerosLike(most)))
	return weft.Log(lax.ReduceSum(weft.Exp(y.Sub(shift.Reshape(dims...))), axes...)).Add(shift).AsType(x.DType())
}

// arg makes an operator that returns the position of an extreme element: the first of equal elements, or the last.
func arg(f func(x weft.Array, axis int, dt weft.DType) weft.Array) operator {
	return func(n *node) []weft.Array {
		x := n.x(0)
		axis := n.axis(n.int("axis", 0), x.Rank())
		var y weft.Array
		if n.int("select_last_index", 0) != 0 {
			y = f(weft.Flip(x, axis), axis, weft.Int64)
			y = y.Neg().Add(x.Dim(axis) - 1)
		} else {
			y = f(x, axis, weft.Int64)
		}
		if n.int("keepdims", 1) != 0 {
			y = lax.ExpandDims(y, axis)
		}
		return one(y)
	}
}
