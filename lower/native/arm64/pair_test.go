package arm64

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/native"
)

// Accesses to neighbouring vectors become pairs, except where a jump may lead between them, or where one instruction
// cannot do both.
func TestPairs(t *testing.T) {
	load := func(d, n Reg, at int64) Inst { return Inst{Op: vLdrQ, D: d, N: n, Imm: at} }
	store := func(d, n Reg, at int64) Inst { return Inst{Op: vStrQ, D: d, N: n, Imm: at} }
	for _, c := range []struct {
		name  string
		label bool // between the first two
		in    []Inst
		want  string
	}{
		{"loads", false, []Inst{load(1, 3, 32), load(2, 3, 48)}, "ldp q1, q2, [x3, #32]"},
		{"stores", false, []Inst{store(1, 3, -1024), store(1, 3, -1008)}, "stp q1, q1, [x3, #-1024]"},
		{"three", false, []Inst{load(1, 3, 0), load(2, 3, 16), load(4, 3, 32)}, "ldp q1, q2, [x3]; ldr q4, [x3, #32]"},
		{"two pairs", false, []Inst{load(1, 3, 0), load(2, 3, 16), load(4, 3, 32), load(5, 3, 48)}, "ldp q1, q2, [x3]; ldp q4, q5, [x3, #32]"},
		{"a label between", true, []Inst{load(1, 3, 0), load(2, 3, 16)}, "ldr q1, [x3]; ldr q2, [x3, #16]"},
		{"an operation between", false, []Inst{load(1, 3, 0), {Op: gNop}, load(2, 3, 16)}, "ldr q1, [x3]; nop; ldr q2, [x3, #16]"},
		{"one register", false, []Inst{load(1, 3, 0), load(1, 3, 16)}, "ldr q1, [x3]; ldr q1, [x3, #16]"},
		{"other bases", false, []Inst{load(1, 3, 0), load(2, 4, 16)}, "ldr q1, [x3]; ldr q2, [x4, #16]"},
		{"too far", false, []Inst{load(1, 3, 1024), load(2, 3, 1040)}, "ldr q1, [x3, #1024]; ldr q2, [x3, #1040]"},
		{"between vectors", false, []Inst{load(1, 3, 8), load(2, 3, 24)}, "ldr q1, [x3, #8]; ldr q2, [x3, #24]"},
		{"a gap", false, []Inst{load(1, 3, 0), load(2, 3, 32)}, "ldr q1, [x3]; ldr q2, [x3, #32]"},
		{"a load and a store", false, []Inst{load(1, 3, 0), store(2, 3, 16)}, "ldr q1, [x3]; str q2, [x3, #16]"},
	} {
		w := &writer{Emitter: &native.Emitter{Draft: &native.Draft{}, Listing: &strings.Builder{}}, enc: &encoder{}}
		w.Begin(1, false)
		for i := range c.in {
			if i == 1 && c.label {
				w.Bind(0)
			}
			w.put(&c.in[i])
		}
		var got []string
		for line := range strings.Lines(w.Listing.String()) {
			got = append(got, strings.TrimSpace(line[strings.Index(line, "\t"):]))
		}
		if text := strings.Join(got, "; "); text != c.want || w.Emitted != len(got) || len(w.enc.buf) != 4*len(got) {
			t.Errorf("%s: got %s, %d instructions of %d bytes, want %s", c.name, text, w.Emitted, len(w.enc.buf), c.want)
		}
	}
}
