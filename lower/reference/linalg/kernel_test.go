package linalg

import (
	"math"
	"reflect"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/matrices"
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

// The numbers above the diagonal of Cholesky's factor are the operand's, with the payloads of NaNs.
func TestCholeskyKeepsUpperTriangle(t *testing.T) {
	payload := math.Float64frombits(0x7ff8000000001234)
	x := block.NewTensor(core.Aval(core.Float64, 40, 2, 2))
	e := block.View[float64](x)
	for b := range 40 {
		copy(e[4*b:], []float64{4, payload, 2, 5})
	}
	y := block.View[float64](applied(t, matrices.CholeskyP{}, x)[0])
	for b := range 40 {
		if got := math.Float64bits(y[4*b+1]); got != math.Float64bits(payload) || y[4*b] != 2 || y[4*b+2] != 1 || y[4*b+3] != 2 {
			t.Fatalf("matrix %d: got %v, element (0, 1) %x, want [2 NaN 1 2], %x", b, y[4*b:4*b+4], got, math.Float64bits(payload))
		}
	}
}
