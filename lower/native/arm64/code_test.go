package arm64

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/arch/arm64/arm64asm"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/native"
)

// codeHash is the hash of the machine code of a set of kernels.
type codeHash struct {
	name         string
	sum          hash.Hash
	n            int
	instructions int
	refused      map[string]int // kernels without code, by reason
}

func newHash(name string) *codeHash {
	return &codeHash{name: name, sum: sha256.New(), refused: map[string]int{}}
}

// program adds the kernels of a program, each of which look receives.
func (h *codeHash) program(j *jaxpr.Jaxpr, look func(*native.Code)) {
	for _, k := range fuse.Translate(j, fuse.Native()).Kernels() {
		h.n++
		c, err := native.Compile(k, native.Options{ISA: NEON{}})
		if err != nil {
			_, reason, _ := strings.Cut(err.Error(), "machine code ")
			h.refused[reason]++
			continue
		}
		h.instructions += c.Instructions
		fmt.Fprintln(h.sum, c.Size, c.Scratch, c.Args)
		h.sum.Write(c.Bytes)
		look(c)
	}
}

// String returns the line of the record, and one for each reason why kernels have no code.
func (h *codeHash) String() string {
	s := fmt.Sprintf("%s: %d kernels, %d instructions, %x\n", h.name, h.n, h.instructions, h.sum.Sum(nil)[:16])
	for _, reason := range slices.Sorted(maps.Keys(h.refused)) {
		s += fmt.Sprintf("%s: %d without code %s\n", h.name, h.refused[reason], reason)
	}
	return s
}

// notOurs are the registers of the system, of Go and of the caller.
var notOurs = regexp.MustCompile(`(?i)\b([xw](18|28|29|30)|w?sp)\b`)

// Machine code is the same as before, byte for byte, unless testdata/code.txt changes with it: the kernels of a sample of every
// primitive in every type, and those of the programs that JAX's own tests stage. Another decoder knows each of their
// instructions, and none names a register that is not the code's.
func TestCode(t *testing.T) {
	seen := map[[4]byte]bool{}
	look := func(c *native.Code) {
		for at := 0; at < c.Size; at += 4 {
			word := [4]byte(c.Bytes[at:])
			if seen[word] {
				continue
			}
			seen[word] = true
			in, err := arm64asm.Decode(word[:])
			if err != nil {
				t.Errorf("%s: %x: %v", c.Name, word, err)
			}
			for _, a := range in.Args {
				if a != nil && notOurs.MatchString(a.String()) && in.Op != arm64asm.RET {
					t.Errorf("%s: %v uses a register that is not the code's", c.Name, in)
				}
			}
		}
	}
	samples := newHash("samples")
	for _, s := range primtest.EveryType() {
		if err := core.Catch(func() { samples.program(lower.Program(s.Jaxpr()), look) }); err != nil && !errors.Is(err, core.ErrAxis) {
			t.Errorf("%s of %v: %v", s.Prim.Name(), s.In, err)
		}
	}
	got := samples.String()
	if goldenfile.Whole() {
		programs := newHash("programs")
		for r := range goldenfile.Records[struct{ ID, Text string }](t, goldenfile.Open(t, "jax/suite/programs.jsonl.gz", "")) {
			j, err := jaxpr.Parse(golden.NameBlanks(r.Text), prim.Vocabulary)
			if err != nil || jaxpr.Check(j) != nil || j.Effects() != 0 {
				continue
			}
			j = &jaxpr.Jaxpr{Ins: slices.Concat(j.Consts, j.Ins), Eqns: j.Eqns, Outs: j.Outs}
			_ = core.Catch(func() { programs.program(lower.Program(j), look) }) // an error names what the translation refuses
		}
		got += programs.String()
	}
	file := filepath.FromSlash("testdata/code.txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(want), got) { // without the programs where they are not at hand
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
