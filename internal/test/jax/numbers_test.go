package jax_test

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/nd"
)

// typed returns a number of one of Go's sized types as an array, which is strong.
func typed(v any) (weft.Array, bool) {
	if _, isBool := v.(bool); isBool {
		return weft.Array{}, false
	}
	n, ok := nd.Number(v)
	if !ok || n.Weak {
		return weft.Array{}, false
	}
	return weft.FromValue(n), true
}

// scalarOf returns a NumPy scalar: strong, of its type.
func scalarOf(dt weft.DType, args []any) any {
	if len(args) != 1 {
		panic(errUnknown("scalar"))
	}
	switch n := args[0].(type) {
	case int:
		switch dt {
		case weft.Int8:
			return int8(n)
		case weft.Uint8:
			return uint8(n)
		case weft.Int64:
			return int64(n)
		case weft.Float32:
			return float32(n)
		case weft.Float16:
			return weft.Scalar(float32(n)).AsType(dt)
		}
	case float64:
		if dt == weft.Float64 {
			return weft.Scalar(n).AsType(dt) // a Go float64 is weak, NumPy's is not
		}
	case bool:
		return n
	case complex128:
		if dt == weft.Complex64 {
			return complex64(n)
		}
	}
	panic(errUnknown("scalar of " + dt.String()))
}
