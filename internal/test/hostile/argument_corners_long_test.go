//go:build long

package hostile_test

import (
	"github.com/weft-go/weft"
)

// oddTypes are the types of TestArgumentCorners.
var oddTypes = []weft.DType{
	weft.Bool, weft.Int8, weft.Int32, weft.Int64, weft.Uint8, weft.Uint64, weft.BFloat16, weft.Float16, weft.Float32, weft.Float64,
	weft.Complex64, weft.Int4, weft.Float8E4M3FN,
}
