package promotion_test

import (
	"errors"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/promote"
)

// Under NumPy 1 a known scalar counts by its value beside an array, in and out of Jit, however it was
// made. The types are NumPy 1.24's.
func TestNumPy1KnownScalars(t *testing.T) {
	weft.With(weft.Promotion(promote.NumPy1), func() {
		i8, u8, f16 := weft.Of(int8(1), 2), weft.Of(uint8(1), 2), weft.ZerosOf(weft.Float16, 2)
		for _, c := range []struct {
			name  string
			array weft.Array
			known func() weft.Array
			want  weft.DType
		}{
			{"i8 + int64(1)", i8, func() weft.Array { return weft.Scalar(int64(1)) }, weft.Int8},
			{"i8 + int64(1000)", i8, func() weft.Array { return weft.Scalar(int64(1000)) }, weft.Int16},
			{"i8 + uint8(200)", i8, func() weft.Array { return weft.Scalar(uint8(200)) }, weft.Int16},
			{"u8 + int32(-1)", u8, func() weft.Array { return weft.Scalar(int32(-1)) }, weft.Int16},
			{"f16 + float64(1)", f16, func() weft.Array { return weft.FromSlice([]float64{1}).Index(0) }, weft.Float16},
			{"f16 + float64(1e6)", f16, func() weft.Array { return weft.FromSlice([]float64{1e6}).Index(0) }, weft.Float32},
			{"i8 + element of i64", i8, func() weft.Array { return weft.FromSlice([]int64{70000}).Index(0) }, weft.Int32},
		} {
			outside := c.known()
			for how, f := range map[string]func(weft.Array) weft.Array{
				"eagerly":                 func(x weft.Array) weft.Array { return x.Add(c.known()) },
				"under Jit, made outside": weft.Jit(func(x weft.Array) weft.Array { return x.Add(outside) }),
				"under Jit, made inside":  weft.Jit(func(x weft.Array) weft.Array { return x.Add(c.known()) }),
			} {
				if got := f(c.array); got.DType() != c.want {
					t.Errorf("%s %s: got %v, want %v", c.name, how, got.DType(), c.want)
				}
			}
		}
		// An argument's value is not known.
		_, err := weft.Try(func() weft.Array {
			return weft.Jit(func(x, s weft.Array) weft.Array { return x.Add(s) })(i8, weft.Scalar(int64(1)))
		})
		if !errors.Is(err, core.ErrPromotion) {
			t.Errorf("an argument: got %v, want %v", err, core.ErrPromotion)
		}
	})
}
