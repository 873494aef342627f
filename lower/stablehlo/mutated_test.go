package stablehlo_test

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/weft-go/weft/lower/stablehlo"
)

var mutations = flag.Int("mutations", 3000, "mutated files that TestMutatedFiles reads")

// translate parses a text and translates every entry; internal errors are failures.
func translate(t testing.TB, text string) {
	ms, err := stablehlo.ParseAll("mutated", text)
	for _, m := range ms {
		f := m.Main()
		avals, e := m.Avals(f)
		if e == nil {
			_, e = m.Program(f, avals, options)
		}
		if e != nil {
			err = e
		}
	}
	if err != nil && strings.Contains(err.Error(), "internal error") {
		t.Errorf("%v\n%s", err, text)
	}
}

var fragments = []string{"-1", "0", "99999999999999999999", "4294967296", "tensor<", ">", "{", "}", "(", ")", "[", "]", "%0", "%arg0", "#0", "x", "?", "\"", ",", "stablehlo.", "dense<", "i1", "bf16", "complex<f32>", "1000000x", "0x"}

// mutate changes a text at a few places.
func mutate(r *rand.Rand, text string) string {
	for range 1 + r.IntN(3) {
		i, j := r.IntN(len(text)), r.IntN(len(text))
		switch n := min(1+r.IntN(20), len(text)-i); r.IntN(5) {
		case 0:
			text = text[:i] + string(rune(r.IntN(128))) + text[i+1:]
		case 1:
			text = text[:i] + text[i+n:]
		case 2:
			text = text[:i] + fragments[r.IntN(len(fragments))] + text[i:]
		case 3:
			text = text[:j] + text[i:i+n] + text[j:]
		case 4: // another digit
			if k := strings.IndexAny(text[i:], "0123456789"); k >= 0 {
				text = text[:i+k] + string(rune('0'+r.IntN(10))) + text[i+k+1:]
			}
		}
		if len(text) == 0 {
			return " "
		}
	}
	return text
}

// Mutated files crash nothing and end soon.
func TestMutatedFiles(t *testing.T) {
	files, names := conformanceFiles(t)
	var small []string
	for _, n := range names {
		if len(files[n]) < 4000 {
			small = append(small, files[n])
		}
	}
	for _, h := range hazards {
		small = append(small, "func.func @main() {\n  %z = stablehlo.constant dense<0> : tensor<i32>\n"+h+"\n  return\n}\n")
	}
	r := rand.New(rand.NewPCG(17, 8))
	for range *mutations {
		text := mutate(r, small[r.IntN(len(small))])
		start := time.Now()
		translate(t, text)
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("takes %v:\n%s", d, text)
		}
		if t.Failed() {
			return
		}
	}
}

func FuzzText(f *testing.F) {
	for _, h := range hazards {
		f.Add("func.func @main() {\n  %z = stablehlo.constant dense<0> : tensor<i32>\n" + h + "\n  return\n}\n")
	}
	f.Fuzz(func(t *testing.T, text string) { translate(t, text) })
}
