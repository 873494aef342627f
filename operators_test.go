package weft_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/special"
)

func TestOperators(t *testing.T) {
	x, n := weft.Of(1., 2, 4), weft.Of(7, -7, 3)
	big := weft.FromSlice([]int64{1 << 40})
	for _, c := range []struct {
		x    weft.Array
		want string
	}{
		{x.Add(1), "[2. 3. 5.]"},
		{weft.Sub(1, x), "[ 0. -1. -3.]"},
		{x.Mul(n), "[  7. -14.  12.]"},
		{n.Div(2), "[ 3.5 -3.5  1.5]"},
		{n.FloorDiv(2), "[ 3 -4  1]"},
		{n.Mod(4), "[3 1 3]"},
		{n.Rem(4), "[ 3 -3  3]"},
		{n.Pow(2), "[49 49  9]"},
		{weft.Pow(2, weft.Of(3, 0, 10)), "[   8    1 1024]"},
		{x.Pow(0.5), "[1.        1.4142135 2.       ]"},
		{n.Shl(1), "[ 14 -14   6]"},
		{n.Shr(1), "[ 3 -4  1]"},
		{n.And(3).Or(8).Xor(1), "[10  8 10]"},
		{n.Not(), "[-8  6 -4]"},
		{n.Neg(), "[-7  7 -3]"},
		{n.Lt(x), "[False  True  True]"},
		{n.Ge(3).Add(n.Lt(0)), "[ True  True  True]"},
		{weft.Where(n.Gt(0), x, 0), "[1. 0. 4.]"},
		{weft.Maximum(x, 2), "[2. 2. 4.]"},
		{x.Reshape(3, 1).Mul(n), "[[  7.  -7.   3.]\n [ 14. -14.   6.]\n [ 28. -28.  12.]]"},
		{x.ExpandDims(0).Add(weft.Ones(2, 1)), "[[2. 3. 5.]\n [2. 3. 5.]]"},
		{big.Add(1 << 41), "[3298534883328]"},
		{big.Mul(0.5), "[5.497558e+11]"},
		{x.Dot(x), "21.0"},
		{weft.Arange(6.).Reshape(2, 3).Dot(x), "[10. 31.]"},
		{weft.Outer(x, n).Sum(0), "[ 49. -49.  21.]"},
	} {
		if got := c.x.String(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestMatMulShapes(t *testing.T) {
	for _, c := range []struct{ a, b, want []int }{
		{[]int{3}, []int{3}, nil},
		{[]int{3}, []int{3, 4}, []int{4}},
		{[]int{2, 3}, []int{3}, []int{2}},
		{[]int{2, 3}, []int{3, 4}, []int{2, 4}},
		{[]int{5, 2, 3}, []int{3, 4}, []int{5, 2, 4}},
		{[]int{2, 3}, []int{5, 3, 4}, []int{5, 2, 4}},
		{[]int{5, 2, 3}, []int{5, 3, 4}, []int{5, 2, 4}},
		{[]int{1, 2, 3}, []int{5, 3, 4}, []int{5, 2, 4}},
		{[]int{5, 2, 3}, []int{1, 3, 4}, []int{5, 2, 4}},
		{[]int{1, 2, 3}, []int{1, 3, 4}, []int{1, 2, 4}},
		{[]int{6, 1, 2, 3}, []int{5, 3, 4}, []int{6, 5, 2, 4}},
		{[]int{6, 1, 2, 3}, []int{1, 5, 3, 4}, []int{6, 5, 2, 4}},
		{[]int{1, 5, 2, 3}, []int{6, 1, 3, 4}, []int{6, 5, 2, 4}},
		{[]int{1, 1, 2, 3}, []int{3, 4}, []int{1, 1, 2, 4}},
		{[]int{3}, []int{5, 3, 4}, []int{5, 4}},
		{[]int{5, 2, 3}, []int{3}, []int{5, 2}},
		{[]int{0, 2, 3}, []int{1, 3, 4}, []int{0, 2, 4}},
		{[]int{2, 0}, []int{0, 4}, []int{2, 4}},
	} {
		a := weft.Arange(float64(core.MakeDims(c.a...).Size())).Reshape(c.a...)
		b := weft.Arange(float64(core.MakeDims(c.b...).Size())).Reshape(c.b...)
		got := a.MatMul(b)
		if core.MakeDims(got.Shape()...) != core.MakeDims(c.want...) {
			t.Errorf("%v @ %v is %v, want %v", c.a, c.b, got.Shape(), c.want)
			continue
		}
		// By definition: a row of x spread over the columns of y, multiplied and added.
		x, y := a, b
		if len(c.a) == 1 {
			x = x.ExpandDims(0)
		}
		if len(c.b) == 1 {
			y = y.ExpandDims(-1)
		}
		want := x.ExpandDims(-1).Mul(y.ExpandDims(-3)).Sum(-2)
		if len(c.b) == 1 {
			want = want.Squeeze(-1)
			if len(c.a) == 1 {
				want = want.Squeeze(-1)
			}
		} else if len(c.a) == 1 {
			want = want.Squeeze(-2)
		}
		if !got.Equal(want) {
			t.Errorf("%v @ %v is\n%v, want\n%v", c.a, c.b, got, want)
		}
	}
}

func TestReductions(t *testing.T) {
	x := weft.Arange(6.).Reshape(2, 3)
	for _, c := range []struct {
		x    weft.Array
		want string
	}{
		{x.Sum(), "15.0"},
		{x.Sum(0), "[3. 5. 7.]"},
		{x.Sum(-1, weft.Keep), "[[ 3.]\n [12.]]"},
		{x.Mean(0, 1), "2.5"},
		{x.Var(), "2.9166667"},
		{x.Std(1), "[0.8164966 0.8164966]"},
		{x.Max(0), "[3. 4. 5.]"},
		{x.Min(weft.Keep), "[[0.]]"},
		{x.ArgMax(), "5"},
		{x.ArgMin(1), "[0 0]"},
		{x.ArgMax(1, weft.Keep), "[[2]\n [2]]"},
		{x.Gt(0).All(), "False"},
		{x.Gt(4).Any(1), "[False  True]"},
		{x.CumSum(1), "[[ 0.  1.  3.]\n [ 3.  7. 12.]]"},
		{x.CumSum(), "[ 0.  1.  3.  6. 10. 15.]"},
		{weft.Of(3, 1, 2).Sort(), "[1 2 3]"},
		{weft.Of(3, 1, 2).ArgSort(), "[1 2 0]"},
		{weft.Of(true, true, false).Sum(), "2"},
		{weft.Of(int8(100), 100).Sum(), "200"},
		{weft.Of(1, 2).Mean(), "1.5"},
		{weft.Reduce(x, weft.ReduceConfig{Op: weft.ReduceSum, Where: x.Gt(1)}), "14.0"},
		{weft.Reduce(x, weft.ReduceConfig{Op: weft.ReduceMean, Axes: []int{1}, Where: x.Gt(0)}), "[1.5 4. ]"},
		{weft.Reduce(x, weft.ReduceConfig{Op: weft.ReduceVar, DDof: 1}), "3.5"},
		{weft.Reduce(weft.Of(1, 2), weft.ReduceConfig{Op: weft.ReduceSum, DType: weft.Float64, Keep: true}), "[3.]"},
		{nn.Softmax(weft.Of(0., 0)), "[0.5 0.5]"},
		{special.LogSumExp(weft.Of(1000., 1000)), "1000.6932"},
		{special.LogSumExp(weft.Of(math.Inf(-1), math.Inf(-1))), "-inf"},
	} {
		if got := c.x.String(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestOperatorMistakes(t *testing.T) {
	x := weft.Of(1., 2, 3)
	fails(t, core.ErrShape, func() { x.Add(weft.Of(1., 2)) }, "Add: ", "f32[3]", "f32[2]")
	fails(t, core.ErrDType, func() { x.Mul("a") }, "Mul", "string")
	fails(t, core.ErrDType, func() { x.Mul(nil) }, "an operand is nil")
	fails(t, core.ErrDType, func() { x.Mul(x.Neg) }, "parentheses")
	fails(t, core.ErrDType, func() { x.Mul([]float64{1}) }, "[]float64", "weft.From")
	fails(t, core.ErrDType, func() { x.Mul(&x) }, "pointer", "*")
	fails(t, core.ErrTree, func() { x.Mul(weft.Array{}) }, "zero Array")
	fails(t, core.ErrDType, func() { weft.Of(uint8(1)).Add(256) }, "256", "u8")
	fails(t, core.ErrDType, func() { weft.Of(uint8(1)).Add(-1) }, "-1", "u8")
	fails(t, core.ErrDType, func() { x.AsType(weft.Float16).Mul(1e6) }, "1000000.0", "f16")
	fails(t, core.ErrDType, func() { weft.Of(2).Pow(-1) }, "power of -1")
	fails(t, core.ErrDType, func() { x.And(1) }, "and")
	fails(t, core.ErrPromotion, func() { x.Add(x.AsType(weft.Float8E5M2)) }, "f8_e5m2", "convert")
	fails(t, core.ErrIndex, func() { x.Sum(1) }, "axis 1", "f32[3]")
	fails(t, core.ErrIndex, func() { weft.Zeros(2, 2).Sum(0, -2) }, "twice")
	fails(t, core.ErrShape, func() { weft.Zeros(0).Max() }, "no elements")
	fails(t, core.ErrShape, func() { x.Reshape(2, 2) }, "3 elements", "(2, 2)")
	fails(t, core.ErrShape, func() { x.Dot(weft.Of(1., 2)) }, "cannot contract f32[3] with f32[2]")
	fails(t, core.ErrShape, func() { x.MatMul(weft.Scalar(1.)) }, "scalar is no matrix")
	fails(t, core.ErrShape, func() { weft.Concat(0, x, weft.Zeros(2, 2)) }, "f32[3]")
	fails(t, core.ErrShape, func() { weft.Stack(0, x, weft.Of(1.)) }, "array 1 is f32[1]")
	fails(t, core.ErrShape, func() { x.BroadcastTo(2, 2) }, "(2, 2)")
	weft.With(weft.RankPromotion(weft.Raise), func() {
		x.Add(1) // scalars broadcast in either mode
		fails(t, core.ErrShape, func() { x.Add(weft.Zeros(2, 3)) }, "different ranks", "f32[3]", "f32[2,3]")
	})
	fails(t, core.ErrDType, func() { x.Index(0).Int(); weft.Scalar(1.5).Int() }, "no integer")
	fails(t, core.ErrShape, func() { x.Float() }, "no scalar")
	fails(t, core.ErrDType, func() { x.Index(0).Bool() }, "no truth value")
	fails(t, core.ErrDType, func() { weft.Scalar(1i).Float() }, "imaginary")
	fails(t, core.ErrDType, func() { weft.Scalar(int64(1<<53 + 1)).Float() }, "no float64 exactly")
	fails(t, core.ErrDType, func() { weft.Scalar(int64(math.MaxInt64)).Float() }, "no float64 exactly")
	fails(t, core.ErrDType, func() { weft.ToSlice[float32](weft.FromSlice([]float64{1})) }, "[]float32", "f64", "AsType(weft.Float32)")
}

func TestLooking(t *testing.T) {
	if weft.Scalar(3).Int() != 3 || weft.Scalar(2.).Int() != 2 || weft.Scalar(true).Int() != 1 || !weft.Scalar(true).Bool() ||
		weft.Scalar(2.5).Float() != 2.5 || weft.Scalar(2).Float() != 2 || weft.Scalar(1+2i).Complex() != 1+2i || weft.Scalar(2).Complex() != 2 {
		t.Error("looking at scalars")
	}
	x := weft.Of(1., 2, 3)
	if got := weft.ToSlice[float64](x); got[2] != 3 {
		t.Error(got)
	}
	if got := weft.ToSlice[int](weft.Of(1, 2)); got[1] != 2 {
		t.Error(got)
	}
	if got := weft.ToSlice[float32](x.AsType(weft.Float16)); got[1] != 2 {
		t.Error(got)
	}
	dst := make([]float32, 2)
	if n := weft.CopyTo(dst, x); n != 2 || dst[1] != 2 {
		t.Error(n, dst)
	}
	sum := float32(0)
	for v := range weft.Values[float32](x) {
		sum += v
	}
	for i, row := range weft.Eye(3).Rows() {
		sum += float32(row.Index(i).Float())
	}
	if sum != 9 {
		t.Error(sum)
	}
	nan := weft.Of(math.NaN(), 0)
	if !nan.Equal(nan.Add(0)) || nan.Equal(x) || !weft.Of(0.).Equal(weft.Of(math.Copysign(0, -1))) || x.Equal(x.AsType(weft.Float64)) {
		t.Error("Equal")
	}
}
