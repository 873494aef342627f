package scalar

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/weft-go/weft/core"
)

// All halves widen and narrow as another implementation has it.
func TestF16(t *testing.T) {
	for c := range 1 << 16 {
		h := float16.Frombits(uint16(c))
		got := FromF16(uint16(c))
		if h.IsNaN() {
			require.True(t, got != got, "%x", c)
			continue
		}
		require.Equal(t, math.Float32bits(h.Float32()), math.Float32bits(got), "%x", c)
		require.Equal(t, uint16(c), ToF16(got))
	}
	rng := rand.New(rand.NewPCG(1, 3))
	for range 1000000 {
		f := math.Float32frombits(rng.Uint32())
		if f != f {
			continue
		}
		require.Equal(t, float16.Fromfloat32(f).Bits(), ToF16(f), "%x", f)
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
		f := FormatOf(dt)
		n := uint32(1) << dt.Bits()
		for c := range n {
			v := WidenSmall(dt, c)
			back := NarrowSmall(dt, v)
			if v != v {
				require.Equal(t, f.NaN, back, "%v %x", dt, c)
				continue
			}
			require.Equal(t, c, back, "%v %x", dt, c)
		}
		for range 200000 {
			x := math.Float32frombits(rng.Uint32())
			c := NarrowSmall(dt, x)
			switch dt {
			case core.BFloat16:
				require.Equal(t, uint32(ToBF16(x)), c, "%x", x)
			case core.Float16:
				require.Equal(t, uint32(ToF16(x)), c, "%x", x)
			}
			v := float64(WidenSmall(dt, c))
			if v != v || math.IsInf(v, 0) || dt == core.Float8E8M0FNU || math.Abs(float64(x)) > 2*float64(WidenSmall(dt, f.Max)) {
				continue
			}
			// No neighbour is nearer, and of two as near the even one is taken.
			for _, d := range []uint32{c - 1, c + 1} {
				if (c^d)>>(dt.Bits()-1)&1 == 1 || d >= n {
					continue
				}
				w := float64(WidenSmall(dt, d))
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
		require.Equal(t, f64, UintToFloat64(u))
		require.Equal(t, f32, UintToFloat32(u))
		b.SetInt64(int64(u))
		f64, _ = b.Float64()
		f32, _ = b.Float32()
		require.Equal(t, f64, IntToFloat64(int64(u)))
		require.Equal(t, f32, IntToFloat32(int64(u)))
	}
}
