package fft_test

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/fft"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/wefttest"
)

type values struct {
	Shape  []int
	Re, Im []float64
}

func (v values) array() weft.Array {
	x := weft.FromSlice(v.Re, v.Shape...)
	if v.Im == nil {
		return x
	}
	return lax.Complex(x, weft.FromSlice(v.Im, v.Shape...))
}

var (
	norms = map[string]fft.Norm{"backward": fft.Backward, "ortho": fft.Ortho, "forward": fft.Forward}
	modes = map[string]fft.Mode{"full": fft.Full, "same": fft.Same, "valid": fft.Valid}

	configured = map[string]func(fft.Config, weft.Array, ...int) weft.Array{
		"FFT": fft.Config.FFT, "IFFT": fft.Config.IFFT, "RFFT": fft.Config.RFFT, "IRFFT": fft.Config.IRFFT, "HFFT": fft.Config.HFFT, "IHFFT": fft.Config.IHFFT,
		"FFTN": fft.Config.FFTN, "IFFTN": fft.Config.IFFTN, "RFFTN": fft.Config.RFFTN, "IRFFTN": fft.Config.IRFFTN, "DCT": fft.Config.DCT, "IDCT": fft.Config.IDCT,
	}
	plain = map[string]func(weft.Array, ...int) weft.Array{
		"FFT": fft.FFT, "IFFT": fft.IFFT, "RFFT": fft.RFFT, "IRFFT": fft.IRFFT, "HFFT": fft.HFFT, "IHFFT": fft.IHFFT,
		"FFTN": fft.FFTN, "IFFTN": fft.IFFTN, "RFFTN": fft.RFFTN, "IRFFTN": fft.IRFFTN, "DCT": fft.DCT, "IDCT": fft.IDCT,
		"Shift": fft.Shift, "IShift": fft.IShift,
	}
	lastTwo = map[string]func(weft.Array) weft.Array{"FFT2": fft.FFT2, "IFFT2": fft.IFFT2, "RFFT2": fft.RFFT2, "IRFFT2": fft.IRFFT2}
)

func TestValues(t *testing.T) {
	seen := 0
	for r := range goldenfile.Records[struct {
		Name        string
		X           []values
		Y           values
		Axes, Sizes []int
		Norm, Mode  string
	}](t, goldenfile.OpenFile(t, "testdata/values.jsonl")) {
		seen++
		x := r.X[0].array()
		name := fmt.Sprint(r.Name, x.Shape(), " axes ", r.Axes, " sizes ", r.Sizes, " ", r.Norm, r.Mode)
		var got []weft.Array
		if f := configured[r.Name]; f != nil {
			got = append(got, f(fft.Config{Sizes: r.Sizes, Norm: norms[r.Norm]}, x, r.Axes...))
		}
		if f := plain[r.Name]; f != nil && r.Sizes == nil && r.Norm == "backward" {
			got = append(got, f(x, r.Axes...))
		}
		if f := lastTwo[r.Name]; f != nil {
			got = append(got, f(x))
		}
		if r.Name == "Convolve" {
			got = append(got, fft.Convolve(x, r.X[1].array(), modes[r.Mode]))
		}
		if len(got) == 0 {
			t.Fatalf("%s: no function", name)
		}
		for _, y := range got {
			want := r.Y.array()
			size := weft.Abs(want).Max().Float()
			// Every element is a sum over all operands: its error is relative to the largest, here under 2 ε.
			if d := wefttest.Difference(y, want, wefttest.Tolerance{Abs: 0x1p-51 * size}); d != "" {
				t.Errorf("%s: %s", name, d)
			}
		}
	}
	if seen < 150 {
		t.Errorf("testdata has %d transforms, want 150 or more", seen)
	}
}

