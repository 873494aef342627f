package nd

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/promote"
)

// CanCast reports whether promotion converts one type to another: whether the result of an
// operation on both has the second type.
func CanCast(from, to core.DType) bool {
	s := Current()
	operand := func(dt core.DType) promote.Operand { return promote.Operand{Type: promote.Type{DType: dt}} }
	dt, _, err := promote.ResultOf(s.Promotion, s.Bits, operand(from), operand(to))
	return err == nil && dt == to
}
