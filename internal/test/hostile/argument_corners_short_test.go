//go:build !long

package hostile_test

import (
	"github.com/weft-go/weft"
)

// oddTypes are the types of TestArgumentCorners; there are more with -tags long.
var oddTypes = []weft.DType{weft.Uint8, weft.Float16, weft.Float32}
