package stats_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/stats"
)

// Tails are exact where the formula changes, and where quotients near 1 lose digits of the point. The truth is mpmath's.
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
	// The square of the point is out of range.
	for _, c := range []struct {
		dt                weft.DType
		z, df, sf, logPDF float64
	}{
		{weft.Float32, 1.0000000200408773e+20, 0.0625, 0.0247282937568396543, -52.5240977968616607},
		{weft.Float32, 1.0000000200408773e+20, 1, 3.18309879804581413e-21, -93.2481336456929818},
		{weft.Float32, 3.0000000054977558e+38, 0x1p-10, 0.45670000165465125, -96.3120461850420084},
		{weft.Float32, 0x1p60, 1.5, 3.04607033648659453e-28, -104.541895983688482},
		{weft.Float64, 1e200, 0.0625, 1.39057414983351506e-13, -492.893496810679466},
		{weft.Float64, 1e300, 1, 3.18309886183790655e-301, -1382.69578568227681},
		{weft.Float64, 1e155, 2, 5e-311, -1070.70206824223124},
		{weft.Float16, 300, 1, 0.00106102902422048576, -12.5523059462111855},
		{weft.Float16, 300, 0.0625, 0.307874747385878436, -9.65443379769045462},
	} {
		z, d := num(c.z).AsType(c.dt), stats.T{DF: num(c.df).AsType(c.dt)}
		check(t, "T.SF", d.SF(z).AsType(weft.Float64), num(c.sf), num(c.z), c.dt)
		check(t, "T.CDF", d.CDF(z.Neg()).AsType(weft.Float64), num(c.sf), num(c.z), c.dt)
		check(t, "T.LogPDF", d.LogPDF(z).AsType(weft.Float64), num(c.logPDF), num(c.z), c.dt)
	}
	for _, c := range []struct{ a, b, z, want float64 }{
		{1e-300, 3, 1e-20, 4.4551701859880915e-299}, {1e-300, 1, 1e-300, 6.9077552789821372e-298},
		{1e-300, 1e-10, 1e-20, 1.0000000046051702e-290}, {1e-10, 1e-10, 1e-12, 0.50000000138155105},
		{1e-10, 1e7, 1e-9, 4.0379296248115907e-10}, {1e-10, 3, 1e-10, 2.1525850907034845e-9}, {1e-5, 1e7, 3e-8, 9.0567829764948706e-6},
		{1e-300, 1e20, 1e-20, 2.193839343955203e-301}, {1e-300, 1e10, 1e-10, 2.1938393439552027e-301}, {0.001, 0.5, 1e-5, 0.012814755041280744},
		{0x1p-10, 3, 0x1p-27, 0.0166715590530074999}, {0.00097666015625, 3, 1e-9, 0.01860003759558678}, {0x1p-10, 0.5, 1e-12, 0.0279379660770187522},
		{0x1p-7, 3, 1e-10, 0.154822554954532669}, {0.05, 1000, 1e-9, 0.48518427430296438}, {0.06, 1e-3, 1e-10, 0.995881764140958104},
		{0x1p-9, 0x1p-40, 1e-20, 0.999999999574394105}, {0x1p-5, 1e6, 1e-10, 0.237062684962547377}, {1e-3, 12, 1e-200, 0.367134854533064271},
		{0x1p-4, 2, 1e-9, 0.709042913876526734},
	} {
		check(t, "Beta.SF", stats.Beta{A: num(c.a), B: num(c.b)}.SF(num(c.z)), num(c.want), f64(c.a, c.b, c.z), weft.Float64)
	}
	single := func(x float64) weft.Array { return num(x).AsType(weft.Float32) }
	for _, c := range []struct{ a, b, z, want float64 }{
		{0x1p-4, 4000, 0x1p-13, 0.036951354410470486}, {0x1p-4, 4000, 0.00023999999393709004, 0.015563588196739499},
		{0x1p-4, 64, 0x1p-13, 0.23753997385322723}, {1.5, 64, 0x1p-13, 0.99947991154836082}, {0.5, 100, 0x1p-13, 0.87598606231490098},
	} {
		got := stats.Beta{A: single(c.a), B: single(c.b)}.SF(single(c.z)).AsType(weft.Float64)
		check(t, "Beta.SF", got, num(c.want), f64(c.a, c.b, c.z), weft.Float32)
	}
	check(t, "Beta.SF", stats.Beta{A: num(0x1p-4), B: num(0x1p24)}.SF(num(0x1p-27)), num(0.098915439072036112), num(0x1p-27), weft.Float64)
	got := stats.Beta{A: single(1e-30), B: single(3)}.SF(single(1e-10)).AsType(weft.Float64)
	check(t, "Beta.SF", got, num(2.15258509e-29), num(1e-10), weft.Float32)
	slope := weft.Grad(func(x weft.Array) weft.Array { return stats.Beta{A: num(1e-300), B: num(3)}.SF(x).Sum() })
	check(t, "the derivative of Beta.SF", slope(num(1e-20)), num(-1e-280), num(1e-20), weft.Float64)
	for _, c := range []struct{ k, n, p, want float64 }{
		{0, 1e15, 1e-15, 0.36787944117144211}, {2, 1e10, 1e-10, 0.91969860293780278}, {0, 1e7, 1e-7, 0.36787942277746951}, {1, 1e7, 1e-7, 0.73575888234288497},
	} {
		check(t, "Binom.CDF", stats.Binom{N: num(c.n), P: num(c.p)}.CDF(num(c.k)), num(c.want), f64(c.k, c.n, c.p), weft.Float64)
	}
	// 1 − x^0.01 at 10⁻²⁰ and (1 − 10⁻²⁰)^(10¹⁵).
	check(t, "Beta.SF", stats.Beta{A: num(0.01), B: num(1)}.SF(num(1e-20)), num(0.36904265551980675), num(1e-20), weft.Float64)
	check(t, "Binom.CDF", stats.Binom{N: num(1e15), P: num(1e-20)}.CDF(num(0)), num(0.99999000004999983), num(0), weft.Float64)
}

