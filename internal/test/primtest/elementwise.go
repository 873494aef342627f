package primtest

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// shapes are taken in turn, so that every operation is tried on several ranks, and each dtype
// on different ones.
var shapes = []core.Dims{
	core.MakeDims(2, 3),
	core.MakeDims(3),
	{},
	core.MakeDims(2, 1, 2),
	core.MakeDims(0, 3),
}

var (
	// Minor floats are all computed through f32, so two stand for all of them.
	realFloats = []core.DType{core.Float32, core.Float64, core.Float16, core.BFloat16, core.Float8E4M3FN, core.Float8E5M2}
	complexes  = []core.DType{core.Complex64, core.Complex128}
	signedInts = []core.DType{core.Int8, core.Int16, core.Int32, core.Int64, core.Int4, core.Int2}
	unsigned   = []core.DType{core.Uint8, core.Uint16, core.Uint32, core.Uint64, core.Uint4, core.Uint2}
	booleans   = []core.DType{core.Bool}
	keys       = []core.DType{core.Key}
)

func join(lists ...[]core.DType) (all []core.DType) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

var (
	integers = join(signedInts, unsigned)
	inexact  = join(realFloats, complexes)
	numbers  = join(integers, inexact)
	logical  = join(booleans, integers)
	ordered  = join(booleans, integers, realFloats)
	everyone = join(booleans, numbers)
)

// usual is the domain of functions that are smooth everywhere: well inside of what
// every dtype represents.
var usual = between(-2, 2)

func between(lo, hi float64) Domain        { return Domain{Lo: lo, Hi: hi} }
func values(v ...float64) Domain           { return Domain{Values: v} }
func strong(d core.DType) core.ShapedArray { return core.ShapedArray{DType: d} }

// each returns a sample of a unary p for every dtype, with shapes in turn, every shape for
// the first dtype.
func each(p core.Primitive, dts []core.DType, dom Domain, noFD string) []Sample {
	var s []Sample
	add := func(dt core.DType, shape core.Dims, dom Domain) {
		s = append(s, Sample{Prim: p, In: []core.ShapedArray{strong(dt).WithShape(shape)}, Dom: []Domain{fit(dt, dom)}, NoFD: noFD})
	}
	for i, dt := range dts {
		add(dt, shapes[i%3], dom)
	}
	for _, shape := range shapes {
		add(dts[0], shape, dom)
	}
	return s
}

// fit returns the part of the domain that the dtype can represent: for an integer type the whole
// numbers of an interval, or its usual range if there are none or values are listed.
func fit(dt core.DType, dom Domain) Domain {
	if dom.Values == nil && dom.Lo == dom.Hi || !dt.IsBool() && !dt.IsInteger() {
		return dom
	}
	if dom.Values != nil || dt.IsBool() {
		return Domain{}
	}
	lo, hi := 0.0, float64(int64(1)<<min(dt.Bits(), 50)-1)
	if dt.IsSigned() {
		lo, hi = -(hi+1)/2, (hi-1)/2
	}
	lo, hi = max(lo, math.Ceil(dom.Lo)), min(hi, math.Floor(dom.Hi))
	if lo > hi {
		return Domain{}
	}
	return Domain{Lo: lo, Hi: hi}
}

// pairs returns a sample of a binary p for every dtype, scalars and axes of size 1 spread
// for the first.
func pairs(p core.Primitive, dts []core.DType, x, y Domain, noFD string) []Sample {
	var s []Sample
	add := func(dt core.DType, a, b core.Dims) {
		t := strong(dt)
		s = append(s, Sample{Prim: p, In: []core.ShapedArray{t.WithShape(a), t.WithShape(b)}, Dom: []Domain{fit(dt, x), fit(dt, y)}, NoFD: noFD})
	}
	for i, dt := range dts {
		add(dt, shapes[i%3], shapes[i%3])
	}
	for _, dt := range []core.DType{dts[0], dts[len(dts)-1]} {
		add(dt, core.MakeDims(2, 3), core.Dims{})
		add(dt, core.Dims{}, core.MakeDims(3))
		add(dt, core.MakeDims(2, 1), core.MakeDims(1, 3))
		add(dt, core.MakeDims(1, 3), core.MakeDims(2, 3))
		add(dt, core.MakeDims(0, 3), core.MakeDims(0, 3))
		add(dt, core.MakeDims(0, 3), core.MakeDims(1, 3))
	}
	return s
}

// elementwise returns the samples of the elementwise operations.
func elementwise() []Sample {
	var s []Sample
	for _, part := range [][]Sample{unarySamples(), binarySamples(), selections(), conversions(), identities()} {
		s = append(s, part...)
	}
	return s
}

