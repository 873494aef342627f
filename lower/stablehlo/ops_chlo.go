package stablehlo

import (
	"math"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
)

var chloOps map[string]operation

func chloTable() {
	for name, g := range map[string]elementwiseOp{
		"acos":       unary(prim.Acos),
		"acosh":      unary(prim.Acosh),
		"asin":       unary(prim.Asin),
		"asinh":      unary(prim.Asinh),
		"atan":       unary(prim.Atan),
		"atanh":      unary(prim.Atanh),
		"bessel_i1e": unary(prim.BesselI1e),
		"conj":       unary(conj),
		"cosh":       unary(prim.Cosh),
		"digamma":    unary(prim.Digamma),
		"erf":        unary(prim.Erf),
		"erf_inv":    unary(prim.ErfInv),
		"erfc":       unary(prim.Erfc),
		"is_inf":     unary(func(x core.Value) core.Value { return prim.Eq(prim.Abs(x), infinity(x, 1)) }),
		"is_neg_inf": unary(func(x core.Value) core.Value { return prim.Eq(x, infinity(x, -1)) }),
		"is_pos_inf": unary(func(x core.Value) core.Value { return prim.Eq(x, infinity(x, 1)) }),
		"lgamma":     unary(prim.Lgamma),
		"sinh":       unary(prim.Sinh),
		"square":     unary(prim.Square),
		"tan":        unary(prim.Tan),
		"mulhi":      binary(prim.MulHi),
		"next_after": binary(prim.Nextafter),
		"polygamma":  binary(polygamma),
		"zeta":       binary(prim.Zeta),
	} {
		elementwise["chlo."+name] = g
	}
	chloOps = map[string]operation{
		"chlo.top_k":         topKOp,
		"chlo.constant_like": constantLikeOp,
	}
	for name, to := range map[string]string{
		"add": "stablehlo.add", "and": "stablehlo.and", "atan2": "stablehlo.atan2", "complex": "stablehlo.complex", "divide": "stablehlo.divide",
		"maximum": "stablehlo.maximum", "minimum": "stablehlo.minimum", "multiply": "stablehlo.multiply", "next_after": "chlo.next_after",
		"or": "stablehlo.or", "polygamma": "chlo.polygamma", "power": "stablehlo.power", "remainder": "stablehlo.remainder",
		"shift_left": "stablehlo.shift_left", "shift_right_arithmetic": "stablehlo.shift_right_arithmetic",
		"shift_right_logical": "stablehlo.shift_right_logical", "subtract": "stablehlo.subtract", "xor": "stablehlo.xor", "zeta": "chlo.zeta",
		"compare": "stablehlo.compare", "select": "stablehlo.select",
	} {
		chloOps["chlo.broadcast_"+name] = spreading(to)
	}
	unsupported["chlo.ragged_dot"] = "products of ragged arrays"
	unsupported["chlo.scan"] = "loops are written as while"
}

// spreading returns an operation whose operands are broadcast against each other, as in NumPy: axes of size 1 are
// repeated, and missing leading axes added.
func spreading(name string) operation {
	return func(f *frame, o *op, in []core.Value) []core.Value {
		f.arrays(in)
		if _, ok := f.attr(o, "broadcast_dimensions"); ok {
			f.fail(core.ErrNoRule, "broadcast_dimensions are not supported; broadcast the operands before")
		}
		rank := 0
		for _, v := range in {
			rank = max(rank, v.Aval().Rank())
		}
		shape := make([]int, rank)
		for i := range shape {
			shape[i] = 1
		}
		for _, v := range in {
			s := v.Aval().Shape
			for i, n := range s.All() {
				k := rank - s.Len() + i
				switch {
				case shape[k] == 1:
					shape[k] = n
				case n != 1 && n != shape[k]:
					f.fail(core.ErrShape, "the operands cannot be broadcast: %s; reshape them so that each axis has one size or 1", typesText(in))
				}
			}
		}
		wide := make([]core.Value, len(in))
		for i, v := range in {
			n := v.Aval().Rank()
			wide[i] = prim.BroadcastInDim(v, dims(shape), core.Range(rank-n, rank))
		}
		p := *o
		p.name, p.inTypes = name, nil
		return f.op(&p, wide)
	}
}

func typesText(in []core.Value) string {
	list := make([]string, len(in))
	for i, v := range in {
		list[i] = typeText(v.Aval())
	}
	return strings.Join(list, ", ")
}

func infinity(x core.Value, sign int) core.Value { return prim.Num(x.Aval(), math.Inf(sign)) }

func conj(x core.Value) core.Value {
	if x.Aval().DType.IsComplex() {
		return prim.Conj(x)
	}
	return x
}

// topKOp takes the k largest elements of the last axis, in descending order, and their indices.
func topKOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	k := 0
	if d := f.dict(o, "mhlo.attributes"); d != nil {
		k = d.int("k", 0)
	} else {
		k = f.int(o, "k")
	}
	return f.topK(in[0], k)
}

func (f *frame) topK(x core.Value, k int) []core.Value {
	a := x.Aval()
	if a.Rank() == 0 {
		f.invalid(core.ErrShape, "takes arrays with an axis")
	}
	v, i := indexed.TopK(x, k, a.Rank()-1)
	return []core.Value{v, i}
}

func constantLikeOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	a := in[0].Aval()
	x, _ := f.attr(o, "value")
	switch v := x.(type) {
	case floatAttr:
		return []core.Value{prim.BroadcastInDim(core.Lit(core.FloatNumber(v.val), a.DType), a.Shape, core.Dims{})}
	case intAttr:
		return []core.Value{prim.BroadcastInDim(core.Lit(core.IntNumber(v.val), a.DType), a.Shape, core.Dims{})}
	}
	f.invalid(core.ErrCheck, "the value must be a number")
	return nil
}

func polygamma(m, x core.Value) core.Value { return prim.Polygamma(m, x) }
