package nd_test

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/weft-go/weft"
)

var inf, nan = math.Inf(1), math.NaN()

// same reports whether two numbers are equal or both NaN.
func same(x, y float64) bool { return x == y || x != x && y != y }

// The values of C99 and IEEE 754 where an operand is infinite or NaN, eagerly and under Jit.
func TestSpecialValues(t *testing.T) {
	quarter := math.Pi / 2
	unary := []struct {
		name string
		f    func(weft.Array) weft.Array
		x    complex128
		want complex128
	}{
		{"Log2", weft.Log2, complex(0, inf), complex(inf, quarter/math.Ln2)},
		{"Log2", weft.Log2, complex(0, -inf), complex(inf, -quarter/math.Ln2)},
		{"Log2", weft.Log2, complex(-inf, 1), complex(inf, math.Pi/math.Ln2)},
		{"Log2", weft.Log2, 0, complex(-inf, 0)},
		{"Exp2", weft.Exp2, complex(1e30, 4), complex(-inf, inf)},
		{"Exp2", weft.Exp2, complex(-1e30, 4), complex(math.Copysign(0, -1), 0)},
		{"Log10", weft.Log10, complex(0, inf), complex(inf, quarter/math.Ln10)},
		{"Log10", weft.Log10, complex(0, -inf), complex(inf, -quarter/math.Ln10)},
		{"Log10", weft.Log10, complex(inf, 0), complex(inf, 0)},
		{"Tanh", weft.Tanh, complex(100, nan), complex(nan, nan)},
		{"Tanh", weft.Tanh, complex(-100, inf), complex(nan, nan)},
		{"Tanh", weft.Tanh, complex(1, nan), complex(nan, nan)},
		{"Tanh", weft.Tanh, complex(100, 1), 1},
		{"Tanh", weft.Tanh, complex(inf, nan), 1},
		{"Tanh", weft.Tanh, complex(-inf, inf), -1},
		{"Tanh", weft.Tanh, complex(0, nan), complex(0, nan)},
		{"Tan", weft.Tan, complex(nan, 100), complex(nan, nan)},
		{"Tan", weft.Tan, complex(inf, -100), complex(nan, nan)},
		{"Tan", weft.Tan, complex(nan, inf), 1i},
	}
	for _, c := range unary {
		for how, f := range map[string]func(weft.Array) weft.Array{"eagerly": c.f, "under Jit": weft.Jit(c.f)} {
			got := f(weft.FromSlice([]complex128{c.x})).Index(0).Complex()
			near := same(real(got), real(c.want)) && same(imag(got), imag(c.want)) || cmplx.Abs(got-c.want) < 1e-30 || math.IsInf(real(c.want), 0) && real(got) == real(c.want) && math.Abs(imag(got)-imag(c.want)) < 1e-15
			if !near {
				t.Errorf("%s(%v) %s: got %v, want %v", c.name, c.x, how, got, c.want)
			}
		}
	}
	for _, c := range [][3]float64{{inf, nan, inf}, {nan, -inf, inf}, {inf, -inf, inf}, {-inf, 0, inf}, {nan, 1, nan}, {0, nan, nan}, {3, 4, 5}, {0, 0, 0}} {
		hypot := func(x weft.Array) weft.Array { return weft.Hypot(x.Index(0), x.Index(1)) }
		for how, f := range map[string]func(weft.Array) weft.Array{"eagerly": hypot, "under Jit": weft.Jit(hypot)} {
			if got := f(weft.Of(c[0], c[1])).Float(); !same(got, c[2]) {
				t.Errorf("Hypot(%v, %v) %s: got %v, want %v", c[0], c[1], how, got, c[2])
			}
		}
	}
}

