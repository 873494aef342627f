package show

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// Text returns the elements of a value in a style; nil is the common style. A traced value prints
// its type, nil prints <no Array>.
func Text(x core.Value, style runtime.Style) string {
	if x == nil {
		return "<no Array>"
	}
	if p, ok := x.(interface{ PiecesText() string }); ok {
		return p.PiecesText()
	}
	v, err := trace.Look(x)
	if err != nil {
		return "Traced<" + x.Aval().Full() + ">"
	}
	switch v := v.(type) {
	case *runtime.Array:
		return v.Text(style)
	case core.Literal:
		return runtime.FromLiteral(v).Text(style)
	}
	return fmt.Sprintf("%T<%s>", v, v.Aval().Full())
}
