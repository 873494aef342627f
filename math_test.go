package weft_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/stats"
)

// Each function returns the same eagerly, under Jit, and under Vmap, which is compared with a loop.
func TestFunctionsUnderTransformations(t *testing.T) {
	x := weft.Of(0.5, -1.5, 2.25, 0.75, -0.25, 1.5).Reshape(2, 3)
	pos := weft.Abs(x).Add(0.5)
	ints := weft.Of(4, 6, 9, 2, 0, 3).Reshape(2, 3)
	one := func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array { return f }
	for _, c := range []struct {
		name string
		x    weft.Array
		f    func(weft.Array) weft.Array
	}{
		{"RoundTo", x, func(x weft.Array) weft.Array { return weft.Round(x.Add(0.03), 1) }},
		{"Angle", x, weft.Angle}, {"NaNToNum", x, weft.NaNToNum}, {"Signbit", x, weft.Signbit},
		{"Copysign", x, func(x weft.Array) weft.Array { return weft.Copysign(3., x) }},
		{"Heaviside", x, func(x weft.Array) weft.Array { return weft.Heaviside(x, 0.5) }},
		{"Ldexp", x, func(x weft.Array) weft.Array { return weft.Ldexp(x, 3) }},
		{"Gcd", ints, func(x weft.Array) weft.Array { return weft.Gcd(x, 6) }},
		{"Lcm", ints, func(x weft.Array) weft.Array { return weft.Lcm(x, 6) }},
		{"Sinc", x, weft.Sinc},
		{"Median", x, func(x weft.Array) weft.Array { return weft.Median(x) }},
		{"Quantile", x, func(x weft.Array) weft.Array { return weft.Quantile(x, weft.Of(0.25, 0.6), weft.QuantileConfig{}) }},
		{"Cov", x, func(x weft.Array) weft.Array { return stats.Cov(weft.Stack(0, x, weft.Square(x))) }},
		{"Diag", x, func(x weft.Array) weft.Array { return weft.Diag(x) }},
		{"Vander", x, func(x weft.Array) weft.Array { return weft.Vander(x, 3) }},
		{"Polyval", x, func(x weft.Array) weft.Array { return weft.Polyval(weft.Of(1., 2, 3), x) }},
		{"Rot90", x, func(x weft.Array) weft.Array { return weft.Rot90(weft.Outer(x, x), 1) }},
		{"Diff", x, func(x weft.Array) weft.Array { return weft.Diff(x) }},
		{"Gradient", x, func(x weft.Array) weft.Array { return weft.CentralDiff(x) }},
		{"Pad", x, func(x weft.Array) weft.Array {
			return weft.Pad(x, [][2]int{{2, 1}}, weft.PadConfig{Mode: weft.PadReflect})
		}},
		{"TopK", x, func(x weft.Array) weft.Array { v, _ := weft.TopK(x, 2); return v }},
		{"SearchSorted", x, func(x weft.Array) weft.Array { return weft.SearchSorted(weft.Of(-1., 0, 1), x, weft.Left) }},
		{"UniqueSize", x, func(x weft.Array) weft.Array { return weft.UniqueSize(x, 2) }},
		{"Bincount", ints, func(x weft.Array) weft.Array { return weft.Bincount(x, 7) }},
		{"Histogram", x, func(x weft.Array) weft.Array { c, _ := weft.Histogram(x, 4, -2, 2); return c }},
		{"Interp", x, func(x weft.Array) weft.Array { return weft.Interp(x, weft.Of(-1., 0, 2), weft.Of(1., 3, 2)) }},
		{"Convolve", x, func(x weft.Array) weft.Array { return nn.Convolve(x, weft.Of(1., 2), nn.ConvSame) }},
		{"SegmentSum", x, func(x weft.Array) weft.Array { return weft.SegmentReduce(x, weft.Of(0, 2, 0), 3, weft.ReduceSum) }},
		{"SegmentMax", x, func(x weft.Array) weft.Array { return weft.SegmentReduce(x, weft.Of(0, 1, 0), 2, weft.ReduceMax) }},
		{"Selu", x, nn.Selu}, {"Mish", x, nn.Mish}, {"LogSigmoid", x, nn.LogSigmoid}, {"SquarePlus", x, nn.SquarePlus},
		{"Celu", x, func(x weft.Array) weft.Array { return nn.Celu(x, 0.5) }},
		{"Standardize", x, one(func(x weft.Array) weft.Array { return nn.Standardize(x) })},
		{"CrossEntropy", x, func(x weft.Array) weft.Array { return nn.CrossEntropy(x, weft.Scalar(1)) }},
		{"SigmoidCrossEntropy", x, func(x weft.Array) weft.Array { return nn.SigmoidCrossEntropy(x, weft.Of(0., 1, 0.5)) }},
		{"Huber", x, func(x weft.Array) weft.Array { return nn.Huber(x, weft.Of(0., 1, 0.5), 0.3) }},
		{"LogCosh", x, func(x weft.Array) weft.Array { return nn.LogCosh(x, weft.Of(0., 1, 0.5)) }},
		{"KLDivergence", pos, func(x weft.Array) weft.Array { return nn.KLDivergence(nn.LogSoftmax(x), weft.Of(0.5, 0, 0.5)) }},
		{"CosineSimilarity", x, func(x weft.Array) weft.Array { return nn.CosineSimilarity(x, weft.Of(1., 2, 3)) }},
		{"MaxPool", x, func(x weft.Array) weft.Array {
			return nn.MaxPool(x, nn.PoolConfig{Window: []int{2}, Strides: []int{1}})
		}},
		{"AvgPool", x, func(x weft.Array) weft.Array { return nn.AvgPool(x, nn.PoolConfig{Window: []int{2}, Same: true}) }},
		{"Norm", x, func(x weft.Array) weft.Array { return weft.Norm(x) }},
		{"View", x, func(x weft.Array) weft.Array { return x.View(weft.Int16) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			whole := weft.Vmap(c.f)(c.x)
			for i, row := range c.x.Rows() {
				eager := c.f(row)
				if jitted := weft.Jit(c.f)(row); !jitted.Equal(eager) {
					t.Errorf("under Jit %v, eagerly %v", jitted, eager)
				}
				if got := whole.Index(i); !got.Equal(eager) {
					t.Errorf("row %d under Vmap %v, alone %v", i, got, eager)
				}
			}
			if y := c.f(c.x.Index(0)); !y.DType().IsInexact() {
				return
			}
			scalar := func(x weft.Array) weft.Array { return weft.Sin(c.f(x).AsType(weft.Float64)).Sum() }
			at := c.x.Index(0).AsType(weft.Float64)
			g := weft.Grad(scalar)(at)
			const h = 1e-6
			for i := range at.Len() {
				d := scalar(at.At(i).Add(h)).Float() - scalar(at.At(i).Add(-h)).Float()
				got := g.Index(i).Float()
				// Difference quotients divide rounding errors of some ε by 2h.
				testcheck.Within(t, fmt.Sprintf("derivative %d by differences", i), d/(2*h), got, 1e-9*(1+math.Abs(got)))
			}
		})
	}
}

