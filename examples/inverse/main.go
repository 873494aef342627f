// Command inverse shows a transformation that a user writes: it runs a program backwards, from
// the result to the argument. With it the density follows from the function that bends a distribution.
package main

import (
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// unary are functions of one number, and their inverses.
var unary = map[string]func(weft.Array) weft.Array{
	"exp": weft.Log, "log": weft.Exp, "tanh": weft.Atanh, "atanh": weft.Tanh, "sinh": weft.Asinh, "asinh": weft.Sinh,
	"expm1": weft.Log1p, "log1p": weft.Expm1, "sqrt": weft.Square, "neg": weft.Array.Neg,
	"cbrt":     func(y weft.Array) weft.Array { return y.Mul(y).Mul(y) },
	"logistic": func(y weft.Array) weft.Array { return weft.Log(y.Div(weft.Sub(1, y))) },
}

// Inverse returns the function that undoes f. Every equation of f that depends on the argument
// must be one that can be undone, and depend on it in one operand only.
func Inverse(f func(weft.Array) weft.Array) func(weft.Array) weft.Array {
	return weft.Interpret(f, inverted)
}

func inverted(program *weft.IR, in []weft.Array) []weft.Array {
	program = lower.Inline(program, lower.Inlining{Custom: true, Remat: true})
	known := map[weft.Value]weft.Array{}
	for i, v := range program.Consts {
		known[v] = weft.FromValue(program.ConstVals[i])
	}
	value := func(a jaxpr.Atom) weft.Array { // the zero Array if it is not known
		if _, ok := a.(*jaxpr.Var); ok {
			return known[a]
		}
		return weft.FromValue(a)
	}

	// Forward: what does not depend on the argument is computed.
	var undo []*jaxpr.Eqn
	for _, e := range program.Eqns {
		operands := make([]weft.Array, len(e.Ins))
		for i, a := range e.Ins {
			operands[i] = value(a)
		}
		if slices.ContainsFunc(operands, weft.Array.IsZero) {
			undo = append(undo, e)
			continue
		}
		for i, y := range weft.Apply(e.Prim, operands...) {
			known[e.Outs[i]] = y
		}
	}

	// Backward: each equation yields its operand, until the argument is found.
	known[program.Outs[0]] = in[0]
	for _, e := range slices.Backward(undo) {
		y, ok := known[e.Outs[0]]
		if !ok {
			continue // the result does not depend on it
		}
		at, operands := -1, make([]weft.Array, len(e.Ins))
		for k, a := range e.Ins {
			if operands[k] = value(a); operands[k].IsZero() {
				if at >= 0 {
					refuse(e, "the argument is in two operands, which cannot be undone")
				}
				at = k
			}
		}
		if at < 0 {
			refuse(e, "its operand is used elsewhere, too, which cannot be undone")
		}
		known[e.Ins[at]] = undone(e, at, y, operands)
	}
	return []weft.Array{known[program.Ins[0]]}
}

// undone returns operand at of an equation that computed y, from the other operands.
func undone(e *jaxpr.Eqn, at int, y weft.Array, in []weft.Array) weft.Array {
	name := e.Prim.Name()
	if f := unary[name]; f != nil {
		return f(y)
	}
	switch fmt.Sprint(name, " ", at) {
	case "add 0", "add 1":
		return y.Sub(in[1-at])
	case "mul 0", "mul 1":
		return y.Div(in[1-at])
	case "sub 0":
		return y.Add(in[1])
	case "sub 1":
		return in[0].Sub(y)
	case "div 0":
		return y.Mul(in[1])
	case "div 1":
		return in[0].Div(y)
	}
	refuse(e, "it is not known how to undo it")
	return y
}

// refuse fails as the library does: the user's line, the operation, the reason.
func refuse(e *jaxpr.Eqn, why string) {
	panic(&weft.Error{Op: e.Prim.Name(), Pos: e.Site.String(), Msg: why})
}

func run(w io.Writer) error {
	f := func(x weft.Array) weft.Array { return weft.Exp(weft.Tanh(x.Mul(0.5).Add(0.1))).Sub(3) }
	back := Inverse(f)
	y := f(weft.Linspace(-1, 1, 5))
	fmt.Fprintf(w, "f of -1 to 1: %v\nInverse(f) of that: %.3f\n\n", y, back(y))
	program, err := weft.Jaxpr(back, 1.)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%v\n\n", program)

	// The inverse is differentiable; its slope is one over the slope of f.
	x := weft.Scalar(0.25)
	fmt.Fprintf(w, "Grad(Inverse(f))(f(x)) %.4f, 1/Grad(f)(x) %.4f\n\n", weft.Grad(back)(f(x)), weft.Reciprocal(weft.Grad(f)(x)))

	// The density of bend(z), where z is normal: that of z at the inverse, times the
	// slope of the inverse. It has mass one.
	bend := func(z weft.Array) weft.Array { return weft.Sinh(z.Mul(1.5)).Add(1) }
	density := weft.Jit(weft.Vmap(func(y weft.Array) weft.Array {
		z, slope := weft.ValueAndGrad(Inverse(bend))(y)
		return weft.Exp(weft.Square(z).Mul(-0.5)).Mul(slope).Div(math.Sqrt(2 * math.Pi))
	}))
	mass := density(weft.Linspace(-400, 400, 400001)).Sum().Mul(800. / 400000)
	fmt.Fprintf(w, "the density of bend(z) integrates to %.4f\n", mass)

	_, err = weft.Try(func() weft.Array {
		return Inverse(func(x weft.Array) weft.Array { return weft.Sin(x).Mul(x) })(x)
	})
	fmt.Fprintln(w, err)
	return nil
}
