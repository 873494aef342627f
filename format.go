package weft

import (
	"fmt"
	"io"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// String returns x's elements laid out as NumPy does: columns aligned, long arrays
// shortened. A value that is not known is Traced<f32[3]>.
func (x Array) String() string { return x.layout(nil) }

// Format supports the verbs of fmt: %v and %s are String, %.3v with three digits; %.3f,
// %e, %g and %d set how numbers look, %b and %o write integers to base 2 and 8, %t truth
// values as Go does; %x shows the bits, %+v adds the type. A width and flags hold for
// every element.
func (x Array) Format(s fmt.State, verb rune) {
	width, _ := s.Width()
	prec, exact := s.Precision()
	left := s.Flag('-')
	known := x.v != nil
	var out string
	switch {
	case verb == 'v' || verb == 's':
		digits := -1
		if verb == 'v' && exact {
			digits = prec
		}
		switch {
		case known && x.Rank() == 0 && (digits < 0 || !x.DType().IsInexact()):
			out = pad(x.String(), width, left) // not as one of a column
		case width > 0 || digits >= 0:
			out = x.layout(runtime.WidthStyle(width, digits, left))
		default:
			out = x.String()
		}
		if verb == 'v' && (s.Flag('+') || s.Flag('#')) && known {
			out = x.aval().Full() + " " + out
		}
	case verb == 'x' || verb == 'X':
		out = x.layout(runtime.BitStyle(string(verb), s.Flag('#'), width, left))
	case strings.ContainsRune("fFeEgGd", verb),
		strings.ContainsRune("boO", verb) && known && x.DType().IsInteger(),
		verb == 't' && known && x.DType() == Bool:
		out = x.layout(runtime.VerbStyle(fmt.FormatString(s, verb)))
	default:
		out = "%!" + string(verb) + "(weft.Array=" + x.String() + ")"
	}
	io.WriteString(s, pad(out, width, left))
}

// pad returns a text in a column of the given width.
func pad(text string, width int, left bool) string {
	space := strings.Repeat(" ", max(0, width-len(text)))
	if left {
		return text + space
	}
	return space + text
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
