//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/fakecuda"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/nn"
)

// Under weft.Fast products run on the tensor cores of the device's generation, also in graphs.
// Nodes of graphs get other memory in each call, and tensor maps with its address.
func TestTensorCores(t *testing.T) {
	race.Values(t)
	for _, capability := range []int{75, 80, 90, 100, 103, 120} {
		f := fakecuda.New()
		f.Capability = capability
		d, driver := registered(t, f)
		unit := map[int]string{80: "mma.sync", 90: "wgmma", 100: "tcgen05", 103: "tcgen05", 120: "mma.sync"}[capability]
		if about := driver.Description(); strings.Contains(about, "tensor cores") != (unit != "") || !strings.Contains(about, unit) {
			t.Errorf("capability %d: %s", capability, about)
		}
		x, y := weft.Linspace(-1, 1, 24*32).Reshape(24, 32), weft.Sin(weft.Linspace(0, 99, 24*16)).Reshape(24, 16)
		program := func(x weft.Array) weft.Array {
			z := x.MatMul(x.T()).Sort(0) // rows of both along k, as wgmma reads them
			return weft.Tanh(z.MatMul(y)).Sort(1)
		}
		want := program(x)
		weft.With(weft.Precision(weft.Fast), func() {
			g := weft.Jit(program, weft.On(d))
			for i := range 4 {
				got := g(x)
				most := weft.ToSlice[float32](weft.Abs(got.Sub(want)).Max().Reshape(1))[0]
				if !(most <= 0.05) {
					t.Errorf("capability %d, call %d: error of %g", capability, i, most)
				}
				if exact := testcheck.SameBinary(got, want); exact != (capability < 80) {
					t.Errorf("capability %d: the exact bits: got %v", capability, exact)
				}
				x = x.Add(0) // other memory
			}
		})
		if n := f.Calls("cuTensorMapEncodeTiled"); (n > 0) != (unit == "wgmma" || unit == "tcgen05") {
			t.Errorf("capability %d: %d tensor maps", capability, n)
		}
		if got := weft.Jit(program, weft.On(d))(x); !testcheck.SameBinary(got, want) {
			t.Errorf("capability %d: not exact without Fast", capability)
		}
	}
}

// Rows of a loop's arrays may begin at any address: products of such rows do not rely on the alignment
// of memory.
func TestTensorCoresInLoops(t *testing.T) {
	const n = 32 * 20
	rows := weft.Sin(weft.Linspace(0, 500, 3*(n+1))).Reshape(3, n+1)
	program := func(rows weft.Array) weft.Array {
		sum, _ := weft.Scan(func(sum, row weft.Array) (weft.Array, weft.Array) {
			m := lax.Slice(row, []int{0}, []int{n}, nil).Reshape(32, 20)
			return sum.Add(m.MatMul(m.T())), sum.Sum()
		}, weft.Zeros(32, 32), rows)
		return sum
	}
	want := program(rows)
	for _, capability := range []int{80, 90, 100} {
		f := fakecuda.New()
		f.Capability = capability
		d, _ := registered(t, f)
		weft.With(weft.Precision(weft.Fast), func() {
			got, err := weft.Try(func() weft.Array { return weft.Jit(program, weft.On(d))(rows) })
			if err == nil {
				_, err = got.MarshalBinary()
			}
			if err != nil {
				t.Errorf("capability %d: %v", capability, err)
				return
			}
			if most := weft.ToSlice[float32](weft.Abs(got.Sub(want)).Max().Reshape(1))[0]; !(most <= 0.05) || testcheck.SameBinary(got, want) {
				t.Errorf("capability %d: error of %g", capability, most)
			}
		})
	}
}

// Attention of 16 bits runs on wgmma where there is one, also in graphs, and on mma.sync elsewhere.
func TestAttentionCores(t *testing.T) {
	race.Values(t)
	for _, capability := range []int{80, 90, 100} {
		f := fakecuda.New()
		f.Capability = capability
		d, _ := registered(t, f)
		x := weft.Sin(weft.Linspace(0, 99, 40*2*64)).Reshape(40, 2, 64).AsType(weft.BFloat16)
		program := func(x weft.Array) weft.Array {
			return nn.Attention(x, x, x, nn.AttentionConfig{Causal: true}).AsType(weft.Float32).Sort(0)
		}
		want := program(x)
		weft.With(weft.Precision(weft.Fast), func() {
			g := weft.Jit(program, weft.On(d))
			for i := range 4 {
				if most := weft.ToSlice[float32](weft.Abs(g(x).Sub(want)).Max().Reshape(1))[0]; !(most <= 0.05) {
					t.Errorf("capability %d, call %d: error of %g", capability, i, most)
				}
				x = x.Add(weft.Zeros(1).AsType(weft.BFloat16)) // other memory
			}
		})
		if n := f.Calls("cuTensorMapEncodeTiled"); (n > 0) != (capability == 90) || n%3 != 0 {
			t.Errorf("capability %d: %d tensor maps", capability, n)
		}
	}
}

