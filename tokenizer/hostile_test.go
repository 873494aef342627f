package tokenizer_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/weft-go/weft/tokenizer"
)

// Files that are damaged, or have steps that this package does not know, are refused by errors that name the cause.
func TestRefused(t *testing.T) {
	const wordLevel = `"model":{"type":"WordLevel","vocab":{"a":0},"unk_token":"a"}`
	for file, want := range map[string]string{
		``:                                      "no tokenizer.json",
		`[]`:                                    "no tokenizer.json",
		`{}`:                                    "model: ",
		`{"model":{"type":"Magic","vocab":{}}}`: `model: the type "Magic" is not supported`,
		`{"model":{"type":"BPE","vocab":{"a":-1},"merges":[]}}`:                                                                           `vocab: "a" has the number -1`,
		`{"model":{"type":"BPE","vocab":{"a":0},"merges":["a a"]}}`:                                                                       `merges[0]: "aa" is not in the vocabulary`,
		`{"model":{"type":"BPE","vocab":{"a":0},"merges":["a a a"]}}`:                                                                     "merges[0] is no pair",
		`{"model":{"type":"BPE","vocab":{"a":0},"merges":[],"dropout":0.1}}`:                                                              "dropout is not supported",
		`{"model":{"type":"Unigram","unk_id":3,"vocab":[["a",0]]}}`:                                                                       "unk_id 3 is none of 1 tokens",
		`{"model":{"type":"Unigram","unk_id":0,"vocab":[[1,"a"]]}}`:                                                                       "vocab[0] is no token",
		`{` + wordLevel + `,"normalizer":{"type":"Magic"}}`:                                                                               `normalizer: the type "Magic" is not supported`,
		`{` + wordLevel + `,"normalizer":{"type":"Precompiled","precompiled_charsmap":"AAAA"}}`:                                           "precompiled_charsmap",
		`{` + wordLevel + `,"normalizer":{"type":"Precompiled","precompiled_charsmap":"/////w=="}}`:                                       "precompiled_charsmap",
		`{` + wordLevel + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"("},"behavior":"Isolated"}}`:                              "lacks its )",
		`{` + wordLevel + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"(?P<x>a)"},"behavior":"Isolated"}}`:                       "this kind of group",
		`{` + wordLevel + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"\\p{Magic}"},"behavior":"Isolated"}}`:                     `no property "Magic"`,
		`{` + wordLevel + `,"pre_tokenizer":{"type":"Split","pattern":{"String":"a"},"behavior":"Magic"}}`:                                `the behavior "Magic"`,
		`{` + wordLevel + `,"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"x","type_id":0}}],"pair":[]}}`: "which special_tokens lacks",
		`{` + wordLevel + `,"normalizer":{"type":"Sequence","normalizers":[null]}}`:                                                       "normalizer: the type is missing",
		`{` + wordLevel + `,"post_processor":{"type":"TemplateProcessing","single":[{}],"pair":[]}}`:                                      "neither a Sequence nor a SpecialToken",
		`{` + wordLevel + `,"decoder":{"type":"Replace","pattern":{"Regex":"a+"},"content":""}}`:                                          "the pattern is no String",
		`{` + wordLevel + `,"decoder":{"type":"Replace","pattern":{"String":""},"content":""}}`:                                           "the pattern is empty",
		`{` + wordLevel + `,"truncation":{"max_length":3,"strategy":"Magic","direction":"Left"}}`:                                         `truncation: the strategy "Magic"`,
		`{` + wordLevel + `,"truncation":{"max_length":3,"strategy":"OnlyFirst","direction":"Up"}}`:                                       `truncation: the direction "Up"`,
		`{` + wordLevel + `,"padding":{"strategy":"Magic","direction":"Left"}}`:                                                           `the strategy "Magic" is not supported`,
		`{` + wordLevel + `,"padding":{"strategy":{"Fixed":-1},"direction":"Left"}}`:                                                      "padding: a length is -1",
		`{` + wordLevel + `,"padding":{"strategy":"BatchLongest","direction":"Left","pad_to_multiple_of":1000000000}}`:                    "padding: a length is 1000000000",
		`{` + wordLevel + `,"decoder":{"type":"Magic"}}`:                                                                                  `decoder: the type "Magic" is not supported`,
		`{` + wordLevel + `,"normalizer":` + strings.Repeat(`{"type":"Sequence","normalizers":[`, 100) + strings.Repeat(`]}`, 100) + `}`:  "more than 64 steps",
		`{` + wordLevel + `,"added_tokens":[{"id":-3,"content":"x"}]}`:                                                                    "added_tokens[0]: the number -3",
	} {
		if _, err := tokenizer.Load(strings.NewReader(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got the error %v, want one with %q", file, err, want)
		}
	}
	if _, err := tokenizer.Load(nil); err == nil {
		t.Error("no reader is no error")
	}
}

// A pattern that backtracks too long is an error of the call with the text.
func TestEndlessPattern(t *testing.T) {
	const wordLevel = `{"model":{"type":"WordLevel","vocab":{"a":0},"unk_token":"a"},`
	for _, part := range []string{
		`"pre_tokenizer":{"type":"Split","pattern":{"Regex":"(a|a|aa)*b"},"behavior":"Isolated"}}`,
		`"normalizer":{"type":"Replace","pattern":{"Regex":"(a|a|aa)*b"},"content":""}}`,
	} {
		k, err := tokenizer.Load(strings.NewReader(wordLevel + part))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := k.Encode(strings.Repeat("a", 5000)); err == nil || !strings.Contains(err.Error(), "too many steps") {
			t.Errorf("%s: got %v", part, err)
		}
	}
}

// Damaged files are errors, or tokenizers: none panics or hangs.
func TestMutated(t *testing.T) {
	f, err := os.Open("testdata/cases.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 5))
	loaded, refused := 0, 0
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		var c line
		if err := json.Unmarshal(s.Bytes(), &c); err != nil || c.JSON == "" {
			break
		}
		for range 40 {
			b := []byte(c.JSON)
			for range 1 + r.IntN(3) {
				switch i := r.IntN(min(len(b), 3000)); r.IntN(4) { // the vocabulary is usually last
				case 0:
					b[i] = byte(r.IntN(256))
				case 1:
					b = append(b[:i], b[i+r.IntN(min(20, len(b)-i)):]...)
				case 2:
					b = append(b[:i:i], append([]byte([]string{`""`, "null", "-1", "1e9", "[", "}", `"(?:"`, "true"}[r.IntN(8)]), b[i:]...)...)
				default:
					j := r.IntN(len(b))
					b[i], b[j] = b[j], b[i]
				}
			}
			k, err := tokenizer.Load(strings.NewReader(string(b)))
			if err != nil {
				refused++
				continue
			}
			loaded++
			if e, err := k.EncodePair("Hello, wörld ▁ [MASK] 123\n ab  c", strings.Repeat("x ", 50)); err == nil {
				k.Decode(e.IDs)
			}
		}
	}
	t.Logf("%d loaded, %d refused", loaded, refused)
	if loaded == 0 || refused == 0 {
		t.Error("all are loaded, or all refused")
	}
}
