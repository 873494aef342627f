package tokenizer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// addedToken is a token that is found in texts, or in normalized texts, before they are cut into pieces.
type addedToken struct {
	ID         int    `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
	Special    bool   `json:"special"`

	text string // Content in the form in which texts contain it: normalized if Normalized is set
}

// A piece is a part of a text: an added token, or, with id −1, text that is not tokenized yet.
type piece struct {
	id    int
	text  string
	first bool // it begins with the first character of the whole text
}

// A finder finds added tokens in texts: at each position, the longest that begins there.
type finder struct {
	byFirst map[byte][]addedToken // the longest first
}

func (f *finder) add(t addedToken) {
	// There is nothing to find if the token is empty, or the normalizer drops all of it. The library cuts at each byte then,
	// and panics within characters.
	if t.text == "" {
		return
	}
	if f.byFirst == nil {
		f.byFirst = map[byte][]addedToken{}
	}
	list := append(f.byFirst[t.text[0]], t)
	slices.SortStableFunc(list, func(a, b addedToken) int { return len(b.text) - len(a.text) })
	f.byFirst[t.text[0]] = list
}

// find cuts a text at added tokens.
func (f *finder) find(text string, first bool) []piece {
	if text == "" {
		return nil
	}
	var out []piece
	begin := 0
	rest := func(end int) {
		if begin < end {
			out = append(out, piece{-1, text[begin:end], first && begin == 0})
		}
	}
	for at := 0; at < len(text); {
		m := f.at(text[at:])
		if m == nil {
			at++
			continue
		}
		start, stop := at, at+len(m.text)
		at = stop
		if m.SingleWord && (endsInWord(text[:start]) || beginsWithWord(text[stop:])) {
			continue
		}
		if m.LStrip {
			start = max(len(strings.TrimRightFunc(text[:start], unicode.IsSpace)), begin)
		}
		if m.RStrip {
			stop = len(text) - len(strings.TrimLeftFunc(text[stop:], unicode.IsSpace))
		}
		if start >= stop { // it lies in the blanks that the token before has taken
			continue
		}
		rest(start)
		out = append(out, piece{m.ID, text[start:stop], false})
		begin = stop
	}
	rest(len(text))
	return out
}

func (f *finder) at(text string) *addedToken {
	list := f.byFirst[text[0]]
	for i := range list {
		if strings.HasPrefix(text, list[i].text) {
			return &list[i]
		}
	}
	return nil
}

func endsInWord(s string) bool {
	r, n := utf8.DecodeLastRuneInString(s)
	return n > 0 && isWord(r)
}

func beginsWithWord(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return n > 0 && isWord(r)
}

func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Other_Alphabetic, unicode.M, unicode.Nd, unicode.Pc) || r == '\u200c' || r == '\u200d'
}
