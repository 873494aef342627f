package device_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/testcheck"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/device/drivertest"
)

// named is a simulated device with a name of its own.
type named struct {
	*drivertest.Simulated
	name string
}

func (d *named) Name() string { return d.name }

var tensorDevices int

// tensorDevice returns a simulated device with tensor cores.
func tensorDevice(cores simt.TensorCores, ptx bool) weft.Device {
	tensorDevices++
	d := &named{&drivertest.Simulated{Cores: cores, PTX: ptx}, fmt.Sprintf("tensor%d", tensorDevices)}
	if err := runtime.Register(device.New(d)); err != nil {
		panic(err)
	}
	return weft.DeviceNamed(d.name)
}

// products are functions of two matrices whose products tensor cores take under
// weft.Fast, with the error that Precision's documentation states for k terms, as a share of
// the sum of absolute products.
var products = map[string]struct {
	f     func(x, y weft.Array) weft.Array
	bound func(k float64) float64
}{
	"f32":        {func(x, y weft.Array) weft.Array { return x.MatMul(y) }, tf32Bound},
	"transposed": {func(x, y weft.Array) weft.Array { return y.T().MatMul(x.T()).T() }, tf32Bound},
	"grad": {func(x, y weft.Array) weft.Array {
		return weft.Grad(func(x weft.Array) weft.Array { return x.MatMul(y).Sum() })(x).MatMul(y)
	}, func(k float64) float64 { return 3 * tf32Bound(k) }},
	"bf16": {func(x, y weft.Array) weft.Array {
		return lax.DotGeneral(x.AsType(weft.BFloat16), y.AsType(weft.BFloat16), lax.DotConfig{LhsContract: []int{1}, RhsContract: []int{0}, Preferred: weft.Float32})
	}, func(k float64) float64 { return 2*0x1p-8 + (k+9)*0x1p-22 }},
	"narrow": {func(x, y weft.Array) weft.Array {
		return x.AsType(weft.Float16).MatMul(y.AsType(weft.Float16)).AsType(weft.Float32)
	}, func(k float64) float64 { return 3*0x1p-11 + (k+9)*0x1p-22 }},
	"algorithm": {func(x, y weft.Array) weft.Array {
		return lax.DotGeneral(x, y, lax.DotConfig{LhsContract: []int{1}, RhsContract: []int{0}, Precision: "BF16_BF16_F32"})
	}, func(k float64) float64 { return 2*0x1p-8 + (k+9)*0x1p-22 }},
}

func tf32Bound(k float64) float64 { return 2*0x1p-11 + (k+9)*0x1p-22 }

// Under weft.Fast a device with tensor cores computes products within the stated error, and
// other bits than the reference: without it, on a device without tensor cores, and where a
// product requests the highest precision, the bits are the reference's.
func TestTensorCores(t *testing.T) {
	const n, k = 40, 72
	x, y := weft.Sin(weft.Linspace(0, 500, n*k)).Reshape(n, k), weft.Cos(weft.Linspace(0, 700, k*n)).Reshape(k, n)
	if testing.Short() {
		t.Skip("compiles many programs")
	}
	mma := simt.TensorCores{MMA: true, Shared: simt.LeastTensorShared, Processors: 2}
	both := simt.TensorCores{MMA: true, WGMMA: true, Shared: 227 << 10, Processors: 2}
	for i, d := range []weft.Device{tensorDevice(mma, false), tensorDevice(mma, true), tensorDevice(both, true), tensorDevice(simt.TensorCores{}, false)} {
		for name, p := range products {
			exact := weft.Jit(p.f)(x, y)
			if got := weft.Jit(p.f, weft.On(d))(x, y); !testcheck.SameBinary(got, exact) {
				t.Errorf("%v, %s: %v is not exact", d, name, got)
			}
			var fast weft.Array
			weft.With(weft.Precision(weft.Fast), func() { fast = weft.Jit(p.f, weft.On(d))(x, y) })
			if same := testcheck.SameBinary(fast, exact); same != (i == 3) && name != "narrow" {
				t.Errorf("%v, %s: the exact bits: got %v", d, name, same)
			}
			scale := weft.Abs(x).MatMul(weft.Abs(y))
			if name == "grad" {
				sums := weft.Abs(y.Sum(1)).Max()
				scale = weft.Abs(y).Sum(1).Reshape(1, k).BroadcastTo(n, k).Add(sums).MatMul(weft.Abs(y))
			}
			if most := float64(weft.ToSlice[float32](weft.Abs(fast.Sub(exact)).Div(scale).Max().Reshape(1))[0]); !(most <= p.bound(k)) || math.IsNaN(most) {
				t.Errorf("%v, %s: error of %g, want at most %g", d, name, most, p.bound(k))
			}
		}
		highest := func(x, y weft.Array) weft.Array {
			return lax.DotGeneral(x, y, lax.DotConfig{LhsContract: []int{1}, RhsContract: []int{0}, Precision: lax.HighestPrecision})
		}
		weft.With(weft.Precision(weft.Fast), func() {
			if got := weft.Jit(highest, weft.On(d))(x, y); !testcheck.SameBinary(got, x.MatMul(y)) {
				t.Errorf("%v: the highest precision is not exact", d)
			}
		})
	}
}

// Under weft.Fast sums of few results are computed in parts, within the stated error, and every
// call has the same bits.
func TestTensorCoresInParts(t *testing.T) {
	const m, n, k = 24, 40, 4096
	x, y := weft.Sin(weft.Linspace(0, 5000, k*m)).Reshape(k, m), weft.Cos(weft.Linspace(0, 7000, k*n)).Reshape(k, n)
	for name, p := range map[string]struct {
		f     func(x, y weft.Array) weft.Array
		bound float64
	}{
		"f32": {func(x, y weft.Array) weft.Array { return x.T().MatMul(y) }, tf32Bound(k)},
		"bf16": {func(x, y weft.Array) weft.Array {
			return x.T().AsType(weft.BFloat16).MatMul(y.AsType(weft.BFloat16)).AsType(weft.Float32)
		}, 3*0x1p-8 + (k+9)*0x1p-22},
		"batch": {func(x, y weft.Array) weft.Array {
			both := func(a weft.Array) weft.Array { return weft.Stack(0, a, a.Neg()) }
			return weft.Einsum("bkm,bkn->bmn", both(x), both(y)).Sum(0).Mul(0.5)
		}, tf32Bound(k)},
	} {
		exact, scale := x.T().MatMul(y), weft.Abs(x).T().MatMul(weft.Abs(y))
		cores := simt.TensorCores{MMA: true, Shared: simt.LeastTensorShared, Processors: 64}
		weft.With(weft.Precision(weft.Fast), func() {
			g := weft.Jit(p.f, weft.On(tensorDevice(cores, name != "batch")))
			fast := g(x, y)
			if most := float64(weft.ToSlice[float32](weft.Abs(fast.Sub(exact)).Div(scale).Max().Reshape(1))[0]); !(most <= p.bound) {
				t.Errorf("%s: error of %g, want at most %g", name, most, p.bound)
			}
			if again := g(x, y); !testcheck.SameBinary(again, fast) {
				t.Errorf("%s: another call has other bits", name)
			}
		})
	}
}
