package fft

import (
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// Rows contains the kernel of Fourier transforms.
var Rows = []block.Row{
	block.On(func(p prim.FFTP, in, out []*block.Tensor) { fourier(out[0], in[0], p) }),
}
