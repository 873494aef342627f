package random_test

import (
	"math"
	"slices"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/random"
)

// distance returns the largest distance between the distribution function of a sample and cdf, in
// units of 1/√n. It is beyond 1.95 once in a thousand samples.
func distance(x weft.Array, cdf func(float64) float64) float64 {
	v := weft.ToSlice[float64](x.AsType(weft.Float64))
	slices.Sort(v)
	n, worst := float64(len(v)), 0.
	for i, x := range v {
		c := cdf(x)
		worst = max(worst, math.Abs(c-float64(i)/n), math.Abs(c-float64(i+1)/n))
	}
	return worst * math.Sqrt(n)
}

func TestTruncatedNormalFarOut(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ lo, hi float64 }{
		{-1, 2}, {-inf, inf}, {2.9, 4}, {2.9, inf}, {3.1, inf}, {3.1, 3.2}, {5, 6}, {5.1, inf}, {5.5, 8}, {8, inf}, {20, inf}, {21, 22}, {30, 30.001},
		{-4, -2.9}, {-inf, -3.1}, {-6, -5}, {-inf, -8}, {-22, -21}, {-inf, -30},
	} {
		lo, hi := c.lo, c.hi
		if hi < 0 {
			lo, hi = -hi, -lo
		}
		above := func(x float64) float64 { return math.Erfc(x / math.Sqrt2) }
		cdf := func(x float64) float64 {
			if c.hi < 0 {
				return (above(-x) - above(hi)) / (above(lo) - above(hi))
			}
			return (above(lo) - above(x)) / (above(lo) - above(hi))
		}
		const n = 4000
		for _, dt := range []weft.DType{weft.Float32, weft.Float64} {
			known := random.TruncatedNormal(random.As(random.New(4), dt), c.lo, c.hi, n)
			unknown := weft.Jit(func(lo, hi weft.Array) weft.Array {
				return random.TruncatedNormal(random.As(random.New(4), dt), lo, hi, n)
			})(weft.FromSlice([]float64{c.lo}).Index(0), weft.FromSlice([]float64{c.hi}).Index(0))
			if !known.Equal(unknown) {
				t.Errorf("%v in (%v, %v): of traced bounds %v, else %v", dt, c.lo, c.hi, unknown, known)
			}
			if d := distance(known, cdf); !(d < 2) {
				t.Errorf("%v in (%v, %v): the distribution is %v off: %v", dt, c.lo, c.hi, d, known)
			}
			if x := known.AsType(weft.Float64); !(x.Min().Float() > c.lo && x.Max().Float() < c.hi) {
				t.Errorf("%v in (%v, %v): from %v to %v", dt, c.lo, c.hi, x.Min(), x.Max())
			}
		}
		for _, dt := range []weft.DType{weft.Float16, weft.BFloat16} {
			if c.hi-c.lo < 0.01 || c.lo == 2.9 || c.hi == -2.9 {
				continue // the types are too coarse for these intervals
			}
			x := random.TruncatedNormal(random.As(random.New(4), dt), c.lo, c.hi, n)
			exact := random.TruncatedNormal(random.As(random.New(5), weft.Float64), c.lo, c.hi, n)
			mean, want := x.AsType(weft.Float64).Mean().Float(), exact.Mean().Float()
			if most := 0.01*math.Max(1, math.Abs(want)) + 5*exact.Std().Float()/math.Sqrt(n); math.Abs(mean-want) > most {
				t.Errorf("%v in (%v, %v): the mean is %v, want %v", dt, c.lo, c.hi, mean, want)
			}
		}
	}
}

// Intervals near 0 and far from it, side by side, each have their own numbers and derivatives.
func TestTruncatedNormalDerivatives(t *testing.T) {
	lo, hi := weft.FromSlice([]float64{-1, 6, 30, math.Inf(-1), -9, 2}), weft.FromSlice([]float64{1, 7, math.Inf(1), -6, -8.5, 2.5})
	f := func(lo, hi weft.Array) weft.Array { return random.TruncatedNormal(random.New(1), lo, hi) }
	const h = 1e-6
	for how, g := range map[string]func(lo, hi weft.Array) (weft.Array, weft.Array){
		"by lo": func(lo, hi weft.Array) (weft.Array, weft.Array) {
			d := weft.Grad(func(lo weft.Array) weft.Array { return f(lo, hi).Sum() })(lo)
			return d, f(lo.Add(h), hi).Sub(f(lo.Sub(h), hi)).Div(2 * h)
		},
		"by hi": func(lo, hi weft.Array) (weft.Array, weft.Array) {
			d := weft.Jit(weft.Grad(func(hi weft.Array) weft.Array { return f(lo, hi).Sum() }))(hi)
			return d, f(lo, hi.Add(h)).Sub(f(lo, hi.Sub(h))).Div(2 * h)
		},
	} {
		got, want := g(lo, hi)
		// The differences divide roundings of numbers up to 30, 3.6e-15, by 2h.
		if !weft.AllClose(got, want, 1e-9, 1e-9).Bool() {
			t.Errorf("%s: %v, by differences %v", how, got, want)
		}
	}
	jitted := weft.Jit(weft.Vmap(weft.Grad(func(lo weft.Array) weft.Array { return random.TruncatedNormal(random.New(1), lo, 40.) })))
	if d := jitted(weft.Of(-3., 0, 3, 10, 39)); !weft.IsFinite(d).All().Bool() {
		t.Errorf("under Jit(Vmap(Grad)): %v", d)
	}
}

