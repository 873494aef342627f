package rng

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// RandomGammaP draws a number of the gamma distribution of scale 1 for each shape a > 0, or its
// logarithm if LogSpace. The operands are keys and a, whose shape begins with that of the keys.
// Each key is split into as many as there are elements of a for it.
//
// Numbers: the method of Marsaglia and Tsang (ACM TOMS 26, 2000): d·v with d = a − 1/3, c =
// 1/(3√d), v = (1 + c·x)³ for normal x, accepted against a uniform u where
//
//	u < 1 − 0.0331·x⁴  or  log u < x²/2 + d·(1 − v + log v)
//
// For a < 1 it draws with shape a + 1 and multiplies by u^(1/a).
type RandomGammaP struct{ LogSpace bool }

// RandomGamma draws numbers of the gamma distribution of shape a, or their logarithms.
func RandomGamma(keys, a core.Value, logs bool) core.Value {
	return core.Apply2(RandomGammaP{logs}, keys, a)
}

func (RandomGammaP) Name() string { return "random_gamma" }

func (RandomGammaP) read(r *jaxpr.ParamReader) core.Primitive {
	return RandomGammaP{r.Bool("log_space")}
}

func (p RandomGammaP) Params() []core.Param {
	return []core.Param{rule.Param("log_space", rule.PyBool(p.LogSpace))}
}

func (RandomGammaP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 2)
	rule.WantKeys(in[0])
	k, a := in[0].Shape, in[1].Shape
	if _, ok := samplers[in[1].DType]; !ok {
		core.Failf(core.ErrDType, "draws bf16, f16, f32 or f64, not %v; convert the shapes", in[1].Full())
	}
	if k.Len() > a.Len() || a.Slice(0, k.Len()) != k {
		core.Failf(core.ErrShape, "the shape of %v must begin with that of the keys, %v; broadcast it", in[1].Full(), in[0].Full())
	}
	return []core.ShapedArray{in[1]}
}

// JVP returns the implicit derivative with respect to a: the derivative of a fixed quantile of
// the distribution (Figurnov, Mohamed, Mnih, 2018). With LogSpace, a sample that underflows to 0
// counts as the least normal number.
func (p RandomGammaP) JVP(in, out, t []core.Value) []core.Value {
	if t[1] == nil {
		return []core.Value{nil}
	}
	x, a := out[0], in[1]
	if !p.LogSpace {
		return rule.One(prim.Mul(t[1], prim.RandomGammaGrad(a, x)))
	}
	y, av := prim.Exp(x), x.Aval()
	y = prim.Where(prim.Eq(y, prim.Num(av, 0)), prim.Full(av, samplers[av.DType].tiny), y)
	return rule.One(prim.Mul(t[1], prim.Div(prim.RandomGammaGrad(a, y), y)))
}

func (p RandomGammaP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	return rule.Bound(p, prim.AtFront(n, in[0], mapped[0]), prim.AtFront(n, in[1], mapped[1]))
}

// Expand returns the draws: a loop whose lanes are the elements. Keys of other kinds than the
// default one draw differently in an array, so there each element has a loop of its own.
func (p RandomGammaP) Expand(in []core.Value) []core.Value {
	a, k := in[1].Aval(), in[0].Aval()
	n := a.Size()
	if n == 0 {
		return rule.One(prim.Zeros(a))
	}
	each := core.MakeDims(n / k.Size())
	keys := prim.Reshape(RandomSplit(prim.Reshape(in[0], core.MakeDims(k.Size())), each), core.MakeDims(n))
	alphas := prim.Reshape(in[1], core.MakeDims(n))
	if k.DType == core.Key {
		return rule.One(prim.Reshape(p.lanes(keys, alphas), a.Shape))
	}
	single := core.MakeDims(1)
	body := programFor([]core.ShapedArray{k.WithShape(core.Dims{}), a.WithShape(core.Dims{})}, func(in []core.Value) []core.Value {
		return rule.One(prim.Reshape(p.lanes(prim.Reshape(in[0], single), prim.Reshape(in[1], single)), core.Dims{}))
	})
	return rule.One(prim.Reshape(core.Bind1(&jaxpr.Scan{Jaxpr: body, Length: n, Unroll: 1}, keys, alphas), a.Shape))
}

