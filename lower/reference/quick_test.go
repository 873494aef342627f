package reference

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// What the quick incomplete functions are certain of rounds to the f32 of the sums of two f64, and its error is an eighth of
// the bound at most.
func TestQuickIncompleteFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	draw := func() float64 { return float64(float32(math.Exp(r.Float64()*9 - 4.5))) } // up to 90
	check := func(what string, v, want float64, difference bool) {
		t.Helper()
		if float32(v) != float32(want) {
			t.Errorf("%s: got %v, want %v", what, v, want)
		}
		most := want * quickError / 8
		if difference { // from 1: the error is that of what is subtracted
			most = (1-want)*quickError/8 + 0x1p-52
		}
		if math.Abs(v-want) > most {
			t.Errorf("%s: got %v, want %v within %g", what, v, want, most)
		}
	}
	certain, all := 0, 0
	for round := range 3000 {
		a, b, x, unit := draw(), draw(), draw(), float64(r.Float32())
		if round%2 > 0 { // the series and the fraction meet here
			x = float64(float32(a * (0.5 + r.Float64())))
		}
		for _, upper := range []bool{false, true} {
			all++
			if v, ok := quickIgamma(a, x, upper); ok {
				certain++
				check(fmt.Sprintf("igamma(%v, %v, %v)", a, x, upper), v, igamma(a, x, upper), (x < 1 || x <= a) == upper)
			}
		}
		all++
		if v, ok := quickBetainc(a, b, unit); ok {
			certain++
			check(fmt.Sprintf("betainc(%v, %v, %v)", a, b, unit), v, betainc(a, b, unit), unit > (a+1)/(a+b+2))
		}
	}
	if 2*certain < all {
		t.Errorf("got %d certain results of %d, want more than half", certain, all)
	}
}

// Incomplete functions of other types are those of f64, rounded: also where results are halfway between two numbers, as
// squares I_x(2, 1) = x² of 13 bits are.
func TestIncompleteFunctionsOfNarrowTypes(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	for _, dt := range []core.DType{core.Float32, core.Float16, core.BFloat16} {
		rounded := func(v float64) float64 {
			x := NewTensor(core.Aval(dt))
			store(&fieldF64, x, []float64{v})
			e, _ := elementsAs[float64](x)
			return e[0]
		}
		for k := range 3000 {
			a, b, x := rounded(math.Exp(r.Float64()*9-4.5)), rounded(math.Exp(r.Float64()*9-4.5)), rounded(r.Float64())
			if k%2 > 0 {
				a, b, x = 2, 1, rounded(float64(4097+k-k%2)/8192)
			}
			for _, c := range []struct {
				p    core.Primitive
				args []float64
			}{{prim.IgammaP{}, []float64{a, b}}, {prim.IgammacP{}, []float64{a, b}}, {prim.RegularizedIncompleteBetaP{}, []float64{a, b, x}}} {
				if got, want := evaluate(t, c.p, dt, c.args...), rounded(evaluate(t, c.p, core.Float64, c.args...)); got != want {
					t.Errorf("%s%v of %v: got %v, want %v", c.p.Name(), c.args, dt, got, want)
				}
			}
		}
	}
}

// The fast incomplete functions of f64 are within 8 ulps of the sums of two f64, and compute most arguments. Of these draws
// the largest error is 4 ulps.
func TestFastIncompleteFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	draw := func() float64 { return math.Exp(r.Float64()*11 - 7) } // up to 54
	fast, all, middle := 0, 0, 0
	check := func(what string, v, want float64, ok bool) {
		t.Helper()
		all++
		if !ok {
			return
		}
		fast++
		if ulp := math.Nextafter(want, 2) - want; math.Abs(v-want) > 8*ulp {
			t.Errorf("%s: got %v, want %v within 8 ulps, is %.1f", what, v, want, math.Abs(v-want)/ulp)
		}
	}
	for round := range 3000 {
		a, b, x, unit := draw(), draw(), draw(), r.Float64()
		if round%2 > 0 { // the series and the fraction meet here
			x, unit = a*(0.5+r.Float64()), min(a/(a+b)*(0.5+r.Float64()), 1)
		}
		for _, upper := range []bool{false, true} {
			v, ok := fastIgamma(a, x, upper)
			check(fmt.Sprintf("igamma(%v, %v, %v)", a, x, upper), v, igamma(a, x, upper), ok)
		}
		v, ok := fastBetainc(a, b, unit)
		check(fmt.Sprintf("betainc(%v, %v, %v)", a, b, unit), v, betainc(a, b, unit), ok)
	}
	// In the middle of the beta distribution the last steps of the fraction lose digits.
	for range 3000 {
		a, b, x := 0.1+5*r.Float64(), 0.1+5*r.Float64(), r.Float64()
		v, ok := fastBetainc(a, b, x)
		if check(fmt.Sprintf("betainc(%v, %v, %v)", a, b, x), v, betainc(a, b, x), ok); ok {
			middle++
		}
	}
	if middle < 2900 {
		t.Errorf("got %d fast results of 3000 for moderate arguments of betainc, want 2900", middle)
	}
	if 2*fast < all {
		t.Errorf("got %d fast results of %d, want more than half", fast, all)
	}
}

// Stages by four are transforms of four elements.
func TestFourierStages(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	const l, j = 3, 2
	for _, m := range []int{4, 8, 20} {
		from, w := make([]cplx, 4*l*m), make([]cplx, 4*l)
		for i := range from {
			from[i] = cplx{r.NormFloat64(), r.NormFloat64()}
		}
		for i := range w {
			w[i] = cplx{r.NormFloat64(), r.NormFloat64()}
		}
		from[j*4*m] = cplx{0, math.Copysign(0, -1)}
		want := make([]cplx, len(from))
		stage4(from, want, w, l, m, j, j)
		for i := range m {
			for k := range 4 {
				sum, size := complex128(0), 0.0
				for q, turn := 0, complex128(1); q < 4; q, turn = q+1, turn*[]complex128{1, -1i, -1, 1i}[k] {
					x := from[j*4*m+q*m+i]
					term := complex(x.re, x.im) * turn
					if q > 0 {
						term *= complex(w[q*j].re, w[q*j].im)
					}
					sum, size = sum+term, size+cmplx.Abs(term)
				}
				got := want[k*l*m+j*m+i]
				// Each term is rounded in its product and in two sums.
				if d := cmplx.Abs(complex(got.re, got.im) - sum); !(d <= 6*0x1p-53*size) {
					t.Errorf("m = %d: result %d of transform %d is %v, want %v: off by %.2g", m, k, i, got, sum, d)
				}
			}
		}
	}
}
