package mistakes_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/special"
	"github.com/weft-go/weft/stats"
)

// Errors name the function that the user wrote, not what it is made of.
func TestErrorsNameTheFunction(t *testing.T) {
	a, b := weft.Ones(2, 3), weft.Ones(3, 4)
	z := weft.Of(1i)
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { weft.Concat(0, a, b) }, "Concat: array 0 is f32[2,3] and array 1 is f32[3,4], joined along axis 0; make axis 1 of both the same"},
		{func() { weft.Concat(0, a, weft.Ones(2)) }, "Concat: array 0 is f32[2,3] and array 1 is f32[2]; give all as many axes"},
		{func() { weft.HStack(a, b) }, "HStack: "}, {func() { weft.VStack(a, b) }, "VStack: "}, {func() { weft.DStack(a, b) }, "DStack: "},
		{func() { weft.Stack(0, a, b) }, "Stack: "}, {func() { weft.Stack(5, a, a) }, "Stack: axis 5 is out of range for what is stacked of f32[2,3], which has 3 axes"},
		{func() { special.Erf(z) }, "Erf: takes real numbers, got c64[1]; take Real, Imag or Abs of it"},
		{func() { special.Erfc(z) }, "Erfc: "}, {func() { special.ErfInv(z) }, "ErfInv: "}, {func() { special.Gammaln(z) }, "Gammaln: "},
		{func() { special.Digamma(z) }, "Digamma: "}, {func() { weft.Cbrt(z) }, "Cbrt: "}, {func() { weft.Floor(z) }, "Floor: "},
		{func() { weft.Ceil(z) }, "Ceil: "}, {func() { stats.Norm{}.CDF(z) }, "Norm.CDF: "}, {func() { nn.Gelu(z) }, "Gelu: "},
		{func() { nn.Elu(z) }, "Elu: "}, {func() { nn.Selu(z) }, "Selu: "}, {func() { nn.Celu(z, 1) }, "Celu: "},
		{func() { nn.LeakyRelu(z) }, "LeakyRelu: "}, {func() { nn.Relu(z) }, "Relu: "}, {func() { weft.TopK(z, 1) }, "TopK: "},
		{func() { weft.Copysign(z, 1) }, "Copysign: takes real numbers"},
		{func() { weft.Zeros(1 << 62) }, "Zeros: an array of type f32[4611686018427387904] does not fit in memory; make it smaller"},
		{func() { weft.Zeros(1<<40, 1<<40) }, "Zeros: "}, {func() { weft.Ones(1 << 62) }, "Ones: "}, {func() { weft.ZerosOf(weft.Int8, 1<<62) }, "ZerosOf: "},
		{func() { weft.Full(weft.Shape{1 << 62}, 3) }, "Full: "}, {func() { weft.Eye(1 << 31) }, "Eye: "}, {func() { weft.Iota(weft.Int32, 0, 1<<62) }, "Iota: "},
		{func() { weft.Arange(int64(1) << 62) }, "Arange: "}, {func() { weft.Linspace(0, 1, 1<<62) }, "Linspace: "},
		{func() { weft.Jit(func() weft.Array { return weft.Zeros(1 << 62) })() }, "Zeros: "},
		{func() { weft.Jit(3) }, "Jit: takes a function; this is an int: did you call it?"},
		{func() { weft.Vmap("f") }, "Vmap: takes a function; this is a string: did you call it?"},
		{func() { weft.Grad(func(int) weft.Array { return weft.Scalar(1.) })(3) }, "the parameters, an int, hold no array"},
		{func() {
			weft.Grad(func(x weft.Array) weft.Array {
				return weft.SegmentReduce(x, weft.Of(0, 0, 1), 2, weft.ReduceProd).Sum()
			})(weft.Of(1., 2, 3))
		}, "SegmentReduce: has no derivative with respect to its elements; of positive ones take Exp of the sum over segments of their Log"},
		{func() { nn.Convolve(weft.Ones(2), weft.Ones(2), nn.ConvMode(7)) }, "Convolve: there is no mode 7; use nn.ConvFull"},
		{func() { nn.Huber(weft.Ones(2), weft.Ones(3), 1) }, "Huber: "}, {func() { nn.SquaredError(weft.Ones(2), weft.Ones(3)) }, "SquaredError: "},
		{func() { nn.CrossEntropy(weft.Ones(2), weft.Ones(3)) }, "CrossEntropy: "}, {func() { nn.KLDivergence(weft.Ones(2), weft.Ones(3)) }, "KLDivergence: "},
		{func() { nn.LayerNorm{Scale: weft.Ones(2), Shift: weft.Ones(3)}.Apply(a) }, "LayerNorm: "},
		{func() { weft.Reduce(weft.Zeros(0), weft.ReduceConfig{Op: weft.ReduceMax, SkipNaN: true}) }, "Reduce: "},
	} {
		_, err := weft.Try(func() int { c.f(); return 0 })
		if err == nil || !strings.Contains(err.Error(), "function_name_test.go:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\nholds no %q", err, c.want)
		}
	}
	// What is not differentiated by is not refused.
	g := weft.Grad(func(y weft.Array) weft.Array {
		return weft.SegmentReduce(weft.Of(1., 2, 3), weft.Of(0, 0, 1), 2, weft.ReduceProd).Mul(y).Sum()
	})
	if got := weft.Vmap(g)(weft.Of(1., 2)); !got.Equal(weft.Of(5., 5)) {
		t.Errorf("by a factor: %v", got)
	}
}

