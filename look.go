package weft

import (
	"bytes"
	"iter"
	"math"
	"reflect"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/lower/kernel"
	"github.com/weft-go/weft/runtime"
)

// scalar returns the number of a 0-d array.
func (x Array) scalar(op string) (core.Number, core.DType) {
	a := nd.ValueOf(op, x).Aval()
	if a.Rank() != 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "%v is no scalar; take an element with Index, reduce as with Any or Sum, or use ToSlice", a.Full())
	}
	n, ok := x.look(op).Scalar()
	if !ok {
		nd.RequireNumbers(op, x.value())
		core.FailOp(core.ErrDType, op, []core.ShapedArray{a}, "%v is not one number; use At or Reshape to select one", a.Full())
	}
	return n, a.DType
}

// look returns the concrete array behind x.
func (x Array) look(op string) *runtime.Array { return nd.Look(op, x.value()) }

// Float returns the value of a real 0-d array.
func (x Array) Float() float64 {
	n, dt := x.scalar("Float")
	if dt.IsComplex() {
		core.FailOp(core.ErrDType, "Float", []core.ShapedArray{x.aval()}, "%v has an imaginary part; use Complex, or Real first", x.aval().Full())
	}
	f := n.Float()
	if n.Kind() == core.KindInt && int64(f) != n.Int64() || n.Kind() == core.KindUint && (f >= 1<<64 || uint64(f) != n.Uint64()) {
		core.FailOp(core.ErrDType, "Float", []core.ShapedArray{x.aval()}, "%v is no float64 exactly; use Int, or AsType first", n.BigInt())
	}
	return f
}

// Int returns the value of an integral 0-d array.
func (x Array) Int() int {
	n, dt := x.scalar("Int")
	v := int64(0)
	switch {
	case dt.IsInteger() || dt.IsBool():
		if n.Fits(core.Int64) && int64(int(n.Int64())) == n.Int64() {
			return int(n.Int64())
		}
		core.FailOp(core.ErrDType, "Int", []core.ShapedArray{x.aval()}, "%v does not fit an int; use Float or a wider type", n.BigInt())
	case dt.IsFloat():
		if f := n.Float(); f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			v = int64(f)
			break
		}
		core.FailOp(core.ErrDType, "Int", []core.ShapedArray{x.aval()}, "%v is no integer; use Float, or Floor first", n.Float())
	default:
		core.FailOp(core.ErrDType, "Int", []core.ShapedArray{x.aval()}, "%v is not an integer; convert it with Astype or use Float", x.aval().Full())
	}
	return int(v)
}

// Bool returns the value of a 0-d array of truth values.
func (x Array) Bool() bool {
	n, dt := x.scalar("Bool")
	if !dt.IsBool() {
		core.FailOp(core.ErrDType, "Bool", []core.ShapedArray{x.aval()}, "%v is no truth value; compare it, as in x.Ne(0)", x.aval().Full())
	}
	return n.Bool()
}

// Complex returns the value of a 0-d array.
func (x Array) Complex() complex128 {
	n, dt := x.scalar("Complex")
	if dt.IsComplex() {
		return n.Complex()
	}
	return complex(x.Float(), 0)
}

// ToSlice returns x's elements in row-major order as a slice of its own. T represents all of
// x's values: converting them otherwise is AsType's.
func ToSlice[T Elem](x Array) []T {
	dst := make([]T, x.Size())
	CopyTo(dst, x)
	return dst
}

// CopyTo copies x's elements in row-major order to dst, as many as there is room
// for, and returns how many.
func CopyTo[T Elem](dst []T, x Array) int {
	a := x.look("ToSlice")
	t := a.Aval()
	n := min(len(dst), t.Size())
	if elemType[T]() == t.DType && sameLayout[T]() {
		a.Read("ToSlice", func(t *kernel.Tensor) { copy(bytesOf(dst[:n]), t.Data) })
		return n
	}
	nd.RequireNumbers("ToSlice", x.value())
	if !holds(elemType[T](), t.DType) {
		core.FailOp(core.ErrDType, "ToSlice", []core.ShapedArray{t}, "a []%v does not hold the values of %v; convert with AsType(weft.%s) first",
			reflect.TypeFor[T](), t.Full(), exported(elemType[T]()))
	}
	put := setter(dst)
	for i := range n {
		v, _ := a.At(i)
		put(i, v)
	}
	return n
}

// holds reports whether to has all values of from.
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

// setter writes numbers into a slice.
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
func (x Array) Rows() iter.Seq2[int, Array] {
	if a := nd.ValueOf("Rows", x).Aval(); a.Rank() == 0 {
		core.FailOp(core.ErrShape, "Rows", []core.ShapedArray{a}, "%v has no rows; look at it with Float, Int or Bool", a.Full())
	}
	n := x.Len()
	return func(yield func(int, Array) bool) {
		for i := range n {
			if !yield(i, x.Index(i)) {
				return
			}
		}
	}
}

// Equal reports whether x and y have the same shape, type and elements, NaNs being
// equal to each other and −0 to 0. Elementwise comparison is Eq.
func (x Array) Equal(y Array) bool {
	if x.v == nil || y.v == nil {
		return x.v == y.v
	}
	s, t := x.aval(), y.aval()
	if !s.SameType(t) {
		return false
	}
	a, b := x.look("Equal"), y.look("Equal")
	same := false
	a.Read("Equal", func(p *kernel.Tensor) {
		b.Read("Equal", func(q *kernel.Tensor) { same = bytes.Equal(p.Data, q.Data) })
	})
	if same {
		return true
	}
	if !s.DType.IsInexact() {
		return false
	}
	for i := range s.Size() {
		m, _ := a.At(i)
		n, _ := b.At(i)
		if !sameNumber(m.Complex(), n.Complex()) {
			return false
		}
	}
	return true
}

func sameNumber(a, b complex128) bool {
	same := func(x, y float64) bool { return x == y || x != x && y != y }
	return same(real(a), real(b)) && same(imag(a), imag(b))
}

// Nonzero returns the positions of x's elements that are not zero, in row-major order: an
// array of indices for each axis. x must be known.
func Nonzero(x Array) []Array { return arraysOf(nd.Nonzero(x.value())) }
