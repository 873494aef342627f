package device_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/runtime/device"
)

// hardware returns the device that WEFT_DEVICE names, or else a simulated one with tensor cores. large reports whether sizes
// are large: for a device that is named, unless WEFT_SCALE is set.
func hardware(t *testing.T) (d weft.Device, large bool) {
	t.Helper()
	if os.Getenv("WEFT_DEVICE") == "" {
		return tensorDevice(simt.TensorCores{MMA: true, WGMMA: true, Shared: 227 << 10, Processors: 2}, true), false
	}
	return namedDevice(t), largeSizes()
}

// largeSizes reports whether tests have arrays for which simulated devices take too long.
func largeSizes() bool { return os.Getenv("WEFT_DEVICE") != "" && os.Getenv("WEFT_SCALE") == "" }

// narrowTypes are the types of operands that tensor cores read, with the relative errors of rounding the operands of a product
// and the weights of an attention.
var narrowTypes = []struct {
	dt                weft.DType
	operands, weights float64
}{
	{weft.Float32, 2 * 0x1p-11, 2 * 0x1p-11}, {weft.BFloat16, 0, 0x1p-8}, {weft.Float16, 0, 0x1p-11},
}

// operand returns numbers of a type, all of one sign or not, and the same ones in f64.
func operand(dt weft.DType, sameSign bool, seed float64, shape ...int) (x, wide weft.Array) {
	n := 1
	for _, s := range shape {
		n *= s
	}
	x = weft.Sin(weft.Iota(weft.Float32, 0, n).Mul(0.7548776).Add(seed)).Reshape(shape...)
	if sameSign { // so that the errors of truncation add up
		x = weft.Abs(x).Add(0.5)
	}
	x = x.AsType(dt)
	return x, x.AsType(weft.Float64)
}

// greatest returns the greatest element of an array.
func greatest(x weft.Array) float64 {
	return weft.ToSlice[float64](x.AsType(weft.Float64).Max().Reshape(1))[0]
}

// Products under weft.Fast are within the stated bound of those in f64, for each type and for shapes that take each tile. The
// log has the error as a share of the bound: a unit that computes in another way shows there first.
func TestTensorOnDevices(t *testing.T) {
	race.Values(t)
	d, large := hardware(t)
	shapes := [][3]int{{32, 72, 40}, {24, 260, 136}}
	if large {
		shapes = [][3]int{{16, 16, 16}, {64, 512, 128}, {128, 1024, 128}, {256, 512, 256}, {512, 1024, 1024}, {136, 72, 200}, {33, 100, 65}, {1024, 64, 2048}, {24, 8192, 40}}
	}
	rounded := 0.0 // the greatest error of f32 as a share of the bound
	for _, kind := range narrowTypes {
		for _, s := range shapes {
			for _, sameSign := range []bool{false, true} {
				m, k, n := s[0], s[1], s[2]
				x, x64 := operand(kind.dt, sameSign, 1, m, k)
				y, y64 := operand(kind.dt, sameSign, 2, k, n)
				for name, f := range map[string]func(x, y weft.Array) weft.Array{
					"x·y":  func(x, y weft.Array) weft.Array { return product(x, y, 1, 0) },
					"xᵀ·y": func(x, y weft.Array) weft.Array { return product(x.T(), y, 0, 0) },
					"x·yᵀ": func(x, y weft.Array) weft.Array { return product(x, y.T(), 1, 1) },
				} {
					g := weft.Jit(f, weft.On(d))
					var got weft.Array
					weft.With(weft.Precision(weft.Fast), func() { got = g(x, y) })
					bound := weft.Abs(x64).MatMul(weft.Abs(y64)).Mul(kind.operands + float64(k+9)*0x1p-22)
					most := greatest(weft.Abs(got.AsType(weft.Float64).Sub(x64.MatMul(y64))).Div(bound))
					t.Logf("tensor: %v %s %d×%d×%d, same sign %v: error ÷ bound %.3f", kind.dt, name, m, k, n, sameSign, most)
					if kind.dt == weft.Float32 {
						rounded = max(rounded, most)
					}
					if !(most <= 1) {
						t.Errorf("%v %s %d×%d×%d, same sign %v: the error is %g times the bound", kind.dt, name, m, k, n, sameSign, most)
					}
				}
			}
		}
	}
	if cores := os.Getenv("WEFT_DEVICE") == "" || device.HasTensorCores(deviceOf(t)); cores && rounded < 0.02 {
		t.Errorf("the greatest error of f32 is %g of the bound: no product is computed on tensor cores", rounded)
	}
}