// Where two branches of a formula meet, the derivative is that of the function.
func TestDerivativesWhereBranchesMeet(t *testing.T) {
	for name, c := range map[string]struct {
		f    func(weft.Array) weft.Array
		want float64
	}{
		"Softplus":   {nn.Softplus, 0.5},
		"LogSigmoid": {nn.LogSigmoid, 0.5},
		"LogAddExp":  {func(x weft.Array) weft.Array { return weft.LogAddExp(x, x) }, 1},
		"LogCosh":    {func(x weft.Array) weft.Array { return nn.LogCosh(x, weft.Scalar(0.)) }, 0},
		"Mish":       {nn.Mish, 0.6},
		"SquarePlus": {nn.SquarePlus, 0.5},
		"Sinc":       {weft.Sinc, 0},
		"Elu":        {nn.Elu, 1},
		"Huber":      {func(x weft.Array) weft.Array { return nn.Huber(x, weft.Scalar(0.), 1) }, 0},
		"Silu":       {nn.Silu, 0.5},
		"Gelu":       {nn.Gelu, 0.5},
		"GeluTanh":   {nn.GeluTanh, 0.5},
		"crossed": {func(x weft.Array) weft.Array {
			return nn.SigmoidCrossEntropy(x, weft.Scalar(1.))
		}, -0.5},
	} {
		testcheck.Within(t, name+": the derivative at 0", weft.Grad(c.f)(weft.Scalar(0.)).Float(), c.want, 0x1p-24)
	}
	testcheck.Within(t, "the second derivative of Sinc at 0", weft.Hessian(weft.Sinc)(weft.Scalar(0.)).Float(), -math.Pi*math.Pi/3, 0x1p-22)
	for _, x := range []float64{math.Inf(1), math.Inf(-1)} {
		if got := weft.LogAddExp(weft.Scalar(x), weft.Scalar(x)).Float(); got != x {
			t.Errorf("LogAddExp of two %g is %g", x, got)
		}
	}
}

