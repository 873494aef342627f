package ode_test

import (
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/ode"
)

func ExampleOdeint() {
	// y' = −k·y from 3, at the times 0, 1 and 2.
	solve := func(k weft.Array) weft.Array {
		f := func(y, t, k weft.Array) weft.Array { return y.Mul(k).Neg() }
		return ode.Odeint(f, weft.Scalar(3.), weft.Of(0., 1, 2), k, ode.Config{})
	}
	k := weft.Scalar(0.5)
	fmt.Printf("%.4f\n", solve(k))
	// By how much the last state changes with k.
	fmt.Printf("%.4f\n", weft.Grad(func(k weft.Array) weft.Array { return solve(k).Index(-1) })(k))
	// Output:
	// [3.0000 1.8196 1.1036]
	// -2.2073
}