func TestPoissonOfNoNumber(t *testing.T) {
	rates := weft.Of(math.Inf(1), 1e30, 0, -1, math.NaN(), 3, 50)
	for dt, want := range map[weft.DType][]float64{
		weft.Int32: {math.MaxInt32, math.MaxInt32, 0, -1, -1}, weft.Int8: {127, 127, 0, -1, -1}, weft.Uint8: {255, 255, 0, 255, 255},
		weft.Int64: {math.MaxInt64, math.MaxInt64, 0, -1, -1}, weft.Uint32: {math.MaxUint32, math.MaxUint32, 0, math.MaxUint32, math.MaxUint32},
	} {
		x := random.Poisson(random.As(random.New(0), dt), rates).AsType(weft.Float64)
		for i, w := range want {
			if got := x.Index(i).Float(); got != w {
				t.Errorf("%v: of rate %v %v, want %v", dt, rates.Index(i), got, w)
			}
		}
		if n := x.Index(6).Float(); n < 20 || n > 90 {
			t.Errorf("%v: of rate 50 beside others %v", dt, n)
		}
	}
}

// chiSquare returns how far the counts of numbers are from those that the probabilities p predict,
// as a standard normal number: beyond 4 less than once in 10,000 samples.
func chiSquare(x weft.Array, p func(k int) float64) float64 {
	v := weft.ToSlice[float64](x.AsType(weft.Float64))
	counts := make(map[int]float64)
	for _, x := range v {
		counts[int(x)]++
	}
	n, sum, cells, restP, rest := float64(len(v)), 0., -1., 1., float64(len(v))
	for k := range 2000 {
		if e := n * p(k); e > 5 {
			sum += (counts[k] - e) * (counts[k] - e) / e
			restP, rest, cells = restP-p(k), rest-counts[k], cells+1
		}
	}
	if e := n * restP; e > 5 {
		sum, cells = sum+(rest-e)*(rest-e)/e, cells+1
	} else if rest > e+20 {
		return math.Inf(1)
	}
	// Wilson and Hilferty's approximation by a normal number.
	return (math.Cbrt(sum/cells) - (1 - 2/(9*cells))) / math.Sqrt(2/(9*cells))
}

func TestBinomialIsItsDistribution(t *testing.T) {
	log := func(n int) float64 { l, _ := math.Lgamma(float64(n + 1)); return l }
	for _, c := range []struct {
		n int
		p float64
	}{{1, 0.5}, {5, 0.3}, {12, 0.9}, {30, 0.3}, {25, 0.41}, {100, 0.5}, {300, 0.95}, {1000, 0.02}, {1900, 0.6}, {100000, 0.0001}} {
		for _, dt := range []weft.DType{weft.Float32, weft.Float64} {
			x := random.Binomial(random.As(random.New(3), dt), c.n, c.p, 20000)
			d := chiSquare(x, func(k int) float64 {
				if k > c.n {
					return 0
				}
				return math.Exp(log(c.n) - log(k) - log(c.n-k) + float64(k)*math.Log(c.p) + float64(c.n-k)*math.Log1p(-c.p))
			})
			if !(math.Abs(d) < 4) {
				t.Errorf("%v: of %d trials at %v: %v off", dt, c.n, c.p, d)
			}
		}
	}
}

func TestBinomialOfNoProbability(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct{ n, p, want float64 }{
		{10, 0, 0}, {10, 1, 10}, {0, 0.5, 0}, {0, 1, 0}, {1e6, 0, 0}, {1e6, 1, 1e6}, {10.7, 1, 10},
		{zero, zero, 0}, {0, zero, 0}, {10, zero, 0}, {1e30, zero, 0}, {zero, 0.5, 0}, {5, 1e-45, 0},
		{inf, 0.5, inf}, {10, -0.1, nan}, {10, 1.1, nan}, {10, nan, nan}, {-1, 0.5, nan}, {nan, 0.5, nan}, {-inf, 0.5, nan},
	} {
		for _, x := range []weft.Array{
			random.Binomial(random.New(0), c.n, c.p, 3).Index(1),
			weft.Jit(func(n, p weft.Array) weft.Array { return random.Binomial(random.New(0), n, p) })(weft.Scalar(c.n), weft.Scalar(c.p)),
		} {
			if got := x.Float(); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
				t.Errorf("of %v trials at %v: %v, want %v", c.n, c.p, got, c.want)
			}
		}
	}
}

