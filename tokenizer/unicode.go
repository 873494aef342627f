package tokenizer

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// The forms of Unicode (UAX #15), and classes of characters. unicode.txt.gz contains the tables of the library
// tokenizers, which are older than Go's. testdata/unicode.py wrote it.

//go:embed unicode.txt.gz
var formsFile []byte

type formTables struct {
	canonical, compatible map[rune][]rune // full decompositions
	class                 map[rune]uint8  // nonzero combining classes
	pairs                 map[[2]rune]rune
	sets                  map[string]*unicode.RangeTable // by the letter of their rows
}

func inSet(set string, r rune) bool { return unicode.Is(forms().sets[set], r) }

var forms = sync.OnceValue(func() *formTables {
	t := &formTables{map[rune][]rune{}, map[rune][]rune{}, map[rune]uint8{}, map[[2]rune]rune{}, map[string]*unicode.RangeTable{}}
	z, err := gzip.NewReader(bytes.NewReader(formsFile))
	if err != nil {
		panic("BUG: " + err.Error())
	}
	text, err := io.ReadAll(z)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		var v []rune
		for _, w := range words[1:] {
			var r rune
			fmt.Sscanf(w, "%x", &r)
			v = append(v, r)
		}
		switch words[0] {
		case "C": // canonical decomposition
			t.canonical[v[0]] = v[1:]
		case "K": // compatibility decomposition
			t.compatible[v[0]] = v[1:]
		case "P": // two characters that compose
			t.pairs[[2]rune{v[1], v[2]}] = v[0]
		case "O":
			t.class[v[0]] = uint8(v[1])
		default: // a range of a set, in order
			set := t.sets[words[0]]
			if set == nil {
				set = &unicode.RangeTable{}
				t.sets[words[0]] = set
			}
			set.R32 = append(set.R32, unicode.Range32{Lo: uint32(v[0]), Hi: uint32(v[1]), Stride: 1})
		}
	}
	return t
})

// Hangul syllables are computed, and not in the file.
const (
	hangulS, hangulL, hangulV, hangulT = 0xac00, 0x1100, 0x1161, 0x11a7
	numL, numV, numT                   = 19, 21, 28
	hangulN                            = numV * numT
	syllables                          = numL * hangulN
)

// decomposed returns the form D of a text, or KD.
func decomposed(s string, compatible bool) string {
	if isASCII(s) {
		return s
	}
	return string(decompose(s, compatible))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func decompose(s string, compatible bool) []rune {
	t := forms()
	out := make([]rune, 0, len(s))
	for _, r := range s {
		switch d, ok := t.compatible[r]; {
		case compatible && ok:
			out = append(out, d...)
			continue
		}
		if d, ok := t.canonical[r]; ok {
			out = append(out, d...)
		} else if k := r - hangulS; k >= 0 && k < syllables {
			out = append(out, hangulL+k/hangulN, hangulV+k%hangulN/numT)
			if k%numT > 0 {
				out = append(out, hangulT+k%numT)
			}
		} else {
			out = append(out, r)
		}
	}
	// Consecutive combining characters are sorted by their classes.
	for i := 0; i < len(out); {
		j := i
		for j < len(out) && t.class[out[j]] != 0 {
			j++
		}
		if j-i > 1 {
			slices.SortStableFunc(out[i:j], func(a, b rune) int { return int(t.class[a]) - int(t.class[b]) })
		}
		i = j + 1
	}
	return out
}

// composed returns the form C of a text, or KC.
func composed(s string, compatible bool) string {
	if isASCII(s) {
		return s
	}
	t := forms()
	out := decompose(s, compatible)
	w, starter := 0, -1
	last := -1 // class of the last character after the starter, −1 if there is none
	for _, r := range out {
		class := int(t.class[r])
		if starter >= 0 && last < class { // no character between the two blocks the composition
			if c, ok := t.compose(out[starter], r); ok {
				out[starter] = c
				continue
			}
		}
		if class == 0 {
			starter, last = w, -1
		} else {
			last = class
		}
		out[w] = r
		w++
	}
	return string(out[:w])
}

func (t *formTables) compose(a, b rune) (rune, bool) {
	if l, v := a-hangulL, b-hangulV; l >= 0 && l < numL && v >= 0 && v < numV {
		return hangulS + l*hangulN + v*numT, true
	}
	if k, x := a-hangulS, b-hangulT; k >= 0 && k < syllables && k%numT == 0 && x > 0 && x < numT {
		return a + x, true
	}
	c, ok := t.pairs[[2]rune{a, b}]
	return c, ok
}
