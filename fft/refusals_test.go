package fft_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/fft"
)

func TestRefusals(t *testing.T) {
	x := weft.Ones(3, 4)
	for want, f := range map[string]func() weft.Array{
		"RFFT: takes real numbers, got c64[3,4]; use FFT or FFTN, or take Real of it":                                       func() weft.Array { return fft.RFFT(fft.FFT(x)) },
		"FFTN: axis -1 of f32[3,4] occurs twice; name each axis once":                                                       func() weft.Array { return fft.FFTN(x, 1, -1) },
		"FFT: Config.Sizes must have as many sizes as there are axes (got 2 and 1); pass one size an axis":                  func() weft.Array { return fft.Config{Sizes: []int{2, 2}}.FFT(x) },
		"IRFFT: axis 0 of f32[1] makes a transform of length 0; lengths must be positive: set Config.Sizes":                 func() weft.Array { return fft.IRFFT(weft.Ones(1)) },
		"FFT: axis 0 of f32[0] makes a transform of length 0; lengths must be positive: set Config.Sizes":                   func() weft.Array { return fft.FFT(weft.Zeros(0)) },
		"Convolve: f32[3,4] and f32[3] must have the same number of axes, 1 or more; reshape one of them":                   func() weft.Array { return fft.Convolve(x, weft.Ones(3), fft.Full) },
		"Convolve: neither of f32[3,4] and f32[4,3] covers the other along every axis, as Valid requires; use Full or Same": func() weft.Array { return fft.Convolve(x, weft.Ones(4, 3), fft.Valid) },
		"Freq: there must be samples at a distance (got n = 0, d = 1); pass n ≥ 1 and d ≠ 0":                                func() weft.Array { return fft.Freq(0, 1) },
		"FFT: there is no norm 9; pass fft.Backward, fft.Ortho or fft.Forward":                                              func() weft.Array { return fft.Config{Norm: 9}.FFT(x) },
		"DCT: there is no norm 9; pass fft.Backward, fft.Ortho or fft.Forward":                                              func() weft.Array { return fft.Config{Norm: 9}.DCT(x) },
		"HFFT: there is no norm 9; pass fft.Backward, fft.Ortho or fft.Forward":                                             func() weft.Array { return fft.Config{Norm: 9}.HFFT(x) },
		"Convolve: there is no mode 9; pass fft.Full, fft.Same or fft.Valid":                                                func() weft.Array { return fft.Convolve(x, x, 9) },
		"DCT: takes real numbers, got c64[3,4]; take Real, Imag or Abs of it":                                               func() weft.Array { return fft.DCT(fft.FFT(x)) },
	} {
		_, err := weft.Try(f)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
