// Command omnistaging shows what a traced function records: everything or, as before
// omnistaging, only what depends on its arguments. It counts what each way leaves in the
// program, and shows what looking at known values adds.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// toy adds two constants on the way.
func toy(x weft.Array) weft.Array {
	y := weft.Add(1, 1)
	return x.Mul(y)
}

// selectTril keeps what is below the diagonal. Its mask depends on x's shape only.
func selectTril(x weft.Array) weft.Array {
	mask := weft.Arange(x.Dim(0)).ExpandDims(1).Gt(weft.Arange(x.Dim(1)))
	return weft.Where(mask, x, weft.ZerosLike(x))
}

// both shows a program with and without omnistaging.
func both(w io.Writer, name string, f func(weft.Array) weft.Array, x weft.Array) error {
	for _, way := range []struct {
		name string
		on   bool
	}{{"before: what depends on x", false}, {"after: everything", true}} {
		var ir *weft.IR
		var err error
		var y weft.Array
		executed := 0
		weft.With(weft.Omnistaging(way.on), func() {
			executed = counting(func() { ir, err = weft.Jaxpr(f, x) })
			y = weft.Jit(f)(x)
		})
		if err != nil {
			return err
		}
		low := jaxpr.DCE(lower.Inline(ir, lower.Inlining{}))
		fmt.Fprintf(w, "%s, %s\n%v\n\n%s\n", name, way.name, ir, hlo(name, low))
		fmt.Fprintf(w, "operations executed while tracing: %d; bytes of constants: %d; result:\n%v\n\n", executed, constantBytes(ir), y)
	}
	return nil
}

// counting returns how many operations are executed while f runs. Every operation that is executed
// reaches the interpreter at the bottom, so that one is watched.
func counting(f func()) int {
	c := &counter{Interpreter: core.Bottom}
	defer func(old core.Interpreter) { core.Bottom = old }(core.Bottom)
	core.Bottom = c
	f()
	return c.n
}

type counter struct {
	core.Interpreter
	n int
}

func (c *counter) Interpret(p core.Primitive, in []core.Value) []core.Value {
	c.n++
	return c.Interpreter.Interpret(p, in)
}

// constantBytes returns the size of the arrays, scalars among them, that a program captured.
func constantBytes(j *weft.IR) (n int) {
	for _, v := range j.Consts {
		n += v.Type.Size() * v.Type.DType.Size()
	}
	return n
}

func run(w io.Writer) error {
	x := weft.Arange(12).Reshape(3, 4)
	if err := both(w, "toy", toy, weft.Scalar(3)); err != nil {
		return err
	}
	if err := both(w, "select_tril", selectTril, x); err != nil {
		return err
	}

	// How the constants grow with the argument.
	fmt.Fprintln(w, "bytes of constants of select_tril")
	for _, n := range []int{4, 100, 1000} {
		fmt.Fprintf(w, "%4d × %-4d", n, n)
		for _, on := range []bool{false, true} {
			weft.With(weft.Omnistaging(on), func() {
				ir, err := weft.Jaxpr(selectTril, weft.Zeros(n, n))
				if err != nil {
					fmt.Fprint(w, err)
					return
				}
				fmt.Fprintf(w, "%10d", constantBytes(ir))
			})
		}
		fmt.Fprintln(w)
	}

	return known(w, x)
}

// known shows that values that depend on no argument can be looked at although they are
// recorded, and where that surprises.
func known(w io.Writer, x weft.Array) error {
	fmt.Fprintln(w, "\nLooking at known values")
	size := weft.Jit(func(x weft.Array) weft.Array {
		n := weft.FromSlice(x.Shape()).Prod()
		if n.Int() > 100 { // where JAX has an error
			return x.Mul(2)
		}
		return x
	})
	fmt.Fprintln(w, "a shape, multiplied and compared by arrays:", size(x).Equal(x))
	unknown := weft.Jit(func(x weft.Array) weft.Array {
		if x.Sum().Int() > 100 {
			return x.Mul(2)
		}
		return x
	})
	_, err := weft.Try(func() weft.Array { return unknown(x) })
	fmt.Fprintln(w, "what depends on x:", err)

	fmt.Fprintln(w, "\nWhat remains")
	scale := weft.Scalar(2.)
	baked := weft.Jit(func(x weft.Array) weft.Array {
		if scale.Float() > 1 {
			return x.Mul(10)
		}
		return x
	})
	one := weft.Scalar(1.)
	before := baked(one)
	scale = weft.Scalar(0.)
	fmt.Fprintln(w, "1. a look at a captured variable is part of the program:", before, baked(one), "although it has changed")

	// A global state that a traced function replaces, such as a key that is split.
	state := weft.Scalar(1.)
	next := weft.Jit(func() weft.Array {
		state = state.Mul(3).Add(1)
		return state
	})
	fmt.Fprintln(w, "2. a traced function that replaces a global:", next(), next(), next(), "and the global is", state)

	done := make(chan weft.Array)
	var outside weft.Array
	ir, err := weft.Jaxpr(func(x weft.Array) weft.Array {
		go func() { done <- weft.Add(1, 1) }()
		outside = <-done
		return x.Mul(outside)
	}, 1)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "3. a goroutine started in a traced function is outside of it: %v was computed at once, the program is\n%v\n", outside, ir)

	ir, err = weft.Jaxpr(func(x weft.Array) weft.Array {
		y := weft.Add(1, 1)
		fmt.Fprintln(w, "4. what is looked at is computed now:", y)
		return x.Mul(y)
	}, 1)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "   and again when the program runs\n%v\n", ir)

	looked := false
	weft.Jit(func(x weft.Array) weft.Array {
		return weft.Cond(x.Gt(0), func() weft.Array { return x }, func() weft.Array {
			looked = weft.Add(1, 1).Int() == 2
			return x.Neg()
		})
	})(one)
	fmt.Fprintln(w, "5. a look in a branch that is not taken happens all the same:", looked)

	fmt.Fprintln(w, "\nNow runs at once what depends on no argument:")
	ir, err = weft.Jaxpr(func(x weft.Array) weft.Array {
		return x.Mul(weft.Now(func() weft.Array { return weft.Add(1, 1) }))
	}, 1)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, ir)
	return nil
}
