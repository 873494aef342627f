package arm64

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/arch/arm64/arm64asm"
)

var update = flag.Bool("update", false, "write testdata anew; instructions with GNU as")

// samples returns instructions with operands of every kind that op has, the same ones each time.
func samples(op Op) []Inst {
	info := &opTable[op]
	if info.name == "" {
		return nil
	}
	h := fnv.New64a()
	h.Write([]byte(info.name + info.arr[0]))
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	count := 4
	if info.form == formNone || info.form == formV {
		count = 1
	}
	var out []Inst
	for i := range count {
		in := Inst{Op: op, D: Reg(r.IntN(32)), N: Reg(r.IntN(32)), M: Reg(r.IntN(32))}
		if info.form == formLane || info.form == formAll || info.form >= formLoad {
			in.N, in.M = Reg(r.IntN(31)), Reg(r.IntN(31)) // 31 is the stack pointer in some places
		}
		if info.form >= formLoadG || info.form == formGE || info.form == formGV {
			in.D = Reg(r.IntN(31))
		}
		width := int64(8) << info.size
		within := func(n int64) int64 { return []int64{0, n - 1, r.Int64N(n), r.Int64N(n)}[i] }
		switch info.form {
		case formVVI:
			in.Imm = within(width)
		case formVVR:
			in.Imm = 1 + within(width)
		case formVVVI:
			in.Imm = within(16)
		case formVVE, formVE, formGE, formEG, formLane:
			in.Imm = within(16 >> info.size)
		case formLoad, formLoadG:
			if op == gPrfm {
				in.D = 0
			}
			size := int64(1) << info.size
			out = append(out, in)
			for _, n := range []int64{-256, 255, -1, size, 4095 * size, r.Int64N(4096) * size} {
				if !fitsOffset(op, n) {
					panic("BUG: offset of a sample")
				}
				in.Imm = n
				out = append(out, in)
			}
			in.Imm, in.Index = 0, true
			out = append(out, in)
			in.Shift = true
		case formPair:
			in.M, in.Imm = (in.D+1+Reg(i))%32, []int64{-1024, 1008, 0, 16}[i]
		case formLiteral, formAdr, formJumpIf, formJumpG:
			in.Imm = []int64{reach, -reach, 0, r.Int64N(reach) &^ 3}[i]
			if info.form == formJumpIf {
				in.Cond = []cond{condEq, condNe, condGe, condLt, condGt, condLe}[i]
				out = append(out, Inst{Op: op, Cond: condGt}, Inst{Op: op, Cond: condLe, Imm: 8})
			}
		case formJumpBit:
			in.Imm, in.Bit = []int64{bitReach, -bitReach, 0, r.Int64N(bitReach) &^ 3}[i], uint8(within(64))
		case formJump:
			in.Imm = []int64{1<<27 - 4, -1 << 27, 0, r.Int64N(1<<27) &^ 3}[i]
		case formWide:
			in.Imm = within(1<<16)<<2 | int64(i)
		case formGGS, formGGL, formGGR:
			in.Imm = within(64)
			if info.form == formGGR || info.form == formGGL {
				in.Imm = max(1, in.Imm) // 0 is a move
			}
		case formGGI:
			in.Imm = within(1 << 12)
		case formGGM:
			in.Imm = []int64{1, -64, 0x0ff0, -0x7ffffffffffffff1}[i]
		case formGGC:
			in.Cond = []cond{condEq, condNe, condGe, condLt}[i]
		}
		out = append(out, in)
	}
	return out
}

// reference returns what GNU as makes of lines.
func reference(t *testing.T, lines []string) (codes []uint32, version string) {
	dir := t.TempDir()
	source, object, binary8 := filepath.Join(dir, "x.s"), filepath.Join(dir, "x.o"), filepath.Join(dir, "x.bin")
	if err := os.WriteFile(source, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) string {
		b, err := exec.Command("aarch64-linux-gnu-"+name, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, b)
		}
		return string(b)
	}
	version, _, _ = strings.Cut(run("as", "--version"), "\n")
	run("as", "-march=armv8-a", "-o", object, source)
	run("objcopy", "-O", "binary", "-j", ".text", object, binary8)
	b, err := os.ReadFile(binary8)
	if err != nil {
		t.Fatal(err)
	}
	for ; len(b) >= 4; b = b[4:] {
		codes = append(codes, binary.LittleEndian.Uint32(b))
	}
	if len(codes) != len(lines) {
		t.Fatalf("%d instructions became %d", len(lines), len(codes))
	}
	return codes, version
}

// Every instruction has the bits that GNU as writes for its text, of which testdata/encode.txt is the record, and
// another decoder knows it.
func TestEncode(t *testing.T) {
	file := filepath.FromSlash("testdata/encode.txt")
	var all []Inst
	var lines []string
	for op := range endOps {
		for _, in := range samples(op) {
			all, lines = append(all, in), append(lines, in.String())
		}
	}
	if *update {
		codes, version := reference(t, lines)
		var b bytes.Buffer
		fmt.Fprintf(&b, "# %s\n", version)
		for i, line := range lines {
			fmt.Fprintf(&b, "%08x %s\n", codes[i], line)
		}
		if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	records := strings.Split(strings.TrimSpace(string(b)), "\n")[1:]
	if len(records) != len(lines) {
		t.Fatalf("%s has %d instructions, want %d; write it anew", file, len(records), len(lines))
	}
	for i := range all {
		code := encode(&all[i])
		if got := fmt.Sprintf("%08x %s", code, lines[i]); got != records[i] {
			t.Errorf("got %s, want %s", got, records[i])
		}
		var word [4]byte
		binary.LittleEndian.PutUint32(word[:], code)
		if _, err := arm64asm.Decode(word[:]); err != nil {
			t.Errorf("%08x %s: %v", code, lines[i], err)
		}
	}
}

// Numbers that a logical instruction contains are those whose ones follow each other.
func TestMaskImm(t *testing.T) {
	for _, x := range []int64{0, -1, 5, 0x0f0f, -6} {
		if _, _, ok := maskImm(x); ok {
			t.Errorf("%#x has the form of a mask", uint64(x))
		}
	}
	for n := 1; n < 64; n++ {
		for start := range 64 {
			u := uint64(1)<<n - 1
			u = u<<start | u>>(64-start)
			rotate, ones, ok := maskImm(int64(u))
			if !ok || rotate != uint32(64-start)&63 || ones != uint32(n-1) {
				t.Errorf("%#x: got %d, %d, %v; want %d, %d", u, rotate, ones, ok, (64-start)&63, n-1)
			}
		}
	}
}
