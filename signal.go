package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// Interp returns at each x the height of the line through the points (xp, fp), whose xp
// rise. Outside of them it is the height of the nearest point.
func Interp(x, xp, fp Array) Array { return FromValue(nd.Interp(x.value(), xp.value(), fp.value())) }

// Trapezoid returns the area under the points (xs, y) along y's last axis, joined by
// lines.
func Trapezoid(y, xs Array) Array { return FromValue(nd.Trapezoid(y.value(), xs.value())) }

// CentralDiff returns the slope along an axis, the last one unless another is given, of values
// at positions of distance 1: half the difference of the neighbours, at the ends the
// difference to the one neighbour.
func CentralDiff(x Array, axis ...int) Array { return FromValue(nd.CentralDiff(x.value(), axis...)) }
