package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// ConvConfig is what a convolution takes besides its operands. Its zero value is a
// convolution without padding, in steps of 1.
type ConvConfig struct {
	Strides       []int    // steps of the kernel, one a spatial axis; nil: 1
	Padding       [][2]int // zeros before and after each spatial axis; nil: none
	Same          bool     // pad so that steps of 1 keep the size, instead of Padding
	Dilation      []int    // distances between the kernel's elements; nil: 1
	InputDilation []int    // distances between x's elements; nil: 1
	Groups        int      // parts of the features that are convolved apart; 0: 1
	// Layout names the axes of x, w and the result: N the batch, C features, O and I
	// the kernel's output and input features, the other letters spatial axes. "" is
	// "NCHW,OIHW->NCHW", with as many spatial axes as there are.
	Layout string
}

// Conv slides the kernel w over x: z[n, o, p] = Σ x[n, c, p·stride + t] · w[o, c, t].
func Conv(x, w Array, c ConvConfig) Array {
	return FromValue(nd.Conv(x.value(), w.value(), nd.ConvConfig(c)))
}
