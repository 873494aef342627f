package kernel

// Coefficients are the constants of special functions: numbers and series of them, each the sum of
// two f64.
type Coefficients struct {
	Pi, Ln2, HalfLog2Pi, Euler [2]float64
	Ln2Rest                    float64      // what Ln2 lacks
	Stirling                   [][2]float64 // B₂ₖ/(2k·(2k − 1))
	EulerMaclaurin             [][2]float64 // B₂ₖ/(2k)!
	Temme                      [][]float64  // of Temme's functions, by the power of 1/a and of η
	FastExps                   [][2]float64 // 2^(j/64)
	FastInverses               []float64    // about 1/(1 + (j + ½)/128)
	FastLogs                   [][2]float64 // minus their logarithms
}

// SpecialCoefficients returns the constants for targets that compute special functions in kernels.
func SpecialCoefficients() Coefficients {
	two := func(a dd) [2]float64 { return [2]float64{a.hi, a.lo} }
	list := func(all []dd) [][2]float64 {
		out := make([][2]float64, len(all))
		for i, a := range all {
			out[i] = two(a)
		}
		return out
	}
	var inverses []float64
	var logs []dd
	for _, e := range fastLogs() {
		inverses, logs = append(inverses, e.inverse), append(logs, e.log)
	}
	return Coefficients{
		Pi: two(ddPi), Ln2: two(ddLn2), HalfLog2Pi: two(ddHalfL2Pi), Euler: two(ddEuler), Ln2Rest: ddLn2Rest,
		Stirling: list(stirlingSteps), EulerMaclaurin: list(eulerMaclaurin), Temme: temmeTable,
		FastExps: list(fastExps()[:]), FastInverses: inverses, FastLogs: list(logs),
	}
}

// Quotient returns a/b as the sum of two f64.
func Quotient(a, b float64) [2]float64 {
	q := quotientOf(a, b)
	return [2]float64{q.hi, q.lo}
}
