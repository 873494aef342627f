package stablehlo

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

var fftKinds = map[string]prim.FFTKind{"FFT": prim.FFTForward, "IFFT": prim.FFTInverse, "RFFT": prim.FFTReal, "IRFFT": prim.FFTRealInverse}

const maxFFT = 1 << 26

func fftOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	name := f.text(o, f.either(o, "type", "fft_type"))
	kind, ok := fftKinds[name]
	if !ok {
		f.fail(core.ErrCheck, "there is no transform %q; use FFT, IFFT, RFFT or IRFFT", name)
	}
	lengths := f.ints(o, f.either(o, "length", "fft_length"))
	for _, n := range lengths {
		if n < 0 || n > maxFFT {
			f.fail(core.ErrShape, "a length of %d is not supported (want 0 to %d); split the transform", n, maxFFT)
		}
	}
	if a, out := in[0].Aval(), f.resultAval(o); a.Size() == 0 || out.Size() == 0 {
		return []core.Value{prim.Zeros(out)}
	}
	return []core.Value{prim.FFT(in[0], kind, dims(lengths))}
}

func fftName(kind prim.FFTKind) string {
	for name, k := range fftKinds {
		if k == kind {
			return name
		}
	}
	return ""
}
