package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// accurate reads a primitive whose accuracy a text might show. There is one
// accuracy.
func accurate(p core.Primitive) func(*jaxpr.ParamReader) core.Primitive {
	return func(r *jaxpr.ParamReader) core.Primitive {
		r.MustBe("accuracy", "None")
		return p
	}
}

var elementwiseWords = words{
	"abs":                    word(AbsP{}),
	"acos":                   word(AcosP{}),
	"acosh":                  word(AcoshP{}),
	"add":                    word(AddP{}),
	"add_any":                word(AddAnyP{}),
	"and":                    word(AndP{}),
	"asin":                   word(AsinP{}),
	"asinh":                  word(AsinhP{}),
	"atan":                   word(AtanP{}),
	"atan2":                  word(Atan2P{}),
	"atanh":                  word(AtanhP{}),
	"cbrt":                   accurate(CbrtP{}),
	"ceil":                   word(CeilP{}),
	"clamp":                  word(ClampP{}),
	"clz":                    word(ClzP{}),
	"complex":                word(ComplexP{}),
	"copy":                   word(CopyP{}),
	"cos":                    accurate(CosP{}),
	"cosh":                   word(CoshP{}),
	"digamma":                word(DigammaP{}),
	"div":                    word(DivP{}),
	"eq":                     word(EqP{}),
	"eq_to":                  word(EqToP{}),
	"erf":                    word(ErfP{}),
	"erf_inv":                word(ErfInvP{}),
	"erfc":                   word(ErfcP{}),
	"exp":                    accurate(ExpP{}),
	"exp2":                   accurate(Exp2P{}),
	"expm1":                  accurate(Expm1P{}),
	"floor":                  word(FloorP{}),
	"ge":                     word(GeP{}),
	"gt":                     word(GtP{}),
	"imag":                   word(ImagP{}),
	"is_finite":              word(IsFiniteP{}),
	"le":                     word(LeP{}),
	"le_to":                  word(LeToP{}),
	"lgamma":                 word(LgammaP{}),
	"log":                    accurate(LogP{}),
	"log1p":                  accurate(Log1pP{}),
	"logistic":               accurate(LogisticP{}),
	"lt":                     word(LtP{}),
	"lt_to":                  word(LtToP{}),
	"max":                    word(MaxP{}),
	"min":                    word(MinP{}),
	"mulhi":                  word(MulHiP{}),
	"ne":                     word(NeP{}),
	"neg":                    word(NegP{}),
	"nextafter":              word(NextafterP{}),
	"not":                    word(NotP{}),
	"optimization_barrier":   word(OptimizationBarrierP{}),
	"or":                     word(OrP{}),
	"polygamma":              word(PolygammaP{}),
	"population_count":       word(PopulationCountP{}),
	"pow":                    word(PowP{}),
	"real":                   word(RealP{}),
	"rem":                    word(RemP{}),
	"rsqrt":                  accurate(RsqrtP{}),
	"select_n":               word(SelectNP{}),
	"shift_left":             word(ShiftLeftP{}),
	"shift_right_arithmetic": word(ShiftRightArithmeticP{}),
	"shift_right_logical":    word(ShiftRightLogicalP{}),
	"sign":                   word(SignP{}),
	"sin":                    accurate(SinP{}),
	"sinh":                   word(SinhP{}),
	"sqrt":                   accurate(SqrtP{}),
	"square":                 word(SquareP{}),
	"stop_gradient":          word(StopGradientP{}),
	"sub":                    word(SubP{}),
	"tan":                    accurate(TanP{}),
	"tanh":                   accurate(TanhP{}),
	"xor":                    word(XorP{}),

	"bitcast_convert_type": func(r *jaxpr.ParamReader) core.Primitive {
		return BitcastConvertTypeP{NewDType: r.DType("new_dtype")}
	},
	"conj": func(r *jaxpr.ParamReader) core.Primitive {
		return ConjP{InputDType: r.DType("input_dtype")}
	},
	"convert_element_type": func(r *jaxpr.ParamReader) core.Primitive {
		r.MustBe("sharding", "None")
		return ConvertElementTypeP{NewDType: r.DType("new_dtype"), WeakType: r.Bool("weak_type")}
	},
	"integer_pow": func(r *jaxpr.ParamReader) core.Primitive { return IntegerPowP{Y: r.Int("y")} },
	"mul": func(r *jaxpr.ParamReader) core.Primitive {
		r.MustBe("out_dtype", "None")
		return MulP{}
	},
	"name": func(r *jaxpr.ParamReader) core.Primitive { return NameP{Label: r.Text("name")} },
	"reduce_precision": func(r *jaxpr.ParamReader) core.Primitive {
		return ReducePrecisionP{ExponentBits: r.Int("exponent_bits"), MantissaBits: r.Int("mantissa_bits")}
	},
	"round": func(r *jaxpr.ParamReader) core.Primitive {
		return RoundP{Method: Rounding(r.Int("rounding_method"))}
	},
}
