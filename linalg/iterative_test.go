package linalg_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/wefttest"
)

// parts is a tree of unknowns.
type parts struct{ P, Q weft.Array }

func TestIterativeSolvers(t *testing.T) {
	type solver func(a func(weft.Array) weft.Array, b weft.Array, c linalg.Iteration[weft.Array]) weft.Array
	b := f64(1, -2, 0.5)
	guess := f64(3, 1, 2)
	for name, c := range map[string]struct {
		solve solver
		a     weft.Array
	}{
		"CG": {linalg.CG[weft.Array], positive}, "BiCGStab": {linalg.BiCGStab[weft.Array], general}, "GMRES": {linalg.GMRES[weft.Array], general},
		"complex CG":    {linalg.CG[weft.Array], positive.AsType(weft.Complex128).Add(f64(0, 1, 0, -1, 0, 0, 0, 0, 0).Reshape(3, 3).AsType(weft.Complex128).Mul(1i))},
		"complex GMRES": {linalg.GMRES[weft.Array], general.AsType(weft.Complex128).Add(positive.AsType(weft.Complex128).Mul(1i))},
	} {
		b := b.AsType(c.a.DType())
		want := linalg.Solve(c.a, b)
		diagonal := weft.Diagonal(c.a)
		start := guess.AsType(c.a.DType())
		for option, o := range map[string]linalg.Iteration[weft.Array]{
			"":               {Tol: 1e-12},
			"preconditioned": {Tol: 1e-12, Precondition: func(x weft.Array) weft.Array { return x.Div(diagonal) }},
			"guess":          {Tol: 1e-12, Guess: &start},
			"restarts":       {Tol: 1e-12, Restart: 2, MaxIter: 400},
		} {
			x := c.solve(c.a.MatMul, b, o)
			// The residual is at most Tol·‖b‖, so that x is off by ‖A⁻¹‖ times as much (and more steps than needed do no harm).
			most := o.Tol * linalg.Norm(linalg.Inv(c.a), linalg.Spectral).Float() * weft.Sqrt(weft.Square(weft.Abs(b)).Sum()).Float()
			compare(t, name+" "+option, x, want, func(float64) float64 { return most })
		}
		if c.a.DType().IsComplex() {
			// A Hermitian function is not its own transpose.
			turned := b.Mul(1 + 2i)
			_, back := weft.VJP(func(b weft.Array) weft.Array { return c.solve(c.a.MatMul, b, linalg.Iteration[weft.Array]{Tol: 1e-12}) }, b)
			most := 1e-12 * linalg.Norm(linalg.Inv(c.a), linalg.Spectral).Float() * weft.Sqrt(weft.Square(weft.Abs(turned)).Sum()).Float()
			compare(t, name+", transposed", back(turned), linalg.Solve(c.a.T(), turned), func(float64) float64 { return most })
		}
		if c.a.DType() == weft.Float64 {
			t.Run(name, func(t *testing.T) {
				wefttest.CheckGrads(t, func(p pair) weft.Array {
					a := p.A
					if name == "CG" {
						a = a.Add(a.T()).Mul(0.5)
					}
					return c.solve(a.MatMul, p.B, linalg.Iteration[weft.Array]{Tol: 1e-14})
				}, pair{c.a, b}, wefttest.GradConfig{Order: 1})
			})
		}
	}
	// A zero right side needs no step, and a tree is one vector.
	if x := linalg.CG(positive.MatMul, weft.ZerosLike(b), linalg.Iteration[weft.Array]{}); !x.Equal(weft.ZerosLike(b)) {
		t.Errorf("CG of 0 is %v, want 0", x)
	}
	tree := linalg.CG(func(x parts) parts { return parts{x.P.Mul(2).Add(x.Q.Sum()), x.Q.Mul(4).Add(x.P.Sum())} }, parts{f64(1, 2), f64(3)}, linalg.Iteration[parts]{Tol: 1e-12})
	back := parts{tree.P.Mul(2).Add(tree.Q.Sum()), tree.Q.Mul(4).Add(tree.P.Sum())}
	wefttest.AllClose(t, back, parts{f64(1, 2), f64(3)}, wefttest.Tolerance{Abs: 1e-12 * math.Sqrt(1+4+9)}) // Tol·‖b‖
	// The solvers end for singular systems and where they break down.
	linalg.BiCGStab(func(x weft.Array) weft.Array { return x.Mul(0) }, b, linalg.Iteration[weft.Array]{})
	linalg.GMRES(func(x weft.Array) weft.Array { return x.Mul(0) }, b, linalg.Iteration[weft.Array]{})
	if _, err := weft.Try(func() weft.Array { return linalg.CG(positive.MatMul, b, linalg.Iteration[weft.Array]{MaxIter: -1}) }); err == nil {
		t.Error("a negative MaxIter: got no error")
	}
}

