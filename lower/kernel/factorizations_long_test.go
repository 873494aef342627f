//go:build long

package kernel

import (
	"math/rand/v2"
	"testing"
)

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
	for _, n := range []int{1024, 1500, 2187, 3125, 4096, 6000} {
		checkFourier(t, r, n)
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
