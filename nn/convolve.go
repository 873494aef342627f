package nn

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/nd"
)

// ConvMode selects the part of a convolution of vectors that is returned.
type ConvMode uint8

// The parts: all elements where the vectors overlap at all; of these the middle ones, as many as
// the longer vector has; those where the vectors overlap fully.
const (
	ConvFull ConvMode = iota
	ConvSame
	ConvValid
)

// Convolve returns the sums of x[i] · y[k−i] for each k, in the common type of x and y. Integers
// wrap.
func Convolve(x, y weft.Array, mode ConvMode) weft.Array {
	return weft.FromValue(nd.Convolve(nd.ValueOf("Convolve", x), nd.ValueOf("Convolve", y), nd.ConvMode(mode)))
}

// Correlate returns the sums of x[k+i] · conj(y[i]) for each k, in increasing order of k.
func Correlate(x, y weft.Array, mode ConvMode) weft.Array {
	return weft.FromValue(nd.Correlate(nd.ValueOf("Correlate", x), nd.ValueOf("Correlate", y), nd.ConvMode(mode)))
}
