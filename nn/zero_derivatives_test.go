package nn_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/nn"
)

// First and second derivatives of layers that normalize, and of distances, are finite where rows are
// zero, or equal to each other: a unit that is dead must not make the parameters before it NaN.
func TestDerivativesAtZeroRows(t *testing.T) {
	type A = weft.Array
	other := weft.Of(0., 0, 0, 0, 1, -2, 0, 0, 0, 0, 3, 4).Reshape(3, 4)
	functions := map[string]func(A) A{
		"LayerNorm":           nn.NewLayerNorm(4).Apply,
		"RMSNorm":             nn.NewRMSNorm(4).Apply,
		"GroupNorm":           nn.NewGroupNorm(2, 4).Apply,
		"BatchNorm":           nn.NewBatchNorm(4).Apply,
		"BatchNorm, training": func(x A) A { y, _ := nn.NewBatchNorm(4).Train(x); return y },
		"Standardize":         func(x A) A { return nn.Standardize(x) },
		"CosineSimilarity":    func(x A) A { return nn.CosineSimilarity(x, other) },
		"CosineSimilarity, x": func(x A) A { return nn.CosineSimilarity(x, x) },
		"distance":            func(x A) A { return weft.Norm(x.Sub(other), -1) },
		"distance of order 3": func(x A) A { return linalg.VectorNorm(x.Sub(other), 3, -1) },
		"distances of pairs":  func(x A) A { return weft.Norm(x.ExpandDims(0).Sub(x.ExpandDims(1)), -1) },
		"Huber":               func(x A) A { return nn.Huber(x, other, 1) },
		"LogCosh":             func(x A) A { return nn.LogCosh(x, other) },
		"Softmax":             func(x A) A { return nn.Softmax(x) },
		"attention to nothing": func(x A) A {
			return nn.Attention(x.Reshape(1, 3, 1, 4), x.Reshape(1, 3, 1, 4), x.Reshape(1, 3, 1, 4), nn.AttentionConfig{})
		},
	}
	for name, f := range functions {
		for where, x := range map[string]A{
			"0": weft.Zeros(3, 4), "5": weft.Full([]int{3, 4}, 5.), "rows of zeros": other, "equal rows": weft.Arange(4.).BroadcastTo(3, 4),
		} {
			for _, dt := range []weft.DType{weft.Float32, weft.Float64, weft.Float16, weft.BFloat16} {
				x := x.AsType(dt)
				first := weft.Grad(func(x A) A {
					return f(x).Mul(weft.Arange(float32(f(x).Size())).Reshape(f(x).Shape()...).AsType(dt)).Sum()
				})
				second := weft.Grad(func(x A) A { return weft.Square(first(x)).Sum() })
				for which, d := range map[string]A{"first": first(x), "second": second(x)} {
					if !weft.IsFinite(d).All().Bool() {
						t.Errorf("%s of %v at %s: the %s derivative is %v, want finite numbers", name, dt, where, which, d)
					}
				}
			}
		}
	}
}
