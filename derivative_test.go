package weft_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/testcheck"
)

type layer struct {
	W, B  weft.Array
	Steps weft.Array // an integer: not differentiated
	Scale weft.Array `weft:"frozen"`
	Act   string
}

func TestGradHasTheTypeOfItsParameters(t *testing.T) {
	p := layer{W: vec(1, 2), B: s(3), Steps: weft.Scalar(int32(7)), Scale: s(2), Act: "none"}
	loss := func(p layer) weft.Array { return p.W.Mul(p.W).Sum().Mul(p.B).Mul(p.Scale) }
	v, g := weft.ValueAndGrad(loss)(p)
	near(t, "value", v, 30)
	nearAll(t, "W", g.W, 12, 24)
	near(t, "B", g.B, 10)
	if g.Steps.DType() != weft.Float0 || g.Scale.DType() != weft.Float0 || g.Act != "none" {
		t.Errorf("integers, frozen fields and statics: %v %v %q", g.Steps.DType(), g.Scale.DType(), g.Act)
	}
	p2 := weft.TreeMap2(func(w, g weft.Array) weft.Array { return w.Sub(g.Mul(0.1)) }, p, g)
	if p2.Steps.Int() != 7 || p2.Scale.Float() != 2 {
		t.Error("a step changed what has no gradient")
	}
	near(t, "GradAt", weft.GradAt(s(3), func(x weft.Array) weft.Array { return x.Mul(x) }), 6)
	v, x := weft.ValueAndGradAt(s(3), weft.Sin)
	near(t, "ValueAndGradAt", v, math.Sin(3))
	near(t, "ValueAndGradAt", x, math.Cos(3))
	v, gw, aux := weft.ValueAndGradAux(func(x weft.Array) (weft.Array, layer) {
		return x.Mul(x), layer{W: x, B: x, Steps: x, Scale: x, Act: "aux"}
	})(s(3))
	near(t, "value", v, 9)
	near(t, "grad", gw, 6)
	near(t, "aux", aux.W, 3)
	if aux.Act != "aux" {
		t.Error("the second result lost its statics")
	}
}

func TestGradRefusals(t *testing.T) {
	testcheck.Fails(t, core.ErrShape, func() { weft.Grad(weft.Sin)(weft.Zeros(3)) }, "f32[3]", "Sum or Mean", "derivative_test.go:")
	testcheck.Fails(t, core.ErrDType, func() {
		weft.Grad(func(x weft.Array) weft.Array { return x.Sum() })(weft.Arange(4))
	}, "i32[4]", "weft.Arange(4.)")
	testcheck.Fails(t, core.ErrDType, func() { weft.Grad(func(x weft.Array) weft.Array { return x.Gt(0) })(s(1)) }, "bool[]")
	testcheck.Fails(t, core.ErrTree, func() {
		weft.Grad(func(p layer) weft.Array { return p.B })(layer{B: s(1)})
	}, "W")
}

func ExampleGrad() {
	fmt.Println(weft.Vmap(weft.Grad(weft.Square))(weft.Arange(4.)))
	// Output: [0. 2. 4. 6.]
}

func TestForwardAndReverseAgree(t *testing.T) {
	f := func(x weft.Array) weft.Array { return weft.Sin(x).Mul(x).CumSum(0) }
	x := vec(0.5, 1, 2)
	rev, fwd := weft.Jacrev(f)(x), weft.Jacfwd(f)(x)
	d := func(v float64) float64 { return math.Cos(v)*v + math.Sin(v) }
	want := []float64{d(.5), 0, 0, d(.5), d(1), 0, d(.5), d(1), d(2)}
	nearAll(t, "Jacrev", rev.Ravel(), want...)
	nearAll(t, "Jacfwd", fwd.Ravel(), want...)
	h := weft.Hessian(func(x weft.Array) weft.Array { return x.Mul(x).Mul(x).Sum() })(x)
	nearAll(t, "Hessian", h.Ravel(), 3, 0, 0, 0, 6, 0, 0, 0, 12)
	nearAll(t, "HVP", weft.HVP(func(x weft.Array) weft.Array { return x.Mul(x).Mul(x).Sum() }, x, vec(1, 1, -1)), 3, 6, -12)
	y, lin := weft.Linearize(f, x)
	y2, dy := weft.JVP(f, x, vec(1, 0, 2))
	nearAll(t, "Linearize", lin(vec(1, 0, 2)), weft.ToSlice[float64](dy.AsType(weft.Float64))...)
	nearAll(t, "value", y, weft.ToSlice[float64](y2.AsType(weft.Float64))...)
	tr := weft.LinearTranspose(func(x weft.Array) weft.Array { return x.Mul(3).Sum() }, weft.Zeros(3))
	nearAll(t, "LinearTranspose", tr(s(2)), 6, 6, 6)
	testcheck.Fails(t, core.ErrNoRule, func() { weft.LinearTranspose(weft.Sin, s(0))(s(1)) })
	testcheck.Fails(t, core.ErrDType, func() { weft.JVP(f, x, weft.ZerosOf(weft.Float64, 3)) }, "f32[3]", "f64[3]")
}

func TestComplexGradient(t *testing.T) {
	// The gradient of |z|² = x² + y² is 2x − 2iy.
	g := weft.Grad(func(z weft.Array) weft.Array { return z.Mul(weft.Conj(z)).Real() })(weft.Scalar(complex64(3 + 4i)))
	if c := g.Complex(); c != 6-8i {
		t.Errorf("got %v, want 6-8i", c)
	}
}

func TestStopGradient(t *testing.T) {
	f := func(x weft.Array) weft.Array { return x.Mul(weft.StopGradient(x)) }
	near(t, "grad", weft.Grad(f)(s(3)), 3)
}

// Perturbations of two derivatives are not confused.
func TestNestedDerivatives(t *testing.T) {
	f := func(x weft.Array) weft.Array {
		return x.Mul(weft.Grad(func(y weft.Array) weft.Array { return x.Add(y) })(s(1)))
	}
	near(t, "x·d/dy(x+y)", weft.Grad(f)(s(2)), 1)
	g := weft.Sin
	for range 4 {
		g = weft.Grad(g)
	}
	near(t, "fourth derivative of sin", g(s(1)), math.Sin(1))
	near(t, "and under jit", weft.Jit(g)(s(1)), math.Sin(1))
}

func TestGradAux(t *testing.T) {
	g, aux := weft.GradAux(func(x weft.Array) (weft.Array, weft.Array) { return x.Mul(x).Mul(x), x.Add(1) })(s(2))
	nearAll(t, "gradient", g, 12)
	nearAll(t, "second result", aux, 3)
}
