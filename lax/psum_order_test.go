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
