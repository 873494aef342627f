// Command clip_gradient writes two functions with reverse rules in an old and in a new
// way: clip_gradient, the identity whose gradient is kept within bounds, and skip_app, the
// application of a function that the gradient skips. It shows where the old way is refused,
// and what the new one does under every transformation.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// Bounds are the limits within which a gradient is kept.
type Bounds struct{ Lo, Hi weft.Array }

type none = struct{}

// oldClip takes its bounds apart from the differentiated argument, and so they must be numbers.
var oldClip = custom.NewVJP[Bounds, weft.Array, none](
	func(_ Bounds, x weft.Array) weft.Array { return x }, "clip_gradient")

// newClip takes its bounds as arguments, keeps them as residuals, and returns no cotangent
// for them.
func newClip(lo, hi, x weft.Array) weft.Array { return clip(clipped{lo, hi, x}) }

type clipped struct{ Lo, Hi, X weft.Array }

var clip = custom.VJP(
	func(p clipped) weft.Array { return p.X },
	func(p clipped) (weft.Array, Bounds) { return p.X, Bounds{p.Lo, p.Hi} },
	func(b Bounds, g weft.Array) clipped { return clipped{X: weft.Clip(g, b.Lo, b.Hi)} },
	"clip_gradient")

// Function is the type of what skip_app applies: no array, and so rightly an argument apart.
type Function = func(weft.Array) weft.Array

var skipApp = custom.NewVJP[Function, weft.Array, none, weft.Array](
	func(f Function, x weft.Array) weft.Array { return f(x) }, "skip_app")

func init() {
	oldClip.Rules(
		func(_ Bounds, x weft.Array) (weft.Array, none) { return x, none{} },
		func(b Bounds, _ none, g weft.Array) weft.Array { return weft.Clip(g, b.Lo, b.Hi) })
	skipApp.Rules(
		func(f Function, x weft.Array) (weft.Array, none) { return skipApp.Call(f, x), none{} },
		func(_ Function, _ none, g weft.Array) weft.Array { return g })
}

func run(w io.Writer) error {
	one, three := weft.Scalar(float32(1)), weft.Scalar(float32(3))
	minusOne := one.Neg()

	fmt.Fprintln(w, "clip_gradient, old: the bounds are numbers")
	y, g := weft.ValueAndGrad(func(x weft.Array) weft.Array {
		return oldClip.Call(Bounds{minusOne, one}, x).Mul(10)
	})(three)
	fmt.Fprintf(w, "  10·clip(3) = %v, gradient %v\n", y, g)
	fmt.Fprintln(w, "clip_gradient, old: a bound is traced")
	byHi := func(hi weft.Array) weft.Array { return oldClip.Call(Bounds{minusOne, hi}, three) }
	for _, t := range []struct {
		name string
		run  func() weft.Array
	}{
		{"vmap", func() weft.Array { return weft.Vmap(byHi)(weft.Ones(4)) }},
		{"grad", func() weft.Array { return weft.Grad(byHi)(one) }},
		{"jit", func() weft.Array { return weft.Jit(byHi)(one) }},
	} {
		_, err := weft.Try(t.run)
		if err == nil {
			return fmt.Errorf("BUG: %s of the old form was not refused", t.name)
		}
		fmt.Fprintf(w, "  %s: %v\n", t.name, err)
	}

	fmt.Fprintln(w, "clip_gradient, new")
	y, g = weft.ValueAndGrad(func(x weft.Array) weft.Array { return newClip(minusOne, one, x).Mul(10) })(three)
	fmt.Fprintf(w, "  10·clip(3) = %v, gradient %v\n", y, g)
	clipped := func(hi, x weft.Array) weft.Array {
		return weft.GradAt(x, func(x weft.Array) weft.Array { return newClip(hi.Neg(), hi, x).Mul(10) })
	}
	his := weft.Arange(float32(1), 5)
	fmt.Fprintf(w, "  gradients with bounds ±%v: %v\n", his, weft.Vmap(clipped)(his, weft.Ones(4)))
	fmt.Fprintf(w, "  the same, jitted:             %v\n", weft.Jit(weft.Vmap(clipped))(his, weft.Ones(4)))
	tenth := weft.Scalar(float32(0.1))
	g = weft.Grad(func(x weft.Array) weft.Array { return newClip(tenth.Neg(), x.Add(0.1), x) })(tenth)
	fmt.Fprintf(w, "  a bound that depends on x: %v\n", g)
	g = weft.Grad(func(hi weft.Array) weft.Array { return newClip(minusOne, hi, three).Mul(10) })(one)
	fmt.Fprintf(w, "  with respect to a bound: %v\n", g)

	fmt.Fprintln(w, "skip_app")
	for _, f := range []struct {
		name string
		f    Function
	}{{"sin", weft.Sin}, {"x²", weft.Square}} {
		y, g := weft.ValueAndGrad(func(x weft.Array) weft.Array { return skipApp.Call(f.f, x) })(three)
		fmt.Fprintf(w, "  %s at 3: %v, gradient %v\n", f.name, y, g)
	}
	xs := weft.Arange(float32(0), 3)
	jit := weft.Jit(weft.Vmap(weft.Grad(func(x weft.Array) weft.Array { return skipApp.Call(weft.Sin, x).Mul(2) })))
	fmt.Fprintf(w, "  2·sin at %v, jitted and mapped, gradients %v\n", xs, jit(xs))
	return nil
}
