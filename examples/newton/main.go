// Command newton minimizes Rosenbrock's function by Newton's method, in which each step
// solves a linear system by conjugate gradients: the Hessian is only ever multiplied by
// vectors, and never built.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/weft-go/weft"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// rosenbrock has its minimum, 0, where all coordinates are 1, at the end of a long bent
// valley.
func rosenbrock(x weft.Array) weft.Array {
	a, b := x.Index(":-1"), x.Index("1:")
	return weft.Square(b.Sub(weft.Square(a))).Mul(100.).Add(weft.Square(weft.Sub(1., a))).Sum()
}

// cg is the state of conjugate gradients: the solution so far, what is missing, the
// direction, and the square of what is missing.
type cg struct{ X, R, P, RR weft.Array }

// solve returns x with A x = b for a symmetric A that is given by its products. It stops in a
// direction of negative curvature: the x so far leads downwards.
func solve(product func(weft.Array) weft.Array, b weft.Array) weft.Array {
	start := cg{weft.ZerosLike(b), b, b, b.Dot(b)}
	tolerance := start.RR.Mul(1e-10)
	type state struct {
		S       cg
		I, Done weft.Array
	}
	end := weft.While(
		func(s state) weft.Array { return s.S.RR.Gt(tolerance).And(s.I.Lt(2 * b.Len())).And(s.Done.Not()) },
		func(s state) state {
			ap := product(s.S.P)
			curve := s.S.P.Dot(ap)
			bad := curve.Le(0)
			alpha := s.S.RR.Div(weft.Where(bad, 1., curve))
			x := s.S.X.Add(s.S.P.Mul(alpha))
			first := s.I.Eq(0)
			x = weft.Where(bad, weft.Where(first, b, s.S.X), x)
			r := s.S.R.Sub(ap.Mul(alpha))
			rr := r.Dot(r)
			return state{cg{x, r, r.Add(s.S.P.Mul(rr.Div(s.S.RR))), rr}, s.I.Add(1), bad}
		}, state{start, weft.Scalar(0), weft.Scalar(false)})
	return end.S.X
}

// step is one step of Newton's method; it is halved until the function falls.
var step = weft.Jit(func(x weft.Array) (weft.Array, weft.Array, weft.Array) {
	value, grad := weft.ValueAndGrad(rosenbrock)(x)
	d := solve(func(v weft.Array) weft.Array { return weft.HVP(rosenbrock, x, v) }, grad.Neg())
	slope := grad.Dot(d)
	t := weft.While(
		func(t weft.Array) weft.Array {
			limit := value.Add(slope.Mul(t).Mul(1e-4))
			return rosenbrock(x.Add(d.Mul(t))).Gt(limit).And(t.Gt(1e-8))
		},
		func(t weft.Array) weft.Array { return t.Mul(0.5) }, weft.OnesLike(value))
	return x.Add(d.Mul(t)), value, weft.Norm(grad)
})

func run(w io.Writer) error {
	weft.With(weft.DefaultBits(64), func() {
		x := weft.Full(weft.Shape{20}, -1.2).AsType(weft.Float64)
		fmt.Fprintln(w, "step      value   gradient")
		for i := 0; ; i++ {
			next, value, norm := step(x)
			if done := norm.Float() < 1e-9; i%5 == 0 || done {
				fmt.Fprintf(w, "%4d %10.3e %10.1e\n", i, value.Float(), norm.Float())
				if done || i > 200 {
					break
				}
			}
			x = next
		}
		fmt.Fprintf(w, "farthest from the minimum: %.0e\n", weft.Abs(x.Sub(1.)).Max().Float())
	})
	return nil
}
