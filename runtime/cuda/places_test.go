//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/fakecuda"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/mesh"
)

// A mesh runs on one and on two CUDA devices, with collectives, also within loops, and has the same bits as on the default device.
func TestMeshOnDevices(t *testing.T) {
	on := two(t)
	m := mesh.New(mesh.Axis("data", 2), mesh.Axis("model", 2))
	loss := mesh.ShardMap(func(up, down, x weft.Array) weft.Array {
		y := lax.Psum(weft.Tanh(x.MatMul(up)).MatMul(down), "model")
		y = weft.ForI(2, func(_, y weft.Array) weft.Array { return y.Add(lax.Ppermute(y, "data", [2]int{0, 1}, [2]int{1, 0})) }, y)
		return lax.Pmean(weft.Square(y).Mean(), "data")
	}, m, mesh.In(mesh.P(nil, "model"), mesh.P("model"), mesh.P("data")), mesh.Out(mesh.P()))
	up, down, x := weft.Linspace(-1, 1, 12).Reshape(3, 4), weft.Linspace(0, 1, 8).Reshape(4, 2), weft.Linspace(-2, 1, 12).Reshape(4, 3)
	step := func() weft.Array {
		g := weft.Grad(func(up weft.Array) weft.Array { return loss(up, down, x) })
		return weft.Jit(func(up weft.Array) weft.Array { return up.Sub(g(up).Mul(0.1)) })(up)
	}
	want := step()
	f := fakecuda.Current()
	for n := 1; n <= len(on); n++ {
		before := f.Calls("cuLaunchKernel")
		err := mesh.RunOn(on[:n], func() error {
			if got := step(); !testcheck.SameBinary(got, want) {
				t.Errorf("%d devices: got %v, want %v", n, got, want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		if f.Calls("cuLaunchKernel") == before {
			t.Errorf("%d devices: none has run a kernel", n)
		}
	}
}
