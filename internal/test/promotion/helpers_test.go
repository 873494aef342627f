package promotion_test

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/nd"
)

type unary = func(weft.Array) weft.Array

// arr returns an operand as an array: a Go number is a weak one.
func arr(v any) weft.Array {
	if x, ok := v.(weft.Array); ok {
		return x
	}
	n, ok := nd.Number(v)
	if !ok {
		panic("no array and no number")
	}
	return weft.FromValue(n)
}
