package wasm

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/codehash"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
)

var _ = flag.Bool("update", false, "write testdata anew")

// Code is the same as before, byte for byte, unless testdata/code.txt changes with it, and what it
// consists of has the types that engines ask for. Some of it Node compiles, if there is one.
func TestCode(t *testing.T) {
	n, every := 0, 97
	dir := t.TempDir()
	codehash.Check(t, func(c *native.Code) {
		if err := validate(c.Bytes); err != nil {
			t.Errorf("%v %s: %v", c.ISA, c.Name, err)
		}
		if n++; n%every == 0 && c.ISA == (SIMD128{}) {
			if err := os.WriteFile(filepath.Join(dir, c.Name+".wasm"), c.Bytes, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}, SIMD128{Relaxed: true}, SIMD128{})
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
	k, err := ir.Parse("kernel twice(in x f32[100], out y f32[100]) {\nvector a0<100 {\n%0 = load f32 x[a0<100]\n%1 = add f32 %0, %0\nstore y[a0<100], %1\n}\n}")
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
