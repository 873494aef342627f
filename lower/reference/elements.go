package reference

import (
	"math"

	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// elements reads and writes the elements of one dtype. A function is nil where the dtype has no
// such operation.
type elements struct {
	// choose writes the position of the element that each window selects.
	choose func(at []int, x *block.Tensor, sel windows.Select, k *windowWalk)
	// index returns element i as an index, saturated where an int is too small.
	index func(x *block.Tensor, i int) int
	// seeds writes the keys that are made from the elements of x as seeds.
	seeds func(y []key, x *block.Tensor)
	// draw writes n random elements that the key k determines, from element `at` on.
	draw func(y *block.Tensor, at, n int, k key)
}

func signedElements[A block.Signed]() elements {
	return elements{choose: chooseOf[A], seeds: seedWordsOf[A],
		index: func(x *block.Tensor, i int) int {
			return int(max(min(int64(block.View[A](x)[i]), math.MaxInt), math.MinInt))
		}}
}

func unsignedElements[A block.Unsigned]() elements {
	return elements{choose: chooseOf[A], seeds: seedWordsOf[A], draw: drawBits[A],
		index: func(x *block.Tensor, i int) int { return int(min(uint64(block.View[A](x)[i]), math.MaxInt)) }}
}

func chooseOf[A block.Number](at []int, x *block.Tensor, sel windows.Select, k *windowWalk) {
	choose(at, block.View[A](x), sel, k)
}

func chooseWidened(at []int, x *block.Tensor, sel windows.Select, k *windowWalk) {
	e, l := block.ElementsAs[float32](x)
	choose(at, e, sel, k)
	l.Back()
}

func seedWordsOf[A block.Integer](y []key, x *block.Tensor) {
	wide := block.ElementBytes[A]() == 8
	for i, v := range block.View[A](x) {
		y[i] = key{0, uint32(v)}
		if wide {
			y[i][0] = uint32(uint64(v) >> 32)
		}
	}
}
