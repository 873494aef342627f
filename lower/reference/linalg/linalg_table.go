package linalg

import (
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// Rows are the kernels of factorizations and of the operations that use them.
var Rows = []block.Row{
	block.On(func(_ matrices.CholeskyP, in, out []*block.Tensor) { choleskyPacked(out[0], in[0]) }),
	block.On(func(p matrices.TriangularSolveP, in, out []*block.Tensor) { triangularSolve(out[0], in[0], in[1], p) }),
	block.On(func(_ matrices.LUP, in, out []*block.Tensor) { luFactors(in, out) }),
	block.On(func(p matrices.LUPivotsToPermutationP, in, out []*block.Tensor) {
		pivotsToPermutation(out[0], in[0], p)
	}),
	block.On(func(_ matrices.GeqrfP, in, out []*block.Tensor) { geqrf(in, out) }),
	block.On(func(_ matrices.HouseholderProductP, in, out []*block.Tensor) { householderProduct(in, out) }),
	block.On(func(p matrices.OrmqrP, in, out []*block.Tensor) { ormqr(in, out, p) }),
	block.On(func(p matrices.QRP, in, out []*block.Tensor) { qrFactors(in, out, p) }),
	block.On(func(p matrices.EighP, in, out []*block.Tensor) { eigh(in, out, p) }),
	block.On(func(p matrices.TridiagonalP, in, out []*block.Tensor) { tridiagonal(in, out, p) }),
	block.On(func(p matrices.SVDP, in, out []*block.Tensor) { svd(in, out, p) }),
	block.On(func(p matrices.EigP, in, out []*block.Tensor) { eig(in, out, p) }),
	block.On(func(_ matrices.SchurP, in, out []*block.Tensor) { schur(in, out) }),
	block.On(func(_ matrices.HessenbergP, in, out []*block.Tensor) { hessenberg(in, out) }),
	block.On(func(p matrices.TridiagonalSolveP, in, out []*block.Tensor) { tridiagonalSolve(in, out, p) }),
}
