package weft

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// String is x's elements laid out as NumPy does: columns aligned, long arrays
// shortened. A value that is not known is Traced<f32[3]>.
func (x Array) String() string { return x.layout(nil) }

// Format supports the verbs of fmt: %v and %s are String; %.3f, %e, %g and %d set
// how numbers look; %x shows their bits; %+v adds the type.
func (x Array) Format(s fmt.State, verb rune) {
	var out string
	switch verb {
	case 'v', 's':
		out = x.String()
		if verb == 'v' && (s.Flag('+') || s.Flag('#')) && x.v != nil {
			out = x.aval().Full() + " " + out
		}
	case 'x', 'X':
		out = x.layout(runtime.BitStyle(string(verb)))
	case 'f', 'F', 'e', 'E', 'g', 'G', 'd':
		out = x.layout(runtime.VerbStyle(fmt.FormatString(s, verb)))
	default:
		out = "%!" + string(verb) + "(weft.Array " + x.String() + ")"
	}
	fmt.Fprint(s, out)
}

func (x Array) layout(style runtime.Style) string {
	if x.v == nil {
		return "<no Array>"
	}
	v, err := trace.Look(*x.v)
	if err != nil {
		return "Traced<" + x.aval().Full() + ">"
	}
	switch v := v.(type) {
	case *runtime.Array:
		return v.Text(style)
	case core.Literal:
		return runtime.FromLiteral(v).Text(style)
	}
	return fmt.Sprintf("%T<%s>", v, v.Aval().Full())
}
