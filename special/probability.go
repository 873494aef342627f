package special

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/nd"
)

// The functions with derivatives of their own. Their rules call the exported functions, so that
// derivatives of higher order have rules, too.
var (
	xlogy, xlog1py                    func(two) weft.Array
	entr, logit, ndtr, ndtri, logNdTr func(weft.Array) weft.Array
)

// two are the operands of a function with a derivative of its own.
type two struct{ X, Y weft.Array }

func init() {
	xlogy = custom.JVP(
		func(p two) weft.Array {
			return weft.Where(p.X.Eq(0).And(weft.IsNaN(p.Y).Not()), 0., p.X.Mul(weft.Log(p.Y)))
		},
		func(p, t two) (weft.Array, weft.Array) {
			return Xlogy(p.X, p.Y), t.X.Mul(weft.Log(p.Y)).Add(t.Y.Mul(p.X).Div(p.Y))
		}, weft.Name("xlogy"))
}

// Xlogy returns x·log y, and 0 where x is 0 and y is a number.
func Xlogy[X, Y weft.Operand](x X, y Y) weft.Array {
	in := arrays("Xlogy", x, y)
	return nd.WithJAXPromotion(func() weft.Array { return xlogy(two{in[0], in[1]}) })
}

func init() {
	xlog1py = custom.JVP(
		func(p two) weft.Array {
			return weft.Where(p.X.Eq(0).And(weft.IsNaN(p.Y).Not()), 0., p.X.Mul(weft.Log1p(p.Y)))
		},
		func(p, t two) (weft.Array, weft.Array) {
			return Xlog1py(p.X, p.Y), t.X.Mul(weft.Log1p(p.Y)).Add(t.Y.Mul(p.X).Div(p.Y.Add(1)))
		}, weft.Name("xlog1py"))
}

// Xlog1py returns x·log(1 + y), and 0 where x is 0 and y is a number.
func Xlog1py[X, Y weft.Operand](x X, y Y) weft.Array {
	in := arrays("Xlog1py", x, y)
	return nd.WithJAXPromotion(func() weft.Array { return xlog1py(two{in[0], in[1]}) })
}

func init() {
	entr = custom.JVP(
		func(x weft.Array) weft.Array {
			return weft.Where(x.Lt(0), math.Inf(-1), weft.Where(x.Eq(0), 0., Xlogy(x, x).Neg()))
		},
		func(x, t weft.Array) (weft.Array, weft.Array) {
			return Entr(x), t.Mul(weft.Log(x).Add(1)).Neg()
		}, weft.Name("entr"))
}

// Entr returns −x·log x, 0 at 0, and −∞ where x is negative.
func Entr(x weft.Array) weft.Array {
	x = arrays("Entr", x)[0]
	return nd.WithJAXPromotion(func() weft.Array { return entr(x) })
}

// RelEntr returns x·log(x/y), 0 where x is 0 and y ≥ 0, and ∞ where an operand is negative or
// only y is 0.
func RelEntr[X, Y weft.Operand](x X, y Y) weft.Array {
	in := arrays("RelEntr", x, y)
	return nd.WithJAXPromotion(func() weft.Array { return relEntr(in[0], in[1]) })
}

func relEntr(x, y weft.Array) weft.Array {
	inside := x.Gt(0).And(y.Gt(0))
	nan := weft.IsNaN(x).Or(weft.IsNaN(y))
	// The other operands are replaced, so that their derivatives are finite.
	p, q := weft.Where(inside, x, 1.), weft.Where(inside, y, 1.)
	ratio := p.Div(q)
	// A quotient below the normal numbers has lost digits.
	least := map[weft.DType]float64{weft.Float64: 0x1p-1022, weft.Float16: 0x1p-14}[x.DType()]
	if least == 0 {
		least = 0x1p-126
	}
	far := ratio.Lt(least).Or(weft.IsInf(ratio))
	log := weft.Where(far, weft.Log(p).Sub(weft.Log(q)), weft.Log(weft.Where(far, 1., ratio)))
	zero := x.Eq(0).And(y.Ge(0))
	edge := weft.Where(nan, math.NaN(), weft.Where(zero, 0., math.Inf(1)))
	return weft.Where(inside, p.Mul(log), edge)
}

// KlDiv returns x·log(x/y) − x + y, y where x is 0 and y ≥ 0, and ∞ elsewhere outside the
// positive numbers.
func KlDiv[X, Y weft.Operand](x X, y Y) weft.Array {
	in := arrays("KlDiv", x, y)
	return nd.WithJAXPromotion(func() weft.Array {
		x, y := in[0], in[1]
		r := relEntr(x, y)
		outside := x.Lt(0).Or(y.Lt(0)).Or(x.Gt(0).And(y.Eq(0)))
		return weft.Where(x.Eq(0).And(y.Ge(0)), y, weft.Where(outside, r, r.Sub(x).Add(y)))
	})
}

