//go:build long

package reference

import (
	"math/rand/v2"
	"testing"
)

// The sizes that the short tests leave out, and a size for each number of panels.
func TestFactorizationsReconstructLarge(t *testing.T) {
	checkAllFactorizations(t, []int{4, 6, 7, 9, 16, 31, 32, 33, 50, 63, 65, 100, 128, 150, 200})
}

func TestFourierSumsOfAllLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := 1; n <= 1000; n++ {
		if n <= 256 || prime(n) || n%100 == 0 {
			checkFourier(t, r, n)
		}
	}
	for a := 1; a <= 1000000; a *= 2 {
		for b := a; b <= 1000000; b *= 3 {
			for n := b; n <= 1000000; n *= 5 {
				if n > 256 {
					checkFourier(t, r, n)
				}
			}
		}
	}
}

func prime(n int) bool {
	for d := 2; d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return n > 1
}
