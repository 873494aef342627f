package linalg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/lower/scalar"
)

// A row less a multiple of another has the bits of the fused loop in Go.
func TestLessBits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 70 {
		y, x := make([]float32, n), make([]float32, n)
		y2, x2 := make([]float64, n), make([]float64, n)
		for i := range n {
			y[i], x[i], y2[i], x2[i] = float32(r.NormFloat64()*math.Ldexp(1, r.IntN(200)-100)), float32(r.NormFloat64()*math.Ldexp(1, r.IntN(200)-100)), r.NormFloat64()*math.Ldexp(1, r.IntN(200)-100), r.NormFloat64()*math.Ldexp(1, r.IntN(200)-100)
		}
		a := float32(r.NormFloat64())
		want, want2 := make([]float32, n), make([]float64, n)
		for i := range n {
			want[i], want2[i] = scalar.FMA32(-a, x[i], y[i]), math.FMA(-float64(a), x2[i], y2[i])
		}
		fieldF32.less(y, a, x)
		fieldF64.less(y2, float64(a), x2)
		if !slices.Equal(y, want) || !slices.Equal(y2, want2) {
			t.Errorf("%d elements: got %v and %v, want %v and %v", n, y, y2, want, want2)
		}
	}
}