func init() {
	logit = custom.JVP(
		func(x weft.Array) weft.Array {
			twice := x.Mul(2).Sub(1)
			middle := weft.Abs(twice).Lt(0.5)
			twice = weft.Where(middle, twice, 0.)
			near := weft.Log1p(twice).Sub(weft.Log1p(twice.Neg()))
			return weft.Where(middle, near, weft.Log(x.Div(weft.Sub(1, x))))
		},
		func(x, t weft.Array) (weft.Array, weft.Array) {
			return Logit(x), t.Div(x.Mul(weft.Sub(1, x)))
		}, weft.Name("logit"))
}

// Logit returns log(x / (1 − x)), the inverse of Expit.
func Logit(x weft.Array) weft.Array {
	x = arrays("Logit", x)[0]
	return nd.WithJAXPromotion(func() weft.Array { return logit(x) })
}

// Expit returns 1 / (1 + e^(−x)).
func Expit(x weft.Array) weft.Array { return unary("Expit", prim.Logistic, x) }

// halfRoot64 and halfRoot32 are √½ in two parts, whose sum has twice the precision of f64 or f32.
var halfRoot64, halfRoot32 = [2]float64{0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55}, [2]float64{0x1.6a09e6p-1, 0x1.9fcef4p-27}

func init() {
	ndtr = custom.JVP(
		func(x weft.Array) weft.Array {
			x = weft.Maximum(weft.Minimum(x, 40.), -40.)
			root, split := halfRoot32, 4097.
			if x.DType() == weft.Float64 {
				root, split = halfRoot64, 134217729.
			}
			// a + e is −x·√½ in twice the precision: x and √½ are split in halves, whose products
			// are exact.
			halves := func(v weft.Array) (hi, lo weft.Array) {
				t := v.Mul(split)
				hi = t.Sub(t.Sub(v))
				return hi, v.Sub(hi)
			}
			c := weft.FullLike(x, -root[0])
			a := x.Mul(c)
			xh, xl := halves(x)
			ch, cl := halves(c)
			e := xh.Mul(ch).Sub(a).Add(xh.Mul(cl)).Add(xl.Mul(ch)).Add(xl.Mul(cl)).Sub(x.Mul(root[1]))
			return Erfc(a).Mul(0.5).Sub(e.Mul(weft.Exp(weft.Square(a).Neg())).Mul(1 / math.Sqrt(math.Pi)))
		},
		func(x, t weft.Array) (weft.Array, weft.Array) {
			return NdTr(x), t.Mul(weft.Exp(weft.Square(x).Mul(-0.5))).Mul(1 / math.Sqrt(2*math.Pi))
		}, weft.Name("ndtr"))
}

// NdTr returns the probability that a standard normal number is below x.
func NdTr(x weft.Array) weft.Array {
	x = arrays("NdTr", x)[0]
	return nd.WithJAXPromotion(func() weft.Array { return computeIn32(x, ndtr) })
}

// The rational approximations of NdTrI are those of the Cephes library by S. Moshier: P0/Q0 where
// |p − ½| < ½ − e^(−2), else P1/Q1 where z = √(−2·log p) is below 8, and P2/Q2 from there on. The first
// coefficient is that of the highest power.
var (
	ndtriP0 = []float64{-5.99633501014107895267e1, 9.80010754185999661536e1, -5.66762857469070293439e1, 1.39312609387279679503e1, -1.23916583867381258016}
	ndtriQ0 = []float64{1, 1.95448858338141759834, 4.67627912898881538453, 8.63602421390890590575e1, -2.25462687854119370527e2, 2.00260212380060660359e2, -8.20372256168333339912e1, 1.59056225126211695515e1, -1.18331621121330003142}
	ndtriP1 = []float64{4.05544892305962419923, 3.15251094599893866154e1, 5.71628192246421288162e1, 4.40805073893200834700e1, 1.46849561928858024014e1, 2.18663306850790267539, -1.40256079171354495875e-1, -3.50424626827848203418e-2, -8.57456785154685413611e-4}
	ndtriQ1 = []float64{1, 1.57799883256466749731e1, 4.53907635128879210584e1, 4.13172038254672030440e1, 1.50425385692907503408e1, 2.50464946208309415979, -1.42182922854787788574e-1, -3.80806407691578277194e-2, -9.33259480895457427372e-4}
	ndtriP2 = []float64{3.23774891776946035970, 6.91522889068984211695, 3.93881025292474443415, 1.33303460815807542389, 2.01485389549179081538e-1, 1.23716634817820021358e-2, 3.01581553508235416007e-4, 2.65806974686737550832e-6, 6.23974539184983293730e-9}
	ndtriQ2 = []float64{1, 6.02427039364742014255, 3.67983563856160859403, 1.37702099489081330271, 2.16236993594496635890e-1, 1.34204006088543189037e-2, 3.28014464682127739104e-4, 2.89247864745380683936e-6, 6.79019408009981274425e-9}
)

