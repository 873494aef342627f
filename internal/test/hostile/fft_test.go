package hostile

import "github.com/weft-go/weft/fft"

var fftFunctions = []function{
	{"fft.Convolve", fft.Convolve},
	{"fft.DCT", fft.DCT},
	{"fft.FFT", fft.FFT},
	{"fft.FFT2", fft.FFT2},
	{"fft.FFTN", fft.FFTN},
	{"fft.Freq", fft.Freq},
	{"fft.HFFT", fft.HFFT},
	{"fft.IDCT", fft.IDCT},
	{"fft.IFFT", fft.IFFT},
	{"fft.IFFT2", fft.IFFT2},
	{"fft.IFFTN", fft.IFFTN},
	{"fft.IHFFT", fft.IHFFT},
	{"fft.IRFFT", fft.IRFFT},
	{"fft.IRFFT2", fft.IRFFT2},
	{"fft.IRFFTN", fft.IRFFTN},
	{"fft.IShift", fft.IShift},
	{"fft.RFFT", fft.RFFT},
	{"fft.RFFT2", fft.RFFT2},
	{"fft.RFFTN", fft.RFFTN},
	{"fft.RFreq", fft.RFreq},
	{"fft.Shift", fft.Shift},
}
