package composed

import (
	"math"
	"slices"

	"github.com/weft-go/weft/lower/reference/special"
)

// A constant is the sum of two f64.
type constant struct{ hi, lo float64 }

func constantOf(x [2]float64) constant { return constant{x[0], x[1]} }

var (
	coefficients = special.SpecialCoefficients()

	pi         = constantOf(coefficients.Pi)
	ln2        = constantOf(coefficients.Ln2)
	ln2Rest    = coefficients.Ln2Rest
	halfLog2Pi = constantOf(coefficients.HalfLog2Pi)

	stepsOfExp = 64 / math.Ln2
	fastExps   = tableOf(len(coefficients.FastExps), func(i int) [2]float64 { return coefficients.FastExps[i] })
	fastLogs   = struct {
		inverse []float64
		log     pairTable
	}{coefficients.FastInverses, tableOf(len(coefficients.FastLogs), func(i int) [2]float64 { return coefficients.FastLogs[i] })}

	// The series are in the order in which loops read them.
	oddParts        = tableOf(22, func(i int) [2]float64 { return special.Quotient(1, float64(2*(22-i)+1)) })
	stirling        = reversed(coefficients.Stirling)
	maclaurin       = tableOf(len(coefficients.EulerMaclaurin), func(i int) [2]float64 { return coefficients.EulerMaclaurin[i] })
	logarithmSeries = tableOf(15, func(i int) [2]float64 {
		k := 16 - i
		q := special.Quotient(1, float64(k))
		if k%2 == 1 {
			q[0], q[1] = -q[0], -q[1]
		}
		return q
	})
)

// tableOf returns a table of n pairs.
func tableOf(n int, entry func(i int) [2]float64) (t pairTable) {
	for i := range n {
		e := entry(i)
		t.hi, t.lo = append(t.hi, e[0]), append(t.lo, e[1])
	}
	return t
}

// reversed returns a series from the last coefficient to the first.
func reversed(series [][2]float64) pairTable {
	r := slices.Clone(series)
	slices.Reverse(r)
	return tableOf(len(r), func(i int) [2]float64 { return r[i] })
}
