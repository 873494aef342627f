package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// reducedBits is the type rule of reductions of bools and bits: their results are never weak and
// they have no derivative.
func reducedBits(in []ShapedArray, axes core.Dims) []ShapedArray {
	rule.Operands(in, 1)
	x := in[0]
	if !x.DType.IsBool() && !(x.DType.IsInteger() && x.DType.Bits() >= 8) {
		core.Failf(core.ErrDType, "takes bools and integers of 8 bits or more, got %v; convert or compare it first", x.Full())
	}
	return []ShapedArray{reduced(x, axes).Strong()}
}

// ReduceAndP is the bitwise and of the elements along axes; without elements, all ones.
type ReduceAndP struct{ Axes core.Dims }

// ReduceAnd returns the bitwise and of x along axes.
func ReduceAnd(x Value, axes core.Dims) Value { return core.Apply1(ReduceAndP{axes}, x) }

func (ReduceAndP) Name() string { return "reduce_and" }

func (ReduceAndP) read(r *jaxpr.ParamReader) core.Primitive { return ReduceAndP{r.Dims("axes")} }

func (p ReduceAndP) Params() []core.Param { return []core.Param{rule.Param("axes", p.Axes)} }

func (p ReduceAndP) Abstract(in []ShapedArray) []ShapedArray { return reducedBits(in, p.Axes) }

func (ReduceAndP) ZeroJVP() {}

func (p ReduceAndP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(ReduceAndP{p.Axes.Next()}, in[0])
}

// ReduceOrP is the bitwise or of the elements along axes; without elements, zero.
type ReduceOrP struct{ Axes core.Dims }

// ReduceOr returns the bitwise or of x along axes.
func ReduceOr(x Value, axes core.Dims) Value { return core.Apply1(ReduceOrP{axes}, x) }

func (ReduceOrP) Name() string { return "reduce_or" }

func (ReduceOrP) read(r *jaxpr.ParamReader) core.Primitive { return ReduceOrP{r.Dims("axes")} }

func (p ReduceOrP) Params() []core.Param { return []core.Param{rule.Param("axes", p.Axes)} }

func (p ReduceOrP) Abstract(in []ShapedArray) []ShapedArray { return reducedBits(in, p.Axes) }

func (ReduceOrP) ZeroJVP() {}

func (p ReduceOrP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(ReduceOrP{p.Axes.Next()}, in[0])
}

// ReduceXorP is the bitwise exclusive or of the elements along axes; without elements, zero.
type ReduceXorP struct{ Axes core.Dims }

// ReduceXor returns the bitwise exclusive or of x along axes.
func ReduceXor(x Value, axes core.Dims) Value { return core.Apply1(ReduceXorP{axes}, x) }

func (ReduceXorP) Name() string { return "reduce_xor" }

func (ReduceXorP) read(r *jaxpr.ParamReader) core.Primitive { return ReduceXorP{r.Dims("axes")} }

func (p ReduceXorP) Params() []core.Param { return []core.Param{rule.Param("axes", p.Axes)} }

func (p ReduceXorP) Abstract(in []ShapedArray) []ShapedArray { return reducedBits(in, p.Axes) }

func (ReduceXorP) ZeroJVP() {}

func (p ReduceXorP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(ReduceXorP{p.Axes.Next()}, in[0])
}
