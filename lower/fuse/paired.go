package fuse

import "github.com/weft-go/weft/core/prim"

// PairedDot is a product of arrays whose contracted elements are pairs, as the parts of complex
// numbers: twice as many make a chain.
type PairedDot struct{ prim.DotGeneralP }

// PairedConv is a convolution whose features are pairs.
type PairedConv struct{ prim.ConvP }

// dotOf returns the parameters of a product, and the number of elements of a chain.
func dotOf(p any) (q prim.DotGeneralP, chunk int) {
	if d, ok := p.(PairedDot); ok {
		return d.DotGeneralP, 2 * dotChunk
	}
	return p.(prim.DotGeneralP), dotChunk
}

// convOf returns the parameters of a convolution, and the number of elements of a chain.
func convOf(p any) (q prim.ConvP, chunk int) {
	if c, ok := p.(PairedConv); ok {
		return c.ConvP, 2 * dotChunk
	}
	return p.(prim.ConvP), dotChunk
}