// Functions with a kink at 0 have the finite derivative there that lies between those beside it, also
// the second time; where it exists, the true one.
func TestDerivativesAtZero(t *testing.T) {
	row := func(f func(x weft.Array) weft.Array) func(weft.Array) weft.Array { return f }
	cases := map[string]struct {
		f    func(weft.Array) weft.Array
		at   []float64
		want []float64
	}{
		"Norm":           {row(func(x weft.Array) weft.Array { return weft.Norm(x) }), []float64{0, 0}, []float64{0, 0}},
		"Norm, one":      {row(func(x weft.Array) weft.Array { return weft.Norm(x) }), []float64{0, -3}, []float64{0, -1}},
		"distance":       {row(func(x weft.Array) weft.Array { return weft.Norm(x.Sub(weft.Of(1., 2))) }), []float64{1, 2}, []float64{0, 0}},
		"Norm, rows":     {row(func(x weft.Array) weft.Array { return weft.Norm(x.Reshape(2, 1), 1).Sum() }), []float64{0, 2}, []float64{0, 1}},
		"Std":            {row(func(x weft.Array) weft.Array { return x.Std() }), []float64{5, 5}, []float64{0, 0}},
		"Reduce StdOf":   {row(func(x weft.Array) weft.Array { return weft.Reduce(x, weft.ReduceConfig{Op: weft.ReduceStd, DDof: 1}) }), []float64{5, 5}, []float64{0, 0}},
		"Hypot":          {row(func(x weft.Array) weft.Array { return weft.Hypot(x.Index(0), x.Index(1)) }), []float64{0, 0}, []float64{0, 0}},
		"Hypot, one":     {row(func(x weft.Array) weft.Array { return weft.Hypot(x.Index(0), x.Index(1)) }), []float64{0, -2}, []float64{0, -1}},
		"Abs of complex": {row(func(x weft.Array) weft.Array { return weft.Abs(x.Index(0).Add(x.Index(1).Mul(1i))) }), []float64{0, 0}, []float64{0, 0}},
	}
	for name, c := range cases {
		x := weft.FromSlice(c.at)
		for how, got := range map[string]weft.Array{
			"Grad": weft.Grad(c.f)(x), "Grad under Jit": weft.Jit(weft.Grad(c.f))(x), "Jacfwd": weft.Jacfwd(c.f)(x),
		} {
			if want := weft.FromSlice(c.want); !got.Equal(want) {
				t.Errorf("%s, %s at %v: got %v, want %v", name, how, c.at, got, want)
			}
		}
		if h := weft.Hessian(c.f)(x); !weft.IsFinite(h).All().Bool() {
			t.Errorf("%s, Hessian at %v: got %v, want finite numbers", name, c.at, h)
		}
	}
}

// A single truth value takes no axis and makes one, as in NumPy. The shapes are NumPy 2's.
func TestTruthValueAsIndex(t *testing.T) {
	x := weft.Arange(6.).Reshape(2, 3)
	no, yes := weft.Scalar(false), weft.Scalar(true)
	for _, c := range []struct {
		idx  []any
		want []int
	}{
		{[]any{no}, []int{0, 2, 3}}, {[]any{yes}, []int{1, 2, 3}}, {[]any{false}, []int{0, 2, 3}}, {[]any{true}, []int{1, 2, 3}},
		{[]any{true, 0}, []int{1, 3}}, {[]any{0, true}, []int{1, 3}}, {[]any{weft.All, true}, []int{2, 1, 3}}, {[]any{"...", false}, []int{2, 3, 0}},
		{[]any{weft.Of(0, 1), true}, []int{2, 3}}, {[]any{true, true}, []int{1, 2, 3}}, {[]any{nil, true}, []int{1, 1, 2, 3}}, {[]any{weft.Of(true, false), false}, []int{0, 3}}, {[]any{weft.Of(true, true), false}, nil},
	} {
		get := func() weft.Array { return x.Index(c.idx...) }
		y, err := weft.Try(get)
		if c.want == nil {
			if err == nil {
				t.Errorf("Index%v: got %v, want an error: shapes (2) and (0)", c.idx, y.Shape())
			}
			continue
		}
		if err != nil {
			t.Errorf("Index%v: got error %v", c.idx, err)
			continue
		}
		if got := y.Shape().String(); got != weft.Shape(c.want).String() {
			t.Errorf("Index%v: got shape %v, want %v", c.idx, got, c.want)
		}
		if got := x.At(c.idx...).Get(); !got.Equal(y) {
			t.Errorf("At%v.Get: got %v, want %v", c.idx, got, y)
		}
	}
	if got := x.Index(true, 1); !got.Equal(weft.Of(3., 4, 5).Reshape(1, 3)) {
		t.Errorf("Index(true, 1): got %v", got)
	}
	for _, c := range []struct {
		got, want weft.Array
	}{
		{x.At(false).Set(1), x}, {x.At(true).Set(1), weft.Ones(2, 3)}, {x.At(true, 0).Add(1), x.At(0).Add(1)}, {x.At(0, no).Add(1), x},
		{x.At("...", yes).Mul(2), x.Mul(2)},
	} {
		if !c.got.Equal(c.want) {
			t.Errorf("At: got %v, want %v", c.got, c.want)
		}
	}
}

