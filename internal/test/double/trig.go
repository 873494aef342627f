package double

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/weft-go/weft/internal/test/oracle"
)

var (
	pi      = Round(oracle.Pi(250))
	piHalf  = pi.scale(0.5)
	sinCoef = ratios(15, alternating, func(k int64) *big.Int { return factorial(2*k + 1) })
	cosCoef = ratios(15, alternating, func(k int64) *big.Int { return factorial(2 * k) })
)

// turnWords are 64·20 bits of 2/π behind the binary point, and 128 zeros before them.
var turnWords = func() (w [22]uint64) {
	const p = 64 * 20
	t := new(big.Float).SetPrec(p+64).Quo(big.NewFloat(2), oracle.Pi(p+64))
	i, _ := t.SetMantExp(t, p).Int(nil)
	for k := len(w) - 1; k >= 2; k-- {
		w[k] = new(big.Int).And(i, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		i.Rsh(i, 64)
	}
	return w
}()

// reduce returns n and r with x = n·π/2 + r, |r| ≤ π/4 or a little more; n counts modulo 4.
// It multiplies with those 256 bits of 2/π that matter.
func reduce(x float64) (n int, r D) {
	a := math.Abs(x)
	if a < 0.78 {
		return 0, Of(x)
	}
	b := math.Float64bits(a)
	e := int(b>>52) - 1075 // a = m·2^e
	m := b&(1<<52-1) | 1<<52
	// Bits of 2/π from 2^(1−e) down are multiples of four turns of π/2.
	at := max(e-2, -64) + 128 // the first bit that is read, in turnWords
	shift := at - 128 - (e - 2)
	k, s := at/64, uint(at%64)
	var w [4]uint64
	for i := range w {
		w[i] = turnWords[k+i] << s
		if s > 0 {
			w[i] |= turnWords[k+i+1] >> (64 - s)
		}
	}
	// m·w modulo 2²⁵⁶; its first two bits are the quarter turns, if nothing was shifted.
	var f [4]uint64
	var carry uint64
	for i := 3; i >= 0; i-- {
		hi, lo := bits.Mul64(m, w[i])
		var c uint64
		f[i], c = bits.Add64(lo, carry, 0)
		carry = hi + c
	}
	if shift != 0 {
		panic("BUG: double: an argument so small needs no such reduction")
	}
	n = int(f[0] >> 62)
	neg := f[0]>>61&1 == 1 // past the middle: the next quarter, from above
	if neg {
		n++
	}
	f[0] = f[0] << 2 >> 2
	if neg {
		// 1 − f.
		var borrow uint64
		for i := 3; i >= 0; i-- {
			f[i], borrow = bits.Sub64(0, f[i], borrow)
		}
		f[0] = f[0] << 2 >> 2
	}
	var t D
	for i := 3; i >= 0; i-- {
		hi, lo := float64(f[i]>>32), float64(f[i]<<32>>32)
		t = Of(math.Ldexp(lo, 2-64*(i+1))).Add(t)
		t = Of(math.Ldexp(hi, 2+32-64*(i+1))).Add(t)
	}
	if neg {
		t = t.Neg()
	}
	r = t.Mul(piHalf)
	if x < 0 {
		return -n & 3, r.Neg()
	}
	return n & 3, r
}

// SinCos returns the sine and cosine of x.
func SinCos(x float64) (sin, cos D) {
	n, r := reduce(x)
	return turn(n, r)
}

// turn returns the sine and cosine of n·π/2 + r.
func turn(n int, r D) (sin, cos D) {
	z := r.Mul(r)
	s, c := r.Mul(series(z, sinCoef, 6)), series(z, cosCoef, 6)
	switch n {
	case 1:
		return c, s.Neg()
	case 2:
		return s.Neg(), c.Neg()
	case 3:
		return c.Neg(), s
	}
	return s, c
}

// Sin returns the sine of the f64 x.
func Sin(x D) D { s, _ := SinCos(x.Hi); return s }

// Cos returns the cosine of the f64 x.
func Cos(x D) D { _, c := SinCos(x.Hi); return c }

// Tan returns the tangent of the f64 x.
func Tan(x D) D {
	s, c := SinCos(x.Hi)
	return s.Div(c)
}

// Atan returns the arc tangent.
func Atan(x D) D {
	y := math.Atan(x.Hi)
	s, c := SinCos(y)
	// tan(atan x − y) = (x·c − s)/(c + x·s)
	return Of(y).Add(x.Mul(c).Sub(s).Div(c.Add(x.Mul(s))))
}

// Atan2 returns the angle of the point (x, y); neither may be zero.
func Atan2(y, x D) D {
	a := Atan(y.Div(x))
	if x.Hi < 0 {
		return a.Add(signed(pi, y))
	}
	return a
}

// Asin returns the arc sine for |x| ≤ 1.
func Asin(x D) D {
	a := x.Abs()
	if a.Hi > 0.5 {
		return signed(piHalf.Sub(arcRoot(a)), x)
	}
	return signed(asin(a), x)
}

// arcRoot returns π/2 − asin x for x > ½.
func arcRoot(x D) D { return asin(Of(1).Sub(x).scale(0.5).Sqrt()).scale(2) }

// asin returns the arc sine for |x| up to √½: a step of Newton's, the second derivative
// included.
func asin(x D) D {
	y := math.Asin(x.Hi)
	s, c := SinCos(y)
	d := x.Sub(s).Div(c)
	return Of(y).Add(d).Add(d.Mul(d).Mul(s.Div(c)).scale(0.5))
}

// Acos returns the arc cosine for |x| ≤ 1.
func Acos(x D) D {
	switch {
	case x.Hi > 0.5:
		return arcRoot(x)
	case x.Hi < -0.5:
		return pi.Sub(arcRoot(x.Neg()))
	}
	return piHalf.Sub(signed(asin(x.Abs()), x))
}
