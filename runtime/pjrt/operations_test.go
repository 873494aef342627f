package pjrt_test

import (
	"math"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// array returns an array with numbers.
func array(t *testing.T, a core.ShapedArray, values []complex128) *runtime.Array {
	t.Helper()
	x := runtime.New(a)
	size := a.DType.Size()
	for i, v := range values {
		n := core.FloatNumber(real(v))
		if a.DType.IsComplex() {
			n = core.ComplexNumber(v)
		}
		elem.Put(x.Tensor().Data[i*size:], n, a.DType)
	}
	return x
}

// within checks that an operation's results on the plugin are within most ulps of the reference's.
func within(t *testing.T, p core.Primitive, most float64, args ...*runtime.Array) {
	t.Helper()
	b := jaxpr.NewBuilder()
	var in, out []jaxpr.Atom
	for _, x := range args {
		in = append(in, b.Input(x.Aval()))
	}
	for _, v := range b.Eqn(p, in...) {
		out = append(out, v)
	}
	d, err := judged(executor(t), b.Build(out...), args, nil)
	if err != nil || slices.Max(d) > most {
		t.Errorf("%s of %v: %v ulps, %v; want %v at most", p.Name(), args[0].Aval(), d, err, most)
	}
}

// The upper halves of all products of integers of two and four bits. XLA's own operation differs for four bits.
func TestHighProducts(t *testing.T) {
	for _, dt := range []core.DType{core.Int2, core.Uint2, core.Int4, core.Uint4} {
		n := 1 << dt.Bits()
		low := 0
		if dt.IsSigned() {
			low = -n / 2
		}
		var x, y []complex128
		for i := range n * n {
			x, y = append(x, complex(float64(low+i/n), 0)), append(y, complex(float64(low+i%n), 0))
		}
		a := core.Aval(dt, n*n)
		within(t, prim.MulHiP{}, 0, array(t, a, x), array(t, a, y))
	}
}

// A Cholesky factor does not depend on imaginary parts of the diagonal. If the matrix is not positive
// definite, both parts of all elements are NaN, at whichever pivot that shows.
func TestRoots(t *testing.T) {
	for _, dt := range []core.DType{core.Complex64, core.Complex128} {
		within(t, matrices.CholeskyP{}, usual, array(t, core.Aval(dt, 4, 2, 2), []complex128{
			4 + 1i, 7 - 2i, 2 + 1i, 3 - 5i,
			-4, 7, 2, 3,
			4, 7, 2 + 2i, 2,
			0, 7, 0, complex(math.NaN(), 1),
		}))
	}
	within(t, matrices.CholeskyP{}, usual, array(t, core.Aval(core.Float32, 3, 2, 2), []complex128{4, 7, 2, 3, 4, 7, 2, 1, 1, 7, 2, 1}))
}
