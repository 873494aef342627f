package weft_test

import (
	"fmt"

	"github.com/weft-go/weft"
)

func ExampleCustomJVP() {
	// The derivative of log(1 + eˣ), written so that it does not overflow.
	softplus := weft.CustomJVP(
		func(x weft.Array) weft.Array { return weft.Log1p(weft.Exp(x)) },
		func(x, t weft.Array) (weft.Array, weft.Array) {
			return weft.Log1p(weft.Exp(x)), t.Mul(weft.Sub(1, weft.Reciprocal(weft.Add(1, weft.Exp(x)))))
		})
	fmt.Println(weft.Grad(softplus)(weft.Scalar(100.)))
	// Output: 1.0
}

func ExampleCustomVJP() {
	half := weft.CustomVJP( // passes half of the gradient on
		func(x weft.Array) weft.Array { return x },
		func(x weft.Array) (weft.Array, struct{}) { return x, struct{}{} },
		func(_ struct{}, g weft.Array) weft.Array { return g.Mul(0.5) })
	fmt.Println(weft.Grad(func(x weft.Array) weft.Array { return weft.Square(half(x)) })(weft.Scalar(3.)))
	// Output: 3.0
}

func ExampleCustomJVP2() {
	hypot := weft.CustomJVP2(func(x, y weft.Array) weft.Array { return weft.Sqrt(x.Mul(x).Add(y.Mul(y))) },
		func(x, y, tx, ty weft.Array) (weft.Array, weft.Array) {
			r := weft.Sqrt(x.Mul(x).Add(y.Mul(y)))
			return r, x.Mul(tx).Add(y.Mul(ty)).Div(r)
		})
	fmt.Println(weft.Grad(func(x weft.Array) weft.Array { return hypot(x, weft.Scalar(4.)) })(weft.Scalar(3.)))
	// Output: 0.6
}

func ExampleCustomJVP3() {
	blend := weft.CustomJVP3(func(x, y, a weft.Array) weft.Array { return x.Mul(a).Add(y.Mul(weft.Sub(1, a))) },
		func(x, y, a, tx, ty, _ weft.Array) (weft.Array, weft.Array) { // a is fixed
			return x.Mul(a).Add(y.Mul(weft.Sub(1, a))), tx.Mul(a).Add(ty.Mul(weft.Sub(1, a)))
		})
	x := weft.Scalar(0.25)
	fmt.Println(weft.Grad(func(a weft.Array) weft.Array { return blend(a, x, a) })(x))
	// Output: 0.25
}

func ExampleCustomVJP2() {
	mul := weft.CustomVJP2(func(x, y weft.Array) weft.Array { return x.Mul(y) },
		func(x, y weft.Array) (weft.Array, weft.Array) { return x.Mul(y), y },
		func(y, g weft.Array) (weft.Array, weft.Array) { return g.Mul(y), weft.Array{} }) // nothing for y
	fmt.Println(weft.Grad(func(x weft.Array) weft.Array { return mul(x, x) })(weft.Scalar(3.)))
	// Output: 3.0
}

func ExampleCustomVJP3() {
	type bounds struct{ Lo, Hi weft.Array }
	clip := weft.CustomVJP3(func(lo, hi, x weft.Array) weft.Array { return x },
		func(lo, hi, x weft.Array) (weft.Array, bounds) { return x, bounds{lo, hi} },
		func(b bounds, g weft.Array) (lo, hi, x weft.Array) {
			return weft.Array{}, weft.Array{}, weft.Clip(g, b.Lo, b.Hi)
		})
	f := func(x weft.Array) weft.Array { return clip(weft.Scalar(-1.), weft.Scalar(1.), x).Mul(10) }
	fmt.Println(weft.ValueAndGrad(f)(weft.Scalar(3.)))
	// Output: 30.0 1.0
}

func ExampleNewCustomJVP() {
	cube := weft.NewCustomJVP(func(x weft.Array) weft.Array { return x.Pow(3) })
	cube.Rule(func(x, t weft.Array) (weft.Array, weft.Array) {
		return cube.Call(x), t.Mul(x.Mul(x).Mul(3))
	})
	fmt.Println(weft.Grad(weft.Grad(cube.Call))(weft.Scalar(2.)))
	// Output: 12.0
}

func ExampleCustomJVPFunc_RuleWithZeros() {
	type in struct{ X, Y weft.Array }
	mul := weft.NewCustomJVP(func(p in) weft.Array { return p.X.Mul(p.Y) })
	mul.RuleWithZeros(func(p, t in) (weft.Array, weft.Array) {
		fmt.Println("is y constant?", t.Y.IsZero())
		return mul.Call(p), t.X.Mul(p.Y)
	})
	fmt.Println(weft.Grad(func(x weft.Array) weft.Array { return mul.Call(in{x, weft.Scalar(4.)}) })(weft.Scalar(3.)))
	// Output:
	// is y constant? true
	// 4.0
}

