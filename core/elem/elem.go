// Package elem defines how one element of each dtype lies in memory: [Put] rounds a
// number to a dtype and stores it, [Get] reads it back. It is the one place where
// a literal becomes bytes; loops over arrays have their own code.
package elem

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/weft-go/weft/core"
)

// Put stores n, rounded to dt, at the head of dst in the host's byte order.
//
// A float dtype rounds n once, to nearest, ties to even (in f8_e8m0fnu up). In an integer dtype integers
// wrap; floats are truncated and saturate, NaN becomes 0. Both take the real part of a complex number. For
// bool everything but zero is true. Float0 and Token have no bytes.
func Put(dst []byte, n core.Number, dt core.DType) {
	switch dt {
	case core.Bool:
		dst[0] = 0
		if n.Bool() {
			dst[0] = 1
		}
	case core.Complex64:
		re, im := parts(n)
		binary.NativeEndian.PutUint32(dst, math.Float32bits(float32(re)))
		binary.NativeEndian.PutUint32(dst[4:], math.Float32bits(float32(im)))
	case core.Complex128:
		re, im := complex128Parts(n)
		binary.NativeEndian.PutUint64(dst, math.Float64bits(re))
		binary.NativeEndian.PutUint64(dst[8:], math.Float64bits(im))
	case core.Float64:
		binary.NativeEndian.PutUint64(dst, math.Float64bits(n.Float()))
	case core.Float32:
		binary.NativeEndian.PutUint32(dst, math.Float32bits(float32(odd(n))))
	case core.BFloat16, core.Float16:
		binary.NativeEndian.PutUint16(dst, uint16(formats[dt].encode(odd(n))))
	case core.Float0, core.Token:
	default:
		switch {
		case dt.IsMinorFloat():
			dst[0] = byte(formats[dt].encode(odd(n)))
		case dt.IsInteger():
			putInt(dst, n, dt)
		default:
			core.Failf(core.ErrDType, "%v is not a type of numbers; convert to a dtype of numbers", dt)
		}
	}
}

func putInt(dst []byte, n core.Number, dt core.DType) {
	w := uint(dt.Bits())
	u := n.Uint64()
	if n.Kind() == core.KindFloat || n.Kind() == core.KindComplex {
		if dt.IsSigned() {
			hi := int64(1)<<(w-1) - 1
			u = uint64(min(max(n.Int64(), -hi-1), hi))
		} else {
			u = min(u, math.MaxUint64>>(64-w))
		}
	}
	if dt.IsSigned() {
		u = uint64(int64(u) << (64 - w) >> (64 - w))
	} else {
		u &= math.MaxUint64 >> (64 - w)
	}
	switch dt.Size() {
	case 1:
		dst[0] = byte(u)
	case 2:
		binary.NativeEndian.PutUint16(dst, uint16(u))
	case 4:
		binary.NativeEndian.PutUint32(dst, uint32(u))
	case 8:
		binary.NativeEndian.PutUint64(dst, u)
	}
}

// odd returns n as a float64 that rounds to every narrower type as n itself does: an integer of more
// than 53 bits keeps the first 53, the last of which is set if any of the others was.
func odd(n core.Number) float64 {
	var u uint64
	neg := false
	switch n.Kind() {
	case core.KindInt:
		i := n.Int64()
		neg = i < 0
		u = uint64(i)
		if neg {
			u = -u
		}
	case core.KindUint:
		u = n.Uint64()
	default:
		return n.Float()
	}
	if s := bits.Len64(u) - 53; s > 0 {
		low := u & (1<<s - 1)
		u >>= s
		if low != 0 {
			u |= 1
		}
		u <<= s
	}
	f := float64(u)
	if neg {
		f = -f
	}
	return f
}

func parts(n core.Number) (re, im float64) {
	if n.Kind() == core.KindComplex {
		c := n.Complex()
		return real(c), imag(c)
	}
	return odd(n), 0
}

func complex128Parts(n core.Number) (re, im float64) {
	c := n.Complex()
	return real(c), imag(c)
}

// Get reads the element of type dt at the head of src: as an int, uint, bool,
// float or complex number. ok is false for types without numbers.
func Get(src []byte, dt core.DType) (n core.Number, ok bool) {
	switch dt {
	case core.Bool:
		return core.BoolNumber(src[0] != 0), true
	case core.Complex64:
		re := math.Float32frombits(binary.NativeEndian.Uint32(src))
		im := math.Float32frombits(binary.NativeEndian.Uint32(src[4:]))
		return core.ComplexNumber(complex(float64(re), float64(im))), true
	case core.Complex128:
		re := math.Float64frombits(binary.NativeEndian.Uint64(src))
		im := math.Float64frombits(binary.NativeEndian.Uint64(src[8:]))
		return core.ComplexNumber(complex(re, im)), true
	case core.Float64:
		return core.FloatNumber(math.Float64frombits(binary.NativeEndian.Uint64(src))), true
	case core.Float32:
		return core.FloatNumber(float64(math.Float32frombits(binary.NativeEndian.Uint32(src)))), true
	case core.BFloat16, core.Float16:
		return core.FloatNumber(formats[dt].decode(uint64(binary.NativeEndian.Uint16(src)))), true
	}
	var u uint64
	switch {
	case dt.IsMinorFloat():
		return core.FloatNumber(formats[dt].decode(uint64(src[0]))), true
	case !dt.IsInteger():
		return core.Number{}, false
	}
	switch dt.Size() {
	case 1:
		u = uint64(src[0])
	case 2:
		u = uint64(binary.NativeEndian.Uint16(src))
	case 4:
		u = uint64(binary.NativeEndian.Uint32(src))
	case 8:
		u = binary.NativeEndian.Uint64(src)
	}
	w := uint(dt.Bits())
	if dt.IsSigned() {
		return core.IntNumber(int64(u) << (64 - w) >> (64 - w)), true
	}
	return core.UintNumber(u & (math.MaxUint64 >> (64 - w))), true
}

// Round returns n rounded to dt and widened again: 0.1 rounded to f32 is 0.10000000149011612.
func Round(n core.Number, dt core.DType) core.Number {
	var buf [16]byte
	Put(buf[:], n, dt)
	m, ok := Get(buf[:], dt)
	if !ok {
		core.Failf(core.ErrDType, "%v is not a type of numbers; convert to a dtype of numbers", dt)
	}
	return m
}
