package stablehlo

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// XLA's CPU backend lacks some operations on integers of fewer than eight bits, or computes them wrongly. They are written
// as composites whose decompositions compute in bytes.

func isNibble(dt core.DType) bool { return dt.IsInteger() && dt.Bits() < 8 }

// throughBytes reports whether some operands are integers of fewer than eight bits, and p is an operation that is computed
// in bytes for them.
func throughBytes(p core.Primitive, in []core.ShapedArray) bool {
	some := false
	for _, a := range in {
		some = some || isNibble(a.DType)
	}
	switch p.(type) {
	case indexed.SortP, indexed.SortByP, indexed.TopKP, prim.ArgmaxP, prim.ArgminP, prim.ConcatenateP, prim.DotGeneralP, windows.ConvP:
		return some
	}
	return false
}

// bytesOf returns an array with integers of fewer than eight bits as bytes.
func bytesOf(x core.Value) core.Value {
	switch dt := x.Aval().DType; {
	case !isNibble(dt):
		return x
	case dt.IsUnsigned():
		return convert(x, core.Uint8)
	}
	return convert(x, core.Int8)
}

// inBytes applies p to operands that are widened to 8 bits, and converts the results to the types of out.
func inBytes(p core.Primitive, in []core.Value, out []core.ShapedArray) []core.Value {
	wide := make([]core.Value, len(in))
	for i, x := range in {
		wide[i] = bytesOf(x)
	}
	switch q := p.(type) {
	case prim.DotGeneralP:
		q.Preferred = withoutNibbles(q.Preferred)
		p = q
	case windows.ConvP:
		q.Preferred = withoutNibbles(q.Preferred)
		p = q
	case indexed.SortByP:
		var scalars []core.ShapedArray
		for _, x := range wide {
			scalars = append(scalars, core.Aval(x.Aval().DType), core.Aval(x.Aval().DType))
		}
		before := q.Before
		q.Before = trace.Stage("before", scalars, func(args []core.Value) []core.Value {
			for i, x := range args {
				args[i] = convert(x, before.Ins[i].Type.DType)
			}
			return jaxpr.Eval(before, before.ConstVals, args)
		})
		p = q
	}
	results := core.Bind(p, wide...)
	for i, y := range results {
		results[i] = convert(y, out[i].DType)
	}
	return results
}

// withoutNibbles returns the preferred type of a contraction in bytes. In place of a narrow type it is Invalid, which
// stands for the operands' type.
func withoutNibbles(dt core.DType) core.DType {
	if dt != core.Invalid && isNibble(dt) {
		return core.Invalid
	}
	return dt
}
