package linalg_test

import (
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/linalg"
)

// laplacian returns −u″ on a grid of unit steps, with u = 0 at both ends. No matrix is made.
func laplacian(u weft.Array) weft.Array {
	n := u.Dim(0)
	padded := weft.Pad(u, [][2]int{{1, 1}}, weft.PadConfig{})
	return u.Mul(2).Sub(padded.Index(weft.R(0, n))).Sub(padded.Index(weft.R(2, n+2)))
}

// A linear function that is symmetric and positive definite, and the derivative of its solution.
func ExampleCG() {
	b := weft.Ones(5)
	u := linalg.CG(laplacian, b, linalg.Iteration[weft.Array]{})
	fmt.Printf("%.3f\n", u)
	g := weft.Grad(func(b weft.Array) weft.Array { return linalg.CG(laplacian, b, linalg.Iteration[weft.Array]{}).Index(2) })
	fmt.Printf("%.3f\n", g(b))
	// Output:
	// [2.500 4.000 4.500 4.000 2.500]
	// [0.500 1.000 1.500 1.000 0.500]
}

// Unknowns may be a tree, and the function need not be symmetric.
func ExampleGMRES() {
	type state struct{ Heat, Flow weft.Array }
	system := func(s state) state {
		return state{Heat: s.Heat.Mul(3).Add(s.Flow.Sum()), Flow: s.Flow.Mul(2).Sub(s.Heat)}
	}
	b := state{Heat: weft.Of(3.), Flow: weft.Of(1., 0.)}
	s := linalg.GMRES(system, b, linalg.Iteration[state]{Tol: 1e-6})
	fmt.Printf("%.3f %.3f\n", s.Heat, s.Flow)
	back := system(s)
	fmt.Printf("%.3f %.3f\n", back.Heat, back.Flow)
	// Output:
	// [0.625] [0.812 0.312]
	// [3.000] [1.000 0.000]
}

// A preconditioner approximates the inverse; here by the diagonal.
func ExampleBiCGStab() {
	a := weft.From([][]float64{{100, 2, 0}, {1, 10, 3}, {0, 1, 1}})
	d := weft.Diagonal(a)
	x := linalg.BiCGStab(a.MatMul, weft.FromSlice([]float64{102, 14, 2}, 3), linalg.Iteration[weft.Array]{
		Tol: 1e-10, Precondition: func(r weft.Array) weft.Array { return r.Div(d) },
	})
	fmt.Printf("%.4f\n", x)
	// Output:
	// [1.0000 1.0000 1.0000]
}
