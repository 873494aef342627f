package tokenizer

import (
	"fmt"
	"unicode/utf8"
)

// wordPiece takes the longest token with which a piece begins, then the longest with which the
// rest begins, and so on. If there is none, the whole piece is unknown.
type wordPiece struct {
	vocabulary
	unknown string
	prefix  string // in front of tokens within a word
	most    int    // characters of a word; longer words are unknown
}

func (m *wordPiece) tokens(text string) ([]token, error) {
	unknown := func() ([]token, error) {
		id, ok := m.ids[m.unknown]
		if !ok {
			return nil, fmt.Errorf("the unknown token %q is not in the vocabulary; correct the tokenizer's file", m.unknown)
		}
		return []token{{id, m.unknown}}, nil
	}
	if utf8.RuneCountInString(text) > m.most {
		return unknown()
	}
	var out []token
	for start := 0; start < len(text); {
		end := len(text)
		for ; end > start; _, end = shorter(text, end) {
			s := text[start:end]
			if start > 0 {
				s = m.prefix + s
			}
			if id, ok := m.ids[s]; ok {
				out = append(out, token{id, s})
				break
			}
		}
		if end == start {
			return unknown()
		}
		start = end
	}
	return out, nil
}

// shorter returns the last character before the position end, and where it begins.
func shorter(text string, end int) (rune, int) {
	r, n := utf8.DecodeLastRuneInString(text[:end])
	return r, end - n
}

// wordLevel has a token for each piece.
type wordLevel struct {
	vocabulary
	unknown string
}

func (m *wordLevel) tokens(text string) ([]token, error) {
	if id, ok := m.ids[text]; ok {
		return []token{{id, text}}, nil
	}
	id, ok := m.ids[m.unknown]
	if !ok {
		return nil, fmt.Errorf("%q is not in the vocabulary, and neither is the unknown token %q; correct the tokenizer's file", text, m.unknown)
	}
	return []token{{id, m.unknown}}, nil
}
