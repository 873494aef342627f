// Package special computes special functions without a fixed number of steps, element by element,
// in sums of two f64 that are rounded once. Incomplete functions of f64 first try fast.go, whose
// results are within 8 ulps. Those of narrower types take the results of quick.go where all numbers
// within its error bound round alike, and else round the results of f64. [Kernel] returns the same
// functions as kernels.
package special

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// Rows are the kernels of special functions that have no fixed number of steps.
var Rows = []block.Row{
	row[prim.IgammaP](func(v []float64) (float64, bool) { return quickIgamma(v[0], v[1], false) }),
	row[prim.IgammacP](func(v []float64) (float64, bool) { return quickIgamma(v[0], v[1], true) }),
	row[prim.IgammaGradAP](nil),
	row[prim.RandomGammaGradP](nil),
	row[prim.RegularizedIncompleteBetaP](func(v []float64) (float64, bool) { return quickBetainc(v[0], v[1], v[2]) }),
	row[prim.ZetaP](nil),
}

// row returns the kernel of a primitive. Results of types narrower than f64 are quick's if it is certain; quick
// may be nil.
func row[P core.Primitive](quick func(x []float64) (v float64, ok bool)) block.Row {
	return block.On(func(p P, in, out []*block.Tensor) {
		y := out[0]
		f, _ := now.of(p)
		if quick == nil || y.DType == core.Float64 {
			elementwise(y, in, f)
			return
		}
		elementwise(y, in, func(x []float64) float64 {
			if v, ok := quick(x); ok {
				return v
			}
			return f(x)
		})
	})
}

// elementwise applies f to the elements of operands that are spread to the result's shape.
func elementwise(y *block.Tensor, in []*block.Tensor, f func(x []float64) float64) {
	if y.Size() == 0 {
		return
	}
	cols := make([][]float64, len(in))
	for k, x := range in {
		wide, l := block.ElementsAs[float64](x)
		e, ls := block.SpreadElements(wide, x.Shape, y.Shape)
		cols[k] = e
		defer l.Back()
		defer ls.Back()
	}
	out, lo := block.Borrow[float64](y.Size())
	defer lo.Back()
	args := make([]float64, len(in))
	for i := range out {
		for k, c := range cols {
			args[k] = c[i]
		}
		out[i] = f(args)
	}
	block.Store(y, out)
}

// Igamma returns the regularized incomplete gamma function P(a, x), or, if upper is set, Q(a, x) = 1 − P(a, x). It computes
// with sums of two f64.
func Igamma(a, x float64, upper bool) float64 {
	return now.igammaBy(a, x, upper, func() float64 { return now.gammaPart(a, x, upper) })
}

// Betainc returns the regularized incomplete beta function I_x(a, b). It computes with
// sums of two f64.
func Betainc(a, b, x float64) float64 {
	return now.betaincBy(a, b, x, func() float64 { return now.betaPart(a, b, x) })
}
