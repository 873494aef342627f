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

// Operations on all integers of two and four bits, and on all pairs of them. XLA's own counts of bits and upper halves of products
// differ. Where StableHLO leaves a result open, there is no pair: divisors of 0, shifts by the width or more.
func TestNarrowIntegers(t *testing.T) {
	one := []core.Primitive{
		prim.NegP{}, prim.SignP{}, prim.NotP{}, prim.PopulationCountP{}, prim.ClzP{}, prim.SquareP{}, prim.IntegerPowP{Y: 3},
		prim.ConvertElementTypeP{NewDType: core.Int2}, prim.ConvertElementTypeP{NewDType: core.Uint4}, prim.ConvertElementTypeP{NewDType: core.Int32},
		prim.ConvertElementTypeP{NewDType: core.Uint64}, prim.ConvertElementTypeP{NewDType: core.Float32},
	}
	two := []core.Primitive{
		prim.AddP{}, prim.SubP{}, prim.MulP{}, prim.MulHiP{}, prim.MaxP{}, prim.MinP{}, prim.AndP{}, prim.OrP{}, prim.XorP{},
		prim.EqP{}, prim.NeP{}, prim.LtP{}, prim.LeP{}, prim.GtP{}, prim.GeP{},
	}
	divisions := []core.Primitive{prim.DivP{}, prim.RemP{}}
	shifts := []core.Primitive{prim.ShiftLeftP{}, prim.ShiftRightArithmeticP{}, prim.ShiftRightLogicalP{}}
	for _, dt := range []core.DType{core.Int2, core.Uint2, core.Int4, core.Uint4} {
		n := 1 << dt.Bits()
		low := 0
		if dt.IsSigned() {
			low = -n / 2
		}
		b := jaxpr.NewBuilder()
		var args []*runtime.Array
		var outs []jaxpr.Atom
		var names []string
		add := func(list []core.Primitive, keep func(y int) bool) {
			var x, y []complex128
			for i := range n * n {
				if p, q := low+i/n, low+i%n; keep(q) {
					x, y = append(x, complex(float64(p), 0)), append(y, complex(float64(q), 0))
				}
			}
			a := core.Aval(dt, len(x))
			in := []jaxpr.Atom{b.Input(a), b.Input(a)}
			args = append(args, array(t, a, x), array(t, a, y))
			for _, p := range list {
				operands := in
				if slices.Contains(one, p) {
					operands = in[:1]
				}
				outs, names = append(outs, b.Eqn(p, operands...)[0]), append(names, p.Name())
			}
		}
		add(slices.Concat(one, two), func(int) bool { return true })
		add(divisions, func(y int) bool { return y != 0 })
		add(shifts, func(y int) bool { return y >= 0 && y < dt.Bits() })
		d, err := judged(executor(t), b.Build(outs...), args, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range names {
			if d[i] != 0 {
				t.Errorf("%s of %v differs", name, dt)
			}
		}
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
