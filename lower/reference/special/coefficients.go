package special

// Bounds of loops and cases of special functions.
const (
	FractionSteps   = fractionSteps
	HurwitzTerms    = hurwitzTerms
	TemmeFrom       = temmeFrom
	LargeShape      = largeShape
	StepShape       = stepShape
	TinyShape       = tinyShape
	LargeBeta       = largeBeta
	BetaFar         = betaFar
	StirlingFrom    = stirlingFrom
	NegligiblePower = negligiblePower
	HurwitzFar      = hurwitzFar
)

// Bounds of the incomplete functions that are computed mostly in f64.
const (
	FastLeastShape      = 0x1p-10 // arguments are within these bounds
	FastGammaShape      = 60
	FastBetaShape       = 30
	FastLeastX          = 0x1p-30
	FastGammaX          = 120
	FastBetaX           = 0.9 // of the fraction's argument, x or 1 − x
	FastComplement      = 0.7 // of what is subtracted from 1
	FastLgammaFrom      = 16
	FastSeriesMore      = 2 // the gamma function's series is used for x up to a + 2,
	FastSeriesSmall     = 8 // or below this a
	FastSeriesSmallMore = 4 // up to a + 4
	FastSeriesSteps     = 128
	FastSeriesEnd       = 0x1p-58
	FastSeriesRatio     = 0.7 // of the last two terms
	FastGammaSteps      = 24  // of the fraction, and a + 110/x
	FastGammaStepsOverX = 110
	FastBetaSteps       = 12 // of the fraction, and those that lower its error to FastBetaEnd
	FastBetaEnd         = 0x1p-56
	FastBetaLeast       = 0.4 // denominator of the fraction that loses no digits
	FastBetaLast        = 4   // so many last steps may lose digits
	FastBetaLeastOfAll  = 0.1 // the last one's denominator
)

// Coefficients are the constants of special functions: numbers and series of them, each the sum of
// two f64.
type Coefficients struct {
	Pi, Ln2, HalfLog2Pi [2]float64
	Ln2Rest             float64        // what Ln2 lacks
	Stirling            [][2]float64   // B₂ₖ/(2k·(2k − 1))
	EulerMaclaurin      [][2]float64   // B₂ₖ/(2k)!
	Temme               [][]float64    // of Temme's functions, by the power of 1/a and of η
	Beta                [][2][]float64 // of I_x(a, b) of large parameters, by the power of ζ
	FastExps            [][2]float64   // 2^(j/64)
	FastInverses        []float64      // about 1/(1 + (j + ½)/128)
	FastLogs            [][2]float64   // minus their logarithms

	// Polynomials from the highest power on: (log(1 + r) − r + r²/2)/r³, (e^r − 1 − r)/r², and of 1/a²
	// Stirling's series times a.
	FastLogTail, FastExpTail, FastStirling []float64
}

// SpecialCoefficients returns the constants for targets that compute special functions in kernels.
func SpecialCoefficients() Coefficients {
	two := func(a Double) [2]float64 { return [2]float64{a.Hi, a.Lo} }
	list := func(all []Double) [][2]float64 {
		out := make([][2]float64, len(all))
		for i, a := range all {
			out[i] = two(a)
		}
		return out
	}
	var inverses []float64
	var logs []Double
	for _, e := range fastLogs() {
		inverses, logs = append(inverses, e.inverse), append(logs, e.log)
	}
	return Coefficients{
		Pi: two(DoublePi), Ln2: two(ddLn2), HalfLog2Pi: two(ddHalfL2Pi), Ln2Rest: ddLn2Rest,
		Stirling: list(stirlingSteps), EulerMaclaurin: list(eulerMaclaurin), Temme: temmeTable, Beta: betaTerms,
		FastExps: list(fastExps()[:]), FastInverses: inverses, FastLogs: list(logs),
		FastLogTail: fastLogTail[:], FastExpTail: fastExpTail[:], FastStirling: fastStirling[:],
	}
}

// Quotient returns a/b as the sum of two f64.
func Quotient(a, b float64) [2]float64 {
	q := QuotientOf(a, b)
	return [2]float64{q.Hi, q.Lo}
}
