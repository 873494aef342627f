package wasm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/codehash"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
)

// The kernels of the programs that JAX's own tests stage have code, but for those that have none on arm64: every
// target leaves the same equations to the reference.
func TestPrograms(t *testing.T) {
	if !goldenfile.Whole() {
		t.Skip("no programs of JAX's tests")
	}
	kernels := 0
	var refused []string
	codehash.Programs(t, func(id string, k *ir.Kernel) {
		kernels++
		c, err := native.Compile(k, native.Options{ISA: SIMD128{Relaxed: true}})
		if err != nil {
			refused = append(refused, strings.ReplaceAll(id+" "+k.Name, " ", "/"))
			t.Logf("%s: %v", id, err)
		} else if kernels%4 == 0 {
			if err := validate(c.Bytes); err != nil {
				t.Errorf("%s %s: %v", id, c.Name, err)
			}
		}
	})
	record, err := os.ReadFile("../arm64/testdata/code.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(record)) {
		// The executor, the set, how many kernels, how many without code, a hash, and the names of the latter.
		w := strings.Fields(line)
		if w[0] != "neon" || w[1] != "programs" {
			continue
		}
		if fmt.Sprint(kernels) != w[2] || !slices.Equal(refused, w[5:]) {
			t.Errorf("got %d kernels and those without code %v; arm64 has %s and %v", kernels, refused, w[2], w[5:])
		}
		return
	}
	t.Errorf("no record of neon's programs in\n%s", record)
}

