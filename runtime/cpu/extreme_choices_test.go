package cpu_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
)

// Choices by a comparison of their operands have the reference's bits with zeros of both signs, NaN of
// any bits and infinities, in kernels with functions, too; and so have chains of operations that
// pass a NaN on.
func TestExtremeChoices(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), 5e-324, -1e-40, 3, 88.5, -104.5, math.Float64frombits(0xfff8000000000123)}
	var p, q []float64
	for _, a := range special {
		for _, b := range special {
			p, q = append(p, a), append(q, b)
		}
	}
	for _, dt := range []weft.DType{weft.Float32, weft.Float64, weft.Float16, weft.BFloat16} {
		x, y := weft.FromSlice(p).AsType(dt), weft.FromSlice(q).AsType(dt)
		j, args := traced(t, func(x []weft.Array) []weft.Array {
			a, b := x[0], x[1]
			less := a.Lt(b)
			out := []weft.Array{weft.Where(less, a, b), weft.Where(less, b, a), weft.Maximum(a, b), weft.Minimum(a, b),
				weft.Where(b.Lt(a), b, a), weft.Where(a.Le(b), a, b), weft.Where(less, a, b).Add(less), a.Max(), b.Min()}
			c := a.Sub(b) // ∞ − ∞ has other bits than a canonical NaN
			m := weft.Maximum(c.Neg(), weft.Abs(weft.Where(less, c, a.Mul(b))))
			out = append(out, m, m.Neg(), m.Add(c).Neg(), weft.Abs(weft.Minimum(m, c)).Neg(), weft.Where(m.Lt(c), m.Neg(), weft.Minimum(c, b)), c.Neg().Sum(), c.Prod(), m.Max())
			sum := weft.Where(less, b, a)
			for i := range 24 { // enough to become a function
				sum = sum.Add(weft.Exp(weft.Where(less, a, b).Mul(float64(i)))).Add(weft.Tanh(a.Add(float64(i))))
			}
			return append(out, sum)
		}, []weft.Array{x, y})
		matches(t, dt.String(), j, args)
	}
}
