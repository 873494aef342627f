package promotion_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/promote"
	"github.com/weft-go/weft/runtime"
)

// onExecutors runs f for the default executor and each other one that runs on the host, with how a function
// runs: at once, and as a program of that executor.
func onExecutors(t *testing.T, f func(t *testing.T, how func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array)) {
	for _, e := range runtime.Executors() {
		if e.Available() != nil || e.Memory() != runtime.Host && e != runtime.Default() {
			continue
		}
		t.Run(e.Name(), func(t *testing.T) {
			old := runtime.Default()
			if err := runtime.SetDefault(e); err != nil {
				panic(err)
			}
			defer runtime.SetDefault(old)
			t.Run("at once", func(t *testing.T) {
				f(t, func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array { return f })
			})
			t.Run("in Jit", func(t *testing.T) {
				f(t, func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array { return weft.Jit(f) })
			})
		})
	}
}

// With constants or with numbers of the array's type, a polynomial of an i32 array has the
// same type and values.
func TestPolynomialOfIntegers(t *testing.T) {
	statement.Shows(t, "P-19", "3*(x+1)**2 of an i32 array is i32 and has the values written out")
	onExecutors(t, func(t *testing.T, how func(func(weft.Array) weft.Array) func(weft.Array) weft.Array) {
		x := weft.Arange(10)
		bare := how(func(x weft.Array) weft.Array { return weft.Mul(3, x.Add(1).Pow(2)) })(x)
		typed := how(func(x weft.Array) weft.Array {
			return weft.Mul(int32(3), x.Add(int32(1)).Pow(int32(2)))
		})(x)
		want := weft.FromSlice([]int32{3, 12, 27, 48, 75, 108, 147, 192, 243, 300})
		if !bare.Equal(want) || !typed.Equal(want) || bare.Weak() || typed.Weak() {
			t.Errorf("%v %s, %v %s", bare, arraycheck.TypeText(bare), typed, arraycheck.TypeText(typed))
		}
	})
}

// I64 and f16 make f16, and what is beyond its range infinite, at the place where rounding
// puts the limit.
func TestIntegersIntoHalves(t *testing.T) {
	statement.Shows(t, "P-30", "i64 with f16 is f16, and values beyond 65504 become infinite")
	inf := math.Inf(1)
	onExecutors(t, func(t *testing.T, how func(func(weft.Array) weft.Array) func(weft.Array) weft.Array) {
		one := weft.OnesOf(weft.Float16)
		n := weft.FromSlice([]int64{math.MaxInt64, math.MinInt64, 65535, 65520, 65519, 65504, -65519, -65520, 2049, 2051})
		want := []float64{inf, -inf, inf, inf, 65504, 65504, -65504, -inf, 2048, 2052}
		for name, got := range map[string]weft.Array{
			"product":    how(func(n weft.Array) weft.Array { return n.Mul(one) })(n),
			"difference": how(func(n weft.Array) weft.Array { return n.Sub(weft.ZerosOf(weft.Float16)) })(n),
			"AsType":     how(func(n weft.Array) weft.Array { return n.AsType(weft.Float16) })(n),
			"Where":      how(func(n weft.Array) weft.Array { return weft.Where(weft.Scalar(true), n, one) })(n),
		} {
			equalFloats(t, name, got, weft.Float16, want)
		}
		equalFloats(t, "u16", how(func(n weft.Array) weft.Array { return n.Mul(one) })(weft.Of(uint16(65535), 65519)), weft.Float16, []float64{inf, 65504})
		equalFloats(t, "u64", how(func(n weft.Array) weft.Array { return n.Mul(one) })(weft.Of(uint64(math.MaxUint64))), weft.Float16, []float64{inf})
	})
}

func equalFloats(t *testing.T, what string, got weft.Array, dt weft.DType, want []float64) {
	t.Helper()
	if got.DType() != dt || got.Weak() || got.Size() != len(want) {
		t.Errorf("%s: %v %s, want %v of %v", what, got, arraycheck.TypeText(got), want, dt)
		return
	}
	for i, v := range weft.ToSlice[float64](got.AsType(weft.Float64)) {
		if v != want[i] && (v == v || want[i] == want[i]) {
			t.Errorf("%s: element %d is %v, want %v", what, i, v, want[i])
		}
	}
}

// Under MAX a bf16 and an f16 join in bf16, and the f16's last bits are lost; with the
// bf16 made an f16 first they are not.
func TestPowersUnderMAX(t *testing.T) {
	statement.Shows(t, "M-5", "bf16 with f16 computes in bf16, and a cast first computes in f16")
	onExecutors(t, func(t *testing.T, how func(func(weft.Array) weft.Array) func(weft.Array) weft.Array) {
		b16 := weft.Of(3., 2).AsType(weft.BFloat16)
		f16 := weft.Of(1+math.Ldexp(1, -10), 1+math.Ldexp(1, -10)).AsType(weft.Float16)
		weft.With(weft.Promotion(promote.MAX), func() {
			lossy := how(func(b weft.Array) weft.Array { return b.Pow(f16) })(b16)
			exact := how(func(b weft.Array) weft.Array { return b.AsType(weft.Float16).Pow(f16) })(b16)
			// 3^1.0009765625 is 3.00322, 2^1.0009765625 is 2.00135.
			equalFloats(t, "b16 ** f16", lossy, weft.BFloat16, []float64{3, 2})
			equalFloats(t, "b16.cast(f16) ** f16", exact, weft.Float16, []float64{3.00390625, 2.001953125})
			_, cast := weft.ImplicitCast(b16, f16)
			equalFloats(t, "the cast operand", cast, weft.BFloat16, []float64{1, 1})
		})
	})
}

