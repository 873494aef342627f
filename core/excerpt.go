package core

// Excerpts shortens the long strings among the arguments of a message, in place: a message may
// quote a literal of megabytes from a file.
func Excerpts(args []any) []any {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = Excerpt(s)
		}
	}
	return args
}

// Excerpt returns s, or the beginning of a long s followed by an ellipsis.
func Excerpt(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	n := most
	for n > 0 && s[n]&0xC0 == 0x80 { // within a character
		n--
	}
	return s[:n] + "…"
}
