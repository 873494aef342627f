package runtime_test

import "github.com/weft-go/weft/jaxpr"

// tolerance is how far a program's results may lie from JAX's: XLA contracts to
// fma, adds in its own order and has functions that are wrong by many ulps. scale
// is the part of the largest element of a result that an ulp is measured at, where
// sums cancel.
func tolerance(name string, j *jaxpr.Jaxpr) (ulps, scale float64) {
	return 16, 0.5
}
