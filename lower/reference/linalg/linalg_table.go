package linalg

import (
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// Rows are the kernels of factorizations and of what is made of them.
var Rows = []block.Row{
	block.On(func(_ prim.CholeskyP, in, out []*block.Tensor) { choleskyPacked(out[0], in[0]) }),
	block.On(func(p prim.TriangularSolveP, in, out []*block.Tensor) { triangularSolve(out[0], in[0], in[1], p) }),
	block.On(func(_ prim.LUP, in, out []*block.Tensor) { luFactors(in, out) }),
	block.On(func(p prim.LUPivotsToPermutationP, in, out []*block.Tensor) { pivotsToPermutation(out[0], in[0], p) }),
	block.On(func(_ prim.GeqrfP, in, out []*block.Tensor) { geqrf(in, out) }),
	block.On(func(_ prim.HouseholderProductP, in, out []*block.Tensor) { householderProduct(in, out) }),
	block.On(func(p prim.OrmqrP, in, out []*block.Tensor) { ormqr(in, out, p) }),
	block.On(func(p prim.QRP, in, out []*block.Tensor) { qrFactors(in, out, p) }),
	block.On(func(p prim.EighP, in, out []*block.Tensor) { eigh(in, out, p) }),
	block.On(func(p prim.TridiagonalP, in, out []*block.Tensor) { tridiagonal(in, out, p) }),
	block.On(func(p prim.SVDP, in, out []*block.Tensor) { svd(in, out, p) }),
	block.On(func(p prim.EigP, in, out []*block.Tensor) { eig(in, out, p) }),
	block.On(func(_ prim.SchurP, in, out []*block.Tensor) { schur(in, out) }),
	block.On(func(_ prim.HessenbergP, in, out []*block.Tensor) { hessenberg(in, out) }),
	block.On(func(p prim.TridiagonalSolveP, in, out []*block.Tensor) { tridiagonalSolve(in, out, p) }),
}
