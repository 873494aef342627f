package tokenizer

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A normalizer rewrites the text of a piece. It fails if a pattern takes too many steps.
type normalizer func(piece) (piece, error)

// always returns a normalizer that does not fail. The beginning of the whole text remains its beginning.
func always(f func(string) string) normalizer {
	return func(p piece) (piece, error) {
		p.text = f(p.text)
		return p, nil
	}
}

// dropping returns a normalizer for an f that rewrites or drops characters, whatever stands beside them. If f drops
// the first character, the rest is not the beginning of the whole text.
func dropping(f func(string) string) normalizer {
	return func(p piece) (piece, error) {
		_, n := utf8.DecodeRuneInString(p.text)
		return piece{p.id, f(p.text), p.first && f(p.text[:n]) != ""}, nil
	}
}

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

func without(is func(rune) bool) func(string) string {
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

func bert(clean, chinese, accents, lowercase bool) func(string) string {
	return func(s string) string {
		if clean {
			s = strings.Map(func(r rune) rune {
				switch {
				case r == '\t', r == '\n', r == '\r':
					return ' '
				case inSet("X", r): // control and format characters, private use, U+FFFD
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

// isIdeograph reports whether a character is an ideograph around which BERT puts blanks.
func isIdeograph(r rune) bool {
	for _, b := range [][2]rune{{0x4e00, 0x9fff}, {0x3400, 0x4dbf}, {0x20000, 0x2a6df}, {0x2a700, 0x2b73f}, {0x2b740, 0x2b81f}, {0x2b920, 0x2ceaf}, {0xf900, 0xfaff}, {0x2f800, 0x2fa1f}} {
		if b[0] <= r && r <= b[1] {
			return true
		}
	}
	return false
}

// nmt is the normalizer of neural machine translation: it drops some control characters, and replaces some blanks,
// invisible characters and U+FFFD by spaces, as the library does.
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

func readNormalizer(data json.RawMessage, steps *int) (normalizer, error) {
	kind, err := kindOf(data)
	if err != nil {
		return nil, err
	}
	var f struct {
		Normalizers     []json.RawMessage `json:"normalizers"`
		Pattern         patternForm       `json:"pattern"`
		Content         string            `json:"content"`
		Prepend         string            `json:"prepend"`
		StripLeft       bool              `json:"strip_left"`
		StripRight      bool              `json:"strip_right"`
		CleanText       bool              `json:"clean_text"`
		HandleChinese   bool              `json:"handle_chinese_chars"`
		StripAccents    *bool             `json:"strip_accents"`
		Lowercase       bool              `json:"lowercase"`
		PrecompiledMaps []byte            `json:"precompiled_charsmap"`
	}
	if err := read(data, &f, steps); err != nil {
		return nil, err
	}
	switch kind {
	case "Sequence":
		list, err := readAll(f.Normalizers, steps, readNormalizer)
		return func(p piece) (_ piece, err error) {
			for _, n := range list {
				if p, err = n(p); err != nil {
					return p, err
				}
			}
			return p, nil
		}, err
	case "NFC":
		return always(func(s string) string { return composed(s, false) }), nil
	case "NFD":
		return always(func(s string) string { return decomposed(s, false) }), nil
	case "NFKC":
		return always(func(s string) string { return composed(s, true) }), nil
	case "NFKD":
		return always(func(s string) string { return decomposed(s, true) }), nil
	case "Lowercase":
		return always(lower), nil
	case "StripAccents":
		return dropping(without(isMark)), nil
	case "Strip":
		return func(p piece) (piece, error) {
			if f.StripLeft {
				s := strings.TrimLeftFunc(p.text, unicode.IsSpace)
				p.text, p.first = s, p.first && s == p.text
			}
			if f.StripRight {
				p.text = strings.TrimRightFunc(p.text, unicode.IsSpace)
			}
			return p, nil
		}, nil
	case "BertNormalizer":
		accents := f.Lowercase
		if f.StripAccents != nil {
			accents = *f.StripAccents
		}
		return dropping(bert(f.CleanText, f.HandleChinese, accents, f.Lowercase)), nil
	case "Replace":
		x, err := f.Pattern.compile()
		if err != nil {
			return nil, err
		}
		return func(p piece) (piece, error) { return x.replace(p, f.Content) }, nil
	case "Prepend":
		return always(func(s string) string {
			if s == "" {
				return s
			}
			return f.Prepend + s
		}), nil
	case "ByteLevel":
		return always(visible), nil
	case "Nmt":
		return dropping(nmt), nil
	case "Precompiled":
		m, err := newCharsMap(f.PrecompiledMaps)
		if err != nil {
			return nil, err
		}
		return always(m.normalize), nil
	}
	return nil, fmt.Errorf("the type %q is not supported; use a tokenizer of another kind", kind)
}
