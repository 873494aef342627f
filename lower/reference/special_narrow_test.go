package reference

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// Incomplete functions of other types are those of f64, rounded: also where results are halfway between two numbers, as
// squares I_x(2, 1) = x² of 13 bits are.
func TestIncompleteFunctionsOfNarrowTypes(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	for _, dt := range []core.DType{core.Float32, core.Float16, core.BFloat16} {
		rounded := func(v float64) float64 {
			x := block.NewTensor(core.Aval(dt))
			block.Store(x, []float64{v})
			e, _ := block.ElementsAs[float64](x)
			return e[0]
		}
		for k := range 3000 {
			a, b, x := rounded(math.Exp(r.Float64()*9-4.5)), rounded(math.Exp(r.Float64()*9-4.5)), rounded(r.Float64())
			if k%2 > 0 {
				a, b, x = 2, 1, rounded(float64(4097+k-k%2)/8192)
			}
			for _, c := range []struct {
				p    core.Primitive
				args []float64
			}{{prim.IgammaP{}, []float64{a, b}}, {prim.IgammacP{}, []float64{a, b}}, {prim.RegularizedIncompleteBetaP{}, []float64{a, b, x}}} {
				if got, want := evaluate(t, c.p, dt, c.args...), rounded(evaluate(t, c.p, core.Float64, c.args...)); got != want {
					t.Errorf("%s%v of %v: got %v, want %v", c.p.Name(), c.args, dt, got, want)
				}
			}
		}
	}
}
