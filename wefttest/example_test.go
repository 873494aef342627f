package wefttest_test

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/wefttest"
)

// printer is a test that prints its errors. In a test of yours, pass its *testing.T.
type printer struct{ testing.TB }

func (printer) Helper()                           {}
func (printer) Error(args ...any)                 { fmt.Println(args...) }
func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }
func (printer) Fatal(args ...any)                 { panic(fmt.Sprint(args...)) }

var t = printer{}

func ExampleDifference() {
	type model struct{ W, B weft.Array }
	got := model{weft.Of(1., 2, 3.5), weft.Zeros()}
	want := model{weft.Of(1., 2, 3), weft.Zeros()}
	fmt.Println(wefttest.Difference(got, want, wefttest.Tolerance{}))
	// Output: leaf .W: element [2] is 3.5, want 3, off by 0.5 where 4e-05 is allowed
}

func ExampleAllClose() {
	fmt.Println(wefttest.AllClose(t, weft.Exp(weft.Of(0., 1)), weft.Of(1., 2.7182817), wefttest.Tolerance{}))
	// Output: true
}

// The first and second derivatives of a function, in both modes.
func ExampleCheckGrads() {
	f := func(x weft.Array) weft.Array { return weft.Sin(x).Mul(x) }
	wefttest.CheckGrads(t, f, weft.Of(1., 2), wefttest.GradConfig{Order: 2})
	// Output:
}

// The program that a function is traced to, in a file.
func ExampleGolden() {
	ir, err := weft.Jaxpr(weft.Grad(weft.Sin), 1.)
	if err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "grad_sin.jaxpr", ir.String())
	// Output:
}

func ExampleGoldenArrays() {
	type result struct{ Loss, Weights weft.Array }
	got := result{weft.Scalar(0.5), weft.Of(1., 2)}
	wefttest.GoldenArrays(t, "result.safetensors", got, wefttest.Tolerance{Rel: 1e-4})
	// Output:
}
