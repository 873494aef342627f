package custom_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// everywhere returns ways to call a function of a number within another.
func everywhere(f unary) map[string]unary {
	return map[string]unary{
		"at once": f, "jit": weft.Jit(f), "remat": weft.Remat(f),
		"scan": func(x weft.Array) weft.Array {
			c, _ := weft.ScanN(func(c weft.Array) (weft.Array, struct{}) { return f(c), struct{}{} }, x, 1)
			return c
		},
		"cond": func(x weft.Array) weft.Array {
			return weft.Cond(x.Gt(-100), func() weft.Array { return f(x) }, func() weft.Array { return x })
		},
		"vmap": func(x weft.Array) weft.Array { return weft.Vmap(f)(weft.Stack(0, x, x.Add(1))).Index(0) },
		"jit of vmap of remat": weft.Jit(func(x weft.Array) weft.Array {
			return weft.Vmap(weft.Remat(f))(weft.Stack(0, x, x.Add(1))).Index(0)
		}),
		"map of jit": func(x weft.Array) weft.Array { return weft.MapScan(weft.Jit(f), weft.Stack(0, x, x)).Index(1) },
	}
}

// derivatives checks a function of a number, its first three derivatives in every placement,
// and its batches.
func derivatives(t *testing.T, what string, f unary, at float64, want ...float64) {
	t.Helper()
	for name, g := range everywhere(f) {
		near(t, what+", "+name, g(s(at)), want[0])
		d := g
		for k, w := range want[1:] {
			fwd := d
			_, tangent := weft.JVP(fwd, s(at), s(1))
			near(t, fmt.Sprintf("%s, %s, jvp %d", what, name, k+1), tangent, w)
			d = weft.Grad(d)
			near(t, fmt.Sprintf("%s, %s, grad %d", what, name, k+1), d(s(at)), w)
			near(t, fmt.Sprintf("%s, %s, jit of grad %d", what, name, k+1), weft.Jit(d)(s(at)), w)
			nearAll(t, fmt.Sprintf("%s, %s, vmap of grad %d", what, name, k+1), weft.Vmap(d)(vec(at, at)), w, w)
		}
	}
}

func newton(f unary, x weft.Array) weft.Array {
	return weft.ForI(12, func(_, x weft.Array) weft.Array {
		y, d := weft.JVP(f, x, weft.OnesLike(x))
		return x.Sub(y.Div(d))
	}, x)
}

func divide(g unary, y weft.Array) weft.Array { return y.Div(g(weft.OnesLike(y))) }

