package core

// Excerpts returns the arguments of a message with only the beginning of long texts: what a message
// quotes of a file may be a literal of megabytes.
func Excerpts(args []any) []any {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = Excerpt(s)
		}
	}
	return args
}

// Excerpt returns a text, or the beginning of a long one.
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