// product returns the product of x and y along an axis of each, in f32. x, if it is transposed, is multiplied by 1.
func product(x, y weft.Array, alongX, alongY int) weft.Array {
	if alongX == 0 {
		x = x.Mul(1)
	}
	return lax.DotGeneral(x, y, lax.DotConfig{LhsContract: []int{alongX}, RhsContract: []int{alongY}, Preferred: weft.Float32})
}

// Attention under weft.Fast is within the stated bound of attention in f64.
func TestAttentionOnDevices(t *testing.T) {
	race.Values(t)
	d, large := hardware(t)
	shapes := [][3]int{{24, 40, 16}}
	if large {
		shapes = [][3]int{{64, 64, 64}, {128, 300, 32}, {257, 512, 128}, {1024, 1024, 64}}
	}
	const heads = 2
	for _, kind := range narrowTypes {
		for _, s := range shapes {
			for _, causal := range []bool{false, true} {
				T, S, H := s[0], s[1], s[2]
				if causal {
					T = S
				}
				q, q64 := operand(kind.dt, false, 1, T, heads, H)
				k, k64 := operand(kind.dt, false, 2, S, heads, H)
				v, v64 := operand(kind.dt, true, 3, S, heads, H)
				config := nn.AttentionConfig{Causal: causal}
				g := weft.Jit(func(q, k, v weft.Array) weft.Array { return nn.Attention(q, k, v, config) }, weft.On(d))
				var got weft.Array
				weft.With(weft.Precision(weft.Fast), func() { got = g(q, k, v) })
				want := nn.Attention(q64, k64, v64, config) // v > 0: also the weighted sum of absolute values
				scores := greatest(weft.Abs(q64).Transpose(1, 0, 2).MatMul(weft.Abs(k64).Transpose(1, 2, 0))) / math.Sqrt(float64(H))
				delta := scores * (kind.operands + float64(H+9)*0x1p-22 + 2*0x1p-22)
				share := math.Exp(2*delta+0x1p-13)*(1+kind.weights+float64(S+9)*0x1p-21) - 1
				if kind.dt != weft.Float32 { // the result is rounded
					share = (1+share)*(1+kind.weights) - 1
				}
				most := greatest(weft.Abs(got.AsType(weft.Float64).Sub(want)).Div(want.Mul(share)))
				t.Logf("attention: %v %d queries, %d keys, %d features, causal %v: error ÷ bound %.3f", kind.dt, T, S, H, causal, most)
				if !(most <= 1) {
					t.Errorf("%v %d queries, %d keys, %d features, causal %v: the error is %g times the bound", kind.dt, T, S, H, causal, most)
				}
			}
		}
	}
}

// Derivatives of attention under weft.Fast are within the stated bound of those in f64.
func TestAttentionOnDevicesGradient(t *testing.T) {
	race.Values(t)
	d, large := hardware(t)
	shapes := [][2]int{{20, 40}}
	if large {
		shapes = [][2]int{{64, 64}, {128, 300}, {1024, 1024}, {257, 130}}
	}
	for _, s := range shapes {
		for _, name := range []string{"plain", "causal", "shared keys"} {
			a := derivatives[name]
			var args [4]weft.Array
			for i, heads := range []int{2, 2 / a.shared, 2 / a.shared, 2} {
				args[i], _ = operand(weft.Float32, false, float64(i), heads, s[[]int{0, 1, 1, 0}[i]], 16)
			}
			mask := weft.Sin(weft.Iota(weft.Float32, 0, s[0]*s[1])).Reshape(s[0], s[1]).Gt(0)
			limits, exact := gradLimits(args, a.shared, func(x weft.Array) weft.Array { return a.scores(x, mask) })
			g := weft.Jit(func(x [4]weft.Array) [3]weft.Array {
				_, back := weft.VJP(func(x [3]weft.Array) weft.Array { return a.f(x[0], x[1], x[2], mask) }, [3]weft.Array(x[:3]))
				return back(x[3])
			}, weft.On(d))
			weft.With(weft.Precision(weft.Fast), func() {
				for r, x := range g(args) {
					most := greatest(weft.Abs(x.AsType(weft.Float64).Sub(exact[r])).Div(limits[r].Add(0x1p-60)))
					t.Logf("attention: %s %v, derivative %d: error ÷ bound %.3f", name, s, r, most)
					if !(most <= 1) {
						t.Errorf("%s %v, derivative %d: the error is %g times the bound", name, s, r, most)
					}
				}
			})
		}
	}
}

