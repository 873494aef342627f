package stats_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/stats"
)

// Tails are exact where the formula changes, and where quotients near 1 lose the point. The truth is mpmath's.
func TestTails(t *testing.T) {
	for _, c := range []struct{ df, z, want float64 }{
		{500.5, 2, 0.023020071192764265}, {500.5, 8, 4.3569932010418457e-15}, {500.5, 30, 3.2738176835251539e-114},
		{1000, 2, 0.02288517324662582}, {1000, 8, 1.7133307411957372e-15}, {1000, 30, 7.6873437220217411e-142},
		{99999, 2, 0.022751481742251236}, {99999, 8, 6.2869606013363229e-16}, {99999, 30, 3.6893424222175238e-197},
		{100001, 2, 0.022751481715255497}, {100001, 8, 6.2869592749333791e-16}, {100001, 30, 3.6891944529592903e-197},
	} {
		check(t, "T.SF", stats.T{DF: num(c.df)}.SF(num(c.z)), num(c.want), num(c.z), weft.Float64)
		if df := num(c.df).AsType(weft.Float32); c.want > 1e-30 && c.df < 1e5 {
			got := stats.T{DF: df}.SF(num(c.z).AsType(weft.Float32)).AsType(weft.Float64)
			check(t, "T.SF", got, num(c.want), num(c.z), weft.Float32)
		}
	}
	// 1 − x^0.01 at 10⁻²⁰ and (1 − 10⁻²⁰)^(10¹⁵).
	check(t, "Beta.SF", stats.Beta{A: num(0.01), B: num(1)}.SF(num(1e-20)), num(0.36904265551980675), num(1e-20), weft.Float64)
	check(t, "Binom.CDF", stats.Binom{N: num(1e15), P: num(1e-20)}.CDF(num(0)), num(0.99999000004999983), num(0), weft.Float64)
}
