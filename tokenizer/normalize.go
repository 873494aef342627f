package tokenizer

import (
	"strings"
	"unicode"
)

// A normalizer rewrites a text.
type normalizer func(string) string

// lower returns the lower case of each character.
func lower(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == 'İ' { // the one letter whose lower case is two characters
			b.WriteString("i\u0307")
			continue
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// without returns a normalizer that leaves characters out.
func without(is func(rune) bool) normalizer {
	return func(s string) string {
		return strings.Map(func(r rune) rune {
			if is(r) {
				return -1
			}
			return r
		}, s)
	}
}

// isMark reports whether StripAccents drops a character, isAccent whether BERT does.
func isMark(r rune) bool { return r >= 0x80 && inSet("A", r) }

func isAccent(r rune) bool { return r >= 0x80 && inSet("M", r) }

// bert is the normalizer of BERT.
func bert(clean, chinese, accents, lowercase bool) normalizer {
	return func(s string) string {
		if clean {
			s = strings.Map(func(r rune) rune {
				switch {
				case r == '\t', r == '\n', r == '\r':
					return ' '
				case inSet("X", r): // controls, formats, what is of private use, U+FFFD
					return -1
				case unicode.IsSpace(r):
					return ' '
				}
				return r
			}, s)
		}
		if chinese {
			var b strings.Builder
			for _, r := range s {
				if isIdeograph(r) {
					b.WriteString(" " + string(r) + " ")
				} else {
					b.WriteRune(r)
				}
			}
			s = b.String()
		}
		if accents {
			s = without(isAccent)(decomposed(s, false))
		}
		if lowercase {
			s = lower(s)
		}
		return s
	}
}

// isIdeograph reports whether a character is an ideograph of the blocks that BERT sets apart.
func isIdeograph(r rune) bool {
	for _, b := range [][2]rune{{0x4e00, 0x9fff}, {0x3400, 0x4dbf}, {0x20000, 0x2a6df}, {0x2a700, 0x2b73f}, {0x2b740, 0x2b81f}, {0x2b920, 0x2ceaf}, {0xf900, 0xfaff}, {0x2f800, 0x2fa1f}} {
		if b[0] <= r && r <= b[1] {
			return true
		}
	}
	return false
}

// nmt is the normalizer of neural machine translation: it drops controls, and blanks are one
// character.
func nmt(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 1 && r <= 8, r == 0xb, r >= 0xe && r <= 0x1f, r == 0x7f, r == 0x8f, r == 0x9f:
			return -1
		case r == 9, r == 0xa, r == 0xc, r == 0xd, r == 0x1680, r >= 0x200b && r <= 0x200f, r == 0x2028, r == 0x2029, r == 0x2581, r == 0xfeff, r == 0xfffd:
			return ' '
		}
		return r
	}, s)
}
