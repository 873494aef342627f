// Package codehash records the machine code of targets by its hash, so that changes to it show.
package codehash

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
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
)

// codeHash is the hash of the machine code of a set of kernels for one instruction set.
type codeHash struct {
	t       *testing.T
	look    func(*native.Code)
	isa     native.ISA
	name    string
	sum     hash.Hash
	n       int
	refused []string  // kernels without code
	log     io.Writer // one line for each kernel, to find the one that changed
}

// add adds code, or the error of a kernel that has none.
func (h *codeHash) add(name string, c *native.Code, err error) {
	h.n++
	if err != nil {
		h.refused = append(h.refused, strings.ReplaceAll(name, " ", "/"))
		h.t.Logf("%s: %v", name, err)
		c = &native.Code{Bytes: []byte(err.Error())}
	}
	if err == nil && h.look != nil {
		h.look(c)
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

// Check compares the machine code for instruction sets with the record in the package's
// testdata/code.txt, byte for byte: the kernels of a sample of every primitive in every type,
// those of the programs that JAX's own tests stage, and micro-kernels. The test's flag update
// rewrites the record. If WEFT_CODE_LOG names a file, it receives a line for each kernel, to
// compare before and after. look receives all code, if it is not nil.
func Check(t *testing.T, look func(*native.Code), isas ...native.ISA) {
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
	set := func(name string, isa native.ISA) *codeHash {
		h := &codeHash{t: t, look: look, isa: isa, name: name, sum: sha256.New(), log: log}
		hashes = append(hashes, h)
		return h
	}
	forAll := func(name string) (list []*codeHash) {
		for _, isa := range isas {
			list = append(list, set(name, isa))
		}
		return list
	}
	samples := forAll("samples")
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
		set("tiles-of-i16", isa).tiles(schedule.I16Pair)
		if isa.Model().Pairs {
			set("tiles-of-i16-dots", isa).tiles(schedule.I16Dot)
			set("tiles-of-bytes", isa).tiles(schedule.ByteDot)
			set("tiles-of-matrices", isa).tiles(schedule.ByteMatrix)
		}
	}
	if goldenfile.Whole() {
		suite := forAll("programs")
		Programs(t, func(id string, k *ir.Kernel) {
			for _, h := range suite {
				c, err := native.Compile(k, native.Options{ISA: h.isa})
				h.add(id+" "+k.Name, c, err)
			}
		})
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
		key, got := h.isa.String()+" "+h.name, fmt.Sprintf("%d %d %s", h.n, len(h.refused), hex.EncodeToString(h.sum.Sum(nil)[:16]))
		got = strings.Join(append([]string{got}, h.refused...), " ")
		if want := recorded[key]; got != want && !update {
			t.Errorf("%s: kernels, kernels without code, hash, and the names of those without code are %s, want %s", key, got, want)
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

// Programs calls f with the kernels of the programs that JAX's own tests stage.
func Programs(t *testing.T, f func(id string, k *ir.Kernel)) {
	for r := range goldenfile.Records[struct{ ID, Text string }](t, goldenfile.Open(t, "jax/suite/programs.jsonl.gz", "")) {
		j, err := jaxpr.Parse(golden.NameBlanks(r.Text), prim.Vocabulary)
		if err != nil || jaxpr.Check(j) != nil || j.Effects() != 0 {
			continue
		}
		j = &jaxpr.Jaxpr{Ins: slices.Concat(j.Consts, j.Ins), Eqns: j.Eqns, Outs: j.Outs}
		var kernels []*ir.Kernel
		_ = core.Catch(func() { kernels = fuse.Translate(lower.Program(j), fuse.Native()).Kernels() }) // an error names what the translation refuses
		for _, k := range kernels {
			f(r.ID, k)
		}
	}
}

func (h *codeHash) addMicro(k native.MicroKernel) {
	c, err := native.CompileMicro(k, h.isa)
	h.add(fmt.Sprintf("%T%v", k, k), c, err)
}

// tiles adds tiles of all shapes.
func (h *codeHash) tiles(e schedule.Element) {
	for vecs := 1; vecs <= 16; vecs++ {
		t := native.Tile{Elem: e, Vecs: vecs, Chunk: 128}
		for t.Rows = 1; t.Rows <= h.isa.Model().Processor.TileRows(e, vecs); t.Rows++ {
			h.addMicro(t)
			if e == schedule.ByteMatrix {
				continue
			}
			down, pieces := t, t
			down.Down, pieces.Pieces, pieces.Whole, pieces.Chunk = true, true, true, 256
			pieces.Beside = t.Rows > 1
			h.addMicro(down)
			h.addMicro(pieces)
			if t.Rows == 1 && e.Fused() {
				t.Ahead = 8
				h.addMicro(t)
				t.Ahead = 0
			}
		}
	}
}

// micro adds micro-kernels: tiles of all shapes, and each form of the others.
func (h *codeHash) micro() {
	elems := []schedule.Element{schedule.F32, schedule.F64, schedule.I32, schedule.I64}
	if h.isa.Model().Pairs {
		elems = append(elems, schedule.BF16Pair)
	}
	for _, e := range elems {
		h.tiles(e)
		if e > schedule.F64 {
			continue
		}
		for vecs := 1; vecs <= 4; vecs++ {
			h.addMicro(native.RowDots{Elem: e, Vecs: vecs, Chunk: 128})
			if vecs <= 2 {
				h.addMicro(native.RowDots{Elem: e, Vecs: vecs, Twice: true, Chunk: 128})
			}
		}
		h.addMicro(native.LongDot{Elem: e, Chunk: 128})
		h.addMicro(native.Sweep{Elem: e})
	}
	for _, size := range []int{4, 8} {
		h.addMicro(native.Transpose{Size: size})
		h.addMicro(native.RowCopy{Size: size})
		h.addMicro(native.Largest{Size: size})
	}
}
