package weft_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/testcheck"
)

func ExampleJaxpr() {
	f := func(x weft.Array) weft.Array { return weft.Sin(weft.Cos(x)) }
	ir, err := weft.Jaxpr(weft.Grad(f), float32(3))
	fmt.Println(ir, err)
	// Output:
	// { lambda ; a:f32[]. let
	//     b:f32[] = cos a
	//     c:f32[] = sin a
	//     _:f32[] = sin b
	//     d:f32[] = cos b
	//     e:f32[] = mul 1.0:f32[] d
	//     f:f32[] = neg e
	//     g:f32[] = mul f c
	//   in (g,) } <nil>
}

func ExampleLower() {
	f := func(x weft.Array) weft.Array {
		double := weft.Jit(func(x weft.Array) weft.Array { return x.Mul(2) })
		weft.Exp(x) // nothing uses it
		return double(double(x))
	}
	ir, err := weft.Lower(f, weft.Zeros(3))
	fmt.Println(ir, err)
	// Output:
	// { lambda ; a:f32[3]. let
	//     b:f32[3] = mul a 2.0:f32[]
	//     c:f32[3] = mul b 2.0:f32[]
	//   in (c,) } <nil>
}

func TestEvalShape(t *testing.T) {
	types, err := weft.EvalShape(func(m model, x weft.Array) (weft.Array, model) {
		return x.Dot(m.W).Add(m.B), m
	}, model{weft.Zeros(3, 4), weft.Zeros(4), "m"}, weft.Zeros(2, 3))
	if err != nil || fmt.Sprint(types) != "[f32[2,4] f32[3,4] f32[4]]" {
		t.Errorf("got %v, %v", types, err)
	}
	_, err = weft.EvalShape(func(x, y weft.Array) weft.Array { return x.Dot(y) }, weft.Zeros(2, 3), weft.Zeros(2, 3))
	if !errors.Is(err, core.ErrShape) || !strings.Contains(err.Error(), "ahead_test.go:") {
		t.Errorf("got %v", err)
	}
}

func TestCompile(t *testing.T) {
	f, err := weft.Compile(func(x, y weft.Array) (weft.Array, error) { return x.Mul(y).Sum(), nil }, weft.Zeros(3), weft.Zeros(3))
	if err != nil {
		t.Fatal(err)
	}
	x := weft.Of(float32(1), float32(2), float32(3))
	got, err := f.Call(x, x)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "x·x", got, 14)
	if _, err := f.Call(x, weft.Zeros(4)); !errors.Is(err, core.ErrShape) || !strings.Contains(err.Error(), "f32[3], called with f32[4]") {
		t.Errorf("got %v", err)
	}
	_, err = weft.Jaxpr(weft.Jit(func(y weft.Array) weft.Array { z, err := f.Call(y, y); testcheck.Must(err); return z }), x)
	if !errors.Is(err, core.ErrConcrete) {
		t.Errorf("a compiled function took a tracer: %v", err)
	}
}

// The arguments of a variadic function follow those it needs, as in a call.
func TestVariadicAhead(t *testing.T) {
	f := func(x weft.Array, more ...weft.Array) weft.Array {
		for _, y := range more {
			x = x.Mul(y)
		}
		return x
	}
	args := []any{float32(2), float32(3), float32(5)}
	for n := range args {
		types, err := weft.EvalShape(f, args[:n+1]...)
		if err != nil || fmt.Sprint(types) != "[f32[]]" {
			t.Errorf("%d further arguments: got %v, %v", n, types, err)
		}
		ir, err := weft.Jaxpr(f, args[:n+1]...)
		if got := strings.Count(fmt.Sprint(ir), "mul"); err != nil || got != n {
			t.Errorf("%d further arguments: got %d products, %v", n, got, err)
		}
	}
	if _, err := weft.Jaxpr(f); err == nil || !strings.Contains(err.Error(), "takes 2 arguments, got 0") {
		t.Errorf("no arguments: got error %v", err)
	}
}

func TestJaxprRefusals(t *testing.T) {
	f := func(x weft.Array, n int) weft.Array { return x }
	for what, args := range map[string][]any{
		"takes 2 arguments, got 1": {weft.Zeros(3)},
		"got a string":             {weft.Zeros(3), "no"},
		"is nil":                   {nil, 1},
	} {
		if _, err := weft.Jaxpr(f, args...); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("got %v, want %q", err, what)
		}
	}
	if _, err := weft.Jaxpr(3); err == nil || !strings.Contains(err.Error(), "takes a function") {
		t.Errorf("got %v", err)
	}
}

func TestCompiledJaxpr(t *testing.T) {
	c, err := weft.Compile(func(x weft.Array) weft.Array { return weft.Sin(x) }, s(1))
	if err != nil {
		t.Fatal(err)
	}
	if text := c.Jaxpr().String(); !strings.Contains(text, "sin") {
		t.Errorf("got %s, want a program with sin", text)
	}
}
