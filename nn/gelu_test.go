package nn_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/nn"
)

// GeluTanh keeps its digits where tanh u is near −1.
func TestGeluTanhNegative(t *testing.T) {
	for _, x := range []float64{-6, -5, -4, -3, -1, -0.1, 0, 0.1, 1, 5} {
		u := math.Sqrt(2/math.Pi) * (x + 0.044715*x*x*x)
		want := x / (1 + math.Exp(-2*u))
		// Roundings of the factors, and that of the exponent 2u times what the quotient makes of it.
		ulps := 2 + 1.5*2*math.Abs(u)/(1+math.Exp(2*u))
		testcheck.Within(t, fmt.Sprintf("GeluTanh(%g)", x), nn.GeluTanh(weft.Scalar(float32(x))).Float(), want, ulps*0x1p-24*math.Abs(want))
	}
	for _, x := range []float64{-16, -19, -21} { // numbers that only f64 has
		u := math.Sqrt(2/math.Pi) * (x + 0.044715*x*x*x)
		want := x * math.Exp(2*u)
		testcheck.Within(t, fmt.Sprintf("GeluTanh(%g)", x), nn.GeluTanh(weft.Scalar(x).AsType(weft.Float64)).Float(), want, 4*math.Abs(u)*0x1p-53*math.Abs(want))
	}
}
