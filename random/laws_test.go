package random_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/promote"
	"github.com/weft-go/weft/random"
)

// samplers call each sampler once, for f32 or the default integer.
var samplers = map[string]func(k random.Key, dims ...int) weft.Array{
	"Bits": random.Bits, "Uniform": random.Uniform, "Normal": random.Normal, "Rademacher": random.Rademacher,
	"Exponential": random.Exponential, "Gumbel": random.Gumbel, "Laplace": random.Laplace,
	"Logistic": random.Logistic, "Cauchy": random.Cauchy, "Maxwell": random.Maxwell,
	"UniformIn":       func(k random.Key, d ...int) weft.Array { return random.UniformIn(k, -1., 3., d...) },
	"RandInt":         func(k random.Key, d ...int) weft.Array { return random.RandInt(k, -5, 50, d...) },
	"Bernoulli":       func(k random.Key, d ...int) weft.Array { return random.Bernoulli(k, 0.3, d...) },
	"TruncatedNormal": func(k random.Key, d ...int) weft.Array { return random.TruncatedNormal(k, -1., 2., d...) },
	"LogNormal":       func(k random.Key, d ...int) weft.Array { return random.LogNormal(k, 0.5, d...) },
	"Choice":          func(k random.Key, d ...int) weft.Array { return random.Choice(k, 7, d...) },
	"Categorical":     func(k random.Key, d ...int) weft.Array { return random.Categorical(k, weft.Of(0., 1, 2), d...) },
	"Gamma":           func(k random.Key, d ...int) weft.Array { return random.Gamma(k, 0.7, d...) },
	"LogGamma":        func(k random.Key, d ...int) weft.Array { return random.LogGamma(k, 3., d...) },
	"Beta":            func(k random.Key, d ...int) weft.Array { return random.Beta(k, 2., 3., d...) },
	"Dirichlet":       func(k random.Key, d ...int) weft.Array { return random.Dirichlet(k, weft.Of(1., 2, 3), d...) },
	"StudentT":        func(k random.Key, d ...int) weft.Array { return random.StudentT(k, 4., d...) },
	"ChiSquare":       func(k random.Key, d ...int) weft.Array { return random.ChiSquare(k, 3., d...) },
	"F":               func(k random.Key, d ...int) weft.Array { return random.F(k, 3., 7., d...) },
	"GeneralizedNormal": func(k random.Key, d ...int) weft.Array {
		return random.GeneralizedNormal(k, 1.5, d...)
	},
	"Ball":          func(k random.Key, d ...int) weft.Array { return random.Ball(k, 3, 2, d...) },
	"Poisson":       func(k random.Key, d ...int) weft.Array { return random.Poisson(k, 4., d...) },
	"PoissonMany":   func(k random.Key, d ...int) weft.Array { return random.Poisson(k, 40., d...) },
	"Geometric":     func(k random.Key, d ...int) weft.Array { return random.Geometric(k, 0.3, d...) },
	"Pareto":        func(k random.Key, d ...int) weft.Array { return random.Pareto(k, 3., d...) },
	"Rayleigh":      func(k random.Key, d ...int) weft.Array { return random.Rayleigh(k, 2., d...) },
	"Weibull":       func(k random.Key, d ...int) weft.Array { return random.Weibull(k, 2., 1.5, d...) },
	"Wald":          func(k random.Key, d ...int) weft.Array { return random.Wald(k, 2., d...) },
	"Triangular":    func(k random.Key, d ...int) weft.Array { return random.Triangular(k, 0., 1., 3., d...) },
	"DoubleMaxwell": func(k random.Key, d ...int) weft.Array { return random.DoubleMaxwell(k, 1., 2., d...) },
	"MultivariateNormal": func(k random.Key, d ...int) weft.Array {
		return random.MultivariateNormal(k, weft.Of(1., 2), weft.Of(2., .5, .5, 1).Reshape(2, 2), d...)
	},
	"TruncatedFarOut": func(k random.Key, d ...int) weft.Array { return random.TruncatedNormal(k, 6., 8., d...) },
	"Binomial":        func(k random.Key, d ...int) weft.Array { return random.Binomial(k, 12, 0.3, d...) },
	"BinomialMany":    func(k random.Key, d ...int) weft.Array { return random.Binomial(k, 100, 0.6, d...) },
	"Multinomial": func(k random.Key, d ...int) weft.Array {
		return random.Multinomial(k, 20, weft.Of(0.2, 0.3, 0.5), d...)
	},
	"Orthogonal":     func(k random.Key, d ...int) weft.Array { return random.Orthogonal(k, 3, d...) },
	"SemiOrthogonal": func(k random.Key, d ...int) weft.Array { return random.SemiOrthogonal(k, 2, 4, d...) },
	"Permutation": func(k random.Key, d ...int) weft.Array {
		return random.Permutation(k, weft.Shape(d).Size()).Reshape(d...)
	},
}

