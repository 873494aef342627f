package fuse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/lower/fuse"
)

// Small matrices of a batch are factored in kernels, which join loops around them.
func TestBatchedFactorizations(t *testing.T) {
	type as = []weft.Array
	f := func(x, y weft.Array) as {
		lu, pivots, perm := lax.LU(x)
		l := linalg.Cholesky(x)
		return as{lu, pivots, perm, l, linalg.TriangularSolve(l, y, linalg.Triangle{Lower: true}), linalg.TriangularSolve(lu, y, linalg.Triangle{})}
	}
	for _, dt := range []core.DType{core.Float32, core.Float64} {
		for _, shape := range [][]int{{12, 3, 3}, {2, 5, 4, 4}, {130, 1, 1}, {30, 8, 8}} {
			x := weft.Zeros(shape...).AsType(dt)
			y := weft.Zeros(append(append([]int{}, shape[:len(shape)-1]...), 2)...).AsType(dt)
			loop := func(x, y weft.Array) as {
				c, ys := weft.ScanN(func(c as) (as, as) { s := f(c[0], c[1]); return as{c[0].Add(1), s[4]}, s }, as{x, y}, 2)
				return append(c, ys...)
			}
			for name, g := range map[string]func(x, y weft.Array) as{"straight": f, "loop": loop} {
				j := trace(t, g, x, y)
				args := drawAll(j) // some matrices have no Cholesky factor
				p := fuse.Translate(j, fuse.Native())
				same(t, fmt.Sprint(name, dt, shape), j, p, args, evaluated(j, args))
				if strings.Contains(p.String(), "call ") {
					t.Errorf("%s %v %v: a factorization is a call:\n%v", name, dt, shape, p)
				}
			}
		}
	}
}
