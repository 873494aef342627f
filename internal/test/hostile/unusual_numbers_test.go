package hostile_test

import (
	"errors"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/special"
	"github.com/weft-go/weft/stats"
)

// Small integers, halves, lengths far from 1 and places outside: what is right for the
// usual types must not be wrong for the others.
func TestFunctionsOfSmallIntegersAndHalves(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	i8 := func(v ...int8) weft.Array { return weft.Of(v...) }
	u8 := func(v ...uint8) weft.Array { return weft.Of(v...) }
	f16 := func(v ...float64) weft.Array { return weft.Of(v...).AsType(weft.Float16) }
	truth := weft.Of(true, true, false)
	first := func(xs ...weft.Array) weft.Array { return xs[0] }
	hist := func(x weft.Array, n int, lo, hi float64) weft.Array {
		c, _ := weft.Histogram(x, n, lo, hi)
		return c
	}
	for i, c := range []struct{ got, want weft.Array }{
		// A number of segments, a size or a width that the places' type does not hold.
		{weft.Bincount(i8(1, 2, -1), 300).Sum(), weft.Of(2).Squeeze()},
		{weft.SegmentReduce(weft.Of(1., 2, 4), i8(0, 1, -1), 200, weft.ReduceSum).Sum(), weft.Of(3.).Squeeze()},
		{weft.SegmentReduce(weft.Of(1., 2, 4), u8(0, 1, 255), 300, weft.ReduceSum).Sum(), weft.Of(7.).Squeeze()},
		{first(weft.UnravelIndex(u8(255), weft.Shape{2, 300})...), weft.Of(0)},
		{weft.RavelIndex([]weft.Array{u8(200), u8(201)}, weft.Shape{300, 300}), weft.Of(60201)},
		// Truth values and nothing at all.
		{weft.SegmentReduce(truth, weft.Of(0, 0, 1), 2, weft.ReduceSum), weft.Of(2, 0)},
		{weft.SegmentReduce(truth, weft.Of(0, 0, 1), 3, weft.ReduceProd), weft.Of(1, 0, 1)},
		{weft.SegmentReduce(weft.Of(1., 2), weft.Of(0, 1), 0, weft.ReduceSum), weft.Zeros(0)},
		{weft.UniqueSize(weft.Zeros(0), 2, 7.), weft.Of(7., 7)},
		{weft.UniqueSize(weft.Zeros(0), 0), weft.Zeros(0)},
		{special.LogSumExp(weft.Zeros(2, 0), 1), weft.Of(-inf, -inf)},
		{weft.IsNaN(stats.Cov(weft.Zeros(1, 0))), weft.Of(true).Reshape(1, 1)},
		// Halves are averaged in f32 and given as halves.
		{arraycheck.SkipNaN(weft.ReduceMean)(f16(1, nan, 3)), f16(2).Squeeze()},
		{arraycheck.SkipNaN(weft.ReduceVar)(f16(1, nan, 3)), f16(1).Squeeze()},
		{weft.Reduce(f16(60000, 60000, 1), weft.ReduceConfig{Op: weft.ReduceMean, Where: truth}), f16(60000).Squeeze()},
		{weft.Reduce(f16(-200, 200, 200, -200), weft.ReduceConfig{Op: weft.ReduceVar}), f16(40000).Squeeze()},
		{nn.AvgPool(f16(60000, 60000), nn.PoolConfig{Window: []int{2}}), f16(60000)},
		{nn.LayerNorm{Scale: f16(2), Shift: f16(0.5)}.Apply(f16(300, -300)), f16(2.5, -1.5)},
		{nn.Standardize(f16(300, -300)), f16(1, -1)},
		// More is subtracted than there is.
		{weft.IsNaN(weft.Reduce(weft.Of(1., 3), weft.ReduceConfig{Op: weft.ReduceVar, DDof: 3})), weft.Of(true).Squeeze()},
		// Integers do not wrap.
		{nn.SigmoidCrossEntropy(weft.Of(2., -1), u8(1, 0)), nn.SigmoidCrossEntropy(weft.Of(2., -1), weft.Of(1., 0))},
		{nn.SigmoidCrossEntropy(weft.Of(2., -1), weft.Of(true, false)), nn.SigmoidCrossEntropy(weft.Of(2., -1), weft.Of(1., 0))},
		{nn.Huber(u8(3), u8(5), 1), weft.Of(1.5)},
		{nn.LogCosh(u8(3), u8(5)), nn.LogCosh(weft.Of(3.), weft.Of(5.))},
		{nn.Hinge(u8(0), u8(200)), weft.Of(1.)},
		{nn.HardSigmoid(i8(127, -128)), weft.Of(1., 0)},
		{nn.HardSilu(i8(127)), weft.Of(127.)},
		{nn.HardTanh(u8(0, 5)), u8(0, 1)},
		{nn.LogSigmoid(u8(1)), nn.LogSigmoid(weft.Of(1.))},
		{nn.Softsign(u8(255)), weft.Of(255. / 256)},
		{nn.SquarePlus(i8(100)), nn.SquarePlus(weft.Of(100.))},
		{weft.IsClose(weft.Of(1<<24), weft.Of(1<<24+1), 0, 0.5), weft.Of(false)},
		// Convolutions of integers are exact, and wrap as all of their sums do.
		{nn.Convolve(weft.Of(20000001, 1), weft.Of(1, 3), nn.ConvFull), weft.Of(20000001, 60000004, 3)},
		{nn.Convolve(weft.Of(int64(1)<<60+1), weft.Of(int64(3)), nn.ConvSame), weft.Of(3<<60 + int64(3))},
		{nn.Convolve(i8(100, 100), i8(2, 2), nn.ConvFull), i8(-56, -112, -56)},
		{nn.Correlate(u8(1, 2), u8(1, 3, 4), nn.ConvFull), u8(4, 11, 7, 2)},
		// A shorter first vector: np.correlate's order.
		{nn.Correlate(weft.Of(1., 2), weft.Of(1., 3, 4, 7), nn.ConvSame), weft.Of(18., 11, 7, 2)},
		{nn.Correlate(weft.Of(1, 2, 3, 4), weft.Of(1, 2, 9, 8, 7), nn.ConvSame), weft.Of(46, 72, 64, 44, 11)},
		{nn.Correlate(weft.Of(1i, 2), weft.Of(1i, 3, 4), nn.ConvFull), weft.Of(4i, 8+3i, 7, -2i)},
		// np.pad rounds ramps of integers down.
		{weft.Pad(i8(-5), [][2]int{{3, 3}}, weft.PadConfig{Mode: weft.PadLinearRamp}), i8(0, -2, -4, -5, -4, -2, 0)},
		{weft.Pad(weft.Of(-7, 3), [][2]int{{4, 3}}, weft.PadConfig{Mode: weft.PadLinearRamp, Value: -2}), weft.Of(-2, -4, -5, -6, -7, 3, 1, -1, -2)},
		{weft.Pad(weft.Of(16777217), [][2]int{{1, 0}}, weft.PadConfig{Mode: weft.PadLinearRamp, Value: 16777217}), weft.Of(16777217, 16777217)},
		// Where q is 0 nothing is added, regardless of the other.
		{nn.KLDivergence(weft.Of(0., -inf), weft.Of(1., 0)), weft.Of(0.).Squeeze()},
		// A cosine does not depend on the lengths.
		{nn.CosineSimilarity(weft.Of(1e-15, 0), weft.Of(1e20, 0)), weft.Of(1.).Squeeze()},
		{nn.CosineSimilarity(weft.Of(3e-6, 4e-6), weft.Of(4e30, 3e30)), weft.Of(0.96).Squeeze()},
		{nn.CosineSimilarity(i8(100, 0), i8(100, 100)), weft.Of(math.Sqrt2 / 2).Squeeze()},
		{nn.CosineSimilarity(weft.Of(0., 0), weft.Of(1., 2)), weft.Of(0.).Squeeze()},
		{nn.CosineSimilarity(weft.Ones(2, 1), weft.Of(1., 1, 1, 1)), weft.Of(1., 1)},
		// The ends of what goes to infinity.
		{weft.Quantile(weft.Of(inf, 1, 2, -inf), weft.Of(0., 0.5, 1), weft.QuantileConfig{}), weft.Of(-inf, 1.5, inf)},
		{weft.Quantile(weft.Of(inf, nan, -inf), weft.Of(0., 1), weft.QuantileConfig{SkipNaN: true}), weft.Of(-inf, inf)},
		{weft.Grad(func(x weft.Array) weft.Array { return arraycheck.SkipNaN(weft.ReduceStd)(x) })(weft.Of(1., nan, 3)), weft.Of(-0.5, 0, 0.5)},
		// A variance far from 0.
		{nn.Standardize(weft.Of(10000., 10001, 10002)), weft.Of(-1.2247356, 0, 1.2247356)},
		{weft.IsNaN(weft.Interp(weft.Of(nan), weft.Of(0., 1, 1), weft.Of(0., 1, 2))), weft.Of(true)},
		{hist(u8(0, 255, 4), 2, 0, 255), weft.Of(2, 1)},
	} {
		if c.got.DType() != c.want.DType() || c.got.Shape().String() != c.want.Shape().String() {
			t.Errorf("%d: got %+v, want %+v", i, c.got, c.want)
		} else if c.want.Size() > 0 && !weft.AllClose(c.got, c.want, 2e-7, 0).Bool() && !c.got.Equal(c.want) {
			t.Errorf("%d: got %+v, want %+v", i, c.got, c.want)
		}
	}
	if _, edges := weft.Histogram(weft.FromSlice([]float64{0.1}), 10, 0, 1); !weft.AllClose(edges, weft.FromSlice([]float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}), 1e-15, 0).Bool() {
		t.Errorf("the edges of bins for 64 bits are %v", edges)
	}
	x := weft.From([]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	if got := weft.Quantile(x, 0.12, weft.QuantileConfig{}).Float(); got != 1.2 {
		t.Errorf("the 12th percentile is %v, want 1.2: its place has 64 bits", got)
	}
	// The gradient turns the vector and does not change its length; without direction there is none.
	cos := func(x weft.Array) weft.Array { return nn.CosineSimilarity(x, weft.Of(0., 2)) }
	if got := weft.Grad(cos)(weft.Of(3., 4)); !weft.AllClose(got, weft.Of(-0.096, 0.072), 1e-5, 0).Bool() {
		t.Errorf("got %v", got)
	}
	if got := weft.Grad(cos)(weft.Of(0., 0)); !weft.IsFinite(got).All().Bool() {
		t.Errorf("the gradient without direction is %v", got)
	}
}