// A sampler of floats draws the type that As chose.
func TestTypesOfSamplers(t *testing.T) {
	for name, f := range samplers {
		k := random.New(1)
		if dt := f(k, 2, 3).DType(); dt != weft.Float32 && dt != weft.Float64 {
			continue
		}
		for _, want := range []weft.DType{weft.Float32, weft.Float64} {
			if got := f(random.As(k, want), 2, 3).DType(); got != want {
				t.Errorf("%s: got %v, want %v", name, got, want)
			}
		}
	}
}

// A sampler returns the same bits under every transformation and setting.
func TestTransformed(t *testing.T) {
	for name, f := range samplers {
		t.Run(name, func(t *testing.T) {
			draw := func(k random.Key) weft.Array { return f(k, 2, 3) }
			ks := random.New(3).SplitN(4)
			want := make([]weft.Array, 4)
			for i := range want {
				want[i] = draw(ks.At(i))
			}
			stacked := weft.Stack(0, want...)
			if got := weft.Jit(draw)(ks.At(1)); !got.Equal(want[1]) {
				t.Errorf("Jit: %v, want %v", got, want[1])
			}
			if got := weft.Vmap(draw)(ks); !got.Equal(stacked) {
				t.Errorf("Vmap: %v, want %v", got, stacked)
			}
			if got := weft.Jit(weft.Vmap(draw))(ks); !got.Equal(stacked) {
				t.Errorf("Jit of Vmap: %v, want %v", got, stacked)
			}
			_, got := weft.Scan(func(c weft.Array, k random.Key) (weft.Array, weft.Array) { return c, draw(k) }, weft.Scalar(0), ks)
			if !got.Equal(stacked) {
				t.Errorf("Scan: %v, want %v", got, stacked)
			}
			for _, system := range []promote.System{promote.MAX, promote.NumPy, promote.PyTorch} {
				weft.With(weft.Promotion(system), func() {
					if got := draw(ks.At(2)); !got.Equal(want[2]) {
						t.Errorf("%s: %v, want %v", system.Name(), got, want[2])
					}
				})
			}
			weft.With(weft.RankPromotion(weft.Raise), func() {
				if got := draw(ks.At(2)); !got.Equal(want[2]) {
					t.Errorf("RankPromotion(Raise): %v, want %v", got, want[2])
				}
			})
		})
	}
}

// Samples that are smooth functions of parameters have their derivatives.
func TestDerivatives(t *testing.T) {
	k := random.New(5)
	u := random.Uniform(random.As(k, weft.Float64)).Float()
	z := random.Normal(random.As(k, weft.Float64)).Float()
	e := random.Exponential(random.As(k, weft.Float64)).Float()
	at, a := weft.FromSlice([]float64{1.7}).Reshape(), 1.7
	for _, c := range []struct {
		name string
		f    func(x weft.Array) weft.Array
		want float64
	}{
		{"UniformIn by hi", func(x weft.Array) weft.Array { return random.UniformIn(k, 0., x) }, u},
		{"UniformIn by lo", func(x weft.Array) weft.Array { return random.UniformIn(k, x, 2.) }, 1 - u},
		{"LogNormal", func(x weft.Array) weft.Array { return random.LogNormal(k, x) }, z * math.Exp(a*z)},
		{"Pareto", func(x weft.Array) weft.Array { return random.Pareto(k, x) }, -e / (a * a) * math.Exp(e/a)},
		{"Weibull", func(x weft.Array) weft.Array { return random.Weibull(k, x, 2.) }, math.Sqrt(e)},
		{"Rayleigh", func(x weft.Array) weft.Array { return random.Rayleigh(k, x) }, math.Sqrt(-2 * math.Log(u))},
		{"DoubleMaxwell", func(x weft.Array) weft.Array { return random.DoubleMaxwell(k, x, 2.) }, 1},
		{"Bernoulli", func(x weft.Array) weft.Array { return random.Bernoulli(k, x).AsType(weft.Float64) }, 0},
		{"Poisson", func(x weft.Array) weft.Array { return random.Poisson(k, x).AsType(weft.Float64) }, 0},
		{"Normal", func(x weft.Array) weft.Array { return x.Mul(random.Normal(random.As(k, weft.Float64))) }, z},
	} {
		testcheck.Near(t, c.name, weft.Grad(c.f)(at).Float(), c.want, 1e-12)
	}
	// The slope of a truncated sample, by differences.
	f := func(x weft.Array) weft.Array { return random.TruncatedNormal(k, -0.5, x) }
	const h = 1e-6
	want := (f(at.Add(h)).Float() - f(at.Sub(h)).Float()) / (2 * h)
	testcheck.Within(t, "TruncatedNormal", weft.Grad(f)(at).Float(), want, 1e-6)
	if want == 0 {
		t.Error("the slope of TruncatedNormal by differences is 0")
	}
}

