package core

import (
	"math"
	"strconv"
	"strings"
	"sync/atomic"
)

// Number is a Go number or bool, kept exactly as it was given: a float64 that
// stands for an f32 is still that float64. Numbers compare by bits.
type Number struct {
	kind   Kind
	re, im uint64 // int64, uint64, bool or the bits of a float64
}

// BoolNumber returns a truth value.
func BoolNumber(v bool) Number {
	if v {
		return Number{kind: KindBool, re: 1}
	}
	return Number{kind: KindBool}
}

// IntNumber returns a signed integer.
func IntNumber(v int64) Number { return Number{kind: KindInt, re: uint64(v)} }

// UintNumber returns an unsigned integer.
func UintNumber(v uint64) Number { return Number{kind: KindUint, re: v} }

// FloatNumber returns a real number.
func FloatNumber(v float64) Number { return Number{kind: KindFloat, re: math.Float64bits(v)} }

// ComplexNumber returns a complex number.
func ComplexNumber(v complex128) Number {
	return Number{kind: KindComplex, re: math.Float64bits(real(v)), im: math.Float64bits(imag(v))}
}

// Kind returns the class of the Go number: KindBool, KindInt, KindUint, KindFloat or KindComplex.
func (n Number) Kind() Kind { return n.kind }

// Bool returns the number as a truth value: everything but zero is true.
func (n Number) Bool() bool {
	if n.kind == KindFloat || n.kind == KindComplex {
		return n.Complex() != 0
	}
	return n.re != 0
}

// Float returns the number as a float64, rounded to nearest. For a complex number it returns the
// real part.
func (n Number) Float() float64 {
	switch n.kind {
	case KindInt:
		return float64(int64(n.re))
	case KindUint, KindBool:
		return float64(n.re)
	}
	return math.Float64frombits(n.re)
}

// Complex returns the number as a complex128.
func (n Number) Complex() complex128 {
	if n.kind == KindComplex {
		return complex(math.Float64frombits(n.re), math.Float64frombits(n.im))
	}
	return complex(n.Float(), 0)
}

// Int64 returns the number as a signed integer: exact for integers that fit, wrapped
// for larger unsigned ones; floats truncate and saturate, NaN becomes 0.
func (n Number) Int64() int64 {
	switch n.kind {
	case KindInt, KindUint, KindBool:
		return int64(n.re)
	}
	f := n.Float()
	switch {
	case f != f:
		return 0
	case f >= 1<<63:
		return math.MaxInt64
	case f < -1<<63:
		return math.MinInt64
	}
	return int64(f)
}

// Uint64 returns the number as an unsigned integer: exact for integers that fit,
// wrapped for negative ones; floats truncate and saturate, NaN becomes 0.
func (n Number) Uint64() uint64 {
	switch n.kind {
	case KindInt, KindUint, KindBool:
		return n.re
	}
	f := n.Float()
	switch {
	case !(f > 0):
		return 0
	case f >= 1<<64:
		return math.MaxUint64
	case f >= 1<<63:
		return uint64(int64(f-(1<<63))) + 1<<63
	}
	return uint64(int64(f))
}

// Fits reports whether an integer or bool number is a value of the integer type dt. It is true for
// every dt that is not an integer type.
func (n Number) Fits(dt DType) bool {
	bits := uint(dt.Bits())
	switch {
	case dt.IsSigned():
		if n.kind == KindUint && n.re > math.MaxInt64 {
			return false
		}
		lo := int64(-1) << (bits - 1)
		v := int64(n.re)
		return v >= lo && v <= ^lo
	case dt.IsUnsigned():
		if n.kind == KindInt && int64(n.re) < 0 {
			return false
		}
		return bits == 64 || n.re>>bits == 0
	}
	return true
}

// Literal is one number with the type of a scalar: a value that belongs to no
// interpreter and that programs contain in place, as 2.0:f32[]. The number is
// rounded to the dtype when it is used, not before.
type Literal struct {
	Num  Number
	Type DType
	Weak bool
	Bare bool // a Go number that was passed to the current call: a type that it does not fit is an error, while arrays wrap
}

