package nd

import (
	"github.com/weft-go/weft/core"
)

// ImplicitCast returns a and b in the one type that an operator would compute them in:
// what operators do first, by itself. An operand that has the type already stays as
// it is; another is converted, in a traced program by one equation, and a Go number
// at once. The types promote by the system that is set, so under
// Promotion(promote.MAX) this is MAX's operation of that name; operands without a
// common type are an error. Shapes stay as they are.
func ImplicitCast(a any, b any) (core.Value, core.Value) {
	x, y := PromotePair("ImplicitCast", ValueOf("ImplicitCast", a), ValueOf("ImplicitCast", b))
	return x, y
}
