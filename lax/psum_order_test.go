package lax_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
)

// A sum over two axes adds up the inner one first, also where the operand does not vary along it.
func TestPsumAlongAnInnerAxisOfOneValue(t *testing.T) {
	x := weft.Of[float32](0.1, 0.2, 0.3, 0.7, 0.9)
	got := weft.Vmap(func(x weft.Array) weft.Array {
		return weft.Vmap(func(y weft.Array) weft.Array { return lax.Psum(x, "outer", "inner") }, weft.AxisName("inner"))(weft.Zeros(3))
	}, weft.AxisName("outer"))(x)
	want := weft.Vmap(func(x weft.Array) weft.Array { return lax.Psum(x, "outer") }, weft.AxisName("outer"))(x.Add(x).Add(x)).Index(0)
	if !got.Eq(want).All().Bool() {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A sum of f16 or bf16 along an axis on which the operand does not vary rounds once, and the axis's
// size not at all.
func TestPsumOfOneValueRoundsOnce(t *testing.T) {
	for _, dt := range []weft.DType{weft.Float16, weft.BFloat16} {
		x := weft.Of[float32](0.1, 0.3, 1.7, 0).AsType(dt)
		wide := x.AsType(weft.Float32)
		for _, n := range []int{3, 257, 2049, 70000} {
			sum := func(x weft.Array) weft.Array {
				return weft.Vmap(func(weft.Array) weft.Array { return lax.Psum(x, "i") }, weft.AxisName("i"), weft.Out(weft.None))(weft.Zeros(n))
			}
			if got, want := sum(x), wide.Mul(float32(n)).AsType(dt); !got.Equal(want) {
				t.Errorf("%v, %d times: got %v, want %v", dt, n, got, want)
			}
		}
		got := weft.Vmap(func(x weft.Array) weft.Array {
			return weft.Vmap(func(weft.Array) weft.Array { return lax.Psum(x, "outer", "inner") }, weft.AxisName("inner"), weft.Out(weft.None))(weft.Zeros(7))
		}, weft.AxisName("outer"), weft.Out(weft.None))(x)
		if want := wide.Mul(7).Sum().AsType(dt); !got.Equal(want) {
			t.Errorf("%v, over two axes: got %v, want %v", dt, got, want)
		}
	}
}