// Lit returns num as a strong literal of type dt.
func Lit(num Number, dt DType) Literal { return Literal{Num: num, Type: dt} }

// Value returns the literal as a Value. Equal literals usually share one allocation.
func (l Literal) Value() Value {
	at := &boxes[l.Hash()%uint64(len(boxes))]
	if b := at.Load(); b != nil && b.literal == l {
		return b.value
	}
	b := &boxed{literal: l, value: l}
	at.Store(b)
	return b.value
}

// Hash returns a number that is the same for equal literals. Its lower bits differ for
// most others, numbers with few digits included.
func (l Literal) Hash() uint64 {
	h := l.Num.re ^ l.Num.im<<1 ^ uint64(l.Type)<<2
	if l.Weak {
		h ^= 1
	}
	if l.Bare {
		h ^= 2
	}
	return (h ^ h>>32 ^ h>>52) * 0x9e3779b97f4a7c15 >> 48
}

// boxes caches literals as Values, at an index computed from the hash.
var boxes [64]atomic.Pointer[boxed]

type boxed struct {
	literal Literal
	value   Value
}

// Aval returns the literal's type: rank 0.
func (l Literal) Aval() ShapedArray { return ShapedArray{DType: l.Type, Weak: l.Weak} }

// NoElementText is how an element of float0 prints: as NumPy's record with one field of no bytes. A
// literal of float0 prints so if its number is a bool, and as its number otherwise.
const NoElementText = "(b'',)"

// String returns the literal as IR text has it: 2.0:f32[].
func (l Literal) String() string { return l.Text() + ":" + l.Type.String() + "[]" }

// Text returns the number alone, as Python writes a value of the dtype.
func (l Literal) Text() string {
	switch k := l.Type.Kind(); k {
	case KindBool:
		if l.Num.Bool() {
			return "True"
		}
		return "False"
	case KindInt:
		return strconv.FormatInt(int64(l.integer()), 10)
	case KindUint:
		return strconv.FormatUint(l.integer(), 10)
	case KindComplex:
		return PyComplex(l.Num.Complex())
	case KindFloat0:
		if l.Num.Kind() == KindBool {
			return NoElementText
		}
		return PyFloat(l.Num.Float())
	default:
		return PyFloat(l.Num.Float())
	}
}

// integer returns the value that an integer literal has when it is used: integers out of its
// type's range wrap, floats saturate.
func (l Literal) integer() uint64 {
	lo, hi, ok := l.Type.Limits()
	switch {
	case !ok:
		return l.Num.re
	case l.Num.kind != KindFloat && l.Num.kind != KindComplex:
		shift := 64 - uint(l.Type.Bits())
		if l.Type.IsSigned() {
			return uint64(int64(l.Num.re<<shift) >> shift)
		}
		return l.Num.re << shift >> shift
	case l.Type.IsSigned():
		return uint64(min(max(l.Num.Int64(), lo.Int64()), hi.Int64()))
	}
	return min(l.Num.Uint64(), hi.Uint64())
}

// PyFloat writes a float64 as Python's repr does: the shortest digits that read
// back, an exponent from 1e16 up and below 1e-4.
func PyFloat(f float64) string {
	switch {
	case f != f:
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// PyComplex writes a complex128 as Python's repr does: 1j, (2+0j), (-0-1j).
func PyComplex(c complex128) string {
	re, im := real(c), imag(c)
	part := func(f float64) string { return strings.TrimSuffix(PyFloat(f), ".0") }
	if re == 0 && !math.Signbit(re) {
		return part(im) + "j"
	}
	sign := "+"
	if math.Signbit(im) && im == im {
		sign = ""
	}
	return "(" + part(re) + sign + part(im) + "j)"
}

// IntegerText returns an integer number in digits, for messages about numbers that do not fit.
func (n Number) IntegerText() string {
	if n.kind == KindUint {
		return strconv.FormatUint(n.re, 10)
	}
	return strconv.FormatInt(int64(n.re), 10)
}
