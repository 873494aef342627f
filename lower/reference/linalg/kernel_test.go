package linalg

import (
	"math"
	"reflect"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// applied returns the results of a kernel of this package.
func applied(t testing.TB, p core.Primitive, in ...*block.Tensor) []*block.Tensor {
	t.Helper()
	avals := make([]core.ShapedArray, len(in))
	for i, x := range in {
		avals[i] = x.ShapedArray
	}
	var out []*block.Tensor
	for _, a := range core.AbstractOf(p, avals) {
		out = append(out, block.NewTensor(a))
	}
	f, ok := block.TypedRows(Rows)[reflect.TypeOf(p)]
	if !ok {
		t.Fatalf("no kernel for %s", p.Name())
	}
	f(p, in, out)
	return out
}

// sameNumbers reports whether arrays of real numbers have the same bits, but for those of NaNs.
func sameNumbers(got, want *block.Tensor) bool {
	g, lg := block.ElementsAs[float64](got)
	w, lw := block.ElementsAs[float64](want)
	defer lg.Back()
	defer lw.Back()
	for i := range g {
		if math.Float64bits(g[i]) != math.Float64bits(w[i]) && !(g[i] != g[i] && w[i] != w[i]) {
			return false
		}
	}
	return len(g) == len(w)
}