// Equal infinities share the derivative of LogAddExp, forward as in reverse. Beside the other infinity the larger has it; that of
// Hypot is 0.
func TestLogAddExpAndHypotDerivativesAtInfinities(t *testing.T) {
	add := func(p [2]weft.Array) weft.Array { return weft.LogAddExp(p[0], p[1]) }
	for _, x := range []float64{inf, -inf} {
		p := [2]weft.Array{weft.Scalar(x), weft.Scalar(x)}
		if _, d := weft.JVP(add, p, [2]weft.Array{weft.Scalar(3.), weft.Scalar(1.)}); d.Float() != 2 {
			t.Errorf("forward at %g: got %v, want 2", x, d)
		}
		if d := weft.Grad(add)(p); d[0].Float() != 0.5 || d[1].Float() != 0.5 {
			t.Errorf("reverse at %g: got %v, want halves", x, d)
		}
	}
	for _, f := range []func(p [2]weft.Array) weft.Array{add, func(p [2]weft.Array) weft.Array { return weft.LogAddExp(p[1], p[0]) }} {
		if d := weft.Grad(f)([2]weft.Array{weft.Scalar(inf), weft.Scalar(-inf)}); d[0].Float() != 1 || d[1].Float() != 0 {
			t.Errorf("reverse at ∞ and −∞: got %v, want 1 and 0", d)
		}
	}
	if d := weft.Grad(func(p [2]weft.Array) weft.Array { return weft.Hypot(p[0], p[1]) })([2]weft.Array{weft.Scalar(0.), weft.Scalar(inf)}); d[0].Float() != 0 || d[1].Float() != 0 {
		t.Errorf("Hypot at 0 and ∞: got %v, want zeros", d)
	}
	p := [2]weft.Array{weft.Scalar(nan), weft.Scalar(1.)}
	if d := weft.Grad(add)(p); !math.IsNaN(d[0].Float()) || !math.IsNaN(d[1].Float()) {
		t.Errorf("reverse at NaN: got %v, want NaN", d)
	}
}

// Beyond the points the derivatives of Interp are those of the end that is returned, also at infinity.
func TestInterpDerivativesAtInfinity(t *testing.T) {
	type points struct{ X, Xp, Fp weft.Array }
	p := points{weft.Of(-inf, inf, -5, 5), weft.Of(0., 1, 3), weft.Of(2., -1, 4)}
	d := weft.Grad(func(p points) weft.Array { return weft.Interp(p.X, p.Xp, p.Fp).Sum() })(p)
	for name, c := range map[string][2]weft.Array{"x": {d.X, weft.Zeros(4)}, "xp": {d.Xp, weft.Zeros(3)}, "fp": {d.Fp, weft.Of(2., 0, 2)}} {
		if !c[0].Equal(c[1]) {
			t.Errorf("by %s: got %v, want %v", name, c[0], c[1])
		}
	}
}
