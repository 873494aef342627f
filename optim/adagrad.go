package optim

import "github.com/weft-go/weft"

// AdagradConfig configures [Adagrad]. Rate must be set.
type AdagradConfig struct {
	Rate  Schedule
	Start float64 // of the sums of squares; 0: 0.1, negative: 0
	Eps   float64 // added to the sum, within the root; 0: 1e-7, negative: 0
}

// Adagrad divides the gradient by the root of the sum of its squares so far (Duchi et al., 2011):
// s ← s + g², p − rate·g/√(s+ε).
type Adagrad[P any] struct {
	Config AdagradConfig
	Sum    P
	Step   weft.Array // steps done
}

// NewAdagrad returns the state before the first step.
func NewAdagrad[P any](p P, c AdagradConfig) Adagrad[P] {
	requireRate("NewAdagrad", c.Rate)
	sum := weft.TreeMap(func(x weft.Array) weft.Array {
		if !x.DType().IsInexact() {
			return x
		}
		return x.Add(orNone(c.Start, 0.1))
	}, zeros(p, true))
	return Adagrad[P]{Config: c, Sum: sum, Step: start()}
}

// Update returns the parameters after a step.
func (o *Adagrad[P]) Update(p, g P) P {
	requireNonNil("Adagrad.Update", o)
	c := o.Config
	rate := rateAt("Adagrad", c.Rate, o.Step)
	eps := orNone(c.Eps, 1e-7)
	next(&o.Step)
	return each("Adagrad", p, g, func(_ int, w, g weft.Array, s []weft.Array) weft.Array {
		s[0] = s[0].Add(square(g))
		some := s[0].Gt(0)
		by := weft.Where(some, weft.Rsqrt(weft.Where(some, s[0].Add(eps), 1)), 0)
		return descend(w, g.Mul(by), rate)
	}, &o.Sum)
}
