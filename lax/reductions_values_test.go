package lax_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

func floats(t *testing.T, x array) []float32 {
	t.Helper()
	return weft.ToSlice[float32](x)
}

func of(shape []int, v ...float32) array { return lax.Reshape(weft.From(v), shape...) }

func TestReduceByFunction(t *testing.T) {
	norm := func(a, b array) array { return lax.Sqrt(lax.Add(lax.Mul(a, a), lax.Mul(b, b))) }
	x := of([]int{2, 2}, 3, 1, 4, 2)
	require.InDeltaSlice(t, []float32{5, float32(math.Sqrt(5))}, floats(t, lax.Reduce(x, 0.0, norm, 0)), 1e-6)
	// Its derivative is that of the norm.
	g := weft.Grad(func(x array) array { return lax.ReduceSum(lax.Reduce(x, 0.0, norm, 0), 0) })(x)
	require.InDeltaSlice(t, []float32{0.6, 0.4472136, 0.8, 0.8944272}, floats(t, g), 1e-6)

	err := core.Catch(func() { lax.Reduce(x, 0.0, func(a, b array) array { return lax.Add(a, x) }, 0) })
	require.ErrorContains(t, err, "must not use other arrays; it used one of type f32[2,2]")
	err = core.Catch(func() { lax.Reduce(x, 0, norm, 0) })
	require.ErrorContains(t, err, "must be a scalar of its dtype (got ~i32[]")
}

func TestReduceWindowByFunction(t *testing.T) {
	x := of([]int{5}, 1, 2, 3, 4, 5)
	c := lax.WindowConfig{Dims: []int{3}, Padding: lax.Same}
	require.Equal(t, []float32{3, 6, 9, 12, 9}, floats(t, lax.ReduceWindow(x, 0.0, lax.Add[array, array], c)))
	require.Equal(t, []float32{2, 6, 24, 60, 20}, floats(t, lax.ReduceWindow(x, 1.0, lax.Mul[array, array], c)))
	// An initial value that is not neutral counts once, as in JAX 0.10.2, at each position.
	x3 := of([]int{3}, 1, 2, 3)
	require.Equal(t, []float32{13, 16, 15}, floats(t, lax.ReduceWindow(x3, 10., lax.Add[array, array], c)))
	dilated := lax.WindowConfig{Dims: []int{3}, BaseDilation: []int{2}, Padding: lax.Pads([2]int{4, 2})}
	require.Equal(t, []float32{10, 10, 11, 11, 13, 12, 15, 13, 13}, floats(t, lax.ReduceWindow(x3, 10., lax.Add[array, array], dilated)))
	square := func(a, b array) array { return lax.Add(lax.Mul(a, a), b) }
	apart := lax.WindowConfig{Dims: []int{2}, Strides: []int{2}, WindowDilation: []int{2}, Padding: lax.Pads([2]int{1, 3})}
	require.Equal(t, []float32{6, 6, 2}, floats(t, lax.ReduceWindow(x3, 2., square, apart)))
	c.Strides, c.Padding = []int{2}, lax.Pads([2]int{-1, 0})
	require.Equal(t, []float32{4}, floats(t, lax.ReduceWindow(x, math.Inf(-1), lax.Max[array, array], c)))
	require.Equal(t, []float32{0, 0, 0, 7, 0}, floats(t, lax.SelectAndScatterAdd(of([]int{1}, 7), x, true, c)))
	require.Equal(t, []float32{4}, floats(t, lax.SelectAndGatherAdd(x, x, true, c)))
	c.BaseDilation, c.WindowDilation = []int{1}, []int{1}
	require.Equal(t, []float32{0, 0, 0, 7, 0}, floats(t, lax.SelectAndScatterAdd(of([]int{1}, 7), x, true, c)))
}

func TestSolve(t *testing.T) {
	a := of([]int{2, 2}, 4, 2, 2, 5)
	l := lax.Cholesky(a)
	require.Equal(t, []float32{2, 0, 1, 2}, floats(t, l))
	b := of([]int{2}, 2, 5)
	require.Equal(t, []float32{1, 2}, floats(t, lax.TriangularSolve(l, b, lax.TriangularConfig{LeftSide: true, Lower: true})))
	require.Equal(t, []float32{-0.25, 2.5}, floats(t, lax.TriangularSolve(l, b, lax.TriangularConfig{Lower: true})))
	whole := lax.ConvertElementType(a, weft.Int32)
	require.Equal(t, []float32{2, 0, 1, 2}, floats(t, lax.Cholesky(whole)))
	require.True(t, math.IsNaN(float64(floats(t, lax.Cholesky(of([]int{2, 2}, 1, 2, 2, 1)))[0])))
}

func TestCollectives(t *testing.T) {
	i := weft.AxisName("i")
	x := of([]int{2, 2}, 1, 2, 3, 4)
	over := func(f func(a array) array) []float32 { return floats(t, weft.Vmap(f, i)(x)) }
	require.Equal(t, []float32{4, 6, 4, 6}, over(func(a array) array { return lax.Psum(a, "i") }))
	require.Equal(t, []float32{2, 3, 2, 3}, over(func(a array) array { return lax.Pmean(a, "i") }))
	require.Equal(t, []float32{3, 4, 1, 2}, over(func(a array) array { return lax.Pshuffle(a, "i", 1, 0) }))
	require.Equal(t, []float32{0, 0, 1, 2}, over(func(a array) array { return lax.Ppermute(a, "i", [2]int{0, 1}) }))
	require.Equal(t, []float32{4, 6}, over(func(a array) array { return lax.PsumScatter(a, "i", 0, false) }))
	require.Equal(t, []float32{1, 3, 2, 4}, over(func(a array) array { return lax.AllToAll(a, "i", 0, 0, false) }))
	require.Equal(t, []float32{1, 2, 3, 4, 1, 2, 3, 4}, over(func(a array) array { return lax.AllGather(a, "i", 0, true) }))
	// Each example gets its column of the gradients of the sum of all examples' losses.
	require.Equal(t, []float32{2, 2, 2, 2}, over(weft.Grad(func(a array) array { return lax.Psum(lax.ReduceSum(a, 0), "i") })))
	err := core.Catch(func() { lax.Psum(x, "j") })
	require.ErrorContains(t, err, `reductions_values_test.go`)
	require.ErrorContains(t, err, `no axis is called "j" here; give a Vmap around this call the name`)
}

