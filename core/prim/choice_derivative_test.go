package prim_test

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

// As in JAX, tangents and cotangents of a maximum or minimum that is NaN are NaN.
func TestChoiceOfNaNDerivative(t *testing.T) {
	withRuntime(t)
	x := runtime.New(core.Aval(core.Float64, 3))
	for i, v := range []float64{1, math.NaN(), 3} {
		elem.Put(x.Tensor().Data[8*i:], core.FloatNumber(v), core.Float64)
	}
	for _, p := range []core.Primitive{prim.ReduceMaxP{Axes: core.MakeDims(0)}, prim.ReduceMinP{Axes: core.MakeDims(0)}} {
		for _, ct := range []float64{1, 0} {
			_, vjp := transforms.VJP(apply1(p), []core.Value{x}, []bool{true})
			for i, g := range numbersOf(vjp([]core.Value{core.Lit(core.FloatNumber(ct), core.Float64)})[0]) {
				require.Truef(t, cmplx.IsNaN(g), "%s: cotangent %d is %v for %v, want NaN", p.Name(), i, g, ct)
			}
		}
	}
}

// The product of a complex operand and a real one is the real part of the sum in a preferred float.
func TestDotOfComplexPreferredFloat(t *testing.T) {
	withRuntime(t)
	c := runtime.New(core.Aval(core.Complex64, 2))
	elem.Put(c.Tensor().Data, core.ComplexNumber(1.5+2i), core.Complex64)
	elem.Put(c.Tensor().Data[8:], core.ComplexNumber(4-3i), core.Complex64)
	for _, dt := range []core.DType{core.Bool, core.Int8, core.BFloat16, core.Float32} {
		b := runtime.New(core.Aval(dt, 2))
		for i := range 2 {
			elem.Put(b.Tensor().Data[i*dt.Size():], core.IntNumber(1), dt)
		}
		for _, want := range []core.DType{core.Float32, core.Float64} {
			p := prim.DotGeneralP{LhsContract: core.MakeDims(0), RhsContract: core.MakeDims(0), Preferred: want}
			for _, in := range [][]core.Value{{c, b}, {b, c}} {
				got := core.Bind1(p, in...)
				require.Equal(t, core.Aval(want), got.Aval())
				require.Equal(t, []complex128{5.5}, numbersOf(got), "%v", in)
			}
		}
		for _, preferred := range []core.DType{core.Float16, core.Int32} {
			p := prim.DotGeneralP{LhsContract: core.MakeDims(0), RhsContract: core.MakeDims(0), Preferred: preferred}
			require.ErrorIs(t, core.Catch(func() { core.Bind1(p, c, b) }), core.ErrDType)
		}
	}
	p := prim.DotGeneralP{LhsContract: core.MakeDims(0), RhsContract: core.MakeDims(0), Preferred: core.Float32}
	require.ErrorIs(t, core.Catch(func() { core.Bind1(p, c, c) }), core.ErrDType)
}

// The derivative of a maximum over windows goes to the elements that are chosen, never to the gaps between dilated
// elements: also where nothing is larger than −∞, or where a NaN precedes a gap.
func TestChoiceBesideGaps(t *testing.T) {
	withRuntime(t)
	for _, dt := range []core.DType{core.Float32, core.BFloat16, core.Float8E4M3FN} {
		for _, v := range []float64{math.Inf(-1), math.NaN(), 2} {
			x := runtime.New(core.Aval(dt, 3))
			for i := range 3 {
				elem.Put(x.Tensor().Data[dt.Size()*i:], core.FloatNumber(v), dt)
			}
			for _, c := range []struct {
				before int // padding
				want   []complex128
			}{{-1, []complex128{0, 1, 1}}, {0, []complex128{1, 1, 1}}} { // each window has a gap and an element after, or before, it
				w := windows.SimpleWindow(core.MakeDims(2), core.MakeDims(2), core.MakeDims(c.before, 1))
				w.BaseDilation = core.MakeDims(2)
				outs, lin := transforms.Linearize(apply1(windows.ReduceWindowMaxP{Window: w}), []core.Value{x}, []bool{true})
				got := lin.Transpose([]core.Value{prim.Full(outs[0].Aval(), 1)})[0]
				require.Equal(t, c.want, numbersOf(got), "%v of %v, padding %d", dt, v, c.before)
			}
		}
	}
}
