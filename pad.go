package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// PadMode is what a padding consists of.
type PadMode uint8

// The modes, shown for 1 2 3 padded by two: a constant (0 0 1 2 3 0 0), the edges
// (1 1 1 2 3 3 3), the mirror image with the edge (2 1 1 2 3 3 2) or without
// (3 2 1 2 3 2 1), the other end (2 3 1 2 3 1 2), and the largest, least or mean
// element, or the ends of a line from the edge down to Value.
const (
	PadConstant PadMode = iota
	PadEdge
	PadSymmetric
	PadReflect
	PadWrap
	PadMaximum
	PadMinimum
	PadMean
	PadLinearRamp
)

// PadConfig is what a padding takes besides the widths. Its zero value pads with
// zeros.
type PadConfig struct {
	Mode  PadMode
	Value any // of PadConstant, and the outer ends of PadLinearRamp; nil: 0
}

// Pad puts elements around x: widths has the numbers before and after for each axis,
// or one pair for all of them.
func Pad(x Array, widths [][2]int, c PadConfig) Array {
	return FromValue(nd.Pad(x.value(), widths, nd.PadConfig{Mode: nd.PadMode(c.Mode), Value: optional(c.Value)}))
}
