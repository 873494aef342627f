package device_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

// Fourier transforms of batches have the reference's bits.
func TestFourierOnDevices(t *testing.T) {
	race.Values(t)
	lengths := [][]int{{1000}, {202}, {12, 67}, {6, 5, 8}, {16}, {32, 4}}
	if largeSizes() { // these take two or three kernels for an axis
		lengths = append(lengths, []int{1 << 17}, []int{2048, 4096})
	}
	onDevice(t, prim.FFTP{Kind: prim.FFTReal, Lengths: dims(2048)}, core.Aval(core.Float64, 1, 2048)) // two kernels
	for _, lens := range lengths {
		full := func(dt core.DType, last int) core.ShapedArray {
			shape := append([]int{3}, lens...)
			shape[len(shape)-1] = last
			return core.Aval(dt, shape...)
		}
		last := lens[len(lens)-1]
		for _, dt := range []core.DType{core.Complex64, core.Complex128} {
			onDevice(t, prim.FFTP{Kind: prim.FFTForward, Lengths: dims(lens...)}, full(dt, last))
			onDevice(t, prim.FFTP{Kind: prim.FFTInverse, Lengths: dims(lens...)}, full(dt, last))
			onDevice(t, prim.FFTP{Kind: prim.FFTReal, Lengths: dims(lens...)}, full(dt.Real(), last))
			onDevice(t, prim.FFTP{Kind: prim.FFTRealInverse, Lengths: dims(lens...)}, full(dt, last/2+1))
		}
	}
}

// Special functions have the reference's bits in every type, with operands that are broadcast: small operands,
// and large ones, for which other expansions are used.
func TestSpecialOnDevices(t *testing.T) {
	race.Values(t)
	e := deviceOf(t)
	r := rand.New(rand.NewPCG(5, 6))
	for k, dt := range []core.DType{core.Float32, core.Float16, core.BFloat16, core.Float64, core.Float32, core.Float64} {
		most := 30.
		if k >= 4 {
			most = 3000
		}
		for _, p := range []core.Primitive{prim.IgammaP{}, prim.IgammacP{}, prim.IgammaGradAP{}, prim.RandomGammaGradP{}, prim.ZetaP{}, prim.RegularizedIncompleteBetaP{}} {
			in := []core.ShapedArray{core.Aval(dt, 40), core.Aval(dt, 40)}
			if _, beta := p.(prim.RegularizedIncompleteBetaP); beta {
				in = append(in, core.Aval(dt, 40))
			} else {
				in[0] = core.Aval(dt)
			}
			b := jaxpr.NewBuilder()
			var atoms []jaxpr.Atom
			var args []*runtime.Array
			for i, a := range in {
				d := primtest.Domain{Lo: 0.01, Hi: most}
				if i == 2 {
					d.Hi = 1
				}
				atoms = append(atoms, b.Input(a))
				args = append(args, drivertest.Draw(r, a, d))
			}
			j := b.Build(b.Eqn(p, atoms...)[0])
			if a := drivertest.Compare(t, e, j, args, []string{p.Name() + " of " + dt.String()}); len(a.Fallbacks) > 0 {
				t.Errorf("%s of %v: the reference runs %v", p.Name(), dt, a.Fallbacks)
			}
		}
	}
}