// Mistakes are refused by a message that names the function and the fix.
func TestFunctionsRefuse(t *testing.T) {
	x := weft.Arange(6.).Reshape(2, 3)
	for want, f := range map[string]func(){
		"Pad: got 3 pairs of widths for the 2 axes":            func() { weft.Pad(x, make([][2]int, 3), weft.PadConfig{}) },
		"Pad: axis 0 of f32[0] is empty":                       func() { weft.Pad(weft.Zeros(0), [][2]int{{1, 1}}, weft.PadConfig{Mode: weft.PadEdge}) },
		"TopK: f32[2,3] has no 4 elements along its last axis": func() { weft.TopK(x, 4) },
		"Median: complex numbers have no order":                func() { weft.Median(weft.Of(1i)) },
		"Take: the positions must be integers":                 func() { weft.Take(x, weft.Of(0.5)) },
		"SplitEvenly: axis 1 of f32[2,3] has 3 elements":       func() { weft.SplitEvenly(x, 1, 2) },
		"SplitEvenly: axis 0 of f32[2,3] has 2 elements":       func() { weft.SplitEvenly(x, 0, 0) },
		"SplitEvenly: axis 1 of f32[2,3] has 3 elements, ":     func() { weft.SplitEvenly(x, 1, -1) },
		"SegmentReduce: needs an id for each part":             func() { weft.SegmentReduce(x, weft.Of(0, 1, 2), 2, weft.ReduceSum) },
		"Reduce: Where may leave no element":                   func() { weft.Reduce(x, weft.ReduceConfig{Op: weft.ReduceMax, Where: x.Gt(1)}) },
		"MaxPool: Window has 3 sizes for the 2 axes":           func() { nn.MaxPool(x, nn.PoolConfig{Window: []int{1, 1, 1}}) },
		"Cross: vectors must have 2 or 3 components":           func() { weft.Cross(weft.Ones(4), weft.Ones(4)) },
		"Tensordot: got 2 axes of x and 1":                     func() { weft.Tensordot(x, x, []int{0, 1}, []int{0}) },
		"Histogram: needs one bin or more and lo < hi":         func() { weft.Histogram(x, 0, 0, 1) },
		"Interp: the points are two vectors of one size":       func() { weft.Interp(x, weft.Ones(3), weft.Ones(2)) },
		"View: the 3 elements of the last axis cannot fill":    func() { x.View(weft.Float64) },
		"Gcd: is of integers":                                  func() { weft.Gcd(x, x) },
	} {
		_, err := weft.Try(func() int { f(); return 0 })
		if err == nil || !containsAll(err.Error(), want, "math_test.go:") {
			t.Errorf("got %v, want %q at a line of this file", err, want)
		}
	}
}

func TestAngleOfComplexNumbers(t *testing.T) {
	got := weft.ToSlice[float32](weft.Angle(weft.Of(2, 1+1i, 3i, -2)))
	for i, want := range []float64{0, math.Pi / 4, math.Pi / 2, math.Pi} {
		testcheck.Within(t, fmt.Sprintf("angle %d", i), float64(got[i]), want, 0x1p-23)
	}
}

func containsAll(s string, parts ...string) bool {
	return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(s, p) })
}

func TestRsqrt(t *testing.T) {
	if got := weft.Rsqrt(weft.Of(1., 4, 0)).String(); got != "[1.  0.5 inf]" {
		t.Errorf("got %s, want [1.  0.5 inf]", got)
	}
}

