package nd_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/promote"
)

// What the standard of arrays in Python has beyond the common functions. Results are NumPy's, but for the
// order of NaNs in descending sorts, which is jax.numpy's.
func TestArrayStandard(t *testing.T) {
	x := weft.Of(3, 1, 2, 3, 1).AsType(weft.Int32)
	m := weft.Arange(6.).Reshape(2, 3)
	nan := weft.FromSlice([]float64{1, math.NaN(), 0, math.NaN()})
	none := []int{}
	u := weft.UniqueAll(x.Reshape(5, 1))
	un := weft.UniqueAll(nan)
	keys := weft.Of(1., 0, 1, 0)
	cum := func(x weft.Array, c weft.ReduceConfig) weft.Array { c.Cumulative = true; return weft.Reduce(x, c) }
	for _, c := range []struct {
		name string
		got  weft.Array
		want any
	}{
		{"UniqueAll.Values", u.Values, []int32{1, 2, 3}},
		{"UniqueAll.Indices", u.Indices, []int32{1, 2, 0}},
		{"UniqueAll.Inverse", u.Inverse, [][]int32{{2}, {0}, {1}, {2}, {0}}},
		{"UniqueAll.Counts", u.Counts, []int32{2, 1, 2}},
		{"UniqueAll of NaNs, Counts", un.Counts, []int32{1, 1, 1, 1}},
		{"UniqueAll of NaNs, Inverse", un.Inverse, []int32{1, 2, 0, 3}},
		{"UniqueAll of nothing", weft.UniqueAll(weft.Zeros(0, 2)).Inverse, [][2]int32{}},
		{"UniqueAll of zeros", weft.UniqueAll(weft.FromSlice([]float64{0, math.Copysign(0, -1)})).Counts, []int32{2}},

		{"Sort", x.Sort(weft.Descending), []int32{3, 3, 2, 1, 1}},
		{"Sort along 0", m.Sort(0, weft.Descending), [][]float32{{3, 4, 5}, {0, 1, 2}}},
		{"ArgSort is stable", keys.ArgSort(weft.Descending), []int32{0, 2, 1, 3}},
		{"ArgSort, NaNs first", nan.ArgSort(-1, weft.Descending), []int32{1, 3, 0, 2}},

		{"Eye above", weft.Eye(2, 3, 1), [][]float32{{0, 1, 0}, {0, 0, 1}}},
		{"Eye below", weft.Eye(3, 2, -1), [][]float32{{0, 0}, {1, 0}, {0, 1}}},
		{"Eye, far", weft.Eye(2, 2, math.MaxInt), [][]float32{{0, 0}, {0, 0}}},
		{"Eye, far below", weft.Eye(2, 2, math.MinInt), [][]float32{{0, 0}, {0, 0}}},

		{"Linspace, half open", weft.Linspace(0., 1, 4, weft.HalfOpen), []float32{0, 0.25, 0.5, 0.75}},
		{"Linspace, half open, one", weft.Linspace(2., 5, 1, weft.HalfOpen), []float32{2}},
		{"Linspace, half open, none", weft.Linspace(2., 5, 0, weft.HalfOpen), []float32{}},
		{"Linspace, half open, axis", weft.Linspace(weft.Of(0., 1), weft.Of(1., 3), 2, -1, weft.HalfOpen), [][]float32{{0, 0.5}, {1, 2}}},
		{"Linspace, closed, axis", weft.Linspace(weft.Of(0., 1), weft.Of(1., 3), 2, -1), [][]float32{{0, 1}, {1, 3}}},

		{"cumulative sum", cum(m, weft.ReduceConfig{Axes: []int{1}}), [][]float32{{0, 1, 3}, {3, 7, 12}}},
		{"cumulative sum with 0 first", cum(m, weft.ReduceConfig{Axes: []int{-1}, Initial: 0}), [][]float32{{0, 0, 1, 3}, {0, 3, 7, 12}}},
		{"cumulative sum of all", cum(m, weft.ReduceConfig{Initial: 1}), []float32{1, 1, 2, 4, 7, 11, 16}},
		{"cumulative sum in i64", cum(weft.FromSlice([]int8{100, 100}), weft.ReduceConfig{DType: weft.Int64}), []int64{100, 200}},
		{"cumulative sum of i8", cum(weft.FromSlice([]int8{100, 100}), weft.ReduceConfig{}), []int32{100, 200}},
		{"cumulative sum of truth values", cum(weft.Of(true, true), weft.ReduceConfig{}), []int32{1, 2}},
		{"cumulative product with 1 first", cum(weft.Of(2., 3), weft.ReduceConfig{Op: weft.ReduceProd, Initial: 1}), []float32{1, 2, 6}},
		{"cumulative maximum, where", cum(weft.Of(5., 1, 3), weft.ReduceConfig{Op: weft.ReduceMax, Where: weft.Of(false, true, true)}), []float32{float32(math.Inf(-1)), 1, 3}},
		{"cumulative minimum, no NaN", cum(weft.FromSlice([]float32{5, float32(math.NaN()), 3}), weft.ReduceConfig{Op: weft.ReduceMin, SkipNaN: true}), []float32{5, 5, 3}},
		{"cumulative sum of nothing with 0 first", cum(weft.Zeros(0), weft.ReduceConfig{Initial: 0}), []float32{0}},

		{"Reduce over no axes", weft.Reduce(m, weft.ReduceConfig{Axes: none}), [][]float32{{0, 1, 2}, {3, 4, 5}}},
		{"Reduce over no axes, Keep", weft.Reduce(m, weft.ReduceConfig{Axes: none, Keep: true}), [][]float32{{0, 1, 2}, {3, 4, 5}}},
		{"mean over no axes", m.Mean(none...), [][]float32{{0, 1, 2}, {3, 4, 5}}},
		{"variance over no axes", weft.Reduce(m, weft.ReduceConfig{Op: weft.ReduceVar, Axes: none}), [][]float32{{0, 0, 0}, {0, 0, 0}}},
		{"maximum over no axes with 2", weft.Reduce(m, weft.ReduceConfig{Op: weft.ReduceMax, Axes: none, Initial: 2}), [][]float32{{2, 2, 2}, {3, 4, 5}}},
		{"Any over no axes", m.Any(none...), [][]bool{{false, true, true}, {true, true, true}}},
		{"Max of no elements over no axes", weft.Zeros(0, 2).Max(none...), [][2]float32{}},
		{"all with Keep", m.Sum(weft.Keep), [][]float32{{15}}},
		{"half a degree of freedom", weft.Reduce(weft.Of(1., 3), weft.ReduceConfig{Op: weft.ReduceVar, DDof: 0.5}), float32(4. / 3)},

		{"Roll of all", weft.Roll(m, 1), [][]float32{{5, 0, 1}, {2, 3, 4}}},
		{"Roll along both axes", weft.Roll(m, 1, 0, 1), [][]float32{{5, 3, 4}, {2, 0, 1}}},
		{"Roll along no axes", weft.Roll(m, 1, none...), [][]float32{{0, 1, 2}, {3, 4, 5}}},
		{"Flip of none", weft.Flip(m, none...), [][]float32{{0, 1, 2}, {3, 4, 5}}},
		{"Flip of all", weft.Flip(m), [][]float32{{5, 4, 3}, {2, 1, 0}}},
		{"Squeeze of none", weft.Ones(1, 1).Squeeze(none...), [][]float32{{1}}},
		{"Cross along 0", weft.Cross(weft.Eye(3), weft.Roll(weft.Eye(3), 1, 0), 0), [][]float32{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}},
		{"Cross in the plane along 0", weft.Cross(weft.Eye(2), weft.Eye(2).Index("::-1"), 0), []float32{1, -1}},
		{"Cross along no axis, which is the last", weft.Cross(weft.Eye(3), weft.Roll(weft.Eye(3), 1, 0), []int{}...), [][]float32{{0, -1, 0}, {0, 0, -1}, {-1, 0, 0}}},
	} {
		want := weft.From(c.want)
		if _, ok := c.want.(float32); ok {
			want = weft.Scalar(c.want.(float32))
		}
		if !c.got.Equal(want) {
			t.Errorf("%s: got %+v, want %+v", c.name, c.got, want)
		}
	}
}

