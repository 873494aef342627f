package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// dotGeneral contracts axes ac of a with axes bc of b, in this order, for each
// position along the batch axes ab and bb; the result has the batch axes, the other
// axes of a, the other axes of b. The result's dtype determines the type of the accumulators: see products.
func dotGeneral(y, a, b *block.Tensor, ac, bc, ab, bb core.Dims, stop block.Stopper) {
	numericOf(y.DType).dot(y, a, b, ac, bc, ab, bb, stop)
}
