package oracle

import "math/big"

// C is a complex number.
type C struct{ Re, Im *F }

// NumC returns x + iy exactly.
func NumC(z complex128) C { return C{Num(real(z)), Num(imag(z))} }

func (z C) add(p uint, w C) C { return C{add(p, z.Re, w.Re), add(p, z.Im, w.Im)} }
func (z C) sub(p uint, w C) C { return C{sub(p, z.Re, w.Re), sub(p, z.Im, w.Im)} }

func (z C) neg() C { return C{new(F).Neg(z.Re), new(F).Neg(z.Im)} }

// timesI returns i·z.
func (z C) timesI() C { return C{new(F).Neg(z.Im), z.Re} }

// overI returns −i·z.
func (z C) overI() C { return C{z.Im, new(F).Neg(z.Re)} }

func realC(p uint, x float64) C { return C{num(p, x), num(p, 0)} }

// AbsC returns |z|.
func AbsC(p uint, z C) *F {
	q := p + 16
	return Sqrt(p, add(q, mul(2*q+128, z.Re, z.Re), mul(2*q+128, z.Im, z.Im)))
}

// MulC returns z·w.
func MulC(p uint, z, w C) C {
	q := p + 200
	return C{sub(p, mul(q, z.Re, w.Re), mul(q, z.Im, w.Im)), add(p, mul(q, z.Re, w.Im), mul(q, z.Im, w.Re))}
}

// DivC returns z/w.
func DivC(p uint, z, w C) C {
	q := p + 200
	n := MulC(q, z, C{w.Re, new(F).Neg(w.Im)})
	d := add(q, mul(q, w.Re, w.Re), mul(q, w.Im, w.Im))
	return C{div(p, n.Re, d), div(p, n.Im, d)}
}

// guard is the number of additional bits for formulas that cancel, for arguments of moderate
// size.
const guard = 260

// ExpC returns e^z.
func ExpC(p uint, z C) C {
	e := Exp(p+16, z.Re)
	s, c := SinCos(p+16, z.Im)
	return C{mul(p, e, c), mul(p, e, s)}
}

// LogC returns log z on the principal branch.
func LogC(p uint, z C) C {
	q := p + guard
	m := add(2*q, mul(2*q, z.Re, z.Re), mul(2*q, z.Im, z.Im))
	return C{at(p).Set(scale(Log(q, m), -1)), Atan2(p, z.Im, z.Re)}
}

// SqrtC returns √z with real part ≥ 0.
func SqrtC(p uint, z C) C {
	q := p + guard
	m := AbsC(q, z)
	re := Sqrt(q, scale(add(q, m, z.Re), -1))
	im := Sqrt(q, scale(sub(q, m, z.Re), -1))
	if z.Im.Signbit() {
		im.Neg(im)
	}
	return C{at(p).Set(re), at(p).Set(im)}
}

// RsqrtC returns 1/√z.
func RsqrtC(p uint, z C) C { return DivC(p, realC(p, 1), SqrtC(p+16, z)) }

// Expm1C returns e^z − 1.
func Expm1C(p uint, z C) C { return ExpC(p+guard, z).sub(p, realC(p, 1)) }

// Log1pC returns log(1 + z), where z stays on its side of the cut.
func Log1pC(p uint, z C) C {
	return LogC(p, C{add(2*p+guard, z.Re, num(p, 1)), z.Im})
}

// Exp2C returns 2^z.
func Exp2C(p uint, z C) C {
	l := Ln2(p + 200)
	return ExpC(p, C{mul(p+200, z.Re, l), mul(p+200, z.Im, l)})
}

// LogisticC returns 1/(1 + e^−z).
func LogisticC(p uint, z C) C {
	q := p + guard
	return DivC(p, realC(q, 1), ExpC(q, z.neg()).add(q, realC(q, 1)))
}

// SinhC returns (e^z − e^−z)/2.
func SinhC(p uint, z C) C {
	q := p + guard
	d := ExpC(q, z).sub(q, ExpC(q, z.neg()))
	return C{at(p).Set(scale(d.Re, -1)), at(p).Set(scale(d.Im, -1))}
}

// CoshC returns (e^z + e^−z)/2.
func CoshC(p uint, z C) C {
	q := p + guard
	d := ExpC(q, z).add(q, ExpC(q, z.neg()))
	return C{at(p).Set(scale(d.Re, -1)), at(p).Set(scale(d.Im, -1))}
}

// TanhC returns sinh z/cosh z.
func TanhC(p uint, z C) C { return DivC(p, SinhC(p+guard, z), CoshC(p+guard, z)) }

// SinC returns −i·sinh iz.
func SinC(p uint, z C) C { return SinhC(p, z.timesI()).overI() }

// CosC returns cosh iz.
func CosC(p uint, z C) C { return CoshC(p, z.timesI()) }

// TanC returns −i·tanh iz.
func TanC(p uint, z C) C { return TanhC(p, z.timesI()).overI() }

// AsinhC returns log(z + √(z² + 1)), AsinC −i·asinh iz.
func AsinhC(p uint, z C) C {
	q := p + guard
	// Compute on the side where nothing cancels; the function is odd.
	if z.Re.Signbit() {
		return AsinhC(p, z.neg()).neg()
	}
	// √(z + i)·√(z − i), which has the right cuts.
	i := C{num(q, 0), num(q, 1)}
	s := MulC(q, SqrtC(q, z.add(2*q, i)), SqrtC(q, z.sub(2*q, i)))
	return LogC(p, s.add(q, z))
}

// AsinC returns the arc sine.
func AsinC(p uint, z C) C { return AsinhC(p, z.timesI()).overI() }

// AcosC returns π/2 − asin z.
func AcosC(p uint, z C) C {
	q := p + guard
	a := AsinC(q, z)
	return C{sub(p, scale(Pi(q), -1), a.Re), at(p).Neg(a.Im)}
}

// AcoshC returns ±i·acos z, with real part ≥ 0.
func AcoshC(p uint, z C) C {
	a := AcosC(p, z)
	im := new(F).Set(a.Re)
	if z.Im.Signbit() {
		im.Neg(im)
	}
	return C{new(F).Abs(a.Im), im}
}

// AtanhC returns ½·(log(1 + z) − log(1 − z)).
func AtanhC(p uint, z C) C {
	q := p + guard
	one := realC(q, 1)
	// Keep −0 on one side of the cut: no difference of zeros is −0.
	minus := C{sub(2*q, one.Re, z.Re), new(F).Neg(z.Im)}
	plus := C{add(2*q, one.Re, z.Re), z.Im}
	d := LogC(q, plus).sub(q, LogC(q, minus))
	return C{at(p).Set(scale(d.Re, -1)), at(p).Set(scale(d.Im, -1))}
}

// AtanC returns −i·atanh iz.
func AtanC(p uint, z C) C { return AtanhC(p, z.timesI()).overI() }

// PowC returns e^(w·log z).
func PowC(p uint, z, w C) C { return ExpC(p, MulC(p+guard, w, LogC(p+guard, z))) }

// SignC returns z/|z|.
func SignC(p uint, z C) C {
	m := AbsC(p+32, z)
	return C{div(p, z.Re, m), div(p, z.Im, m)}
}

// SquareC returns z².
func SquareC(p uint, z C) C { return MulC(p, z, z) }

// Off returns |got − want| divided by u.
func Off(got complex128, want C, u float64) float64 {
	const p = 200
	d := NumC(got).sub(p, want)
	m := AbsC(p, d)
	e, _ := new(big.Float).Quo(m, num(p, u)).Float64()
	return e
}
