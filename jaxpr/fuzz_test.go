package jaxpr_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
)

var mutations = flag.Int("mutations", 3000, "mutated golden texts that TestMutations reads")

// readable demands that a text either is an error or a program that checks, prints,
// and reads back as what it is.
func readable(t testing.TB, text string, voc jaxpr.Vocabulary) bool {
	j, err := jaxpr.Parse(text, voc)
	if err != nil {
		return false
	}
	if err := jaxpr.Check(j); err != nil {
		t.Errorf("reads and does not check: %v\n%s", err, text)
		return false
	}
	s := j.String()
	k, err := jaxpr.Parse(s, voc)
	if err != nil {
		t.Errorf("prints what does not read: %v\n%s\nprinted:\n%s", err, text, s)
		return false
	}
	if again := k.String(); again != s {
		t.Errorf("printed twice it differs\n%s\n%s", text, cmp.Diff(strings.Split(s, "\n"), strings.Split(again, "\n")))
	}
	return true
}

func FuzzParse(f *testing.F) {
	for _, g := range readGoldens(f, subset) {
		f.Add(g.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 20_000 {
			return
		}
		readable(t, text, nil)
		readable(t, text, prim.Vocabulary)
	})
}

// Texts that are nearly programs crash and hang nothing.
func TestMutations(t *testing.T) {
	all := goldens(t)
	rng := rand.New(rand.NewPCG(1, 2))
	read := 0
	slowest := time.Duration(0)
	for i := range *mutations {
		text := mutate(rng, all)
		err := testcheck.Recover(func() {
			start := time.Now()
			if readable(t, text, nil) {
				read++
			}
			readable(t, text, prim.Vocabulary)
			slowest = max(slowest, time.Since(start))
		})
		if err != nil {
			t.Errorf("text %d: %v\n%s", i, err, text)
		}
	}
	t.Logf("%d texts, %d of them programs; the slowest took %v", *mutations, read, slowest)
}

var pieces = strings.Fields(`{ } [ ] ( ) lambda let in ; . , = : _ a b c in:f32[] f32[] i32[] f32[3] key<fry>[] Tok Ref{f32[]}
	jaxpr jaxpr= branches=() name=f <- += 1.0:f32[] nan:f32[] (1+2j):c64[] True None ' " 99999999999999999999 -1 0 ~ \ é`)

// mutate changes a golden text in one to four places.
func mutate(rng *rand.Rand, all []golden) string {
	pick := func() string {
		for {
			if g := all[rng.IntN(len(all))]; len(g.Text) < 5000 {
				return g.Text
			}
		}
	}
	s := pick()
	for range 1 + rng.IntN(4) {
		i := rng.IntN(len(s) + 1)
		n := min(len(s)-i, 1+rng.IntN(12))
		switch rng.IntN(8) {
		case 0:
			s = s[:i] + s[i+n:]
		case 1:
			s = s[:i] + s[i:i+n] + s[i:]
		case 2, 3:
			s = s[:i] + pieces[rng.IntN(len(pieces))] + s[i:]
		case 4:
			s = s[:i] + pieces[rng.IntN(len(pieces))] + s[i+n:]
		case 5:
			t := pick()
			k := rng.IntN(len(t))
			s = s[:i] + t[k:min(len(t), k+1+rng.IntN(80))] + s[i:]
		case 6:
			if n > 0 {
				s = s[:i] + fmt.Sprintf("%c", rng.IntN(256)) + s[i+1:]
			}
		case 7:
			// Replace a word by another one of the same text.
			words := strings.Fields(s)
			if len(words) > 1 {
				s = strings.Replace(s, words[rng.IntN(len(words))], words[rng.IntN(len(words))], 1)
			}
		}
		if s == "" {
			s = "{"
		}
	}
	return s
}
