package stats_test

import (
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/stats"
)

// The most likely mean and deviation of a sample: the derivatives there are 0.
func ExampleNorm() {
	x := weft.Of[float64](2, 4, 4, 5, 5, 7, 9, 4)
	loss := func(d stats.Norm) weft.Array { return d.LogPDF(x).Sum().Neg() }
	g := weft.Grad(loss)(stats.Norm{Loc: x.Mean(), Scale: x.Std()})
	fmt.Printf("%.3f %.3f\n", g.Loc, g.Scale)
	// Output:
	// 0.000 0.000
}

func ExampleBinom() {
	d := stats.Binom{N: weft.Scalar(10), P: weft.Scalar(0.5)}
	fmt.Printf("%.4f\n", d.PMF(weft.Of(4., 5, 6)))
	// Output:
	// [0.2051 0.2461 0.2051]
}
