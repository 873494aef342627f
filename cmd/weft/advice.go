package main

import "strings"

// advice lists advice in the library's messages, which address Go programmers, and what the command says
// instead: its users have the text of a program.
var advice = []struct{ library, command string }{
	{"take the derivative with Grad or VJP, or linearize first", "transpose what weft linearize --part lin writes"},
	{"convert one of them, or use the function of package weft, which promotes", "convert one of them with convert_element_type"},
	{"convert them, or use Where of package weft, which promotes", "convert them with convert_element_type"},
	{"use Scan, or ForI with a Go int, or forward mode (JVP)", "write a scan, or use weft jvp"},
	{"wrap the call in a custom.JVP or custom.VJP", "replace the call by equations"},
	{"stop the gradient of its operands, or wrap the call in a custom.JVP or custom.VJP", "replace the call by equations"},
	{"draw from them with package random", "take their bits with random_bits, or their words with random_unwrap"},
	{"leave them out, as weft.TreeMap does", "leave them out"},
	{"give a Vmap around this call the name", "the command binds no axis names"},
	{"use Grad or VJP, or give it a custom.JVP rule", "use weft grad or weft vjp"},
	{"use one of weft.Bool … weft.Complex128", "use a type that weft promote --table lists"},
	{"give it a forward rule (custom.JVP), or take Grad or VJP of it", "use weft grad or weft vjp"},
	{"take it out of the mapped function, or use MapScan instead of Vmap", "write a scan over the batch"},
	{"use StopGradient on its operands, or give the function around it a custom.JVP rule", "replace it by operations that have one"},
	{"take the maximum of strided slices instead, or use JVP", "take the maximum of strided slices, or use weft jvp"},
}

// inCommandsWords returns a message of the library with advice for the command's users.
func inCommandsWords(message string) string {
	// The longest advice that the message contains is replaced: one may end with another.
	best := -1
	for i, a := range advice {
		if strings.Contains(message, a.library) && (best < 0 || len(a.library) > len(advice[best].library)) {
			best = i
		}
	}
	if best < 0 {
		return message
	}
	return strings.Replace(message, advice[best].library, advice[best].command, 1)
}