// The kernels of transforms and special functions have the reference's bits when they are printed as PTX.
func TestComposedPTX(t *testing.T) {
	race.Values(t)
	e := device.New(&drivertest.Simulated{PTX: true})
	r := rand.New(rand.NewPCG(2, 2))
	most := 0.99
	run := func(p core.Primitive, in ...core.ShapedArray) {
		b := jaxpr.NewBuilder()
		var atoms []jaxpr.Atom
		var args []*runtime.Array
		for _, a := range in {
			atoms = append(atoms, b.Input(a))
			args = append(args, drivertest.Draw(r, a, primtest.Domain{Lo: 0.01, Hi: most}))
		}
		j := b.Build(b.Eqn(p, atoms...)[0])
		if a := drivertest.Compare(t, e, j, args, []string{p.Name()}); len(a.Fallbacks) > 0 {
			t.Errorf("%s: the reference runs %v", p.Name(), a.Fallbacks)
		}
	}
	x, z := core.Aval(core.Float32, 9), core.Aval(core.Complex64, 2, 60)
	for _, p := range []core.Primitive{prim.IgammaP{}, prim.IgammacP{}, prim.IgammaGradAP{}, prim.RandomGammaGradP{}} {
		run(p, x, x)
	}
	run(prim.RegularizedIncompleteBetaP{}, x, x, x)
	run(prim.FFTP{Lengths: dims(60)}, z)
	run(prim.FFTP{Kind: prim.FFTInverse, Lengths: dims(67)}, core.Aval(core.Complex64, 2, 67))
	run(prim.FFTP{Kind: prim.FFTReal, Lengths: dims(2, 6)}, core.Aval(core.Float32, 2, 6))
	run(prim.FFTP{Kind: prim.FFTRealInverse, Lengths: dims(12)}, core.Aval(core.Complex64, 7))
	most = 2500 // sums of two f64, Temme's expansion
	x = core.Aval(core.Float64, 24)
	for _, p := range []core.Primitive{prim.IgammaP{}, prim.IgammacP{}, prim.IgammaGradAP{}, prim.RandomGammaGradP{}, prim.ZetaP{}} {
		run(p, x, x)
	}
}

// Folds of complex numbers have the reference's bits, also of equal numbers and of numbers that are not finite.
func TestComplexFoldsOnDevices(t *testing.T) {
	race.Values(t)
	e := deviceOf(t)
	r := rand.New(rand.NewPCG(9, 2))
	cum := func(reverse bool) prim.Cumulation { return prim.Cumulation{Axis: 1, Reverse: reverse} }
	for _, dt := range []core.DType{core.Complex64, core.Complex128} {
		for _, n := range []int{1, 7, 33, 1100} {
			for _, p := range []core.Primitive{
				prim.ReduceMaxP{Axes: dims(1)}, prim.ReduceMinP{Axes: dims(0, 1)}, prim.ArgmaxP{Axes: dims(1), Index: core.Int32}, prim.ArgminP{Axes: dims(1), Index: core.Uint16},
				prim.CummaxP{Cumulation: cum(false)}, prim.CumminP{Cumulation: cum(true)}, prim.CumprodP{Cumulation: cum(false)}, prim.CumprodP{Cumulation: cum(true)},
			} {
				a := core.Aval(dt, 2, n, 2)
				b := jaxpr.NewBuilder()
				j := b.Build(b.Eqn(p, b.Input(a))[0])
				specials := []float64{math.NaN(), math.Copysign(0, -1), math.Inf(1), 1}
				if n > 100 {
					specials = specials[3:]
				}
				for _, special := range specials {
					values := []float64{1, -1, 1.25, 0.75, -0.875, special}
					x := drivertest.Draw(r, a, primtest.Domain{Values: values, Lo: -1, Hi: 1})
					if acc := drivertest.Compare(t, e, j, []*runtime.Array{x}, []string{p.Name()}); len(acc.Fallbacks) > 0 {
						t.Errorf("%s: the reference runs %v", p.Name(), acc.Fallbacks)
					}
				}
			}
		}
	}
}

// All codes of floats of six bits are converted to integers of two bits by BitcastConvertType, and back.
func TestSixBitsOnDevices(t *testing.T) {
	e := deviceOf(t)
	for _, dt := range []core.DType{core.Float6E2M3FN, core.Float6E3M2FN} {
		for _, n := range []core.DType{core.Uint2, core.Int2} {
			codes := reference.NewTensor(core.Aval(dt, 64))
			pieces := reference.NewTensor(core.Aval(n, 64, 3))
			for i := range 64 {
				codes.Data[i] = byte(i)
				for k := range 3 {
					v := i >> (2 * k) & 3
					if n == core.Int2 {
						v |= 0xfc * (v >> 1)
					}
					pieces.Data[3*i+k] = byte(v)
				}
			}
			for to, x := range map[core.DType]*reference.Tensor{n: codes, dt: pieces} {
				b := jaxpr.NewBuilder()
				j := b.Build(b.Eqn(prim.BitcastConvertTypeP{NewDType: to}, b.Input(x.ShapedArray))[0])
				if a := drivertest.Compare(t, e, j, []*runtime.Array{runtime.FromTensor(x)}, []string{to.String()}); len(a.Fallbacks) > 0 {
					t.Errorf("%v to %v: the reference runs %v", x.DType, to, a.Fallbacks)
				}
			}
		}
	}
}

