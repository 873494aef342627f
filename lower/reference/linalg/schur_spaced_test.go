package linalg

import (
	"math"
	"slices"
	"testing"
)

// Spaced rows have the bits of rows that follow each other.
func TestSpacedSchur(t *testing.T) {
	const n = 128
	a := make([]float64, n*n)
	for i := range a {
		a[i] = math.Sin(float64(i*i%1009) + 0.25*float64(i%7))
		if i%n < i/n-1 {
			a[i] = 0 // below the subdiagonal
		}
	}
	h, z := slices.Clone(a), fieldF64.identityOf(n, n)
	dense := realSchur{h: slices.Clone(a), z: slices.Clone(z), n: n, ld: n, grain: fieldF64.grain}
	if !dense.iterate() || !spacedSchur(h, z, n, fieldF64.grain) {
		t.Fatal("no convergence")
	}
	if !slices.Equal(h, dense.h) || !slices.Equal(z, dense.z) {
		t.Error("spaced rows have other bits")
	}
}
