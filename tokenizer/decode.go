package tokenizer

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A decoder turns tokens into parts of a text, which is their concatenation.
type decoder func(tokens []string) []string

// fromBytes is the inverse of byteLevel: it turns the characters that stand for bytes into those bytes.
func fromBytes(tokens []string) []string {
	var out []byte
	for _, t := range tokens {
		start := len(out)
		for _, r := range t {
			b, ok := runeBytes[r]
			if !ok { // an added token
				out = append(out[:start], t...)
				break
			}
			out = append(out, b)
		}
	}
	return []string{lossy(out)}
}

// lossy returns bytes as a text, with U+FFFD for each invalid part. As Unicode recommends, an invalid
// part is the longest beginning of a character, or else one byte.
func lossy(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var s strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			n = broken(b)
			s.WriteRune(utf8.RuneError)
		} else {
			s.Write(b[:n])
		}
		b = b[n:]
	}
	return s.String()
}

// broken returns the length of the invalid part with which b begins.
func broken(b []byte) int {
	want, lo, hi := 0, byte(0x80), byte(0xbf)
	switch c := b[0]; {
	case c >= 0xc2 && c <= 0xdf:
		want = 1
	case c >= 0xe0 && c <= 0xef:
		want = 2
		if c == 0xe0 {
			lo = 0xa0
		} else if c == 0xed {
			hi = 0x9f
		}
	case c >= 0xf0 && c <= 0xf4:
		want = 3
		if c == 0xf0 {
			lo = 0x90
		} else if c == 0xf4 {
			hi = 0x8f
		}
	}
	n := 1
	for n <= want && n < len(b) && b[n] >= lo && b[n] <= hi {
		lo, hi = 0x80, 0xbf
		n++
	}
	return n
}

// fromPieces removes prefix, which marks the tokens within words, and puts a blank before tokens without it. The first token
// remains as it is. If clean is set, each token is cleaned.
func fromPieces(prefix string, clean bool) decoder {
	return func(tokens []string) []string {
		out := make([]string, len(tokens))
		for i, t := range tokens {
			if i > 0 {
				if s, ok := strings.CutPrefix(t, prefix); ok {
					t = s
				} else {
					t = " " + t
				}
			}
			if clean {
				t = cleaned(t)
			}
			out[i] = t
		}
		return out
	}
}

// cleaned removes the blanks that joined tokens have in front of punctuation and contractions, and contracts
// "do not".
func cleaned(s string) string {
	for _, r := range [][2]string{{" .", "."}, {" ?", "?"}, {" !", "!"}, {" ,", ","}, {" ' ", "'"}, {" n't", "n't"}, {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}} {
		s = strings.ReplaceAll(s, r[0], r[1])
	}
	return s
}

// fromMeta writes the mark as a blank, but drops it from the first token unless scheme is "never".
func fromMeta(mark rune, scheme string) decoder {
	return func(tokens []string) []string {
		out := make([]string, len(tokens))
		for i, t := range tokens {
			by := " "
			if i == 0 && scheme != "never" {
				by = ""
			}
			out[i] = strings.ReplaceAll(t, string(mark), by)
		}
		return out
	}
}

// fromSuffix replaces the suffix, which marks the end of a word, by a blank, and drops it from the last token.
func fromSuffix(suffix string) decoder {
	return func(tokens []string) []string {
		out := make([]string, len(tokens))
		for i, t := range tokens {
			by := " "
			if i == len(tokens)-1 {
				by = ""
			}
			out[i] = strings.ReplaceAll(t, suffix, by)
		}
		return out
	}
}

// fromByteTokens reads tokens such as <0x0A> as bytes. If neighbouring ones are not UTF-8, each becomes U+FFFD.
func fromByteTokens(tokens []string) []string {
	var out []string
	var bytes []byte
	flush := func() {
		switch {
		case len(bytes) == 0:
		case utf8.Valid(bytes):
			out = append(out, string(bytes))
		default:
			for range bytes {
				out = append(out, "\uFFFD")
			}
		}
		bytes = nil
	}
	for _, t := range tokens {
		if len(t) == 6 && strings.HasPrefix(t, "<0x") && t[5] == '>' {
			if v, err := strconv.ParseUint(t[3:5], 16, 8); err == nil {
				bytes = append(bytes, byte(v))
				continue
			}
		}
		flush()
		out = append(out, t)
	}
	flush()
	return out
}

