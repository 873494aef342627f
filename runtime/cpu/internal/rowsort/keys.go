package rowsort

import (
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

func view[T any](b []byte) []T {
	var t T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(t)))
}

// keyBits returns the number of bits of a key: as many as an element has, or a part of a complex one.
// Floats of one byte, and those of two in total order, have the keys of the f32 of the same value.
func keyBits(dt core.DType, total bool) int {
	switch {
	case dt.IsComplex():
		return 8 * dt.Size() / 2
	case scalar.IsSmallFloat(dt) && (dt.Size() == 1 || total):
		return 32
	}
	return 8 * dt.Size()
}

// float32Key returns the key of a float of 32 bits: both zeros have the same key, NaNs the
// greatest. If total, the order is that of IEEE 754's totalOrder.
func float32Key(b uint32, total bool) uint32 {
	if !total {
		if b<<1 > 0xff000000 {
			return math.MaxUint32
		}
		if b<<1 == 0 {
			b = 0
		}
	}
	return b ^ (uint32(int32(b)>>31) | 1<<31)
}

func float64Key(b uint64, total bool) uint64 {
	if !total {
		if b<<1 > 0xffe0_0000_0000_0000 {
			return math.MaxUint64
		}
		if b<<1 == 0 {
			b = 0
		}
	}
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// float16Key is float32Key, not in total order, for floats of 16 bits whose infinity is inf.
func float16Key(b, inf uint16) uint16 {
	if b&0x7fff > inf {
		return math.MaxUint16
	}
	if b<<1 == 0 {
		b = 0
	}
	return b ^ (uint16(int16(b)>>15) | 1<<15)
}

func infinity16(dt core.DType) uint16 {
	if dt == core.BFloat16 {
		return 0x7f80
	}
	return 0x7c00
}

// keys32 writes the keys of elements of at most 4 bytes, or of the real parts (part 0) or the
// imaginary parts (part 1) of c64.
func keys32(dst []uint32, src []byte, dt core.DType, part int, total bool) {
	switch {
	case dt == core.Complex64:
		x := view[[2]uint32](src)
		for i := range dst {
			dst[i] = float32Key(x[i][part], total)
		}
	case dt == core.Float32:
		x := view[uint32](src)[:len(dst)]
		for i, b := range x {
			dst[i] = float32Key(b, total)
		}
	case dt == core.BFloat16 && total:
		for i, b := range view[uint16](src)[:len(dst)] {
			dst[i] = float32Key(math.Float32bits(scalar.FromBF16(b)), true)
		}
	case dt == core.Float16 && total:
		for i, b := range view[uint16](src)[:len(dst)] {
			dst[i] = float32Key(math.Float32bits(scalar.FromF16(b)), true)
		}
	case dt == core.BFloat16 || dt == core.Float16:
		inf := infinity16(dt)
		for i, b := range view[uint16](src)[:len(dst)] {
			dst[i] = uint32(float16Key(b, inf))
		}
	case scalar.IsSmallFloat(dt):
		wide := scalar.WidenTable(dt)
		for i, b := range src[:len(dst)] {
			dst[i] = float32Key(math.Float32bits(wide[b]), total)
		}
	default:
		integers32(dst, src, scalar.Stored(dt))
	}
}

func integers32(dst []uint32, src []byte, t scalar.Type) {
	switch t {
	case scalar.I8:
		for i, b := range src[:len(dst)] {
			dst[i] = uint32(b ^ 1<<7)
		}
	case scalar.I16:
		for i, b := range view[uint16](src)[:len(dst)] {
			dst[i] = uint32(b ^ 1<<15)
		}
	case scalar.I32:
		for i, b := range view[uint32](src)[:len(dst)] {
			dst[i] = b ^ 1<<31
		}
	case scalar.U16:
		for i, b := range view[uint16](src)[:len(dst)] {
			dst[i] = uint32(b)
		}
	case scalar.U32:
		copy(dst, view[uint32](src))
	default: // u8, bool
		for i, b := range src[:len(dst)] {
			dst[i] = uint32(b)
		}
	}
}

// keys64 writes the keys of elements of 8 bytes, or of the parts of c128.
func keys64(dst []uint64, src []byte, dt core.DType, part int, total bool) {
	switch {
	case dt == core.Complex128:
		x := view[[2]uint64](src)
		for i := range dst {
			dst[i] = float64Key(x[i][part], total)
		}
	case dt == core.Float64:
		for i, b := range view[uint64](src)[:len(dst)] {
			dst[i] = float64Key(b, total)
		}
	case scalar.Stored(dt) == scalar.I64:
		for i, b := range view[uint64](src)[:len(dst)] {
			dst[i] = b ^ 1<<63
		}
	default:
		copy(dst, view[uint64](src))
	}
}

// elements32 writes the elements with the given keys. Of floats, all zeros become +0 and all NaNs
// the same NaN: see restore.
func elements32(dst []byte, keys []uint32, dt core.DType) {
	switch t := scalar.Stored(dt); {
	case dt == core.Float32:
		y := view[uint32](dst)[:len(keys)]
		for i, k := range keys {
			y[i] = k ^ (uint32(int32(^k)>>31) | 1<<31)
		}
	case scalar.IsSmallFloat(dt):
		y := view[uint16](dst)[:len(keys)]
		for i, k := range keys {
			b := uint16(k)
			y[i] = b ^ (uint16(int16(^b)>>15) | 1<<15)
		}
	case t == scalar.I32:
		y := view[uint32](dst)[:len(keys)]
		for i, k := range keys {
			y[i] = k ^ 1<<31
		}
	case t == scalar.U32:
		copy(view[uint32](dst), keys)
	case t == scalar.I16:
		y := view[uint16](dst)[:len(keys)]
		for i, k := range keys {
			y[i] = uint16(k) ^ 1<<15
		}
	case t == scalar.U16:
		y := view[uint16](dst)[:len(keys)]
		for i, k := range keys {
			y[i] = uint16(k)
		}
	case t == scalar.I8:
		for i, k := range keys {
			dst[i] = uint8(k) ^ 1<<7
		}
	default:
		for i, k := range keys {
			dst[i] = uint8(k)
		}
	}
}

func elements64(dst []byte, keys []uint64, dt core.DType) {
	y := view[uint64](dst)[:len(keys)]
	switch {
	case dt == core.Float64:
		for i, k := range keys {
			y[i] = k ^ (uint64(int64(^k)>>63) | 1<<63)
		}
	case scalar.Stored(dt) == scalar.I64:
		for i, k := range keys {
			y[i] = k ^ 1<<63
		}
	default:
		copy(y, keys)
	}
}

// restore writes the zeros and the NaNs of a row of floats, in the order that they have in
// src, to the positions that their keys have in the sorted row.
func restore[W uint16 | uint32 | uint64](team *Team, dst, src []W, inf W) {
	sign := ^(^W(0) >> 1)
	var zeros, nans atomic.Int64
	team.each(len(src), func(lo, hi int) {
		negative, nan := 0, 0
		for _, b := range src[lo:hi] {
			if b == sign {
				negative++
			}
			if b&^sign > inf {
				nan++
			}
		}
		zeros.Add(int64(negative))
		nans.Add(int64(nan))
	})
	nan := int(nans.Load())
	if zeros.Load() > 0 {
		// The first zero lies behind all negative numbers.
		lo, hi := 0, len(dst)-nan
		for lo < hi {
			mid := (lo + hi) / 2
			if dst[mid]&sign != 0 {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		at := lo
		for _, b := range src {
			if b&^sign == 0 {
				dst[at] = b
				at++
			}
		}
	}
	if nan > 0 {
		at := len(dst) - nan
		for _, b := range src {
			if b&^sign > inf {
				dst[at] = b
				at++
			}
		}
	}
}