func unarySamples() []Sample {
	var s []Sample
	unary := func(p core.Primitive, dts []core.DType, dom Domain) { s = append(s, each(p, dts, dom, "")...) }

	positive, open := between(0.25, 3), between(-0.9, 0.9)
	// Away from the jumps of floor, ceil, round and sign, and from the kink of abs.
	broken := values(-1.75, -0.3, 0.3, 1.25, 2.25)

	unary(prim.NegP{}, numbers, usual)
	unary(prim.SignP{}, join(realFloats, integers), broken)
	s = append(s, each(prim.SignP{}, complexes, usual, "the derivative of the complex sign is declared zero and is not")...)
	unary(prim.AbsP{}, join(realFloats, []core.DType{core.Int8, core.Int16, core.Int32, core.Int64}), broken)
	unary(prim.AbsP{}, complexes, positive)
	unary(prim.SquareP{}, numbers, usual)
	for _, y := range []int{-3, -1, 0, 1, 2, 3, 7, 10} {
		dts := numbers
		if y < 0 {
			dts = inexact
		}
		unary(prim.IntegerPowP{Y: y}, dts, between(0.5, 1.5))
	}

	unary(prim.FloorP{}, realFloats, broken)
	unary(prim.CeilP{}, realFloats, broken)
	unary(prim.RoundP{Method: prim.AwayFromZero}, realFloats, broken)
	unary(prim.RoundP{Method: prim.ToNearestEven}, realFloats, broken)
	unary(prim.IsFiniteP{}, realFloats, usual)

	unary(prim.ExpP{}, inexact, usual)
	unary(prim.Exp2P{}, inexact, usual)
	unary(prim.Expm1P{}, inexact, usual)
	unary(prim.LogP{}, inexact, positive)
	unary(prim.Log1pP{}, inexact, between(-0.75, 3))
	unary(prim.LogisticP{}, inexact, usual)
	unary(prim.SqrtP{}, inexact, positive)
	unary(prim.RsqrtP{}, inexact, positive)
	unary(prim.CbrtP{}, realFloats, positive)

	unary(prim.SinP{}, inexact, usual)
	unary(prim.CosP{}, inexact, usual)
	unary(prim.TanP{}, inexact, between(-1, 1))
	unary(prim.AsinP{}, inexact, open)
	unary(prim.AcosP{}, inexact, open)
	unary(prim.AtanP{}, inexact, open)
	unary(prim.SinhP{}, inexact, usual)
	unary(prim.CoshP{}, inexact, usual)
	unary(prim.TanhP{}, inexact, between(-1, 1))
	unary(prim.AsinhP{}, inexact, open)
	unary(prim.AcoshP{}, realFloats, between(1.5, 4))
	unary(prim.AcoshP{}, complexes, values(-2, -0.5, 0.5, 2))
	unary(prim.AtanhP{}, inexact, open)

	unary(prim.ErfP{}, realFloats, usual)
	unary(prim.ErfcP{}, realFloats, usual)
	unary(prim.ErfInvP{}, realFloats, open)
	unary(prim.LgammaP{}, realFloats, positive)
	unary(prim.DigammaP{}, realFloats, positive)

	unary(prim.RealP{}, complexes, usual)
	unary(prim.ImagP{}, complexes, usual)
	for _, dt := range []core.DType{core.Complex64, core.Complex128, core.Float32, core.Float64} {
		unary(prim.ConjP{InputDType: dt}, []core.DType{dt}, usual)
	}

	unary(prim.NotP{}, logical, Domain{})
	unary(prim.PopulationCountP{}, integers, Domain{})
	unary(prim.ClzP{}, integers, Domain{})
	return s
}

