package weft_test

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

func ExampleZerosOf() {
	fmt.Printf("%+v\n", weft.ZerosOf(weft.Int8, 2, 3))
	// Output:
	// i8[2,3] [[0 0 0]
	//  [0 0 0]]
}

func ExampleOnesOf() {
	fmt.Printf("%+v\n", weft.OnesOf(weft.Float64, 3))
	// Output:
	// f64[3] [1. 1. 1.]
}

func ExampleReduce() {
	x := weft.Arange(6.).Reshape(2, 3)
	fmt.Println(weft.Reduce(x, weft.ReduceConfig{Op: weft.ReduceSum, Axes: []int{1}, Where: x.Gt(1)}))
	fmt.Printf("%+v\n", weft.Reduce(x, weft.ReduceConfig{Op: weft.ReduceSum, DType: weft.Float64, Initial: 100.}))
	// Output:
	// [ 2. 12.]
	// f64[] 115.0
}

func ExampleReduce_where() {
	x := weft.Of(1., 2, 3, 100)
	fmt.Println(weft.Reduce(x, weft.ReduceConfig{Op: weft.ReduceMean, Where: x.Lt(10)}))
	// Output:
	// 2.0
}

func ExampleReduce_variance() {
	x := weft.Of(1., 2, 3, 4)
	fmt.Println(weft.Reduce(x, weft.ReduceConfig{Op: weft.ReduceVar, DDof: 1}), x.Var())
	// Output:
	// 1.6666666 1.25
}

func ExampleBincount_weights() {
	weights := weft.Of(0.5, 1, 2, 4)
	fmt.Println(weft.Bincount(weft.Of(0, 1, 1, 3), 4, weights))
	// Output:
	// [0.5 3.  0.  4. ]
}

func ExampleQuantile_lower() {
	x := weft.Of(1., 2, 3, 4)
	fmt.Println(weft.Quantile(x, 0.4, weft.QuantileConfig{Method: weft.QuantileLower}), weft.Quantile(x, 0.4, weft.QuantileConfig{}))
	// Output:
	// 2.0 2.2
}

func ExampleTry() {
	_, err := weft.Try(func() weft.Array { return weft.Ones(2).Add(weft.Ones(3)) })
	fmt.Println(errors.Is(err, core.ErrShape))
	// Output:
	// true
}

func ExampleWith() {
	weft.With(weft.DefaultBits(64), func() { fmt.Printf("%+v\n", weft.Of(1., 2)) })
	// Output:
	// f64[2] [1. 2.]
}

func ExampleLoad() {
	type model struct{ W, B weft.Array }
	var file bytes.Buffer
	if err := weft.Save(&file, model{weft.Of(1., 2), weft.Scalar(3.)}); err != nil {
		panic(err)
	}
	var all map[string]weft.Array // accepts anything
	if err := weft.Load(&file, &all); err != nil {
		panic(err)
	}
	fmt.Println(all)
	// Output:
	// map[B:3.0 W:[1. 2.]]
}

func ExampleTreeMap2() {
	type model struct{ W, B weft.Array }
	p := model{weft.Of(1., 2), weft.Scalar(3.)}
	g := model{weft.Of(10., 10), weft.Scalar(20.)}
	fmt.Println(weft.TreeMap2(func(p, g weft.Array) weft.Array { return p.Sub(g.Mul(0.1)) }, p, g))
	// Output:
	// {[0. 1.] 1.0}
}

func ExampleRavel() {
	type model struct{ W, B weft.Array }
	flat, back := weft.Ravel(model{weft.Of(1., 2), weft.Scalar(3.)})
	fmt.Println(flat, back(flat.Mul(2)))
	// Output:
	// [1. 2. 3.] {[2. 4.] 6.0}
}

