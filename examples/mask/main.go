// Command mask shows a transformation that a user writes, for ragged batches: sequences
// of different lengths, padded to one length, on which a function f works as if the padding
// were not there. It keeps the custom derivative rules in f.
package main

import (
	"fmt"
	"io"
	"log"
	"math"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/special"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// ragged is an array some of whose elements are valid: by a mask of its shape, or a
// single truth value for all.
type ragged struct{ Value, Valid weft.Array }

func full(x weft.Array) ragged { return ragged{x, weft.Scalar(true)} }

func whole(v weft.Value) ragged { return full(weft.FromValue(v)) }

// or returns the value with x in place of the elements that are not valid.
func (r ragged) or(x any) weft.Array {
	return weft.Where(r.Valid, r.Value, weft.Zeros().Add(x).AsType(r.Value.DType()))
}

// mask returns Valid in the shape of Value.
func (r ragged) mask() weft.Array { return r.Valid.BroadcastTo(r.Value.Shape()...) }

// Mask makes f, a function of a sequence and its length, work on a padded sequence:
// only the first n elements of x's leading axis count. Padding in the result is 0.
func Mask(f func(x, n weft.Array) weft.Array) func(x, n weft.Array) weft.Array {
	return weft.Interpret(f, func(program *weft.IR, in []weft.Array) []weft.Array {
		x, n := in[0], in[1]
		axis := append([]int{x.Len()}, make([]int, x.Rank()-1)...)
		for i := range axis[1:] {
			axis[1+i] = 1
		}
		valid := weft.Arange(x.Len()).Lt(n).Reshape(axis...).BroadcastTo(x.Shape()...)
		// Values computed from padding are dropped, but their derivatives must not be
		// NaN: so the padding repeats the first element.
		y := masked(program, []ragged{{weft.Where(valid, x, x.Index(0)), valid}, full(n)})[0]
		return []weft.Array{y.or(0)}
	})
}

func masked(program *weft.IR, in []ragged) []ragged { return jaxpr.Walk(program, whole, in, operation) }

// operation applies one equation to ragged arrays.
func operation(e *jaxpr.Eqn, in []ragged) []ragged {
	apply := func(xs ...weft.Array) weft.Array { return weft.Apply(e.Prim, xs...)[0] }
	there := func(r ragged) weft.Array { return r.mask().AsType(weft.Int32) }
	if len(in) == 0 {
		return []ragged{full(apply())}
	}
	if _, ok := e.Prim.(interface{ Elementwise() }); ok || e.Prim.Name() == "select_n" {
		xs, valid := []weft.Array{}, weft.Scalar(true)
		for _, r := range in {
			xs, valid = append(xs, r.Value), weft.LogicalAnd(valid, r.Valid)
		}
		return []ragged{{apply(xs...), valid}}
	}
	switch e.Prim.Name() {
	case "reduce_sum", "cumsum":
		return []ragged{{apply(in[0].or(0)), apply(there(in[0])).Gt(0)}}
	case "reduce_max", "argmax":
		return []ragged{{apply(in[0].or(math.Inf(-1))), weft.Scalar(true)}}
	case "dot_general":
		return []ragged{{apply(in[0].or(0), in[1].or(0)), apply(there(in[0]), there(in[1])).Gt(0)}}
	case "broadcast_in_dim", "reshape", "squeeze", "transpose":
		return []ragged{{apply(in[0].Value), apply(in[0].mask())}}
	case "jit", "remat2", "custom_jvp_call", "custom_vjp_call":
		return weft.Through(e.Prim, in, masked)
	}
	panic(&weft.Error{Op: e.Prim.Name(), Pos: e.Site.String(), Msg: "has no meaning for ragged arrays; apply it outside of the mask"})
}

// normalized returns a sequence with mean 0 and variance 1. n is its length.
func normalized(x, n weft.Array) weft.Array {
	x = x.Sub(x.Sum().Div(n))
	return x.Div(weft.Sqrt(weft.Square(x).Sum().Div(n)))
}

// logSumExp has a forward rule of its own, whose slope is ten times the true one.
var logSumExp = custom.JVP(
	func(x weft.Array) weft.Array { return special.LogSumExp(x) },
	func(x, t weft.Array) (weft.Array, weft.Array) {
		return special.LogSumExp(x), nn.Softmax(x).Mul(t).Sum().Mul(10)
	}, "logSumExp")

// clipped is the identity with a reverse rule that clips the gradient to [−½, ½].
var clipped = custom.VJP(
	func(x weft.Array) weft.Array { return x },
	func(x weft.Array) (weft.Array, struct{}) { return x, struct{}{} },
	func(_ struct{}, g weft.Array) weft.Array { return weft.Clip(g, -0.5, 0.5) }, "clipped")

func run(w io.Writer) error {
	x := weft.From([][]float32{{1, 2, 3, 4}, {5, 7, -99, -99}, {2, 4, 9, -99}})
	n := weft.Of(4, 2, 3)
	fmt.Fprintf(w, "padded\n%v\nlengths %v\n\n", x, n)

	batch := weft.Jit(weft.Vmap(Mask(normalized)))(x, n)
	fmt.Fprintf(w, "Jit(Vmap(Mask(normalized)))\n%.4f\n", batch)
	fmt.Fprintln(w, "one after the other, without padding")
	for i, row := range x.Rows() {
		k := n.Index(i).Int()
		fmt.Fprintf(w, "%.4f\n", normalized(row.Index(weft.R(0, k)), n.Index(i)))
	}

	lse := func(x, _ weft.Array) weft.Array { return logSumExp(x) }
	fmt.Fprintf(w, "\nVmap(Mask(logSumExp)): %.4f\n", weft.Vmap(Mask(lse))(x, n))
	grad := func(f func(x, n weft.Array) weft.Array) func(x, n weft.Array) weft.Array {
		return func(x, n weft.Array) weft.Array {
			return weft.Grad(func(x weft.Array) weft.Array { return f(x, n).Sum() })(x)
		}
	}
	fmt.Fprintf(w, "its gradient, by the rule: ten softmaxes\n%.4f\n", weft.Vmap(grad(Mask(lse)))(x, n))
	fmt.Fprintf(w, "the same, the batch inside\n%.4f\n", grad(weft.Jit(weft.Vmap(Mask(lse))))(x, n))
	cubes := func(x, n weft.Array) weft.Array { return clipped(x.Mul(x).Mul(x).Div(100)).Sum() }
	fmt.Fprintf(w, "\ngradient of cubes through a reverse rule that clips\n%.4f\n", weft.Vmap(grad(Mask(cubes)))(x, n))
	return nil
}