// Samples have the moments of their distributions: means of 8,000 are within 5 standard errors.
func TestMoments(t *testing.T) {
	const n = 8000
	k := random.New(11)
	for _, c := range []struct {
		name           string
		x              weft.Array
		mean, variance float64
	}{
		{"Uniform", random.Uniform(k, n), 0.5, 1. / 12},
		{"Normal", random.Normal(k, n), 0, 1},
		{"f64 Normal", random.Normal(random.As(k, weft.Float64), n), 0, 1},
		{"TruncatedNormal", random.TruncatedNormal(k, -1., 1., n), 0, 0.29112509},
		{"Exponential", random.Exponential(k, n), 1, 1},
		{"Gumbel", random.Gumbel(k, n), 0.5772156649, math.Pi * math.Pi / 6},
		{"Laplace", random.Laplace(k, n), 0, 2},
		{"Logistic", random.Logistic(k, n), 0, math.Pi * math.Pi / 3},
		{"Rademacher", random.Rademacher(k, n).AsType(weft.Float32), 0, 1},
		{"Bernoulli", random.Bernoulli(k, 0.3, n).AsType(weft.Float32), 0.3, 0.21},
		{"RandInt", random.RandInt(k, -3, 7, n).AsType(weft.Float32), 1.5, 99. / 12},
		{"Choice", random.Choice(k, 5, n).AsType(weft.Float32), 2, 2},
		{"Gamma", random.Gamma(k, 0.7, n), 0.7, 0.7},
		{"Gamma 5", random.Gamma(k, 5., n), 5, 5},
		{"Beta", random.Beta(k, 2., 3., n), 0.4, 0.04},
		{"ChiSquare", random.ChiSquare(k, 3., n), 3, 6},
		{"StudentT", random.StudentT(k, 8., n), 0, 8. / 6},
		{"Poisson", random.Poisson(k, 4., n).AsType(weft.Float32), 4, 4},
		{"Poisson 40", random.Poisson(k, 40., n).AsType(weft.Float32), 40, 40},
		{"Binomial", random.Binomial(k, 12, 0.3, n), 3.6, 2.52},
		{"Binomial 200", random.Binomial(k, 200, 0.7, n), 140, 42},
		{"f16 Binomial", random.Binomial(random.As(k, weft.Float16), 200, 0.7, n).AsType(weft.Float32), 140, 42},
		{"Multinomial", random.Multinomial(k, 30, weft.Of(1., 2, 2), n).Index("...", 1), 12, 7.2},
		{"Orthogonal", random.Orthogonal(k, 4, n).Index("...", 1, 2), 0, 0.25},
		{"Geometric", random.Geometric(k, 0.3, n).AsType(weft.Float32), 1 / 0.3, 0.7 / 0.09},
		{"LogNormal", random.LogNormal(k, 0.5, n), math.Exp(0.125), (math.Exp(0.25) - 1) * math.Exp(0.25)},
		{"Maxwell", random.Maxwell(k, n), 2 * math.Sqrt(2/math.Pi), 3 - 8/math.Pi},
		{"Rayleigh", random.Rayleigh(k, 2., n), 2 * math.Sqrt(math.Pi/2), (4 - math.Pi) / 2 * 4},
		{"Triangular", random.Triangular(k, 0., 1., 3., n), 4. / 3, 7. / 18},
		{"Wald", random.Wald(k, 2., n), 2, 8},
		{"1/Wald of a large mean", weft.Reciprocal(random.Wald(k, 1e6, n)), 1 + 1e-6, 2 + 1e-6},
		{"1/Wald of a mean whose square is infinite", weft.Reciprocal(random.Wald(k, 1e20, n)), 1, 2},
		{"f16 1/Wald", weft.Reciprocal(random.Wald(random.As(k, weft.Float16), 100., n).AsType(weft.Float32)), 1.01, 2.01},
		{"f16 1/Wald of 300", weft.Reciprocal(random.Wald(random.As(k, weft.Float16), 300., n).AsType(weft.Float32)), 1 + 1./300, 2 + 1./300},
		{"f16 1/Wald of 20,000", weft.Reciprocal(random.Wald(random.As(k, weft.Float16), 2e4, n).AsType(weft.Float32)), 1, 2},
		{"f16 GeneralizedNormal, nearly uniform", random.GeneralizedNormal(random.As(k, weft.Float16), 2e4, n).AsType(weft.Float32), 0, 1. / 3},
		{"bf16 1/Wald", weft.Reciprocal(random.Wald(random.As(k, weft.BFloat16), 10., n).AsType(weft.Float32)), 1.1, 2.1},
		{"GeneralizedNormal, uniform", random.GeneralizedNormal(k, math.Inf(1), n), 0, 1. / 3},
		{"f16 GeneralizedNormal, uniform", random.GeneralizedNormal(random.As(k, weft.Float16), 1e5, n).AsType(weft.Float32), 0, 1. / 3},
		{"GeneralizedNormal, nearly uniform", random.GeneralizedNormal(k, 1000, n), 0, 1. / 3},
		{"Weibull", random.Weibull(k, 2., 1.5, n), 2 * math.Gamma(1+1/1.5), 4 * (math.Gamma(1+2/1.5) - math.Pow(math.Gamma(1+1/1.5), 2))},
		{"Ball", random.Ball(k, 2, 2, n).Index("...", 0), 0, 0.25},
	} {
		mean, dev := c.x.Mean().AsType(weft.Float64).Float(), math.Sqrt(c.variance/n)
		if !(math.Abs(mean-c.mean) <= 5*dev) {
			t.Errorf("%s: mean %v, want %v ± %v", c.name, mean, c.mean, dev)
		}
		if v := c.x.Var().AsType(weft.Float64).Float(); !(math.Abs(v/c.variance-1) <= 0.25) {
			t.Errorf("%s: variance %v, want %v", c.name, v, c.variance)
		}
	}
	if r := weft.Square(random.Ball(k, 3, 2, n)).Sum(-1).Max().Float(); r > 1 || r < 0.99 {
		t.Errorf("Ball reaches as far as %v, want 1", r)
	}
}

