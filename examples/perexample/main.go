// Command perexample computes the gradient of every example of a batch at once, clips
// each, and adds them up with noise: one step of training with differential privacy.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/optim"
	"github.com/weft-go/weft/random"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// Model is a logistic regression.
type Model struct{ W, B weft.Array }

// loss returns the loss of one example: x has no batch axis, y is 0 or 1.
func loss(m Model, x, y weft.Array) weft.Array {
	return nn.SigmoidCrossEntropy(x.Dot(m.W).Add(m.B), y)
}

// gradients returns a gradient for each example: Grad of the loss of one example, mapped.
func gradients(m Model, xs, ys weft.Array) Model {
	return weft.Vmap(func(x, y weft.Array) Model {
		return weft.GradAt(m, func(m Model) weft.Array { return loss(m, x, y) })
	})(xs, ys)
}

// private is one step: each gradient is clipped to the given norm, and the mean gets
// noise that hides every single example.
var private = weft.Jit(func(m Model, xs, ys weft.Array, key random.Key) (Model, weft.Array) {
	const norm, noise, rate = 1., 0.5, 0.5
	n := float64(xs.Len())
	clipped, norms := weft.Vmap(func(g Model) (Model, weft.Array) { return optim.ClipByNorm(g, norm) })(gradients(m, xs, ys))
	kw, kb := key.Split()
	sum := Model{clipped.W.Sum(0).Add(random.Normal(kw, m.W.Len()).Mul(noise * norm)), clipped.B.Sum(0).Add(random.Normal(kb).Mul(noise * norm))}
	return weft.TreeMap2(func(w, g weft.Array) weft.Array { return w.Sub(g.Mul(rate / n)) }, m, sum), norms
})

func run(w io.Writer) error {
	// Two clouds of points.
	key, noise := random.New(7).Split()
	const n = 200
	ys := weft.Arange(n).Mod(2).AsType(weft.Float32)
	centre := weft.Where(ys.Gt(0).ExpandDims(1), weft.Of(1., 1.5), weft.Of(-1., -0.5))
	xs := centre.Add(random.Normal(key, n, 2))

	m := Model{weft.Zeros(2), weft.Scalar(float32(0))}
	all := gradients(m, xs, ys)
	mean := weft.GradAt(m, func(m Model) weft.Array {
		return weft.Vmap(func(x, y weft.Array) weft.Array { return loss(m, x, y) })(xs, ys).Mean()
	})
	fmt.Fprintf(w, "gradients of %d examples: W %v, B %v\n", n, all.W.Shape(), all.B.Shape())
	fmt.Fprintf(w, "their mean            %.4f %.4f\n", all.W.Mean(0), all.B.Mean())
	fmt.Fprintf(w, "gradient of the mean  %.4f %.4f\n", mean.W, mean.B)

	var norms weft.Array
	for i := range 60 {
		m, norms = private(m, xs, ys, noise.FoldIn(i))
	}
	right := xs.Dot(m.W).Add(m.B).Gt(0).Eq(ys.Gt(0)).AsType(weft.Float32).Mean()
	fmt.Fprintf(w, "\nafter 60 private steps: %.1f%% right, gradients' norms from %.3f to %.3f\n", right.Float()*100, norms.Min(), norms.Max())
	return nil
}
