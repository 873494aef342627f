package reference

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// roundedFMA returns x·y + z rounded once, by math/big.
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

// specials32 returns awkward f32.
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
	block.FmaF32(p(got), p(x), p(y), p(z), n)
	block.OpLoops[scalar.OpFMA][scalar.F32](p(fast), p(x), p(y), p(z), n)
	for i := range x {
		want := roundedFMA(x[i], y[i], z[i])
		for _, g := range []float32{got[i], fast[i], scalar.FMA32(x[i], y[i], z[i])} {
			if math.Float32bits(g) != math.Float32bits(want) && (g == g || want == want) {
				t.Fatalf("fma(%x, %x, %x) = %x, want %x", x[i], y[i], z[i], g, want)
			}
		}
	}
}
