package stablehlo

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// besselI1e is exp(−|x|)·I₁(x): x times a Chebyshev series in x/2 − 2 up to 8, beyond it
// one in 32/x − 2 over √x. The coefficients were computed with 40 digits.
func besselI1e(x core.Value) core.Value {
	a := x.Aval()
	num := func(v float64) core.Value { return prim.Num(a, v) }
	abs := prim.Abs(x)
	near, far := besselI1Near, besselI1Far
	if a.DType == core.Float32 {
		near, far = near[:17], far[:9]
	}
	low := prim.Mul(abs, chebyshev(prim.Sub(prim.Mul(num(0.5), abs), num(2)), near))
	high := prim.Div(chebyshev(prim.Sub(prim.Div(num(32), abs), num(2)), far), prim.Sqrt(abs))
	y := prim.Where(prim.Le(abs, num(8)), low, high)
	return prim.Where(prim.Lt(x, num(0)), prim.Neg(y), y)
}

// chebyshev is c₀/2 + Σ cₖ·Tₖ(x/2) by Clenshaw's recurrence.
func chebyshev(x core.Value, c []float64) core.Value {
	a := x.Aval()
	num := func(v float64) core.Value { return prim.Num(a, v) }
	var b0, b1, b2 core.Value
	b0, b1 = prim.Full(a, c[len(c)-1]), prim.Zeros(a)
	for k := len(c) - 2; k >= 0; k-- {
		b2, b1 = b1, b0
		b0 = prim.Add(prim.Sub(prim.Mul(x, b1), b2), num(c[k]))
	}
	return prim.Mul(num(0.5), prim.Sub(b0, b2))
}

// besselI1Near are the coefficients of exp(−x)·I₁(x)/x on [0, 8].
var besselI1Near = []float64{
	0.252587186443633655,
	-0.176416518357834055,
	0.102643658689847095,
	-0.0529459812080949914,
	0.0247264490306265168,
	-0.0105640848946261982,
	0.00415642294431288816,
	-0.00151357245063125315,
	0.000512285956168575773,
	-0.000161760815825896746,
	0.0000478156510755005423,
	-0.0000132731636560394358,
	3.47025130813767848e-6,
	-8.56872026469545474e-7,
	2.00329475355213526e-7,
	-4.44505912879632808e-8,
	9.38153738649577178e-9,
	-1.88724975172282929e-9,
	3.62559028155211704e-10,
	-6.66348972350202774e-11,
	1.17361862988909016e-11,
	-1.98397439776494372e-12,
	3.22379336594557471e-13,
	-5.04218550472791169e-14,
	7.60068429473540693e-15,
	-1.10559694773538631e-15,
	1.55363195773620047e-16,
	-2.11142121435816608e-17,
	2.77791411276104637e-18,
	-3.54158177254213621e-19,
}

// besselI1Far are the coefficients of exp(−x)·√x·I₁(x) on [8, ∞).
var besselI1Far = []float64{
	0.77857623501828012,
	-0.00976109749136146841,
	-0.000110588938762623716,
	-3.88256480887769039e-6,
	-2.51223623787020893e-7,
	-2.63146884688951951e-8,
	-3.83538038596423702e-9,
	-5.58974346219658381e-10,
	-1.89749581235054123e-11,
	3.25260358301548824e-11,
	1.41258074366137813e-11,
	2.03562854414708951e-12,
	-7.19855177624590851e-13,
	-4.08355111109219732e-13,
	-2.10154184277266431e-14,
	4.27244001671195135e-14,
	1.04202769841288028e-14,
	-3.8144030724370078e-15,
	-1.88035477551078245e-15,
	3.30820231092092828e-16,
	2.96262899764595014e-16,
	-3.20952592199342396e-17,
	-4.65030536848935833e-17,
	4.41434832307170795e-18,
	7.51729631084210481e-18,
	-9.31417886732688338e-19,
}
