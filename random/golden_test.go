package random_test

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/random"
)

// record is one call of jax.random.
type record struct {
	ID            int
	Fn, Check     string
	X64           bool
	Key           golden.Array
	Args          args
	Out           json.RawMessage
	Exact, Ops    *golden.Array
	UlpOut        float64 `json:"ulp_out"`
	Partitionable *bool
	Error, Src    string
}

// call makes the call of a record.
func call(t *testing.T, r record) weft.Array {
	var k random.Key
	if r.Key.DType != "" {
		k = random.Wrap(weft.FromValue(r.Key.Value()))
	}
	a := r.Args
	shape := a.ints(t, "shape")
	dt := dtypes[a.text("dtype")]
	num := func(name string) weft.Array { return operand(a.number(t, name)) }
	switch r.Fn {
	case "threefry2x32":
		count := num("count")
		n := count.Size()
		if n%2 == 1 {
			count = weft.Concat(0, count, weft.ZerosOf(weft.Uint32, 1))
		}
		half := count.Size() / 2
		words := k.Words()
		y0, y1 := lax.Threefry2x32(words.Index(0), words.Index(1), count.Index(weft.R(0, half)), count.Index(weft.R(half, weft.End)))
		return weft.Concat(0, y0, y1).Index(weft.R(0, n))
	case "key":
		seed, kind := a.text("seed"), a.text("type")
		if kind == "int" || kind == "int64" || kind == "uint64" {
			b, ok := new(big.Int).SetString(seed, 10)
			if !ok {
				t.Fatal(seed)
			}
			if b.IsUint64() {
				return random.New(b.Uint64()).Data
			}
			return random.New(uint64(b.Int64())).Data
		}
		dt := dtypes[map[string]string{"int32": "i32", "uint32": "u32", "int8": "i8", "uint8": "u8", "int16": "i16", "uint16": "u16"}[kind]]
		var n int
		if _, err := fmt.Sscan(seed, &n); err != nil {
			t.Fatal(seed, kind, err)
		}
		return random.FromSeed(lax.ConvertElementType(int64(n), dt)).Data
	case "split":
		if n := a.ints(t, "num_shape"); n != nil {
			return lax.RandomSplit(k.Data, n...)
		}
		var dims []int
		if json.Unmarshal(a["num"], &dims) == nil {
			return lax.RandomSplit(k.Data, dims...)
		}
		return k.SplitN(a.int("num")).Data
	case "fold_in":
		return k.FoldIn(a.number(t, "data")).Data
	case "bits":
		return random.Bits(random.As(k, dt), shape...)
	case "uniform":
		if _, ok := a["minval"]; ok {
			return random.UniformIn(random.As(k, dt), num("minval"), num("maxval"), shape...)
		}
		return random.Uniform(random.As(k, dt), shape...)
	case "randint":
		lo, hi := a.number(t, "minval"), a.number(t, "maxval")
		switch lo := lo.(type) {
		case weft.Array:
			return random.RandInt(random.As(k, dt), lo, hi.(weft.Array), shape...)
		case int:
			if h, ok := hi.(uint64); ok {
				return random.RandInt(random.As(k, dt), lo, h, shape...)
			}
			return random.RandInt(random.As(k, dt), lo, hi.(int), shape...)
		}
	case "bernoulli":
		return random.Bernoulli(k, num("p"), shape...)
	case "rademacher":
		return random.Rademacher(random.As(k, dt), shape...)
	case "permutation":
		c := random.PermutationConfig{Axis: a.int("axis"), Independent: a.flag("independent")}
		if n, ok := a.number(t, "x").(int); ok {
			return random.PermutationAlong(k, n, c)
		}
		return random.PermutationAlong(k, num("x"), c)
	case "choice":
		c := random.ChoiceConfig{Shape: shape, Unique: string(a["replace"]) == "false", Axis: a.int("axis")}
		if _, ok := a["p"]; ok {
			c.P = num("p")
		}
		if n, ok := a.number(t, "a").(int); ok {
			return random.ChoiceFrom(k, n, c)
		}
		return random.ChoiceFrom(k, num("a"), c)
	case "categorical":
		x := num("logits")
		if string(a["replace"]) == "false" {
			return random.CategoricalUnique(k, x, 1).Reshape(shape...)
		}
		if _, ok := a["axis"]; ok {
			return random.CategoricalAlong(k, x, a.int("axis"), shape...)
		}
		return random.Categorical(k, x, shape...)
	case "normal":
		return random.Normal(random.As(k, dt), shape...)
	case "truncated_normal":
		return random.TruncatedNormal(random.As(k, dt), num("lower"), num("upper"), shape...)
	case "exponential":
		return random.Exponential(random.As(k, dt), shape...)
	case "gumbel":
		return random.Gumbel(random.As(k, dt), shape...)
	case "laplace":
		return random.Laplace(random.As(k, dt), shape...)
	case "logistic":
		return random.Logistic(random.As(k, dt), shape...)
	case "cauchy":
		return random.Cauchy(random.As(k, dt), shape...)
	case "gamma":
		return random.Gamma(random.As(k, dt), num("a"), shape...)
	case "loggamma":
		return random.LogGamma(random.As(k, dt), num("a"), shape...)
	case "beta":
		return random.Beta(random.As(k, dt), num("a"), num("b"), shape...)
	case "dirichlet":
		return random.Dirichlet(k, num("alpha"), shape...)
	case "t":
		return random.StudentT(random.As(k, dt), num("df"), shape...)
	case "chisquare":
		return random.ChiSquare(random.As(k, dt), num("df"), shape...)
	case "f":
		return random.F(random.As(k, dt), num("dfnum"), num("dfden"), shape...)
	case "generalized_normal":
		return random.GeneralizedNormal(random.As(k, dt), num("p").Float(), shape...)
	case "ball":
		return random.Ball(random.As(k, dt), a.int("d"), num("p").AsType(weft.Float64).Float(), shape...)
	case "multivariate_normal":
		return random.MultivariateNormal(k, num("mean"), num("cov"), shape...)
	case "lognormal":
		return random.LogNormal(random.As(k, dt), num("sigma"), shape...)
	case "maxwell":
		return random.Maxwell(random.As(k, dt), shape...)
	case "double_sided_maxwell":
		return random.DoubleMaxwell(random.As(k, dt), num("loc"), num("scale"), shape...)
	case "pareto":
		return random.Pareto(random.As(k, dt), num("b"), shape...)
	case "rayleigh":
		return random.Rayleigh(random.As(k, dt), num("scale"), shape...)
	case "triangular":
		return random.Triangular(random.As(k, dt), num("left"), num("mode"), num("right"), shape...)
	case "wald":
		return random.Wald(random.As(k, dt), num("mean"), shape...)
	case "weibull_min":
		return random.Weibull(random.As(k, dt), num("scale"), num("concentration"), shape...)
	case "poisson":
		return random.Poisson(random.As(k, dt), num("lam"), shape...)
	case "binomial":
		return random.Binomial(random.As(k, dt), num("n"), num("p"), shape...)
	case "multinomial":
		return random.Multinomial(random.As(k, dt), num("n"), num("p"), shape...)
	case "orthogonal":
		if _, ok := a["m"]; ok {
			return random.SemiOrthogonal(random.As(k, dt), a.int("n"), a.int("m"), shape...)
		}
		return random.Orthogonal(random.As(k, dt), a.int("n"), shape...)
	case "geometric":
		return random.Geometric(random.As(k, dt), num("p"), shape...)
	}
	t.Fatalf("no call for %s", r.Fn)
	return weft.Array{}
}