func TestRoundToManyDecimals(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		x        weft.Array
		decimals int
		want     weft.Array
	}{
		{weft.Of(1.5, -2.25, 3e38, inf, nan), 39, weft.Of(1.5, -2.25, 3e38, inf, nan)},
		{weft.Of(1.5, 3e38, 1e-30, -inf), 38, weft.Of(1.5, 3e38, 1e-30, -inf)},
		{weft.Of(3e38, 0.125), 5, weft.Of(3e38, 0.125)},
		{weft.Of(1.5, 3e-40, 8e-40), 39, weft.Of(1.5, 0., 1e-39)},
		{weft.Of(1.5, 1e-45), 1000, weft.Of(1.5, 1e-45)},
		{weft.Of(1.5, 3e38, -7., inf, nan), -39, weft.Of(0., 0, math.Copysign(0, -1), inf, nan)},
		{weft.Of(2.6e38, 1.), -38, weft.Of(3e38, 0.)},
		{weft.Of(1.5, inf), -1000, weft.Of(0., inf)},
		{f64(1e300, 1.25, 1e-310), 20, f64(1e300, 1.25, 0)},
		{f64(1.5, 3e-310, 8e-310), 309, f64(1.5, 0, 1e-309)},
		{f64(1.5e300, nan), -309, f64(0, nan)},
		{weft.Of(1.5, 65504).AsType(weft.Float16), 39, weft.Of(1.5, 65504).AsType(weft.Float16)},
		{weft.Of(complex(1.26, 3e38), complex(math.Inf(1), -0.31)), 1, weft.Of(complex(1.3, 3e38), complex(math.Inf(1), -0.3))},
		{weft.Of(0.1257, 1.005, -17.5), 2, weft.Of(0.13, 1.0, -17.5)},
		{weft.Of(1251., 65, 75), -1, weft.Of(1250., 60, 80)},
	} {
		for how, f := range map[string]func(weft.Array) weft.Array{
			"eagerly":   func(x weft.Array) weft.Array { return weft.Round(x, c.decimals) },
			"under Jit": weft.Jit(func(x weft.Array) weft.Array { return weft.Round(x, c.decimals) }),
		} {
			if got := f(c.x); got.DType() != c.want.DType() || !got.Equal(c.want) {
				t.Errorf("%v to %d decimals %s: %v, want %v", c.x, c.decimals, how, got, c.want)
			}
		}
	}
	for _, decimals := range []int{-40, -1, 1, 39, 100} {
		f := func(x weft.Array) weft.Array { return weft.Round(x, decimals).Sum() }
		if g := weft.Grad(f)(weft.Of(1.5, 3e38)); !g.Equal(weft.Of(0., 0)) {
			t.Errorf("the derivative to %d decimals is %v", decimals, g)
		}
	}
}

func TestInterpReachesItsPoints(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct{ x, xp, fp, want weft.Array }{
		{weft.Of(1.), weft.Of(0., 1), weft.Of(1e10, 1), weft.Of(1.)},
		{weft.Of(0., 0.5, 1, 2, 3), weft.Of(0., 1, 2), weft.Of(1e10, 1, 1e-10), weft.Of(1e10, 5e9, 1, 1e-10, 1e-10)},
		// As in NumPy, a value at one of the points is that of the point.
		{weft.Of(0., 0.5, 1, 1.5, 2, 3), weft.Of(0., 1, 2), weft.Of(1e20, 1, -inf), weft.Of(1e20, 5e19, 1, -inf, -inf, -inf)},
		{weft.Of(0., 0.5, 1), weft.Of(0., 1), weft.Of(inf, inf), weft.Of(inf, inf, inf)},
		{weft.Of(0., 0.5, 1), weft.Of(0., 1), weft.Of(inf, -1), weft.Of(inf, inf, -1)},
		{weft.Of(0., 0.5, 1), weft.Of(0., 1), weft.Of(inf, -inf), weft.Of(inf, nan, -inf)},
		{weft.Of(-1., 0.5, nan), weft.Of(0., 1), weft.Of(nan, 2), weft.Of(nan, nan, nan)},
		{weft.Of(0.25, 0.5, 1), weft.Of(0., 1), weft.Of(-0x1.8p127, 0x1.8p127), weft.Of(-0x1.8p126, 0, 0x1.8p127)},
		{weft.Of(0.5, 1), weft.Of(0., 1, 1, 2), weft.Of(0., 1, 5, 6), weft.Of(0.5, 5)},
	} {
		for how, f := range map[string]func(x, xp, fp weft.Array) weft.Array{"eagerly": weft.Interp, "under Jit": weft.Jit(weft.Interp)} {
			if got := f(c.x, c.xp, c.fp); !got.Equal(c.want) {
				t.Errorf("at %v through %v, %v %s: %v, want %v", c.x, c.xp, c.fp, how, got, c.want)
			}
		}
	}
	slope := weft.Vmap(weft.Grad(func(x weft.Array) weft.Array { return weft.Interp(x, weft.Of(0., 1, 3), weft.Of(2., 5, 1)) }))
	if got, want := slope(weft.Of(-1., 0, 0.5, 1, 2, 3, 4)), weft.Of(0., 3, 3, -2, -2, -2, 0); !got.Equal(want) {
		t.Errorf("the slopes are %v, want %v", got, want)
	}
	heights := weft.Grad(func(fp weft.Array) weft.Array { return weft.Interp(weft.Of(0., 0.25, 2), weft.Of(0., 1, 2), fp).Sum() })
	if got, want := heights(weft.Of(2., 5, -inf)), weft.Of(1.75, 0.25, 1); !got.Equal(want) {
		t.Errorf("by the heights: %v, want %v", got, want)
	}
}

