package weft_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/testcheck"
)

type pair struct{ A, B weft.Array }

func TestCondRunsOneBranch(t *testing.T) {
	f := func(x weft.Array) weft.Array {
		return weft.Cond(x.Gt(0), func() weft.Array { return weft.Sin(x) }, func() weft.Array { return x.Mul(x).Mul(x) })
	}
	for name, g := range arraycheck.Placements(f) {
		near(t, name, g(s(2)), math.Sin(2))
		near(t, name, g(s(-2)), -8)
		near(t, "grad "+name, weft.Grad(g)(s(2)), math.Cos(2))
		near(t, "grad "+name, weft.Grad(g)(s(-2)), 12)
		near(t, "grad² "+name, weft.Grad(weft.Grad(g))(s(-2)), -12)
		nearAll(t, "vmap of grad "+name, weft.Vmap(weft.Grad(g))(vec(2, -2)), math.Cos(2), 12)
	}
	testcheck.Fails(t, core.ErrDType, func() {
		weft.Cond(s(1).Gt(0), func() weft.Array { return s(1) }, func() weft.Array { return weft.Scalar(int32(1)) })
	}, "f32[]", "i32[]", "AsType")
	testcheck.Fails(t, core.ErrShape, func() {
		weft.Cond(vec(1, 2).Gt(0), func() weft.Array { return s(1) }, func() weft.Array { return s(2) })
	}, "Where")
	third := weft.Switch(weft.Scalar(int32(7)), func() pair { return pair{s(1), s(2)} }, func() pair { return pair{s(3), s(4)} })
	near(t, "clamped", third.B, 4)
}

func TestScanForms(t *testing.T) {
	xs := vec(1, 2, 3)
	sum, parts := weft.Scan(func(c, x weft.Array) (weft.Array, pair) {
		c = c.Add(x)
		return c, pair{c, x.Mul(2)}
	}, s(0), xs)
	near(t, "carry", sum, 6)
	nearAll(t, "ys", parts.A, 1, 3, 6)
	nearAll(t, "ys", parts.B, 2, 4, 6)
	_, rev := weft.Scan(func(c, x weft.Array) (weft.Array, weft.Array) { return c.Add(x), c.Add(x) }, s(0), xs, weft.Reverse())
	nearAll(t, "reverse", rev, 6, 5, 3)
	near(t, "Fold", weft.Fold(func(c, x weft.Array) weft.Array { return c.Mul(x) }, s(1), xs), 6)
	nearAll(t, "MapScan", weft.MapScan(weft.Square, xs), 1, 4, 9)
	near(t, "ForI", weft.ForI(4, func(i, c weft.Array) weft.Array { return c.Add(i) }, s(0)), 6)
	near(t, "ForRange", weft.ForRange(weft.Scalar(2), weft.Scalar(5), func(i, c weft.Array) weft.Array { return c.Add(i) }, s(0)), 9)
	nearAll(t, "AssociativeScan", weft.AssociativeScan(func(a, b weft.Array) weft.Array { return a.Mul(b) }, vec(1, 2, 3, 4, 5)), 1, 2, 6, 24, 120)
	nearAll(t, "its reverse", weft.AssociativeScan(func(a, b weft.Array) weft.Array { return a.Add(b) }, vec(1, 2, 3, 4), weft.Reverse()), 10, 9, 7, 4)

	// A weak start becomes what the body returns; other changes of type are refused.
	c, _ := weft.ScanN(func(c weft.Array) (weft.Array, struct{}) { return c.Mul(s(2)), struct{}{} }, weft.Scalar(1.0), 3)
	near(t, "weak start", c, 8)
	testcheck.Fails(t, core.ErrShape, func() {
		weft.Fold(func(c, x weft.Array) weft.Array { return c.Add(xs) }, s(0), xs)
	}, "carry 0", "f32[]", "f32[3]")
	testcheck.Fails(t, core.ErrShape, func() { weft.MapScan(weft.Square, s(1)) }, "leading axis")
}

