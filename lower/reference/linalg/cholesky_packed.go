package linalg

import (
	"math/cmplx"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// choleskyPacked is cholesky. For small floats, which are factored in f32, it writes the part above the
// diagonal itself: the operand's bits, or NaN if the factorization fails.
func choleskyPacked(y, x *block.Tensor) {
	cholesky(y, x)
	switch x.DType {
	case core.Float32, core.Float64, core.Complex64, core.Complex128:
		return
	}
	n, size := x.Shape.At(-1), x.DType.Size()
	row := n * size
	for at := 0; at < len(x.Data); at += n * row {
		matrix, from := y.Data[at:at+n*row], x.Data[at:at+n*row]
		// The last pivot is NaN wherever one is not positive.
		if last, _ := elem.Get(matrix[len(matrix)-size:], y.DType); cmplx.IsNaN(last.Complex()) {
			for i := range n {
				for j := i + 1; j < n; j++ {
					copy(matrix[i*row+j*size:i*row+(j+1)*size], matrix[:size])
				}
			}
			continue
		}
		for i := range n {
			copy(matrix[i*row+(i+1)*size:(i+1)*row], from[i*row+(i+1)*size:(i+1)*row])
		}
	}
}
