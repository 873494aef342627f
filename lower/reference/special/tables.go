package special

import (
	"math"
	"sync"
)

var (
	ln2        = Double{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}
	ln2Rest    = 0x1.7b57a079a1934p-111                               // the rest of ln 2
	halfLog2Pi = Double{0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55} // ½·log 2π
)

// The series are in the order in which loops read them: from the highest power on, but for
// maclaurin.
var (
	// oddParts are 1/(2k + 1).
	oddParts = tableOf(22, func(i int) Double { return QuotientOf(1, float64(2*(22-i)+1)) })

	// logarithmSeries are ±1/k.
	logarithmSeries = tableOf(15, func(i int) Double {
		k := 16 - i
		return QuotientOf(float64(1-k%2*2), float64(k))
	})

	// stirling are B₂ₖ/(2k·(2k − 1)).
	stirling = fractions([]float64{-236364091, 77683, -174611, 43867, -3617, 1, -691, 1, -1, 1, -1, 1},
		[]float64{1506960, 5796, 125400, 244188, 122400, 156, 360360, 1188, 1680, 1260, 360, 12})

	// maclaurin are B₂ₖ/(2k)!.
	maclaurin = fractions([]float64{1, -1, 1, -1, 1, -691, 1, -3617, 43867, -174611, 77683, -236364091},
		[]float64{12, 720, 30240, 1209600, 47900160, 1307674368000, 74724249600, 10670622842880000, 5109094217170944000, 802857662698291200000,
			14101100039391805440000, 1693824136731743669452800000})

	// Polynomials from the highest power on: (log(1 + r) − r + r²/2)/r³, (e^r − 1 − r)/r², and
	// Stirling's series times a, in 1/a².
	fastLogTail  = []float64{1.0 / 9, -1.0 / 8, 1.0 / 7, -1.0 / 6, 1.0 / 5, -1.0 / 4, 1.0 / 3}
	fastExpTail  = []float64{1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2}
	fastStirling = []float64{-3617.0 / 122400, 1.0 / 156, -691.0 / 360360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12}
)

type pairTable struct{ hi, lo []float64 }

func tableOf(n int, entry func(i int) Double) *pairTable {
	var t pairTable
	for i := range n {
		e := entry(i)
		t.hi, t.lo = append(t.hi, e.Hi), append(t.lo, e.Lo)
	}
	return &t
}

func (t *pairTable) len() int { return len(t.hi) }

func fractions(above, below []float64) *pairTable {
	return tableOf(len(above), func(i int) Double { return QuotientOf(above[i], below[i]) })
}

// logTable has 1/(1 + (j + ½)/128), rounded to 10 bits, and minus its logarithm.
type logTable struct {
	inverse []float64
	log     *pairTable
}

var fastLogs = sync.OnceValue(func() *logTable {
	var t logTable
	t.log = tableOf(128, func(j int) Double {
		c := math.Round(1024/(1+(float64(j)+0.5)/128)) / 1024
		t.inverse = append(t.inverse, c)
		return now.pairLog(Double{c, 0}).Neg()
	})
	return &t
})

// fastExps is a table of 2^(j/64).
var fastExps = sync.OnceValue(func() *pairTable {
	return tableOf(64, func(j int) Double { return now.pairExp(ln2.MulFloat(float64(j) / 64)) })
})