// Densities of large parameters keep the digits that differences of logarithms of gamma functions lose: they are exact to within
// rounding and an error of ε in the point, times the derivative by its logarithm. The truth is mpmath's.
func TestLargeParameters(t *testing.T) {
	near := func(name string, got weft.Array, want, slope float64, at ...float64) {
		if g, bound := weft.ToSlice[float64](got)[0], 5*0x1p-52*(1+math.Abs(want)+math.Abs(slope)); !testcheck.Close(g, want, bound) {
			t.Errorf("%s%v: got %v, want %v within %.2g", name, at, g, want, bound)
		}
	}
	for _, c := range []struct{ a, b, z, want float64 }{
		{1e20, 1e20, 0.5, 23.146633167575702}, {1e6, 2e6, 0.333, 6.5404118351317764}, {50, 70, 0.41, 2.1736369198345988},
		{1e5, 30, 0.9999, -2.9651962613949845}, {12, 1e15, 1e-14, 32.364904571971328}, {100, 100, 0.9, -98.721356169828707},
		{1e10, 1e10, 0.50001, 7.6337077022293819},
	} {
		slope := c.a - 1 - (c.b-1)*c.z/(1-c.z)
		near("Beta.LogPDF", stats.Beta{A: num(c.a), B: num(c.b)}.LogPDF(num(c.z)), c.want, slope, c.a, c.b, c.z)
	}
	for _, c := range []struct{ a, z, want float64 }{
		{1e20, 1e20, -23.94478946314513}, {1e5, 100100, -6.7263682910028871}, {50, 45, -3.0392819475992179},
		{1e10, 1.00001e10, -12.931870664824901}, {1e5, 1, -1051288.7089736569},
	} {
		near("Gamma.LogPDF", stats.Gamma{A: num(c.a)}.LogPDF(num(c.z)), c.want, c.a-1-c.z, c.a, c.z)
	}
}

