package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// count fills y with each element's position along the axis, as iota does.
func count(y *block.Tensor, dim int) {
	if y.Size() == 0 {
		return
	}
	n, inner := y.Shape.At(dim), 1
	for i := dim + 1; i < y.Rank(); i++ {
		inner *= y.Shape.At(i)
	}
	if count := numerics[y.DType].count; count != nil {
		count(y, n, inner)
	} else {
		size := y.DType.Size()
		for i := range n {
			run := y.Data[i*inner*size : (i+1)*inner*size]
			elem.Put(run, core.IntNumber(int64(i)), y.DType)
			for done := size; done < len(run); {
				done += copy(run[done:], run[:done])
			}
		}
	}
	// The axes before this one repeat the block.
	block := n * inner * y.DType.Size()
	for done := block; done < len(y.Data); {
		done += copy(y.Data[done:], y.Data[:done])
	}
}

func countAs[T uint32 | uint64](y *block.Tensor, n, inner int) {
	v := block.View[T](y)
	for i := range n {
		block.FillRun(v[i*inner:(i+1)*inner], T(i))
	}
}

func countF32(y *block.Tensor, n, inner int) {
	v := block.View[float32](y)
	for i := range n {
		block.FillRun(v[i*inner:(i+1)*inner], scalar.IntToFloat32(int64(i)))
	}
}

func countF64(y *block.Tensor, n, inner int) {
	v := block.View[float64](y)
	for i := range n {
		block.FillRun(v[i*inner:(i+1)*inner], float64(i))
	}
}
