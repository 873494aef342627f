package product

import (
	"github.com/weft-go/weft/lower/reference/internal/block"
	"unsafe"
)

// A product of complex matrices is two of real ones, in the same order of operations:
//
//	re = (ar, −ai)·(br, bi), im = (ar, ai)·(bi, br),
//
// where the pairs of all contracted elements stand in a row and a chunk is 128 pairs.

// ComplexTiler returns the machine's product of rows of complex numbers, nil if it has
// none: y[m, n] = x[m, k] · w[n, k]ᵀ, where rows of y are ld apart.
func ComplexTiler[A any]() (f func(y []A, ld int, x, w []A, m, n, k int, stop block.Stopper)) {
	switch f := any(&f).(type) {
	case *func(y []complex64, ld int, x, w []complex64, m, n, k int, stop block.Stopper):
		if Tiles32 != nil {
			*f = complexTilesOf[float32, complex64](Tiles32)
		}
	case *func(y []complex128, ld int, x, w []complex128, m, n, k int, stop block.Stopper):
		if Tiles64 != nil {
			*f = complexTilesOf[float64, complex128](Tiles64)
		}
	}
	return f
}

func complexTilesOf[F block.Float, C any](t *tiles[F]) func(y []C, ld int, x, w []C, m, n, k int, stop block.Stopper) {
	return func(y []C, ld int, x, w []C, m, n, k int, stop block.Stopper) {
		complexTiles(t, realParts[F](y), ld, realParts[F](x[:m*k]), realParts[F](w[:n*k]), m, n, k, stop)
	}
}

// complexTiles is ComplexTiler's product; complex numbers are pairs of their parts.
func complexTiles[F block.Float](t *tiles[F], ys []F, ld int, xs, ws []F, m, n, k int, stop block.Stopper) {
	pairs := *t
	pairs.chunk = 2 * DotChunk
	turned, lt := block.Borrow[F](2 * max(m, n) * k)
	part, lp := block.Borrow[F](m * n)
	minus := turned[:2*m*k]
	for i := 0; i < len(minus) && (i%copyRun != 0 || !stop.Stopped()); i += 2 {
		minus[i], minus[i+1] = xs[i], -xs[i+1]
	}
	store := func(offset int) {
		for i := range m {
			if stop.Stopped() {
				return
			}
			row := ys[2*i*ld+offset:]
			for j, v := range part[i*n : (i+1)*n] {
				row[2*j] = v
			}
		}
	}
	pairs.multiply(part, n, minus, ws, 1, 2*k, m, n, 2*k, stop)
	store(0)
	swapped := turned[:2*n*k]
	for i := 0; i < len(swapped) && (i%copyRun != 0 || !stop.Stopped()); i += 2 {
		swapped[i], swapped[i+1] = ws[i+1], ws[i]
	}
	pairs.multiply(part, n, xs, swapped, 1, 2*k, m, n, 2*k, stop)
	store(1)
	lp.Back()
	lt.Back()
}

// copyRun is how many numbers are copied, or of a single row multiplied, between two calls of
// stop; it is even.
const copyRun = 1 << 16

func realParts[F block.Float, A any](x []A) []F {
	if len(x) == 0 {
		return nil
	}
	return unsafe.Slice((*F)(unsafe.Pointer(&x[0])), 2*len(x))
}
