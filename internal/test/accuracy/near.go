package accuracy

import "math"

// near contains functions computed in f64 by Go's own library, or in a line or two here: fast, by
// other means than the kernels, and to far more than the 24 bits of an f32. Where their errors
// could decide, the truth decides; see Float32.
var near = map[string]func(x float64) float64{
	"exp": math.Exp, "exp2": math.Exp2, "expm1": math.Expm1, "log": math.Log, "log1p": math.Log1p,
	"tanh": math.Tanh, "logistic": logistic, "sin": math.Sin, "cos": math.Cos, "tan": math.Tan,
	"asin": math.Asin, "acos": acos, "atan": math.Atan, "sinh": math.Sinh, "cosh": math.Cosh,
	"asinh": math.Asinh, "acosh": math.Acosh, "atanh": math.Atanh, "sqrt": math.Sqrt,
	"rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) }, "cbrt": math.Cbrt,
	"erf": math.Erf, "erfc": math.Erfc, "erf_inv": math.Erfinv, "lgamma": lgamma, "digamma": digamma,
	"bessel_i0e": besselI0e, "bessel_i1e": besselI1e,
}

func logistic(x float64) float64 {
	if x < -700 {
		return math.Exp(x)
	}
	return 1 / (1 + math.Exp(-x))
}

// acos has a small relative error near 1, which π/2 − asin x does not have.
func acos(x float64) float64 {
	return 2 * math.Atan(math.Sqrt((1-x)/(1+x)))
}

func lgamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	if math.IsInf(x, -1) {
		return math.Inf(1)
	}
	return y
}

// digamma returns Γ'(x)/Γ(x), NaN at its poles but ∓∞ at ±0.
func digamma(x float64) float64 {
	switch {
	case x == 0:
		return -1 / x
	case x < 0:
		d := x - math.RoundToEven(x)
		if d == 0 || math.IsInf(x, -1) {
			return math.NaN()
		}
		return digamma(1-x) - math.Pi/math.Tan(math.Pi*d)
	}
	s := 0.0
	for x < 10 {
		s -= 1 / x
		x++
	}
	w := 1 / (x * x)
	t := w * (1.0/12 - w*(1.0/120-w*(1.0/252-w*(1.0/240-w*(1.0/132-w*(691.0/32760-w/12))))))
	return s + math.Log(x) - 0.5/x - t
}
