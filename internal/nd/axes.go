package nd

import (
	"github.com/weft-go/weft/core"
)

// Axis returns an axis counted from the start.
func Axis(op string, a core.ShapedArray, axis int) int {
	r := a.Rank()
	if axis < -r || axis >= r {
		core.FailOp(core.ErrIndex, op, []core.ShapedArray{a}, "axis %d is out of range for %v, which has %s; count from 0, or from the end with negative numbers", axis, a.Full(), core.Count(r, "axis"))
	}
	if axis < 0 {
		axis += r
	}
	return axis
}
