package nd

import (
	"math"
	"reflect"
	"strconv"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/runtime"
)

// Fitting returns l, and refuses a number that its type cannot represent: an untyped constant may be too large
// for the default width.
func Fitting(op string, l core.Literal) core.Literal {
	if !fits(l, l.Type) {
		wide := map[core.Kind]core.DType{core.KindInt: core.Int64, core.KindComplex: core.Complex128}[l.Type.Kind()]
		if wide == core.Invalid {
			wide = core.Float64
		}
		core.FailOp(core.ErrDType, op, nil, "the constant %s does not fit %v, the default width; write %s(…), or run under weft.DefaultBits(64)",
			numberText(l), l.Type, goType(wide))
	}
	return l
}

// RequireFits refuses a Go number that has no value in dt: for an integer type NaN and numbers out of its range,
// for a float type a finite number that would overflow. It accepts numbers that are rounded or lose a fraction.
func RequireFits(op string, l core.Literal, dt core.DType) {
	switch {
	case fits(l, dt):
	case dt.IsInteger():
		core.FailOp(core.ErrDType, op, nil, "the constant %s does not fit %v; convert the array to a wider type, or the constant, as in %s(…)", numberText(l), dt, goType(dt))
	default:
		core.FailOp(core.ErrDType, op, nil, "the constant %s does not fit %v; convert the array to a wider type, or write math.Inf", numberText(l), dt)
	}
}

func fits(l core.Literal, dt core.DType) bool {
	n := l.Num
	switch inexact := n.Kind() == core.KindFloat || n.Kind() == core.KindComplex; {
	case dt.IsInteger() && inexact:
		f := math.Trunc(n.Float())
		if math.Abs(f) >= 1<<63 {
			return f == -1<<63 && dt == core.Int64 || f > 0 && f < 1<<64 && dt == core.Uint64
		}
		return f == f && core.IntNumber(int64(f)).Fits(dt)
	case dt.IsInteger():
		return n.Fits(dt)
	case dt.IsInexact():
		z, r := n.Complex(), elem.Round(n, dt).Complex()
		return (isFinite(real(r)) || !isFinite(real(z))) && (isFinite(imag(r)) || !isFinite(imag(z)) || !dt.IsComplex())
	}
	return true
}

func isFinite(f float64) bool { return f-f == 0 }

func numberText(l core.Literal) string {
	if k := l.Num.Kind(); k == core.KindInt || k == core.KindUint {
		return l.Num.IntegerText()
	}
	return l.Text()
}

// Sizes returns a shape that a user passes, none of whose sizes may be negative.
func Sizes(op string, dims []int) core.Dims {
	d := core.MakeDims(dims...)
	for _, n := range dims {
		if n < 0 {
			core.FailOp(core.ErrShape, op, nil, "invalid shape %v: %d is negative; make all sizes 0 or more", d, n)
		}
	}
	return d
}

func countElements(d core.Dims) string {
	if d.Size() < 0 {
		return "more than can be counted"
	}
	return strconv.Itoa(d.Size())
}

// FillDims returns the shape of n elements, with a size of −1 filled in.
func FillDims(op string, n int, dims []int) core.Dims {
	if len(dims) == 0 {
		return core.MakeDims(n)
	}
	hole := -1
	var others []int
	for i, d := range dims {
		switch {
		case d == -1 && hole < 0:
			hole = i
		case d < 0:
			core.FailOp(core.ErrShape, op, nil, "invalid shape %v; use at most one -1 and no other negative size", core.MakeDims(dims...))
		default:
			others = append(others, d)
		}
	}
	d, known := core.MakeDims(dims...), core.MakeDims(others...).Size()
	if hole >= 0 && known > 0 && n%known == 0 {
		filled := d.Ints()
		filled[hole] = n / known
		return core.MakeDims(filled...)
	}
	if hole >= 0 || d.Size() != n {
		core.FailOp(core.ErrShape, op, nil, "%s cannot fill the shape %v; make its size %d, or write -1 for one axis", core.Count(n, "element"), d, n)
	}
	return d
}

// Operand returns the value of anything that an operator takes.
func Operand(op string, v any) core.Value {
	l, ok := Number(v)
	if !ok {
		return ValueOf(op, v)
	}
	return Fitting(op, l)
}

// RefuseOperand panics with a description of what is wrong with v.
func RefuseOperand(op string, v any) {
	switch t := reflect.TypeOf(v); {
	case t == nil, t == reflect.TypeFor[Nil]():
		core.FailOp(core.ErrDType, op, nil, "an operand is nil; pass an Array or a number")
	case t.Kind() == reflect.Func:
		core.FailOp(core.ErrDType, op, nil, "the operand is a function, %v; call it, with parentheses behind", t)
	case t.Kind() == reflect.Pointer && t.Implements(reflect.TypeFor[boxed]()):
		core.FailOp(core.ErrDType, op, nil, "an operand is a pointer to an Array; put * before it")
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		core.FailOp(core.ErrDType, op, nil, "an operand is %s; make an Array of it with weft.From or weft.FromSlice", core.WithArticle(t))
	default:
		core.FailOp(core.ErrDType, op, nil, "an operand is %s; pass an Array or a number", core.WithArticle(t))
	}
}

// fromSlice returns a copy of data as an array of one axis.
func fromSlice[T int32 | float64](data []T) core.Value {
	dt := core.Int32
	if _, ok := any(data).([]float64); ok {
		dt = core.Float64
	}
	a := runtime.NewData(core.Aval(dt, len(data)))
	if len(data) > 0 {
		copy(a.Tensor().Data, unsafe.Slice((*byte)(unsafe.Pointer(&data[0])), len(data)*dt.Size()))
	}
	return a
}

// NoTangent returns the tangent of a value that has none: float0 of its shape.
func NoTangent(a core.ShapedArray) core.Value {
	return runtime.New(core.ShapedArray{Shape: a.Shape, DType: core.Float0})
}
