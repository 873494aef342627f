package reference

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// complexFunctions are the functions of one complex operand with complex results.
var complexFunctions = []core.Primitive{
	prim.NegP{}, prim.SignP{}, prim.SquareP{}, prim.ExpP{}, prim.Exp2P{}, prim.Expm1P{}, prim.LogP{}, prim.Log1pP{}, prim.SqrtP{}, prim.RsqrtP{},
	prim.SinP{}, prim.CosP{}, prim.TanP{}, prim.AsinP{}, prim.AcosP{}, prim.AtanP{}, prim.SinhP{}, prim.CoshP{}, prim.TanhP{},
	prim.AsinhP{}, prim.AcoshP{}, prim.AtanhP{}, prim.LogisticP{}, prim.IntegerPowP{Y: 2}, prim.IntegerPowP{Y: 3}, prim.IntegerPowP{Y: -1}, prim.IntegerPowP{Y: -3},
}

// complexPairs are the functions of two complex operands with complex results.
var complexPairs = []core.Primitive{prim.AddP{}, prim.SubP{}, prim.MulP{}, prim.DivP{}, prim.PowP{}, prim.MaxP{}, prim.MinP{}}

// complexCorners returns the numbers whose parts are zeros, infinities, NaN and small numbers.
func complexCorners() []complex128 {
	inf, zero := math.Inf(1), math.Copysign(0, -1)
	var out []complex128
	for _, re := range []float64{0, zero, 1, -1, 0.5, -2, inf, -inf, math.NaN()} {
		for _, im := range []float64{0, zero, 1, -1, 0.5, -2, inf, -inf, math.NaN()} {
			out = append(out, complex(re, im))
		}
	}
	return out
}

// evaluateComplex returns the results of p on operands of type dt, c64 or c128.
func evaluateComplex(t *testing.T, p core.Primitive, dt core.DType, operands ...[]complex128) []complex128 {
	t.Helper()
	n := len(operands[0])
	a := core.Aval(dt, n)
	var in []*block.Tensor
	var dts []core.DType
	for _, o := range operands {
		x := block.NewTensor(a)
		for i, z := range o {
			if dt == core.Complex64 {
				block.View[complex64](x)[i] = complex64(z)
			} else {
				block.View[complex128](x)[i] = z
			}
		}
		in, dts = append(in, x), append(dts, dt)
	}
	out := block.NewTensor(a)
	plan, ok := block.PlanOf(p, dts, dt)
	if !ok {
		t.Fatalf("%s has no expansion of %v", p.Name(), dt)
	}
	plan.Run(in, []*block.Tensor{out})
	r := make([]complex128, n)
	for i := range r {
		if dt == core.Complex64 {
			r[i] = complex128(block.View[complex64](out)[i])
		} else {
			r[i] = block.View[complex128](out)[i]
		}
	}
	return r
}

// sameCorner reports whether got, a c64, is want, a c128, but for rounding: both parts are NaN,
// infinite or zero alike, with their signs, or close.
func sameCorner(got, want complex128) bool {
	size := cmplx.Abs(want)
	if math.IsNaN(size) || math.IsInf(size, 0) {
		size = 0
	}
	part := func(g, w float64) bool {
		switch {
		case math.IsNaN(w) || math.IsNaN(g):
			return math.IsNaN(w) && math.IsNaN(g)
		case math.IsInf(w, 0) || math.IsInf(g, 0):
			return g == w
		case w == 0 && g == 0:
			return math.Signbit(g) == math.Signbit(w)
		}
		return math.Abs(g-w) <= 4*0x1p-23*math.Max(size, math.Abs(w))
	}
	return part(real(got), real(want)) && part(imag(got), imag(want))
}