// lanes draws a number for each key and shape, both of one axis.
func (p RandomGammaP) lanes(keys, a core.Value) core.Value {
	av, kv := a.Aval(), keys.Aval()
	f := samplers[av.DType]
	num := func(v float64) core.Value { return prim.Num(av, v) }
	large := prim.Ge(a, num(1))
	d := prim.Sub(prim.Where(large, a, prim.Add(a, num(1))), num(1./3))
	c := prim.Div(num(1./3), prim.Sqrt(d))

	// The carry of the outer loop is d, c, the keys, x², v and u; that of the inner one c, the
	// keys, x and 1 + c·x, which must be positive.
	again := func(in []core.Value) []core.Value {
		d, x, v, u := in[0], in[3], in[4], in[5]
		return rule.One(prim.And(
			prim.Ge(u, prim.Sub(num(1), prim.Mul(num(0.0331), prim.Mul(x, x)))),
			prim.Ge(prim.Log(u), prim.Add(prim.Mul(x, num(0.5)), prim.Mul(d, prim.Add(prim.Sub(num(1), v), prim.Log(v)))))))
	}
	inner := &jaxpr.While{
		Cond: programFor([]core.ShapedArray{av, kv, av, av}, func(in []core.Value) []core.Value { return rule.One(prim.Le(in[3], num(0))) }),
		Body: programFor([]core.ShapedArray{av, kv, av, av}, func(in []core.Value) []core.Value {
			k := splitInto(in[1], 2)
			x := f.normal(k[1], av)
			return []core.Value{in[0], k[0], x, prim.Add(num(1), prim.Mul(x, in[0]))}
		}),
	}
	attempt := func(in []core.Value) []core.Value {
		k := splitInto(in[2], 3)
		r := core.Bind(inner, in[1], k[1], prim.Full(av, 0), prim.Full(av, -1))
		x, v := r[2], r[3]
		return []core.Value{in[0], in[1], k[0], prim.Mul(x, x), prim.Mul(prim.Mul(v, v), v), f.uniform(k[2], av)}
	}
	carry := []core.ShapedArray{av, av, kv, av, av, av}
	outer := &jaxpr.While{Cond: programFor(carry, again), Body: programFor(carry, attempt)}
	k := splitInto(keys, 2)
	// The first u is never accepted.
	v := core.Bind(outer, d, c, k[0], prim.Full(av, 0), prim.Full(av, 1), prim.Full(av, 2))[4]

	inverse := prim.Div(num(1), a)
	if p.LogSpace {
		u := prim.Log1p(prim.Neg(f.uniform(k[1], av)))
		boost := prim.Where(prim.Or(large, prim.Eq(u, num(0))), prim.Full(av, 0), prim.Mul(u, inverse))
		return prim.Add(prim.Add(prim.Log(d), prim.Log(v)), boost)
	}
	u := prim.Sub(num(1), f.uniform(k[1], av))
	return prim.Mul(prim.Mul(d, v), prim.Where(large, prim.Full(av, 1), prim.Pow(u, inverse)))
}

func splitInto(keys core.Value, n int) []core.Value {
	s := RandomSplit(keys, core.MakeDims(n))
	out := make([]core.Value, n)
	for i := range out {
		out[i] = prim.Squeeze(prim.SliceAxis(s, 1, i, i+1, 1), core.MakeDims(1))
	}
	return out
}

// A sampler contains the properties of a floating type that drawing its numbers depends on.
type sampler struct {
	unsigned core.DType // of the same width
	mantissa int        // bits after the leading one
	one      uint64     // the bits of 1
	tiny     float64    // the least normal number
}

var samplers = map[core.DType]sampler{
	core.BFloat16: {core.Uint16, 7, 0x3f80, 0x1p-126},
	core.Float16:  {core.Uint16, 10, 0x3c00, 0x1p-14},
	core.Float32:  {core.Uint32, 23, 0x3f800000, 0x1p-126},
	core.Float64:  {core.Uint64, 52, 0x3ff0000000000000, 0x1p-1022},
}

// uniform returns a number in [0, 1) for each key: one in [1, 2) with random bits as its mantissa,
// minus 1.
func (f sampler) uniform(keys core.Value, a core.ShapedArray) core.Value {
	width := f.unsigned.Bits()
	if f.mantissa < 8 {
		width = 8
	}
	word := func(n uint64) core.Value { return core.Lit(core.UintNumber(n), f.unsigned) }
	bits := prim.Convert(RandomBits(keys, width, core.Dims{}), f.unsigned, false)
	bits = prim.Or(prim.ShiftRightLogical(bits, word(uint64(width-f.mantissa))), word(f.one))
	return prim.Sub(prim.BitcastConvert(bits, a.DType), prim.Num(a, 1))
}

// normal returns normal numbers, √2·erf⁻¹(u) for uniform u in (−1, 1), one for each key.
func (f sampler) normal(keys core.Value, a core.ShapedArray) core.Value {
	low := math.Ldexp(1, -f.mantissa-1) - 1
	u := prim.Add(prim.Mul(f.uniform(keys, a), prim.Num(a, 1-low)), prim.Num(a, low))
	return prim.Mul(prim.Num(a, math.Sqrt2), prim.ErfInv(prim.Max(prim.Num(a, low), u)))
}