// Derivatives in the mean are finite where its square, or its inverse's, is not.
func TestWaldGradients(t *testing.T) {
	for _, dt := range []weft.DType{weft.Float16, weft.Float32} {
		for _, mean := range []float64{1e-3, 1e-21, 1, 100, 1e20} {
			if dt == weft.Float16 && (mean < 1e-7 || mean > 65504) {
				continue
			}
			m := weft.Of(mean).AsType(dt).Index(0)
			f := func(m weft.Array) weft.Array {
				return weft.Reciprocal(random.Wald(random.As(random.New(1), dt), m, 1000).Add(1)).Sum()
			}
			if g := weft.Grad(f)(m); !weft.IsFinite(g).Bool() {
				t.Errorf("%v: derivative %v at the mean %v", dt, g, mean)
			}
		}
	}
}

// The limits of a type are reached and not left.
func TestRandIntLimits(t *testing.T) {
	k := random.New(8)
	for _, c := range []struct {
		dt       weft.DType
		lo, hi   int64
		min, max int64
	}{
		{weft.Uint8, 0, 256, 0, 255},
		{weft.Int8, -128, 128, -128, 127},
		{weft.Int8, 120, 128, 120, 127},
		{weft.Uint8, 250, 255, 250, 254},
	} {
		x := random.RandInt(random.As(k, c.dt), c.lo, c.hi, 20000)
		if lo, hi := int64(x.Min().AsType(weft.Int32).Int()), int64(x.Max().AsType(weft.Int32).Int()); lo != c.min || hi != c.max || x.DType() != c.dt {
			t.Errorf("%v from %d to %d: got %d to %d of %v", c.dt, c.lo, c.hi, lo, hi, x.DType())
		}
	}
	// The whole of the widest types.
	for _, x := range []weft.Array{
		random.RandInt(random.As(k, weft.Int32), int64(math.MinInt32), int64(1)<<31, 4000),
		random.RandInt(random.As(k, weft.Int64), int64(math.MinInt64), uint64(1)<<63, 4000),
		random.RandInt(random.As(k, weft.Uint32), 0, int64(1)<<32, 4000),
		random.RandInt(random.As(k, weft.Uint64), 0, uint64(math.MaxUint64), 4000),
	} {
		top := math.Pow(2, float64(x.DType().Bits()))
		f := x.AsType(weft.Float64)
		if span := f.Max().Float() - f.Min().Float(); span < 0.99*top {
			t.Errorf("%v spans %v of %v", x.DType(), span, top)
		}
	}
	// Bounds in arrays of a wider type act as Go's numbers do, also one more than the largest.
	for _, c := range []struct {
		dt weft.DType
		hi weft.Array
		n  uint64
	}{
		{weft.Int32, weft.Scalar(int64(1) << 31), 1 << 31},
		{weft.Uint32, weft.Scalar(uint64(1) << 32), 1 << 32},
		{weft.Int64, weft.Scalar(uint64(1) << 63), 1 << 63},
		{weft.Int32, weft.Scalar(int64(math.MaxInt32)), math.MaxInt32},
		{weft.Uint32, weft.Scalar(int64(1) << 31), 1 << 31},
	} {
		for _, lo := range []uint64{0, c.n - 2} {
			got, want := random.RandInt(random.As(k, c.dt), lo, c.hi, 100), random.RandInt(random.As(k, c.dt), lo, c.n, 100)
			if !got.Equal(want) {
				t.Errorf("%v from %d to the array %v: got %v, want %v", c.dt, lo, c.hi, got, want)
			}
		}
	}
	// Bounds that are Arrays are clamped to the limits.
	if x := random.RandInt(random.As(k, weft.Int8), weft.Scalar(-1000), weft.Scalar(1000), 5000); x.Min().AsType(weft.Int32).Int() != -128 || x.Max().AsType(weft.Int32).Int() != 127 {
		t.Errorf("bounds beyond i8 give %v to %v", x.Min(), x.Max())
	}
	if x := random.RandInt(k, weft.Of(0, 10, 20), weft.Of(1, 11, 21)); !x.Equal(weft.Of(0, 10, 20)) {
		t.Errorf("one number a range returns %v", x)
	}
}