// Systems whose types differ from those of their right sides are refused; the error names the solver.
func TestIterativeRefusals(t *testing.T) {
	type options = linalg.Iteration[weft.Array]
	narrow, wide := weft.Of[float32](1, 2, 3), f64(1, 2, 3)
	for _, c := range []struct {
		a    func(weft.Array) weft.Array
		b    weft.Array
		o    options
		want string
	}{
		{positive.MatMul, narrow, options{}, "CG: the function returns f64[3] where its argument has f32[3]; they must be of one type"},
		{positive.MatMul, weft.Of[int32](1, 2, 3), options{}, "CG: b must contain floating point numbers (got i32[3]); convert it"},
		{positive.MatMul, wide, options{Precondition: func(x weft.Array) weft.Array { return x.Index(weft.R(0, 2)) }}, "CG: Precondition returns f64[2] where its argument has f64[3]"},
		{positive.MatMul, wide, options{Guess: &narrow}, "CG: Guess returns f32[3] where b has f64[3]"},
	} {
		if _, err := weft.Try(func() weft.Array { return linalg.CG(c.a, c.b, c.o) }); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// Systems that are not finite have solutions of NaN. Right sides whose squares overflow or underflow have the solutions of moderate ones, scaled.
func TestIterativeExtremes(t *testing.T) {
	type options = linalg.Iteration[weft.Array]
	b := f64(1, -2, 0.5)
	for name, solve := range map[string]func(func(weft.Array) weft.Array, weft.Array, options) weft.Array{
		"CG": linalg.CG[weft.Array], "BiCGStab": linalg.BiCGStab[weft.Array], "GMRES": linalg.GMRES[weft.Array],
	} {
		want := solve(positive.MatMul, b, options{Tol: 1e-12})
		for _, size := range []float64{1e-300, 1e-200, 1e200, 1e300} {
			guess := f64(1, 1, 1).Mul(size)
			for _, o := range []options{{Tol: 1e-12}, {Tol: 1e-12, Guess: &guess}, {Atol: 1e-12 * size}} {
				got := solve(positive.MatMul, b.Mul(size), o)
				compare(t, name, got.Div(size), want, func(float64) float64 { return 1e-10 })
			}
		}
		single := positive.AsType(weft.Float32)
		got := solve(single.MatMul, b.Mul(1e-30).AsType(weft.Float32), options{})
		compare(t, name+" of f32", got.Mul(float32(1e30)).AsType(weft.Float64), want, func(float64) float64 { return 1e-4 })
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			for what, x := range map[string]weft.Array{
				"b":         solve(positive.MatMul, b.At(1).Set(bad), options{}),
				"a":         solve(positive.Mul(bad).MatMul, b, options{}),
				"b in Jit":  weft.Jit(func(b weft.Array) weft.Array { return solve(positive.MatMul, b, options{}) })(b.At(1).Set(bad)),
				"b in Vmap": weft.Vmap(func(b weft.Array) weft.Array { return solve(positive.MatMul, b, options{}) })(weft.Stack(0, b, b.At(1).Set(bad))).Index(1),
			} {
				if !weft.IsNaN(x).All().Bool() {
					t.Errorf("%s with %v in %s: got %v, want NaN", name, bad, what, x)
				}
			}
		}
		if x := solve(func(x weft.Array) weft.Array { return x }, weft.ZerosOf(weft.Float64, 0), options{}); x.Size() != 0 {
			t.Errorf("%s of nothing is %v", name, x)
		}
	}
}
