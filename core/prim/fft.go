package prim

import (
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// FFTKind selects a Fourier transform.
type FFTKind int

// The Fourier transforms: forward and inverse ones of complex numbers, of real numbers to
// the first half of a spectrum, and back.
const (
	FFTForward FFTKind = iota
	FFTInverse
	FFTReal
	FFTRealInverse
)

// FFTP is the discrete Fourier transform over the last len(Lengths) axes:
//
//	y[k] = Σ x[j]·e^(∓2πi·j·k/n)
//
// minus in the exponent for forward transforms; the inverse ones divide by n along each axis. FFTReal takes
// real numbers and returns the first n/2 + 1 elements of the last axis, FFTRealInverse takes these
// and returns n real numbers. Along the last axis it does not read the imaginary parts of element 0
// and, for even n, of element n/2.
//
// Numbers: the plan is a function of n. c64 and f32 compute in f32 if all lengths are powers of
// two, else in c128, and round once. n is factored: powers of 4, then 2, 3, 5, 7, 11, …; each
// stage is a decimation in time by one factor with twiddle factors correctly rounded to f64. A
// complex product x·w rounds the products with the imaginary part of x, and an fma adds those with
// the real part. A butterfly of an odd prime q adds and subtracts elements r and q − r first:
// outputs k and q − k are C ± i·D, where C = v[0] + Σ (v[r] + v[q−r])·cos and D = Σ (v[r] −
// v[q−r])·sin are chains of fma over r < q/2 in order. If n has a prime factor above 61, the
// transform is computed by Bluestein's algorithm through transforms of the next power of two ≥
// 2n − 1. Of several axes the last one is transformed first, by FFTRealInverse last. In f32 the
// twiddle factors are those of f64, rounded, each product and each sum is rounded on its own, and
// the first stage, whose twiddle factors are 1, does not multiply. The inverse is the conjugate of
// the forward transform of the conjugate, divided by the product of the lengths. FFTReal is the
// transform of complex numbers with zero imaginary parts. FFTRealInverse completes the spectrum
// along the last axis, where element n − k is the conjugate of element k, and then inverts it.
type FFTP struct {
	Kind    FFTKind
	Lengths core.Dims
}

// FFT returns the Fourier transform of x over its last axes.
func FFT(x Value, kind FFTKind, lengths core.Dims) Value {
	return core.Apply1(FFTP{kind, lengths}, x)
}

func (FFTP) Name() string { return "fft" }

func (FFTP) read(r *jaxpr.ParamReader) core.Primitive {
	kind := r.Int("fft_type")
	if kind < 0 || kind > int(FFTRealInverse) {
		core.FailOp(core.ErrParse, "", nil, "parameter fft_type must be 0 to 3 (got %d); 0 is FFT, 1 IFFT, 2 RFFT, 3 IRFFT", kind)
	}
	return FFTP{FFTKind(kind), r.Dims("fft_lengths")}
}

func (p FFTP) Params() []core.Param {
	return []core.Param{rule.Param("fft_lengths", p.Lengths), rule.Param("fft_type", strconv.Itoa(int(p.Kind)))}
}

func (p FFTP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	x := in[0]
	r, k := x.Rank(), p.Lengths.Len()
	if k > r {
		core.Failf(core.ErrShape, "%v has fewer axes than the lengths %v; leave some out", x.Full(), p.Lengths)
	}
	if k == 0 {
		core.Failf(core.ErrShape, "no lengths; pass one for each axis to transform")
	}
	for _, n := range p.Lengths.All() {
		if n < 0 {
			core.Failf(core.ErrShape, "negative length (got %v); lengths are 1 or more", p.Lengths)
		}
	}
	last := p.Lengths.At(k - 1)
	axes, outer := x.Shape.Slice(r-k, r), x.Shape.Slice(0, r-k)
	misfit := func(want core.Dims) {
		core.Failf(core.ErrShape, "the last axes of %v do not fit the lengths %v (got %v, want %v); pad or slice it first", in[0].Full(), p.Lengths, axes, want)
	}
	half := p.Lengths.Slice(0, k-1).Append(last/2 + 1)
	switch p.Kind {
	case FFTReal:
		if x.DType != core.Float32 && x.DType != core.Float64 {
			core.Failf(core.ErrDType, "the transform of real numbers takes f32 or f64, got %v; convert it first", x.Full())
		}
		if axes != p.Lengths {
			misfit(p.Lengths)
		}
		return []ShapedArray{x.WithShape(core.MakeDims(append(outer.Ints(), half.Ints()...)...)).WithDType(complexOf(x.DType))}
	case FFTRealInverse:
		p.complexOnly(x)
		if axes != half {
			misfit(half)
		}
		return []ShapedArray{x.WithShape(core.MakeDims(append(outer.Ints(), p.Lengths.Ints()...)...)).WithDType(x.DType.Real())}
	}
	p.complexOnly(x)
	if axes != p.Lengths {
		misfit(p.Lengths)
	}
	return []ShapedArray{x}
}

func (FFTP) complexOnly(x ShapedArray) {
	if !x.DType.IsComplex() {
		core.Failf(core.ErrDType, "takes complex numbers, got %v; convert it first", x.Full())
	}
}

func (p FFTP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

// Transpose applies the transform itself where that is symmetric. For the real transforms it
// weights the elements of the half spectrum that stand for two: see weights.
func (p FFTP) Transpose(ct, _ []Value, _ []bool, av []ShapedArray) []Value {
	switch p.Kind {
	case FFTReal:
		n := p.Lengths.Size()
		y := Div(Conj(ct[0]), p.weights(ct[0].Aval()))
		y = FFT(y, FFTRealInverse, p.Lengths)
		return rule.One(Mul(y, Num(y.Aval().Strong(), float64(n))))
	case FFTRealInverse:
		y := FFT(ct[0], FFTReal, p.Lengths)
		a := y.Aval()
		return rule.One(Conj(Mul(Mul(y, p.weights(a)), Num(a.Strong(), 1/float64(p.Lengths.Size())))))
	}
	return rule.One(FFT(ct[0], p.Kind, p.Lengths))
}

// weights returns, for each element of a half spectrum, how many elements of the whole one it
// stands for.
func (p FFTP) weights(a ShapedArray) Value {
	n, m := p.Lengths.At(p.Lengths.Len()-1), a.Shape.At(a.Rank()-1)
	line := core.MakeDims(m)
	i := Iota(core.Int32, line, 0)
	at := func(k int) Value { return Eq(i, Num(core.Aval(core.Int32), float64(k))) }
	single := at(0)
	if n%2 == 0 {
		single = Or(single, at(m-1))
	}
	w := a.WithShape(line).Strong()
	return BroadcastInDim(Where(single, Full(w, 1), Full(w, 2)), a.Shape, core.MakeDims(a.Rank()-1))
}

func (p FFTP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) { return rule.Bound(p, in[0]) }
