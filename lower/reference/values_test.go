package reference

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// scalarOf returns a scalar tensor.
func scalarOf[A any](dt core.DType, v A) *block.Tensor {
	x := block.NewTensor(core.Aval(dt))
	block.View[A](x)[0] = v
	return x
}

// Quotients with infinite parts are those of C99's annex G: an infinity by something finite is
// infinite in the direction of the quotient, and something finite by an infinity is a signed zero.
func TestComplexQuotientsOfInfinities(t *testing.T) {
	inf := math.Inf(1)
	neg := math.Copysign(0, -1)
	for _, c := range []struct{ z, w, want complex128 }{
		{complex(inf, math.NaN()), complex(2, 1), complex(inf, -inf)},
		{complex(-inf, math.NaN()), complex(1, 2), complex(-inf, inf)},
		{complex(math.NaN(), inf), complex(2, 1), complex(inf, inf)},
		{complex(3, 2), complex(inf, inf), complex(0, neg)},
		{complex(2, 3), complex(inf, inf), complex(0, 0)},
		{complex(2, 3), complex(inf, math.NaN()), complex(0, 0)},
	} {
		same := func(got, want float64) bool { return got == want && math.Signbit(got) == math.Signbit(want) }
		got := block.View[complex128](apply(t, prim.DivP{}, scalarOf(core.Complex128, c.z), scalarOf(core.Complex128, c.w))[0])[0]
		if !same(real(got), real(c.want)) || !same(imag(got), imag(c.want)) {
			t.Errorf("%v / %v: got %v, want %v", c.z, c.w, got, c.want)
		}
		narrow := block.View[complex64](apply(t, prim.DivP{}, scalarOf(core.Complex64, complex64(c.z)), scalarOf(core.Complex64, complex64(c.w)))[0])[0]
		if got := complex128(narrow); !same(real(got), real(c.want)) || !same(imag(got), imag(c.want)) {
			t.Errorf("c64 %v / %v: got %v, want %v", c.z, c.w, got, c.want)
		}
	}
}

// Far from zero asin z is atan2(x, |y|) + i·log 2|z|, with the sign of y.
func TestComplexAsinFarOut(t *testing.T) {
	for _, z := range []complex128{1e200 + 1e200i, -3e250 + 1e249i, 1e180 - 2e190i} {
		want := complex(math.Atan2(real(z), math.Abs(imag(z))), math.Copysign(math.Log(cmplx.Abs(z))+math.Ln2, imag(z)))
		got := block.View[complex128](apply(t, prim.AsinP{}, scalarOf(core.Complex128, z))[0])[0]
		if cmplx.Abs(got-want) > 4*0x1p-53*cmplx.Abs(want) {
			t.Errorf("asin %v: got %v, want %v", z, got, want)
		}
	}
}

// An integer is rounded once on its way to a narrow float, also one that f64 does not have.
func TestIntegersToNarrowFloats(t *testing.T) {
	for _, c := range []struct {
		x    int64
		dt   core.DType
		want float64
	}{
		{1<<60 + 1<<52, core.BFloat16, 0x1p60},
		{1<<60 + 1<<52 + 1, core.BFloat16, 0x1p60 + 0x1p53},
		{-(1<<60 + 1<<52 + 1), core.BFloat16, -(0x1p60 + 0x1p53)},
		{1<<60 + 3<<52 - 1, core.BFloat16, 0x1p60 + 0x1p53},
		{2049, core.Float16, 2048},
		{2051, core.Float16, 2052},
	} {
		got, _ := block.ElementsAs[float64](apply(t, prim.ConvertElementTypeP{NewDType: c.dt}, scalarOf(core.Int64, c.x))[0])
		if got[0] != c.want {
			t.Errorf("%d as %v: got %v, want %v", c.x, c.dt, got[0], c.want)
		}
		if c.x > 0 {
			got, _ := block.ElementsAs[float64](apply(t, prim.ConvertElementTypeP{NewDType: c.dt}, scalarOf(core.Uint64, uint64(c.x)))[0])
			if got[0] != c.want {
				t.Errorf("%d of u64 as %v: got %v, want %v", c.x, c.dt, got[0], c.want)
			}
		}
	}
}

// reduce_precision with all exponent bits keeps subnormals; with fewer it flushes what is below
// the least normal number, and makes infinities of what is above the greatest.
func TestReducePrecisionOfSmallNumbers(t *testing.T) {
	for _, c := range []struct {
		x                  float32
		exponent, mantissa int
		want               float32
	}{
		{0x1p-140, 8, 23, 0x1p-140},
		{-0x1p-149, 8, 23, -0x1p-149},
		{0x1p-140, 5, 10, 0},
		{0x1p-14, 5, 10, 0x1p-14},
		{0x1p-15, 5, 10, 0},
		{65504, 5, 10, 65504},
		{65536, 5, 10, float32(math.Inf(1))},
	} {
		got := block.View[float32](apply(t, prim.ReducePrecisionP{ExponentBits: c.exponent, MantissaBits: c.mantissa}, scalarOf(core.Float32, c.x))[0])[0]
		if got != c.want {
			t.Errorf("%v with %d and %d bits: got %v, want %v", c.x, c.exponent, c.mantissa, got, c.want)
		}
	}
}

// Reflectors of several panels are applied in the opposite order by the adjoint.
func TestReflectorPanels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, dt := range []core.DType{core.Float64, core.Complex128} {
		a := testMatrix(r, "random", dt, 80, 70, false)
		out := apply(t, matrices.GeqrfP{}, tensorFrom(a, dt))
		c := testMatrix(r, "random", dt, 80, 3, false)
		qc := apply(t, matrices.OrmqrP{Left: true}, out[0], out[1], tensorFrom(c, dt))[0]
		back := denseOf(apply(t, matrices.OrmqrP{Left: true, Transposed: true}, out[0], out[1], qc)[0])
		if d := back.minus(c).norm(); d > 64*0x1p-52*c.norm() {
			t.Errorf("%v: Qᴴ·Q·C differs from C by %v", dt, d)
		}
	}
}
