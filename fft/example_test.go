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