// without returns why a record has no call here; "" if it has one.
func without(r record) string {
	switch mode := r.Args.text("mode"); {
	case r.Partitionable != nil && !*r.Partitionable:
		return "the older layout of bits"
	case mode == "high" || mode == "highest":
		return "there is one mode"
	case r.Fn == "multivariate_normal" && r.Args.text("method") != "cholesky":
		return "the covariance's root is Cholesky's"
	case r.Fn == "key" && !r.X64 && r.Error == "" && wide(r.Args.text("seed")):
		return "JAX of 32 bits drops the high word of a seed; its 64-bit twin is held"
	case r.Error != "" && r.Fn == "key":
		return "such seeds do not compile: New takes a uint64"
	case r.Error != "" && r.Fn == "randint":
		return "JAX's numbers are limited to an int of the default width; here they are not: see TestRandIntLimits"
	}
	return ""
}

// wide reports whether a seed has a high word.
func wide(seed string) bool {
	b, ok := new(big.Int).SetString(seed, 10)
	return ok && (b.Sign() < 0 || b.BitLen() > 32)
}

func TestAgainstJAX(t *testing.T) {
	records, whole := golden.Records[record](t, "jax/prng.jsonl")
	done, skipped := map[string]int{}, map[string]int{}
	for _, r := range records {
		if r.Fn == "config" || r.Fn == "program" {
			continue
		}
		if why := without(r); why != "" {
			skipped[why]++
			continue
		}
		t.Run(fmt.Sprintf("%d_%s", r.ID, r.Fn), func(t *testing.T) {
			holds(t, r)
		})
		done[r.Fn]++
	}
	if whole && len(done) < 38 {
		t.Errorf("only %d functions have records", len(done))
	}
	t.Logf("calls by function: %v\nwithout: %v", done, skipped)
}