// Linspace goes from and to numbers and Arrays of all types, along any axis.
func TestLinspaceOfArrays(t *testing.T) {
	for _, c := range []struct{ got, want weft.Array }{
		{weft.Linspace(weft.Of(0., 1), weft.Of(10., 11), 5), weft.Of(0., 1, 2.5, 3.5, 5, 6, 7.5, 8.5, 10, 11).Reshape(5, 2)},
		{weft.Linspace(0, weft.Of(1., 2), 3, 1), weft.Of(0, 0.5, 1, 0, 1, 2).Reshape(2, 3)},
		{weft.Linspace(0, weft.Of(1., 2), 3, -1), weft.Of(0, 0.5, 1, 0, 1, 2).Reshape(2, 3)},
		{weft.Linspace(weft.Of(0., 4).Reshape(2, 1), weft.Of(2., 8), 2), weft.Of(0., 0, 4, 4, 2, 8, 2, 8).Reshape(2, 2, 2)},
		{weft.Linspace(weft.Of(3., 1), 7, 1), weft.Of(3., 1).Reshape(1, 2)},
		{weft.Linspace(weft.Of(3., 1), 7, 0), weft.Zeros(0, 2)},
		{weft.Linspace(weft.Zeros(0), 7, 2), weft.Zeros(2, 0)},
		{weft.Linspace(0, 1, 3), weft.Of(0, 0.5, 1)},
		{weft.Linspace(float32(0), 1, 2), weft.Of(float32(0), 1)},
		{weft.Linspace(int64(0), 1, 2), weft.Of(0., 1)},
		{weft.Linspace(0, weft.FromSlice([]float64{3}), 4).Ravel(), weft.FromSlice([]float64{0, 1, 2, 3})},
		{weft.Linspace(0, 2i, 3), weft.Of(0, 1i, 2i)},
		{weft.Linspace(weft.Of(1, 2).AsType(weft.Float16), 3, 3), weft.Of(1, 2, 2, 2.5, 3, 3).Reshape(3, 2).AsType(weft.Float16)},
		{weft.Linspace(math.Inf(1), 1, 1), weft.Of(math.Inf(1))},
	} {
		if c.got.DType() != c.want.DType() || c.got.Weak() || !c.got.Equal(c.want) {
			t.Errorf("got %+v of %v, want %+v", c.got, c.got.Shape(), c.want)
		}
	}
	ends := func(lo, hi weft.Array) weft.Array { return weft.Linspace(lo, hi, 3).Mul(weft.Of(1., 10, 100)).Sum() }
	if got := weft.Jit(weft.Vmap(weft.Grad(func(hi weft.Array) weft.Array { return ends(weft.Scalar(0.), hi) })))(weft.Of(1., 2)); !got.Equal(weft.Of(105., 105)) {
		t.Errorf("by the end: %v", got)
	}
}

func ExampleLinspace() {
	fmt.Println(weft.Linspace(0, 1, 5))
	fmt.Println(weft.Linspace(weft.Of(0., 10), 20, 3))
	// Output:
	// [0.   0.25 0.5  0.75 1.  ]
	// [[ 0. 10.]
	//  [10. 15.]
	//  [20. 20.]]
}
