package special

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
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
				check(fmt.Sprintf("igamma(%v, %v, %v)", a, x, upper), v, Igamma(a, x, upper), (x < 1 || x <= a) == upper)
			}
		}
		all++
		if v, ok := quickBetainc(a, b, unit); ok {
			certain++
			check(fmt.Sprintf("betainc(%v, %v, %v)", a, b, unit), v, Betainc(a, b, unit), unit > (a+1)/(a+b+2))
		}
	}
	if 2*certain < all {
		t.Errorf("got %d certain results of %d, want more than half", certain, all)
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
			v, ok := now.fastIgamma(a, x, upper)
			check(fmt.Sprintf("igamma(%v, %v, %v)", a, x, upper), v, Igamma(a, x, upper), ok)
		}
		v, ok := now.fastBetainc(a, b, unit)
		check(fmt.Sprintf("betainc(%v, %v, %v)", a, b, unit), v, Betainc(a, b, unit), ok)
	}
	// In the middle of the beta distribution the last steps of the fraction lose digits.
	for range 3000 {
		a, b, x := 0.1+5*r.Float64(), 0.1+5*r.Float64(), r.Float64()
		v, ok := now.fastBetainc(a, b, x)
		if check(fmt.Sprintf("betainc(%v, %v, %v)", a, b, x), v, Betainc(a, b, x), ok); ok {
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