// The derivative of a root is that of the implicit function, to any order.
func TestCustomRoot(t *testing.T) {
	sqrt := func(a weft.Array) weft.Array {
		return custom.Root(func(x weft.Array) weft.Array { return x.Mul(x).Sub(a) }, s(1), newton, divide)
	}
	derivatives(t, "√a", sqrt, 3, math.Sqrt(3), 0.5/math.Sqrt(3), -0.25/math.Pow(3, 1.5), 0.375/math.Pow(3, 2.5))
	derivatives(t, "the guess depends on a, too", func(a weft.Array) weft.Array {
		return custom.Root(func(x weft.Array) weft.Array { return x.Mul(x).Sub(a) }, a, newton, divide)
	}, 3, math.Sqrt(3), 0.5/math.Sqrt(3), -0.25/math.Pow(3, 1.5))
	derivatives(t, "solve closes over what is differentiated", func(a weft.Array) weft.Array {
		return custom.Root(func(x weft.Array) weft.Array { return x.Mul(x).Sub(a) }, s(1),
			func(f unary, x weft.Array) weft.Array { return newton(f, x.Mul(a)).Add(a.Mul(0)) }, divide)
	}, 3, math.Sqrt(3), 0.5/math.Sqrt(3), -0.25/math.Pow(3, 1.5))

	// At once solve is plain Go: it looks, and returns how many steps it took.
	steps := -1
	look := func(a weft.Array) weft.Array {
		x, n := custom.RootAux(func(x weft.Array) weft.Array { return x.Mul(x).Sub(a) }, s(1),
			func(f unary, x weft.Array) (weft.Array, weft.Array) {
				n := 0
				for ; math.Abs(f(x).Float()) > 1e-6 && n < 50; n++ {
					x = x.Sub(f(x).Div(x.Mul(2)))
				}
				return x, weft.Scalar(int32(n))
			}, divide)
		steps = n.Int()
		return x
	}
	near(t, "plain Go", look(s(3)), math.Sqrt(3))
	near(t, "plain Go, grad", weft.Grad(look)(s(3)), 0.5/math.Sqrt(3))
	near(t, "plain Go, grad of grad", weft.Grad(weft.Grad(look))(s(3)), -0.25/math.Pow(3, 1.5))
	if steps < 4 || steps > 6 {
		t.Errorf("%d steps", steps)
	}
	testcheck.Fails(t, core.ErrConcrete, func() { weft.Jit(look)(s(3)) })

	// Several unknowns: x + y = a, x·y = 1.
	type xy struct{ X, Y weft.Array }
	two := func(a weft.Array) xy {
		f := func(p xy) xy { return xy{p.X.Add(p.Y).Sub(a), p.X.Mul(p.Y).Sub(1)} }
		solve := func(f func(xy) xy, p xy) xy {
			return weft.ForI(8, func(_ weft.Array, p xy) xy {
				r := f(p)
				det := p.X.Sub(p.Y)
				return xy{p.X.Sub(p.X.Mul(r.X).Sub(r.Y).Div(det)), p.Y.Sub(r.Y.Sub(p.Y.Mul(r.X)).Div(det))}
			}, p)
		}
		tangent := func(g func(xy) xy, r xy) xy {
			one, zero := weft.OnesLike(r.X), weft.ZerosLike(r.X)
			a, b := g(xy{one, zero}), g(xy{zero, one})
			det := a.X.Mul(b.Y).Sub(b.X.Mul(a.Y))
			return xy{r.X.Mul(b.Y).Sub(b.X.Mul(r.Y)).Div(det), a.X.Mul(r.Y).Sub(a.Y.Mul(r.X)).Div(det)}
		}
		return custom.Root(f, xy{s(3), s(0.2)}, solve, tangent)
	}
	root := func(a float64) float64 { return (a + math.Sqrt(a*a-4)) / 2 }
	derivatives(t, "two unknowns", func(a weft.Array) weft.Array { return two(a).X }, 2.5, root(2.5), 0.5+1.25/math.Sqrt(2.25))
}

// What the functions of a root return must be of the guess's form.
func TestCustomRootMistakes(t *testing.T) {
	id := func(x weft.Array) weft.Array { return x }
	ok := func(f unary, x weft.Array) weft.Array { return x }
	grow := func(f unary, x weft.Array) weft.Array { return x.Reshape(1) }
	testcheck.Fails(t, core.ErrCustomRule, func() {
		custom.Root(func(x weft.Array) weft.Array { return x.Reshape(1) }, s(1), ok, ok)
	}, "custom.Root", "the function returns f32[1]", "guess")
	testcheck.Fails(t, core.ErrCustomRule, func() { custom.Root(id, s(1), grow, ok) }, "solve returns f32[1]", "guess has f32[]")
	testcheck.Fails(t, core.ErrCustomRule, func() {
		weft.Grad(func(a weft.Array) weft.Array {
			return custom.Root(func(x weft.Array) weft.Array { return x.Sub(a) }, s(1), ok, grow)
		})(s(1))
	}, "tangentSolve returns f32[1]")
	testcheck.Fails(t, core.ErrCustomRule, func() {
		custom.Root(func(weft.Array) weft.Array { return weft.Array{} }, s(1), ok, ok)
	}, "contains no array")
	testcheck.Fails(t, core.ErrCustomRule, func() {
		custom.Root(func(x []weft.Array) []weft.Array { return x[:1] }, []weft.Array{s(1), s(2)},
			func(f func([]weft.Array) []weft.Array, x []weft.Array) []weft.Array { return x },
			func(f func([]weft.Array) []weft.Array, x []weft.Array) []weft.Array { return x })
	}, "got 1 element, want 2 elements")
}

