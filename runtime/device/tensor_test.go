package device_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
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

// Under weft.Fast a device with tensor cores computes products within the stated error, with
// other bits than the reference. The bits are the reference's without weft.Fast, on a device
// without tensor cores, and if a product requests the highest precision.
func TestTensorCores(t *testing.T) {
	const n, k = 24, 72
	x, y := weft.Sin(weft.Linspace(0, 500, n*k)).Reshape(n, k), weft.Cos(weft.Linspace(0, 700, k*n)).Reshape(k, n)
	if testing.Short() {
		t.Skip("compiles many programs")
	}
	mma := simt.TensorCores{MMA: true, Shared: simt.LeastTensorShared, Processors: 2}
	both, newest := mma, mma
	both.WGMMA, both.Shared = true, 227<<10
	newest.TCGEN05, newest.Shared = true, 227<<10
	for i, d := range []weft.Device{tensorDevice(mma, false), tensorDevice(mma, true), tensorDevice(both, true), tensorDevice(simt.TensorCores{}, false), tensorDevice(newest, true)} {
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
	race.Values(t)
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

// attentions are functions of queries, keys, values [heads, position, feature] and a mask, with
// whether a device with tensor cores runs them as one kernel.
var attentions = map[string]struct {
	f     func(q, k, v, mask weft.Array) weft.Array
	fused bool
}{
	"plain": {func(q, k, v, _ weft.Array) weft.Array {
		return nn.Softmax(q.MatMul(k.SwapAxes(-1, -2)).Div(4)).MatMul(v)
	}, true},
	"library": {func(q, k, v, mask weft.Array) weft.Array {
		at := func(x weft.Array) weft.Array { return x.SwapAxes(0, 1) }
		return at(nn.Attention(at(q), at(k), at(v), nn.AttentionConfig{Causal: true, Mask: mask}))
	}, true},
	"shared keys": {func(q, k, v, mask weft.Array) weft.Array {
		at := func(x weft.Array) weft.Array { return x.SwapAxes(0, 1) }
		return at(nn.Attention(at(q), at(k.Index(weft.R(0, 2))), at(v.Index(weft.R(0, 2))), nn.AttentionConfig{Bias: mask.AsType(weft.Float32).Mul(3)}))
	}, true},
	"mapped": {func(q, k, v, mask weft.Array) weft.Array {
		return weft.Vmap(func(q, k, v weft.Array) weft.Array {
			return nn.Softmax(weft.Where(mask, q.MatMul(k.T()), -1e9)).MatMul(v)
		})(q, k, v)
	}, true},
	"other order": {func(q, k, v, _ weft.Array) weft.Array {
		return nn.Softmax(weft.Einsum("hqd,hkd->hqk", q, k)).MatMul(v.SwapAxes(0, 2).SwapAxes(0, 2)).SwapAxes(-1, -2)
	}, true},
	"half": {func(q, k, v, _ weft.Array) weft.Array {
		s := q.AsType(weft.BFloat16).MatMul(k.SwapAxes(-1, -2).AsType(weft.BFloat16)).AsType(weft.Float32)
		return nn.Softmax(s.Mul(0.25)).AsType(weft.BFloat16).MatMul(v.AsType(weft.BFloat16)).AsType(weft.Float32)
	}, true},
	"scores read": {func(q, k, v, _ weft.Array) weft.Array {
		s := q.MatMul(k.SwapAxes(-1, -2)).Div(4)
		return nn.Softmax(s).MatMul(v).Add(s.Max())
	}, false},
	"capped": {func(q, k, v, _ weft.Array) weft.Array {
		return nn.Softmax(weft.Tanh(q.MatMul(k.SwapAxes(-1, -2)))).MatMul(v)
	}, false},
	"other axis": {func(q, k, v, _ weft.Array) weft.Array {
		return nn.Softmax(q.MatMul(k.SwapAxes(-1, -2)), -2).MatMul(v)
	}, false},
	"factors": {func(q, k, v, _ weft.Array) weft.Array {
		return nn.Softmax(q.MatMul(k.SwapAxes(-1, -2)).Mul(1e-30).Mul(1e-15).Mul(1e20).Mul(0.25e25)).MatMul(v)
	}, true},
	"factors beyond f32": {func(q, k, v, _ weft.Array) weft.Array {
		return nn.Softmax(q.MatMul(k.SwapAxes(-1, -2)).Mul(1e-30).Mul(1e-30)).MatMul(v)
	}, false},
	"one case": {func(q, k, v, mask weft.Array) weft.Array {
		s := q.MatMul(k.SwapAxes(-1, -2))
		return nn.Softmax(lax.SelectN(mask.BroadcastTo(s.Shape()...), s)).MatMul(v)
	}, false},
	"dropout": {func(q, k, v, mask weft.Array) weft.Array {
		return weft.Where(mask, nn.Softmax(q.MatMul(k.SwapAxes(-1, -2)).Div(4)), 0).MatMul(v)
	}, false},
	"weights read": {func(q, k, v, _ weft.Array) weft.Array {
		w := nn.Softmax(q.MatMul(k.SwapAxes(-1, -2)).Div(4))
		return w.MatMul(v).Add(w.Max())
	}, false},
}

// Under weft.Fast a device with tensor cores runs attention as one kernel if nothing else reads
// the scores, within the stated error. Without weft.Fast, and on other devices, the bits are the
// reference's.
func TestAttention(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles many programs")
	}
	const heads, n, keys, features = 4, 17, 70, 16
	wave := func(c float64, n int) weft.Array {
		return weft.Sin(weft.Linspace(0, c, heads*n*features)).Reshape(heads, n, features)
	}
	q, k, v := wave(500, n), wave(700, keys), wave(900, keys)
	mask := weft.Cos(weft.Linspace(0, 3000, n*keys)).Reshape(n, keys).Gt(-0.3)
	cores := simt.TensorCores{MMA: true, Shared: simt.LeastTensorShared, Processors: 2}
	for i, d := range []weft.Device{tensorDevice(cores, false), tensorDevice(cores, true), tensorDevice(simt.TensorCores{}, false)} {
		for name, a := range attentions {
			exact := weft.Jit(a.f)(q, k, v, mask)
			if got := weft.Jit(a.f, weft.On(d))(q, k, v, mask); !testcheck.SameBinary(got, exact) {
				t.Errorf("%v, %s: the bits are not exact", d, name)
			}
			weft.With(weft.Precision(weft.Fast), func() {
				j, err := weft.Lower(a.f, q, k, v, mask)
				if err != nil {
					t.Fatal(err)
				}
				got := weft.Jit(a.f, weft.On(d))(q, k, v, mask)
				// Scores are at most 16·1, values at most 1.
				c := simt.Attention{Kind: simt.TF32, S: keys, H: features}
				limit := c.Bound(16, 16)
				if name == "half" { // operands and scores are rounded, in the exact program too
					c.Kind = simt.BF16
					limit = c.Bound(16, 16) + math.Expm1(2*16*3*0x1p-8) + 4*0x1p-8
				}
				if most := float64(weft.ToSlice[float32](weft.Abs(got.Sub(exact)).Max().Reshape(1))[0]); a.fused && (!(most <= limit) || (most == 0) != (i == 2)) {
					t.Errorf("%v, %s: error of %g, want at most %g, and 0 without tensor cores alone", d, name, most, limit)
				}
				plan := fuse.Translate(j, fuse.Target{Tensor: device.TensorOptions(cores)})
				if fused := strings.Contains(plan.String(), "attention "); fused != a.fused {
					t.Errorf("%s: one kernel: got %v, want %v\n%v", name, fused, a.fused, j)
				}
			})
		}
	}
}
