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