func ExampleArray_Format() {
	x := weft.Of(1., 22.5)
	fmt.Printf("%v\n%.3f\n%8.1e\n%+v\n%x\n", x, x, x, x, x)
	// Output:
	// [ 1.  22.5]
	// [ 1.000 22.500]
	// [ 1.0e+00  2.2e+01]
	// f32[2] [ 1.  22.5]
	// [3f800000 41b40000]
}

// Ints, ranges and texts index as they do in NumPy.
func ExampleArray_Index() {
	x := weft.Arange(12).Reshape(3, 4)
	fmt.Println(x.Index(1, -1))
	fmt.Println(x.Index(weft.R(0, 2), 0))
	fmt.Println(x.Index("::2, 1:3"))
	fmt.Println(x.Index(weft.Of(2, 0), 1))
	fmt.Println(x.Index(x.Gt(8)))
	// Output:
	// 7
	// [0 4]
	// [[ 1  2]
	//  [ 9 10]]
	// [9 1]
	// [ 9 10 11]
}

// An update returns a new array; x stays as it is.
func ExampleArray_At() {
	x := weft.Zeros(5)
	fmt.Println(x.At(0).Set(7))
	fmt.Println(x.At("1:3").Add(1))
	fmt.Println(x.At(weft.Of(4, 4, 0)).Add(1))
	fmt.Println(x)
	// Output:
	// [7. 0. 0. 0. 0.]
	// [0. 1. 1. 0. 0.]
	// [1. 0. 0. 0. 2.]
	// [0. 0. 0. 0. 0.]
}

// Reading beyond the end with an Array of indices returns the nearest element; after Fill it
// returns the given number.
func ExampleRef_Fill() {
	x, i := weft.Of(1., 2, 3), weft.Of(0, 5)
	fmt.Println(x.Index(i), x.At(i).Fill(-1).Get())
	// Output: [1. 3.] [ 1. -1.]
}

// Writing beyond the end is left out, unless the mode selects otherwise.
func ExampleRef_Mode() {
	x, i := weft.Zeros(3), weft.Of(0, 5)
	fmt.Println(x.At(i).Set(1), x.At(i).Mode(weft.ClipIndex).Set(1))
	// Output: [1. 0. 0.] [1. 0. 1.]
}

func ExampleRef_Apply() {
	fmt.Println(weft.Of(4., 9, 16).At("1:").Apply(weft.Sqrt))
	// Output: [4. 3. 4.]
}

// Numbers on either side take the other's type.
func ExampleWhere() {
	x := weft.Of(-1., 2, -3)
	fmt.Println(weft.Where(x.Gt(0), x, 0))
	// Output: [0. 2. 0.]
}

// The array has the slice's element type, unless another is given.
func ExampleFrom() {
	rows := [][]float64{{1, 2}, {3, 4}}
	fmt.Printf("%+v\n", weft.From(rows).Sum(0))
	fmt.Printf("%+v\n", weft.From(rows, weft.Float32).Sum(0))
	// Output:
	// f64[2] [4. 6.]
	// f32[2] [4. 6.]
}

// A model is written under its fields' names and read into one of the same type.
func ExampleSave() {
	type model struct{ W, B weft.Array }
	var file bytes.Buffer
	if err := weft.Save(&file, model{weft.Of(1., 2), weft.Scalar(0.5)}); err != nil {
		fmt.Println(err)
	}
	var m model
	if err := weft.Load(&file, &m); err != nil {
		fmt.Println(err)
	}
	fmt.Println(m.W, m.B)
	// Output: [1. 2.] 0.5
}

// SaveNpy writes a file that numpy.load reads as one array.
func ExampleSaveNpy() {
	var file bytes.Buffer
	if err := weft.SaveNpy(&file, weft.Arange(3)); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%q\n", file.Bytes()[1:6])
	var x weft.Array
	fmt.Println(weft.Load(&file, &x), x)
	// Output:
	// "NUMPY"
	// <nil> [0 1 2]
}

