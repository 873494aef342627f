package arm64_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/arm64"
	"github.com/weft-go/weft/lower/schedule"
)

var loopOf = flag.String("loop", "", "a row of testdata/cycles.txt: prints its loop, and what llvm-mca says of it")

// The programs of LLVM that have models of these processors, and whose estimates are recorded.
const (
	disassembler = "llvm-mc-19"
	analyzer     = "llvm-mca-19"
)

var cores = []string{"neoverse-v1", "neoverse-v2", "neoverse-n1", "neoverse-n2"}

// A measuredLoop is the innermost loop of a row of the table.
type measuredLoop struct {
	name  string
	lines []string
	per   float64 // what the loop does in an iteration, in the row's unit
}

// Cycles of inner loops as LLVM's models of processors estimate them are those on record. Nothing is measured:
// caches, and what a loop waits for at its ends, are left out. Operations are instructions on vectors, other than
// loads and stores: Neoverse V1 and V2 begin four in a cycle at most, N1 and N2 two.
func TestCycles(t *testing.T) {
	for _, program := range []string{disassembler, analyzer} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s (Debian: apt-get install llvm-19)", program)
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%-28s %11s", "", "operations")
	for _, core := range cores {
		fmt.Fprintf(&out, " %11s", core)
	}
	loops := cycleLoops(t)
	var cycles [][]float64
	for _, core := range cores {
		cycles = append(cycles, cyclesOf(t, core, loops))
	}
	for i, l := range loops {
		operations := 0
		for _, line := range l.lines {
			if _, operands, _ := strings.Cut(line, "\t"); strings.Contains(operands, "v") {
				operations++
			}
		}
		fmt.Fprintf(&out, "\n%-28s %11.2f", l.name, float64(operations)/l.per)
		for c := range cores {
			fmt.Fprintf(&out, " %11.2f", cycles[c][i]/l.per)
		}
		if l.name == *loopOf {
			text := strings.Join(l.lines, "\n")
			for _, core := range cores {
				t.Logf("%s\n%s", core, run(t, text, analyzer, "--mtriple=aarch64", "--mcpu="+core))
			}
		}
	}
	out.WriteString("\n")
	const file = "testdata/cycles.txt"
	if flag.Lookup("update").Value.String() == "true" { // of package arm64's tests
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != string(want) {
		t.Errorf("other cycles than in %s; -update renews it. Got\n%s", file, got)
	}
}

// cycleLoops returns the loops of the table.
func cycleLoops(t *testing.T) []measuredLoop {
	type code struct {
		*native.Code
		name, counted string
		per           float64
	}
	var codes []code
	for _, k := range []native.Tile{
		{Elem: schedule.F32, Rows: 8, Vecs: 2, Chunk: 256, Whole: true}, {Elem: schedule.F32, Rows: 6, Vecs: 3, Chunk: 256, Whole: true},
		{Elem: schedule.F64, Rows: 8, Vecs: 2, Chunk: 128, Whole: true}, {Elem: schedule.F64, Rows: 6, Vecs: 3, Chunk: 128, Whole: true},
	} {
		c, err := native.CompileMicro(k, arm64.NEON{})
		if err != nil {
			t.Fatal(err)
		}
		codes = append(codes, code{c, c.Name + ": an fmla", "fmla", 0})
	}
	for _, f := range []string{"exp f32", "expm1 f32", "tanh f32", "sin f32", "cos f32", "logistic f32", "log f32", "log1p f32", "erf f32",
		"exp f64", "expm1 f64", "tanh f64", "sin f64", "cos f64", "logistic f64", "erf f64", "log f64", "log1p f64", "pow f32", "pow f64"} {
		op, dt, _ := strings.Cut(f, " ")
		operands := "a"
		if op == "pow" {
			operands = "a a"
		}
		c := kernelOf(t, fmt.Sprintf("{ lambda ; a:%s[4096]. let b:%[1]s[4096] = %s %s in (b,) }", dt, op, operands))
		codes = append(codes, code{c, f + ": 16 numbers", "", float64(numbers(t, c)) / 16})
	}
	c := kernelOf(t, "{ lambda ; a:f32[4096]. let b:f32[] = reduce_sum[axes=(0,) out_sharding=None] a in (b,) }")
	codes = append(codes, code{c, "sum f32: 64 numbers", "", 1})

	var all []byte
	for _, c := range codes {
		all = append(all, c.Bytes[:c.Size]...)
	}
	lines := disassembled(t, all)
	var loops []measuredLoop
	for _, c := range codes {
		n := c.Size / 4
		l := measuredLoop{c.name, innermost(t, c.name, c.Bytes[:c.Size], lines[:n], c.counted), c.per}
		lines = lines[n:]
		if c.counted != "" {
			for _, line := range l.lines {
				if strings.HasPrefix(line, c.counted) {
					l.per++
				}
			}
		}
		loops = append(loops, l)
	}
	return loops
}

// kernelOf returns the code of a program's only kernel.
func kernelOf(t testing.TB, text string) *native.Code {
	c, err := native.Compile(onlyKernel(t, text), native.Options{ISA: arm64.NEON{}, Listing: true})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func onlyKernel(t testing.TB, text string) *ir.Kernel {
	j, err := jaxpr.Parse(text, prim.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	ks := fuse.Translate(lower.Program(j), fuse.Native()).Kernels()
	if len(ks) != 1 {
		t.Fatalf("%s: %d kernels", text, len(ks))
	}
	return ks[0]
}

// BenchmarkCompile reports what compiling an instruction costs on this machine, as the least of many times.
func BenchmarkCompile(b *testing.B) {
	for _, name := range []string{"exp", "tanh", "sin", "lgamma"} {
		b.Run(name, func(b *testing.B) {
			k := onlyKernel(b, fmt.Sprintf("{ lambda ; a:f32[4096]. let b:f32[4096] = %s a in (b,) }", name))
			best, instructions := math.Inf(1), 0
			for b.Loop() {
				start := time.Now()
				c, err := native.Compile(k, native.Options{ISA: arm64.NEON{}})
				if err != nil {
					b.Fatal(err)
				}
				best = min(best, float64(time.Since(start).Nanoseconds()))
				instructions = c.Instructions
			}
			b.ReportMetric(best/float64(instructions), "ns/inst")
		})
	}
}

// numbers returns the elements of an iteration of the vector loop, from the code's listing.
func numbers(t *testing.T, c *native.Code) int {
	_, rest, found := strings.Cut(c.Listing, "; vector loop a0: ")
	var lanes, copies int
	if n, _ := fmt.Sscanf(rest, "%d lanes, %d copies", &lanes, &copies); !found || n == 0 {
		t.Fatalf("%s: no vector loop in\n%s", c.Name, c.Listing)
	}
	return lanes * max(copies, 1)
}

// innermost returns the instructions of a loop without loops within: that which has most instructions whose name
// begins with counted, without what its jumps pass over. lines are the instructions of code.
func innermost(t *testing.T, name string, code []byte, lines []string, counted string) []string {
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
	cmd := exec.Command(program, args...)
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
	for line := range strings.Lines(string(run(t, in.String(), disassembler, "--disassemble", "--triple=aarch64"))) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, ".") {
			lines = append(lines, line)
		}
	}
	if len(lines) != len(code)/4 {
		t.Fatalf("%d instructions of %d bytes", len(lines), len(code))
	}
	return lines
}

// cyclesOf returns the cycles of an iteration of each loop in the long run.
func cyclesOf(t *testing.T, core string, loops []measuredLoop) []float64 {
	var in strings.Builder
	for i, l := range loops {
		fmt.Fprintf(&in, "# LLVM-MCA-BEGIN %d\n%s\n# LLVM-MCA-END\n", i, strings.Join(l.lines, "\n"))
	}
	const few, many = 20, 60
	cycles := make([]float64, len(loops))
	add := func(n int, sign float64) {
		var report struct {
			CodeRegions []struct {
				SummaryView struct{ TotalCycles float64 }
			}
		}
		out := run(t, in.String(), analyzer, "--mtriple=aarch64", "--mcpu="+core, "--json", fmt.Sprintf("--iterations=%d", n))
		if err := json.Unmarshal(out, &report); err != nil || len(report.CodeRegions) != len(loops) {
			t.Fatalf("%s: %v: %.300s", analyzer, err, out)
		}
		for i, r := range report.CodeRegions {
			cycles[i] += sign * r.SummaryView.TotalCycles / (many - few)
		}
	}
	add(many, 1)
	add(few, -1)
	return cycles
}
