package testcheck

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// ULP returns the distance of neighbours near v in a floating or complex type, NaN where v is not
// finite.
func ULP(v float64, dt core.DType) float64 {
	mant, least := 52, -1074
	switch dt = dt.Real(); {
	case dt == core.Float32:
		mant, least = 23, -149
	case scalar.IsSmallFloat(dt):
		f := scalar.FormatOf(dt)
		mant, least = f.MBits, 1-f.Bias-f.MBits
	}
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return math.NaN()
	}
	if v == 0 {
		return math.Ldexp(1, least)
	}
	return math.Ldexp(1, max(math.Ilogb(v)-mant, least))
}
