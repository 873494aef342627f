//go:build drivers

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime/device"
)

// NVIDIA's assembler, which WEFT_PTXAS names, compiles every kernel of the figures for two targets, or for every
// target if WEFT_SAMPLES is all, without spilling registers. Arrays are a hundredth as large as those of the figures.
func TestDeviceCode(t *testing.T) {
	assembler := os.Getenv("WEFT_PTXAS")
	if assembler == "" {
		t.Skip("WEFT_PTXAS does not name ptxas")
	}
	t.Setenv("WEFT_SCALE", "0.01")
	dir := t.TempDir()
	share, stride := samples.Share(t, 3)
	n, rows := 0, 0
	row := func(name string, f any, args ...any) {
		ir, err := weft.Lower(f, args...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		fs := device.Functions(device.PlanOf(ir), schedule.Device{Digits: schedule.WarpDigits})
		n += len(fs)
		rows++
		for i, arch := range []string{"75", "80", "90", "90a", "100", "120"} {
			if (i+rows)%stride != share {
				continue
			}
			target, err := strconv.Atoi(strings.TrimSuffix(arch, "a"))
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "k.ptx")
			if err := os.WriteFile(file, []byte(ptx.Print(target, fs...).Text), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(assembler, "-v", "-arch=sm_"+arch, "-o", filepath.Join(dir, "k.cubin"), file).CombinedOutput()
			if err != nil {
				t.Fatalf("%s, sm_%s: %v\n%.2000s", name, arch, err, out)
			}
			for line := range strings.Lines(string(out)) {
				if strings.Contains(line, "spill stores") && !strings.Contains(line, " 0 bytes spill stores, 0 bytes spill loads") {
					t.Errorf("%s, sm_%s: %s", name, arch, line)
				}
			}
		}
	}
	programs = func(name string, f func(x weft.Array) weft.Array, x weft.Array) { row(name, f, x) }
	defer func() { programs = nil }()
	for _, rows := range []func(*testing.B){BenchmarkMemoryDevice, BenchmarkOrderDevice, BenchmarkProductDevice, BenchmarkSmallDevice} {
		rows(nil)
	}
	row("perceptron", sgd(mlpLoss), mlpParams(), dev(7, 1, 128, 784), oneHot(128, 10))
	row("transformer", sgd(tfLoss), tfParams(tfWidth, tfLayers), dev(20, 1, tfBatch, tfSteps, tfWidth), dev(60, 1, tfBatch, tfSteps, tfWidth))
	if n < 50 {
		t.Errorf("only %d kernels were assembled", n)
	}
	t.Logf("%d kernels", n)
}

// record calls f with the name of each row of a function, in the order in which they are measured.
func record(rows func(*testing.B), f func(name string)) {
	programs = func(name string, _ func(x weft.Array) weft.Array, _ weft.Array) { f(name) }
	defer func() { programs = nil }()
	rows(nil)
}

// The rows that are measured are those of the table.
func TestDeviceFiguresAreListed(t *testing.T) {
	t.Setenv("WEFT_SCALE", "0.001")
	measured := map[string]bool{}
	for _, rows := range []func(*testing.B){BenchmarkMemoryDevice, BenchmarkOrderDevice, BenchmarkProductDevice, BenchmarkTensorDevice, BenchmarkConvDevice, BenchmarkStepDevice, BenchmarkSmallDevice, BenchmarkTransferDevice} {
		record(rows, func(name string) { measured[name] = true })
	}
	for _, f := range deviceFigures() {
		if !measured[f.name] {
			t.Errorf("%s is in the table, and nothing measures it", f.name)
		}
	}
	listed := map[string]bool{}
	for _, f := range deviceFigures() {
		listed[f.name] = true
	}
	for name := range measured {
		if !listed[name] {
			t.Errorf("%s is measured, and not in the table", name)
		}
	}
}
