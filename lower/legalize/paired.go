package legalize

import (
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
)

// PairedDot is a product of arrays whose contracted elements are pairs, such as the parts of complex numbers: a
// chain has twice as many elements.
type PairedDot struct{ prim.DotGeneralP }

// PairedConv is a convolution whose features are pairs.
type PairedConv struct{ windows.ConvP }
