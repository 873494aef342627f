package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// View returns x's bytes read as elements of another type: nothing is converted. Where the
// types' sizes differ the last axis grows or shrinks.
func (x Array) View(dt DType) Array { return FromValue(nd.View(x.value(), dt)) }
