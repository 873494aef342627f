package lax

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
)

// ConvertElementType returns x as a strong array of another dtype. Numbers are rounded to a float
// type. To an integer type floats are truncated and saturate, and integers wrap. A bool is x ≠ 0,
// and a real type gets the real part of a complex number. There is no equation if x already is a
// strong array of that dtype, and a Go number is converted at once.
func ConvertElementType[T weft.Operand](x T, dt weft.DType) weft.Array {
	v := value(x)
	if l, ok := v.(core.Literal); ok && isNumber(x) {
		core.AbstractOf(prim.ConvertElementTypeP{NewDType: dt}, []core.ShapedArray{l.Aval()})
		return wrap(core.Lit(elem.Round(l.Num, dt), dt))
	}
	return wrap(prim.Convert(v, dt, false))
}

// BitcastConvertType reads the bits of x as another dtype. If that is narrower, a
// trailing axis appears; if it is wider, the trailing axis disappears.
func BitcastConvertType(x weft.Array, dt weft.DType) weft.Array {
	return wrap(prim.BitcastConvert(x.Value(), dt))
}

// OptimizationBarrier returns the operands. All are computed before any result is used, and
// optimizations move nothing across it.
func OptimizationBarrier(xs ...weft.Array) []weft.Array {
	return wrapAll(prim.OptimizationBarrier(unwrap(xs)...))
}
