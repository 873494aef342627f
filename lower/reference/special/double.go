package special

import "math"

// A Double is the sum of two f64, the second at most half an ulp of the first. Tables and
// special functions are computed with it where f64 loses digits. Only operations that are rounded
// once (sums, products, quotients, roots and fma) are used, so that all machines have the same bits.
type Double struct{ Hi, Lo float64 }

var DoublePi = Double{math.Pi, 0x1.1a62633145c07p-53}

// QuotientOf returns a/b.
func QuotientOf(a, b float64) Double { return now.quotientOf(a, b) }

func (a Double) Value() float64            { return a.Hi + a.Lo }
func (a Double) Neg() Double               { return now.pairNeg(a) }
func (a Double) Add(b Double) Double       { return now.pairAdd(a, b) }
func (a Double) Sub(b Double) Double       { return now.pairSub(a, b) }
func (a Double) AddFloat(b float64) Double { return now.addFloat(a, b) }
func (a Double) Mul(b Double) Double       { return now.pairMul(a, b) }
func (a Double) MulFloat(b float64) Double { return now.mulFloat(a, b) }
func (a Double) DivFloat(b float64) Double { return now.divFloat(a, b) }
