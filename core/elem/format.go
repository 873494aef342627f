package elem

import (
	"math"

	"github.com/weft-go/weft/core"
)

// special is how a float format encodes infinity and NaN.
type special uint8

const (
	ieee      special = iota // the highest exponent encodes infinity and NaNs
	onlyNaN                  // no infinity; all ones is NaN
	unsigned0                // no infinity, no -0: its pattern is NaN
	finite                   // neither infinity nor NaN: saturates, NaN becomes -0
	powers                   // powers of two without sign; all ones is NaN
)

// format is a binary float format of 16 bits or fewer.
type format struct {
	exp, man, bias int
	special        special
}

var formats = [core.NumDTypes]format{
	core.BFloat16:          {8, 7, 127, ieee},
	core.Float16:           {5, 10, 15, ieee},
	core.Float8E5M2:        {5, 2, 15, ieee},
	core.Float8E4M3:        {4, 3, 7, ieee},
	core.Float8E3M4:        {3, 4, 3, ieee},
	core.Float8E4M3FN:      {4, 3, 7, onlyNaN},
	core.Float8E4M3FNUZ:    {4, 3, 8, unsigned0},
	core.Float8E5M2FNUZ:    {5, 2, 16, unsigned0},
	core.Float8E4M3B11FNUZ: {4, 3, 11, unsigned0},
	core.Float4E2M1FN:      {2, 1, 1, finite},
	core.Float6E2M3FN:      {2, 3, 1, finite},
	core.Float6E3M2FN:      {3, 2, 3, finite},
	core.Float8E8M0FNU:     {8, 0, 127, powers},
}

func (f format) sign() uint64 { return 1 << (f.exp + f.man) }

// overflow returns the pattern after the largest finite number: infinity, if the format has it.
func (f format) overflow() uint64 {
	switch f.special {
	case ieee:
		return (1<<f.exp - 1) << f.man
	case onlyNaN, powers:
		return f.sign() - 1
	default:
		return f.sign()
	}
}

// encode rounds x to the format: to nearest, ties to even; for powers as encodePower does.
func (f format) encode(x float64) uint64 {
	if f.special == powers {
		return encodePower(x)
	}
	neg := uint64(0)
	if math.Signbit(x) {
		neg = f.sign()
		x = -x
	}
	if x != x {
		return f.nan(neg)
	}
	b := f.overflow()
	if !math.IsInf(x, 0) && x != 0 {
		_, e := math.Frexp(x)
		e = max(e-1, 1-f.bias)                        // the exponent of the leading bit, at least that of the least normal number
		n := math.RoundToEven(math.Ldexp(x, f.man-e)) // in units of the last place
		// A carry into the next power of two is a carry into the exponent.
		if n < math.Ldexp(1, f.man) {
			b = uint64(n)
		} else if e+f.bias < 1<<f.exp {
			b = min(uint64(e+f.bias-1)<<f.man+uint64(n), f.overflow())
		}
	} else if x == 0 {
		b = 0
	}
	if b == f.overflow() {
		switch f.special {
		case unsigned0:
			return f.sign()
		case finite:
			b--
		}
	}
	if b == 0 && f.special == unsigned0 {
		return 0
	}
	return b | neg
}

func (f format) nan(neg uint64) uint64 {
	switch f.special {
	case ieee:
		return f.overflow() | 1<<(f.man-1)
	case onlyNaN:
		return f.overflow() | neg
	default:
		return f.sign()
	}
}

// encodePower rounds to a power of two between 2^-127 and 2^127, ties up. Smaller positive
// numbers become the least; zero, negative numbers and overflow become NaN.
func encodePower(x float64) uint64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return 0xff
	}
	m, e := math.Frexp(x) // x = m·2^e, ½ ≤ m < 1
	b := e - 1 + 127
	if m >= 0.75 {
		b++
	}
	if b > 254 {
		return 0xff
	}
	return uint64(max(b, 0))
}

func (f format) decode(b uint64) float64 {
	if f.special == powers {
		if b == 0xff {
			return math.NaN()
		}
		return math.Ldexp(1, int(b)-127)
	}
	neg := b&f.sign() != 0
	b &= f.sign() - 1
	e, m := int(b>>f.man), b&(1<<f.man-1)
	var x float64
	switch {
	case f.special == ieee && e == 1<<f.exp-1:
		x = math.Inf(1)
		if m != 0 {
			return math.NaN()
		}
	case f.special == onlyNaN && b == f.overflow(), f.special == unsigned0 && neg && b == 0:
		return math.NaN()
	case e == 0:
		x = math.Ldexp(float64(m), 1-f.bias-f.man)
	default:
		x = math.Ldexp(float64(m|1<<f.man), e-f.bias-f.man)
	}
	if neg {
		x = -x
	}
	return x
}
