package tokenizer

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

type preTokenizer func([]piece) ([]piece, error)

// each makes a preTokenizer from a function that splits one piece. It leaves out empty parts.
func each(f func(p piece) ([]piece, error)) preTokenizer {
	return func(in []piece) ([]piece, error) {
		var out []piece
		for _, p := range in {
			parts, err := f(p)
			if err != nil {
				return nil, err
			}
			for _, q := range parts {
				if q.text != "" {
					out = append(out, q)
				}
			}
		}
		return out, nil
	}
}

// What becomes of the parts at which a piece is cut.
const (
	removed = iota
	isolated
	mergedWithPrevious
	mergedWithNext
	contiguous
)

var behaviors = map[string]int{"Removed": removed, "Isolated": isolated, "MergedWithPrevious": mergedWithPrevious, "MergedWithNext": mergedWithNext, "Contiguous": contiguous}

// cut divides a piece at spans. behavior says how these are kept; if invert is set, how the parts between them are kept.
func cut(p piece, spans [][2]int, behavior int, invert bool) []piece {
	type part struct {
		lo, hi int
		match  bool
	}
	var parts []part
	at := 0
	for _, s := range spans {
		if at < s[0] {
			parts = append(parts, part{at, s[0], false})
		}
		parts = append(parts, part{s[0], s[1], true})
		at = s[1]
	}
	if at < len(p.text) {
		parts = append(parts, part{at, len(p.text), false})
	}
	if invert {
		for i := range parts {
			parts[i].match = !parts[i].match
		}
	}
	var out []part
	switch behavior {
	case removed:
		for _, q := range parts {
			if !q.match {
				out = append(out, q)
			}
		}
	case isolated:
		out = parts
	case contiguous:
		for _, q := range parts {
			if n := len(out); n > 0 && out[n-1].match == q.match {
				out[n-1].hi = q.hi
				continue
			}
			out = append(out, q)
		}
	case mergedWithPrevious:
		before := false
		for _, q := range parts {
			if n := len(out); q.match && !before && n > 0 {
				out[n-1].hi = q.hi
			} else {
				out = append(out, q)
			}
			before = q.match
		}
	case mergedWithNext:
		after := false
		for i := len(parts) - 1; i >= 0; i-- {
			q := parts[i]
			if n := len(out); q.match && !after && n > 0 {
				out[n-1].lo = q.lo
			} else {
				out = append(out, q)
			}
			after = q.match
		}
		for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
			out[i], out[j] = out[j], out[i]
		}
	}
	pieces := make([]piece, len(out))
	for i, q := range out {
		pieces[i] = piece{-1, p.text[q.lo:q.hi], p.first && q.lo == 0}
	}
	return pieces
}

func charSpans(text string, is func(rune) bool) (spans [][2]int) {
	for i, r := range text {
		if is(r) {
			spans = append(spans, [2]int{i, i + utf8.RuneLen(r)})
		}
	}
	return spans
}

func byChars(is func(rune) bool, behavior int) preTokenizer {
	return each(func(p piece) ([]piece, error) { return cut(p, charSpans(p.text, is), behavior, false), nil })
}

func byRegex(x *regex, behavior int, invert bool) preTokenizer {
	return each(func(p piece) ([]piece, error) {
		spans, err := x.find(p.text)
		if err != nil {
			return nil, err
		}
		return cut(p, spans, behavior, invert), nil
	})
}

// isPunctuation reports whether a character is punctuation, or a symbol of ASCII.
func isPunctuation(r rune) bool { return inSet("U", r) }

// words is the pattern of byte-level tokenizers, which GPT-2 introduced.
var words = must(compile(`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`))

// simpleWords is the pattern of the pre-tokenizer Whitespace, whose words contain joiners, unlike those of other patterns.
var simpleWords = must(compile(`[\w\x{200c}\x{200d}]+|[^\w\s\x{200c}\x{200d}]+`))

func must(x *regex, err error) *regex {
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return x
}

// byteLevel writes each byte of a piece as a visible character. If prefix is set, each piece begins with a blank; if cutWords
// is set, pieces are cut into words first.
func byteLevel(prefix, cutWords bool) preTokenizer {
	return each(func(p piece) ([]piece, error) {
		if prefix && !strings.HasPrefix(p.text, " ") {
			p.text = " " + p.text
		}
		parts := []piece{p}
		if cutWords {
			spans, err := words.find(p.text)
			if err != nil {
				return nil, err
			}
			parts = cut(p, spans, isolated, false)
		}
		for i := range parts {
			parts[i].text = visible(parts[i].text)
		}
		return parts, nil
	})
}

// byteRunes are the characters that stand for bytes: visible ones stand for themselves, the
// others are represented by characters from U+0100 on.
var byteRunes = func() (table [256]rune) {
	n := rune(256)
	for b := range rune(256) {
		if b >= '!' && b <= '~' || b >= 0xa1 && b <= 0xac || b >= 0xae {
			table[b] = b
			continue
		}
		table[b] = n
		n++
	}
	return table
}()

