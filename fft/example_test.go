package fft_test

import (
	"fmt"
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/fft"
)

// The frequency at which a signal has the most power.
func ExampleRFFT() {
	n, rate := 100, 50.0 // samples, and samples a second
	time := weft.Arange(float64(n)).Div(rate)
	signal := weft.Sin(time.Mul(2 * math.Pi * 7))
	power := weft.Square(weft.Abs(fft.RFFT(signal)))
	fmt.Println(fft.RFreq(n, 1/rate).Index(power.ArgMax()), "Hz")
	// Output:
	// 7.0 Hz
}

func ExampleConfig() {
	x := weft.Of[float64](3, 4)
	y := fft.Config{Norm: fft.Ortho}.FFT(x) // keeps the sum of squares
	fmt.Printf("%.3f\n", weft.Square(weft.Abs(y)).Sum().Float())
	// Output:
	// 25.000
}

// Transforms of two and more axes, and those of real signals, invert.
func Example_axes() {
	x := weft.From([][]float64{{1, 2}, {3, 4}})
	fmt.Printf("%.1f %.1f\n", fft.FFT2(x), fft.RFFT2(x))
	same := func(y weft.Array) bool { return weft.AllClose(y, x, 0, 1e-12).Bool() }
	fmt.Println(same(fft.IFFT2(fft.FFT2(x)).Real()), same(fft.IRFFT2(fft.RFFT2(x))), same(fft.IFFTN(fft.FFTN(x)).Real()))
	// Output:
	// [[(10.0+0.0i) (-2.0+0.0i)]
	//  [(-4.0+0.0i)  (0.0+0.0i)]] [[(10.0+0.0i) (-2.0+0.0i)]
	//  [(-4.0+0.0i)  (0.0+0.0i)]]
	// true true true
}

// Smoothing by a convolution, and the cosine transform.
func Example_signals() {
	x := weft.Of[float64](1, 2, 4, 2, 1)
	fmt.Printf("%.2f\n", fft.Convolve(x, weft.Of[float64](0.25, 0.5, 0.25), fft.Same))
	fmt.Printf("%.2f %.2f\n", fft.DCT(x), fft.IDCT(fft.DCT(x)))
	fmt.Printf("%.2f %.2f\n", fft.Shift(fft.Freq(4, 1)), fft.IShift(fft.Shift(fft.Freq(4, 1))))
	// Output:
	// [1.00 2.25 3.00 2.25 1.00]
	// [20.00 -0.00 -7.24 -0.00  2.76] [1.00 2.00 4.00 2.00 1.00]
	// [-0.50 -0.25  0.00  0.25] [ 0.00  0.25 -0.50 -0.25]
}