func ExampleNewCustomVJP() {
	sin := weft.NewCustomVJP[weft.Array, weft.Array](weft.Sin)
	sin.Rules(func(x weft.Array) (weft.Array, weft.Array) { return sin.Call(x), weft.Cos(x) },
		func(cos, g weft.Array) weft.Array { return cos.Mul(g) })
	fmt.Println(weft.Grad(sin.Call)(weft.Scalar(0.)))
	// Output: 1.0
}

func ExampleCustomVJPFunc_RulesWithZeros() {
	type in struct{ X, Y weft.Array }
	mul := weft.NewCustomVJP[in, in](func(p in) weft.Array { return p.X.Mul(p.Y) })
	mul.RulesWithZeros(func(p, active in) (weft.Array, in) {
		var keep in // only what bwd will need
		if active.X.Bool() {
			keep.Y = p.Y
		}
		if active.Y.Bool() {
			keep.X = p.X
		}
		return mul.Call(p), keep
	}, func(keep in, g weft.Array) (ct in) {
		if !keep.Y.IsZero() {
			ct.X = g.Mul(keep.Y)
		}
		if !keep.X.IsZero() {
			ct.Y = g.Mul(keep.X)
		}
		return ct
	})
	fmt.Println(weft.Grad(func(x weft.Array) weft.Array { return mul.Call(in{x, weft.Scalar(4.)}) })(weft.Scalar(3.)))
	// Output: 4.0
}

func ExampleCustomJVPWith() {
	// The power is a Go number; the rule takes it last.
	power := weft.CustomJVPWith(func(n int, x weft.Array) weft.Array { return x.Pow(n) },
		func(x, t weft.Array, n int) (weft.Array, weft.Array) { return x.Pow(n), t.Mul(x.Pow(n - 1)).Mul(n) })
	fmt.Println(weft.Grad(func(x weft.Array) weft.Array { return power(3, x) })(weft.Scalar(2.)))
	// Output: 12.0
}

func ExampleCustomJVPWithFirst() {
	power := weft.CustomJVPWithFirst(func(n int, x weft.Array) weft.Array { return x.Pow(n) },
		func(n int, x, t weft.Array) (weft.Array, weft.Array) { return x.Pow(n), t.Mul(x.Pow(n - 1)).Mul(n) })
	fmt.Println(weft.Grad(func(x weft.Array) weft.Array { return power(3, x) })(weft.Scalar(2.)))
	// Output: 12.0
}

func ExampleNewCustomJVPWith() {
	power := weft.NewCustomJVPWith(func(n int, x weft.Array) weft.Array { return x.Pow(n) })
	power.Rule(func(x, t weft.Array, n int) (weft.Array, weft.Array) {
		return power.Call(n, x), t.Mul(power.Call(n-1, x)).Mul(n)
	})
	fmt.Println(weft.Grad(weft.Grad(func(x weft.Array) weft.Array { return power.Call(3, x) }))(weft.Scalar(2.)))
	// Output: 12.0
}

func ExampleCustomVJPWith() {
	type function = func(weft.Array) weft.Array
	skip := weft.CustomVJPWith(func(f function, x weft.Array) weft.Array { return f(x) },
		func(f function, x weft.Array) (weft.Array, struct{}) { return f(x), struct{}{} },
		func(_ function, _ struct{}, g weft.Array) weft.Array { return g })
	fmt.Println(weft.ValueAndGrad(func(x weft.Array) weft.Array { return skip(weft.Square, x) })(weft.Scalar(3.)))
	// Output: 9.0 1.0
}

func ExampleNewCustomVJPWith() {
	type function = func(weft.Array) weft.Array
	skip := weft.NewCustomVJPWith[function, weft.Array, struct{}](func(f function, x weft.Array) weft.Array { return f(x) })
	skip.Rules(func(f function, x weft.Array) (weft.Array, struct{}) { return skip.Call(f, x), struct{}{} },
		func(_ function, _ struct{}, g weft.Array) weft.Array { return g })
	fmt.Println(weft.Grad(func(x weft.Array) weft.Array { return skip.Call(weft.Sin, x) })(weft.Scalar(3.)))
	// Output: 1.0
}

func ExampleCustomJVPs() {
	abs := weft.CustomJVPs(weft.Abs, func(t, ans, x weft.Array) weft.Array { return t.Mul(weft.Sign(x)) })
	fmt.Println(weft.Vmap(weft.Grad(abs))(weft.Of(-2., 0, 3)))
	// Output: [-1.  0.  1.]
}

func ExampleCustomJVPs2() {
	div := weft.CustomJVPs2(func(x, y weft.Array) weft.Array { return x.Div(y) },
		func(t, ans, x, y weft.Array) weft.Array { return t.Div(y) },
		func(t, ans, x, y weft.Array) weft.Array { return t.Mul(ans).Div(y).Neg() }) // the result helps
	fmt.Println(weft.Grad(func(y weft.Array) weft.Array { return div(weft.Scalar(1.), y) })(weft.Scalar(2.)))
	// Output: -0.25
}

