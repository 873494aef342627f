package linalg

import (
	"math"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
)

// Order is a norm of matrices. [VectorNorm] has the norms of vectors.
type Order uint8

// The norms, and what NumPy's ord is for them.
const (
	Frobenius     Order = iota // the root of the sum of squares: "fro"
	Nuclear                    // the sum of singular values: "nuc"
	Spectral                   // the largest singular value: 2
	LeastSpectral              // the least singular value: −2, which is not a norm
	MaxColumnSum               // of absolute values: 1
	MinColumnSum               // −1
	MaxRowSum                  // ∞
	MinRowSum                  // −∞
)

// Norm returns a norm of each matrix, in the last two axes unless two others are given. weft.Keep
// among the axes leaves them in place, with size 1.
func Norm(a weft.Array, order Order, axes ...int) weft.Array {
	const op = "Norm"
	v := nd.ValueOf(op, a)
	keep := slices.Contains(axes, weft.Keep)
	at := slices.DeleteFunc(slices.Clone(axes), func(k int) bool { return k == weft.Keep })
	switch len(at) {
	case 0:
		at = []int{-2, -1}
	case 2:
		a = weft.FromValue(nd.MoveAxis(v, at, []int{-2, -1}))
	default:
		core.FailOp(core.ErrIndex, op, []core.ShapedArray{v.Aval()}, "a matrix has two axes (got %v); name two, or none for the last two", at)
	}
	y := normNamed(op, a, order)
	if keep {
		y = y.ExpandDims(at...)
	}
	return y
}

// VectorNorm returns the norm (Σ |x|^order)^(1/order) along the given axes, or of all elements.
// For order ∞ it is the largest absolute value, for −∞ the least, for 0 the number of elements
// that are not 0; [weft.Norm] has order 2. For positive orders the derivative is 0 where the norm is.
func VectorNorm(x weft.Array, order float64, axes ...int) weft.Array {
	const op = "VectorNorm"
	x = weft.FromValue(nd.Strong(op, nd.Floating(op, nd.ValueOf(op, x))))
	if order != order {
		core.FailOp(core.ErrStatic, op, nil, "the order is NaN; pass a number, as 2")
	}
	return nd.WithJAXPromotion(func() weft.Array {
		reduce := func(by weft.ReduceOp, initial any) weft.Array {
			rest := slices.DeleteFunc(slices.Clone(axes), func(k int) bool { return k == weft.Keep })
			if len(axes) > 0 && len(rest) == 0 {
				rest = nil
			}
			return weft.Reduce(weft.Abs(x), weft.ReduceConfig{Op: by, Axes: rest, Keep: len(rest) < len(axes), Initial: initial})
		}
		switch {
		case order == 2:
			return weft.Norm(x, axes...)
		case order == 1:
			return weft.Abs(x).Sum(axes...)
		case math.IsInf(order, 1):
			return reduce(weft.ReduceMax, 0)
		case math.IsInf(order, -1):
			return reduce(weft.ReduceMin, nil)
		case order == 0:
			return x.Ne(0).AsType(x.DType().Real()).Sum(axes...)
		}
		size := weft.Abs(x)
		dt := size.DType()
		sum := weft.Pow(size.AsType(nd.AverageType(dt)), order).Sum(axes...)
		none, end := sum.Eq(0), 0.
		if order < 0 { // no element counts: all are infinite, or too large for their powers
			end = math.Inf(1)
		}
		return weft.Where(none, end, weft.Pow(weft.Where(none, 1, sum), 1/order)).AsType(dt)
	})
}

func normNamed(op string, a weft.Array, order Order) weft.Array {
	a = matrix(op, a)
	if a.Dim(-1) == 0 || a.Dim(-2) == 0 {
		requireElements(op, a, order)
		return weft.Abs(a).Sum(-2, -1)
	}
	return nd.WithJAXPromotion(func() weft.Array {
		switch order {
		case Frobenius:
			return weft.Norm(a, -2, -1)
		case Nuclear:
			return SingularValues(a).Sum(-1)
		case Spectral:
			return SingularValues(a).Max(-1)
		case LeastSpectral:
			return SingularValues(a).Min(-1)
		case MaxColumnSum:
			return weft.Abs(a).Sum(-2).Max(-1)
		case MinColumnSum:
			return weft.Abs(a).Sum(-2).Min(-1)
		case MaxRowSum:
			return weft.Abs(a).Sum(-1).Max(-1)
		case MinRowSum:
			return weft.Abs(a).Sum(-1).Min(-1)
		}
		core.FailOp(core.ErrStatic, op, nil, "there is no norm %d; pass one of the constants, as linalg.Spectral", order)
		return a
	})
}

// requireElements fails for norms that are the least of several values, of which an empty matrix
// has none. Its other norms are 0.
func requireElements(op string, a weft.Array, order Order) {
	if order == LeastSpectral || order == MinColumnSum || order == MinRowSum {
		core.FailOp(core.ErrShape, op, core.AvalsOf([]core.Value{a.Value()}), "%v has no elements, so none is the least; take another norm", aval(a).Full())
	}
}

// Cond returns the condition numbers: the norm of a times that of its inverse, or ∞ for singular
// matrices. For Spectral it is the ratio of the largest to the least singular value,
// and for LeastSpectral the inverse of that, also of matrices that are not square.
func Cond(a weft.Array, order Order) weft.Array {
	const op = "Cond"
	a = matrix(op, a)
	if a.Dim(-1) == 0 || a.Dim(-2) == 0 {
		requireElements(op, a, LeastSpectral)
	}
	return nd.WithJAXPromotion(func() weft.Array {
		var r weft.Array
		switch order {
		case Spectral:
			s := SingularValues(a)
			r = s.Max(-1).Div(s.Min(-1))
		case LeastSpectral:
			s := SingularValues(a)
			r = s.Min(-1).Div(s.Max(-1))
		default:
			requireSquare(op, a)
			r = normNamed(op, a, order).Mul(normNamed(op, Inv(a), order))
		}
		singular := weft.IsNaN(r).And(weft.IsNaN(a).Any(-2, -1).Not())
		return weft.Where(singular, math.Inf(1), r)
	})
}