// The first argument is mapped along its rows, the second is the same for all.
func ExampleVmap() {
	distance := weft.Vmap(func(x, center weft.Array) weft.Array {
		return weft.Sqrt(weft.Square(x.Sub(center)).Sum())
	}, weft.In(0, weft.None))
	points := weft.From([][]float32{{3, 4}, {6, 8}, {0, 0}})
	fmt.Println(distance(points, weft.Zeros(2)))
	// Output: [ 5. 10.  0.]
}

// Fields of a struct have axes of their own; what Axes leaves out is an error.
func ExampleVmap_axes() {
	type layer struct{ W, B weft.Array }
	f := weft.Vmap(func(l layer) weft.Array { return l.W.Sum().Add(l.B) },
		weft.In(weft.Axes{"W": 1, "B": weft.None}))
	fmt.Println(f(layer{W: weft.Arange(6.).Reshape(2, 3), B: weft.Scalar(10.)}))
	// Output: [13. 15. 17.]
}

// A running mean: the carry is the sum and the count so far.
func ExampleScan() {
	type carry struct{ Sum, Count weft.Array }
	_, means := weft.Scan(func(c carry, x weft.Array) (carry, weft.Array) {
		c = carry{c.Sum.Add(x), c.Count.Add(1)}
		return c, c.Sum.Div(c.Count)
	}, carry{weft.Scalar(0.), weft.Scalar(0.)}, weft.Of(2., 4, 9))
	fmt.Println(means)
	// Output: [2. 3. 5.]
}

// Branches take no arguments: they use what is around them.
func ExampleCond() {
	root := weft.Jit(func(x weft.Array) weft.Array {
		return weft.Cond(x.Ge(0),
			func() weft.Array { return weft.Sqrt(x) },
			func() weft.Array { return weft.Sqrt(x.Neg()).Neg() })
	})
	fmt.Println(root(weft.Scalar(9.)), root(weft.Scalar(-4.)))
	// Output: 3.0 -2.0
}

// Halve x until it is at most 1.
func ExampleWhile() {
	small := weft.Jit(func(x weft.Array) weft.Array {
		return weft.While(
			func(x weft.Array) weft.Array { return x.Gt(1) },
			func(x weft.Array) weft.Array { return x.Div(2) }, x)
	})
	fmt.Println(small(weft.Scalar(10.)))
	// Output: 0.625
}

// The value of x² at 3, and its derivative there along the tangent 1.
func ExampleJVP() {
	fmt.Println(weft.JVP(weft.Square, weft.Scalar(3.), weft.Scalar(1.)))
	// Output: 9.0 6.0
}

// pullback may be called for as many cotangents as one likes.
func ExampleVJP() {
	x := weft.Of(1., 2, 3)
	y, pullback := weft.VJP(func(x weft.Array) weft.Array { return x.CumSum() }, x)
	fmt.Println(y, pullback(weft.Of(1., 0, 0)), pullback(weft.Of(1., 1, 1)))
	// Output: [1. 3. 6.] [1. 0. 0.] [3. 2. 1.]
}

// The function closes over the data; the derivative is with respect to the first argument.
func ExampleValueAndGradAt() {
	x, y := weft.Of(1., 2), weft.Of(2., 4)
	loss, gradient := weft.ValueAndGradAt(weft.Scalar(1.), func(w weft.Array) weft.Array {
		return weft.Square(x.Mul(w).Sub(y)).Sum()
	})
	fmt.Println(loss, gradient)
	// Output: 5.0 -10.0
}

// A matrix product, and the diagonal of another one without its other elements.
func ExampleEinsum() {
	a := weft.Arange(4.).Reshape(2, 2)
	fmt.Println(weft.Einsum("ij,jk->ik", a, a))
	fmt.Println(weft.Einsum("ij,ji->i", a, a))
	// Output:
	// [[ 2.  3.]
	//  [ 6. 11.]]
	// [ 2. 11.]
}
