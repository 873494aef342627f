package ptx_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/internal/test/ptxeval"
	"github.com/weft-go/weft/internal/test/simttest"
	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// The evaluator reports each kind of fault that is put into a text.
func TestFaultsAreFound(t *testing.T) {
	k := golden(t)["testdata/cumulative"]
	f := simt.Lower(k, simt.Options{Mode: simt.PerGroup, Threads: 64})
	text := ptx.Print(80, f).Text
	name := ptx.Print(80, f).Names[0]
	try := func(text string, shorter int) error {
		m, err := ptxeval.Parse(text)
		if err != nil {
			return err
		}
		buffers := make([][]byte, len(k.Buffers))
		for i, b := range k.Buffers {
			buffers[i] = make([]byte, int(b.Len.Value)*b.Type.Size()-shorter)
		}
		return m.Run(name, 1, buffers, nil)
	}
	if err := try(text, 0); err != nil {
		t.Fatal(err)
	}
	for want, err := range map[string]error{
		"at once":            try(strings.Replace(text, "\tbar.sync 0;\n", "", 2), 0),
		"memory of":          try(text, 4),
		"not aligned":        try(strings.Replace(text, ", 4, %base0", ", 2, %base0", 1), 0),
		"state its":          try(strings.Replace(text, "add.rn.f32", "add.f32", 1), 0),
		"nothing has":        try(strings.Replace(text, "mov.u32 %r0, %tid.x;", "", 1), 0),
		"different barriers": try(strings.Replace(text, "\tbar.sync 0;\n", "\tsetp.eq.s32 %pt1, %r0, 0;\n\t@%pt1 bra $Lodd;\n\tbar.sync 0;\n$Lodd:\n", 1), 0),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", want, err)
		}
	}
}

// NVIDIA's assembler, where WEFT_PTXAS names it, accepts the text of a function of each kind for
// each of four targets, without spilled registers, and of the functions that the samples of primitives
// need: of one sample of ten for sm_80, or of all for every target if WEFT_SAMPLES is all.
func TestAssembler(t *testing.T) {
	assembler := os.Getenv("WEFT_PTXAS")
	if assembler == "" {
		t.Skip("WEFT_PTXAS does not name ptxas")
	}
	targets := []string{"75", "80", "90", "120"}
	stride, all := 10, targets[1:2]
	if os.Getenv("WEFT_SAMPLES") == "all" {
		targets = append(targets, "90a", "100")
		stride, all = 1, targets
	}
	dir := t.TempDir()
	assemble := func(target string, fs []*simt.Func) string {
		file := filepath.Join(dir, "k.ptx")
		number, err := strconv.Atoi(strings.TrimSuffix(target, "a"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(ptx.Print(number, fs...).Text), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(assembler, "-v", "-arch=sm_"+target, "-o", filepath.Join(dir, "k.cubin"), file).CombinedOutput()
		if err != nil {
			t.Fatalf("sm_%s: %v\n%s", target, err, out[:min(len(out), 2000)])
		}
		return string(out)
	}
	var kinds []*simt.Func
	for _, k := range golden(t) {
		kinds = append(kinds, simt.Lower(k, simt.Options{}))
	}
	for _, f := range simttest.Kinds() {
		kinds = append(kinds, f)
	}
	for _, dt := range []core.DType{core.Complex64, core.Complex128} {
		for _, p := range []core.Primitive{matrices.CholeskyP{}, matrices.LUP{}, matrices.QRP{}} {
			for _, n := range []int{64, 200} {
				for _, f := range simttest.Factors(p, core.Aval(dt, n, n)) {
					f.Name += strconv.Itoa(len(kinds))
					f.Kernel.Name = f.Name
					kinds = append(kinds, f)
				}
			}
		}
	}
	long := simttest.LongRows("f32", 16384, 8)["softmax"]
	for _, target := range targets {
		kinds := kinds
		switch target {
		case "80":
			kinds = append(slices.Clip(kinds), simt.Lower(long, simt.Options{}))
		case "90":
			kinds = append(slices.Clip(kinds), simt.Lower(long, simt.Options{Device: schedule.Device{Group: 256, Cluster: 8}}))
		}
		for line := range strings.Lines(assemble(target, kinds)) {
			if strings.Contains(line, "spill stores") && !strings.Contains(line, " 0 bytes spill stores, 0 bytes spill loads") {
				t.Errorf("sm_%s: %s", target, line)
			}
		}
	}
	fs := sampleFunctions(stride)
	var modules [][]*simt.Func
	constants := 0
	for _, f := range fs { // a module has 64 KB of constants at most
		bytes := 0
		for _, table := range f.Kernel.Tables {
			bytes += len(table.Bits) * table.Type.Size()
		}
		if n := len(modules); n == 0 || len(modules[n-1]) == 200 || constants+bytes > 64<<10 {
			modules, constants = append(modules, nil), 0
		}
		constants += bytes
		modules[len(modules)-1] = append(modules[len(modules)-1], f)
	}
	for _, target := range all {
		for _, fs := range modules {
			assemble(target, fs)
		}
	}
	t.Logf("%d functions for %v", len(fs), all)
}