func TestMultinomialSharesAllTrials(t *testing.T) {
	x := random.Multinomial(random.New(0), weft.Of(0, 1, 50, 1000), weft.Of(0.1, 0, 0.6, 0.3))
	if s := x.Shape(); s.String() != "(4, 4)" {
		t.Errorf("the shape is %v", s)
	}
	if sums := x.Sum(-1); !sums.Equal(weft.Of(0., 1, 50, 1000)) {
		t.Errorf("the trials are %v", sums)
	}
	if x.Index("...", 1).Any().Bool() || x.Min().Float() < 0 {
		t.Errorf("what has no probability came: %v", x)
	}
	for i, p := range []float64{0.2, 0.3, 0.5} {
		draws := random.Multinomial(random.New(9), 8, weft.Of(2., 3, 5), 20000).Index("...", i)
		log := func(n int) float64 { l, _ := math.Lgamma(float64(n + 1)); return l }
		d := chiSquare(draws, func(k int) float64 {
			if k > 8 {
				return 0
			}
			return math.Exp(log(8)-log(k)-log(8-k)) * math.Pow(p, float64(k)) * math.Pow(1-p, float64(8-k))
		})
		if !(math.Abs(d) < 4) {
			t.Errorf("outcome %d is %v off", i, d)
		}
	}
	if x := random.Multinomial(random.New(0), 5, weft.Zeros(2, 0)); x.Size() != 0 || x.Dim(0) != 2 {
		t.Errorf("of no outcomes: %v", x.Shape())
	}
}

func TestOrthogonalMatricesAre(t *testing.T) {
	// Columns are rounded to the type: their products are off by less than ε, in f64 by less than 4 ε.
	for dt, eps := range map[weft.DType]float64{weft.Float16: 0x1p-10, weft.BFloat16: 0x1p-7, weft.Float32: 0x1p-23, weft.Float64: 0x1p-50, weft.Complex64: 0x1p-23, weft.Complex128: 0x1p-50} {
		for _, c := range []struct{ n, m int }{{1, 1}, {2, 2}, {30, 30}, {5, 2}, {2, 5}, {0, 0}, {3, 0}, {0, 3}} {
			q := random.SemiOrthogonal(random.As(random.New(2), dt), c.n, c.m, 2)
			if q.DType() != dt || q.Dim(0) != 2 || q.Dim(1) != c.n || q.Dim(2) != c.m {
				t.Errorf("%v %v: %v of %v", dt, c, q.Shape(), q.DType())
			}
			wide := q.AsType(weft.Complex128)
			h := weft.Conj(wide.MT())
			if c.n > c.m {
				wide, h = h, wide
			}
			id := wide.MatMul(h)
			if far := weft.Abs(id.Sub(weft.Eye(min(c.n, c.m)))); far.Size() > 0 && !(far.Max().Float() < eps) {
				t.Errorf("%v %v: Q·Q* is %v off 1", dt, c, far.Max())
			}
		}
	}
	// Rotations and reflections are equally probable.
	q := random.Orthogonal(random.New(7), 2, 4000)
	det := q.Index(weft.All, 0, 0).Mul(q.Index(weft.All, 1, 1)).Sub(q.Index(weft.All, 0, 1).Mul(q.Index(weft.All, 1, 0)))
	if m := det.Mean().Float(); math.Abs(m) > 0.08 {
		t.Errorf("the determinants have the mean %v", m)
	}
	angle := weft.Atan2(q.Index(weft.All, 1, 0), q.Index(weft.All, 0, 0))
	if d := distance(angle, func(x float64) float64 { return (x + math.Pi) / (2 * math.Pi) }); !(d < 2) {
		t.Errorf("the angles are %v off", d)
	}
}

func TestGeometricOfNoProbability(t *testing.T) {
	x := random.Geometric(random.New(0), weft.Of(-1, 2, math.NaN(), math.Inf(1), 1, 0))
	if !x.Equal(weft.Of(0, 0, 0, 0, 1, math.MaxInt32)) {
		t.Errorf("got %v", x)
	}
}

// Of few degrees of freedom both numbers of the quotient are too small for the type: their
// logarithms are not. The median of F(d, d) is 1.
func TestFOfFewDegreesOfFreedom(t *testing.T) {
	for _, df := range []float64{1e-2, 1e-3} {
		x := random.F(random.New(3), float32(df), float32(df), 4000)
		if weft.IsNaN(x).Any().Bool() {
			t.Errorf("%v degrees of freedom: NaN among the numbers", df)
		}
		if above := x.Gt(1).Mean().Float(); math.Abs(above-0.5) > 4*0.5/math.Sqrt(4000) {
			t.Errorf("%v degrees of freedom: %v of the numbers are above 1, want a half", df, above)
		}
	}
}