// The derivative of a linear solve is a solve: with respect to the right-hand side and to
// the operator, in both modes.
func TestCustomLinearSolve(t *testing.T) {
	// x of (1+a)·x₀ = b₀, x₀ + a·x₁ = b₁.
	solve := func(mv func(weft.Array) weft.Array, b weft.Array) weft.Array {
		cols := weft.Stack(1, mv(vec(1, 0)), mv(vec(0, 1)))
		det := cols.Index(0, 0).Mul(cols.Index(1, 1)).Sub(cols.Index(0, 1).Mul(cols.Index(1, 0)))
		return weft.Stack(0, b.Index(0).Mul(cols.Index(1, 1)).Sub(cols.Index(0, 1).Mul(b.Index(1))),
			cols.Index(0, 0).Mul(b.Index(1)).Sub(cols.Index(1, 0).Mul(b.Index(0)))).Div(det)
	}
	matrix := func(a weft.Array) weft.Array {
		return weft.Stack(0, weft.Stack(0, a.Add(1), s(0)), weft.Stack(0, s(1), a))
	}
	second := func(a weft.Array) weft.Array { // b = (a, 2): x₁ = (2 − a/(1+a))/a = 2/a − 1/(1+a)
		m := matrix(a)
		return custom.LinearSolve(func(x weft.Array) weft.Array { return m.Dot(x) }, weft.Stack(0, a, s(2)), solve, solve).Index(1)
	}
	derivatives(t, "x₁", second, 2, 1-1./3, -0.5+1./9, 0.5-2./27)

	// A symmetric operator without a matrix, by conjugate gradients.
	cg := func(mv unary, b weft.Array) weft.Array {
		type state struct{ X, R, P weft.Array }
		end := weft.ForI(3, func(_ weft.Array, c state) state {
			ap := mv(c.P)
			rr := c.R.Dot(c.R)
			alpha := rr.Div(c.P.Dot(ap).Add(1e-30))
			r := c.R.Sub(alpha.Mul(ap))
			return state{c.X.Add(alpha.Mul(c.P)), r, r.Add(r.Dot(r).Div(rr.Add(1e-30)).Mul(c.P))}
		}, state{weft.ZerosLike(b), b, b})
		return end.X
	}
	third := func(a weft.Array) weft.Array { // diag(a, 2a, 3a) x = 1: Σx = 11/(6a)
		return symmetricSolve(func(x weft.Array) weft.Array { return x.Mul(vec(1, 2, 3)).Mul(a) }, weft.Ones(3), cg).Sum()
	}
	derivatives(t, "conjugate gradients", third, 2, 11./12, -11./24, 11./24)

	noTranspose := func(a weft.Array) weft.Array {
		return custom.LinearSolve(func(x weft.Array) weft.Array { return x.Mul(a) }, s(1), divide, nil)
	}
	_, d := weft.JVP(noTranspose, s(2), s(1))
	near(t, "forward without a transposed solver", d, -0.25)
	near(t, "jitted without a transposed solver", weft.Jit(noTranspose)(s(2)), 0.5)
	near(t, "batch without a transposed solver", weft.Vmap(noTranspose)(vec(2, 4)).Index(1), 0.25)
	testcheck.Fails(t, core.ErrCustomRule, func() { weft.Grad(noTranspose)(s(2)) }, "reverse", "transposed")

	for name, f := range arraycheck.Placements(func(a weft.Array) weft.Array {
		x, left := custom.LinearSolveAux(func(x weft.Array) weft.Array { return x.Mul(a) }, s(1),
			func(mv unary, b weft.Array) (weft.Array, weft.Array) { x := divide(mv, b); return x, mv(x).Sub(b) },
			func(mv unary, b weft.Array) (weft.Array, weft.Array) { x := divide(mv, b); return x, mv(x).Sub(b) })
		return x.Add(left.Mul(1000))
	}) {
		near(t, "aux, "+name, f(s(2)), 0.5)
		near(t, "aux, grad, "+name, weft.Grad(f)(s(2)), -0.25)
	}

	looks := 0
	x := custom.LinearSolve(double, s(6), func(mv unary, b weft.Array) weft.Array {
		if b.Float() == 6 {
			looks++
		}
		return divide(mv, b)
	}, nil)
	near(t, "plain Go", x, 3)
	if looks != 1 {
		t.Error("solve did not look")
	}
	testcheck.Fails(t, core.ErrCustomRule, func() {
		symmetricSolve(func(x weft.Array) weft.Array { return x.Reshape(1) }, s(1), divide)
	}, "matvec returns f32[1]", "b has f32[]")
	testcheck.Fails(t, core.ErrDType, func() { symmetricSolve(double, weft.Scalar(int32(1)), divide) }, "i32[]", "floating")
}