func binarySamples() []Sample {
	var s []Sample
	binary := func(p core.Primitive, dts []core.DType, x, y Domain) { s = append(s, pairs(p, dts, x, y, "")...) }

	positive := between(0.25, 3)
	// No two of these are equal, so that max and min have no ties.
	left, right := values(-1.5, 0.25, 1, 3), values(-2, -1, 0.5, 2)
	// No quotient of these is near a whole number, where rem jumps.
	dividend, divisor := values(5.5, -7.25, 0.75), values(2, 3.5, -1.5)
	amounts := between(0, 9)

	binary(prim.AddP{}, numbers, usual, usual)
	binary(prim.SubP{}, numbers, usual, usual)
	binary(prim.MulP{}, numbers, usual, usual)
	binary(prim.DivP{}, numbers, usual, positive)
	binary(prim.RemP{}, join(integers, realFloats), dividend, divisor)
	binary(prim.MaxP{}, ordered, left, right)
	binary(prim.MinP{}, ordered, left, right)
	s = append(s, pairs(prim.MaxP{}, complexes, usual, usual, "the order of complex numbers is not continuous")...)
	s = append(s, pairs(prim.MinP{}, complexes, usual, usual, "the order of complex numbers is not continuous")...)
	binary(prim.Atan2P{}, realFloats, positive, usual)
	binary(prim.Atan2P{}, complexes, between(1, 2), between(0.1, 0.5))
	binary(prim.NextafterP{}, realFloats, usual, usual)
	binary(prim.MulHiP{}, integers, Domain{}, Domain{})
	binary(prim.ComplexP{}, []core.DType{core.Float32, core.Float64}, usual, usual)
	binary(prim.AndP{}, logical, Domain{}, Domain{})
	binary(prim.OrP{}, logical, Domain{}, Domain{})
	binary(prim.XorP{}, logical, Domain{}, Domain{})
	binary(prim.ShiftLeftP{}, integers, Domain{}, amounts)
	binary(prim.ShiftRightArithmeticP{}, integers, Domain{}, amounts)
	binary(prim.ShiftRightLogicalP{}, integers, Domain{}, amounts)
	small := between(-2, 2) // so that equal pairs come up
	for _, p := range []core.Primitive{prim.EqP{}, prim.NeP{}} {
		binary(p, everyone, small, small)
	}
	for _, p := range []core.Primitive{prim.LtP{}, prim.LeP{}, prim.GtP{}, prim.GeP{}, prim.LtToP{}, prim.LeToP{}} {
		binary(p, ordered, small, small)
	}

	for i, dt := range inexact {
		a := strong(dt).WithShape(shapes[i%len(shapes)])
		s = append(s, Sample{Prim: prim.AddAnyP{}, In: []core.ShapedArray{a, a}, Dom: []Domain{usual, usual}})
	}
	// The order of polygamma is a number, not a variable.
	for _, dt := range realFloats {
		s = append(s, Sample{
			Prim: prim.PolygammaP{},
			In:   []core.ShapedArray{core.Aval(dt), core.Aval(dt, 3)},
			Dom:  []Domain{values(0, 1, 2), positive},
			NoFD: "there is no derivative in the order",
		})
	}
	binary(prim.PowP{}, inexact, positive, usual)
	for _, n := range integers {
		s = append(s, Sample{
			Prim: prim.PowP{},
			In:   []core.ShapedArray{core.Aval(core.Float32, 2, 3), core.Aval(n, 1, 3)},
			Dom:  []Domain{between(0.5, 2), fit(n, between(-2, 1))},
		})
	}
	for _, dt := range inexact {
		s = append(s, Sample{
			Prim: prim.PowP{},
			In:   []core.ShapedArray{core.Aval(dt, 3), core.Aval(core.Int32)},
			Dom:  []Domain{between(0.5, 2), between(-2, 3)},
		})
	}
	return s
}

func selections() []Sample {
	var s []Sample
	for i, dt := range join(everyone, keys) {
		a := strong(dt).WithShape(shapes[i%len(shapes)])
		s = append(s,
			Sample{Prim: prim.SelectNP{}, In: []core.ShapedArray{{DType: core.Bool, Shape: a.Shape}, a, a}},
			Sample{Prim: prim.SelectNP{}, In: []core.ShapedArray{{DType: core.Bool}, a, a}},
			// Also values out of the range of the cases, where the index is clamped.
			Sample{Prim: prim.SelectNP{}, In: []core.ShapedArray{{DType: core.Int32, Shape: a.Shape}, a, a, a},
				Dom: []Domain{between(-1, 3), {}, {}, {}}},
		)
	}
	one := core.Aval(core.Float32, 3)
	s = append(s, Sample{Prim: prim.SelectNP{}, In: []core.ShapedArray{core.Aval(core.Int32), one}, Dom: []Domain{between(-1, 1), {}}})

	lo, x, hi := between(-1.25, -0.75), values(-2, 0.25, 0.5, 2), between(0.75, 1.25)
	for i, dt := range ordered {
		a := strong(dt).WithShape(shapes[i%len(shapes)])
		b := strong(dt)
		dom := []Domain{fit(dt, lo), fit(dt, x), fit(dt, hi)}
		s = append(s,
			Sample{Prim: prim.ClampP{}, In: []core.ShapedArray{a, a, a}, Dom: dom},
			Sample{Prim: prim.ClampP{}, In: []core.ShapedArray{b, a, b}, Dom: dom},
		)
	}
	// With the upper bound below the lower one, the upper one is the result.
	a := core.Aval(core.Float32, 4)
	s = append(s, Sample{Prim: prim.ClampP{}, In: []core.ShapedArray{a, a, core.Aval(core.Float32)}, Dom: []Domain{hi, x, lo}})
	for _, dt := range complexes {
		s = append(s, Sample{Prim: prim.ClampP{}, In: []core.ShapedArray{core.Aval(dt), core.Aval(dt, 3), core.Aval(dt)},
			NoFD: "clamping complex numbers is not differentiable"})
	}
	return s
}

