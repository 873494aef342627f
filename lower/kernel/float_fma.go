package kernel

import "math"

// fma32 is x·y + z rounded once to f32.
//
// The product of two f32 is exact in f64 and the sum is rounded there once, which
// is harmless unless the f64 lies exactly between two f32 or the result is
// subnormal: then the sum is rounded to odd first, so that the second rounding
// sees on which side of the midpoint the true value lies.
func fma32(x, y, z float32) float32 {
	p := float64(float64(x) * float64(y))
	s := p + float64(z)
	b := math.Float64bits(s)
	if b&(1<<29-1) == 1<<28 || b<<1 < (1023-126)<<53 {
		return fma32odd(p, float64(z), s)
	}
	return float32(s)
}

// fma32odd rounds p + z, whose nearest f64 is s, to odd and then to f32.
//
//go:noinline
func fma32odd(p, z, s float64) float32 {
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

const (
	canonical32 = 0x7fc00000
	canonical64 = 0x7ff8000000000000
)

var (
	nan32 = math.Float32frombits(canonical32)
	nan64 = math.Float64frombits(canonical64)
)

// max64 and its siblings are IEEE 754-2019 maximum and minimum: NaN wins, and
// +0 is above −0.
func max64(x, y float64) float64 {
	switch {
	case x > y:
		return x
	case y > x:
		return y
	case x == y: // equal, or zeros of any sign: and of the sign bits
		return math.Float64frombits(math.Float64bits(x) & math.Float64bits(y))
	}
	return x + y
}

func min64(x, y float64) float64 {
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

func max32(x, y float32) float32 {
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

func min32(x, y float32) float32 {
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

// toInt64 truncates and saturates; NaN gives 0.
func toInt64(f float64) int64 {
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

// toUint64 truncates and saturates; NaN gives 0.
func toUint64(f float64) uint64 {
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

// uintToFloat64 rounds once: both halves are exact, and so is the product.
func uintToFloat64(u uint64) float64 {
	return float64(float64(u>>32)*(1<<32)) + float64(uint32(u))
}

// uintToFloat32 rounds once: what float64 cannot hold becomes a sticky bit.
func uintToFloat32(u uint64) float32 {
	if u < 1<<53 {
		return float32(float64(int64(u)))
	}
	v := u >> 11
	if u&(1<<11-1) != 0 {
		v |= 1
	}
	return float32(float64(int64(v)) * (1 << 11))
}

func intToFloat64(i int64) float64 {
	if i < 0 {
		return -uintToFloat64(-uint64(i))
	}
	return uintToFloat64(uint64(i))
}

func intToFloat32(i int64) float32 {
	if i < 0 {
		return -uintToFloat32(-uint64(i))
	}
	return uintToFloat32(uint64(i))
}