var runeBytes = func() map[rune]byte {
	m := map[rune]byte{}
	for b, r := range byteRunes {
		m[r] = byte(b)
	}
	return m
}()

func visible(s string) string {
	var b strings.Builder
	b.Grow(2 * len(s))
	for i := range len(s) {
		b.WriteRune(byteRunes[s[i]])
	}
	return b.String()
}

// metaspace writes blanks as a mark, which scheme may add in front of a piece. If split is set, it cuts before each mark.
func metaspace(mark rune, scheme string, split bool) preTokenizer {
	m := string(mark)
	return each(func(p piece) ([]piece, error) {
		p.text = strings.ReplaceAll(p.text, " ", m)
		if (scheme == "always" || scheme == "first" && p.first) && !strings.HasPrefix(p.text, m) {
			p.text = m + p.text
		}
		if !split {
			return []piece{p}, nil
		}
		return cut(p, charSpans(p.text, func(r rune) bool { return r == mark }), mergedWithNext, false), nil
	})
}

func readPreTokenizer(data json.RawMessage, steps *int) (preTokenizer, error) {
	kind, err := kindOf(data)
	if err != nil {
		return nil, err
	}
	var f struct {
		PreTokenizers []json.RawMessage `json:"pretokenizers"`
		Pattern       patternForm       `json:"pattern"`
		Behavior      string            `json:"behavior"`
		Invert        bool              `json:"invert"`
		AddPrefix     *bool             `json:"add_prefix_space"`
		UseRegex      *bool             `json:"use_regex"`
		Replacement   string            `json:"replacement"`
		Scheme        string            `json:"prepend_scheme"`
		Split         *bool             `json:"split"`
		Individual    bool              `json:"individual_digits"`
		Delimiter     string            `json:"delimiter"`
	}
	if err := read(data, &f, steps); err != nil {
		return nil, err
	}
	behavior, known := behaviors[f.Behavior]
	switch kind {
	case "Sequence":
		list, err := readAll(f.PreTokenizers, steps, readPreTokenizer)
		return func(in []piece) (_ []piece, err error) {
			for _, p := range list {
				if in, err = p(in); err != nil {
					return nil, err
				}
			}
			return in, nil
		}, err
	case "ByteLevel":
		return byteLevel(f.AddPrefix == nil || *f.AddPrefix, f.UseRegex == nil || *f.UseRegex), nil
	case "Whitespace":
		return byRegex(simpleWords, removed, true), nil
	case "WhitespaceSplit":
		return byChars(unicode.IsSpace, removed), nil
	case "BertPreTokenizer":
		blanks, marks := byChars(unicode.IsSpace, removed), byChars(isPunctuation, isolated)
		return func(in []piece) ([]piece, error) {
			in, err := blanks(in)
			if err != nil {
				return nil, err
			}
			return marks(in)
		}, nil
	case "Punctuation":
		if f.Behavior == "" {
			behavior, known = isolated, true
		}
		if !known {
			return nil, fmt.Errorf("the behavior %q is not supported; use a tokenizer of another kind", f.Behavior)
		}
		return byChars(isPunctuation, behavior), nil
	case "Digits":
		if f.Individual {
			return byChars(unicode.IsNumber, isolated), nil
		}
		return byChars(unicode.IsNumber, contiguous), nil
	case "CharDelimiterSplit":
		r, n := utf8.DecodeRuneInString(f.Delimiter)
		if n == 0 || n < len(f.Delimiter) {
			return nil, fmt.Errorf("the delimiter %q is no character; correct the file", f.Delimiter)
		}
		return byChars(func(c rune) bool { return c == r }, removed), nil
	case "Split":
		x, err := f.Pattern.compile()
		if err != nil {
			return nil, err
		}
		if !known {
			return nil, fmt.Errorf("the behavior %q is not supported; use a tokenizer of another kind", f.Behavior)
		}
		return byRegex(x, behavior, f.Invert), nil
	case "Metaspace":
		mark, scheme, err := metaspaceOf(f.Replacement, f.Scheme, f.AddPrefix)
		if err != nil {
			return nil, err
		}
		return metaspace(mark, scheme, f.Split == nil || *f.Split), nil
	}
	return nil, fmt.Errorf("the type %q is not supported; use a tokenizer of another kind", kind)
}

// metaspaceOf returns the mark and the scheme, which states to which pieces the mark is added in front: "always", "first" (only
// to that at the beginning of the text) or "never". Older files have add_prefix_space instead of a scheme.
func metaspaceOf(replacement, scheme string, prefix *bool) (rune, string, error) {
	mark, n := utf8.DecodeRuneInString(replacement)
	if n == 0 || n < len(replacement) {
		return 0, "", fmt.Errorf("the replacement %q is no character; correct the file", replacement)
	}
	switch scheme {
	case "":
		scheme = "always"
		if prefix != nil && !*prefix {
			scheme = "never"
		}
	case "always", "first", "never":
	default:
		return 0, "", fmt.Errorf("the prepend_scheme %q is not supported; use a tokenizer of another kind", scheme)
	}
	return mark, scheme, nil
}
