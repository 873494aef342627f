package opencl_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/runtime"
)

// The threads of a group share rows of more than 1,024 elements with the reference's bits.
func TestLongRows(t *testing.T) {
	for _, n := range []int{2050, 7001} {
		x := weft.Sin(weft.Linspace(0, 500, 3*n)).Reshape(3, n)
		f := func(x weft.Array) weft.Array { return nn.Softmax(x, 1).Add(x.Max(1).Reshape(3, 1)) }
		want := weft.Jit(f, weft.On(weft.DeviceNamed("reference")))(x)
		onDevices(t, func(t *testing.T, e runtime.Executor) {
			d := weft.DeviceNamed(e.Name())
			if got := weft.Jit(f, weft.On(d))(x.To(d)).To(weft.DeviceNamed("reference")); !got.Equal(want) {
				t.Errorf("rows of %d differ", n)
			}
		})
	}
}
