package core_test

import (
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/trace"
)

// notebook notes every operation on its values. It does not trace: each operation
// continues with the older ones, so that values are there while the function runs.
type notebook struct {
	level int64
	done  bool
	lines []string
}

func (n *notebook) Level() int64 { return n.level }
func (n *notebook) Live() bool   { return !n.done }

// Interpret takes the notebook's marks off, applies the operation below, and marks
// the results.
func (n *notebook) Interpret(p core.Primitive, in []core.Value) []core.Value {
	plain := make([]core.Value, len(in))
	for i, v := range in {
		plain[i] = v
		if x, ok := v.(*noted); ok && x.by == n {
			plain[i] = x.Value
		}
	}
	out := core.Bind(p, plain...)
	n.lines = append(n.lines, p.Name())
	for i, v := range out {
		out[i] = &noted{v, n}
	}
	return out
}

// noted is a value of a notebook.
type noted struct {
	core.Value
	by *notebook
}

func (x *noted) Interpreter() core.Interpreter { return x.by }

// Known and Look let Go look at the value behind, if that can be looked at.
func (x *noted) Known() bool               { return trace.Known(x.Value) }
func (x *noted) Look() (core.Value, error) { return trace.Look(x.Value) }

// note runs f under a notebook.
func note(f func(weft.Array) weft.Array, x weft.Array) (y weft.Array, lines []string) {
	n := &notebook{level: core.NextLevel()}
	defer core.Enter(n)()
	defer func() { n.done = true }()
	out := f(weft.FromValue(&noted{x.Value(), n})).Value()
	if v, ok := out.(*noted); ok && v.by == n {
		out = v.Value
	}
	return weft.FromValue(out), n.lines
}

// A transformation that does not trace: a Go if on a value works.
func ExampleInterpreter() {
	f := func(x weft.Array) weft.Array {
		if x.Float() > 0 {
			return weft.Sin(x).Mul(x)
		}
		return weft.Exp(x)
	}
	fmt.Println(note(f, weft.Scalar(2.)))
	fmt.Println(note(f, weft.Scalar(-2.)))
	var seen []string
	g := weft.Grad(func(x weft.Array) (y weft.Array) { y, seen = note(f, x); return y })
	fmt.Println(g(weft.Scalar(2.)), seen)
	// Output:
	// 1.8185948 [sin mul]
	// 0.13533528 [exp]
	// 0.07700378 [sin mul]
}
