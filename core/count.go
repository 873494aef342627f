package core

import (
	"strconv"
	"strings"
)

// Count returns n and a noun, which is given in the singular, for messages: "1 axis", "3 axes".
func Count(n int, what string) string {
	s := strconv.Itoa(n) + " "
	if n == 1 {
		return s + what
	}
	switch {
	case strings.HasSuffix(what, "axis"):
		return s + strings.TrimSuffix(what, "is") + "es"
	case strings.HasSuffix(what, "index"):
		return s + strings.TrimSuffix(what, "ex") + "ices"
	case strings.HasSuffix(what, "f") && !strings.HasSuffix(what, "ff"):
		return s + strings.TrimSuffix(what, "f") + "ves"
	case strings.HasSuffix(what, "ry"):
		return s + strings.TrimSuffix(what, "y") + "ies"
	case strings.HasSuffix(what, "h"):
		return s + what + "es"
	}
	return s + what + "s"
}