// A transposed convolution moves the kernel, as it is, over an array that the strides
// spread.
func TestConvTranspose(t *testing.T) {
	w := of([]int{3, 1, 1}, 1, 10, 100)
	y := of([]int{1, 3, 1}, 1, 2, 3)
	require.Equal(t, []float32{100, 210, 321, 32, 3}, floats(t, lax.ConvTranspose(y, w, []int{1}, lax.Valid)))
	spread := lax.ConvTranspose(y, w, []int{2}, lax.Same)
	require.Equal(t, []int{1, 6, 1}, []int(spread.Shape()))
	require.Equal(t, []float32{100, 10, 201, 20, 302, 30}, floats(t, spread))
}

// Each operand's dimension numbers need a letter for each axis.
func TestConvDimensionNumbersRefusals(t *testing.T) {
	x, w := of([]int{1, 1, 3}, 1, 2, 3), of([]int{1, 1, 1}, 1)
	for _, c := range [][3]string{{"NC", "OIH", "NCH"}, {"NCH", "OIHW", "NCH"}, {"NCH", "OIH", "NCHW"}, {"NCH", "", "NCH"}} {
		err := core.Catch(func() { lax.ConvGeneralDilated(x, w, lax.ConvConfig{Lhs: c[0], Rhs: c[1], Out: c[2]}) })
		require.ErrorContains(t, err, "must have a letter for each of 3 axes", "%v", c)
	}
}

// A kernel without spatial axes is a matrix.
func TestConvTransposeWithoutSpace(t *testing.T) {
	x, w := of([]int{2, 3}, 1, 2, 3, 4, 5, 6), of([]int{3, 1}, 1, 10, 100)
	got := lax.ConvTranspose(x, w, []int{}, lax.Valid)
	require.Equal(t, []int{2, 1}, []int(got.Shape()))
	require.Equal(t, []float32{321, 654}, floats(t, got))
}

func TestPaddingRefusesStrides(t *testing.T) {
	x, w := of([]int{1, 1, 3}, 1, 2, 3), of([]int{1, 1, 2}, 1, 1)
	for _, stride := range []int{0, -1} {
		err := core.Catch(func() { lax.Conv(x, w, []int{stride}, lax.Same) })
		require.ErrorContains(t, err, "strides must be positive")
	}
}

// Windows over dilated arrays: an empty axis stays empty.
func TestWindowsOfDilatedEmptyAxes(t *testing.T) {
	sum := func(x array) array {
		return lax.ReduceWindow(x, 0., lax.Add[array, array], lax.WindowConfig{Dims: []int{2}, BaseDilation: []int{3}, Padding: lax.Same})
	}
	require.Equal(t, []int{0}, []int(sum(of([]int{0})).Shape()))
	require.Equal(t, []float32{1, 0, 2, 2, 0, 3, 3}, floats(t, sum(of([]int{3}, 1, 2, 3))))
	// The padding is that of the dilated array.
	apart := lax.ReduceWindow(of([]int{3}, 1, 2, 3), 0., lax.Add[array, array], lax.WindowConfig{Dims: []int{3}, Strides: []int{3}, BaseDilation: []int{3}, Padding: lax.Same})
	require.Equal(t, []float32{1, 2, 3}, floats(t, apart))
}

func TestUnrollLimits(t *testing.T) {
	for _, n := range []int{0, -1} {
		require.ErrorContains(t, core.Catch(func() { lax.Unroll(n) }), "cannot be unrolled", n)
	}
	step := func(c, x array) (array, array) { return lax.Add(c, x), c }
	c, _ := lax.Scan(step, weft.Scalar(float32(0)), of([]int{3}, 1, 2, 3), lax.Unroll(1))
	require.Equal(t, 6.0, c.Float())
}

func TestBatchMatmulOfTwoMatrices(t *testing.T) {
	x, y := of([]int{1, 2}, 1, 2), of([]int{2, 1}, 3, 4)
	require.Equal(t, []float32{11}, floats(t, lax.BatchMatmul(x, y)))
	err := core.Catch(func() { lax.BatchMatmul(of([]int{2}, 1, 2), of([]int{2}, 3, 4)) })
	require.ErrorContains(t, err, "at least 2")
}

// No value of a minor float is neutral in a maximum, so the initial value counts.
func TestReduceMinorFloats(t *testing.T) {
	x := lax.ConvertElementType(of([]int{2}, 0.5, 0.25), weft.Float8E4M3FN)
	one := lax.ConvertElementType(weft.Scalar(float32(1)), weft.Float8E4M3FN)
	require.Equal(t, 1.0, lax.Reduce(x, one, lax.Max[array, array], 0).Float())
	tenth := lax.ConvertElementType(weft.Scalar(float32(0.125)), weft.Float8E4M3FN)
	require.Equal(t, 0.125, lax.Reduce(x, tenth, lax.Min[array, array], 0).Float())
}