// What promotion accepts although it loses, on values.
func TestPromotionsThatLose(t *testing.T) {
	statement.Shows(t, "M-8", "bool promotes to everything, and i64+u64 is f16")
	statement.Shows(t, "A-8", "u64 with a signed integer is i64, which may overflow")
	statement.Shows(t, "P-31", "u64 with i64 is an array of weak float that yields to other floats")
	statement.Shows(t, "P-23", "u64+i64 is f64 under NumPy and weak float under JAX")
	onExecutors(t, func(t *testing.T, how func(func(weft.Array) weft.Array) func(weft.Array) weft.Array) {
		i, u := weft.Of(int64(1<<53+1), -1), weft.Of(uint64(math.MaxUint64), 1<<17)
		sum := func(i weft.Array) weft.Array { return i.Add(u) }
		weft.With(weft.Promotion(promote.MAX), func() { // M-8
			equalFloats(t, "max", how(sum)(i), weft.Float16, []float64{math.Inf(1), math.Inf(1)})
		})
		weft.With(weft.Promotion(promote.Anvil), func() { // the bits of u64 are taken as they are
			if got := how(sum)(i); !got.Equal(weft.Of(int64(1<<53), 1<<17-1)) {
				t.Errorf("anvil: %v %s", got, arraycheck.TypeText(got))
			}
		})
		weft.With(weft.Promotion(promote.NumPy), func() { // P-23
			equalFloats(t, "numpy", how(sum)(i), weft.Float64, []float64{math.Ldexp(1, 64) + math.Ldexp(1, 53), 1<<17 - 1})
		})
		// P-31: a float of the default width that yields to other floats.
		got := how(sum)(i)
		if arraycheck.TypeText(got) != "~f32[2]" || got.Index(1).Float() != 1<<17-1 {
			t.Errorf("jax: %v %s", got, arraycheck.TypeText(got))
		}
		half := how(func(i weft.Array) weft.Array { return sum(i).Add(weft.ZerosOf(weft.Float16)) })(i)
		equalFloats(t, "and f16", half, weft.Float16, []float64{math.Inf(1), math.Inf(1)})
		for dt, want := range map[weft.DType]string{weft.BFloat16: "bf16[2]", weft.Complex64: "c64[2]", weft.Int8: "~f32[2]", weft.Float32: "f32[2]"} {
			if got := how(func(i weft.Array) weft.Array { return sum(i).Add(weft.ZerosOf(dt)) })(i); arraycheck.TypeText(got) != want {
				t.Errorf("and %v: %s, want %s", dt, arraycheck.TypeText(got), want)
			}
		}
	})
}

// The corners of conversion: floats saturate in integers, NaN becomes 0, integers
// wrap, to bool is ≠ 0, complex numbers lose their imaginary part, ties go to even.
func TestCornerConversions(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	onExecutors(t, func(t *testing.T, how func(func(weft.Array) weft.Array) func(weft.Array) weft.Array) {
		for _, c := range []struct {
			from weft.Array
			want weft.Array
		}{
			{weft.FromSlice([]float64{nan, inf, -inf, 127.9, 128, -128.9, -129, -0.9}), weft.Of(int8(0), 127, -128, 127, 127, -128, -128, 0)},
			{weft.FromSlice([]float64{nan, inf, -inf, 255.5, 256, -1}), weft.Of(uint8(0), 255, 0, 255, 255, 0)},
			{weft.FromSlice([]float64{nan, inf, -inf, 1e30, 0.5}), weft.Of(int64(0), math.MaxInt64, math.MinInt64, math.MaxInt64, 0)},
			{weft.FromSlice([]float64{inf, -1, 1e30}), weft.Of(uint64(math.MaxUint64), 0, math.MaxUint64)},
			{weft.Of(float32(2147483648), -2147483904), weft.Of(int32(math.MaxInt32), math.MinInt32)},
			{weft.Of(int32(300), -1, 128), weft.Of(int8(44), -1, -128)},
			{weft.Of(int32(-1)), weft.FromSlice([]uint64{math.MaxUint64})},
			{weft.Of(int64(math.MaxInt64)), weft.FromSlice([]float64{1 << 63})},
			{weft.Of(int32(16777217), 16777219), weft.Of(float32(16777216), 16777220)},
			{weft.FromSlice([]float64{nan, 0, -0.5, math.SmallestNonzeroFloat64}), weft.Of(true, false, true, true)},
			{weft.Of(int8(0), 2), weft.Of(false, true)},
			{weft.Of(true, false), weft.Of(float32(1), 0)},
			{weft.Of(complex64(1.5 - 2i)), weft.Of(float32(1.5))},
			{weft.FromSlice([]float64{1e300, 1e-300, 1 + math.Ldexp(1, -24)}), weft.Of(float32(inf), 0, 1)},
		} {
			if got := how(func(x weft.Array) weft.Array { return x.AsType(c.want.DType()) })(c.from); !got.Equal(c.want) {
				t.Errorf("%v %s as %v is %v, want %v", c.from, arraycheck.TypeText(c.from), c.want.DType(), got, c.want)
			}
		}
		equalFloats(t, "bf16", how(func(x weft.Array) weft.Array { return x.AsType(weft.BFloat16) })(weft.FromSlice([]float64{1 + math.Ldexp(1, -8), 1 + 3*math.Ldexp(1, -8), 3.4e38, 3.3961e38})),
			weft.BFloat16, []float64{1, 1 + math.Ldexp(1, -6), inf, math.Ldexp(255, 120)})
	})
}
