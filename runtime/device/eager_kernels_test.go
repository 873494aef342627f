package device_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/fft"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

// An eagerOp is an operation of the public interface on a matrix of floats.
type eagerOp struct {
	name string
	f    func(x weft.Array) []weft.Array
	why  string // it has kernels for its shapes; "": it has none
}

func ints(x weft.Array) weft.Array { return x.Mul(100).AsType(weft.Int32) }
func c64(x weft.Array) weft.Array  { return x.AsType(weft.Complex64).Mul(complex(1, 0.5)) }

// one is a function of one result.
func one(f func(x weft.Array) weft.Array) func(x weft.Array) []weft.Array {
	return func(x weft.Array) []weft.Array { return []weft.Array{f(x)} }
}

func rowsOf(x weft.Array, n int) weft.Array {
	return weft.Arange(n).Mul(5).Rem(x.Dim(0)).AsType(weft.Int32)
}

var eagerOps = []eagerOp{
	{name: "add", f: one(func(x weft.Array) weft.Array { return x.Add(x) })},
	{name: "add row", f: one(func(x weft.Array) weft.Array { return x.Add(x.Index(0)) })},
	{name: "where", f: one(func(x weft.Array) weft.Array { return weft.Where(x.Gt(0), x, 0) })},
	{name: "clip", f: one(func(x weft.Array) weft.Array { return weft.Clip(x, -1, 1) })},
	{name: "sum", f: one(func(x weft.Array) weft.Array { return x.Sum() })},
	{name: "sum rows", f: one(func(x weft.Array) weft.Array { return x.Sum(1) })},
	{name: "mean", f: one(func(x weft.Array) weft.Array { return x.Mean(0) })},
	{name: "std", f: one(func(x weft.Array) weft.Array { return x.Std(1) })},
	{name: "sum int", f: one(func(x weft.Array) weft.Array { return ints(x).Sum(1) })},
	{name: "sum complex", f: one(func(x weft.Array) weft.Array { return c64(x).Sum(1) })},
	{name: "argmax", f: one(func(x weft.Array) weft.Array { return x.ArgMax(1) })},
	{name: "matmul", f: one(func(x weft.Array) weft.Array { return x.MatMul(x.T()) })},
	{name: "matmul int", f: one(func(x weft.Array) weft.Array { return ints(x).MatMul(ints(x).T()) })},
	{name: "matmul complex", f: one(func(x weft.Array) weft.Array { return c64(x).MatMul(c64(x).T()) })},
	{name: "matmul vector", f: one(func(x weft.Array) weft.Array { return x.MatMul(x.Index(0)) })},
	{name: "dot int", f: one(func(x weft.Array) weft.Array { return ints(x).Index(0).Dot(ints(x).Index(0)) })},
	{name: "concat 0", f: one(func(x weft.Array) weft.Array { return weft.Concat(0, x, x.Neg()) })},
	{name: "concat 1", f: one(func(x weft.Array) weft.Array { return weft.Concat(1, x, x.Neg(), x) })},
	{name: "stack", f: one(func(x weft.Array) weft.Array { return weft.Stack(1, x, x.Neg()) })},
	{name: "split", f: func(x weft.Array) []weft.Array { return lax.Split(x, 1, 2, x.Dim(1)-2) }},
	{name: "pad", f: one(func(x weft.Array) weft.Array { return lax.Pad(x, float32(1), [3]int{1, 2, 0}, [3]int{2, 1, 0}) })},
	{name: "pad between", f: one(func(x weft.Array) weft.Array { return lax.Pad(x, float32(1), [3]int{1, 2, 1}, [3]int{0, -1, 2}) })},
	{name: "transpose", f: one(func(x weft.Array) weft.Array { return x.T() })},
	{name: "roll", f: one(func(x weft.Array) weft.Array { return weft.Roll(x, 3, 1) })},
	{name: "tile", f: one(func(x weft.Array) weft.Array { return weft.Tile(x, 2, 3) })},
	{name: "repeat", f: one(func(x weft.Array) weft.Array { return weft.Repeat(x, 3, 0) })},
	{name: "flip", f: one(func(x weft.Array) weft.Array { return weft.Flip(x, 0, 1) })},
	{name: "tril", f: one(func(x weft.Array) weft.Array { return weft.Tril(x, 0) })},
	{name: "diagonal", f: one(func(x weft.Array) weft.Array { return weft.Diagonal(x, 0) })},
	{name: "slice", f: one(func(x weft.Array) weft.Array { return x.Index("1:-1", "::2") })},
	{name: "index", f: one(func(x weft.Array) weft.Array { return x.Index(1) })},
	{name: "dynamic slice", f: one(func(x weft.Array) weft.Array {
		return lax.DynamicSlice(x, lax.Starts(1, weft.Scalar(int32(2))), x.Dim(0)-2, 3)
	})},
	{name: "dynamic row", why: "a call of a program", f: one(func(x weft.Array) weft.Array { return lax.DynamicIndexInDim(x, weft.Scalar(int32(2)), 0, false) })},
	{name: "dynamic update", f: one(func(x weft.Array) weft.Array {
		return lax.DynamicUpdateSlice(x, x.Index("1:3", "1:-1").Neg(), lax.Starts(1, weft.Scalar(int32(2))))
	})},
	{name: "dynamic update row", why: "a call of a program", f: one(func(x weft.Array) weft.Array {
		return lax.DynamicUpdateIndexInDim(x, x.Index(0).Neg(), weft.Scalar(int32(2)), 0)
	})},
	{name: "take", f: one(func(x weft.Array) weft.Array { return weft.Take(x, rowsOf(x, 9), 0) })},
	{name: "take along", f: one(func(x weft.Array) weft.Array { return weft.TakeAlongAxis(x, x.ArgSort(1), 1) })},
	{name: "index pairs", f: one(func(x weft.Array) weft.Array { return x.Index(rowsOf(x, 4), rowsOf(x, 4).Rem(3)) })},
	{name: "one hot", f: one(func(x weft.Array) weft.Array { return weft.OneHot(rowsOf(x, x.Dim(1)), x.Dim(0)) })},
	{name: "set", f: one(func(x weft.Array) weft.Array { return x.At(1).Set(2) })},
	{name: "set rows", f: one(func(x weft.Array) weft.Array { return x.At(rowsOf(x, 3)).Set(x.Index("0:3").Neg()) })},
	{name: "add rows", f: one(func(x weft.Array) weft.Array { return x.At(rowsOf(x, 5)).Add(x.Index("0:5")) })},
	{name: "add rows int", f: one(func(x weft.Array) weft.Array { return ints(x).At(rowsOf(x, 5)).Add(ints(x).Index("0:5")) })},
	{name: "max rows", f: one(func(x weft.Array) weft.Array { return x.At(rowsOf(x, 5)).Max(x.Index("0:5")) })},
	{name: "segments", f: one(func(x weft.Array) weft.Array {
		return weft.SegmentReduce(x, rowsOf(x, x.Dim(0)), x.Dim(0), weft.ReduceSum)
	})},
	{name: "bincount", f: one(func(x weft.Array) weft.Array { return weft.Bincount(rowsOf(x, 30), x.Dim(0)) })},
	{name: "sort", f: one(func(x weft.Array) weft.Array { return x.Sort(1) })},
	{name: "sort columns", f: one(func(x weft.Array) weft.Array { return x.Sort(0) })},
	{name: "sort int", f: one(func(x weft.Array) weft.Array { return ints(x).Ravel().Sort(0) })},
	{name: "argsort", f: one(func(x weft.Array) weft.Array { return x.ArgSort(1) })},
	{name: "sort pairs", f: func(x weft.Array) []weft.Array { return lax.SortBy(1, 1, true, x, x.Neg(), ints(x)) }},
	{name: "top k", f: func(x weft.Array) []weft.Array { v, i := lax.TopK(x, 3, 1); return []weft.Array{v, i} }},
	{name: "median", f: one(func(x weft.Array) weft.Array { return weft.Median(x, 1) })},
	{name: "search", why: "a loop, which may run its kernels many times", f: one(func(x weft.Array) weft.Array { return weft.SearchSorted(x.Ravel().Sort(0), x, weft.Left) })},
	{name: "cumsum", f: one(func(x weft.Array) weft.Array { return x.CumSum(1) })},
	{name: "cumsum columns", f: one(func(x weft.Array) weft.Array { return x.CumSum(0) })},
	{name: "cumsum flat", f: one(func(x weft.Array) weft.Array { return x.Ravel().CumSum(0) })},
	{name: "cumprod", f: one(func(x weft.Array) weft.Array { return x.CumProd(1) })},
	{name: "cummax", f: one(func(x weft.Array) weft.Array { return x.CumMax(1) })},
	{name: "cumlogsumexp", why: "as many levels as the length has bits, which are concatenated by its parity", f: one(func(x weft.Array) weft.Array { return lax.Cumlogsumexp(x, 1, true) })},
	{name: "cumsum complex", f: one(func(x weft.Array) weft.Array { return c64(x).CumSum(1) })},
	{name: "iota", f: one(func(x weft.Array) weft.Array {
		return lax.BroadcastedIota(weft.Int32, x.Shape(), 1).Add(1)
	})},
	{name: "random bits", f: one(func(x weft.Array) weft.Array { return lax.RandomBits(lax.RandomSeed(uint32(3)), 32, x.Shape()...) })},
	{name: "random split", f: one(func(x weft.Array) weft.Array {
		return lax.RandomUnwrap(lax.RandomSplit(lax.RandomSeed(uint32(3)), x.Dim(0)))
	})},
	{name: "conv", why: "a kernel with more numbers than symbols: those that are equal share one", f: one(func(x weft.Array) weft.Array {
		return lax.Conv(x.ExpandDims(0, 1), weft.Ones(2, 1, 3, 3), []int{1, 1}, lax.Same)
	})},
	{name: "conv int", why: "a kernel with more numbers than symbols: those that are equal share one", f: one(func(x weft.Array) weft.Array {
		return lax.Conv(ints(x).ExpandDims(0, 1), weft.Ones(2, 1, 3, 3).AsType(weft.Int32), []int{1, 1}, lax.Same)
	})},
	{name: "max pool", why: "a call of the user's function", f: one(func(x weft.Array) weft.Array {
		return lax.ReduceWindow(x, weft.Scalar(float32(-9)), func(a, b weft.Array) weft.Array { return weft.Maximum(a, b) }, lax.WindowConfig{Dims: []int{2, 2}, Strides: []int{2, 2}})
	})},
	{name: "fft", why: "kernels for the factors of the length", f: one(func(x weft.Array) weft.Array { return fft.FFT(c64(x), 1) })},
	{name: "cholesky", why: "kernels for sizes of small matrices", f: one(func(x weft.Array) weft.Array {
		n := x.Dim(0)
		return linalg.Cholesky(x.MatMul(x.T()).Add(weft.Eye(n).Mul(100).AsType(weft.Float32)))
	})},
	{name: "einsum", f: one(func(x weft.Array) weft.Array { return weft.Einsum("ij,kj->ki", x, x) })},
	{name: "outer", f: one(func(x weft.Array) weft.Array { return weft.Outer(x.Index(0), x.Index(1)) })},
	{name: "diff", f: one(func(x weft.Array) weft.Array { return weft.Diff(x, 1) })},
	{name: "norm", f: one(func(x weft.Array) weft.Array { return weft.Norm(x, 1) })},
	{name: "all", f: one(func(x weft.Array) weft.Array { return x.Gt(0).All(1) })},
	{name: "reduce precision", f: one(func(x weft.Array) weft.Array { return lax.ReducePrecision(x, 5, 3) })},
	{name: "select n", f: one(func(x weft.Array) weft.Array {
		return lax.SelectN(ints(x).Rem(3).Mul(ints(x).Rem(3)).Rem(3), x, x.Neg(), x.Add(1))
	})},
	{name: "lgamma", f: one(func(x weft.Array) weft.Array { return lax.Lgamma(x) })},
	{name: "sinc", f: one(func(x weft.Array) weft.Array { return weft.Sinc(x) })},
	{name: "polyval", f: one(func(x weft.Array) weft.Array { return weft.Polyval(x.Index(0), x) })},
	{name: "unstack", why: "a kernel with as many results as there are rows", f: func(x weft.Array) []weft.Array { return lax.Unstack(x, 0)[:2] }},
	{name: "nonzero", f: one(func(x weft.Array) weft.Array { return weft.NonzeroSize(x.Ravel().Gt(0), 7, 0)[0] })},
}

