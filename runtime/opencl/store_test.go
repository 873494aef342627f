package opencl_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/runtime"
)

// One thread of a group stores the sum of each row. Compilers that vectorize the loop over threads must not drop
// this store.
func TestStoresOfOneThread(t *testing.T) {
	a := weft.Abs(random.Normal(random.New(1), 2, 3, 2206)).AsType(weft.BFloat16)
	b := weft.Abs(random.Normal(random.New(2), 2, 3, 1)).AsType(weft.BFloat16)
	f := func(a, b weft.Array) (sum, greatest, power weft.Array) {
		d := a.Pow(b)
		greatest = d.Max(2)
		return d.Sum(2), greatest, d.Pow(greatest.Reshape(2, 3, 1)).Sub(a)
	}
	list := func(a, b weft.Array) []weft.Array {
		x, y, z := f(a, b)
		return []weft.Array{x, y, z}
	}
	want := weft.Jit(list, weft.On(weft.DeviceNamed("reference")))(a, b)
	onDevices(t, func(t *testing.T, e runtime.Executor) {
		d := weft.DeviceNamed(e.Name())
		for i, got := range weft.Jit(list, weft.On(d))(a.To(d), b.To(d)) {
			if got = got.To(weft.DeviceNamed("reference")); !got.Equal(want[i]) {
				t.Errorf("result %d: got\n%v, want\n%v", i, got, want[i])
			}
		}
	})
}