func ExampleCustomJVPs3() {
	fma := weft.CustomJVPs3(func(x, y, z weft.Array) weft.Array { return x.Mul(y).Add(z) },
		func(t, ans, x, y, z weft.Array) weft.Array { return t.Mul(y) },
		func(t, ans, x, y, z weft.Array) weft.Array { return t.Mul(x) },
		nil) // as if the result did not depend on z
	fmt.Println(weft.Grad(func(x weft.Array) weft.Array { return fma(x, x, x) })(weft.Scalar(3.)))
	// Output: 6.0
}

func ExampleCustomGradient() {
	cube := weft.CustomGradient(func(x weft.Array) (weft.Array, func(weft.Array) weft.Array) {
		square := x.Mul(x) // computed once, used by both
		return square.Mul(x), func(g weft.Array) weft.Array { return g.Mul(square).Mul(3) }
	})
	fmt.Println(weft.ValueAndGrad(cube)(weft.Scalar(2.)))
	// Output: 8.0 12.0
}

func ExampleCustomVmap() {
	dot := weft.CustomVmap(func(p [2]weft.Array) weft.Array { return p[0].Dot(p[1]) },
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

func ExampleNewCustomVmap() {
	f := weft.NewCustomVmap(weft.Sin)
	f.Rule(func(n int, mapped, x weft.Array) (y, yMapped weft.Array) {
		fmt.Println(n, "at once")
		return weft.Sin(x), mapped
	})
	fmt.Println(weft.Vmap(f.Call)(weft.Zeros(2)))
	// Output:
	// 2 at once
	// [0. 0.]
}

func ExampleSequentialVmap() {
	f := weft.SequentialVmap(func(x weft.Array) weft.Array { return weft.Square(x) })
	fmt.Println(weft.Vmap(f)(weft.Arange(3.)))
	// Output: [0. 1. 4.]
}

func ExampleCustomRoot() {
	type function = func(weft.Array) weft.Array
	sqrt := func(a weft.Array) weft.Array {
		f := func(x weft.Array) weft.Array { return x.Mul(x).Sub(a) }
		newton := func(f function, x weft.Array) weft.Array {
			return weft.ForI(10, func(_, x weft.Array) weft.Array { return x.Sub(f(x).Div(x.Mul(2))) }, x)
		}
		solveTangent := func(g function, y weft.Array) weft.Array { return y.Div(g(weft.OnesLike(y))) }
		return weft.CustomRoot(f, weft.Scalar(1.), newton, solveTangent)
	}
	fmt.Println(weft.ValueAndGrad(sqrt)(weft.Scalar(4.)))
	// Output: 2.0 0.25
}

func ExampleCustomRootAux() {
	type function = func(weft.Array) weft.Array
	half := func(g function, y weft.Array) weft.Array { return y.Div(g(weft.OnesLike(y))) }
	x, steps := weft.CustomRootAux(weft.Sin, weft.Scalar(3.), func(f function, x weft.Array) (weft.Array, weft.Array) {
		n := 0
		for ; weft.Abs(f(x)).Float() > 1e-6; n++ {
			x = x.Add(f(x))
		}
		return x, weft.Scalar(n)
	}, half)
	fmt.Printf("%.4f in %d steps\n", x.Float(), steps.Int())
	// Output: 3.1416 in 2 steps
}

func ExampleCustomLinearSolve() {
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
		return weft.CustomLinearSolve(triangle(a), weft.Of(2., 3), jacobi, jacobi).Index(1)
	}
	fmt.Println(weft.ValueAndGrad(f)(weft.Scalar(2.)))
	// Output: 1.0 -0.25
}

func ExampleCustomSymmetricSolve() {
	type function = func(weft.Array) weft.Array
	f := func(a weft.Array) weft.Array { // a·x = 6
		return weft.CustomSymmetricSolve(func(x weft.Array) weft.Array { return a.Mul(x) }, weft.Scalar(6.),
			func(mv function, b weft.Array) weft.Array { return b.Div(mv(weft.OnesLike(b))) })
	}
	fmt.Println(weft.ValueAndGrad(f)(weft.Scalar(2.)))
	// Output: 3.0 -1.5
}

func ExampleCustomLinearSolveAux() {
	type function = func(weft.Array) weft.Array
	solve := func(mv function, b weft.Array) (x, left weft.Array) {
		x = b.Div(mv(weft.OnesLike(b)))
		return x, mv(x).Sub(b)
	}
	x, left := weft.CustomLinearSolveAux(func(x weft.Array) weft.Array { return x.Mul(3) }, weft.Scalar(6.), solve, solve)
	fmt.Println(x, left)
	// Output: 2.0 0.0
}

func ExampleLinearCall() {
	// A shift whose transpose is written by hand.
	shift := func(x weft.Array) weft.Array {
		return weft.LinearCall(
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

func ExampleClosureConvert() {
	weft.Grad(func(a weft.Array) weft.Array {
		f := func(x weft.Array) weft.Array { return x.Mul(a) } // a is being differentiated
		g, consts := weft.ClosureConvert(f, weft.Scalar(0.))
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
