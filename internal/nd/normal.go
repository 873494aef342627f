package nd

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// NormalCDF returns the probability that a standard normal number is below x.
func NormalCDF(x core.Value) core.Value {
	return UnaryReal("NormalCDF", func(v core.Value) core.Value {
		return prim.Mul(Num(v, 0.5), prim.Erfc(prim.Mul(v, Num(v, -math.Sqrt2/2))))
	}, x)
}

// NormalPDF returns the density of standard normal numbers at x.
func NormalPDF(x core.Value) core.Value {
	return UnaryFloat("NormalPDF", func(v core.Value) core.Value {
		size := prim.Abs(v)
		far := prim.Ge(size, Num(size, 1024)) // where the product with the derivative would be of an infinity and 0
		zero := FillLike(Num(v, 0), v)
		v = Choose(far, zero, v)
		return Choose(far, zero, prim.Exp(prim.Sub(prim.Mul(Num(v, -0.5), prim.Square(v)), Num(v, math.Log(2*math.Pi)/2))))
	}, x)
}
