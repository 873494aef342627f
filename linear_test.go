package weft_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

func TestEinsum(t *testing.T) {
	m, n := weft.Arange(6.).Reshape(2, 3), weft.Arange(12.).Reshape(3, 4)
	sq := weft.Arange(9.).Reshape(3, 3)
	b, c := weft.Arange(24.).Reshape(4, 2, 3), weft.Arange(24.).Reshape(4, 3, 2)
	v := weft.Of(1., 2, 3)
	for _, x := range []struct {
		spec string
		in   []weft.Array
		want weft.Array
	}{
		{"ij,jk->ik", []weft.Array{m, n}, m.Dot(n)},
		{"ij,jk", []weft.Array{m, n}, m.Dot(n)},
		{"ij, jk -> ki", []weft.Array{m, n}, m.Dot(n).T()},
		{"bij,bjk->bik", []weft.Array{b, c}, b.MatMul(c)},
		{"...ij,...jk->...ik", []weft.Array{b, c}, b.MatMul(c)},
		{"...ij,jk->...ik", []weft.Array{b, n}, b.MatMul(n)},
		{"ij->ji", []weft.Array{m}, m.T()},
		{"ij->", []weft.Array{m}, m.Sum()},
		{"ij->j", []weft.Array{m}, m.Sum(0)},
		{"ii->i", []weft.Array{sq}, weft.Of(0., 4, 8)},
		{"ii", []weft.Array{sq}, weft.Scalar(float32(12))},
		{"i,j->ij", []weft.Array{v, v}, weft.Outer(v, v)},
		{"i,i->", []weft.Array{v, v}, v.Dot(v)},
		{"i,i->i", []weft.Array{v, v}, v.Mul(v)},
		{"ij,j,jk->ik", []weft.Array{m, v, n}, m.Mul(v).Dot(n)},
		{"ij,jk,kl->il", []weft.Array{m, n, n.T()}, m.Dot(n).Dot(n.T())},
		{"ij,kl->ik", []weft.Array{m, n}, weft.Outer(m.Sum(1), n.Sum(1))},
		{"...,...", []weft.Array{m, v}, m.Mul(v)},
		{"b...,b...->b", []weft.Array{b, b}, weft.Square(b).Sum(1, 2)},
		{"ij,ij->", []weft.Array{m, m.Index("0:1")}, m.Mul(m.Index("0:1")).Sum()},
	} {
		if got := weft.Einsum(x.spec, x.in...); !got.Equal(x.want) {
			t.Errorf("%s is %v, want %v", x.spec, got, x.want)
		}
	}
	g := weft.Grad(func(m weft.Array) weft.Array { return weft.Einsum("ij,jk,ik->", m, n, m.Dot(n)) })(m)
	if want := weft.Grad(func(m weft.Array) weft.Array { return weft.Square(m.Dot(n)).Sum() })(m); !g.Equal(want) {
		t.Errorf("gradient %v, want %v", g, want)
	}
	fails(t, core.ErrShape, func() { weft.Einsum("ij,jk->ik", m) }, "2 operands, got 1")
	fails(t, core.ErrShape, func() { weft.Einsum("ijk->i", m) }, "names 3 axes", "f32[2,3]")
	fails(t, core.ErrShape, func() { weft.Einsum("ij,jk->ik", m, m) }, "axis j", "3", "2")
	fails(t, core.ErrShape, func() { weft.Einsum("ij->ik", m) }, "axis k")
	fails(t, core.ErrShape, func() { weft.Einsum("ij->ii", m) }, "twice")
	fails(t, core.ErrShape, func() { weft.Einsum("i1->i", m) }, "no letter")
}

func TestConv(t *testing.T) {
	x, k := weft.Of(1., 2, 3, 4).Reshape(1, 1, 4), weft.Of(1., 10).Reshape(1, 1, 2)
	for _, c := range []struct {
		c    weft.ConvConfig
		want string
	}{
		{weft.ConvConfig{}, "[[[21. 32. 43.]]]"},
		{weft.ConvConfig{Same: true}, "[[[21. 32. 43.  4.]]]"},
		{weft.ConvConfig{Strides: []int{2}}, "[[[21. 43.]]]"},
		{weft.ConvConfig{Padding: [][2]int{{1, 0}}}, "[[[10. 21. 32. 43.]]]"},
		{weft.ConvConfig{Dilation: []int{2}}, "[[[31. 42.]]]"},
		{weft.ConvConfig{InputDilation: []int{2}}, "[[[ 1. 20.  2. 30.  3. 40.]]]"},
	} {
		if got := weft.Conv(x, k, c.c).String(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.c, got, c.want)
		}
	}
	img, w := weft.Arange(50.).Reshape(1, 5, 5, 2), weft.Arange(36.).Reshape(3, 3, 2, 2)
	last := weft.Conv(img, w, weft.ConvConfig{Layout: "NHWC,HWIO->NHWC"})
	first := weft.Conv(img.Transpose(0, 3, 1, 2), w.Transpose(3, 2, 0, 1), weft.ConvConfig{})
	if !last.Transpose(0, 3, 1, 2).Equal(first) {
		t.Error("layouts differ")
	}
	fails(t, core.ErrShape, func() { weft.Conv(x, k.Ravel(), weft.ConvConfig{}) }, "f32[2]")
	fails(t, core.ErrShape, func() { weft.Conv(x, k, weft.ConvConfig{Strides: []int{1, 1}}) }, "Strides has 2 numbers for 1")
	fails(t, core.ErrShape, func() { weft.Conv(x, k, weft.ConvConfig{Layout: "NCW"}) }, "not of the form")
	fails(t, core.ErrShape, func() { weft.Conv(x, k, weft.ConvConfig{Layout: "NCW,OIH->NCW"}) }, "every axis once")
	fails(t, core.ErrShape, func() { weft.Conv(x, k, weft.ConvConfig{Groups: -1}) }, "Groups is -1")
}

// Einsum of n operands makes at most two equations per operand, and works for 1,000 operands.
func TestEinsumOfManyOperands(t *testing.T) {
	const n = 1000
	xs := make([]weft.Array, n)
	terms := make([]string, n)
	for i := range xs {
		xs[i] = weft.Full(weft.Shape{1, 1}, 1.)
		terms[i] = string([]byte{'a' + byte(i%26), 'a' + byte((i+1)%26)})
	}
	subscripts := strings.Join(terms, ",") + "->"
	if got := weft.Einsum(subscripts, xs...).Float(); got != 1 {
		t.Errorf("got %v, want 1", got)
	}
	ir, err := weft.Jaxpr(func(x weft.Array) weft.Array {
		return weft.Einsum(subscripts, slices.Repeat([]weft.Array{x}, n)...)
	}, xs[0])
	if err != nil {
		t.Fatal(err)
	}
	if got := len(ir.Eqns); got > 2*n {
		t.Errorf("got %d equations, want at most %d", got, 2*n)
	}
}
