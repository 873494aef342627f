package promote

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
)

// An Error reports types that do not promote: under which system, which types, why
// not, and what to write instead. errors.Is finds core.ErrPromotion in it.
type Error struct {
	System string
	Types  []Type
	Why    string
	Way    string // the fix
}

// Error returns one sentence: the types, the system, the reason, the fix.
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	var b strings.Builder
	for i, t := range e.Types {
		switch {
		case i == 0:
		case i == len(e.Types)-1:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(t.String())
	}
	if len(e.Types) == 0 {
		fmt.Fprintf(&b, "no promotion under %s: %s", e.System, e.Why)
	} else {
		fmt.Fprintf(&b, " do not promote under %s: %s", e.System, e.Why)
	}
	if e.Way != "" {
		b.WriteString("; ")
		b.WriteString(e.Way)
	}
	return b.String()
}

// Unwrap returns core.ErrPromotion.
func (e *Error) Unwrap() error { return core.ErrPromotion }

func errNoOperands(s System) error {
	return &Error{System: s.Name(), Why: "no arguments provided", Way: "promotion needs one operand or more"}
}

// convert is the fix that messages suggest where there is no better one.
const convert = "convert one of them explicitly"
