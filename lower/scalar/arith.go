package scalar

import "math"

// FMA32 returns x·y + z rounded once to f32.
//
// The product of two f32 is exact in f64 and the sum is rounded there once, which
// is harmless unless the f64 lies exactly between two f32 or the result is
// subnormal: then the sum is rounded to odd first, so that the second rounding
// finds on which side of the midpoint the true value lies.
func FMA32(x, y, z float32) float32 {
	p := float64(float64(x) * float64(y))
	s := p + float64(z)
	b := math.Float64bits(s)
	if b&(1<<29-1) == 1<<28 || b<<1 < (1023-126)<<53 {
		return AddToOdd32(p, float64(z), s)
	}
	return float32(s)
}

// AddToOdd32 rounds p + z, whose nearest f64 is s, to odd and then to f32.
//
//go:noinline
func AddToOdd32(p, z, s float64) float32 {
	if s != s {
		return float32(s)
	}
	// Two-sum: s + e = p + z exactly.
	q := s - p
	e := (p - (s - q)) + (z - q)
	if e != 0 {
		if b := math.Float64bits(s); b&1 == 0 {
			if (e > 0) == (s > 0) {
				b++
			} else {
				b--
			}
			s = math.Float64frombits(b)
		}
	}
	return float32(s)
}

// The bits of the canonical quiet NaN.
const (
	NaNBits32 = 0x7fc00000
	NaNBits64 = 0x7ff8000000000000
)

// The canonical quiet NaN.
var (
	NaN32 = math.Float32frombits(NaNBits32)
	NaN64 = math.Float64frombits(NaNBits64)
)

// Max64 returns the greater of x and y (IEEE 754-2019 maximum): NaN wins, and +0 is above −0.
func Max64(x, y float64) float64 {
	switch {
	case x > y:
		return x
	case y > x:
		return y
	case x == y: // zeros of different signs give +0
		return math.Float64frombits(math.Float64bits(x) & math.Float64bits(y))
	}
	return x + y
}

// Min64 returns the lesser of x and y; NaN wins, and −0 is below +0.
func Min64(x, y float64) float64 {
	switch {
	case x < y:
		return x
	case y < x:
		return y
	case x == y:
		return math.Float64frombits(math.Float64bits(x) | math.Float64bits(y))
	}
	return x + y
}

// Max32 returns the greater of x and y; NaN wins, and +0 is above −0.
func Max32(x, y float32) float32 {
	switch {
	case x > y:
		return x
	case y > x:
		return y
	case x == y:
		return math.Float32frombits(math.Float32bits(x) & math.Float32bits(y))
	}
	return x + y
}

// Min32 returns the lesser of x and y; NaN wins, and −0 is below +0.
func Min32(x, y float32) float32 {
	switch {
	case x < y:
		return x
	case y < x:
		return y
	case x == y:
		return math.Float32frombits(math.Float32bits(x) | math.Float32bits(y))
	}
	return x + y
}

// Conversions that Go leaves to the platform or rounds twice on some.

// ToInt64 truncates and saturates; NaN becomes 0.
func ToInt64(f float64) int64 {
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

// ToUint64 truncates and saturates; NaN becomes 0.
func ToUint64(f float64) uint64 {
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

// UintToFloat64 rounds once: both halves are exact, and so is the product.
func UintToFloat64(u uint64) float64 {
	return float64(float64(u>>32)*(1<<32)) + float64(uint32(u))
}

// UintToFloat32 rounds once: the bits that float64 cannot hold become a sticky bit.
func UintToFloat32(u uint64) float32 {
	if u < 1<<53 {
		return float32(float64(int64(u)))
	}
	v := u >> 11
	if u&(1<<11-1) != 0 {
		v |= 1
	}
	return float32(float64(int64(v)) * (1 << 11))
}

// IntToFloat64 rounds once.
func IntToFloat64(i int64) float64 {
	if i < 0 {
		return -UintToFloat64(-uint64(i))
	}
	return UintToFloat64(uint64(i))
}

// IntToFloat32 rounds once.
func IntToFloat32(i int64) float32 {
	if i < 0 {
		return -UintToFloat32(-uint64(i))
	}
	return UintToFloat32(uint64(i))
}
