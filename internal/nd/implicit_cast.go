package nd

import (
	"github.com/weft-go/weft/core"
)

// ImplicitCast returns a and b in the one type that an operator would compute them in. An operand
// that has the type already is unchanged; another is converted, in a traced program by one
// equation, and a Go number at once. The types promote by the system that is set, so under
// Promotion(promote.MAX) this is MAX's operation of that name. Operands without a common type are
// an error. Shapes are unchanged.
func ImplicitCast(a any, b any) (core.Value, core.Value) {
	x, y := PromotePair("ImplicitCast", ValueOf("ImplicitCast", a), ValueOf("ImplicitCast", b))
	return x, y
}
