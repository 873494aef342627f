package main

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/wefttest"
)

// Masking keeps derivative rules.
func TestOutput(t *testing.T) {
	statement.Shows(t, "J-5", "transformations that call the function keep its rule; those that rewrite its body do not")
	var b strings.Builder
	if err := run(&b); err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "output.txt", b.String())
}

// A masked function on a padded batch has the values and derivatives of the function on each
// sequence alone, also with custom rules.
func TestMaskIsTheLoop(t *testing.T) {
	statement.Shows(t, "J-5", "transformations that call the function keep its rule; those that rewrite its body do not")
	x := weft.From([][]float32{{1, 2, 3, 4}, {5, 7, -99, -99}, {2, 4, 9, -99}})
	n := []int{4, 2, 3}
	for name, f := range map[string]func(x, n weft.Array) weft.Array{
		"normalized":   func(x, n weft.Array) weft.Array { return weft.Square(normalized(x, n)).Mul(x).Sum() },
		"forward rule": func(x, _ weft.Array) weft.Array { return logSumExp(x.Mul(0.5)) },
		"reverse rule": func(x, _ weft.Array) weft.Array { return clipped(weft.Square(x).Div(20)).Sum() },
		"logarithm":    func(x, n weft.Array) weft.Array { return weft.Log(x).Sum().Div(n) },
		"a product":    func(x, _ weft.Array) weft.Array { return x.Dot(x.Mul(2)) },
	} {
		value := weft.Jit(weft.Vmap(Mask(f)))
		slope := weft.Jit(weft.Vmap(func(x, n weft.Array) weft.Array {
			return weft.Grad(func(x weft.Array) weft.Array { return Mask(f)(x, n) })(x)
		}))
		lengths := weft.FromSlice(n).AsType(weft.Int32)
		values, slopes := value(x, lengths), slope(x, lengths)
		for i, k := range n {
			alone, at := x.Index(i, weft.R(0, k)), weft.Scalar(k)
			alike(t, name+" value", values.Index(i).Reshape(1), f(alone, at).Reshape(1))
			want := weft.Grad(func(x weft.Array) weft.Array { return f(x, at) })(alone)
			alike(t, name+" slope", slopes.Index(i), weft.Concat(0, want, weft.Zeros(4-k)))
		}
	}
}

func alike(t *testing.T, what string, got, want weft.Array) {
	t.Helper()
	if d := wefttest.Difference(got, want, wefttest.Tolerance{Exact: true}); d != "" { // what is masked adds zeros
		t.Errorf("%s, padded and alone: %s", what, d)
	}
}
