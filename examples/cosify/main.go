// Command cosify shows a transformation that a user writes: every function of one number
// that a program applies becomes the cosine.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// unary are the operations that are replaced.
var unary = []string{"sin", "cos", "tan", "tanh", "exp", "log", "sqrt", "logistic", "erf", "square", "integer_pow"}

// Cosify returns f with the cosine in place of every unary function, within loops and
// branches, too. It rewrites the operations that f consists of, also within functions with
// custom derivative rules, so that these rules are lost.
func Cosify[F any](f F) F { return weft.Interpret(f, cosified) }

func cosified(program *weft.IR, in []weft.Array) []weft.Array {
	program = lower.Inline(program, lower.Inlining{Custom: true})
	return jaxpr.Walk(program, weft.FromValue, in, func(e *jaxpr.Eqn, in []weft.Array) []weft.Array {
		if slices.Contains(unary, e.Prim.Name()) {
			return []weft.Array{weft.Cos(in[0])}
		}
		return weft.Apply(weft.Within(e.Prim, cosified), in...)
	})
}

// gauss returns 2·exp(−x²).
func gauss(x weft.Array) weft.Array { return weft.Exp(weft.Square(x).Neg()).Mul(2) }

// iterated applies the sine three times, in a loop.
func iterated(x weft.Array) weft.Array {
	return weft.ForI(3, func(_, x weft.Array) weft.Array { return weft.Sin(x) }, x)
}

// mySin is the sine with a derivative of its own, ten times too large.
var mySin = custom.JVP(weft.Sin, func(x, t weft.Array) (weft.Array, weft.Array) {
	return weft.Sin(x), weft.Cos(x).Mul(t).Mul(10)
}, "mySin", "mySin_jvp")

func run(w io.Writer) error {
	x := weft.Scalar(float32(0.5))
	for _, c := range []struct {
		name string
		f    func(weft.Array) weft.Array
	}{{"gauss", gauss}, {"iterated", iterated}, {"mySin", mySin}} {
		before, err := weft.Jaxpr(c.f, x)
		if err != nil {
			return err
		}
		after, err := weft.Jaxpr(Cosify(c.f), x)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\n%v\n\nCosify(%s)\n%v\n\n", c.name, before, c.name, after)
	}

	// The result is a function like any other: it runs, is differentiated, batched, compiled.
	fmt.Fprintln(w, "mySin(0.5)                 ", mySin(x))
	fmt.Fprintln(w, "Grad(mySin)(0.5)           ", weft.Grad(mySin)(x))
	fmt.Fprintln(w, "Cosify(mySin)(0.5)         ", Cosify(mySin)(x))
	fmt.Fprintln(w, "Grad(Cosify(mySin))(0.5)   ", weft.Grad(Cosify(mySin))(x), " that of the cosine: no rule was left")
	fmt.Fprintln(w, "Cosify(Grad(mySin))(0.5)   ", Cosify(weft.Grad(mySin))(x), " what the rule returns, cosified")
	xs := weft.Of(0., 0.5, 1)
	fmt.Fprintln(w, "Vmap(Cosify(gauss))        ", weft.Vmap(Cosify(gauss))(xs))
	fmt.Fprintln(w, "Jit(Vmap(Cosify(iterated)))", weft.Jit(weft.Vmap(Cosify(iterated)))(xs))
	return nil
}
