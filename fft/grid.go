package fft

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
)

// Shift exchanges the halves of the given axes, or of all, so that frequency 0 is in the middle.
func Shift(x weft.Array, axes ...int) weft.Array {
	return roll("Shift", x, axes, func(n int) int { return n / 2 })
}

// IShift returns the inverse of [Shift].
func IShift(x weft.Array, axes ...int) weft.Array {
	return roll("IShift", x, axes, func(n int) int { return -(n / 2) })
}

func roll(op string, x weft.Array, axes []int, by func(n int) int) weft.Array {
	v := nd.ValueOf(op, x)
	for _, a := range (Config{}).axesOf(op, v.Aval(), axes) {
		v = nd.Roll(v, by(v.Aval().Shape.At(a)), a)
	}
	return weft.FromValue(v)
}

// Freq returns the frequencies of the elements of [FFT] of n samples at the distance d: 0, 1, …,
// −2, −1 over n·d.
func Freq(n int, d float64) weft.Array {
	return freq("Freq", n, n, d, func(k weft.Array) weft.Array {
		return weft.Where(k.Lt((n+1)/2), k, k.Sub(n))
	})
}

// RFreq returns the frequencies of the elements of [RFFT] of n samples at the distance d: 0, 1,
// …, n/2 over n·d.
func RFreq(n int, d float64) weft.Array {
	return freq("RFreq", n, n/2+1, d, func(k weft.Array) weft.Array { return k })
}

// freq returns f(k)/(n·d) for k = 0, 1, …, m−1.
func freq(op string, n, m int, d float64, f func(k weft.Array) weft.Array) weft.Array {
	if n < 1 || d == 0 {
		core.FailOp(core.ErrShape, op, nil, "there must be samples at a distance (got n = %d, d = %v); pass n ≥ 1 and d ≠ 0", n, d)
	}
	nd.Room(op, []int{m}, core.Int32)
	return nd.WithJAXPromotion(func() weft.Array {
		return f(weft.Iota(weft.Int32, 0, m)).AsType(nd.DefaultFloat()).Div(float64(n) * d)
	})
}
