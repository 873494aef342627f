package weft_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/stats"
)

// Each function returns the same eagerly, under Jit, and as a loop under Vmap.
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
				// The differences divide roundings of sums, some ε, by 2h.
				testcheck.Within(t, fmt.Sprintf("derivative %d by differences", i), d/(2*h), got, 1e-9*(1+math.Abs(got)))
			}
		})
	}
}

// Where two branches of a formula meet the derivative is that of the function.
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

// Keys have zeros, too: a tree that contains one can be emptied.
func TestZerosLikeOfKeys(t *testing.T) {
	k := weft.FromValue(prim.RandomSeed(weft.Of(uint32(7), 8).Index(0).Value()))
	z := weft.ZerosLike(k)
	if z.DType() != k.DType() || len(z.Shape()) != len(k.Shape()) {
		t.Errorf("%v %v", z.DType(), z.Shape())
	}
	if w := weft.FromValue(prim.RandomUnwrap(z.Value())); !w.Equal(weft.Of(uint32(0), 0)) {
		t.Errorf("the words are %v", w)
	}
}

func ExamplePad() {
	x := weft.Of(1, 2, 3)
	fmt.Println(weft.Pad(x, [][2]int{{2, 1}}, weft.PadConfig{}))
	fmt.Println(weft.Pad(x, [][2]int{{2, 1}}, weft.PadConfig{Mode: weft.PadReflect}))
	// Output:
	// [0 0 1 2 3 0]
	// [3 2 1 2 3 2]
}

func ExampleQuantile() {
	x := weft.Of(1., 2, 3, 4)
	fmt.Println(weft.Quantile(x, 0.5, weft.QuantileConfig{}), weft.Quantile(x, weft.Of(0., 0.25, 1), weft.QuantileConfig{}))
	// Output: 2.5 [1.   1.75 4.  ]
}

func ExampleSegmentReduce() {
	amounts, account := weft.Of(10., 20, 5, 1), weft.Of(0, 1, 0, 2)
	fmt.Println(weft.SegmentReduce(amounts, account, 3, weft.ReduceSum))
	// Output: [15. 20.  1.]
}

func ExampleMeshgrid() {
	g := weft.Meshgrid(weft.GridXY, weft.Of(1, 2, 3), weft.Of(10, 20))
	fmt.Println(g[0].Add(g[1]))
	// Output:
	// [[11 12 13]
	//  [21 22 23]]
}

func ExampleTopK() {
	values, places := weft.TopK(weft.Of(3., 9, 4, 7), 2)
	fmt.Println(values, places)
	// Output: [9. 7.] [1 3]
}

func ExampleSearchSorted() {
	fmt.Println(weft.SearchSorted(weft.Of(1, 3, 5), weft.Of(0, 3, 4, 9), weft.Left))
	// Output: [0 1 2 3]
}

// What Go programs get wrong is named with the function and the fix.
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
		if err == nil || !containsAll(err.Error(), want, "functions_test.go:") {
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

func TestViewOfComplexNumbers(t *testing.T) {
	x := weft.Of(complex64(1+2i), 3+4i)
	if got := x.View(weft.Float32).String(); got != "[1. 2. 3. 4.]" {
		t.Errorf("parts: got %s, want [1. 2. 3. 4.]", got)
	}
	if got := x.View(weft.Float32).View(weft.Complex64); !got.Equal(x) {
		t.Errorf("and back: got %v, want %v", got, x)
	}
	if _, err := weft.Try(func() weft.Array { return x.Index(0).View(weft.Float32) }); err == nil || !strings.Contains(err.Error(), "no axis that could grow") {
		t.Errorf("scalar: got %v, want an error about the axis", err)
	}
}

func TestAverageWithWeightsOfAnAxis(t *testing.T) {
	x := weft.Of(1., 2, 3, 4, 5, 6).Reshape(2, 3)
	if got := weft.Average(x, weft.Of(1., 0, 1), 1).String(); got != "[2. 5.]" {
		t.Errorf("rows: got %s, want [2. 5.]", got)
	}
	if got := weft.Average(x, weft.Of(3., 1), 0).String(); got != "[1.75 2.75 3.75]" {
		t.Errorf("columns: got %s, want [1.75 2.75 3.75]", got)
	}
}

func TestSelectRaisesRanks(t *testing.T) {
	choose := func() string {
		return weft.Select([]weft.Array{weft.Of(true, false)}, []weft.Array{weft.Of(1., 2, 3, 4).Reshape(2, 2)}, 0.).String()
	}
	if got := choose(); got != "[[1. 0.]\n [3. 0.]]" {
		t.Errorf("got %s", got)
	}
	weft.With(weft.RankPromotion(weft.Raise), func() {
		if _, err := weft.Try(choose); err == nil || !strings.Contains(err.Error(), "Select") {
			t.Errorf("ranks 1 and 2: got %v, want an error that names Select", err)
		}
	})
}

// The modes of padding beyond the edge, as NumPy shows them.
func TestPadModes(t *testing.T) {
	x := weft.Of(1., 2, 3)
	for _, c := range []struct {
		config weft.PadConfig
		want   weft.Array
	}{
		{weft.PadConfig{Value: 9}, weft.Of(9., 9, 9, 9, 1, 2, 3, 9)},
		{weft.PadConfig{Mode: weft.PadEdge}, weft.Of(1., 1, 1, 1, 1, 2, 3, 3)},
		{weft.PadConfig{Mode: weft.PadSymmetric}, weft.Of(3., 3, 2, 1, 1, 2, 3, 3)},
		{weft.PadConfig{Mode: weft.PadReflect}, weft.Of(1., 2, 3, 2, 1, 2, 3, 2)},
		{weft.PadConfig{Mode: weft.PadWrap}, weft.Of(3., 1, 2, 3, 1, 2, 3, 1)},
		{weft.PadConfig{Mode: weft.PadMaximum}, weft.Of(3., 3, 3, 3, 1, 2, 3, 3)},
		{weft.PadConfig{Mode: weft.PadMinimum}, weft.Of(1., 1, 1, 1, 1, 2, 3, 1)},
		{weft.PadConfig{Mode: weft.PadMean}, weft.Of(2., 2, 2, 2, 1, 2, 3, 2)},
		{weft.PadConfig{Mode: weft.PadLinearRamp, Value: -3}, weft.Of(-3., -2, -1, 0, 1, 2, 3, -3)},
	} {
		if got := weft.Pad(x, [][2]int{{4, 1}}, c.config); !got.Equal(c.want) {
			t.Errorf("mode %d: %v, want %v", c.config.Mode, got, c.want)
		}
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

func TestCumMin(t *testing.T) {
	x := weft.Of(3, 1, 2, 0, 5, -1).Reshape(2, 3)
	if got := fmt.Sprint(x.CumMin(), x.CumMin(0)); got != "[ 3  1  1  0  0 -1] [[ 3  1  2]\n [ 0  1 -1]]" {
		t.Errorf("got %s", got)
	}
}