func replaced(old, by string) decoder {
	return func(tokens []string) []string {
		out := make([]string, len(tokens))
		for i, t := range tokens {
			out[i] = strings.ReplaceAll(t, old, by)
		}
		return out
	}
}

// stripped removes content from the beginning of each token, at most start times, and from its
// end, at most stop times.
func stripped(content string, start, stop int) decoder {
	return func(tokens []string) []string {
		out := make([]string, len(tokens))
		for i, t := range tokens {
			for k := 0; k < start && strings.HasPrefix(t, content); k++ {
				t = t[len(content):]
			}
			for k := 0; k < stop && strings.HasSuffix(t, content); k++ {
				t = t[:len(t)-len(content)]
			}
			out[i] = t
		}
		return out
	}
}

// ctc leaves out tokens that repeat the one before, and padding. If clean is set, it also applies cleaned and writes word as
// a blank.
func ctc(pad, word string, clean bool) decoder {
	return func(tokens []string) []string {
		var out []string
		for i, t := range tokens {
			if i > 0 && t == tokens[i-1] {
				continue
			}
			t = strings.ReplaceAll(t, pad, "")
			if clean {
				t = strings.ReplaceAll(cleaned(t), word, " ")
			}
			if t != "" {
				out = append(out, t)
			}
		}
		return out
	}
}

func readDecoder(data json.RawMessage, steps *int) (decoder, error) {
	kind, err := kindOf(data)
	if err != nil {
		return nil, err
	}
	var f struct {
		Decoders    []json.RawMessage `json:"decoders"`
		Pattern     patternForm       `json:"pattern"`
		Content     string            `json:"content"`
		Start       int               `json:"start"`
		Stop        int               `json:"stop"`
		Prefix      *string           `json:"prefix"`
		Cleanup     *bool             `json:"cleanup"`
		Suffix      *string           `json:"suffix"`
		Replacement string            `json:"replacement"`
		Scheme      string            `json:"prepend_scheme"`
		AddPrefix   *bool             `json:"add_prefix_space"`
		Pad         string            `json:"pad_token"`
		Word        string            `json:"word_delimiter_token"`
	}
	if err := read(data, &f, steps); err != nil {
		return nil, err
	}
	clean := f.Cleanup == nil || *f.Cleanup
	switch kind {
	case "Sequence":
		list, err := readAll(f.Decoders, steps, readDecoder)
		return func(tokens []string) []string {
			for _, d := range list {
				tokens = d(tokens)
			}
			return tokens
		}, err
	case "ByteLevel":
		return fromBytes, nil
	case "WordPiece":
		prefix := "##"
		if f.Prefix != nil {
			prefix = *f.Prefix
		}
		return fromPieces(prefix, clean), nil
	case "Metaspace":
		mark, scheme, err := metaspaceOf(f.Replacement, f.Scheme, f.AddPrefix)
		if err != nil {
			return nil, err
		}
		return fromMeta(mark, scheme), nil
	case "BPEDecoder":
		suffix := "</w>"
		if f.Suffix != nil {
			suffix = *f.Suffix
		}
		return fromSuffix(suffix), nil
	case "ByteFallback":
		return fromByteTokens, nil
	case "Fuse":
		return func(tokens []string) []string { return []string{strings.Join(tokens, "")} }, nil
	case "Strip":
		if f.Content == "" {
			return nil, fmt.Errorf("the content is empty; correct the file")
		}
		return stripped(f.Content, f.Start, f.Stop), nil
	case "Replace":
		if f.Pattern.String == nil { // a search for a regex may fail, Decode does not
			return nil, fmt.Errorf("the pattern is no String (want one, as a Regex is not supported where tokens are decoded); write it as a String")
		}
		if *f.Pattern.String == "" {
			return nil, fmt.Errorf("the pattern is empty; correct the file")
		}
		return replaced(*f.Pattern.String, f.Content), nil
	case "CTC":
		return ctc(f.Pad, f.Word, clean), nil
	}
	return nil, fmt.Errorf("the type %q is not supported; use a tokenizer of another kind", kind)
}
