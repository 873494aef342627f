package block

import "math"

// Times returns the product, rounded: Go may fuse a product and a sum otherwise.
func Times(a, b float64) float64 { return float64(a * b) }

// Complex is a complex number in f64, of Fourier transforms and of the scalars of factorizations.
type Complex struct{ Re, Im float64 }

// Mul returns a·b. Of each part, the second product is rounded, and an fma adds the first one to it.
func (a Complex) Mul(b Complex) Complex {
	return Complex{math.FMA(a.Re, b.Re, -Times(a.Im, b.Im)), math.FMA(a.Re, b.Im, Times(a.Im, b.Re))}
}
func (a Complex) Add(b Complex) Complex { return Complex{a.Re + b.Re, a.Im + b.Im} }
func (a Complex) Sub(b Complex) Complex { return Complex{a.Re - b.Re, a.Im - b.Im} }
func (a Complex) Conj() Complex         { return Complex{a.Re, -a.Im} }
func (a Complex) Neg() Complex          { return Complex{-a.Re, -a.Im} }
func (a Complex) Scale(f float64) Complex {
	return Complex{Times(a.Re, f), Times(a.Im, f)}
}
func (a Complex) Size() float64 { return math.Abs(a.Re) + math.Abs(a.Im) }
func (a Complex) Abs() float64  { return Hypot(a.Re, a.Im) }

// Div returns a/b by Smith's method.
func (a Complex) Div(b Complex) Complex {
	if math.Abs(b.Re) >= math.Abs(b.Im) {
		r := b.Im / b.Re
		d := math.FMA(b.Im, r, b.Re)
		return Complex{math.FMA(a.Im, r, a.Re) / d, math.FMA(-a.Re, r, a.Im) / d}
	}
	r := b.Re / b.Im
	d := math.FMA(b.Re, r, b.Im)
	return Complex{math.FMA(a.Re, r, a.Im) / d, math.FMA(a.Im, r, -a.Re) / d}
}

// Sqrt returns the root with a real part that is not negative.
func (a Complex) Sqrt() Complex {
	if a.Re == 0 && a.Im == 0 {
		return a
	}
	w := math.Sqrt((math.Abs(a.Re) + a.Abs()) / 2)
	if a.Re >= 0 {
		return Complex{w, a.Im / (2 * w)}
	}
	return Complex{math.Abs(a.Im) / (2 * w), math.Copysign(w, a.Im)}
}

// Hypot returns √(a² + b²) without squaring the larger number.
func Hypot(a, b float64) float64 {
	const sign = 1 << 63
	i, k := math.Float64bits(a)&^sign, math.Float64bits(b)&^sign
	a, b = math.Float64frombits(max(i, k)), math.Float64frombits(min(i, k)) // in the order of the numbers, without branches
	if b == 0 || math.IsInf(a, 0) {
		return a
	}
	q := b / a
	return Times(a, math.Sqrt(math.FMA(q, q, 1)))
}
