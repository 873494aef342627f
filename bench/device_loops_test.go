//go:build drivers

package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime/device"
)

// A multiprocessor has room for twelve warps of each kernel of the rows at their full size, in the code of NVIDIA's assembler for
// compute capability 9.0. The log has the registers and the instructions of each loop. WEFT_PTXAS and WEFT_NVDISASM name the programs
// (PyPI's nvidia-cuda-nvcc and nvidia-cuda-nvdisasm).
func TestDeviceLoops(t *testing.T) {
	assembler, disassembler := os.Getenv("WEFT_PTXAS"), os.Getenv("WEFT_NVDISASM")
	if assembler == "" || disassembler == "" {
		t.Skip("WEFT_PTXAS and WEFT_NVDISASM do not name ptxas and nvdisasm")
	}
	t.Setenv("WEFT_SCALE", "1")
	text, code := filepath.Join(t.TempDir(), "k.ptx"), filepath.Join(t.TempDir(), "k.cubin")
	run := func(name string, args ...string) string {
		out, err := exec.Command(name, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%.2000s", name, err, out)
		}
		return string(out)
	}
	programs = func(name string, f func(x weft.Array) weft.Array, x weft.Array) {
		ir, err := weft.Lower(f, x)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, f := range device.Functions(device.PlanOf(ir), schedule.Device{Digits: schedule.WarpDigits}) {
			if err := os.WriteFile(text, []byte(ptx.Print(90, f).Text), 0o600); err != nil {
				t.Fatal(err)
			}
			about := registers.FindStringSubmatch(run(assembler, "-v", "-arch=sm_90", "-o", code, text))
			if about == nil {
				t.Fatalf("%s: ptxas states no registers", name)
			}
			n, err := strconv.Atoi(about[1])
			if err != nil {
				t.Fatal(err)
			}
			if warps := 65536 / (n * 32); warps < 12 {
				t.Errorf("%s, %s: %d registers leave room for %d warps, want 12", name, f.Name, n, warps)
			}
			t.Logf("%s, %s: %d groups of %d threads, %d registers%s", name, f.Name, f.Groups(nil), f.Threads, n, loopsOf(run(disassembler, "-c", code)))
		}
	}
	defer func() { programs = nil }()
	_, err := weft.Jaxpr(func(x weft.Array) weft.Array { // arrays that are traced need no memory
		BenchmarkMemoryDevice(nil)
		BenchmarkOrderDevice(nil)
		return x
	}, weft.Ones(1))
	if err != nil {
		t.Fatal(err)
	}
}

// Patterns of the registers in ptxas's output, and of nvdisasm's labels, instructions (without conditions) and targets of jumps.
var (
	registers   = regexp.MustCompile(`Used (\d+) registers`)
	label       = regexp.MustCompile(`^\s*(\.L_x_\d+):`)
	instruction = regexp.MustCompile(`^\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?(\w+)(.*?)\s*;`)
	target      = regexp.MustCompile("`\\((\\.L_x_\\d+)\\)")
)

// loopsOf returns a line about each loop of disassembled code: its instructions by kind, including those that are seldom executed.
func loopsOf(code string) string {
	var ops []string
	labels := map[string]int{}
	var b strings.Builder
	for line := range strings.Lines(code) {
		if m := label.FindStringSubmatch(line); m != nil {
			labels[m[1]] = len(ops)
			continue
		}
		m := instruction.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		ops = append(ops, m[1])
		to := target.FindStringSubmatch(m[2])
		if m[1] != "BRA" || to == nil {
			continue
		}
		if from, known := labels[to[1]]; known && len(ops)-from > 1 { // a jump back
			kinds := map[string]int{}
			for _, op := range ops[from:] {
				kinds[op]++
			}
			fmt.Fprintf(&b, "\n\tloop of %d:", len(ops)-from)
			for _, op := range slices.SortedFunc(maps.Keys(kinds), func(x, y string) int { return cmp.Or(kinds[y]-kinds[x], strings.Compare(x, y)) }) {
				fmt.Fprintf(&b, " %d %s", kinds[op], op)
			}
		}
	}
	return b.String()
}
