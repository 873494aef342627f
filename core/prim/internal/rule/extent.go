package rule

import (
	"math/bits"

	"github.com/weft-go/weft/core"
)

// Sizes that users give may be absurd, and their sums and products must not wrap to something
// small.

// Total returns the sum of sizes and paddings. It fails if that overflows.
func Total(sizes ...int) int {
	s := 0
	for _, n := range sizes {
		t := s + n
		if (n > 0) != (t > s) && n != 0 {
			tooLarge()
		}
		s = t
	}
	return s
}

// Times returns the product of sizes that are not negative. It fails if that overflows.
func Times(m, n int) int {
	hi, lo := bits.Mul(uint(m), uint(n))
	if hi != 0 || int(lo) < 0 {
		tooLarge()
	}
	return int(lo)
}

func tooLarge() {
	core.Failf(core.ErrShape, "the sizes, padding and dilation result in more elements than can be counted; use smaller ones")
}
