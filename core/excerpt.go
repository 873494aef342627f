package core

// Excerpts returns the arguments of a message with only the beginning of long texts: what a message
// quotes of a file may be a literal of megabytes.
func Excerpts(args []any) []any {
	const most = 200
	for i, a := range args {
		if s, ok := a.(string); ok && len(s) > most {
			n := most
			for n > 0 && s[n]&0xC0 == 0x80 { // within a character
				n--
			}
			args[i] = s[:n] + "…"
		}
	}
	return args
}
