// Command quickstart traces a function, prints its program and that of its
// gradient, evaluates both, and fits a line by gradient descent.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/weft-go/weft"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// f is an ordinary Go function of an array.
func f(x weft.Array) weft.Array { return weft.Sin(x).Mul(x) }

// Line is the parameters of a model. A gradient has the same type.
type Line struct{ Slope, Offset weft.Array }

func (l Line) At(x weft.Array) weft.Array { return x.Mul(l.Slope).Add(l.Offset) }

func loss(l Line, x, y weft.Array) weft.Array { return weft.Square(l.At(x).Sub(y)).Mean() }

// step is one step of gradient descent, traced once and run as a program.
var step = weft.Jit(func(l Line, x, y weft.Array) (Line, weft.Array) {
	value, grad := weft.ValueAndGrad(func(l Line) weft.Array { return loss(l, x, y) })(l)
	return weft.TreeMap2(func(w, g weft.Array) weft.Array { return w.Sub(g.Mul(0.1)) }, l, grad), value
})

func run(w io.Writer) error {
	// A function, traced at a type: the program that it writes.
	program, err := weft.Jaxpr(f, 1.)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "f\n%v\n\n", program)

	// The gradient is a function again, and can be traced, too.
	program, err = weft.Jaxpr(weft.Grad(f), 1.)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Grad(f)\n%v\n\n", program)

	// All of them run as they stand, on numbers and, mapped, on batches.
	x := weft.Arange(0., 3)
	fmt.Fprintln(w, "f(2)               ", f(weft.Scalar(2.)))
	fmt.Fprintln(w, "Grad(f)(2)         ", weft.Grad(f)(weft.Scalar(2.)))
	fmt.Fprintln(w, "Grad(Grad(f))(2)   ", weft.Grad(weft.Grad(f))(weft.Scalar(2.)))
	fmt.Fprintln(w, "Vmap(Grad(f))", x, weft.Vmap(weft.Grad(f))(x))

	// A line through three points that lie on one.
	line, y := Line{weft.Scalar(0.), weft.Scalar(0.)}, x.Mul(2).Add(1)
	var value weft.Array
	for range 200 {
		line, value = step(line, x, y)
	}
	fmt.Fprintf(w, "\nfitted y = %.3f·x + %.3f, loss %.1e\n", line.Slope, line.Offset, value.Float())
	return nil
}