// A linear function has the transpose that it is given.
func TestLinearCall(t *testing.T) {
	back := 0
	div := func(r, x weft.Array) weft.Array {
		return custom.LinearCall(func(r, x weft.Array) weft.Array { return x.Div(r) },
			func(r, ct weft.Array) weft.Array { back++; return ct.Div(r).Mul(10) }, r, x)
	}
	linear := func(x weft.Array) weft.Array { return div(s(2), x) }
	near(t, "value", linear(s(3)), 1.5)
	_, d := weft.JVP(linear, s(3), s(1))
	near(t, "jvp", d, 0.5)
	for name, f := range everywhere(linear) {
		near(t, "grad: the transpose of the user's, "+name, weft.Grad(f)(s(3)), 5)
		near(t, "grad of grad, "+name, weft.Grad(weft.Grad(f))(s(3)), 0)
	}
	near(t, "linear transpose", weft.LinearTranspose(linear, s(3))(s(1)), 5)
	near(t, "transpose of the transpose", weft.LinearTranspose(weft.LinearTranspose(linear, s(3)), s(1))(s(1)), 0.5)
	nearAll(t, "vmap over what it is linear in", weft.Vmap(linear)(vec(0, 1, 2)), 0, 0.5, 1)
	nearAll(t, "vmap over the rest", weft.Vmap(func(r weft.Array) weft.Array {
		return weft.Grad(func(x weft.Array) weft.Array { return div(r, x) })(s(3))
	})(vec(1, 2, 4)), 10, 5, 2.5)
	near(t, "what it is not linear in", weft.Grad(func(r weft.Array) weft.Array { return div(r, s(3)) })(s(2)), -0.75)
	right := func(r weft.Array) weft.Array {
		return custom.LinearCall(func(_ struct{}, x weft.Array) weft.Array { return x.Div(r) },
			func(_ struct{}, ct weft.Array) weft.Array { return ct.Div(r) }, struct{}{}, r.Mul(r).Mul(r))
	}
	derivatives(t, "closes over a value, r²", right, 3, 9, 6, 2, 0)
	testcheck.Fails(t, core.ErrDType, func() { div(s(1), weft.Scalar(int32(1))) }, "i32[]", "cannot be linear")
	testcheck.Fails(t, core.ErrCustomRule, func() {
		custom.LinearCall(func(_ struct{}, x weft.Array) weft.Array { return x }, func(_ struct{}, ct weft.Array) weft.Array { return ct.Reshape(1) }, struct{}{}, s(1))
	}, "f32[1]", "must be f32[]")
	zero := custom.LinearCall(func(_ struct{}, x weft.Array) weft.Array { return x.Mul(0) }, func(_ struct{}, ct weft.Array) weft.Array { return weft.Array{} }, struct{}{}, s(1))
	near(t, "no cotangent", zero, 0)
}

