package fuse

import (
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower/legalize"
)

// dotOf returns the parameters of a product, and the number of elements of a chain.
func dotOf(p any) (q prim.DotGeneralP, chunk int) {
	if d, ok := p.(legalize.PairedDot); ok {
		return d.DotGeneralP, 2 * DotChunk
	}
	return p.(prim.DotGeneralP), DotChunk
}

// convOf returns the parameters of a convolution, and the number of elements of a chain.
func convOf(p any) (q windows.ConvP, chunk int) {
	if c, ok := p.(legalize.PairedConv); ok {
		return c.ConvP, 2 * DotChunk
	}
	return p.(windows.ConvP), DotChunk
}
