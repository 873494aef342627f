// Package primtest contains a sample of every primitive: operand types and values on which the
// laws of derivatives, batching and execution are tested.
package primtest

import (
	"math/rand/v2"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	_ "github.com/weft-go/weft/internal/test/collector" // garbage is collected less often
	"github.com/weft-go/weft/jaxpr"
)

// Domain says which values make sense for an operand.
type Domain struct {
	Lo, Hi float64   // reals and integers are drawn from [Lo, Hi]; both 0 means the dtype's usual range
	Values []float64 // if not nil, drawn from these
	Unique bool      // no value twice: for indices that must not collide, and away from ties
	Diag   float64   // added to the diagonals of the last two axes: for matrices that must not be singular
	Step   float64   // added to the diagonals once a row: for matrices whose eigenvalues must differ
}

// Fill draws the elements of an operand of type a into its bytes.
func (d Domain) Fill(r *rand.Rand, a core.ShapedArray, data []byte) {
	size, lo, hi := a.DType.Size(), d.Lo, d.Hi
	if lo == hi {
		lo, hi = -2, 2
		if a.DType.IsUnsigned() {
			lo, hi = 0, 3
		}
	}
	for i := range a.Size() {
		v := lo + (hi-lo)*r.Float64()
		if len(d.Values) > 0 {
			v = d.Values[r.IntN(len(d.Values))]
			if d.Unique {
				v = d.Values[i%len(d.Values)]
			}
		}
		n := core.FloatNumber(v)
		switch {
		case a.DType.IsBool():
			n = core.BoolNumber(r.IntN(2) == 1)
		case a.DType.IsInteger():
			n = core.IntNumber(int64(v))
		case a.DType.IsComplex():
			n = core.ComplexNumber(complex(v, lo+(hi-lo)*r.Float64()))
		}
		elem.Put(data[i*size:], n, a.DType)
	}
	if d.Diag != 0 && a.Rank() >= 2 {
		n := a.Shape.At(-1)
		for i := range a.Size() / max(n, 1) {
			elem.Put(data[(i*n+i%n)*size:], core.FloatNumber(d.Diag+d.Step*float64(i%n)), a.DType)
		}
	}
}

// Sample is one application of a primitive.
type Sample struct {
	Prim core.Primitive
	In   []core.ShapedArray
	Dom  []Domain // one an operand, or nil for the usual
	// NoFD says why the derivative is not compared with finite differences, "" if it is.
	NoFD string
}

// Jaxpr returns the program that applies the primitive to its inputs.
func (s Sample) Jaxpr() *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	in := make([]jaxpr.Atom, len(s.In))
	for i, a := range s.In {
		in[i] = b.Input(a)
	}
	var outs []jaxpr.Atom
	for _, v := range b.Eqn(s.Prim, in...) {
		outs = append(outs, v)
	}
	return b.Build(outs...)
}

// Standalone reports whether the results depend on the operands alone: the primitive calls
// no Go function, has no effects and refers to no named axis.
func (s Sample) Standalone() bool {
	return !hosted(s.Prim) && core.EffectsOf(s.Prim) == 0 && !core.NamesAxes(s.Prim)
}

// All returns every sample, family by family.
func All() []Sample {
	var s []Sample
	s = append(s, elementwise()...)
	s = append(s, structure()...)
	s = append(s, reductions()...)
	s = append(s, withBodies()...)
	s = append(s, factorizations()...)
	s = append(s, fourier()...)
	s = append(s, incomplete()...)
	s = append(s, bessel()...)
	s = append(s, forms()...)
	s = append(s, depthwise()...)
	return s
}