// MoveAxis of several axes puts each where it is told, as NumPy's moveaxis.
func TestMoveSeveralAxes(t *testing.T) {
	x := weft.Zeros(2, 3, 4, 5)
	for _, c := range []struct {
		from, to any
		want     string
	}{
		{0, -1, "(3, 4, 5, 2)"}, {[]int{0, 1}, []int{-1, -2}, "(4, 5, 3, 2)"}, {[]int{3, 0}, []int{0, 1}, "(5, 2, 3, 4)"},
		{[]int{0, 2}, []int{2, 0}, "(4, 3, 2, 5)"}, {[]int{}, []int{}, "(2, 3, 4, 5)"},
	} {
		if got := x.MoveAxis(c.from, c.to).Shape().String(); got != c.want {
			t.Errorf("MoveAxis(%v, %v): got %s, want %s", c.from, c.to, got, c.want)
		}
	}
	for _, c := range []struct {
		from, to any
		want     string
	}{
		{[]int{0, 0}, []int{1, 2}, "axis 0 comes twice"}, {[]int{0}, []int{1, 2}, "1 axis cannot move to 2 positions"}, {"0", 1, "string is no axis"}, {nil, 1, "no axis"}, {4, 0, "axis 4 is out of range"},
	} {
		_, err := weft.Try(func() weft.Array { return x.MoveAxis(c.from, c.to) })
		if err == nil || !strings.Contains(err.Error(), "MoveAxis: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("MoveAxis(%v, %v): got %v, want an error with %q", c.from, c.to, err, c.want)
		}
	}
}

