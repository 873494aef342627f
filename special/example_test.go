package special_test

import (
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/special"
)

func ExampleGammaIncC() {
	// The probability that a chi-square number of 4 degrees of freedom exceeds x.
	x := weft.Of[float64](1, 5, 9.488)
	fmt.Printf("%.4f\n", special.GammaIncC(2., x.Div(2)))
	// Output:
	// [0.9098 0.2873 0.0500]
}

func ExampleLogNdTr() {
	x := weft.Scalar(-40.).AsType(weft.Float64)
	fmt.Printf("%.6g %.6g\n", special.LogNdTr(x).Float(), weft.Log(special.NdTr(x)).Float())
	// Output:
	// -804.608 -Inf
}
