package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/nd"
)

// Zeros returns an array of zeros of the default float type.
func Zeros(dims ...int) Array { return FromValue(nd.Zeros(dims...)) }

// Ones returns an array of ones of the default float type.
func Ones(dims ...int) Array { return FromValue(nd.Ones(dims...)) }

// ZerosOf returns an array of zeros of a type.
func ZerosOf(dt DType, dims ...int) Array { return FromValue(nd.ZerosOf(dt, dims...)) }

// OnesOf returns an array of ones of a type.
func OnesOf(dt DType, dims ...int) Array { return FromValue(nd.OnesOf(dt, dims...)) }

// Full returns v spread over a shape. An untyped constant stays weak.
func Full[T Operand](s Shape, v T) Array { return FromValue(nd.Full(s, unwrap(v))) }

// ZerosLike returns a tree of zeros of the types of p's arrays.
func ZerosLike[P any](p P) P {
	return likeTree("ZerosLike", p, func(a core.ShapedArray) core.Value { return nd.ZerosOfType(a) })
}

// OnesLike returns a tree of ones of the types of p's arrays.
func OnesLike[P any](p P) P {
	return likeTree("OnesLike", p, func(a core.ShapedArray) core.Value { return prim.Full(a, 1) })
}

func likeTree[P any](op string, p P, f func(core.ShapedArray) core.Value) P {
	vals, def := formOf[P](op).Values(op, &p)
	for i, v := range vals {
		vals[i] = f(v.Aval())
	}
	return together[P](def, vals)
}

// Arange returns the numbers from 0 up to stop, or from start up to stop, by steps of 1
// or of the third number. Arange(4) is integers, Arange(4.) floats.
func Arange[T Elem](startStopStep ...T) Array { return FromValue(nd.Arange(numbers(startStopStep)...)) }

// Iota counts along one axis of a shape.
func Iota(dt DType, axis int, dims ...int) Array { return FromValue(nd.Iota(dt, axis, dims...)) }

// Linspace returns n numbers from start to stop, both included, at equal distances. Where
// these returns Arrays the numbers between their elements stand along a new axis, the first
// one unless another is given.
func Linspace[A, B Operand](start A, stop B, n int, axis ...int) Array {
	return FromValue(nd.Linspace(unwrap(start), unwrap(stop), n, axis...))
}

// Eye returns the identity matrix of n rows, or of n rows and m columns.
func Eye(n int, m ...int) Array { return FromValue(nd.Eye(n, m...)) }

// Tril returns x's lower triangles: zero above the k-th diagonal, the main one unless
// given.
func Tril(x Array, k ...int) Array { return FromValue(nd.Tril(x.value(), k...)) }

// Triu returns x's upper triangles: zero below the k-th diagonal.
func Triu(x Array, k ...int) Array { return FromValue(nd.Triu(x.value(), k...)) }

// OneHot returns for each index a row of n numbers, 1 at the index and 0 elsewhere.
func OneHot(x Array, n int) Array { return FromValue(nd.OneHot(x.value(), n)) }

// FullLike returns v, in x's type, spread over x's shape.
func FullLike[T Operand](x Array, v T) Array { return FromValue(nd.FullLike(x.value(), unwrap(v))) }

// Logspace returns n numbers from 10^start to 10^stop, whose logarithms are at equal
// distances.
func Logspace(start, stop float64, n int) Array { return FromValue(nd.Logspace(start, stop, n)) }

func numbers[T Elem](v []T) []any {
	out := make([]any, len(v))
	for i, x := range v {
		out[i] = x
	}
	return out
}