// What a function closes over becomes arguments.
func TestClosureConvert(t *testing.T) {
	minimize := func(f unary, x weft.Array) weft.Array {
		conv, consts := custom.Closure(f, x)
		type in struct {
			X      weft.Array
			Consts []weft.Array
		}
		g := custom.VJP(func(p in) weft.Array { return conv(p.X, p.Consts) },
			func(p in) (weft.Array, in) { return conv(p.X, p.Consts), p },
			func(p in, ct weft.Array) in {
				d := weft.Grad(func(p in) weft.Array { return conv(p.X, p.Consts) })(p)
				return weft.TreeMap(func(d weft.Array) weft.Array { return d.Mul(ct).Mul(100) }, d)
			})
		return g(in{x, consts})
	}
	f := func(y weft.Array) weft.Array {
		return minimize(func(x weft.Array) weft.Array { return x.Mul(y).Mul(y) }, s(3))
	}
	for name, g := range everywhere(f) {
		near(t, name, g(s(2)), 12)
		near(t, "grad of "+name, weft.Grad(g)(s(2)), 1200)
	}
	conv, consts := custom.Closure(double, s(1))
	if len(consts) != 0 {
		t.Errorf("%d values although nothing is traced", len(consts))
	}
	near(t, "no closure", conv(s(4), nil), 8)
	testcheck.Fails(t, core.ErrTree, func() { conv(s(4), []weft.Array{s(1)}) }, "got 1")
	testcheck.Fails(t, core.ErrDType, func() { conv(vec(1, 2), nil) }, "f32[]", "f32[2]")
	weft.Vmap(func(y weft.Array) weft.Array {
		n := weft.Scalar(int32(3))
		_, consts := custom.Closure(func(x weft.Array) weft.Array { return x.Mul(y).Mul(n).Add(vec(1, 2)) }, s(1))
		if len(consts) != 1 {
			t.Errorf("%d values, want the one that is traced", len(consts))
		}
		return y
	})(vec(1, 2))
}

// A function may give its own derivative; residuals are what that closes over.
func TestCustomGradient(t *testing.T) {
	statement.Shows(t, "J-20", "a function may return its own derivative")
	sin := custom.Gradient(func(x weft.Array) (weft.Array, func(weft.Array) weft.Array) {
		return weft.Sin(x), func(g weft.Array) weft.Array { return g.Mul(weft.Cos(x)) }
	})
	for name, f := range everywhere(sin) {
		near(t, name, f(s(3)), math.Sin(3))
		near(t, "grad of "+name, weft.Grad(f)(s(3)), math.Cos(3))
		near(t, "grad² of "+name, weft.Grad(weft.Grad(f))(s(3)), -math.Sin(3))
		near(t, "jit of grad of "+name, weft.Jit(weft.Grad(f))(s(3)), math.Cos(3))
		nearAll(t, "vmap of grad of "+name, weft.Vmap(weft.Grad(f))(vec(0, 3)), 1, math.Cos(3))
	}
	type in struct{ X, N, Y weft.Array }
	type out struct{ A, N weft.Array }
	f := custom.Gradient(func(p in) (out, func(out) in) {
		return out{p.X.Mul(p.Y), p.N}, func(ct out) in { return in{X: ct.A.Mul(7)} }
	})
	n := weft.Scalar(int32(1))
	g := weft.Grad(func(p in) weft.Array { return f(p).A })(in{s(2), n, s(3)})
	near(t, "a tree", g.X, 7)
	near(t, "no cotangent", g.Y, 0)
	if g.N.DType() != weft.Float0 {
		t.Errorf("the gradient of an integer is %v", g.N.DType())
	}
	err := core.Catch(func() { weft.JVP(sin, s(1), s(1)) })
	if err == nil || !strings.Contains(err.Error(), "forward") {
		t.Errorf("forward: %v", err)
	}
	none := custom.Gradient(func(x weft.Array) (weft.Array, func(weft.Array) weft.Array) { return x, nil })
	near(t, "value", none(s(1)), 1)
	testcheck.Fails(t, core.ErrCustomRule, func() { weft.Grad(none)(s(1)) }, "no derivative", "nil")
	bad := custom.Gradient(func(x weft.Array) (weft.Array, func(weft.Array) weft.Array) {
		return x, func(g weft.Array) weft.Array { return g.Reshape(1) }
	})
	testcheck.Fails(t, core.ErrCustomRule, func() { weft.Grad(bad)(s(1)) }, "f32[1]", "must be f32[]")
}
