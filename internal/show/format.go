package show

import (
	"fmt"
	"io"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
)

// Format writes the value behind an array of package weft for a verb of fmt. x is nil for the
// zero array.
func Format(s fmt.State, verb rune, x core.Value) {
	width, _ := s.Width()
	prec, exact := s.Precision()
	left := s.Flag('-')
	known := x != nil
	var out string
	switch {
	case verb == 'v' || verb == 's':
		digits := -1
		if verb == 'v' && exact {
			digits = prec
		}
		switch {
		case known && x.Aval().Rank() == 0 && (digits < 0 || !x.Aval().DType.IsInexact()):
			out = pad(Text(x, nil), width, left) // in the style of scalars; WidthStyle is for columns
		case width > 0 || digits >= 0:
			out = Text(x, runtime.WidthStyle(width, digits, left))
		default:
			out = Text(x, nil)
		}
		if verb == 'v' && (s.Flag('+') || s.Flag('#')) && known {
			out = x.Aval().Full() + " " + out
		}
	case verb == 'x' || verb == 'X':
		out = Text(x, runtime.BitStyle(string(verb), s.Flag('#'), width, left))
	case strings.ContainsRune("fFeEgGd", verb),
		strings.ContainsRune("boO", verb) && known && x.Aval().DType.IsInteger(),
		verb == 't' && known && x.Aval().DType.IsBool():
		out = Text(x, runtime.VerbStyle(fmt.FormatString(s, verb)))
	default:
		out = "%!" + string(verb) + "(weft.Array=" + Text(x, nil) + ")"
	}
	io.WriteString(s, pad(out, width, left))
}

func pad(text string, width int, left bool) string {
	space := strings.Repeat(" ", max(0, width-len(text)))
	if left {
		return text + space
	}
	return space + text
}
