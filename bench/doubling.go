package main

import (
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/linalg"
)

// doublings measures factorizations and Fourier transforms of sizes that double (rows o/), which shows how their costs grow. Peers do not
// have these rows.
func doublings(r *runner) {
	const dt = weft.Float64
	for _, f := range []struct {
		name     string
		of       func(weft.Array) weft.Array
		definite bool
	}{
		{"matmul", func(x weft.Array) weft.Array { return x.MatMul(x) }, false},
		{"cholesky", linalg.Cholesky, true},
		{"lu", func(x weft.Array) weft.Array { return linalg.LU(x).Packed }, false},
		{"inv", linalg.Inv, false},
		{"qr", func(x weft.Array) weft.Array { q, _ := linalg.QR(x); return q }, false},
		{"eigh", func(x weft.Array) weft.Array { _, v := linalg.Eigh(x); return v }, true},
		{"svd", func(x weft.Array) weft.Array { u, _, _ := linalg.SVD(x); return u }, false},
		{"eigvals", func(x weft.Array) weft.Array { return weft.Abs(linalg.EigVals(x)) }, false},
	} {
		for n := 64; n <= 512; n *= 2 {
			x := laterOf(dt, 1, 1, n, n)
			if f.definite {
				x = spread(dt, n, n, n)
			}
			r.jit1(fmt.Sprintf("o/%s/%d", f.name, n), work{}, f.of, x)
		}
	}
	for _, lengths := range [][]int{{1 << 14, 1 << 15, 1 << 16, 1 << 17}, {15000, 30000, 60000, 120000}, {13720, 27440, 54880, 109760}, {10007, 20011, 40009, 80021}} {
		for _, n := range lengths {
			r.jit1(fmt.Sprintf("o/fft/%d", n), work{elems: float64(n)}, spectrum, signals(weft.Complex128, n))
		}
	}
}
