package custom_test

import (
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
)

func ExampleJVP() {
	// The derivative of log(1 + eˣ), written so that it does not overflow.
	softplus := custom.JVP(
		func(x weft.Array) weft.Array { return weft.Log1p(weft.Exp(x)) },
		func(x, t weft.Array) (weft.Array, weft.Array) {
			return weft.Log1p(weft.Exp(x)), t.Mul(weft.Sub(1, weft.Reciprocal(weft.Add(1, weft.Exp(x)))))
		})
	fmt.Println(weft.Grad(softplus)(weft.Scalar(100.)))
	// Output: 1.0
}

func ExampleVJP() {
	half := custom.VJP( // passes half of the gradient on
		func(x weft.Array) weft.Array { return x },
		func(x weft.Array) (weft.Array, struct{}) { return x, struct{}{} },
		func(_ struct{}, g weft.Array) weft.Array { return g.Mul(0.5) })
	fmt.Println(weft.Grad(func(x weft.Array) weft.Array { return weft.Square(half(x)) })(weft.Scalar(3.)))
	// Output: 3.0
}

// Several parameters are a struct, or an array of arrays.
func ExampleJVP_parameters() {
	type xy = [2]weft.Array
	hypot := custom.JVP(func(p xy) weft.Array { return weft.Sqrt(p[0].Mul(p[0]).Add(p[1].Mul(p[1]))) },
		func(p, t xy) (weft.Array, weft.Array) {
			r := weft.Sqrt(p[0].Mul(p[0]).Add(p[1].Mul(p[1])))
			return r, p[0].Mul(t[0]).Add(p[1].Mul(t[1])).Div(r)
		})
	fmt.Println(weft.Grad(func(x weft.Array) weft.Array { return hypot(xy{x, weft.Scalar(4.)}) })(weft.Scalar(3.)))
	// Output: 0.6
}

func ExampleVJP_parameters() {
	type clipped struct{ X, Lo, Hi weft.Array }
	clip := custom.VJP(func(p clipped) weft.Array { return p.X },
		func(p clipped) (weft.Array, clipped) { return p.X, p },
		func(p clipped, g weft.Array) clipped { return clipped{X: weft.Clip(g, p.Lo, p.Hi)} }) // none for the bounds
	f := func(x weft.Array) weft.Array { return clip(clipped{x, weft.Scalar(-1.), weft.Scalar(1.)}).Mul(10) }
	fmt.Println(weft.ValueAndGrad(f)(weft.Scalar(3.)))
	// Output: 30.0 1.0
}

func ExampleJVPRule_RuleWithZeros() {
	type in struct{ X, Y weft.Array }
	mul := custom.NewJVP(func(_ custom.None, p in) weft.Array { return p.X.Mul(p.Y) })
	mul.RuleWithZeros(func(p, t in, none custom.None) (weft.Array, weft.Array) {
		fmt.Println("is y constant?", t.Y.IsZero())
		return mul.Call(none, p), t.X.Mul(p.Y)
	})
	fmt.Println(weft.Grad(func(x weft.Array) weft.Array { return mul.Call(custom.None{}, in{x, weft.Scalar(4.)}) })(weft.Scalar(3.)))
	// Output:
	// is y constant? true
	// 4.0
}

func ExampleVJPRule_RulesWithZeros() {
	type in struct{ X, Y weft.Array }
	mul := custom.NewVJP[custom.None, in, in](func(_ custom.None, p in) weft.Array { return p.X.Mul(p.Y) })
	mul.RulesWithZeros(func(none custom.None, p, active in) (weft.Array, in) {
		var keep in // only what bwd will need
		if active.X.Bool() {
			keep.Y = p.Y
		}
		if active.Y.Bool() {
			keep.X = p.X
		}
		return mul.Call(none, p), keep
	}, func(_ custom.None, keep in, g weft.Array) (ct in) {
		if !keep.Y.IsZero() {
			ct.X = g.Mul(keep.Y)
		}
		if !keep.X.IsZero() {
			ct.Y = g.Mul(keep.X)
		}
		return ct
	})
	fmt.Println(weft.Grad(func(x weft.Array) weft.Array { return mul.Call(custom.None{}, in{x, weft.Scalar(4.)}) })(weft.Scalar(3.)))
	// Output: 4.0
}