func conversions() []Sample {
	var s []Sample
	all := []core.DType{core.Bool}
	for d := core.Int2; d <= core.Complex128; d++ {
		all = append(all, d)
	}
	// Every pair of types, with values that most of them hold.
	for i, from := range all {
		for j, to := range all {
			noFD := ""
			switch {
			case !from.IsInexact():
				noFD = "integers have no tangents"
			case !to.IsInexact():
				noFD = "the result jumps"
			case from.IsComplex() && !to.IsComplex(), to.Bits() < from.Bits(), from.IsMinorFloat(), to.IsMinorFloat():
				noFD = "the result has fewer bits than differences need, or drops a part"
			}
			s = append(s, Sample{
				Prim: prim.ConvertElementTypeP{NewDType: to},
				In:   []core.ShapedArray{strong(from).WithShape(shapes[(i+j)%len(shapes)])},
				Dom:  []Domain{fit(from, between(-3, 3))}, NoFD: noFD,
			})
		}
	}
	for _, to := range []core.DType{core.Bool, core.Int32, core.BFloat16, core.Float32, core.Complex128} {
		s = append(s,
			Sample{Prim: prim.ConvertElementTypeP{NewDType: to}, In: []core.ShapedArray{core.Aval(core.Float0, 2, 3)}, NoFD: "float0 has no elements"},
			Sample{Prim: prim.ConvertElementTypeP{NewDType: core.Float0}, In: []core.ShapedArray{core.Aval(to, 3)}, NoFD: "float0 has no elements"})
	}
	weak := core.ShapedArray{DType: core.Float32, Shape: core.MakeDims(2), Weak: true}
	s = append(s,
		Sample{Prim: prim.ConvertElementTypeP{NewDType: core.Float32}, In: []core.ShapedArray{weak}},
		Sample{Prim: prim.ConvertElementTypeP{NewDType: core.Float32, WeakType: true}, In: []core.ShapedArray{weak.Strong()}},
	)

	bits := func(from core.ShapedArray, to core.DType) {
		s = append(s, Sample{Prim: prim.BitcastConvertTypeP{NewDType: to}, In: []core.ShapedArray{from}, NoFD: "bits are no function of the number"})
	}
	for _, dt := range join(integers, realFloats) {
		bits(core.Aval(dt, 2, 8), dt)
		for _, to := range join(integers, realFloats) {
			switch {
			case to == dt:
			case to.Bits() == dt.Bits():
				bits(core.Aval(dt, 3), to)
			case to.Bits() < dt.Bits():
				bits(core.Aval(dt), to)
				bits(core.Aval(dt, 3), to)
			default:
				bits(core.Aval(dt, to.Bits()/dt.Bits()), to)
				bits(core.Aval(dt, 2, to.Bits()/dt.Bits()), to)
			}
		}
	}
	for _, b := range [][2]int{{8, 23}, {5, 10}, {8, 7}, {4, 3}, {1, 0}, {11, 52}} {
		p := prim.ReducePrecisionP{ExponentBits: b[0], MantissaBits: b[1]}
		s = append(s, each(p, realFloats, usual, "the result is a step function; its derivative is a convention")...)
	}
	return s
}

func identities() []Sample {
	var s []Sample
	const stopped = "the derivative is zero by definition"
	s = append(s, each(prim.CopyP{}, join(everyone, keys), Domain{}, "")...)
	s = append(s, each(prim.StopGradientP{}, join(inexact, everyone, keys), usual, stopped)...)
	s = append(s, each(prim.NameP{Label: "c"}, join(inexact, everyone, keys), usual, "")...)
	f, n := core.Aval(core.Float32, 2, 3), core.Aval(core.Int32)
	s = append(s,
		Sample{Prim: prim.OptimizationBarrierP{}},
		Sample{Prim: prim.OptimizationBarrierP{}, In: []core.ShapedArray{f}},
		Sample{Prim: prim.OptimizationBarrierP{}, In: []core.ShapedArray{f, n, core.Aval(core.Float64, 0)}},
		Sample{Prim: prim.OptimizationBarrierP{}, In: []core.ShapedArray{core.Aval(core.Key, 2), core.Aval(core.Complex64), core.Aval(core.Bool, 1)}},
	)
	return s
}
