package lax_test

import (
	"errors"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/lax"
)

// row returns element i along the first axis.
func row(x weft.Array, i int) weft.Array { return x.At(i).Get() }

// What is an error for an element is one for a batch of them, with the same words.
func TestBatchesOfRefusedElements(t *testing.T) {
	x, m := weft.Full[float32](weft.Shape{4, 3}, 1), weft.Full[float32](weft.Shape{4, 3, 3}, 1)
	for name, c := range map[string]struct {
		f  func(x weft.Array) weft.Array
		of weft.Array
	}{
		"ReduceSum":   {func(x weft.Array) weft.Array { return lax.ReduceSum(x, -1) }, x},
		"Cumsum":      {func(x weft.Array) weft.Array { return lax.Cumsum(x, -1, false) }, x},
		"Rev":         {func(x weft.Array) weft.Array { return lax.Rev(x, -1) }, x},
		"Concatenate": {func(x weft.Array) weft.Array { return lax.Concatenate(-1, x, x) }, x},
		"Bitcast":     {func(x weft.Array) weft.Array { return lax.BitcastConvertType(x, weft.Int32) }, weft.Zeros(4).AsType(weft.Int8)},
		"SelectN":     {func(x weft.Array) weft.Array { return lax.SelectN(x.At(0, 0).Get().Gt(0), x, x.At(0).Get()) }, m},
		"Clamp":       {func(x weft.Array) weft.Array { return lax.Clamp(x.At(0).Get(), x, x.At(0).Get()) }, m},
	} {
		message := func(g func() weft.Array) string {
			_, err := weft.Try(g)
			var e *weft.Error
			if !errors.As(err, &e) {
				return ""
			}
			return e.Msg
		}
		want := message(func() weft.Array { return c.f(row(c.of, 0)) })
		if got := message(func() weft.Array { return weft.Vmap(c.f)(c.of) }); got != want || want == "" {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// Sums of values that are the same for a whole batch do not round the batch's size.
func TestSumsOfOneValueRoundOnce(t *testing.T) {
	const n = 257
	x, want := weft.Scalar[float32](3).AsType(weft.BFloat16), weft.Scalar[float32](771).AsType(weft.BFloat16)
	whole := x.BroadcastTo(n)
	got := weft.Vmap(func(weft.Array) weft.Array { return lax.PsumScatter(whole, "i", 0, false) }, weft.AxisName("i"))(weft.Zeros(n))
	if !row(got, 0).Equal(want) {
		t.Errorf("scattered: got %v, want %v", row(got, 0), want)
	}
	type two struct{ X, Y weft.Array }
	f := custom.VJP(func(p two) weft.Array { return p.X.Mul(p.Y) },
		func(p two) (weft.Array, struct{}) { return p.X.Mul(p.Y), struct{}{} },
		func(struct{}, weft.Array) two { return two{X: x} })
	sum := func(x weft.Array) weft.Array {
		return weft.Vmap(func(y weft.Array) weft.Array { return f(two{x, y}) })(weft.Zeros(n).AsType(weft.BFloat16)).Sum()
	}
	if got := weft.Grad(sum)(x); !got.Equal(want) {
		t.Errorf("cotangents: got %v, want %v", got, want)
	}
}

// The slope of x⁰ is zero for every x, also where the exponent is an array of integers.
func TestSlopeOfIntegerPower(t *testing.T) {
	for _, x := range []float32{0, 2, float32(math.Inf(1)), float32(math.NaN())} {
		g := weft.Grad(func(x weft.Array) weft.Array { return lax.Pow(x, weft.Scalar[int32](0)) })(weft.Scalar(x))
		if g.Float() != 0 {
			t.Errorf("at %v: got %v, want 0", x, g)
		}
	}
}

// Indices outside may be clipped to one position, although they are promised to differ.
func TestScatterClipsUniqueIndices(t *testing.T) {
	config := lax.ScatterConfig{InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}, Mode: lax.Clip, Unique: true}
	got := weft.Grad(func(u weft.Array) weft.Array {
		return lax.Scatter(weft.Zeros(3).AsType(weft.Float32), weft.Of[int32](5, 6).Reshape(2, 1), u, config).Sum()
	})(weft.Of[float32](1, 2))
	if want := weft.Of[float32](0, 1); !got.Equal(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A clipped update that wins has the derivative of the maximum, or shares it with its equals.
func TestScatterMaxClipsDerivative(t *testing.T) {
	config := lax.ScatterConfig{InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}, Mode: lax.Clip}
	got := weft.Grad(func(u weft.Array) weft.Array {
		return lax.ScatterMax(weft.Ones(2).AsType(weft.Float32), weft.Of[int32](0, 5, 6, 7).Reshape(4, 1), u, config).Sum()
	})(weft.Of[float32](3, 2, 0, 2))
	if want := weft.Of[float32](1, .5, 0, .5); !got.Equal(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A gather without indices may name windows larger than its array; its derivative is zero.
func TestGatherOfNothing(t *testing.T) {
	config := lax.GatherConfig{OffsetDims: []int{1}, StartIndexMap: []int{0}, SliceSizes: []int{1}}
	got := weft.Grad(func(x weft.Array) weft.Array {
		return lax.Gather(x, weft.Zeros(0, 1).AsType(weft.Int32), config).Sum()
	})(weft.Zeros(0).AsType(weft.Float32))
	if !got.Equal(weft.Zeros(0).AsType(weft.Float32)) {
		t.Errorf("got %v, want no element", got)
	}
}

// A number of steps beyond the largest integer is an error.
func TestTooManySteps(t *testing.T) {
	_, err := weft.Try(func() weft.Array {
		return lax.ForiLoop(-1, math.MaxInt, func(_, c weft.Array) weft.Array { return c }, weft.Scalar(1.))
	})
	if err == nil {
		t.Error("no error")
	}
}
