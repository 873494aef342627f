package weft

import (
	"iter"
	"reflect"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

func (x Array) look(op string) *runtime.Array { return nd.Look(op, x.value()) }

// Float returns the value of a 0-d array of real numbers or truth values. An integer that no float64
// represents exactly is an error.
func (x Array) Float() float64 { return nd.Float(x.value()) }

// Int returns the integer in a 0-d array of integers, truth values or floats. A float must be integral and less
// than 2⁵³ in magnitude.
func (x Array) Int() int { return nd.Int(x.value()) }

// Bool returns the value of a 0-d array of truth values.
func (x Array) Bool() bool { return nd.Bool(x.value()) }

// Complex returns the value of a 0-d array.
func (x Array) Complex() complex128 { return nd.Complex(x.value()) }

// ToSlice returns x's elements in row-major order as a new slice. T must represent all values of
// x's type; otherwise convert x with [Array.AsType] first.
func ToSlice[T Elem](x Array) []T {
	dst := make([]T, x.Size())
	copyTo("ToSlice", dst, x)
	return dst
}

// CopyTo copies x's elements in row-major order to dst until dst is full or x ends, and returns
// how many it copied.
func CopyTo[T Elem](dst []T, x Array) int { return copyTo("CopyTo", dst, x) }

func copyTo[T Elem](op string, dst []T, x Array) int {
	a := x.look(op)
	t := a.Aval()
	n := min(len(dst), t.Size())
	if elemType[T]() == t.DType && sameLayout[T]() {
		a.Read(op, func(t *reference.Tensor) { copy(bytesOf(dst[:n]), t.Data) })
		return n
	}
	nd.RequireNumbers(op, x.value())
	if !holds(elemType[T](), t.DType) {
		core.FailOp(core.ErrDType, op, []core.ShapedArray{t}, "a []%v does not hold the values of %v; convert with AsType(weft.%s) first",
			reflect.TypeFor[T](), t.Full(), exported(elemType[T]()))
	}
	put := setter(dst)
	for i := range n {
		v, _ := a.At(i)
		put(i, v)
	}
	return n
}

// holds reports whether to, a type, can represent all values of from, another one.
func holds(to, from core.DType) bool {
	switch {
	case to == from:
		return true
	case from.IsBool():
		return false
	case to.IsComplex():
		return holds(to.Real(), from.Real())
	case to.IsFloat():
		mantissa := map[core.DType]int{core.Float16: 11, core.Float32: 24, core.Float64: 53}[to]
		if from.IsInteger() {
			return from.Bits() <= mantissa
		}
		if to == core.Float16 && (from == core.BFloat16 || from == core.Float8E8M0FNU) {
			return false // their exponents are wider
		}
		return from.IsFloat() && from.Bits() <= to.Bits()
	case to.IsSigned():
		return from.IsSigned() && from.Bits() <= to.Bits() || from.IsUnsigned() && from.Bits() < to.Bits()
	case to.IsUnsigned():
		return from.IsUnsigned() && from.Bits() <= to.Bits()
	}
	return false
}

func exported(dt core.DType) string {
	s := dt.Long()
	return string(s[0]-'a'+'A') + s[1:]
}

func setter[T Elem](dst []T) func(i int, n core.Number) {
	dt := elemType[T]()
	if sameLayout[T]() {
		w, mem := int(unsafe.Sizeof(*new(T))), bytesOf(dst)
		return func(i int, n core.Number) { elem.Put(mem[i*w:], n, dt) }
	}
	v := reflect.ValueOf(dst)
	if dt.IsUnsigned() {
		return func(i int, n core.Number) { v.Index(i).SetUint(n.Uint64()) }
	}
	return func(i int, n core.Number) { v.Index(i).SetInt(n.Int64()) }
}

// Values ranges over x's elements in row-major order.
func Values[T Elem](x Array) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, v := range ToSlice[T](x) {
			if !yield(v) {
				return
			}
		}
	}
}

// Rows ranges over the elements of the first axis.
func (x Array) Rows() iter.Seq2[int, Array] { return nd.Rows(x.value(), FromValue) }

// Equal reports whether x and y have the same shape, type and elements, NaNs being
// equal to each other and −0 to 0. Elementwise comparison is Eq.
func (x Array) Equal(y Array) bool { return nd.Equal(x.value(), y.value()) }