//go:embed testdata/jax.jsonl
var more []byte // made by testdata/make_jax.py

// Draws of several parameters at once, of which the golden data has few.
func TestOtherSamplersAgainstJAX(t *testing.T) {
	done := map[string]int{}
	for line := range bytes.Lines(more) {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		if r.Fn == "config" {
			continue
		}
		t.Run(fmt.Sprintf("%d_%s", r.ID, r.Fn), func(t *testing.T) { holds(t, r) })
		done[r.Fn]++
	}
	if done["binomial"] < 6 || done["multinomial"] < 4 || done["orthogonal"] < 16 {
		t.Errorf("calls by function: %v", done)
	}
}

// holds compares the numbers of a record with those that are drawn here.
func holds(t *testing.T, r record) {
	t.Helper()
	var got weft.Array
	run := func() { got = call(t, r) }
	if r.X64 {
		weft.With(weft.DefaultBits(64), run)
	} else {
		run()
	}
	var out golden.Array
	if err := json.Unmarshal(r.Out, &out); err != nil {
		t.Fatal(err)
	}
	want, ulps := out, 0.0
	if r.Ops != nil {
		want = *r.Ops
	}
	if r.Check == "close" {
		ulps = tolerance(r)
	}
	if r.Exact != nil {
		want = *r.Exact
	}
	magnitude := 0.
	switch {
	case r.Fn == "orthogonal": // the elements are those of vectors of length 1
		magnitude = 1
	case r.Fn == "gumbel" && r.Exact == nil: // JAX rounds −log u, which is near 1 where the result is near 0
		magnitude = 1
	case r.Fn == "loggamma": // the logarithm of a number near 1, which is rounded, is near 0
		magnitude = 1
	case r.Fn == "truncated_normal" && r.Check == "close":
		nearTruncated(t, r, got, want)
		return
	}
	if why := golden.CompareAt(got.Value(), want, ulps, magnitude); why != "" {
		t.Errorf("%s%s: %s (JAX is %.3g ulps off)", r.Fn, r.Args, why, r.UlpOut)
	}
}

// accuracy is, by function, how many ulps the farthest sample is off. Functions that are not listed
// are compared with the exact value for the exact uniform number, or round once.
var accuracy = map[string]float64{
	"cauchy": 3, "normal": 3, "gumbel": 2, "logistic": 1, "pareto": 1, "rayleigh": 1, "generalized_normal": 2, "maxwell": 3,
	"double_sided_maxwell": 4, "wald": 4, "ball": 4, "lognormal": 6, // exp of a normal sample, whose error it multiplies by the sample
	// Samples by rejection: a normal sample squared and cubed, times a power of a uniform one.
	"gamma": 6, "loggamma": 4, "chisquare": 5, "f": 5, "dirichlet": 8, "multivariate_normal": 8,
	"beta": 12, // the smaller of two samples, divided by the sum
	"t":    21, // XLA's erf_inv in f64, by which the normal sample goes, is up to 21 ulps off

	"orthogonal": 18, // 3 ulps of the normals, times the condition of the matrix: up to 90
}

// tolerance returns the ulps that a sample may be off.
func tolerance(r record) float64 {
	if r.Exact != nil && r.Fn == "normal" {
		return 2
	}
	return accuracy[r.Fn]
}

// nearTruncated compares samples of a truncated normal distribution. JAX inverts erf where it is
// near 1: an ulp of erf moves x by √(π/2)·e^(x²/2) ulps of 1.
func nearTruncated(t *testing.T, r record, got weft.Array, want golden.Array) {
	t.Helper()
	if lower := string(r.Args["lower"]); lower == "3.0" && got.DType().Size() == 2 {
		// From 3 on, erf has two values in f16 and bf16, and so have JAX's samples. They
		// determine the interval only.
		if x := weft.Abs(got.Sub(3.5)); x.Max().Float() > 0.5 {
			t.Errorf("%s%s: got %v, want numbers between 3 and 4", r.Fn, r.Args, got)
		}
		return
	}
	size, inverse := want.Type().DType.Size()*2, 3. // hex digits of an element, ulps of erf_inv
	if got.DType() == weft.Float64 {
		inverse = 7 // XLA's erf_inv is up to 21 ulps off
	}
	for i := range got.Size() {
		element := golden.Array{DType: want.DType, Bits: want.Bits[i*size : (i+1)*size]}
		x := golden.Largest(element)
		if why := golden.CompareAt(got.Index(i).Value(), element, inverse+2*math.Sqrt(math.Pi/2)*math.Exp(x*x/2), 0); why != "" {
			t.Errorf("%s%s: sample %d: %s", r.Fn, r.Args, i, why)
		}
	}
}