// scalars returns the program of f on n scalars of a type.
func scalars(dt core.DType, n int, f func(b *jaxpr.Builder, in []jaxpr.Atom) []jaxpr.Atom) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	in := make([]jaxpr.Atom, n)
	for i := range in {
		in[i] = b.Input(core.Aval(dt))
	}
	return b.Build(f(b, in)...)
}

// Sorts by comparators have the reference's bits, also if the comparator is no order.
func TestSortsByProgramsOnDevices(t *testing.T) {
	race.Values(t)
	less := func(greater bool) *jaxpr.Jaxpr {
		return scalars(core.Float32, 4, func(b *jaxpr.Builder, in []jaxpr.Atom) []jaxpr.Atom {
			x, y := b.Eqn(prim.SinP{}, in[0])[0], b.Eqn(prim.SinP{}, in[1])[0]
			if greater { // no order: it depends on the other operand
				y = b.Eqn(prim.AddP{}, y, in[2])[0]
			}
			return []jaxpr.Atom{b.Eqn(prim.LtP{}, x, y)[0]}
		})
	}
	for _, n := range []int{1, 2, 5, 64, 70} {
		x := core.Aval(core.Float32, 2, n, 3)
		onDevice(t, indexed.SortByP{Dimension: 1, Before: less(false)}, x, x)
		onDevice(t, indexed.SortByP{Dimension: 1, Before: less(true)}, x, x)
	}
}

// Scatters with programs change an element in row-major order of the updates.
func TestScattersOfProgramsOnDevices(t *testing.T) {
	e := deviceOf(t)
	r := rand.New(rand.NewPCG(1, 5))
	program := scalars(core.Float32, 4, func(b *jaxpr.Builder, in []jaxpr.Atom) []jaxpr.Atom {
		x := b.Eqn(prim.SubP{}, b.Eqn(prim.MulP{}, in[0], in[3])[0], in[2])[0]
		return []jaxpr.Atom{x, b.Eqn(prim.SubP{}, in[3], in[1])[0]}
	})
	s := indexed.Scattering{UpdateWindowDims: dims(1), ScatterDimsToOperandDims: dims(0), InsertedWindowDims: dims(1)}
	for _, mode := range []indexed.IndexMode{indexed.FillOrDrop, indexed.Clip} {
		s.Mode = mode
		p := indexed.ScatterWithP{Scattering: s, Program: program}
		x, idx, u := core.Aval(core.Float32, 20, 1), core.Aval(core.Int32, 90, 1), core.Aval(core.Float32, 90, 3)
		in := []core.ShapedArray{x, x, idx, u, u}
		b := jaxpr.NewBuilder()
		var atoms []jaxpr.Atom
		var args []*runtime.Array
		for i, a := range in {
			d := primtest.Domain{Lo: 0.5, Hi: 1.5}
			if i == 2 {
				d = primtest.Domain{Values: []float64{-1, 0, 3, 4, 4, 5, 17, 18, 25}}
			}
			atoms = append(atoms, b.Input(a))
			args = append(args, drivertest.Draw(r, a, d))
		}
		outs := b.Eqn(p, atoms...)
		j := b.Build(outs[0], outs[1])
		if a := drivertest.Compare(t, e, j, args, []string{"first", "second"}); len(a.Fallbacks) > 0 {
			t.Errorf("the reference runs %v", a.Fallbacks)
		}
	}
}