func TestBroadcastShapes(t *testing.T) {
	for _, c := range []struct {
		in   []weft.Shape
		want string
	}{
		{nil, "()"}, {[]weft.Shape{{2, 1}, {3}}, "(2, 3)"}, {[]weft.Shape{{}, {0, 1}, {1, 4}}, "(0, 4)"},
	} {
		if got := weft.BroadcastShapes(c.in...).String(); got != c.want {
			t.Errorf("BroadcastShapes(%v): got %s, want %s", c.in, got, c.want)
		}
	}
	for _, bad := range [][]weft.Shape{{{2}, {3}}, {{-1}}} {
		if _, err := weft.Try(func() weft.Shape { return weft.BroadcastShapes(bad...) }); err == nil || !strings.Contains(err.Error(), "BroadcastShapes: ") {
			t.Errorf("BroadcastShapes(%v): got error %v", bad, err)
		}
	}
}

func TestCanCast(t *testing.T) {
	for _, c := range []struct {
		from, to weft.DType
		want     bool
	}{
		{weft.Int8, weft.Int16, true}, {weft.Int16, weft.Int8, false}, {weft.Uint8, weft.Int8, false}, {weft.Uint8, weft.Int16, true},
		{weft.Float32, weft.Complex64, true}, {weft.Complex64, weft.Float32, false}, {weft.Bool, weft.Int8, true}, {weft.Int32, weft.Float32, true},
		{weft.Float16, weft.BFloat16, false}, {weft.Int64, weft.Uint64, false},
	} {
		if got := weft.CanCast(c.from, c.to); got != c.want {
			t.Errorf("CanCast(%v, %v): got %v, want %v", c.from, c.to, got, c.want)
		}
	}
	weft.With(weft.Promotion(promote.NumPy), func() {
		if weft.CanCast(weft.Int32, weft.Float32) || !weft.CanCast(weft.Int32, weft.Float64) {
			t.Error("NumPy: i32 does not become f32, and becomes f64")
		}
	})
}

// The least normal number has 1 less digit below it than above: half of it times 1 + ε is rounded.
func TestSmallestNormal(t *testing.T) {
	for _, dt := range []weft.DType{weft.Float16, weft.BFloat16, weft.Float32, weft.Float64} {
		least := dt.SmallestNormal()
		last := least * dt.Epsilon() // the distance of numbers there, and below
		x := weft.FromSlice([]float64{least, least + last, least - last, least + last/2}).AsType(dt).AsType(weft.Float64)
		if !x.Equal(weft.FromSlice([]float64{least, least + last, least - last, least})) || weft.FromSlice([]float64{2*least + last}).AsType(dt).AsType(weft.Float64).Index(0).Float() != 2*least {
			t.Errorf("%v: %g is not the least normal number: %v", dt, least, fmt.Sprintf("%x", weft.ToSlice[float64](x)))
		}
	}
	if got := weft.Complex64.SmallestNormal(); got != 0x1p-126 {
		t.Errorf("c64: got %g, want %g", got, 0x1p-126)
	}
	if got := weft.Int32.SmallestNormal(); got != 0 {
		t.Errorf("i32: got %g, want 0", got)
	}
}