// Convolutions and their gradients have the reference's bits, and under weft.Fast errors within the stated bound; those of f64, and
// others that tensor cores do not compute, have the reference's bits there too.
func TestConvOnDevices(t *testing.T) {
	race.Values(t)
	d, large := hardware(t)
	layers := [][4]int{{2, 16, 7, 24}} // images, channels, positions of a side, outputs
	if large {
		layers = [][4]int{{2, 16, 28, 24}, {3, 24, 29, 72}, {4, 64, 28, 64}, {2, 256, 14, 256}, {2, 3, 57, 64}}
	}
	rounded := 0.0
	for _, layer := range layers {
		for _, layout := range [][2]string{{"NHWC", "HWIO"}, {"NCHW", "OIHW"}} {
			sizes := map[byte]int{'N': layer[0], 'C': layer[1], 'H': layer[2], 'W': layer[2] + 1, 'O': layer[3], 'I': layer[1]}
			var shapes [3][]int
			for _, l := range []byte(layout[0]) {
				shapes[0] = append(shapes[0], sizes[l])
			}
			sizes['H'], sizes['W'] = 3, 3
			for _, l := range []byte(layout[1]) {
				shapes[1] = append(shapes[1], sizes[l])
			}
			config := lax.ConvConfig{Strides: []int{2, 1}, Padding: lax.Same, Lhs: layout[0], Rhs: layout[1], Out: layout[0]}
			conv := func(x, w weft.Array) weft.Array { return lax.ConvGeneralDilated(x, w, config) }
			like := conv(weft.Zeros(shapes[0]...), weft.Zeros(shapes[1]...))
			shapes[2] = like.Shape()
			for _, f := range []struct {
				name  string
				f     func(x, y weft.Array) weft.Array
				of    [2]int // the operands' shapes
				terms int
			}{
				{"forward", conv, [2]int{0, 1}, layer[1] * 9},
				{"of the image", func(z, w weft.Array) weft.Array {
					_, back := weft.VJP(func(x weft.Array) weft.Array { return conv(x, w) }, weft.Zeros(shapes[0]...).AsType(z.DType()))
					return back(z)
				}, [2]int{2, 1}, layer[3] * 9},
				{"of the filter", func(x, z weft.Array) weft.Array {
					_, back := weft.VJP(func(w weft.Array) weft.Array { return conv(x, w) }, weft.Zeros(shapes[1]...).AsType(x.DType()))
					return back(z)
				}, [2]int{0, 2}, like.Size() / layer[3]},
			} {
				for _, kind := range append(narrowTypes[:3:3], struct {
					dt                weft.DType
					operands, weights float64
				}{weft.Float64, 0, 0}) {
					for _, sameSign := range []bool{false, true} {
						if sameSign && kind.dt == weft.Float64 {
							continue
						}
						x, x64 := operand(kind.dt, sameSign, 1, shapes[f.of[0]]...)
						y, y64 := operand(kind.dt, sameSign, 2, shapes[f.of[1]]...)
						g := weft.Jit(f.f, weft.On(d))
						about := fmt.Sprintf("%v %s, %s %v, same sign %v", kind.dt, f.name, layout[0], layer, sameSign)
						if got := g(x, y); !testcheck.SameBinary(got, f.f(x, y)) {
							t.Errorf("%s: the bits differ from the reference's", about)
						}
						weft.With(weft.Precision(weft.Fast), func() {
							got := g(x, y)
							if kind.dt == weft.Float64 {
								if !testcheck.SameBinary(got, f.f(x, y)) {
									t.Errorf("%s: the bits differ from the reference's under Fast", about)
								}
								return
							}
							share := kind.operands + float64(f.terms+9)*0x1p-22
							if kind.dt != weft.Float32 { // the result is rounded
								share = (1+share)*(1+kind.weights) - 1
							}
							most := greatest(weft.Abs(got.AsType(weft.Float64).Sub(f.f(x64, y64))).Div(f.f(weft.Abs(x64), weft.Abs(y64)).Mul(share)))
							t.Logf("convolution: %s: error ÷ bound %.3f", about, most)
							if kind.dt == weft.Float32 {
								rounded = max(rounded, most)
							}
							if !(most <= 1) {
								t.Errorf("%s: the error is %g times the bound", about, most)
							}
						})
					}
				}
			}
		}
	}
	if cores := os.Getenv("WEFT_DEVICE") == "" || device.HasTensorCores(deviceOf(t)); cores && rounded < 0.02 {
		t.Errorf("the greatest error of f32 is %g of the bound: no convolution is computed on tensor cores", rounded)
	}
}

