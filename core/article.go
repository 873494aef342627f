package core

import (
	"fmt"
)

// WithArticle returns the name of a type with its indefinite article, for messages: "an int", "a
// string", "an f32[3]". For nil it returns "nil".
func WithArticle(what any) string {
	s := fmt.Sprint(what)
	if s == "<nil>" {
		return "nil"
	}
	if vowel(s) {
		return "an " + s
	}
	return "a " + s
}

// vowel reports whether a name begins with the sound of a vowel. f32 is pronounced letter by
// letter.
func vowel(s string) bool {
	if len(s) > 0 && s[0] == '~' {
		s = s[1:]
	}
	if s == "" {
		return false
	}
	switch s[0] {
	case 'a', 'e', 'i', 'o', 'A', 'E', 'I', 'O':
		return true
	case 'f':
		return len(s) > 1 && s[1] >= '0' && s[1] <= '9'
	}
	return false
}
