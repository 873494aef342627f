package weft_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
)

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
		// What NumPy returns, which looks at the points first.
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

func TestNonzeroOfAScalar(t *testing.T) {
	for name, f := range map[string]func(){
		"Nonzero":     func() { weft.Nonzero(weft.Scalar(3.)) },
		"NonzeroSize": func() { weft.NonzeroSize(weft.Scalar(3.), 1, 0) },
	} {
		_, err := weft.Try(func() int { f(); return 0 })
		if err == nil || !strings.Contains(err.Error(), name+": a scalar has no positions; give it an axis, as weft.AtLeast(x, 1)") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if at := weft.Nonzero(weft.AtLeast(weft.Scalar(3.), 1)); len(at) != 1 || !at[0].Equal(weft.Of(int32(0))) {
		t.Errorf("with an axis: %v", at)
	}
}
