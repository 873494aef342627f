package expand

import (
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/scalar"
)

type row struct {
	prim reflect.Type
	f    expansion
}

// on returns the row of a primitive whose expansion reads no parameters.
func on[P core.Primitive](f expansion) row { return row{reflect.TypeFor[P](), f} }

// with returns the row of a primitive whose parameters the expansion reads.
func with[P core.Primitive](f func(x *expander, p P, in []Elem) Elem) row {
	return on[P](func(x *expander, in []Elem) Elem { return f(x, x.prim.(P), in) })
}

func rowsOf(rows []row) map[reflect.Type]expansion {
	m := make(map[reflect.Type]expansion, len(rows))
	for _, r := range rows {
		if m[r.prim] != nil {
			panic("BUG: two expansions of " + r.prim.String())
		}
		m[r.prim] = r.f
	}
	return m
}

var expansions = rowsOf([]row{
	on[prim.NegP](func(x *expander, in []Elem) Elem { return negate(x, in[0]) }),
	on[prim.AbsP](func(x *expander, in []Elem) Elem { return absolute(x, in[0]) }),
	on[prim.SignP](arith(rule{ints: fn1(signInt), floats: fn1(signFloat), pairs: pfn1(signPair)})),

	on[prim.AddP](arith(rule{ints: fn2(builder.Add), floats: fn2(builder.Add), pairs: pfn2(addPair)})),
	on[prim.AddAnyP](arith(rule{ints: fn2(builder.Add), floats: fn2(builder.Add), pairs: pfn2(addPair)})),
	on[prim.SubP](arith(rule{ints: fn2(builder.Sub), floats: fn2(builder.Sub), pairs: pfn2(subPair)})),
	on[prim.MulP](arith(rule{ints: fn2(builder.Mul), floats: fn2(builder.Mul), pairs: pfn2(mulPair)})),
	on[prim.DivP](arith(rule{ints: fn2(builder.Div), floats: fn2(builder.Div), pairs: pfn2(divPair)})),
	on[prim.RemP](arith(rule{ints: fn2(builder.Rem), floats: fn2(remFloat)})),
	on[prim.MaxP](arith(rule{bools: fn2(builder.Or), ints: fn2(builder.Max), floats: fn2(builder.Max), pairs: pfn2(maxPair)})),
	on[prim.MinP](arith(rule{bools: fn2(builder.And), ints: fn2(builder.Min), floats: fn2(builder.Min), pairs: pfn2(minPair)})),
	on[prim.ClampP](arith(rule{bools: clampBool, ints: clamp, floats: clamp, pairs: clampPair})),
	on[prim.SquareP](arith(rule{ints: fn1(squareReal), floats: fn1(squareReal), pairs: pfn1(squarePair)})),
	with[prim.IntegerPowP](integerPow),

	on[prim.FloorP](arith(rule{floats: fn1(builder.Floor)})),
	on[prim.CeilP](arith(rule{floats: fn1(builder.Ceil)})),
	with[prim.RoundP](round),
	on[prim.IsFiniteP](compared(fn1(isFinite))),
	on[prim.NextafterP](nextAfter),
	with[prim.ReducePrecisionP](reducePrecision),

	on[prim.EqP](compareElems(builder.Eq, builder.And)),
	on[prim.NeP](compareElems(builder.Ne, builder.Or)),
	on[prim.LtP](compared(fn2(builder.Lt))),
	on[prim.LeP](compared(fn2(builder.Le))),
	on[prim.GtP](compared(fn2(builder.Gt))),
	on[prim.GeP](compared(fn2(builder.Ge))),
	on[prim.LtToP](totalOrder(builder.Lt)),
	on[prim.LeToP](totalOrder(builder.Le)),

	on[prim.NotP](arith(rule{bools: fn1(builder.Not), ints: fn1(builder.Not)})),
	on[prim.AndP](arith(rule{bools: fn2(builder.And), ints: fn2(builder.And)})),
	on[prim.OrP](arith(rule{bools: fn2(builder.Or), ints: fn2(builder.Or)})),
	on[prim.XorP](arith(rule{bools: fn2(builder.Xor), ints: fn2(builder.Xor)})),
	on[prim.ShiftLeftP](shift(shiftLeft)),
	on[prim.ShiftRightArithmeticP](shift(shiftArithmetic)),
	on[prim.ShiftRightLogicalP](shift(shiftLogical)),
	on[prim.PopulationCountP](bitCount(populationCount)),
	on[prim.ClzP](bitCount(leadingZeros)),
	on[prim.MulHiP](mulHigh),

	on[prim.RealP](func(x *expander, in []Elem) Elem { return Elem{in[0].DType.Real(), in[0].Re, scalar.NoRef} }),
	on[prim.ImagP](func(x *expander, in []Elem) Elem { return Elem{in[0].DType.Real(), in[0].Im, scalar.NoRef} }),
	on[prim.ComplexP](func(x *expander, in []Elem) Elem { return Elem{x.out, in[0].Re, in[1].Re} }),
	on[prim.ConjP](conjugate),

	on[prim.ExpP](arith(rule{floats: fn1(native(fn.exp)), pairs: pairs64(fn.expC)})),
	on[prim.Exp2P](arith(rule{floats: fn1(native(fn.exp2)), pairs: pairs64(fn.exp2C)})),
	on[prim.Expm1P](arith(rule{floats: fn1(native(fn.expm1)), pairs: pairs64(fn.expm1C)})),
	on[prim.LogP](arith(rule{floats: fn1(native(fn.log)), pairs: pairs64(fn.logC)})),
	on[prim.Log1pP](arith(rule{floats: fn1(native(fn.log1p)), pairs: pairs64(fn.log1pC)})),
	on[prim.TanhP](arith(rule{floats: fn1(native(fn.tanh)), pairs: pairs64(fn.tanhC)})),
	on[prim.LogisticP](arith(rule{floats: fn1(eachType(fn.logistic32, fn.logistic64)), pairs: pairs64(fn.logisticC)})),
	on[prim.SinP](arith(rule{floats: fn1(native(fn.sin)), pairs: pairs64(fn.sinC)})),
	on[prim.CosP](arith(rule{floats: fn1(native(fn.cos)), pairs: pairs64(fn.cosC)})),
	on[prim.TanP](arith(rule{floats: fn1(native(fn.tan)), pairs: pairs64(fn.tanC)})),
	on[prim.AsinP](arith(rule{floats: fn1(native(fn.asin)), pairs: pairs64(fn.asinC)})),
	on[prim.AcosP](arith(rule{floats: fn1(native(fn.acos)), pairs: pairs64(fn.acosC)})),
	on[prim.AtanP](arith(rule{floats: fn1(native(fn.atan)), pairs: pairs64(fn.atanC)})),
	on[prim.Atan2P](arith(rule{floats: fn2(native2(fn.atan2)), pairs: pfn2(atan2Pair)})),
	on[prim.SinhP](arith(rule{floats: fn1(native(fn.sinh)), pairs: pairs64(fn.sinhC)})),
	on[prim.CoshP](arith(rule{floats: fn1(native(fn.cosh)), pairs: pairs64(fn.coshC)})),
	on[prim.AsinhP](arith(rule{floats: fn1(native(fn.asinh)), pairs: pairs64(fn.asinhC)})),
	on[prim.AcoshP](arith(rule{floats: fn1(native(fn.acosh)), pairs: pairs64(fn.acoshC)})),
	on[prim.AtanhP](arith(rule{floats: fn1(native(fn.atanh)), pairs: pairs64(fn.atanhC)})),
	on[prim.SqrtP](arith(rule{floats: fn1(builder.Sqrt), pairs: pairs64(fn.sqrtC)})),
	on[prim.RsqrtP](arith(rule{floats: fn1(native(fn.rsqrt)), pairs: pairs64(fn.rsqrtC)})),
	on[prim.CbrtP](arith(rule{floats: fn1(native(fn.cbrt))})),
	on[prim.PowP](powElem),
	on[prim.ErfP](arith(rule{floats: fn1(native(fn.erf))})),
	on[prim.ErfcP](arith(rule{floats: fn1(eachType(fn.erfc32, fn.erfc))})),
	on[prim.ErfInvP](arith(rule{floats: fn1(eachType(fn.erfInv32, fn.erfInv))})),
	on[prim.LgammaP](arith(rule{floats: fn1(eachType(fn.lgamma32, fn.lgamma))})),
	on[prim.DigammaP](arith(rule{floats: fn1(eachType(fn.digamma32, fn.digamma))})),
	on[prim.BesselI0eP](arith(rule{floats: fn1(native(fn.besselI0e))})),
	on[prim.BesselI1eP](arith(rule{floats: fn1(native(fn.besselI1e))})),
	on[prim.PolygammaP](arith(rule{floats: fn2(throughF64x2(fn.polygamma))})),

	on[prim.SelectNP](selectN),
	on[prim.ConvertElementTypeP](convertElem),

	on[prim.CopyP](same),
	on[prim.NameP](same),
	on[prim.StopGradientP](same),
})