// Gradients through loops are those of the unrolled program.
func TestGradientsThroughLoops(t *testing.T) {
	xs := vec(0.3, -0.2, 0.9)
	body := func(p, c, x weft.Array) weft.Array { return weft.Tanh(c.Mul(p).Add(x)) }
	scanned := func(p weft.Array) weft.Array {
		return weft.Fold(func(c, x weft.Array) weft.Array { return body(p, c, x) }, s(0.1), xs)
	}
	unrolled := func(p weft.Array) weft.Array {
		c := s(0.1)
		for i := range 3 {
			c = body(p, c, xs.Index(i))
		}
		return c
	}
	for name, f := range arraycheck.Placements(scanned) {
		near(t, "value "+name, f(s(0.7)), unrolled(s(0.7)).Float())
		near(t, "grad "+name, weft.Grad(f)(s(0.7)), weft.Grad(unrolled)(s(0.7)).Float())
		near(t, "grad² "+name, weft.Grad(weft.Grad(f))(s(0.7)), weft.Grad(weft.Grad(unrolled))(s(0.7)).Float())
		nearAll(t, "vmap of grad "+name, weft.Vmap(weft.Grad(f))(vec(0.7, 0.1)), weft.Grad(unrolled)(s(0.7)).Float(), weft.Grad(unrolled)(s(0.1)).Float())
	}
}

func TestWhile(t *testing.T) {
	double := func(x weft.Array) weft.Array {
		return weft.While(func(p pair) weft.Array { return p.A.Lt(10) }, func(p pair) pair { return pair{p.A.Mul(2), p.B.Add(1)} }, pair{x, s(0)}).A
	}
	for name, f := range arraycheck.Placements(double) {
		near(t, name, f(s(3)), 12)
		_, d := weft.JVP(f, s(3), s(1))
		near(t, "jvp "+name, d, 4)
		nearAll(t, "vmap "+name, weft.Vmap(f)(vec(1, 3, 20)), 16, 12, 20)
		err := core.Catch(func() { weft.Grad(f)(s(3)) })
		if err == nil || !strings.Contains(err.Error(), "While") || !strings.Contains(err.Error(), "Scan") {
			t.Errorf("grad %s: got %v", name, err)
		}
	}
}

func TestVmapAxes(t *testing.T) {
	x := weft.Arange(6.).Reshape(2, 3)
	f := func(a, b weft.Array) weft.Array { return a.Mul(b).Sum() }
	nearAll(t, "both", weft.Vmap(f)(x, x), 5, 50)
	nearAll(t, "axis 1 and none", weft.Vmap(f, weft.In(1, weft.None))(x, s(2)), 6, 10, 14)
	nearAll(t, "axis −1", weft.Vmap(f, weft.In(-1, weft.None))(x, s(2)), 6, 10, 14)
	out := weft.Vmap(func(a weft.Array) weft.Array { return a.Mul(2) }, weft.Out(1))(x)
	if got := out.Shape().String(); got != "(3, 2)" {
		t.Errorf("out axis 1: %v", got)
	}
	tree := weft.Vmap(func(p pair) weft.Array { return p.A.Add(p.B) }, weft.In(weft.Axes{"A": 0, "B": weft.None}))
	nearAll(t, "tree axes", tree(pair{vec(1, 2), s(10)}), 11, 12)
	fixed := weft.Vmap(func(a, b weft.Array) (weft.Array, weft.Array) { return a, b.Mul(2) }, weft.In(0, weft.None), weft.Out(0, weft.None))
	_, same := fixed(vec(1, 2), s(3))
	near(t, "unmapped result", same, 6)
	scaled := weft.Vmap(func(a weft.Array, k int) weft.Array { return a.Mul(k) })
	nearAll(t, "static argument", scaled(vec(1, 2), 3), 3, 6)
	testcheck.Fails(t, core.ErrShape, func() { weft.Vmap(f)(vec(1, 2), vec(1, 2, 3)) }, "2", "3")
	testcheck.Fails(t, core.ErrShape, func() { weft.Vmap(weft.Sin)(s(1)) }, "no axis", "None")
	testcheck.Fails(t, core.ErrAxis, func() { weft.Vmap(weft.Sin, weft.Out(weft.None))(vec(1, 2)) }, "result 0")
	testcheck.Fails(t, core.ErrAxis, func() { weft.Vmap(f, weft.In(0)) }, "1 argument, ", "has 2")
	testcheck.Fails(t, core.ErrTree, func() { weft.Vmap(func(p *pair) weft.Array { return p.A }) }, "pointer")
}
