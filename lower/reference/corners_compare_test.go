package reference

import (
	"fmt"
	"math"
	"math/cmplx"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/oracle"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// truePower returns a copy of w, in which element i is the power by math/big where that
// is an ordinary number.
func truePower(w *block.Tensor, in []*block.Tensor, i int) *block.Tensor {
	at := func(x *block.Tensor) complex128 {
		i := min(i, x.Size()-1)
		return complex(realAt(x, i, 0), realAt(x, i, 1))
	}
	z, e := at(in[0]), at(in[1])
	if v := complex(realAt(w, i, 0), realAt(w, i, 1)); z == 0 || v == 0 || !finite(z) || !finite(e) || !finite(v) {
		return w
	}
	p := oracle.PowC(120, oracle.NumC(z), oracle.NumC(e))
	re, _ := p.Re.Float64()
	im, _ := p.Im.Float64()
	c := block.NewTensor(w.ShapedArray)
	if w.DType == core.Complex64 {
		block.View[complex64](c)[i] = complex64(complex(re, im))
	} else {
		block.View[complex128](c)[i] = complex(re, im)
	}
	return c
}

func finite(z complex128) bool { return !cmplx.IsInf(z) && !cmplx.IsNaN(z) }

// unitOf returns the number whose ulps count near the zeros of a function, 0 if all zeros
// are to be relatively right.
func unitOf(r *cornerRecord, in []*block.Tensor, i int) float64 {
	switch r.Prim {
	case "lgamma", "digamma":
		return 1
	case "polygamma":
		// Between the poles below zero those of even order have zeros: there the
		// terms of the nearest poles cancel, n!/½ⁿ⁺¹ each.
		if n := realAt(in[0], i, 0); realAt(in[1], i, 0) < 0 {
			return math.Gamma(n+1) * math.Ldexp(1, int(n)+1)
		}
	}
	return 0
}

// excused returns why element i, which differs from the record, may, "" if it may not.
// standard states that the expected value is one of IEEE 754, C99 or mathematics.
func excused(r *cornerRecord, in []*block.Tensor, got, want *block.Tensor, i int, standard bool) string {
	at := func(x *block.Tensor) int { return min(i, x.Size()-1) }
	each := func(x *block.Tensor, f func(v float64) bool) bool {
		for c := range scalar.Components(x.DType) {
			if x.DType.IsInexact() && f(realAt(x, at(x), c)) {
				return true
			}
		}
		return false
	}
	subnormal := func(x *block.Tensor) bool {
		if x.DType == core.Float16 || x.DType.IsMinorFloat() {
			return false
		}
		least := 0x1p-126
		if x.DType.Real() == core.Float64 {
			least = 0x1p-1022
		}
		return each(x, func(v float64) bool { return v != 0 && math.Abs(v) < least })
	}
	special := func(v float64) bool { return math.IsInf(v, 0) || math.IsNaN(v) }
	beyond := func(lo, hi float64) func(v float64) bool {
		return func(v float64) bool { return v != 0 && math.Abs(v) < lo || math.Abs(v) > hi }
	}
	dt := in[0].DType
	switch {
	case !standard && (subnormal(got) || subnormal(in[0])):
		return "XLA flushes subnormals"
	case r.Prim == "integer_pow" && scalar.IsSmallFloat(dt):
		return "XLA rounds every product to the small float; see TestIntegerPow"
	case r.Prim == "population_count" && dt == core.Int4:
		return "XLA counts the copies of the sign above an i4"
	case r.Prim == "convert_element_type" && dt == core.Float4E2M1FN && math.Abs(realAt(in[0], i, 0)) == 6:
		return "XLA takes the greatest f4 for infinity"
	case r.Prim == "pow" && in[1].DType == core.Int32 && loadBits(in[1], i) == math.MaxInt32:
		return "XLA rounds the exponent 2³¹−1 to 2³¹, which is even"
	case !dt.IsComplex():
		return ""
	case r.Prim == "expm1" && realAt(in[0], at(in[0]), 0) == 0 && realAt(in[0], at(in[0]), 1) == 0:
		return "NumPy keeps the sign of a zero; see TestComplexExpm1OfZeros"
	case (r.Prim == "exp2" || r.Prim == "logistic") && each(in[0], beyond(0, 1e15)):
		return "XLA rounds an angle of this size before it is reduced"
	case r.Prim == "sign" && each(in[0], beyond(0, 1e38)):
		return "XLA overflows in the modulus"
	case !standard && (each(in[0], special) || len(in) > 1 && each(in[1], special) || each(want, special)):
		return "neither C99 nor IEEE 754 states what this is at infinity and NaN"
	case r.Prim == "expm1" && (each(in[0], special) || each(want, special)):
		return "NumPy's expm1 makes NaN where exp − 1 has a value"
	case (r.Prim == "log1p" || r.Prim == "atan" || r.Prim == "atanh") && each(in[0], beyond(1e-300, 1e38)):
		return "NumPy overflows or loses digits on the way"
	case r.Prim == "square" && each(in[0], beyond(0, 1e38)):
		return "NumPy's products overflow otherwise"
	case each(in[0], special) && standard:
		// C99 leaves signs open: of exp(−∞ ± i∞), sinh(±∞ + i∞), sinh(±∞ + iNaN),
		// cosh(±0 + i∞), tanh(±∞ + i∞), and what is made of them.
		for c := range 2 {
			g, w := realAt(got, i, c), realAt(want, i, c)
			if math.Abs(g) == math.Abs(w) && math.Signbit(g) != math.Signbit(w) {
				switch r.Prim {
				case "exp", "sin", "cos", "tan", "sinh", "cosh", "tanh":
					if each(in[0], func(v float64) bool { return math.IsInf(v, 0) }) {
						return "C99 leaves the sign open"
					}
				}
			}
		}
	}
	return ""
}

// realAt returns component c of element i as an f64.
func realAt(x *block.Tensor, i, c int) float64 {
	switch dt := x.DType; {
	case dt == core.Float64:
		return block.View[float64](x)[i]
	case dt == core.Float32:
		return float64(block.View[float32](x)[i])
	case dt == core.Complex64:
		z := block.View[complex64](x)[i]
		return float64([]float32{real(z), imag(z)}[c])
	case dt == core.Complex128:
		z := block.View[complex128](x)[i]
		return []float64{real(z), imag(z)}[c]
	case scalar.IsSmallFloat(dt):
		return float64(scalar.WidenSmall(dt, uint32(loadBits(x, i))))
	}
	panic("not a float: " + x.String())
}

func elemText(x *block.Tensor, i int) string {
	switch dt := x.DType; {
	case dt.IsComplex():
		return fmt.Sprintf("(%g,%g)", realAt(x, i, 0), realAt(x, i, 1))
	case dt.IsFloat():
		return fmt.Sprintf("%g", realAt(x, i, 0))
	case dt.IsSigned():
		n := 64 - dt.Bits()
		return fmt.Sprint(int64(loadBits(x, i)<<n) >> n)
	}
	return fmt.Sprint(loadBits(x, i))
}

// differ returns what is wrong with element i, "" if nothing: it may be off by bound
// ulps, complex numbers by 4 of the modulus; ulps of unit count where it is greater.
func differ(got, want *block.Tensor, i int, bound, unit float64, name string, standard bool) string {
	dt := got.DType
	if dt != want.DType {
		return fmt.Sprintf("dtype %v, want %v", dt, want.DType)
	}
	if !dt.IsInexact() {
		if loadBits(got, i) != loadBits(want, i) {
			return "differs"
		}
		return ""
	}
	n := scalar.Components(dt)
	u, finite := 0.0, true
	for c := range n {
		if v := realAt(want, i, c); math.IsInf(v, 0) || math.IsNaN(v) {
			finite = false
		} else {
			u = max(u, testcheck.ULP(v, dt))
		}
	}
	switch {
	case n == 2:
		bound = 4
	case name == "abs":
		bound = 1 // of complex numbers: a square root and a sum
	case unit > 0:
		u = max(u, testcheck.ULP(unit, dt))
	}
	for c := range n {
		g, w := realAt(got, i, c), realAt(want, i, c)
		switch {
		case math.IsNaN(w) || math.IsNaN(g):
			if math.IsNaN(w) != math.IsNaN(g) {
				return "NaN"
			}
		case w == 0 && g == 0:
			if math.Signbit(w) != math.Signbit(g) && finite && (n == 1 || standard) {
				return "sign of zero"
			}
		case w == g:
		case math.IsInf(w, 0) || math.IsInf(g, 0):
			return "infinity"
		case math.Abs(g-w) > bound*u:
			return fmt.Sprintf("%.3g ulp", math.Abs(g-w)/u)
		}
	}
	return ""
}
