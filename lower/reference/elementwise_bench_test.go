package reference

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

func benchElementwise(b *testing.B, p core.Primitive, dt core.DType, n int, lo, hi float64, operands int) {
	in := make([]*block.Tensor, operands)
	for k := range in {
		in[k] = block.NewTensor(core.Aval(dt, n))
		for i := range n {
			v := lo + (hi-lo)*float64((i*7919+k*31)%n)/float64(n)
			switch dt {
			case core.Float32:
				block.View[float32](in[k])[i] = float32(v)
			case core.Float64:
				block.View[float64](in[k])[i] = v
			case core.BFloat16:
				block.View[uint16](in[k])[i] = scalar.ToBF16(float32(v))
			case core.Int32:
				block.View[int32](in[k])[i] = int32(v)
			case core.Complex64:
				block.View[complex64](in[k])[i] = complex(float32(v), float32(v/2))
			}
		}
	}
	out := []*block.Tensor{block.NewTensor(core.AbstractOf(p, avalsOf(in))[0])}
	block.Elementwise(p, in, out)
	b.ReportAllocs()
	start := testcheck.CPUTime()
	for b.Loop() {
		block.Elementwise(p, in, out)
	}
	b.ReportMetric(float64(n)*float64(b.N)/float64(testcheck.CPUTime()-start), "elem/ns")
}

func BenchmarkElementwise(b *testing.B) {
	for _, c := range []struct {
		p      core.Primitive
		n      int
		lo, hi float64
	}{
		{prim.AddP{}, 2, -3, 3}, {prim.MulP{}, 2, -3, 3}, {prim.DivP{}, 2, 1, 3}, {prim.MaxP{}, 2, -3, 3},
		{prim.NegP{}, 1, -3, 3}, {prim.ExpP{}, 1, -20, 20}, {prim.LogP{}, 1, 0.01, 100}, {prim.Log1pP{}, 1, -0.9, 10}, {prim.Expm1P{}, 1, -3, 3},
		{prim.SinP{}, 1, -20, 20}, {prim.TanP{}, 1, -20, 20}, {prim.TanhP{}, 1, -3, 3}, {prim.LogisticP{}, 1, -5, 5},
		{prim.SqrtP{}, 1, 0, 100}, {prim.RsqrtP{}, 1, 0.1, 100}, {prim.PowP{}, 2, 0.1, 5}, {prim.ErfP{}, 1, -3, 3},
		{prim.Atan2P{}, 2, -3, 3}, {prim.AcosP{}, 1, -1, 1}, {prim.CbrtP{}, 1, -9, 9}, {prim.SinhP{}, 1, -9, 9}, {prim.RemP{}, 2, 1, 9},
		{prim.LgammaP{}, 1, 0.1, 20}, {prim.DigammaP{}, 1, 0.1, 20}, {prim.ErfInvP{}, 1, -0.99, 0.99},
	} {
		for _, dt := range []core.DType{core.Float32, core.Float64} {
			b.Run(c.p.Name()+"/"+dt.String(), func(b *testing.B) { benchElementwise(b, c.p, dt, 1<<14, c.lo, c.hi, c.n) })
		}
	}
	b.Run("add/bf16", func(b *testing.B) { benchElementwise(b, prim.AddP{}, core.BFloat16, 1<<14, -3, 3, 2) })
	b.Run("mul/c64", func(b *testing.B) { benchElementwise(b, prim.MulP{}, core.Complex64, 1<<14, -3, 3, 2) })
	b.Run("add/i32", func(b *testing.B) { benchElementwise(b, prim.AddP{}, core.Int32, 1<<14, -3, 3, 2) })
	b.Run("add/f32/1", func(b *testing.B) { benchElementwise(b, prim.AddP{}, core.Float32, 1, -3, 3, 2) })
}
