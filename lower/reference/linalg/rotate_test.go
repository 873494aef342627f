package linalg

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Rotations of strips, applied later, have the bits of rotations of whole rows, one after the other.
func TestRotationsOfStrips(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, n := range []int{1, 2, 3, 8, 9, 31, 33, 70} {
		z := &rotator{z: make([]float64, n*n), n: n}
		for i := range z.z {
			z.z[i] = r.NormFloat64()
		}
		want := append([]float64(nil), z.z...)
		for range 2000/n + 3 {
			row := r.IntN(n)
			rots := make([]rotation, r.IntN(n-row))
			for i := range rots {
				s, c := math.Sincos(r.Float64())
				rots[i] = rotation{c, s}
			}
			backward := r.IntN(2) == 0
			z.add(row, backward, rots...)
			for i := range rots {
				k := i
				if backward {
					k = len(rots) - 1 - i
				}
				x := want[(row+k)*n : (row+k+1)*n]
				rotate(x, want[(row+k+1)*n:(row+k+2)*n], rots[k].c, rots[k].s)
			}
		}
		z.flush()
		requireBits(t, "rotations", n, z.z, want)
	}
}
