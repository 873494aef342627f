package simttest

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

// Radix returns the sort of a row of n u32 with their numbers, in tiles of 256·items.
func Radix(n, items int64) *simt.Radix {
	b := scalar.NewBuilder(core.Uint32)
	key := b.Finish([]core.DType{core.Uint32}, []scalar.Ref{b.Param(0, 0)})
	return &simt.Radix{Element: scalar.U32, Key: key, High: 32, Payload: scalar.I32, Numbers: true, Rows: 1, N: n, Items: items}
}
