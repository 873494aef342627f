// Package lax has one function for each primitive: strict arithmetic over arrays.
//
// Nothing is promoted and no axis is added: operands must agree in dtype, and in
// rank unless one is a scalar. What the functions bind is what a program shows, one
// equation a call, in the order of the calls. Where that is not so (an operation
// that does nothing writes nothing, an index is brought into range) the function
// says it. Package weft has the same operations as NumPy has them, with promotion
// and broadcasting; it is built from these.
//
// A Go number is an operand of its default dtype: int is i32, float64 is f32 and
// complex128 is c64, or the 64-bit types under weft.DefaultBits(64). It must be the
// dtype of the other operand, and programs show it as it was written:
//
//	lax.Mul(x, 0.1)          // x is f32: mul a 0.1:f32[]
//	lax.Mul(x, float32(0.1)) // the same value: mul a 0.10000000149011612:f32[]
//
// Numbers of other dtypes are made by [ConvertElementType], which rounds a Go
// number at once: lax.ConvertElementType(0.1, weft.Float16).
package lax

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// value returns what an operand stands for: an Array's value, or a Go number as a
// literal.
func value[T weft.Operand](x T) core.Value { return weft.AsArray(x).Value() }

// wrap returns the Array of a value.
func wrap(v core.Value) weft.Array { return weft.FromValue(v) }

// unwrap returns the values of Arrays.
func unwrap(xs []weft.Array) []core.Value {
	vs := make([]core.Value, len(xs))
	for i, x := range xs {
		vs[i] = x.Value()
	}
	return vs
}

// wrapAll returns the Arrays of values.
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

// meetNumber explains that a Go number x is not of the dtype of y. The primitive
// refuses other pairs itself.
func meetNumber(p core.Primitive, x, y core.Value, number bool) {
	l, ok := x.(core.Literal)
	other := y.Aval()
	if !ok || !number || l.Type == other.DType {
		return
	}
	core.FailOp(core.ErrDType, p.Name(), []core.ShapedArray{l.Aval(), other},
		"the Go number %s is %v here and meets %v; lax converts nothing: write lax.ConvertElementType(%s, …)",
		l.Text(), l.Type, other.Full(), l.Text())
}
