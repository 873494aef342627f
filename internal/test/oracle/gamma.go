package oracle

import (
	"math/big"
	"sync"
)

var bernoulli struct {
	mu sync.Mutex
	b  []*big.Rat // B₀, B₁, …
}

// Bernoulli returns B_n.
func Bernoulli(n int) *big.Rat {
	bernoulli.mu.Lock()
	defer bernoulli.mu.Unlock()
	for m := len(bernoulli.b); m <= n; m++ {
		// Σ C(m+1, k)·B_k = 0 over k ≤ m.
		s := new(big.Rat)
		for k := range m {
			c := new(big.Rat).SetInt(new(big.Int).Binomial(int64(m+1), int64(k)))
			s.Add(s, c.Mul(c, bernoulli.b[k]))
		}
		b := big.NewRat(1, 1)
		if m > 0 {
			b = s.Neg(s)
			b.Quo(b, big.NewRat(int64(m+1), 1))
		}
		bernoulli.b = append(bernoulli.b, b)
	}
	return bernoulli.b[n]
}

// gammaShift returns how far x > 0 is moved up before the asymptotic series is used.
func gammaShift(p uint, x *F) int {
	f, _ := x.Float64()
	return max(0, int(float64(p)/4+10-f))
}

func rat(p uint, r *big.Rat) *F { return at(p).SetRat(r) }

// Lgamma returns log|Γ(x)|; x must not be an integer ≤ 0.
func Lgamma(p uint, x *F) *F {
	if x.Sign() < 0 {
		// Γ(x)·Γ(1 − x) = π/sin πx
		q := p + 96 + uint(max(exp2of(x), 0)) + uint(max(-exp2of(x), 0))
		s, _ := SinCos(q, mul(q, x, Pi(q)))
		s.Abs(s)
		return at(p).Sub(Log(q, div(q, Pi(q), s)), Lgamma(q, sub(q+64, num(q, 1), x)))
	}
	q := p + 64
	// Near 1 and 2 the result is small, so more bits are needed.
	for _, z := range []float64{1, 2} {
		d := sub(2*q, x, num(8, z))
		if d.Sign() == 0 {
			return num(p, 0)
		}
		q += uint(max(0, -exp2of(d)))
	}
	n := gammaShift(q, x)
	y, prod := at(q+64).Set(x), num(q, 1)
	for range n {
		prod = mul(q, prod, y)
		y = add(q+64, y, num(8, 1))
	}
	s := mul(q, sub(q, y, num(q, 0.5)), Log(q, y))
	s = sub(q, s, y)
	s = add(q, s, scale(Log(q, scale(Pi(q), 1)), -1))
	w := div(q, num(q, 1), y)
	w2 := mul(q, w, w)
	for k := 2; ; k += 2 {
		c := rat(q, new(big.Rat).Quo(Bernoulli(k), big.NewRat(int64(k*(k-1)), 1)))
		t := mul(q, c, w)
		if tiny(t, q) {
			break
		}
		s = add(q, s, t)
		w = mul(q, w, w2)
	}
	if n == 0 {
		return at(p).Set(s)
	}
	return at(p).Sub(s, Log(q, prod))
}

// Digamma returns Γ'(x)/Γ(x); x must not be an integer ≤ 0.
func Digamma(p uint, x *F) *F {
	if x.Sign() < 0 {
		// ψ(x) = ψ(1 − x) − π/tan πx
		q := p + 96 + uint(max(exp2of(x), 0)) + uint(max(-exp2of(x), 0))
		s, c := SinCos(q, mul(q, x, Pi(q)))
		return at(p).Sub(Digamma(q, sub(q+64, num(q, 1), x)), div(q, mul(q, Pi(q), c), s))
	}
	q := p + 160 // there is one zero, and no f64 is nearer to it than 2^−54
	n := gammaShift(q, x)
	y, s := at(q+64).Set(x), num(q, 0)
	one := num(q, 1)
	for range n {
		s = sub(q, s, div(q, one, y))
		y = add(q+64, y, num(8, 1))
	}
	w := div(q, one, y)
	s = add(q, s, Log(q, y))
	s = sub(q, s, scale(w, -1))
	w2 := mul(q, w, w)
	u := at(q).Set(w2)
	for k := 2; ; k += 2 {
		c := rat(q, new(big.Rat).Quo(Bernoulli(k), big.NewRat(int64(k), 1)))
		t := mul(q, c, u)
		if tiny(t, q) {
			break
		}
		s = sub(q, s, t)
		u = mul(q, u, w2)
	}
	return at(p).Set(s)
}
