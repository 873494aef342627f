package special

import (
	"math"

	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// floats computes with numbers directly. Every product is rounded before a sum, as in kernels.
type floats struct{}

var now floats

type floatException struct {
	cond  bool
	value float64
}

func (floats) num(x float64) float64       { return x }
func (floats) add(a, b float64) float64    { return a + b }
func (floats) sub(a, b float64) float64    { return a - b }
func (floats) mul(a, b float64) float64    { return block.Times(a, b) }
func (floats) div(a, b float64) float64    { return a / b }
func (floats) fma(a, b, c float64) float64 { return math.FMA(a, b, c) }
func (floats) neg(a float64) float64       { return -a }
func (floats) abs(a float64) float64       { return math.Abs(a) }
func (floats) sqrt(a float64) float64      { return math.Sqrt(a) }
func (floats) floor(a float64) float64     { return math.Floor(a) }
func (floats) trunc(a float64) float64     { return math.Trunc(a) }
func (floats) rint(a float64) float64      { return math.RoundToEven(a) }
func (floats) min(a, b float64) float64    { return min(a, b) }
func (floats) scale(a, n float64) float64  { return scalar.Scale64(a, n) }
func (floats) lt(a, b float64) bool        { return a < b }
func (floats) le(a, b float64) bool        { return a <= b }
func (floats) eq(a, b float64) bool        { return a == b }
func (floats) ne(a, b float64) bool        { return a != b }
func (floats) no() bool                    { return false }
func (floats) not(a bool) bool             { return !a }
func (floats) word(x uint64) uint64        { return x }
func (floats) bits(a float64) uint64       { return math.Float64bits(a) }
func (floats) ofBits(a uint64) float64     { return math.Float64frombits(a) }
func (floats) float(a uint64) float64      { return float64(a) }
func (floats) and(a, b uint64) uint64      { return a & b }
func (floats) or(a, b uint64) uint64       { return a | b }
func (floats) shr(a, n uint64) uint64      { return a >> n }
func (floats) plus(a, b uint64) uint64     { return a + b }
func (floats) over(a, b uint64) uint64     { return a / b }

func (floats) all(a, b bool, more ...bool) bool {
	for _, c := range more {
		b = b && c
	}
	return a && b
}

func (floats) any(a, b bool, more ...bool) bool {
	for _, c := range more {
		b = b || c
	}
	return a || b
}

func (floats) sel(c bool, a, b float64) float64 {
	if c {
		return a
	}
	return b
}

func (floats) lookup(table []float64, k float64) float64 {
	if k >= 0 && k < float64(len(table)) {
		return table[int(k)]
	}
	return 0
}

func (floats) either(c bool, then, other func()) {
	if c {
		then()
	} else {
		other()
	}
}

func (floats) while(cond func() bool, body func()) {
	for cond() {
		body()
	}
}

// times runs body for k = first, first + 1, … below limit.
func (floats) times(first, limit float64, body func(k float64)) {
	for k := first; k < limit; k++ {
		body(k)
	}
}

// until runs body for k = first, first + 1, … below limit, until body returns true.
func (floats) until(first, limit float64, body func(k float64) bool) {
	for k := first; k < limit && !body(k); k++ {
	}
}
