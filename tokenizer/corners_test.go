package tokenizer_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/tokenizer"
)

// Rare forms of files, with what version 0.23.3 of the library tokenizers computes.
func TestCorners(t *testing.T) {
	split := func(regex, behavior string) string {
		b, _ := json.Marshal(regex)
		return `"pre_tokenizer":{"type":"Split","pattern":{"Regex":` + string(b) + `},"behavior":"` + behavior + `","invert":false}`
	}
	added := func(content, lstrip, rstrip, normalized, special string) string {
		b, _ := json.Marshal(content)
		return `{"id":50,"content":` + string(b) + `,"single_word":false,"lstrip":` + lstrip + `,"rstrip":` + rstrip + `,"normalized":` + normalized + `,"special":` + special + `}`
	}
	bert := `"added_tokens":[` + added("[C]", "false", "false", "false", "true") + `],"post_processor":{"type":"BertProcessing","sep":["[C]",50],"cls":["[C]",50]},`
	truncated := func(strategy string) string {
		return bert + `"truncation":{"direction":"Right","max_length":3,"strategy":"` + strategy + `","stride":0}`
	}
	first := func(normalizer string) string {
		return `"normalizer":` + normalizer + `,"pre_tokenizer":{"type":"Metaspace","replacement":"_","prepend_scheme":"first","split":false}`
	}
	for _, c := range []struct {
		name, steps string
		texts       []string
		tokens      string
		decoded     string
	}{
		// Empty matches cut, too, but not where a match ends.
		{"between", split("(?<=[a-z])(?=[A-Z])", "Isolated"), []string{"abCdE"}, "ab|Cd|E", "ab Cd E"},
		{"before", split("(?=b)", "Contiguous"), []string{"abb"}, "a|b|b", "a b b"},
		{"empty", split("x*", "MergedWithNext"), []string{"abxxab"}, "a|b|xxa|b", "a b xxa b"},
		{"end", split("a|", "MergedWithPrevious"), []string{"abxxab"}, "a|b|x|xa|b", "a b x xa b"},
		{"replaced", `"normalizer":{"type":"Replace","pattern":{"Regex":"x*"},"content":"Y"}`, []string{"axb"}, "YaYbY", "YaYbY"},
		// Symbols are punctuation in brackets, and joiners belong to no word.
		{"punctuation", split("[[:punct:]]", "Isolated"), []string{"a©b"}, "a|©|b", "a © b"},
		{"property", split(`\p{Punct}`, "Isolated"), []string{"a©b"}, "a©b", "a©b"},
		{"joiner", split(`\w+`, "Isolated"), []string{"a\u200db"}, "a|\u200d|b", "a \u200d b"},
		{"upper", split(`[[:upper:]]`, "Isolated"), []string{"aⒶb"}, "a|Ⓐ|b", "a Ⓐ b"},
		// Blanks around an added token contain the same token.
		{"swallowed", `"added_tokens":[` + added("\n", "true", "true", "false", "false") + `]`, []string{"a\n\n b"}, "a|\n\n |b", "a \n b"},
		// A special token that the normalizer changes is none when decoded.
		{"changed", `"normalizer":{"type":"Lowercase"},"added_tokens":[` + added("É", "false", "false", "true", "true") + `]`, []string{"aÉb"}, "a|é|b", "a é b"},
		{"unchanged", `"normalizer":{"type":"Lowercase"},"added_tokens":[` + added("é", "false", "false", "true", "true") + `]`, []string{"aÉb"}, "a|é|b", "a b"},
		// Metaspace marks no text whose first character the normalizer drops or joins with the next.
		{"kept", first(`{"type":"Replace","pattern":{"String":"x"},"content":"Y"}`), []string{"xb"}, "_Yb", "_Yb"},
		{"joined", first(`{"type":"Replace","pattern":{"String":"xx"},"content":"Y"}`), []string{"xxb"}, "Yb", "Yb"},
		{"dropped", first(`{"type":"Replace","pattern":{"Regex":"x*"},"content":""}`), []string{"xb"}, "b", "b"},
		{"inserted", first(`{"type":"Replace","pattern":{"Regex":"(?=b)"},"content":"Y"}`), []string{"b"}, "_Yb", "_Yb"},
		{"stripped", first(`{"type":"Strip","strip_left":true,"strip_right":true}`), []string{" b "}, "b", "b"},
		{"right", first(`{"type":"Strip","strip_left":false,"strip_right":true}`), []string{" b "}, "_b", "_b"},
		{"accent", first(`{"type":"StripAccents"}`), []string{"\u0301b"}, "b", "b"},
		{"base", first(`{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":true,"lowercase":true}`), []string{"Éb"}, "_eb", "_eb"},
		{"control", first(`{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":true,"lowercase":true}`), []string{"\x00b"}, "b", "b"},
		{"nmt", first(`{"type":"Nmt"}`), []string{"\x01b"}, "b", "b"},
		{"sequence", first(`{"type":"Sequence","normalizers":[{"type":"Nmt"},{"type":"Prepend","prepend":"Y"}]}`), []string{"\x01b"}, "Yb", "Yb"},
		// Without room both texts are cut.
		{"first", truncated("OnlyFirst"), []string{"a", "b"}, "[C]|[C]|[C]", ""},
		{"second", truncated("OnlySecond"), []string{"a", "b"}, "[C]|[C]|[C]", ""},
	} {
		vocab := map[string]int{"?": 0}
		for _, w := range strings.Fields("a b ab abb Cd E x xx xa xxa YaYbY © a©b \u200d Ⓐ _b Yb _Yb _eb") {
			vocab[w] = len(vocab)
		}
		b, _ := json.Marshal(vocab)
		tok, err := tokenizer.Load(strings.NewReader(`{` + c.steps + `,"model":{"type":"WordLevel","vocab":` + string(b) + `,"unk_token":"?"}}`))
		require.NoError(t, err, c.name)
		var e tokenizer.Encoding
		if len(c.texts) == 2 {
			e, err = tok.EncodePair(c.texts[0], c.texts[1])
		} else {
			e, err = tok.Encode(c.texts[0])
		}
		require.NoError(t, err, c.name)
		require.Equal(t, c.tokens, strings.Join(e.Tokens, "|"), c.name)
		require.Equal(t, c.decoded, tok.Decode(e.IDs), c.name)
	}

	// One token takes the blanks that contain others, with or without blanks of their own.
	tok, err := tokenizer.Load(strings.NewReader(`{"added_tokens":[` + added("\n", "false", "true", "false", "false") + `,` + strings.Replace(added("\t", "true", "false", "false", "false"), "50", "51", 1) +
		`],"model":{"type":"WordLevel","vocab":{"?":0,"a":1},"unk_token":"?"}}`))
	require.NoError(t, err)
	e, err := tok.Encode("a\n\t\ta")
	require.NoError(t, err)
	require.Equal(t, []int{1, 50, 1}, e.IDs)
}
