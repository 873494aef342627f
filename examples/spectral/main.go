// Command spectral removes noise from a signal by a filter of its spectrum, and solves Poisson's equation on a periodic
// square by Fourier transforms.
package main

import (
	"fmt"
	"io"
	"math"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/fft"
	"github.com/weft-go/weft/random"
)

// lowpass keeps frequencies up to a limit, in cycles a second.
func lowpass(signal weft.Array, rate, limit float64) weft.Array {
	frequencies := fft.RFreq(signal.Len(), 1/rate)
	spectrum := fft.RFFT(signal)
	kept := weft.Where(frequencies.Le(limit), spectrum, 0.)
	return fft.Config{Sizes: []int{signal.Len()}}.IRFFT(kept)
}

// poisson returns the u of mean 0 with ∂²u/∂x² + ∂²u/∂y² = f on a square of the side 2π whose edges meet.
func poisson(f weft.Array) weft.Array {
	n := f.Dim(0)
	k := fft.Freq(n, 1/float64(n)).AsType(f.DType())
	half := fft.RFreq(n, 1/float64(n)).AsType(f.DType())
	squares := weft.Square(k).ExpandDims(1).Add(weft.Square(half))
	scale := weft.Where(squares.Eq(0), 0., weft.Reciprocal(weft.Where(squares.Eq(0), 1., squares)).Neg())
	return fft.Config{Sizes: []int{n, n}}.IRFFTN(fft.RFFTN(f).Mul(scale))
}

func rms(x weft.Array) float64 { return math.Sqrt(weft.Square(x).Mean().Float()) }

func run(w io.Writer) error {
	const rate, n = 200.0, 400
	time := weft.Arange(float64(n)).AsType(weft.Float64).Div(rate)
	clean := weft.Sin(time.Mul(2 * math.Pi * 3)).Add(weft.Sin(time.Mul(2 * math.Pi * 7)).Mul(0.5))
	noisy := clean.Add(random.Normal(random.As(random.New(2), weft.Float64), n).Mul(0.5))
	power := weft.Square(weft.Abs(fft.RFFT(noisy)))
	_, at := weft.TopK(power, 2)
	fmt.Fprintf(w, "the strongest frequencies: %.1f Hz\n", fft.RFreq(n, 1/rate).Index(at))
	fmt.Fprintf(w, "error before the filter %.3f, after %.3f\n", rms(noisy.Sub(clean)), rms(lowpass(noisy, rate, 10).Sub(clean)))

	// The limit of a filter can be learned: its derivative is that of the remaining error.
	smooth := func(limit weft.Array) weft.Array {
		f := fft.RFreq(n, 1/rate)
		pass := weft.Reciprocal(weft.Exp(f.Sub(limit)).Add(1))
		return weft.Square(fft.Config{Sizes: []int{n}}.IRFFT(fft.RFFT(noisy).Mul(pass)).Sub(clean)).Mean()
	}
	limit := weft.Scalar(20.).AsType(weft.Float64)
	for range 200 {
		limit = limit.Sub(weft.Grad(smooth)(limit).Mul(200))
	}
	fmt.Fprintf(w, "the best smooth limit is %.1f Hz, with the error %.3f\n", limit.Float(), math.Sqrt(smooth(limit).Float()))

	for _, m := range []int{16, 32, 64} {
		x := weft.Arange(float64(m)).AsType(weft.Float64).Mul(2 * math.Pi / float64(m))
		u := weft.Exp(weft.Sin(x)).ExpandDims(1).Mul(weft.Cos(x.Mul(2)))
		// ∂² of e^sin x is e^sin x·(cos² x − sin x), of cos 2y −4·cos 2y.
		f := weft.Square(weft.Cos(x)).Sub(weft.Sin(x)).Sub(4).ExpandDims(1).Mul(u)
		found := poisson(f)
		worst := weft.Abs(found.Sub(u.Sub(u.Mean()))).Max().Float()
		fmt.Fprintf(w, "Poisson's equation on %2d × %2d points: error %s\n", m, m, magnitude(worst))
	}
	return nil
}

// magnitude prints a number by its power of ten, and rounding errors as such.
func magnitude(v float64) string {
	if v < 1e-13 {
		return "below 1e-13"
	}
	return fmt.Sprintf("%.1e", v)
}

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
