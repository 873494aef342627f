package amd64_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/amd64"
)

// codeHash is the hash of the machine code of a set of kernels for one instruction set.
type codeHash struct {
	isa      amd64.ISA
	name     string
	sum      hash.Hash
	n        int
	refusals int
	log      io.Writer // one line for each kernel, to find the one that changed
}

// add adds code, or the error of a kernel that has none.
func (h *codeHash) add(name string, c *native.Code, err error) {
	h.n++
	if err != nil {
		h.refusals++
		c = &native.Code{Bytes: []byte(err.Error())}
	}
	s := sha256.Sum256(c.Bytes)
	h.sum.Write(s[:])
	for _, x := range []int{c.Size, c.Scratch, c.Args} {
		_ = binary.Write(h.sum, binary.LittleEndian, int64(x))
	}
	if h.log != nil {
		fmt.Fprintf(h.log, "%v %s %s %x\n", h.isa, h.name, name, s[:8])
	}
}

// program adds the kernels of a program.
func (h *codeHash) program(id string, j *jaxpr.Jaxpr) {
	for _, k := range fuse.Translate(j, fuse.Native()).Kernels() {
		c, err := native.Compile(k, native.Options{ISA: h.isa})
		h.add(id+" "+k.Name, c, err)
	}
}

// Machine code is the same as before, byte for byte, unless testdata/code.txt changes with it: the
// kernels of a sample of every primitive in every type, those of the programs that JAX's own tests
// stage, and micro-kernels. With WEFT_CODE_LOG a file receives a line for each kernel, to compare
// before and after.
func TestCode(t *testing.T) {
	var log io.Writer
	if name := os.Getenv("WEFT_CODE_LOG"); name != "" {
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		log = f
	}
	var hashes []*codeHash
	set := func(name string, isa amd64.ISA) *codeHash {
		h := &codeHash{isa: isa, name: name, sum: sha256.New(), log: log}
		hashes = append(hashes, h)
		return h
	}
	isas := []amd64.ISA{amd64.AVX512, amd64.AVX2}
	samples := []*codeHash{set("samples", isas[0]), set("samples", isas[1])}
	for i, s := range primtest.EveryType() {
		for _, h := range samples {
			err := core.Catch(func() { h.program(fmt.Sprintf("%d %s%v", i, s.Prim.Name(), s.In), lower.Program(s.Jaxpr())) })
			if err != nil && !errors.Is(err, core.ErrAxis) {
				t.Errorf("%s of %v: %v", s.Prim.Name(), s.In, err)
			}
		}
	}
	for _, isa := range isas {
		set("micro-kernels", isa).micro()
	}
	if goldenfile.Whole() {
		suite := []*codeHash{set("programs", isas[0]), set("programs", isas[1])}
		for r := range goldenfile.Records[struct{ ID, Text string }](t, goldenfile.Open(t, "jax/suite/programs.jsonl.gz", "")) {
			j, err := jaxpr.Parse(golden.NameBlanks(r.Text), prim.Vocabulary)
			if err != nil || jaxpr.Check(j) != nil || j.Effects() != 0 {
				continue
			}
			j = &jaxpr.Jaxpr{Ins: slices.Concat(j.Consts, j.Ins), Eqns: j.Eqns, Outs: j.Outs}
			for _, h := range suite {
				_ = core.Catch(func() { h.program(r.ID, lower.Program(j)) }) // an error names what the translation refuses
			}
		}
	}
	update := flag.Lookup("update").Value.String() == "true"
	file := filepath.FromSlash("testdata/code.txt")
	recorded := map[string]string{}
	if b, err := os.ReadFile(file); err == nil {
		for line := range strings.Lines(string(b)) {
			w := strings.Fields(line)
			recorded[w[0]+" "+w[1]] = strings.Join(w[2:], " ")
		}
	}
	for _, h := range hashes {
		key, got := h.isa.String()+" "+h.name, fmt.Sprintf("%d %d %s", h.n, h.refusals, hex.EncodeToString(h.sum.Sum(nil)[:16]))
		if want := recorded[key]; got != want && !update {
			t.Errorf("%s: kernels, kernels without code and hash are %s, want %s", key, got, want)
		}
		recorded[key] = got
	}
	if update {
		var lines []string
		for key, value := range recorded {
			lines = append(lines, key+" "+value+"\n")
		}
		slices.Sort(lines)
		if err := os.WriteFile(file, []byte(strings.Join(lines, "")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// micro adds every micro-kernel: tiles of all shapes, and each form of the others.
func (h *codeHash) micro() {
	elems := []amd64.TileElem{amd64.TileF32, amd64.TileF64, amd64.TileI32, amd64.TileI64}
	if h.isa == amd64.AVX512 {
		elems = append(elems, amd64.TileBF16)
	}
	tile := func(t amd64.Tile) {
		c, err := amd64.CompileTile(t)
		h.add(fmt.Sprintf("%v %d", t, t.Chunk), c, err)
	}
	for _, e := range elems {
		for vecs := 1; vecs <= 16; vecs++ {
			t := amd64.Tile{ISA: h.isa, Elem: e, Vecs: vecs, Chunk: 128}
			for t.Rows = 1; t.Rows <= t.MaxRows(vecs); t.Rows++ {
				tile(t)
				down, pieces := t, t
				down.Down, pieces.Pieces, pieces.Chunk = true, true, 256
				tile(down)
				tile(pieces)
				if t.Rows == 1 && e.Float() {
					t.Ahead = 8
					tile(t)
					t.Ahead = 0
				}
			}
		}
		if e > amd64.TileF64 {
			continue
		}
		for vecs := 1; vecs <= 4; vecs++ {
			for _, twice := range []bool{false, true} {
				if twice && vecs > 2 {
					continue
				}
				d := amd64.RowDots{ISA: h.isa, Elem: e, Vecs: vecs, Twice: twice, Chunk: 128}
				c, err := amd64.CompileRowDots(d)
				h.add(d.String(), c, err)
			}
		}
		d, s := amd64.LongDot{ISA: h.isa, Elem: e, Chunk: 128}, amd64.Sweep{ISA: h.isa, Elem: e}
		c, err := amd64.CompileLongDot(d)
		h.add(d.String(), c, err)
		c, err = amd64.CompileSweep(s)
		h.add(s.String(), c, err)
	}
	for _, size := range []int{4, 8} {
		t, r, l := amd64.Turn{ISA: h.isa, Size: size}, amd64.RowCopy{ISA: h.isa, Size: size}, amd64.Largest{ISA: h.isa, Size: size}
		c, err := amd64.CompileTurn(t)
		h.add(t.String(), c, err)
		c, err = amd64.CompileRowCopy(r)
		h.add(r.String(), c, err)
		c, err = amd64.CompileLargest(l)
		h.add(l.String(), c, err)
	}
}