func TestIsCloseOfLargeIntegers(t *testing.T) {
	const big = 1 << 60
	for _, c := range []struct {
		a, b       weft.Array
		rtol, atol float64
		want       bool
	}{
		{weft.Scalar(int64(1<<53 + 1)), weft.Scalar(int64(1 << 53)), 0, 0, false},
		{weft.Scalar(int64(1<<53 + 1)), weft.Scalar(int64(1 << 53)), 0, 1, true},
		{weft.Scalar(int64(big)), weft.Scalar(int64(big + 3)), 0, 2, false},
		{weft.Scalar(int64(big)), weft.Scalar(int64(big + 3)), 1e-5, 0, true},
		{weft.Scalar(int64(math.MinInt64)), weft.Scalar(int64(math.MaxInt64)), 1, 0, false},
		{weft.Scalar(int64(math.MinInt64)), weft.Scalar(int64(math.MinInt64)), 0, 0, true},
		{weft.Scalar(uint64(math.MaxUint64)), weft.Scalar(uint64(math.MaxUint64 - 1)), 0, 0.5, false},
		{weft.Scalar(uint64(0)), weft.Scalar(uint64(math.MaxUint64)), 0.5, 0, false},
		{weft.Scalar(int32(math.MinInt32)), weft.Scalar(int32(math.MaxInt32)), 1, 0, false},
		{weft.Scalar(uint8(3)), weft.Scalar(uint8(5)), 0, 1, false},
		{weft.Scalar(uint8(3)), weft.Scalar(uint8(5)), 0, 2, true},
		{weft.Scalar(int8(-128)), weft.Scalar(int8(127)), 0, 254, false},
		{weft.Scalar(true), weft.Scalar(false), 0, 0.5, false},
		{weft.Scalar(true), weft.Scalar(true), 0, 0, true},
		{weft.Scalar(1), weft.Scalar(int64(1)), 0, 0, true},
	} {
		close := func(a, b weft.Array) weft.Array { return weft.IsClose(a, b, c.rtol, c.atol) }
		for how, f := range map[string]func(a, b weft.Array) weft.Array{"eagerly": close, "under Jit": weft.Jit(close)} {
			if got := f(c.a, c.b); got.Bool() != c.want {
				t.Errorf("%+v and %+v by %g, %g %s: %v", c.a, c.b, c.rtol, c.atol, how, got)
			}
		}
	}
}

// Losses count integers as floats: their differences would wrap.
func TestSquaredErrorOfIntegers(t *testing.T) {
	for _, x := range []struct{ x, y weft.Array }{
		{weft.Of(uint8(3), 250), weft.Of(uint8(5), 0)},
		{weft.Of(int8(3), 125), weft.Of(int8(5), -125)},
		{weft.Of(uint32(3), 250), weft.Of(uint32(5), 0)},
	} {
		got := nn.SquaredError(x.x, x.y)
		if want := 4.; got.Index(0).Float() != want || got.Index(1).Float() != 62500 {
			t.Errorf("of %+v and %+v: %+v", x.x, x.y, got)
		}
	}
}
