// Command anvil runs the programs of the vignette of the R package anvil: literals
// whose type is a guess give way to types that are known.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/promote"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// f is the vignette's example: z is an i32?, because the literal is.
func f(x, y weft.Array) weft.Array {
	z := x.Add(1)
	return z.Mul(y)
}

// known is f with a literal of a stated type: z is an i32.
func known(x, y weft.Array) weft.Array {
	z := x.Add(int32(1))
	return z.Mul(y)
}

func run(w io.Writer) (err error) {
	weft.With(weft.Promotion(promote.Anvil), func() { err = vignette(w) })
	return err
}

func vignette(w io.Writer) error {
	fmt.Fprintln(w, "Types that are known: f32 and f64.")
	if err := show(w, weft.Add(float32(1), weft.FromSlice([]float64{1}).Index(0))); err != nil {
		return err
	}

	fmt.Fprintln(w, "\nLiterals: an integer, a float, a truth value.")
	literals := weft.Jit(func() []weft.Array {
		return []weft.Array{weft.Scalar(1), weft.Scalar(1.0), weft.Scalar(true)}
	})
	for _, x := range literals() {
		if err := show(w, x); err != nil {
			return err
		}
	}

	x, y := weft.Scalar(true), weft.Scalar(int16(2))
	for _, c := range []struct {
		what string
		f    func(x, y weft.Array) weft.Array
	}{
		{"f of a truth value and an i16: the guess yields.", f},
		{"The same with a known i32: it stays.", known},
	} {
		program, err := weft.Jaxpr(c.f, x, y)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "\n%s\n%v\n", c.what, program)
		if err := show(w, weft.Jit(c.f)(x, y)); err != nil {
			return err
		}
	}
	return nil
}

// show prints a number as anvil does.
func show(w io.Writer, x weft.Array) error {
	var v any
	switch {
	case x.DType() == weft.Bool:
		v = x.Bool()
	case x.DType().IsFloat():
		v = x.Float()
	default:
		v = x.Int()
	}
	text, err := promote.AnvilTensor(x.DType(), v)
	if err == nil {
		_, err = fmt.Fprintln(w, text)
	}
	return err
}
