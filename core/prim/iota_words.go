package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// IotaWordsP counts the elements of a shape in row-major order: the high and the low word of each
// count, of u32.
type IotaWordsP struct{ Shape core.Dims }

func (IotaWordsP) Name() string { return "iota_2x32_shape" }

func (IotaWordsP) read(r *jaxpr.ParamReader) core.Primitive { return IotaWordsP{r.Dims("shape")} }

func (p IotaWordsP) Params() []core.Param { return []core.Param{rule.Param("shape", p.Shape)} }

func (p IotaWordsP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 0)
	if p.Shape.Size() < 0 {
		core.Failf(core.ErrShape, "shape %v has a negative size or too many elements; use smaller sizes", p.Shape)
	}
	w := ShapedArray{Shape: p.Shape, DType: core.Uint32}
	return []ShapedArray{w, w}
}

func (IotaWordsP) ZeroJVP() {}

// Expand counts in u32, or in u64 where that overflows.
func (p IotaWordsP) Expand([]Value) []Value {
	n := core.MakeDims(p.Shape.Size())
	if int64(p.Shape.Size()) <= 1<<32 {
		return []Value{Zeros(ShapedArray{Shape: p.Shape, DType: core.Uint32}), Reshape(Iota(core.Uint32, n, 0), p.Shape)}
	}
	count := Reshape(Iota(core.Uint64, n, 0), p.Shape)
	hi := ShiftRightLogical(count, Num(count.Aval().WithShape(core.Dims{}), 32))
	return []Value{Convert(hi, core.Uint32, false), Convert(count, core.Uint32, false)}
}