// What is refused is refused by the function that was called.
func TestErrorsNameTheCalledFunction(t *testing.T) {
	none := weft.Array{}
	for _, c := range []struct {
		op   string
		kind error
		f    func() weft.Array
	}{
		{"Reduce", nil, func() weft.Array { return arraycheck.SkipNaN(weft.ReduceProd)(none) }},
		{"Reduce", nil, func() weft.Array { return arraycheck.SkipNaN(weft.ReduceMean)(none) }},
		{"Reduce", core.ErrIndex, func() weft.Array { return arraycheck.SkipNaN(weft.ReduceStd)(weft.Ones(2), 7) }},
		{"Median", core.ErrIndex, func() weft.Array { return weft.Median(weft.Ones(2), 7) }},
		{"Quantile", core.ErrShape, func() weft.Array { return weft.Quantile(weft.Zeros(0), 0.03, weft.QuantileConfig{}) }},
		{"Quantile", core.ErrIndex, func() weft.Array { return weft.Quantile(weft.Ones(2), 0.5, weft.QuantileConfig{Axes: []int{1}}) }},
		{"CorrCoef", core.ErrShape, func() weft.Array { return stats.CorrCoef(weft.Ones(1, 1, 1)) }},
		{"Reduce", core.ErrIndex, func() weft.Array {
			return weft.Reduce(weft.Ones(2), weft.ReduceConfig{Op: weft.ReduceMean, Axes: []int{7}})
		}},
		{"Reduce", core.ErrIndex, func() weft.Array {
			return weft.Reduce(weft.Ones(2), weft.ReduceConfig{Op: weft.ReduceVar, Axes: []int{7}})
		}},
		{"Reduce", core.ErrShape, func() weft.Array {
			return weft.Reduce(weft.Ones(2), weft.ReduceConfig{Op: weft.ReduceSum, Initial: weft.Of(1., 2)})
		}},
		{"Reduce", core.ErrDType, func() weft.Array {
			return weft.Reduce(weft.Of(1, 2), weft.ReduceConfig{Op: weft.ReduceSum, Initial: 1.5})
		}},
		{"Reduce", core.ErrShape, func() weft.Array {
			return weft.Reduce(weft.Ones(2), weft.ReduceConfig{Op: weft.ReduceMax, Initial: weft.Of(1., 2)})
		}},
		{"Cross", core.ErrShape, func() weft.Array { return weft.Cross(weft.Ones(2, 3), weft.Ones(5, 3)) }},
		{"Cross", core.ErrDType, func() weft.Array { return weft.Cross(weft.Of(true, false), weft.Of(true, true)) }},
		{"CosineSimilarity", core.ErrShape, func() weft.Array { return nn.CosineSimilarity(weft.Ones(2, 3), weft.Ones(2)) }},
		{"CosineSimilarity", core.ErrShape, func() weft.Array { return nn.CosineSimilarity(weft.Scalar(1.), weft.Scalar(1.)) }},
		{"Trapezoid", core.ErrShape, func() weft.Array { return weft.Trapezoid(weft.Ones(3), weft.Ones(4)) }},
		{"Trapezoid", core.ErrShape, func() weft.Array { return weft.Trapezoid(weft.Scalar(1.), weft.Scalar(1.)) }},
		{"Glu", nil, func() weft.Array { return nn.Glu(none) }},
		{"Pad", core.ErrShape, func() weft.Array {
			return weft.Pad(weft.Ones(2), [][2]int{{3, 2}}, weft.PadConfig{Mode: weft.PadLinearRamp, Value: weft.Of(1., 2)})
		}},
		{"Pad", core.ErrStatic, func() weft.Array { return weft.Pad(weft.Ones(2), [][2]int{{0, 0}}, weft.PadConfig{Mode: 77}) }},
		{"Interp", core.ErrDType, func() weft.Array { return weft.Interp(weft.Of(1i), weft.Of(0., 2), weft.Of(1., 2)) }},
		{"Histogram", core.ErrDType, func() weft.Array { c, _ := weft.Histogram(weft.Of(1i), 1, 0, 1); return c }},
		{"Histogram", core.ErrShape, func() weft.Array { c, _ := weft.Histogram(weft.Of(1.), 1, math.Inf(-1), 1); return c }},
		{"UniqueSize", core.ErrShape, func() weft.Array { return weft.UniqueSize(weft.Of(1), 3, weft.Of(1, 2)) }},
		{"UniqueSize", core.ErrShape, func() weft.Array { return weft.UniqueSize(weft.Of(1), 3, 1, 2) }},
		{"RavelIndex", core.ErrDType, func() weft.Array { return weft.RavelIndex([]weft.Array{weft.Of(1.5)}, weft.Shape{3}) }},
		{"HardSigmoid", nil, func() weft.Array { return nn.HardSigmoid(none) }},
		{"KLDivergence", nil, func() weft.Array { return nn.KLDivergence(weft.Of(1.), none) }},
	} {
		_, err := weft.Try(c.f)
		var e *weft.Error
		if !errors.As(err, &e) || e.Op != c.op || c.kind != nil && !errors.Is(err, c.kind) {
			t.Errorf("got %v, want an error of %s", err, c.op)
		}
	}
}
