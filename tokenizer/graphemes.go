package tokenizer

import "unicode/utf8"

// cluster returns the length in bytes of the grapheme cluster with which a text begins (UAX #29).
// Regional indicators need no rule: a flag is longer than the clusters that [charsMap] looks up.
func cluster(s string) int {
	if s[0] < utf8.RuneSelf && s[0] != '\r' && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return 1
	}
	before, n := utf8.DecodeRuneInString(s)
	picture := inSet("I", before)                  // the cluster ends with a pictograph (I), perhaps with extensions (T) behind it
	consonant, linked := inSet("S", before), false // the cluster ends with a consonant (S), perhaps with signs (V) behind it; one of them is a linker (L)
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		switch {
		case before == '\r' && r == '\n':
		case inSet("N", before) || inSet("N", r):
			return n
		case inSet("J", r), inSet("B", before), hangul(before, r):
		case picture && before == '\u200d' && inSet("I", r):
		case consonant && linked && inSet("S", r):
		default:
			return n
		}
		picture = picture && inSet("T", r) || inSet("I", r)
		linked = consonant && (linked || inSet("L", r))
		consonant = consonant && inSet("V", r) || inSet("S", r)
		linked = linked && consonant && !inSet("S", r)
		before = r
		n += size
	}
	return n
}

// hangul reports whether two characters are part of one syllable.
func hangul(a, b rune) bool {
	in := func(r, lo, hi rune) bool { return lo <= r && r <= hi }
	vowel := in(b, 0x1160, 0x11a7) || in(b, 0xd7b0, 0xd7c6)
	final := in(b, 0x11a8, 0x11ff) || in(b, 0xd7cb, 0xd7fb)
	syllable := in(a, hangulS, hangulS+syllables-1)
	switch {
	case in(a, 0x1100, 0x115f) || in(a, 0xa960, 0xa97c):
		return in(b, 0x1100, 0x115f) || in(b, 0xa960, 0xa97c) || vowel || in(b, hangulS, hangulS+syllables-1)
	case in(a, 0x1160, 0x11a7) || in(a, 0xd7b0, 0xd7c6) || syllable && (a-hangulS)%numT == 0:
		return vowel || final
	case in(a, 0x11a8, 0x11ff) || in(a, 0xd7cb, 0xd7fb) || syllable:
		return final
	}
	return false
}
