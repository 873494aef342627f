package reference

import (
	"math"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// TestIntegerPow compares powers of f16 and bf16 to the product in f64, rounded once.
func TestIntegerPow(t *testing.T) {
	for _, dt := range []core.DType{core.Float16, core.BFloat16} {
		for _, y := range []int{-7, -3, -2, -1, 2, 3, 4, 5, 7, 10} {
			x := block.NewTensor(core.Aval(dt, 1<<16))
			for i := range block.View[uint16](x) {
				block.View[uint16](x)[i] = uint16(i)
			}
			got, want := block.NewTensor(x.ShapedArray), block.NewTensor(x.ShapedArray)
			block.Elementwise(prim.IntegerPowP{Y: y}, []*block.Tensor{x}, []*block.Tensor{got})
			for i := range want.Size() {
				v, p := realAt(x, i, 0), 1.0
				for range max(y, -y) {
					p *= v
				}
				if y < 0 {
					p = 1 / p
				}
				storeBits(want, i, uint64(scalar.NarrowSmall(dt, float32(p))))
				if a := math.Abs(p); dt == core.BFloat16 && (a < 0x1p-126 || a > 0x1p127) {
					continue // squares on the way leave the range of f32
				}
				if msg := differ(got, want, i, 1, 0, "", true); msg != "" {
					t.Fatalf("%v: %g to the power of %d is %s, want %s: %s", dt, v, y, elemText(got, i), elemText(want, i), msg)
				}
			}
		}
	}
}