// Complex functions agree in c64 and c128 at zeros, infinities, NaN and small numbers.
func TestComplexCornersAgreeInBothWidths(t *testing.T) {
	corners := complexCorners()
	for _, p := range complexFunctions {
		narrow, wide := evaluateComplex(t, p, core.Complex64, corners), evaluateComplex(t, p, core.Complex128, corners)
		for i, z := range corners {
			if !sameCorner(narrow[i], wide[i]) {
				t.Errorf("%s(%v): c64 returns %v, c128 %v", p.Name(), z, narrow[i], wide[i])
			}
		}
	}
	var zs, ws []complex128
	for _, z := range corners {
		for _, w := range corners {
			zs, ws = append(zs, z), append(ws, w)
		}
	}
	for _, p := range complexPairs {
		narrow, wide := evaluateComplex(t, p, core.Complex64, zs, ws), evaluateComplex(t, p, core.Complex128, zs, ws)
		for i := range zs {
			if !sameCorner(narrow[i], wide[i]) {
				t.Errorf("%s(%v, %v): c64 returns %v, c128 %v", p.Name(), zs[i], ws[i], narrow[i], wide[i])
			}
		}
	}
}

// annexG returns z/w as C99's annex G computes it.
func annexG(z, w complex128) complex128 {
	a, b, c, d := real(z), imag(z), real(w), imag(w)
	shift := 0
	if m := math.Max(math.Abs(c), math.Abs(d)); m > 0 && !math.IsInf(m, 0) && !math.IsNaN(m) {
		shift = math.Ilogb(m)
		c, d = math.Ldexp(c, -shift), math.Ldexp(d, -shift)
	}
	den := c*c + d*d
	x, y := math.Ldexp((a*c+b*d)/den, -shift), math.Ldexp((b*c-a*d)/den, -shift)
	if !math.IsNaN(x) || !math.IsNaN(y) {
		return complex(x, y)
	}
	inf := math.Inf(1)
	box := func(v float64) float64 {
		if math.IsInf(v, 0) {
			return math.Copysign(1, v)
		}
		return math.Copysign(0, v)
	}
	finite := func(u, v float64) bool {
		return !math.IsInf(u, 0) && !math.IsNaN(u) && !math.IsInf(v, 0) && !math.IsNaN(v)
	}
	infinite := func(u, v float64) bool { return math.IsInf(u, 0) || math.IsInf(v, 0) }
	switch {
	case den == 0 && (!math.IsNaN(a) || !math.IsNaN(b)):
		return complex(math.Copysign(inf, c)*a, math.Copysign(inf, c)*b)
	case infinite(a, b) && finite(c, d):
		a, b = box(a), box(b)
		return complex(inf*(a*c+b*d), inf*(b*c-a*d))
	case infinite(c, d) && finite(a, b):
		c, d = box(c), box(d)
		return complex(0*(a*c+b*d), 0*(b*c-a*d))
	}
	return complex(x, y)
}

// Quotients and reciprocals of zeros, infinities and NaN are those of C99's annex G in both
// widths.
func TestComplexQuotientCorners(t *testing.T) {
	if got, want := annexG(complex(math.Inf(1), 0), 1+1i), complex(math.Inf(1), math.Inf(-1)); got != want {
		t.Fatalf("got %v, want %v", got, want)
	}
	var zs, ws []complex128
	for _, z := range complexCorners() {
		for _, w := range complexCorners() {
			zs, ws = append(zs, z), append(ws, w)
		}
	}
	for _, dt := range []core.DType{core.Complex64, core.Complex128} {
		for i, got := range evaluateComplex(t, prim.DivP{}, dt, zs, ws) {
			if want := annexG(zs[i], ws[i]); !sameCorner(got, want) {
				t.Errorf("%v: (%v)/(%v): got %v, want %v", dt, zs[i], ws[i], got, want)
			}
		}
	}
}

// Expm1 of zeros is a zero whose real part has no sign: 0 + 0i, or the conjugate, as the standard of
// arrays in Python and jax.numpy have it of the upper one. NumPy keeps −0.
func TestComplexExpm1OfZeros(t *testing.T) {
	zero := math.Copysign(0, -1)
	in := []complex128{0, complex(0, zero), complex(zero, 0), complex(zero, zero)}
	want := []complex128{0, complex(0, zero), 0, complex(0, zero)}
	for _, dt := range []core.DType{core.Complex64, core.Complex128} {
		for i, got := range evaluateComplex(t, prim.Expm1P{}, dt, in) {
			if !sameCorner(got, want[i]) {
				t.Errorf("%v: expm1(%v): got %v, want %v", dt, in[i], got, want[i])
			}
		}
	}
}
