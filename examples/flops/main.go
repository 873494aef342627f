// Command flops counts the operations of a program without running it.
package main

import (
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/jaxpr"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// Count has the numbers of a program's operations on single numbers, by kind. In a product
// of matrices each term counts for two, a multiplication and an addition.
type Count map[string]int

func (c Count) total() (n int) {
	for _, k := range c {
		n += k
	}
	return n
}

// Flops counts the operations of a program.
func Flops(program *weft.IR) (Count, error) {
	all := Count{}
	for _, e := range program.Eqns {
		c, err := equation(e)
		if err != nil {
			return nil, err
		}
		for kind, n := range c {
			all[kind] += n
		}
	}
	return all, nil
}

// equation counts the operations of one equation. Moving numbers is free.
func equation(e *jaxpr.Eqn) (Count, error) {
	name := e.Prim.Name()
	size := 0
	if len(e.Outs) > 0 {
		size = e.Outs[0].Type.Size()
	}
	switch name {
	case "dot_general":
		return Count{name: 2 * size * terms(e)}, nil
	case "reduce_sum", "reduce_max", "reduce_min", "reduce_prod", "argmax", "argmin":
		return Count{name: e.Ins[0].Aval().Size() - size}, nil
	case "while":
		return nil, fmt.Errorf("%v: how often the loop runs is not known beforehand; use a loop of a fixed length", e.Site)
	}
	if programs := jaxpr.Programs(e.Prim); len(programs) > 0 {
		return calls(e, programs)
	}
	if _, ok := e.Prim.(interface{ Elementwise() }); ok && !strings.HasPrefix(name, "convert") {
		return Count{name: size}, nil
	}
	return nil, nil
}

// terms returns how many products a dot adds up, from the axes that its text names.
func terms(e *jaxpr.Eqn) int {
	numbers, _ := jaxpr.Parameter(e.Prim, "dimension_numbers") // (([1], [0]), ([], []))
	_, axes, _ := strings.Cut(fmt.Sprint(numbers), "[")
	axes, _, _ = strings.Cut(axes, "]")
	n := 1
	for axis := range strings.SplitSeq(axes, ",") {
		var k int
		if _, err := fmt.Sscan(axis, &k); err == nil {
			n *= e.Ins[0].Aval().Shape.At(k)
		}
	}
	return n
}

// calls counts the programs within an equation: the body of a loop as often as it runs, the
// longest branch of a conditional, and the first program of other calls, their function.
func calls(e *jaxpr.Eqn, programs []*jaxpr.Jaxpr) (Count, error) {
	if e.Prim.Name() != "cond" {
		programs = programs[:1]
	}
	var most Count
	for _, j := range programs {
		c, err := Flops(j)
		if err != nil {
			return nil, err
		}
		if c.total() >= most.total() {
			most = c
		}
	}
	if scan, ok := e.Prim.(*jaxpr.Scan); ok {
		for kind := range most {
			most[kind] *= scan.Length
		}
	}
	return most, nil
}

func run(w io.Writer) error {
	type mlp struct{ W1, B1, W2, B2 weft.Array }
	m := mlp{weft.Zeros(784, 256), weft.Zeros(256), weft.Zeros(256, 10), weft.Zeros(10)}
	x, y := weft.Zeros(32, 784), weft.Zeros(32, 10)
	loss := func(m mlp) weft.Array {
		h := weft.Tanh(x.Dot(m.W1).Add(m.B1))
		return weft.Square(h.Dot(m.W2).Add(m.B2).Sub(y)).Mean()
	}
	small, double := func(x weft.Array) weft.Array { return x.Lt(100) }, func(x weft.Array) weft.Array { return x.Add(x) }
	search := func(x weft.Array) weft.Array { return weft.While(small, double, x) }
	recur := func(h, w weft.Array) weft.Array {
		return weft.ForI(100, func(_, h weft.Array) weft.Array { return weft.Tanh(h.Dot(w)) }, h)
	}
	for _, p := range []struct {
		name string
		f    any
		args []any
	}{
		{"loss", loss, []any{m}},
		{"Grad(loss)", weft.Grad(loss), []any{m}},
		{"Grad(Remat(loss))", weft.Grad(weft.Remat(loss)), []any{m}},
		{"100 steps", recur, []any{weft.Zeros(64), weft.Zeros(64, 64)}},
		{"Vmap(100 steps)", weft.Vmap(recur, weft.In(0, weft.None)), []any{weft.Zeros(8, 64), weft.Zeros(64, 64)}},
		{"While", search, []any{1.}},
	} {
		program, err := weft.Jaxpr(p.f, p.args...)
		if err != nil {
			return err
		}
		c, err := Flops(program)
		if err != nil {
			fmt.Fprintf(w, "%-18s %v\n", p.name, err)
			continue
		}
		most := slices.SortedFunc(maps.Keys(c), func(a, b string) int { return c[b] - c[a] })[0]
		fmt.Fprintf(w, "%-18s %12d, of which %s %d\n", p.name, c.total(), most, c[most])
	}
	return nil
}
