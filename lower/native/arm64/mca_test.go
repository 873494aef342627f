package arm64_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/arm64"
	"github.com/weft-go/weft/lower/schedule"
)

var mca = flag.String("mca", "", "ending of the names of LLVM's programs, as -19: prints what llvm-mca estimates for inner loops")

var cores = []string{"neoverse-v1", "neoverse-v2", "neoverse-n1", "neoverse-n2"}

// Cycles of inner loops as LLVM's models of processors estimate them. Nothing is measured: caches, and what a
// loop waits for at its ends, are left out.
func TestCycles(t *testing.T) {
	if *mca == "" {
		t.Skip("no -mca")
	}
	row := func(name string, code []byte, counted string, per float64) {
		loop := innermost(t, name, code, counted)
		n := 0
		for _, line := range loop {
			if strings.HasPrefix(line, counted) {
				n++
			}
		}
		if counted != "" {
			per = float64(n)
		}
		text := fmt.Sprintf("%-28s", name)
		for _, core := range cores {
			text += fmt.Sprintf(" %7.2f", cyclesOf(t, core, loop)/per)
		}
		t.Logf("%s  %d instructions", text, len(loop))
	}
	t.Logf("%-28s %s", "", strings.Join(cores, " "))
	for _, k := range []native.Tile{
		{Elem: schedule.F32, Rows: 8, Vecs: 2, Chunk: 256, Whole: true}, {Elem: schedule.F32, Rows: 6, Vecs: 3, Chunk: 256, Whole: true},
		{Elem: schedule.F64, Rows: 8, Vecs: 2, Chunk: 128, Whole: true}, {Elem: schedule.F64, Rows: 6, Vecs: 3, Chunk: 128, Whole: true},
	} {
		c, err := native.CompileMicro(k, arm64.NEON{})
		if err != nil {
			t.Fatal(err)
		}
		row(c.Name+": an fmla", c.Bytes[:c.Size], "fmla", 0)
	}
	for _, f := range []string{"exp f32", "expm1 f32", "tanh f32", "sin f32", "cos f32", "logistic f32", "log f32", "log1p f32", "erf f32",
		"exp f64", "expm1 f64", "tanh f64", "sin f64", "cos f64", "logistic f64", "erf f64", "log f64", "log1p f64", "pow f32", "pow f64"} {
		op, dt, _ := strings.Cut(f, " ")
		operands := "a"
		if op == "pow" {
			operands = "a a"
		}
		c := kernelOf(t, fmt.Sprintf("{ lambda ; a:%s[4096]. let b:%[1]s[4096] = %s %s in (b,) }", dt, op, operands))
		row(f+": 16 numbers", c.Bytes[:c.Size], "", float64(numbers(t, c, dt))/16)
	}
	c := kernelOf(t, "{ lambda ; a:f32[4096]. let b:f32[] = reduce_sum[axes=(0,) out_sharding=None] a in (b,) }")
	row("sum f32: 64 numbers", c.Bytes[:c.Size], "", 1)
}

// kernelOf returns the code of a program's only kernel.
func kernelOf(t *testing.T, text string) *native.Code {
	j, err := jaxpr.Parse(text, prim.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	ks := fuse.Translate(lower.Program(j), fuse.Native()).Kernels()
	if len(ks) != 1 {
		t.Fatalf("%s: %d kernels", text, len(ks))
	}
	c, err := native.Compile(ks[0], native.Options{ISA: arm64.NEON{}, Listing: true})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// numbers returns the elements of an iteration of the vector loop, from the code's listing.
func numbers(t *testing.T, c *native.Code, dt string) int {
	_, rest, found := strings.Cut(c.Listing, "; vector loop a0: ")
	var lanes, copies int
	if n, _ := fmt.Sscanf(rest, "%d lanes, %d copies", &lanes, &copies); !found || n == 0 {
		t.Fatalf("%s: no vector loop in\n%s", c.Name, c.Listing)
	}
	return lanes * max(copies, 1)
}

// innermost returns the instructions of a loop without loops within: that which has most instructions whose name
// begins with counted, without what its jumps pass over.
func innermost(t *testing.T, name string, code []byte, counted string) []string {
	lines := disassembled(t, code)
	var best []string
	most := -1
	var loops [][2]int
	for i := range lines {
		if to, conditional := jump(binary.LittleEndian.Uint32(code[4*i:])); conditional && to < 0 {
			loops = append(loops, [2]int{i + to, i})
		}
	}
	for _, l := range loops {
		if slices.ContainsFunc(loops, func(m [2]int) bool { return m != l && m[0] >= l[0] && m[1] <= l[1] }) {
			continue
		}
		n := 0
		var loop []string
		for i := l[0]; i <= l[1]; i++ {
			loop = append(loop, lines[i])
			if strings.HasPrefix(lines[i], counted) {
				n++
			}
			if to, conditional := jump(binary.LittleEndian.Uint32(code[4*i:])); conditional && to > 1 && i+to <= l[1] {
				i += to - 1 // what it passes over is rare
			}
		}
		if n > most {
			most, best = n, loop
		}
	}
	if best == nil {
		t.Fatalf("%s: no loop", name)
	}
	return best
}

// jump returns the distance of a conditional jump in instructions.
func jump(word uint32) (distance int, conditional bool) {
	if word>>24 == 0x54 || word>>25&0x3f == 0x1a { // b.cond, cbz, cbnz
		return int(int32(word<<8) >> 13), true
	}
	return 0, false
}

// run returns what one of LLVM's programs prints.
func run(t *testing.T, in string, program string, args ...string) []byte {
	cmd := exec.Command(program+*mca, args...)
	cmd.Stdin = strings.NewReader(in)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v: %.500s", program, err, errs.String())
	}
	return out
}

func disassembled(t *testing.T, code []byte) []string {
	var in strings.Builder
	for _, b := range code {
		fmt.Fprintf(&in, "0x%02x ", b)
	}
	var lines []string
	for line := range strings.Lines(string(run(t, in.String(), "llvm-mc", "--disassemble", "--triple=aarch64"))) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, ".") {
			lines = append(lines, line)
		}
	}
	if len(lines) != len(code)/4 {
		t.Fatalf("%d instructions of %d bytes", len(lines), len(code))
	}
	return lines
}

// cyclesOf returns the cycles of an iteration in the long run.
func cyclesOf(t *testing.T, core string, loop []string) float64 {
	const few, many = 20, 60
	total := func(n int) float64 {
		var report struct {
			CodeRegions []struct {
				SummaryView struct{ TotalCycles float64 }
			}
		}
		out := run(t, strings.Join(loop, "\n"), "llvm-mca", "--mtriple=aarch64", "--mcpu="+core, "--json", fmt.Sprintf("--iterations=%d", n))
		if err := json.Unmarshal(out, &report); err != nil || len(report.CodeRegions) != 1 {
			t.Fatalf("llvm-mca: %v: %.300s", err, out)
		}
		return report.CodeRegions[0].SummaryView.TotalCycles
	}
	return (total(many) - total(few)) / (many - few)
}
