package special

import (
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// Rows are the kernels of special functions that have no fixed number of steps.
var Rows = []block.Row{
	block.On(func(_ prim.IgammaP, in, out []*block.Tensor) { regularized(out[0], in, false) }),
	block.On(func(_ prim.IgammacP, in, out []*block.Tensor) { regularized(out[0], in, true) }),
	block.On(func(_ prim.IgammaGradAP, in, out []*block.Tensor) { igammaGradient(out[0], in, false) }),
	block.On(func(_ prim.RandomGammaGradP, in, out []*block.Tensor) { igammaGradient(out[0], in, true) }),
	block.On(func(_ prim.RegularizedIncompleteBetaP, in, out []*block.Tensor) { regularizedBeta(out[0], in) }),
	block.On(func(_ prim.ZetaP, in, out []*block.Tensor) { zeta(out[0], in) }),
}
