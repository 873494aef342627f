package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// TransposeP reorders axes: axis i of the result is axis Perm[i] of the operand.
type TransposeP struct{ Perm core.Dims }

// Transpose reorders the axes of x. For the identity permutation it returns x itself.
func Transpose(x Value, perm core.Dims) Value {
	if perm == core.Range(0, x.Aval().Rank()) {
		return x
	}
	return core.Apply1(TransposeP{perm}, x)
}

func (TransposeP) Name() string { return "transpose" }

func (TransposeP) read(r *jaxpr.ParamReader) core.Primitive { return TransposeP{r.Dims("permutation")} }

func (p TransposeP) Params() []core.Param { return []core.Param{rule.Param("permutation", p.Perm)} }

func (p TransposeP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	x := in[0]
	if !rule.Permutation(p.Perm, x.Rank()) {
		core.Failf(core.ErrShape, "%v is not a permutation of the %s of %v; name each once", p.Perm, core.Count(x.Rank(), "axis"), x.Full())
	}
	return []ShapedArray{x.WithShape(p.Perm.Map(x.Shape.At))}
}

func (p TransposeP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

func (p TransposeP) Transpose(ct, _ []Value, _ []bool, _ []ShapedArray) []Value {
	return rule.One(Transpose(ct[0], inverse(p.Perm)))
}

func inverse(perm core.Dims) core.Dims {
	inv := make([]int, perm.Len())
	for i, a := range perm.All() {
		inv[a] = i
	}
	return core.MakeDims(inv...)
}

func (p TransposeP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return []Value{Transpose(in[0], rule.BatchAxisThen(p.Perm))}, []bool{true}
}

// RevP reverses the order of elements along axes.
type RevP struct{ Dims core.Dims }

// Rev reverses x along the given axes.
func Rev(x Value, dims core.Dims) Value { return core.Apply1(RevP{dims}, x) }

func (RevP) Name() string { return "rev" }

func (RevP) read(r *jaxpr.ParamReader) core.Primitive { return RevP{r.Dims("dimensions")} }

func (p RevP) Params() []core.Param { return []core.Param{rule.Param("dimensions", p.Dims)} }

func (p RevP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	if !rule.Distinct(p.Dims, in[0].Rank()) {
		core.Failf(core.ErrShape, "the axes %v must be distinct axes of %v; list every axis once", p.Dims, in[0].Full())
	}
	return []ShapedArray{in[0]}
}

func (p RevP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

func (p RevP) Transpose(ct, _ []Value, _ []bool, _ []ShapedArray) []Value {
	return rule.One(Rev(ct[0], p.Dims))
}

func (p RevP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(RevP{p.Dims.Next()}, in[0])
}