// Every kernel of a sample of each primitive in each type has code, as do micro-kernels, and what that
// consists of has the types that engines ask for. Some of it Node compiles, if there is one.
func TestCode(t *testing.T) {
	n, every := 0, 97
	dir := t.TempDir()
	check := func(c *native.Code, err error) {
		if err != nil {
			t.Error(err)
			return
		}
		if err := validate(c.Bytes); err != nil {
			t.Errorf("%v %s: %v", c.ISA, c.Name, err)
		}
		if n++; n%every == 0 && c.ISA == (SIMD128{}) {
			if err := os.WriteFile(filepath.Join(dir, c.Name+".wasm"), c.Bytes, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	isas := [...]SIMD128{{Relaxed: true}, {}}
	for _, s := range primtest.EveryType() {
		var kernels []*ir.Kernel
		_ = core.Catch(func() { // an error names what the translation refuses
			kernels = fuse.Translate(lower.Program(s.Jaxpr()), fuse.Native()).Kernels()
		})
		for _, k := range kernels {
			for _, isa := range isas {
				check(native.Compile(k, native.Options{ISA: isa}))
			}
		}
	}
	for _, isa := range isas {
		for _, e := range []schedule.Element{schedule.F32, schedule.F64, schedule.I32, schedule.I64, schedule.I16Pair} {
			for vecs := 1; vecs <= 3; vecs++ {
				for rows := 1; rows <= isa.Model().Processor.TileRows(e, vecs); rows++ {
					for _, down := range []bool{false, true} {
						check(native.CompileMicro(native.Tile{Elem: e, Rows: rows, Vecs: vecs, Chunk: 128, Down: down, Beside: rows > 1 && !down}, isa))
					}
				}
			}
		}
		check(native.CompileMicro(native.Transpose{Size: 4}, isa))
		check(native.CompileMicro(native.Sweep{Elem: schedule.F32}, isa))
		check(native.CompileMicro(native.LongDot{Elem: schedule.F64, Chunk: 128}, isa))
		check(native.CompileMicro(native.RowDots{Elem: schedule.F32, Vecs: 2, Twice: true, Chunk: 128}, isa))
	}
	if n < 5000 {
		t.Errorf("only %d modules were checked", n)
	}
	compileAll(t, dir)
}

// compileAll lets Node compile the modules of a folder.
func compileAll(t *testing.T, dir string) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Log("there is no node")
		return
	}
	const script = `
const fs = require("fs"), dir = process.argv[1];
let n = 0;
for (const f of fs.readdirSync(dir)) {
	try { new WebAssembly.Module(fs.readFileSync(dir + "/" + f)); n++; } catch (e) { console.log(f + ": " + e); }
}
console.log(n + " modules");
`
	out, err := exec.Command(node, "-e", script, dir).CombinedOutput()
	if err != nil || strings.Count(string(out), "\n") != 1 {
		t.Errorf("%v: %s", err, out)
	}
	t.Logf("%s", out)
}

// The validator finds what it is for.
func TestValidate(t *testing.T) {
	k, err := irtext.Parse("kernel twice(in x f32[100], out y f32[100]) {\nvector a0<100 {\n%0 = load f32 x[a0<100]\n%1 = add f32 %0, %0\nstore y[a0<100], %1\n}\n}")
	if err != nil {
		t.Fatal(err)
	}
	c, err := native.Compile(k, native.Options{ISA: SIMD128{Relaxed: true}})
	if err != nil {
		t.Fatal(err)
	}
	if err := validate(c.Bytes); err != nil {
		t.Fatal(err)
	}
	add := []byte{vectorPrefix, 0xe4, 0x01}
	at := strings.Index(string(c.Bytes), string(add))
	if at < 0 {
		t.Fatal("there is no addition")
	}
	for _, wrong := range [][3]byte{
		{vectorPrefix, 0x0f, 0x01}, // lanes of a splat, then nop
		{vectorPrefix, 0xe0, 0x01}, // one operand
		{opEnd, opEnd, opEnd},
		{opBr, 0x40, opEnd},
	} {
		b := append([]byte(nil), c.Bytes...)
		copy(b[at:], wrong[:])
		if validate(b) == nil {
			t.Errorf("% x: got no error", wrong)
		}
	}
	if validate(c.Bytes[:len(c.Bytes)-1]) == nil {
		t.Error("got no error for a module without its end")
	}
}

// What the runtime reads of modules is what was written, and what it asks engines with has their types.
func TestModules(t *testing.T) {
	for _, relaxed := range []bool{false, true} {
		if err := validate(Probe(relaxed)); err != nil {
			t.Errorf("the probe with relaxed %v: %v", relaxed, err)
		}
	}
	table := []byte("entries of a table")
	module, _ := moduleOf([]function{{code: []byte{0, opEnd}}}, table)
	if got, err := Constants(module); err != nil || string(got) != string(table) {
		t.Errorf("got constants %q and error %v, want %q", got, err, table)
	}
	if got, err := Constants(Probe(true)); err != nil || got != nil {
		t.Errorf("got constants %q and error %v of a module without", got, err)
	}
	for _, n := range []int{0, len(header) + 1, len(header) + 3} {
		if _, err := Constants(module[:n]); err == nil {
			t.Errorf("got no error of %d bytes of a module", n)
		}
	}
}

// A jump out of a loop to the end of a block that would begin within it begins the block in front of the
// loop; jumps back begin loops.
func TestNest(t *testing.T) {
	const again, end, inner = 0, 1, 2
	jump := func(l native.Label) native.Inst { return native.Inst{Kind: native.KindJump, Label: l} }
	label := func(l native.Label) native.Inst { return native.Inst{Kind: native.KindLabel, Label: l} }
	list := []native.Inst{label(again), jump(inner), jump(end), label(inner), jump(again), label(end)}
	n := nestOf(list, 3)
	want := map[int][]construct{0: {{end, false}, {again, true}}, 1: {{inner, false}}}
	for i := range list {
		if got := n.opens[i]; !slices.Equal(got, want[i]) {
			t.Errorf("in front of instruction %d: got %v, want %v", i, got, want[i])
		}
		ends := noLabel
		if i == 4 {
			ends = again
		}
		if n.loopEnds[i] != ends {
			t.Errorf("behind instruction %d: got the end of loop %d, want %d", i, n.loopEnds[i], ends)
		}
	}
}
