package hostile_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/stats"
)

// A function of any argument returns the same at once, under Jit and under Vmap,
// or an error of ours in all of them.
func TestArgumentCorners(t *testing.T) {
	un := func(f func(x weft.Array) weft.Array) func(x weft.Array) weft.Array { return f }
	ax := func(f func(x weft.Array, axes ...int) weft.Array) func(x weft.Array) weft.Array {
		return func(x weft.Array) weft.Array { return f(x) }
	}
	first := func(f func(x weft.Array) (weft.Array, weft.Array)) func(x weft.Array) weft.Array {
		return func(x weft.Array) weft.Array { a, _ := f(x); return a }
	}
	with := func(f func(x, y weft.Array) weft.Array) func(x weft.Array) weft.Array {
		return func(x weft.Array) weft.Array { return f(x, x) }
	}
	fs := map[string]func(x weft.Array) weft.Array{
		"Relu6": nn.Relu6, "HardTanh": nn.HardTanh, "HardSigmoid": nn.HardSigmoid, "HardSilu": nn.HardSilu, "LogSigmoid": nn.LogSigmoid,
		"Softsign": nn.Softsign, "Mish": nn.Mish, "SquarePlus": nn.SquarePlus, "Selu": nn.Selu, "NormalCDF": stats.Norm{}.CDF, "NormalPDF": stats.Norm{}.PDF,
		"Silu": nn.Silu, "Gelu": nn.Gelu, "GeluTanh": nn.GeluTanh, "Softplus": nn.Softplus, "Relu": nn.Relu,
		"Celu": un(func(x weft.Array) weft.Array { return nn.Celu(x, 2) }), "Glu": ax(nn.Glu), "Standardize": ax(nn.Standardize),
		"LayerNorm": un(func(x weft.Array) weft.Array {
			return nn.LayerNorm{Scale: weft.Scalar(2.), Shift: weft.Scalar(1.)}.Apply(x)
		}),
		"CrossEntropy": with(nn.CrossEntropy), "SigmoidCrossEntropy": with(nn.SigmoidCrossEntropy), "SquaredError": with(nn.SquaredError),
		"Huber": un(func(x weft.Array) weft.Array { return nn.Huber(x, weft.Scalar(0.5), 1) }), "LogCosh": with(nn.LogCosh), "Hinge": with(nn.Hinge),
		"KLDivergence": with(nn.KLDivergence), "CosineSimilarity": with(nn.CosineSimilarity),
		"NaNSum": ax(arraycheck.SkipNaN(weft.ReduceSum)), "NaNProd": ax(arraycheck.SkipNaN(weft.ReduceProd)), "NaNMean": ax(arraycheck.SkipNaN(weft.ReduceMean)), "NaNVar": ax(arraycheck.SkipNaN(weft.ReduceVar)), "NaNStd": ax(arraycheck.SkipNaN(weft.ReduceStd)),
		"NaNMax": ax(arraycheck.SkipNaN(weft.ReduceMax)), "NaNMin": ax(arraycheck.SkipNaN(weft.ReduceMin)), "Median": ax(weft.Median),
		"Average": un(func(x weft.Array) weft.Array { return weft.Average(x, x) }), "Quantile": un(func(x weft.Array) weft.Array { return weft.Quantile(x, 0.3, weft.QuantileConfig{Axes: []int{-1}}) }),
		"Percentile": un(func(x weft.Array) weft.Array { return weft.Quantile(x, weft.Of(0., 1), weft.QuantileConfig{}) }),
		"QuantileOf": un(func(x weft.Array) weft.Array {
			return weft.Quantile(x, 0.3, weft.QuantileConfig{SkipNaN: true, Axes: []int{-1}})
		}),
		"Cov": stats.Cov, "CorrCoef": stats.CorrCoef, "Gradient": ax(weft.CentralDiff), "Diff": ax(weft.Diff), "Trapezoid": with(weft.Trapezoid),
		"Interp":   un(func(x weft.Array) weft.Array { return weft.Interp(x, weft.Of(0., 1, 2), weft.Of(3., 1, 2)) }),
		"Convolve": with(func(x, y weft.Array) weft.Array { return nn.Convolve(x, y, nn.ConvFull) }), "Correlate": with(func(x, y weft.Array) weft.Array { return nn.Correlate(x, y, nn.ConvSame) }),
		"TopK": first(func(x weft.Array) (weft.Array, weft.Array) { return weft.TopK(x, 1) }), "SearchSorted": un(func(x weft.Array) weft.Array { return weft.SearchSorted(weft.Of(-1., 0, 2), x, weft.Left) }),
		"Digitize": un(func(x weft.Array) weft.Array { return weft.SearchSorted(weft.Of(-1, 0, 2), x, weft.Right) }), "IsIn": with(weft.IsIn), "UniqueSize": un(func(x weft.Array) weft.Array { return weft.UniqueSize(x, 2) }),
		"NonzeroSize": un(func(x weft.Array) weft.Array { return weft.NonzeroSize(x, 2, -1)[0] }), "Bincount": un(func(x weft.Array) weft.Array { return weft.Bincount(x, 3) }),
		"Histogram": first(func(x weft.Array) (weft.Array, weft.Array) { return weft.Histogram(x, 3, -1, 1) }),
		"RoundTo":   un(func(x weft.Array) weft.Array { return weft.Round(x, 1) }), "Angle": weft.Angle, "Deg2Rad": weft.Deg2Rad, "NaNToNum": weft.NaNToNum, "Signbit": weft.Signbit,
		"Copysign": with(func(x, y weft.Array) weft.Array { return weft.Copysign(x, y) }), "Heaviside": with(func(x, y weft.Array) weft.Array { return weft.Heaviside(x, y) }),
		"Fmax": with(func(x, y weft.Array) weft.Array { return weft.Fmax(x, y) }), "FloatPower": with(func(x, y weft.Array) weft.Array { return weft.FloatPower(x, y) }),
		"Ldexp": un(func(x weft.Array) weft.Array { return weft.Ldexp(x, 3) }), "Gcd": with(func(x, y weft.Array) weft.Array { return weft.Gcd(x, y) }), "Lcm": with(func(x, y weft.Array) weft.Array { return weft.Lcm(x, y) }),
		"PopulationCount": weft.PopulationCount, "IsReal": weft.IsReal, "Sinc": weft.Sinc,
		"SegmentSum": un(func(x weft.Array) weft.Array { return weft.SegmentReduce(x, weft.Arange(x.Dim(0)), 2, weft.ReduceSum) }), "SegmentProd": un(func(x weft.Array) weft.Array { return weft.SegmentReduce(x, weft.Arange(x.Dim(0)), 2, weft.ReduceProd) }),
		"SegmentMax": un(func(x weft.Array) weft.Array { return weft.SegmentReduce(x, weft.Arange(x.Dim(0)), 2, weft.ReduceMax) }), "SegmentMin": un(func(x weft.Array) weft.Array { return weft.SegmentReduce(x, weft.Arange(x.Dim(0)), 2, weft.ReduceMin) }),
		"IsClose":  with(func(x, y weft.Array) weft.Array { return weft.IsClose(x, y, 0.1, 0) }),
		"Linspace": un(func(x weft.Array) weft.Array { return weft.Linspace(x, 1, 3) }),
	}
	tried, done := 0, 0
	chosen := samples.Named(t, 20)
	for _, dt := range oddTypes {
		var inputs []weft.Array
		numbers := weft.FromSlice([]float64{1, -3, 0, 2, 100, math.NaN(), math.Inf(1), math.Inf(-1), 0.5, -0.25, math.Copysign(0, -1), 1})
		if !dt.IsInexact() {
			numbers = weft.Where(weft.IsFinite(numbers), numbers, 7.)
		}
		numbers = numbers.AsType(dt)
		inputs = append(inputs, numbers, numbers.Reshape(3, 4), numbers.Reshape(2, 3, 2), numbers.Index(0), numbers.Index("0:1"), numbers.Index("0:0"),
			numbers.Index("0:0").Reshape(0, 3), numbers.Index("0:0").Reshape(2, 0), numbers.Index("0:2").Reshape(2, 1))
		for name, f := range fs {
			for _, x := range inputs {
				what := fmt.Sprintf("%s of %v %v", name, dt, x.Shape())
				if !chosen(what) {
					continue
				}
				tried++
				want, err := safely(t, what, func() weft.Array { return f(x) })
				jitted, jerr := safely(t, what+" under Jit", func() weft.Array { return weft.Jit(f)(x) })
				mapped, merr := safely(t, what+" under Vmap", func() weft.Array { return weft.Vmap(f)(weft.Stack(0, x, x)).Index(1) })
				if (err == nil) != (jerr == nil) || (err == nil) != (merr == nil) {
					t.Errorf("%s: %v\nunder Jit: %v\nunder Vmap: %v", what, err, jerr, merr)
					continue
				}
				if err != nil {
					continue
				}
				done++
				if !jitted.Equal(want) || jitted.DType() != want.DType() {
					t.Errorf("%s is %+v, under Jit %+v", what, want, jitted)
				}
				if !mapped.Equal(want) || mapped.DType() != want.DType() {
					t.Errorf("%s is %+v, under Vmap %+v", what, want, mapped)
				}
				if !dt.IsFloat() || !want.DType().IsFloat() || dt.IsMinorFloat() {
					continue
				}
				g := weft.Grad(func(x weft.Array) weft.Array { return f(x).Sum() })
				d, derr := safely(t, what+", the derivative", func() weft.Array { return g(x) })
				jd, jderr := safely(t, what+", the derivative under Jit(Vmap(Grad))", func() weft.Array { return weft.Jit(weft.Vmap(g))(weft.Stack(0, x, x)).Index(0) })
				if (derr == nil) != (jderr == nil) {
					t.Errorf("%s: the derivative: %v\nunder Jit(Vmap(Grad)): %v", what, derr, jderr)
				} else if derr == nil && !jd.Equal(d) {
					t.Errorf("%s: the derivative is %v, under Jit(Vmap(Grad)) %v", what, d, jd)
				}
			}
		}
	}
	if done < tried/3 {
		t.Errorf("%d of %d calls returned a result, want a third", done, tried)
	}
}

// safely calls f and returns its error; another panic fails the test.
func safely(t *testing.T, what string, f func() weft.Array) (y weft.Array, err error) {
	if other := testcheck.Recover(func() { y, err = weft.Try(f) }); other != nil {
		t.Errorf("%s: got %v, want no panic", what, other)
	}
	return y, err
}
