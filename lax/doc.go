// Package lax has the functions of JAX's lax: strict arithmetic over arrays, without promotion
// and without added axes. Operands must agree in dtype, and in rank unless one is a scalar.
// Package weft has the same operations with the semantics of NumPy.
//
// Most functions bind one primitive, and a program shows their calls as equations, in order. The
// comment of a function says so where a call writes several equations (IndexInDim writes a slice
// and a squeeze), or none (an operation without effect on its operand).
//
// A Go number is an operand of its default dtype: int is i32, float64 is f32 and
// complex128 is c64, or the 64-bit types under weft.DefaultBits(64). It must have the
// dtype of the other operand, and programs show it as it was written:
//
//	lax.Mul(x, 0.1)          // x is f32: mul a 0.1:f32[]
//	lax.Mul(x, float32(0.1)) // the same value: mul a 0.10000000149011612:f32[]
//
// [ConvertElementType] makes numbers of other dtypes. It rounds a Go number at once:
// lax.ConvertElementType(0.1, weft.Float16).
package lax

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// value returns the value of an operand: an Array's value, or a Go number as a literal.
func value[T weft.Operand](x T) core.Value { return weft.AsArray(x).Value() }

func wrap(v core.Value) weft.Array { return weft.FromValue(v) }

func unwrap(xs []weft.Array) []core.Value {
	vs := make([]core.Value, len(xs))
	for i, x := range xs {
		vs[i] = x.Value()
	}
	return vs
}

func wrapAll(vs []core.Value) []weft.Array {
	xs := make([]weft.Array, len(vs))
	for i, v := range vs {
		xs[i] = wrap(v)
	}
	return xs
}

// pair binds p to two operands of one dtype.
func pair[A, B weft.Operand](p core.Primitive, a A, b B) weft.Array {
	x, y := value(a), value(b)
	meetNumber(p, x, y, isNumber(a))
	meetNumber(p, y, x, isNumber(b))
	return wrap(core.Bind1(p, x, y))
}

func isNumber[T weft.Operand](x T) bool { _, ok := any(x).(weft.Array); return !ok }

// meetNumber refuses x if it is a Go number, that is, if number is true, whose dtype is not that of
// y. The primitive itself refuses other operands of different dtypes.
func meetNumber(p core.Primitive, x, y core.Value, number bool) {
	l, ok := x.(core.Literal)
	other := y.Aval()
	if !ok || !number || l.Type == other.DType {
		return
	}
	core.FailOp(core.ErrDType, p.Name(), []core.ShapedArray{l.Aval(), other},
		"the Go number %s is %v here, the other operand %v; lax converts nothing: write lax.ConvertElementType(%s, …)",
		l.Text(), l.Type, other.Full(), l.Text())
}
