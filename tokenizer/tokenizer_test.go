package tokenizer_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/tokenizer"
)

var all = flag.String("all", "testdata/cases.jsonl.gz", "texts that testdata/compare.py has written")

// line is a tokenizer, or a text with the tokens that its tokenizer finds in it.
type line struct {
	Tokenizer    string
	JSON         string
	Text         string
	Pair         *string
	IDs          []int
	Tokens       []string
	Types, Mask  []int
	Decoded, All string
}

// Texts have the same tokens as in the library tokenizers, and decode to the same texts.
func TestAgainstTokenizers(t *testing.T) {
	f, err := os.Open(*all)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]*tokenizer.Tokenizer{}
	texts, wrong := 0, map[string]int{}
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		var c line
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if c.JSON != "" {
			k, err := tokenizer.Load(strings.NewReader(c.JSON))
			if err != nil {
				t.Fatalf("%s: %v", c.Tokenizer, err)
			}
			known[c.Tokenizer] = k
			continue
		}
		texts++
		k := known[c.Tokenizer]
		var e tokenizer.Encoding
		if c.Pair != nil {
			e, err = k.EncodePair(c.Text, *c.Pair)
		} else {
			e, err = k.Encode(c.Text)
		}
		switch {
		case err != nil, !slices.Equal(e.IDs, c.IDs), !slices.Equal(e.Tokens, c.Tokens), !slices.Equal(e.Types, c.Types), !slices.Equal(e.Mask, c.Mask):
			if wrong[c.Tokenizer]++; wrong[c.Tokenizer] < 6 {
				t.Errorf("%s, %q: got %q %v %v %v, want %q %v %v", c.Tokenizer, c.Text, e.Tokens, e.Types, e.Mask, err, c.Tokens, c.Types, c.Mask)
			}
		case k.Decode(c.IDs) != c.Decoded || k.DecodeAll(c.IDs) != c.All:
			if wrong[c.Tokenizer]++; wrong[c.Tokenizer] < 6 {
				t.Errorf("%s, %q: decoded as %q and %q, want %q and %q", c.Tokenizer, c.Tokens, k.Decode(c.IDs), k.DecodeAll(c.IDs), c.Decoded, c.All)
			}
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d texts; wrong: %v", texts, wrong)
	if texts < 500 {
		t.Error("few texts were compared")
	}
}
