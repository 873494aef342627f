// Command legacy rebuilds the mechanism by which derivative rules were first attached
// to functions, to show why it was given up: a function with a rule became a primitive,
// which every other transformation replaced by its program. The cure follows.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/jaxpr"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

type function = func(weft.Array) weft.Array

// vjpRule is a rule of the old kind. It returns the value, and the way back as a closure.
type vjpRule func(x weft.Array) (weft.Array, function)

// primitive stands for a call of a function with a rule. Each call makes a new one from the
// function's program.
type primitive struct {
	name    string
	program *weft.IR
	rule    vjpRule
}

func (p *primitive) Name() string                        { return p.name }
func (p *primitive) Abstract(in []weft.Type) []weft.Type { return p.program.OutAvals() }

// Expand returns the program: it is how a primitive without machine code is executed.
func (p *primitive) Expand(in []weft.Value) []weft.Value { return jaxpr.Eval(p.program, nil, in) }

// customTransforms returns f as a function whose rule may be set. Since f is traced, it
// cannot branch on its argument.
func customTransforms(name string, f function) (call function, defVJPAll func(vjpRule)) {
	var rule vjpRule
	call = weft.Interpret(f, func(program *weft.IR, in []weft.Array) []weft.Array {
		return weft.Apply(&primitive{name + "_primitive", program, rule}, in...)
	})
	return call, func(r vjpRule) { rule = r }
}

// grad is the reverse differentiation of that time: it runs a program forward, stores the
// way back of each equation, and then walks back. The way back of a primitive with a rule
// is that of its rule.
func grad(f function) function {
	return weft.Interpret(f, func(program *weft.IR, in []weft.Array) []weft.Array {
		type step struct {
			eqn  *jaxpr.Eqn
			back func([]weft.Array) []weft.Array
		}
		var steps []step
		outs := jaxpr.Walk(program, weft.FromValue, in, func(e *jaxpr.Eqn, in []weft.Array) []weft.Array {
			if p, ok := e.Prim.(*primitive); ok {
				y, back := p.rule(in[0])
				steps = append(steps, step{e, func(g []weft.Array) []weft.Array { return []weft.Array{back(g[0])} }})
				return []weft.Array{y}
			}
			ys, back := weft.VJP(func(in []weft.Array) []weft.Array { return weft.Apply(e.Prim, in...) }, in)
			steps = append(steps, step{e, back})
			return ys
		})
		cotangent := map[weft.Value]weft.Array{program.Outs[0]: weft.OnesLike(outs[0])}
		for i := len(steps) - 1; i >= 0; i-- {
			e := steps[i].eqn
			g, ok := cotangent[e.Outs[0]]
			if !ok {
				continue
			}
			for k, x := range steps[i].back([]weft.Array{g}) {
				if sum, ok := cotangent[e.Ins[k]]; ok {
					x = x.Add(sum)
				}
				cotangent[e.Ins[k]] = x
			}
		}
		return []weft.Array{cotangent[program.Ins[0]]}
	})
}

// vmap is the batching of that time: an interpreter that makes every equation work on the
// batch. It knows no derivative rules, and replaces a primitive that was made of a program by
// that program. This is the bug.
func vmap(f function) function {
	return func(xs weft.Array) weft.Array {
		return weft.Vmap(weft.Interpret(f, looked))(xs)
	}
}

func looked(program *weft.IR, in []weft.Array) []weft.Array {
	return jaxpr.Walk(program, weft.FromValue, in, func(e *jaxpr.Eqn, in []weft.Array) []weft.Array {
		if p, ok := e.Prim.(*primitive); ok {
			return looked(p.program, in)
		}
		return weft.Apply(weft.Within(e.Prim, looked), in...)
	})
}

func show(w io.Writer, what string, f function, x weft.Array) {
	program, err := weft.Jaxpr(f, x)
	fmt.Fprintf(w, "%s stages\n", what)
	if err != nil {
		fmt.Fprintln(w, err)
	}
	fmt.Fprintf(w, "%v\n", program)
}

func run(w io.Writer) error {
	one, ones := weft.Scalar(1.), weft.Ones(4)
	double := func(x weft.Array) weft.Array { return weft.Mul(2, x) }

	fmt.Fprintln(w, "The old mechanism: f(x) = 2x with a rule that returns 3")
	f, defVJPAll := customTransforms("f", double)
	defVJPAll(func(x weft.Array) (weft.Array, function) {
		return f(x), func(g weft.Array) weft.Array { return g.Mul(3) }
	})
	show(w, "f(1.)", f, one)
	show(w, "vmap(f)", vmap(f), ones)
	sum := func(xs weft.Array) weft.Array { return vmap(f)(xs).Sum() }
	fmt.Fprintln(w, "grad(f)(1.)                        ", grad(f)(one))
	fmt.Fprintln(w, "vmap(grad(f))(ones(4))             ", vmap(grad(f))(ones))
	fmt.Fprintln(w, "grad(x ↦ sum(vmap(f)(x)))(ones(4)) ", grad(sum)(ones), " the rule is gone")

	// Forward differentiation reaches a primitive that has a reverse rule only.
	_, err := weft.Try(func() weft.Array { _, t := weft.JVP(f, one, one); return t })
	fmt.Fprintln(w, "jvp(f):", err)
	// And the function was traced before it was differentiated, so it cannot branch.
	relu, _ := customTransforms("relu", branch)
	_, err = weft.Try(func() weft.Array { return grad(relu)(one) })
	fmt.Fprintln(w, "grad of a function that branches:", err)

	fmt.Fprintln(w, "\nThe cure: a call that carries both functions, and that Vmap passes on to both")
	cured := custom.VJP(double,
		func(x weft.Array) (weft.Array, struct{}) { return double(x), struct{}{} },
		func(_ struct{}, g weft.Array) weft.Array { return g.Mul(3) }, "f", "f_fwd", "f_bwd")
	show(w, "f(1.)", cured, one)
	show(w, "Vmap(f)", weft.Vmap(cured), ones)
	sum = func(xs weft.Array) weft.Array { return weft.Vmap(cured)(xs).Sum() }
	fmt.Fprintln(w, "Grad(f)(1.)                        ", weft.Grad(cured)(one))
	fmt.Fprintln(w, "Vmap(Grad(f))(ones(4))             ", weft.Vmap(weft.Grad(cured))(ones))
	fmt.Fprintln(w, "Grad(x ↦ Vmap(f)(x).Sum())(ones(4))", weft.Grad(sum)(ones))
	free := custom.VJP(branch,
		func(x weft.Array) (weft.Array, struct{}) { return branch(x), struct{}{} },
		func(_ struct{}, g weft.Array) weft.Array { return g }, "relu")
	fmt.Fprintln(w, "Grad of a function that branches:  ", weft.Grad(free)(one))
	return nil
}

// branch returns x if it is positive, decided by Go's if.
func branch(x weft.Array) weft.Array {
	if x.Float() > 0 {
		return x
	}
	return weft.Scalar(0.)
}
