package linalg_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/linalg"
)

// The tolerance of a rank may be 0, a number, or one for each matrix of a batch.
func TestTolerance(t *testing.T) {
	small := 1e-3
	a := weft.Diag(weft.FromSlice([]float64{1, small, 1e-20}))
	batch := weft.Stack(0, a, a)
	each := weft.FromSlice([]float64{0, 0.1})
	ranks := func(x weft.Array) []int32 { return weft.ToSlice[int32](x) }
	for _, c := range []struct {
		name string
		got  weft.Array
		want []int32
	}{
		{"the type's", linalg.MatrixRank(a), []int32{2}}, {"0", linalg.MatrixRank(a, 0), []int32{3}}, {"0.1", linalg.MatrixRank(a, 0.1), []int32{1}},
		{"one for all", linalg.MatrixRank(batch, 0.1), []int32{1, 1}}, {"each", linalg.MatrixRank(batch, each), []int32{3, 1}},
		{"each, under Vmap", weft.Vmap(func(a, r weft.Array) weft.Array { return linalg.MatrixRank(a, r) })(batch, each), []int32{3, 1}},
		{"Lstsq", linalg.Lstsq(batch, weft.Ones(2, 3, 1).AsType(weft.Float64), each).Rank, []int32{3, 1}},
	} {
		got := ranks(c.got)
		for i := range c.want {
			if len(got) != len(c.want) || got[i] != c.want[i] {
				t.Errorf("%s: got ranks %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
	p := linalg.PInv(batch, each)
	for i, want := range [][]float64{{1, 1e3, 1e20}, {1, 0, 0}} {
		for k, w := range want {
			if got := p.Index(i, k, k).Float(); math.Abs(got-w) > 1e-12*w {
				t.Errorf("PInv, matrix %d: element %d is %g, want %g", i, k, got, w)
			}
		}
	}
	x := linalg.Lstsq(batch, weft.Ones(2, 3, 1).AsType(weft.Float64), each).X
	if got := x.Index(1, 1, 0).Float(); got != 0 {
		t.Errorf("Lstsq with the tolerance 0.1: got %g, want 0", got)
	}
	grad := weft.Jit(weft.Grad(func(r weft.Array) weft.Array { return linalg.PInv(batch.Mul(r), each).Sum() }))(weft.FromSlice([]float64{1}).Index(0))
	if got := grad.Float(); !(math.Abs(got/-1e20-1) < 1e-9) {
		t.Errorf("derivative of PInv: got %g, want -1e20", got)
	}
	for want, f := range map[string]func(){
		"the tolerance is at least 0 (got -1)": func() { linalg.PInv(a, -1) }, "the tolerance is at least 0 (got NaN)": func() { linalg.MatrixRank(a, math.NaN()) },
		"too many tolerances": func() { linalg.PInv(a, 1, 2) }, "give one for each matrix": func() { linalg.PInv(a, each) }, "a real number": func() { linalg.PInv(a, 1i) },
	} {
		if _, err := weft.Try(func() int { f(); return 0 }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// Norm and VectorNorm return the norms of NumPy's matrix_norm and vector_norm, with the axes kept.
func TestNormsAlongAxes(t *testing.T) {
	x := weft.FromSlice([]float64{3, -4, 0, 0, 1, 0}, 2, 3)
	for _, c := range []struct {
		order float64
		want  []float64
	}{{2, []float64{5, 1}}, {1, []float64{7, 1}}, {math.Inf(1), []float64{4, 1}}, {math.Inf(-1), []float64{0, 0}}, {0, []float64{2, 1}}, {3, []float64{math.Cbrt(91), 1}}, {0.5, []float64{math.Pow(math.Sqrt(3)+2, 2), 1}}} {
		got := linalg.VectorNorm(x, c.order, -1)
		if !weft.AllClose(got, weft.FromSlice(c.want), 1e-14, 0).Bool() {
			t.Errorf("order %g: got %v, want %v", c.order, got, c.want)
		}
		if kept := linalg.VectorNorm(x, c.order, -1, weft.Keep); kept.Shape().String() != "(2, 1)" {
			t.Errorf("order %g: Keep: got shape %v, want (2, 1)", c.order, kept.Shape())
		}
		if all := linalg.VectorNorm(x, c.order, weft.Keep); all.Shape().String() != "(1, 1)" || all.Sum().Float() != linalg.VectorNorm(x.Ravel(), c.order).Float() {
			t.Errorf("order %g: of all elements: got %v", c.order, all)
		}
		if c.order >= 1 {
			if d := weft.Grad(func(x weft.Array) weft.Array { return linalg.VectorNorm(x, c.order) })(weft.Zeros(3)); !weft.IsFinite(d).All().Bool() {
				t.Errorf("order %g: derivative at 0: got %v, want finite numbers", c.order, d)
			}
		}
	}
	if got := linalg.VectorNorm(weft.Zeros(0, 2), math.Inf(1), 0); !got.Equal(weft.Zeros(2)) {
		t.Errorf("the largest of nothing: got %v, want zeros", got)
	}
	a := weft.Arange(24.).Reshape(2, 3, 4)
	for _, order := range []linalg.Order{linalg.Frobenius, linalg.Nuclear, linalg.Spectral, linalg.LeastSpectral, linalg.MaxColumnSum, linalg.MinColumnSum, linalg.MaxRowSum, linalg.MinRowSum} {
		want := linalg.Norm(a, order)
		if got := linalg.Norm(a, order, weft.Keep); got.Shape().String() != "(2, 1, 1)" || !got.Ravel().Equal(want) {
			t.Errorf("norm %d, kept: got %v, want %v", order, got, want)
		}
		if got := linalg.Norm(a.MoveAxis([]int{1, 2}, []int{2, 0}), order, 2, 0); !got.Equal(want) {
			t.Errorf("norm %d along two axes: got %v, want %v", order, got, want)
		}
		if got := linalg.Norm(a.MoveAxis(1, 0), order, 0, weft.Keep, -1); got.Shape().String() != "(1, 2, 1)" || !got.Ravel().Equal(want) {
			t.Errorf("norm %d along two axes, kept: got %v, want %v", order, got, want)
		}
		zero := weft.Grad(func(a weft.Array) weft.Array { return linalg.Norm(a, order) })(weft.Zeros(2, 3))
		if !weft.IsFinite(zero).All().Bool() {
			t.Errorf("norm %d: derivative at 0: got %v, want finite numbers", order, zero)
		}
	}
	if _, err := weft.Try(func() weft.Array { return linalg.Norm(a, linalg.Frobenius, 1) }); err == nil || !strings.Contains(err.Error(), "Norm: a matrix has two axes (got [1])") {
		t.Errorf("one axis: got %v", err)
	}
}