// A draw without repetition repeats no element; if it is as large as the population, it contains
// every element.
func TestUnique(t *testing.T) {
	k := random.New(2)
	for _, x := range []weft.Array{
		random.Permutation(k, 1000),
		random.ChoiceFrom(k, 1000, random.ChoiceConfig{Shape: []int{1000}, Unique: true}),
		random.ChoiceFrom(k, 1000, random.ChoiceConfig{Shape: []int{1000}, Unique: true, P: weft.Full(weft.Shape{1000}, 0.001)}),
		random.CategoricalUnique(k, weft.Zeros(1000), 1000),
	} {
		if !x.Sort().Equal(weft.Arange(1000)) || x.Equal(weft.Arange(1000)) {
			t.Errorf("no order of 1000 numbers, or no random one: %v", x)
		}
	}
	// Elements of probability 0 are not drawn.
	x := random.ChoiceFrom(k, 4, random.ChoiceConfig{Shape: []int{500}, P: weft.Of(0, 0.5, 0, 0.5)})
	if n := x.Mod(2).Sum().Int(); n != 500 {
		t.Errorf("%d of 500 draws are 1 or 3", n)
	}
	if d := weft.Abs(x.Eq(1).Sum().Sub(250)).Int(); d > 60 {
		t.Errorf("1 came %d times more or less than half", d)
	}
}

// Many elements are shuffled in several rounds, each with other bits: the first elements are JAX's.
func TestPermutationOfMany(t *testing.T) {
	got := weft.ToSlice[int32](random.Permutation(random.New(1), 2000))
	for i, want := range []int32{1308, 942, 1831, 539, 868, 726, 59, 1314} {
		if got[i] != want {
			t.Errorf("place %d: got %d, want %d", i, got[i], want)
		}
	}
}

func TestSampleSizeLimits(t *testing.T) {
	k := random.New(1)
	for want, f := range map[string]func(){
		"do not fit in memory":             func() { random.Normal(k, 1<<20, 1<<20, 1<<10) },
		"hold a negative one":              func() { random.Normal(k, -1) },
		"a mean of n numbers goes with a ": func() { random.MultivariateNormal(k, weft.Scalar(1.), weft.Ones(1, 1)) },
	} {
		if _, err := weft.Try(func() int { f(); return 0 }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