// The runtime works on a device: calls from many goroutines, graphs whose memory has moved, loops, sorts by digits, donation,
// contexts that end, and arrays for which there is no memory.
func TestRuntimeOnDevices(t *testing.T) {
	d, large := hardware(t)
	n := 40
	if large {
		n = 40000
	}
	same := func(t *testing.T, f func(x weft.Array) weft.Array, options ...weft.JitOption) {
		t.Helper()
		g := weft.Jit(f, append(options, weft.On(d))...)
		for i := range 5 {
			x := weft.Sin(weft.Iota(weft.Float32, 0, n).Mul(float64(i + 1)))
			if got := g(x.Mul(1).To(d)); !testcheck.SameBinary(got, f(x)) {
				t.Errorf("call %d: the bits differ from the reference's", i)
			}
		}
	}
	t.Run("goroutines", func(t *testing.T) { concurrentPrograms(t, d, 4) })
	t.Run("moved memory", func(t *testing.T) {
		same(t, func(x weft.Array) weft.Array { return x.Sort().CumSum(0).Mul(0.5).Sort().CumSum(0) })
	})
	t.Run("loops", func(t *testing.T) {
		same(t, func(x weft.Array) weft.Array {
			y := weft.While(func(x weft.Array) weft.Array { return x.Max().Lt(9) }, func(x weft.Array) weft.Array { return x.Mul(1.5).Add(0.25) }, x)
			z, _ := weft.Scan(func(c, i weft.Array) (weft.Array, weft.Array) { return c.Add(i).Sort(), i }, y, weft.Arange(float32(4)))
			return weft.Cond(z.Sum().Gt(0), func() weft.Array { return z }, func() weft.Array { return x })
		})
	})
	t.Run("loops in loops", func(t *testing.T) {
		same(t, nestedLoops()["loop in a loop"].f)
	})
	t.Run("eager operations of other shapes", func(t *testing.T) {
		f := func(x weft.Array) weft.Array {
			y := weft.Exp(x.Mul(0.25).Add(x)).Reshape(2, -1)
			z := y.MatMul(y.T()).Max(1).Add(y.Sum(1)).Mul(y.Sum(0).Prod())
			return y.T().Add(z).AsType(weft.BFloat16)
		}
		for i := range 4 {
			x := weft.Sin(weft.Iota(weft.Float32, 0, n+2*i))
			there := x.To(d)
			start := time.Now()
			got := f(there)
			if _, err := got.MarshalBinary(); err != nil {
				t.Error(err)
			}
			t.Logf("%d elements: %v", n+2*i, time.Since(start)) // the first one compiles
			if !testcheck.SameBinary(got, f(x)) {
				t.Errorf("%d elements: the bits differ from the reference's", n+2*i)
			}
		}
	})
	t.Run("sorts", func(t *testing.T) {
		same(t, func(x weft.Array) weft.Array {
			return x.Add(x.Mul(1e5).AsType(weft.Int32).Sort().AsType(weft.Float32)).Sort()
		})
	})
	t.Run("donation", func(t *testing.T) {
		same(t, func(x weft.Array) weft.Array { return weft.Flip(x, 0).Mul(0.5).Sort() }, weft.Donate(0))
	})
	t.Run("contexts", func(t *testing.T) {
		f := func(x weft.Array) weft.Array { return x.Sort().CumSum(0) }
		g := weft.Jit(f, weft.On(d))
		x := weft.Linspace(1, 0, n)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		weft.With(weft.Context(ctx), func() {
			if _, err := weft.Try(func() weft.Array { return g(x) }); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want the context's error", err)
			}
		})
		if !testcheck.SameBinary(g(x), f(x)) {
			t.Error("afterwards the bits differ from the reference's")
		}
		if !large {
			return
		}
		endless := weft.Jit(func(x weft.Array) weft.Array { // for arrays of zeros
			return weft.While(func(c weft.Array) weft.Array { return c.Max().Lt(9) }, func(c weft.Array) weft.Array { return c.Mul(1.5).Sort() }, x)
		}, weft.On(d))
		for range 2 {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			weft.With(weft.Context(ctx), func() {
				if _, err := weft.Try(func() weft.Array { return endless(weft.Zeros(n)) }); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("an endless loop: got %v, want the context's error", err)
				}
			})
			cancel()
			if got := endless(weft.Zeros(n).Add(10)); !testcheck.SameBinary(got, weft.Zeros(n).Add(10)) {
				t.Error("after an endless loop the bits differ from the reference's")
			}
		}
	})
	t.Run("no memory", func(t *testing.T) {
		has := 0
		if os.Getenv("WEFT_DEVICE") != "" {
			has = device.CapacityOf(deviceOf(t))
		}
		if has == 0 {
			t.Log("the device does not state its memory")
			return
		}
		many := weft.Jit(func(x weft.Array) weft.Array { return x.BroadcastTo(has/4 + 1<<20).Add(1) }, weft.On(d)) // more bytes than there are
		_, err := weft.Try(func() string { return many(weft.Scalar(float32(1))).Index(0).String() })
		if err == nil {
			t.Errorf("an array of more than %s is made", device.Bytes(has))
		}
		same(t, func(x weft.Array) weft.Array { return x.Add(1) })
	})
}