// Densities and probabilities of vectors keep the digits that differences of logarithms of gamma functions lose: they are exact to
// within some ε of the result, of the logarithms of the parameters, and the change by an error of ε in x, unless x is a mean. The truth is mpmath's.
func TestLargeParametersOfVectors(t *testing.T) {
	near := func(name string, got weft.Array, want float64, a, x []float64) {
		change, size, total := 0., 0., 0.
		for _, a := range a {
			total += a
		}
		for i, a := range a {
			if a != x[i]*total {
				change = total // a product that is rounded
			}
			size += math.Abs(math.Log(a + 1))
		}
		if g, bound := weft.ToSlice[float64](got)[0], 4*0x1p-52*(1+math.Abs(want)+size)+0x1p-52*change; !testcheck.Close(g, want, bound) {
			t.Errorf("%s of %v at %v: got %v, want %v within %.2g", name, a, x, g, want, bound)
		}
	}
	for _, c := range []struct {
		a, x []float64
		want float64
	}{
		{[]float64{1e10, 2e10, 1e10}, []float64{0.25, 0.5, 0.25}, 24.3071361760321152},
		{[]float64{1e15, 1e15}, []float64{0.5, 0.5}, 17.3901704350905877},
		{[]float64{50, 60, 70, 0.3}, []float64{0.25, 0.375, 0.25, 0.125}, -21.7695108500034257},
		{[]float64{20, 30, 50}, []float64{0.5, 0.25, 0.25}, -17.3292183291274194},
		{[]float64{0.5, 0.5, 0.5, 0.5}, []float64{0.25, 0.25, 0.25, 0.25}, 0.483128950540980889},
		{[]float64{3, 3, 3, 3}, []float64{0.5, 0.25, 0.125, 0.125}, 2.25306987355508903},
	} {
		d := stats.Dirichlet{Alpha: weft.FromSlice(c.a, len(c.a))}
		near("Dirichlet.LogPDF", d.LogPDF(weft.FromSlice(c.x, 1, len(c.x))), c.want, c.a, c.x)
	}
	for _, c := range []struct {
		k, p []float64
		want float64
	}{
		{[]float64{1e9, 1e9, 2e9}, []float64{0.25, 0.25, 0.5}, -22.214569313263284},
		{[]float64{1e14, 1e14}, []float64{0.5, 0.5}, -16.6904605938830211},
		{[]float64{50, 0, 3}, []float64{0.875, 0.0625, 0.0625}, -4.93273400231565491},
		{[]float64{12, 100, 1000}, []float64{0.0078125, 0.1171875, 0.875}, -10.1085514127248},
		{[]float64{3, 4}, []float64{0.5, 0.5}, -1.29668220243020349},
		{[]float64{1e12, 5}, []float64{1 - 0x1p-30, 0x1p-30}, -901.927038296275486},
	} {
		n := 0.
		for _, k := range c.k {
			n += k
		}
		d := stats.Multinomial{N: num(n), P: weft.FromSlice(c.p, len(c.p))}
		near("Multinomial.LogPMF", d.LogPMF(weft.FromSlice(c.k, 1, len(c.k))), c.want, c.k, c.p)
	}
	for _, c := range []struct{ df, z, want float64 }{
		{0.5, 5e-324, 556.868744621197883}, {3, 5e-324, -373.138974493895304}, {0.5, 1e-300, 516.620336603822215}, {2, 5e-324, -0.693147180559945309},
		{30, 1e-310, -10028.8077324852962}, {1e-3, 1e-320, 728.857866639661818},
	} {
		check(t, "Chi2.LogPDF", stats.Chi2{DF: num(c.df)}.LogPDF(num(c.z)), num(c.want), num(c.z), weft.Float64)
	}
}
