package kernel

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/weft-go/weft/core"
)

// roundedFMA is x·y + z rounded once, by math/big.
func roundedFMA(x, y, z float32) float32 {
	for _, v := range []float32{x, y, z} {
		if v != v || math.IsInf(float64(v), 0) {
			return float32(float64(x)*float64(y) + float64(z))
		}
	}
	p := new(big.Float).SetPrec(2000).Mul(big.NewFloat(float64(x)), big.NewFloat(float64(y)))
	p.Add(p, big.NewFloat(float64(z)))
	if p.Sign() == 0 { // the sign of a zero is that of the f64 sum, which is exact
		return float32(float64(float64(x)*float64(y)) + float64(z))
	}
	f, _ := p.Float32()
	return f
}

// specials32 are awkward f32.
func specials32() []float32 {
	var v []float32
	for _, b := range []uint32{0, 1, 2, 0x7fffff, 0x800000, 0x800001, 0x3f800000, 0x3f800001, 0x3f7fffff, 0x40490fdb,
		0x7f7fffff, 0x7f800000, 0x7fc00000, 0x7f800001, 0x4b800000, 0x4b000001, 0x33800000, 0x1e3ce508, 0x00400000, 0x0c800000, 0x5f000000, 0x4f000000, 0x4f7fffff, 0x5f7fffff, 0x3effffff, 0x3f000000, 0xbf000000} {
		v = append(v, math.Float32frombits(b), math.Float32frombits(b|1<<31))
	}
	return v
}

// The aimed case of double rounding, what overflows the half way, and random bits: the
// Go loop and the one in use agree with math/big.
func TestFMA32(t *testing.T) {
	var x, y, z []float32
	add := func(a, b, c float32) { x, y, z = append(x, a), append(y, b), append(z, c) }
	add(1+0x1p-12, 1+0x1p-12, 0x1p-80)
	add(1+0x1p-12, 1+0x1p-12, -0x1p-80)
	s := specials32()
	for _, a := range s {
		for _, b := range s {
			for _, c := range s {
				add(a, b, c)
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	bits := func() float32 { return math.Float32frombits(rng.Uint32()) }
	for range 100000 {
		a, b := bits(), bits()
		add(a, b, bits())
		// Sums near half way between two f32, and near cancellation.
		add(a, b, -a*b)
		c := math.Float32frombits(rng.Uint32()&^0xfff | 0x1000)
		add(c, 1+0x1p-12, float32(math.Ldexp(rng.Float64(), rng.IntN(100)-90)))
	}
	n := len(x)
	got, fast := make([]float32, n), make([]float32, n)
	p := func(v []float32) unsafe.Pointer { return unsafe.Pointer(&v[0]) }
	fmaF32(p(got), p(x), p(y), p(z), n)
	opLoops[OpFMA][F32](p(fast), p(x), p(y), p(z), n)
	for i := range x {
		want := roundedFMA(x[i], y[i], z[i])
		for _, g := range []float32{got[i], fast[i], fma32(x[i], y[i], z[i])} {
			if math.Float32bits(g) != math.Float32bits(want) && (g == g || want == want) {
				t.Fatalf("fma(%x, %x, %x) = %x, want %x", x[i], y[i], z[i], g, want)
			}
		}
	}
}

// All halves widen and narrow as another implementation has it.
func TestF16(t *testing.T) {
	for c := range 1 << 16 {
		h := float16.Frombits(uint16(c))
		got := fromF16(uint16(c))
		if h.IsNaN() {
			require.True(t, got != got, "%x", c)
			continue
		}
		require.Equal(t, math.Float32bits(h.Float32()), math.Float32bits(got), "%x", c)
		require.Equal(t, uint16(c), toF16(got))
	}
	rng := rand.New(rand.NewPCG(1, 3))
	for range 1000000 {
		f := math.Float32frombits(rng.Uint32())
		if f != f {
			continue
		}
		require.Equal(t, float16.Fromfloat32(f).Bits(), toF16(f), "%x", f)
	}
}

// Every small format: codes survive the way to f32 and back, the generic rounding is
// the special one, and is to nearest even.
func TestSmallFormats(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	for dt := core.Bool; int(dt) < core.NumDTypes; dt++ {
		if !IsSmallFloat(dt) {
			continue
		}
		f := smallFormats[dt]
		n := uint32(1) << dt.Bits()
		for c := range n {
			v := widenSmall(dt, c)
			back := narrowSmall(dt, v)
			if v != v {
				require.Equal(t, f.nan, back, "%v %x", dt, c)
				continue
			}
			require.Equal(t, c, back, "%v %x", dt, c)
		}
		for range 200000 {
			x := math.Float32frombits(rng.Uint32())
			c := narrowSmall(dt, x)
			switch dt {
			case core.BFloat16:
				require.Equal(t, uint32(toBF16(x)), c, "%x", x)
			case core.Float16:
				require.Equal(t, uint32(toF16(x)), c, "%x", x)
			}
			v := float64(widenSmall(dt, c))
			if v != v || math.IsInf(v, 0) || dt == core.Float8E8M0FNU || math.Abs(float64(x)) > 2*float64(widenSmall(dt, f.max)) {
				continue
			}
			// No neighbour is nearer, and of two as near the even one is taken.
			for _, d := range []uint32{c - 1, c + 1} {
				if (c^d)>>(dt.Bits()-1)&1 == 1 || d >= n {
					continue
				}
				w := float64(widenSmall(dt, d))
				if w != w || math.IsInf(w, 0) {
					continue
				}
				a, b := math.Abs(float64(x)-v), math.Abs(float64(x)-w)
				if b < a || a == b && c&1 == 1 {
					t.Fatalf("%v: %g became %g, but %g is there", dt, x, v, w)
				}
			}
		}
	}
}

// Integers convert to floats with one rounding on every platform.
func TestIntToFloat(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for range 200000 {
		u := rng.Uint64() >> rng.IntN(64)
		if rng.IntN(2) == 0 { // near half way
			u = u&^(1<<40-1) | 1<<39 | uint64(rng.IntN(3)-1)&(1<<40-1)
		}
		b := new(big.Float).SetUint64(u)
		f64, _ := b.Float64()
		f32, _ := b.Float32()
		require.Equal(t, f64, uintToFloat64(u))
		require.Equal(t, f32, uintToFloat32(u))
		b.SetInt64(int64(u))
		f64, _ = b.Float64()
		f32, _ = b.Float32()
		require.Equal(t, f64, intToFloat64(int64(u)))
		require.Equal(t, f32, intToFloat32(int64(u)))
	}
}