func TestFrequencies(t *testing.T) {
	for _, c := range []struct{ got, want weft.Array }{
		{fft.Freq(5, 0.5), weft.Of[float32](0, 0.4, 0.8, -0.8, -0.4)},
		{fft.Freq(4, 1), weft.Of[float32](0, 0.25, -0.5, -0.25)},
		{fft.RFreq(5, 1), weft.Of[float32](0, 0.2, 0.4)},
		{fft.RFreq(4, 1), weft.Of[float32](0, 0.25, 0.5)},
	} {
		wefttest.AllClose(t, c.got, c.want, wefttest.Tolerance{})
	}
}

func TestTypes(t *testing.T) {
	for _, c := range []struct{ got, want weft.DType }{
		{fft.FFT(weft.Of[int32](1, 2)).DType(), weft.Complex64},
		{fft.FFT(weft.Ones(2).AsType(weft.BFloat16)).DType(), weft.Complex64},
		{fft.RFFT(weft.Ones(2).AsType(weft.Float64)).DType(), weft.Complex128},
		{fft.IRFFT(weft.Ones(2).AsType(weft.Float64)).DType(), weft.Float64},
		{fft.DCT(weft.Ones(2).AsType(weft.Float16)).DType(), weft.Float32},
		{fft.Convolve(weft.Of[int32](1, 2), weft.Of[int32](3), fft.Full).DType(), weft.Float32},
		{fft.Convolve(weft.Of[float32](1, 2).AsType(weft.Float16), weft.Of[float32](3).AsType(weft.Float16), fft.Full).DType(), weft.Float16},
	} {
		if c.got != c.want {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

// Transforms are linear: their derivatives are exact, and they commute with Vmap and Jit.
func TestTransformations(t *testing.T) {
	x := weft.FromSlice([]float64{1, -2, 0.5, 3, 0.25, -1, 2, 1, 0, -3, 1.5, 4}, 3, 4)
	for name, f := range map[string]func(weft.Array) weft.Array{
		"FFTN":  func(x weft.Array) weft.Array { return fft.FFTN(x) },
		"RFFTN": func(x weft.Array) weft.Array { return fft.RFFTN(x) },
		"IRFFT": func(x weft.Array) weft.Array { return fft.IRFFT(x, 0) },
		"HFFT":  func(x weft.Array) weft.Array { return fft.HFFT(x) },
		"DCT":   func(x weft.Array) weft.Array { return fft.Config{Norm: fft.Ortho}.DCT(x, 0) },
		"IDCT":  func(x weft.Array) weft.Array { return fft.IDCT(x) },
		"Power": func(x weft.Array) weft.Array { return weft.Square(weft.Abs(fft.FFT(x))) },
		"Convolve": func(x weft.Array) weft.Array {
			return fft.Convolve(x, weft.FromSlice([]float64{1, 2, -1, 0.5}, 2, 2), fft.Same)
		},
	} {
		t.Run(name, func(t *testing.T) {
			wefttest.CheckGrads(t, f, x, wefttest.GradConfig{Order: 2})
			y := f(x)
			wefttest.AllClose(t, weft.Jit(f)(x), y, wefttest.Tolerance{Exact: true})
			wefttest.AllClose(t, weft.Vmap(f)(weft.Stack(0, x, x)).Index(1), y, wefttest.Tolerance{})
		})
	}
}

// Transforms of weak numbers are strong, as in JAX.
func TestWeakOperands(t *testing.T) {
	real, complex := weft.Scalar(2.).BroadcastTo(4), weft.Scalar(2i).BroadcastTo(4)
	for name, y := range map[string]weft.Array{
		"FFT of real": fft.FFT(real), "FFT": fft.FFT(complex), "IFFT": fft.IFFT(complex), "RFFT": fft.RFFT(real), "IRFFT": fft.IRFFT(complex),
		"HFFT": fft.HFFT(complex), "IHFFT": fft.IHFFT(real), "RFFTN": fft.RFFTN(real), "FFT2": fft.FFT2(complex.BroadcastTo(2, 4)),
	} {
		if a := y.Value().Aval(); a.Weak {
			t.Errorf("%s of a weak operand is %v, want it strong", name, a.Full())
		}
	}
}