// firstShapes are shapes whose kernels others share: by threads and by groups, with axes that can be merged and with axes that cannot.
var firstShapes = [][]int{{6, 10}, {13, 40}, {9, 13}}

// Operations on arrays of a new shape compile nothing, apart from those that state why. All have the reference's bits.
func TestEagerSecondShapes(t *testing.T) {
	for _, op := range eagerOps {
		b := &building{Simulated: &drivertest.Simulated{}, name: "building " + op.name}
		if err := runtime.Register(device.New(b)); err != nil {
			t.Fatal(err)
		}
		d := weft.DeviceNamed(b.name)
		for _, s := range firstShapes {
			eagerly(t, d, &op, s)
		}
		first := b.built
		for _, s := range [][]int{{7, 11}, {14, 37}, {8, 14}} {
			eagerly(t, d, &op, s)
		}
		switch n := b.built - first; {
		case op.why == "" && n > 0:
			t.Errorf("%s: other shapes compiled %d more kernels than the first ones, %d", op.name, n, first)
		case op.why != "" && n == 0:
			t.Errorf("%s: other shapes compiled nothing; delete the reason why they do", op.name)
		}
	}
}

// eagerly compares an operation on a device with the reference, and returns how long it takes there.
func eagerly(t *testing.T, d weft.Device, op *eagerOp, shape []int) time.Duration {
	t.Helper()
	x := weft.Sin(weft.Iota(weft.Float32, 0, shape[0]*shape[1])).Mul(3).Reshape(shape...)
	var got []weft.Array
	start := time.Now()
	weft.With(weft.DefaultDevice(d), func() {
		got = op.f(x)
		for _, y := range got {
			y.MarshalBinary()
		}
	})
	took := time.Since(start)
	for i, want := range op.f(x) {
		if !testcheck.SameBinary(got[i], want) {
			t.Errorf("%s of %v: result %d is %v, want %v", op.name, shape, i, got[i], want)
		}
	}
	return took
}

// Kernels that shapes share have the reference's bits on devices, and on a simulated one from their PTX. The log has the times.
func TestEagerShapesOnDevices(t *testing.T) {
	d := namedDevice(t)
	if os.Getenv("WEFT_DEVICE") == "" {
		e := device.New(&named{&drivertest.Simulated{PTX: true}, "eager-ptx"})
		if err := runtime.Register(e); err != nil {
			t.Fatal(err)
		}
		d = weft.DeviceNamed(e.Name())
	}
	for _, op := range eagerOps {
		var took []time.Duration
		for _, s := range append(slices.Clip(firstShapes), [][]int{{7, 11}, {14, 37}}...) {
			took = append(took, eagerly(t, d, &op, s).Round(10*time.Microsecond))
		}
		t.Log(op.name, took)
	}
}
