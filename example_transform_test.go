package weft_test

import (
	"fmt"

	"github.com/weft-go/weft"
)

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

// Halve until it is small.
func ExampleWhile() {
	small := weft.Jit(func(x weft.Array) weft.Array {
		return weft.While(
			func(x weft.Array) weft.Array { return x.Gt(1) },
			func(x weft.Array) weft.Array { return x.Div(2) }, x)
	})
	fmt.Println(small(weft.Scalar(10.)))
	// Output: 0.625
}

// The value of x² at 3, and how it changes where x changes by 1.
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

// The data is in the function; the derivative is by what comes first.
func ExampleValueAndGradAt() {
	x, y := weft.Of(1., 2), weft.Of(2., 4)
	loss, gradient := weft.ValueAndGradAt(weft.Scalar(1.), func(w weft.Array) weft.Array {
		return weft.Square(x.Mul(w).Sub(y)).Sum()
	})
	fmt.Println(loss, gradient)
	// Output: 5.0 -10.0
}

// A matrix product, and the diagonal of one without the rest.
func ExampleEinsum() {
	a := weft.Arange(4.).Reshape(2, 2)
	fmt.Println(weft.Einsum("ij,jk->ik", a, a))
	fmt.Println(weft.Einsum("ij,ji->i", a, a))
	// Output:
	// [[ 2.  3.]
	//  [ 6. 11.]]
	// [ 2. 11.]
}