func horner(c []float64, x weft.Array) weft.Array {
	y := weft.FullLike(x, c[0])
	for _, v := range c[1:] {
		y = y.Mul(x).Add(v)
	}
	return y
}

func rational(p, q []float64, x weft.Array) weft.Array { return horner(p, x).Div(horner(q, x)) }

func init() {
	ndtri = custom.JVP(
		func(p weft.Array) weft.Array {
			edge := math.Exp(-2)
			upper := p.Gt(1 - edge)
			tail := weft.Where(upper, weft.Sub(1, p), p)
			middle := tail.Gt(edge)
			w := tail.Sub(0.5)
			ww := weft.Square(w)
			center := w.Add(w.Mul(ww).Mul(rational(ndtriP0, ndtriQ0, ww))).Mul(math.Sqrt(2 * math.Pi))
			z := weft.Sqrt(weft.Log(weft.Where(tail.Eq(0), 0.5, tail)).Mul(-2))
			z = weft.Where(middle, 2., z)
			first := z.Sub(weft.Log(z).Div(z))
			r := weft.Reciprocal(z)
			far := z.Ge(8)
			outer := weft.Where(far, rational(ndtriP2, ndtriQ2, r), rational(ndtriP1, ndtriQ1, r)).Div(z).Sub(first)
			x := weft.Where(middle, center, outer)
			x = weft.Where(upper, x.Neg(), x)
			inside := p.Gt(0).And(p.Lt(1))
			x = weft.Where(inside, x, math.NaN())
			return weft.Where(p.Eq(0), math.Inf(-1), weft.Where(p.Eq(1), math.Inf(1), x))
		},
		func(p, t weft.Array) (weft.Array, weft.Array) {
			x := NdTrI(p)
			return x, t.Mul(weft.Exp(weft.Square(x).Mul(0.5))).Mul(math.Sqrt(2 * math.Pi))
		}, weft.Name("ndtri"))
}

// NdTrI returns the x with NdTr(x) = p.
func NdTrI(p weft.Array) weft.Array {
	p = arrays("NdTrI", p)[0]
	return nd.WithJAXPromotion(func() weft.Array { return computeIn32(p, ndtri) })
}

// computeIn32 applies f, to numbers of 16 bits in f32: the constants of f need that range.
func computeIn32(x weft.Array, f func(weft.Array) weft.Array) weft.Array {
	if dt := x.DType(); dt.Bits() < 32 {
		return f(x.AsType(weft.Float32)).AsType(dt)
	}
	return f(x)
}

// leftTail returns the values of the asymptotic series of Φ(x), which is used far to the left.
// tail holds where x is below edge; far is x there and edge elsewhere. sum is 1 − 1/x² + 3/x⁴ −
// 15/x⁶ + … of far, which is Φ(x)·|x| / φ(x).
func leftTail(x weft.Array) (tail, far, sum weft.Array, edge float64) {
	edge, terms := -10., 6
	if x.DType() == weft.Float64 {
		edge, terms = -20, 11
	}
	tail = x.Lt(edge)
	far = weft.Where(tail, x, edge)
	s := weft.Reciprocal(weft.Square(far)).Neg()
	sum = weft.OnesLike(x)
	for k := terms; k >= 1; k-- {
		sum = sum.Mul(s).Mul(float64(2*k - 1)).Add(1)
	}
	return tail, far, sum, edge
}

func init() {
	logNdTr = custom.JVP(
		func(x weft.Array) weft.Array {
			tail, far, sum, edge := leftTail(x)
			positive := x.Gt(0)
			upper := weft.Log1p(NdTr(weft.Where(positive, x, 0.).Neg()).Neg())
			inside := weft.Log(NdTr(weft.Where(tail, edge, weft.Where(positive, 0., x))))
			series := weft.Square(far).Mul(-0.5).Sub(weft.Log(far.Neg())).Sub(0.5 * math.Log(2*math.Pi)).Add(weft.Log(sum))
			return weft.Where(tail, series, weft.Where(positive, upper, inside))
		},
		func(x, t weft.Array) (weft.Array, weft.Array) {
			y := LogNdTr(x)
			// φ(x)/Φ(x). Where both are tiny, the difference of their logarithms has few digits.
			tail, far, sum, edge := leftTail(x)
			inside := weft.Square(weft.Where(tail, edge, x)).Mul(-0.5).Sub(weft.Where(tail, 0., y)).Sub(0.5 * math.Log(2*math.Pi))
			return y, t.Mul(weft.Where(tail, far.Neg().Div(sum), weft.Exp(inside)))
		}, weft.Name("log_ndtr"))
}

// LogNdTr returns log NdTr(x), accurate where that is close to 0 or 1.
func LogNdTr(x weft.Array) weft.Array {
	x = arrays("LogNdTr", x)[0]
	return nd.WithJAXPromotion(func() weft.Array { return computeIn32(x, logNdTr) })
}
