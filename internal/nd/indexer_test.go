package nd_test

import (
	"slices"
	"testing"

	"github.com/weft-go/weft"
)

// A scalar index of few bits says nothing about the positions along other axes. Reads that promise to be in
// bounds are one slice.
func TestScalarIndicesOfFewBits(t *testing.T) {
	wide := weft.Arange(float32(3*300)).Reshape(3, 300)
	tall := wide.Reshape(300, 3)
	for name, c := range map[string]struct {
		x    weft.Array
		idx  []any
		want float64
	}{
		"i8 and a range":  {wide, []any{weft.Scalar(int8(1)), weft.R(200, 250)}, 500},
		"u8 and a range":  {wide, []any{weft.Scalar(uint8(1)), weft.R(260, 290)}, 560},
		"i8 and a number": {wide, []any{weft.Scalar(int8(-2)), 200}, 500},
		"i32 and i8":      {tall, []any{weft.Scalar(int32(200)), weft.Scalar(int8(1))}, 601},
		"i8 and i32":      {wide, []any{weft.Scalar(int8(1)), weft.Scalar(int32(-1))}, 599},
	} {
		for how, got := range map[string]weft.Array{
			"Index": c.x.Index(c.idx...), "PromiseInBounds": c.x.At(c.idx...).Mode(weft.PromiseInBounds).Get(),
			"Jit": weft.Jit(func(x weft.Array, idx []weft.Array) weft.Array {
				places := slices.Clone(c.idx)
				for k := range places {
					if _, ok := places[k].(weft.Array); ok {
						places[k] = idx[k]
					}
				}
				return x.Index(places...)
			})(c.x, arrays(c.idx)),
		} {
			if got := got.Reshape(-1).Index(0).Float(); got != c.want {
				t.Errorf("%s, %s: got %v, want %v", name, how, got, c.want)
			}
		}
	}
}

// arrays returns the indices, with an Array in place of each that is none.
func arrays(idx []any) []weft.Array {
	out := make([]weft.Array, len(idx))
	for k := range idx {
		if x, ok := idx[k].(weft.Array); ok {
			out[k] = x
		} else {
			out[k] = weft.Scalar(int32(0))
		}
	}
	return out
}