// Convolutions of 16 bits run on wgmma without tensor maps, in graphs with other memory too, and so does a gradient by an image, whose kernels write
// parts of one result.
func TestConvolutionCores(t *testing.T) {
	race.Values(t)
	x := weft.Sin(weft.Linspace(0, 99, 4*16*16*64)).Reshape(4, 16, 16, 64).AsType(weft.BFloat16)
	w := weft.Sin(weft.Linspace(0, 77, 3*3*64*64)).Reshape(3, 3, 64, 64).AsType(weft.BFloat16)
	conv := func(x weft.Array) weft.Array {
		return lax.ConvGeneralDilated(x, w, lax.ConvConfig{Strides: []int{2, 2}, Padding: lax.Same, Lhs: "NHWC", Rhs: "HWIO", Out: "NHWC"})
	}
	program := func(x weft.Array) weft.Array {
		y, back := weft.VJP(conv, x)
		return back(y).AsType(weft.Float32).Sort(1)
	}
	want := program(x)
	f := fakecuda.New()
	f.Capability = 90
	d, _ := registered(t, f)
	weft.With(weft.Precision(weft.Fast), func() {
		g := weft.Jit(program, weft.On(d))
		for i := range 3 {
			if most := weft.ToSlice[float32](weft.Abs(g(x).Sub(want)).Max().Div(weft.Abs(want).Max()).Reshape(1))[0]; !(most <= 0.02) {
				t.Errorf("call %d: error of %g", i, most)
			}
			x = x.Add(weft.Zeros(1).AsType(weft.BFloat16)) // other memory
		}
	})
	if n := f.Calls("cuTensorMapEncodeTiled"); n > 0 {
		t.Errorf("%d tensor maps", n)
	}
	if n := strings.Count(f.Texts(), "tensor_convolution"); n != 5 {
		t.Errorf("%d kernels of convolutions, want 1 and 4", n)
	}
}

// The environment can leave all products to mma.sync.
func TestTensorCoresWithoutWGMMA(t *testing.T) {
	t.Setenv(wgmmaVariable, "off")
	for _, capability := range []int{90, 100} {
		f := fakecuda.New()
		f.Capability = capability
		_, driver := registered(t, f)
		if cores := driver.TensorCores(); !cores.MMA || cores.Copies() {
			t.Errorf("the device has %+v, want mma.sync alone", cores)
		}
	}
}

// An older driver than that for CUDA 12.9 does not know the family of 10.0.
func TestTensorCoresOfOldDrivers(t *testing.T) {
	f := fakecuda.New()
	f.Capability, f.Version = 100, 12080
	_, driver := registered(t, f)
	if cores := driver.TensorCores(); !cores.MMA || cores.Copies() {
		t.Errorf("the device has %+v, want mma.sync alone", cores)
	}
}

// Some drivers take the target of wgmma and tcgen05 by name, others from the context alone.
func TestTargetOfTensorCores(t *testing.T) {
	x := weft.Linspace(-1, 1, 32*32).Reshape(32, 32)
	for i := range 4 {
		unnamed, capability, unit := i%2 == 1, 90, "wgmma"
		if i > 1 {
			capability, unit = 100, "tcgen05"
		}
		f := fakecuda.New()
		f.Capability, f.Unnamed = capability, unnamed
		d, driver := registered(t, f)
		weft.With(weft.Precision(weft.Fast), func() {
			weft.Jit(func(x weft.Array) weft.Array { return x.MatMul(x.T()) }, weft.On(d))(x)
		})
		if n := f.Calls("cuTensorMapEncodeTiled"); n == 0 || !driver.TensorCores().Copies() {
			t.Errorf("target from the context alone: %v: the product has %d tensor maps, want %s", unnamed, n, unit)
		}
		if line := driver.Description(); !strings.HasSuffix(line, "tensor cores ("+unit+")") {
			t.Errorf("target from the context alone: %v: %s", unnamed, line)
		}
	}
}

// A driver that does not compile wgmma or tcgen05 gets mma.sync, and the device's description contains the reason.
func TestTensorCoresTried(t *testing.T) {
	for capability, unit := range map[int]string{90: "wgmma", 100: "tcgen05"} {
		testTensorCoresTried(t, capability, unit)
	}
}

func testTensorCoresTried(t *testing.T, capability int, unit string) {
	f := fakecuda.New()
	f.Capability = capability
	d, driver := registered(t, f)
	f.Fail("cuLinkAddData_v2", 0, 218, 2)
	x := weft.Linspace(-1, 1, 32*32).Reshape(32, 32)
	square := func(x weft.Array) weft.Array { return x.MatMul(x.T()) }
	weft.With(weft.Precision(weft.Fast), func() {
		if got := weft.Jit(square, weft.On(d))(x); testcheck.SameBinary(got, square(x)) {
			t.Error("the product is exact")
		}
	})
	if n := f.Calls("cuTensorMapEncodeTiled"); n != 0 {
		t.Errorf("%d tensor maps", n)
	}
	if line := driver.Description(); !strings.Contains(line, "tensor cores (mma.sync; the driver does not compile "+unit+": cuLinkAddData_v2 failed: ") {
		t.Error(line)
	}
}

// An error of the driver while a kernel is prepared for tensor cores names the kernel.
func TestTensorCoresFail(t *testing.T) {
	for _, name := range []string{"cuFuncSetAttribute", "cuTensorMapEncodeTiled"} {
		f := fakecuda.New()
		f.Capability = 90
		d, _ := registered(t, f)
		f.Fail(name, 0, 1, 1<<20)
		_, err := weft.Try(func() (y weft.Array) {
			weft.With(weft.Precision(weft.Fast), func() {
				x := weft.Linspace(-1, 1, 32*32).Reshape(32, 32)
				y = weft.Jit(func(x weft.Array) weft.Array { return x.MatMul(x.T()) }, weft.On(d))(x)
			})
			return y
		})
		if err == nil || !containsAll(err.Error(), name, "tensor_product") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func containsAll(s string, parts ...string) bool {
	for _, p := range parts {
		if !strings.Contains(s, p) {
			return false
		}
	}
	return true
}