func ExampleNewJVP() {
	power := custom.NewJVP(func(n int, x weft.Array) weft.Array { return x.Pow(n) })
	power.Rule(func(x, t weft.Array, n int) (weft.Array, weft.Array) {
		return power.Call(n, x), t.Mul(power.Call(n-1, x)).Mul(n)
	})
	fmt.Println(weft.Grad(weft.Grad(func(x weft.Array) weft.Array { return power.Call(3, x) }))(weft.Scalar(2.)))
	// Output: 12.0
}

func ExampleNewVJP() {
	type function = func(weft.Array) weft.Array
	skip := custom.NewVJP[function, weft.Array, struct{}](func(f function, x weft.Array) weft.Array { return f(x) })
	skip.Rules(func(f function, x weft.Array) (weft.Array, struct{}) { return skip.Call(f, x), struct{}{} },
		func(_ function, _ struct{}, g weft.Array) weft.Array { return g })
	fmt.Println(weft.Grad(func(x weft.Array) weft.Array { return skip.Call(weft.Sin, x) })(weft.Scalar(3.)))
	// Output: 1.0
}

func ExampleJVPRule_RuleEach() {
	type xy = [2]weft.Array
	type none = custom.None
	div := custom.NewJVP(func(_ none, p xy) weft.Array { return p[0].Div(p[1]) })
	div.RuleEach(
		func(t, ans weft.Array, p xy, _ none) weft.Array { return t.Div(p[1]) },
		func(t, ans weft.Array, p xy, _ none) weft.Array { return t.Mul(ans).Div(p[1]).Neg() }) // the result helps
	fmt.Println(weft.Grad(func(y weft.Array) weft.Array { return div.Call(none{}, xy{weft.Scalar(1.), y}) })(weft.Scalar(2.)))
	// Output: -0.25
}

func ExampleGradient() {
	cube := custom.Gradient(func(x weft.Array) (weft.Array, func(weft.Array) weft.Array) {
		square := x.Mul(x) // computed once, used by both
		return square.Mul(x), func(g weft.Array) weft.Array { return g.Mul(square).Mul(3) }
	})
	fmt.Println(weft.ValueAndGrad(cube)(weft.Scalar(2.)))
	// Output: 8.0 12.0
}

func ExampleVmap() {
	dot := custom.Vmap(func(p [2]weft.Array) weft.Array { return p[0].Dot(p[1]) },
		func(n int, mapped, p [2]weft.Array) (y, yMapped weft.Array) {
			fmt.Println("one product of matrices for", n, "vectors")
			return p[0].Dot(p[1]), weft.Scalar(true) // p[0] has rows, p[1] is the same for all
		})
	v := weft.Of(1., 10)
	rows := weft.From([][]float32{{1, 2}, {3, 4}, {5, 6}})
	fmt.Println(weft.Vmap(func(row weft.Array) weft.Array { return dot([2]weft.Array{row, v}) })(rows))
	// Output:
	// one product of matrices for 3 vectors
	// [21. 43. 65.]
}

func ExampleVmap_sequential() {
	f := custom.Vmap(func(x weft.Array) weft.Array { return weft.Square(x) }, nil)
	fmt.Println(weft.Vmap(f)(weft.Arange(3.)))
	// Output: [0. 1. 4.]
}

func ExampleRoot() {
	type function = func(weft.Array) weft.Array
	sqrt := func(a weft.Array) weft.Array {
		f := func(x weft.Array) weft.Array { return x.Mul(x).Sub(a) }
		newton := func(f function, x weft.Array) weft.Array {
			return weft.ForI(10, func(_, x weft.Array) weft.Array { return x.Sub(f(x).Div(x.Mul(2))) }, x)
		}
		solveTangent := func(g function, y weft.Array) weft.Array { return y.Div(g(weft.OnesLike(y))) }
		return custom.Root(f, weft.Scalar(1.), newton, solveTangent)
	}
	fmt.Println(weft.ValueAndGrad(sqrt)(weft.Scalar(4.)))
	// Output: 2.0 0.25
}

func ExampleRootAux() {
	type function = func(weft.Array) weft.Array
	half := func(g function, y weft.Array) weft.Array { return y.Div(g(weft.OnesLike(y))) }
	x, steps := custom.RootAux(weft.Sin, weft.Scalar(3.), func(f function, x weft.Array) (weft.Array, weft.Array) {
		n := 0
		for ; weft.Abs(f(x)).Float() > 1e-6; n++ {
			x = x.Add(f(x))
		}
		return x, weft.Scalar(n)
	}, half)
	fmt.Printf("%.4f in %d steps\n", x.Float(), steps.Int())
	// Output: 3.1416 in 2 steps
}

func ExampleLinearSolve() {
	type function = func(weft.Array) weft.Array
	triangle := func(a weft.Array) function { // [[a, 0], [1, a]] x
		return func(x weft.Array) weft.Array {
			return weft.Stack(0, a.Mul(x.Index(0)), x.Index(0).Add(a.Mul(x.Index(1))))
		}
	}
	jacobi := func(mv function, b weft.Array) weft.Array { // any method will do
		d := mv(weft.Of(1., 0)).Index(0)
		return weft.ForI(2, func(_, x weft.Array) weft.Array { return x.Add(b.Sub(mv(x)).Div(d)) }, weft.ZerosLike(b))
	}
	f := func(a weft.Array) weft.Array {
		return custom.LinearSolve(triangle(a), weft.Of(2., 3), jacobi, jacobi).Index(1)
	}
	fmt.Println(weft.ValueAndGrad(f)(weft.Scalar(2.)))
	// Output: 1.0 -0.25
}

func ExampleSymmetric() {
	type function = func(weft.Array) weft.Array
	f := func(a weft.Array) weft.Array { // a·x = 6
		return custom.LinearSolve(func(x weft.Array) weft.Array { return a.Mul(x) }, weft.Scalar(6.),
			func(mv function, b weft.Array) weft.Array { return b.Div(mv(weft.OnesLike(b))) }, nil, custom.Symmetric())
	}
	fmt.Println(weft.ValueAndGrad(f)(weft.Scalar(2.)))
	// Output: 3.0 -1.5
}

func ExampleLinearSolveAux() {
	type function = func(weft.Array) weft.Array
	solve := func(mv function, b weft.Array) (x, left weft.Array) {
		x = b.Div(mv(weft.OnesLike(b)))
		return x, mv(x).Sub(b)
	}
	x, left := custom.LinearSolveAux(func(x weft.Array) weft.Array { return x.Mul(3) }, weft.Scalar(6.), solve, solve)
	fmt.Println(x, left)
	// Output: 2.0 0.0
}

func ExampleLinearCall() {
	// A shift whose transpose is written by hand.
	shift := func(x weft.Array) weft.Array {
		return custom.LinearCall(
			func(_ struct{}, x weft.Array) weft.Array { return weft.Concat(0, weft.Zeros(1), x.Index("0:-1")) },
			func(_ struct{}, ct weft.Array) weft.Array { return weft.Concat(0, ct.Index("1:"), weft.Zeros(1)) },
			struct{}{}, x)
	}
	fmt.Println(shift(weft.Of(1., 2, 3)))
	fmt.Println(weft.LinearTranspose(shift, weft.Zeros(3))(weft.Of(1., 2, 3)))
	// Output:
	// [0. 1. 2.]
	// [2. 3. 0.]
}

func ExampleClosure() {
	weft.Grad(func(a weft.Array) weft.Array {
		f := func(x weft.Array) weft.Array { return x.Mul(a) } // a is being differentiated
		g, consts := custom.Closure(f, weft.Scalar(0.))
		fmt.Println(len(consts), "value, and g(2, 10) =", g(weft.Scalar(2.), []weft.Array{weft.Scalar(10.)}))
		return a
	})(weft.Scalar(3.))
	// Output: 1 value, and g(2, 10) = 20.0
}

func ExampleCall() {
	f := weft.Call(func(x weft.Array) weft.Array { return weft.Sin(x) }, "f")
	ir, _ := weft.Jaxpr(f, 1.)
	fmt.Println(ir)
	// Output:
	// { lambda ; a:f32[]. let
	//     b:f32[] = core_call[
	//       call_jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }
	//       name=f
	//     ] a
	//   in (b,) }
}
