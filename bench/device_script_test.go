package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// standIn takes the place of every binary that bench/gpu.sh runs. Commands that match FAIL, SKIP, SMALL, EMPTY or
// SLOW fail, are skipped, find little memory, run no test or do not end; the table is printed by the binary of this test.
const standIn = `#!/usr/bin/env bash
case "$*" in
*PrintDeviceTable*) exec "$TABLE" "$@" ;;
env) echo "executors ${ENV:-cuda:0 (a device)}"; exit ;;
*PrintRowsLeft*) [ "$WEFT_STEP" = memory ] && [ -n "$LEFT" ] && mkdir left 2>/dev/null && echo "rows: ^BenchmarkMemoryDevice$/^($LEFT)$"; exit ;;
*"($LEFT)"*) [ -n "$LEFT" ] && echo "BenchmarkMemoryDevice/$LEFT-16 1 200000 ns/op 3000 GB/s" ;;
*DeviceIsThere*) echo '    device_test.go:1: device: cuda:0 of a test, tensor cores (wgmma)' ;;
*MemoryDevice*) echo 'BenchmarkMemoryDevice/copy-16 1 100000 ns/op 3000 GB/s' ;;
*OrderDevice*) printf 'BenchmarkOrderDevice/%s-16 1 100000 ns/op\n' sort_of_1e7 normal_1e8 ;;
esac
[[ -n "$FAIL" && "$*" =~ $FAIL ]] && { echo '--- FAIL: TestIt (0.0s)'; exit 1; }
[[ -n "$SKIP" && "$*" =~ $SKIP ]] && echo '--- SKIP: TestIt (0.0s)'
[[ -n "$SMALL" && "$*" =~ $SMALL ]] && printf '    large_test.go:1: arrays of 9 elements need 9 B, the device has 1 B\n--- SKIP: TestIt (0.0s)\n'
[[ -n "$EMPTY" && "$*" =~ $EMPTY ]] && echo 'testing: warning: no tests to run'
[[ -n "$SLOW" && "$*" =~ $SLOW ]] && { echo 'BenchmarkStepDevice/perceptron-16 1 5000 ns/op'; sleep 100; }
exit 0
`

// runDeviceScript runs bench/gpu.sh in a folder whose binaries are stand-ins.
func runDeviceScript(t *testing.T, dir string, settings []string, names ...string) (output string) {
	t.Helper()
	return callDeviceScript(t, settings, append([]string{"run", dir}, names...)...)
}

// callDeviceScript runs bench/gpu.sh with arguments. The second one is a folder whose binaries are stand-ins.
func callDeviceScript(t *testing.T, settings []string, args ...string) (output string) {
	t.Helper()
	dir := args[1]
	table, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("bash", append([]string{"gpu.sh"}, args...)...)
	c.Env = append(os.Environ(), append([]string{"TABLE=" + table, "PATH=" + filepath.Join(dir, "bin") + ":" + os.Getenv("PATH"),
		"WEFT_DEVICE=cuda:0", "WEFT_SCALE=", "PROCESSES=4", "EVERY=100", "FAIL=", "SKIP=", "SMALL=", "EMPTY=", "SLOW=", "LEFT=", "OUT="}, settings...)...)
	out, err := c.CombinedOutput()
	if _, ended := err.(*exec.ExitError); !ended {
		t.Fatalf("got %v, want a failure, for no table is complete here; %s", err, out)
	}
	return string(out)
}

// deviceFolder returns a folder as bench/gpu.sh builds it, whose binaries are stand-ins.
func deviceFolder(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("xargs"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"bench.test", "cuda.test", "device.test", "weft", "src/runtime/device/none", "src/examples/digits/test"} {
		write(name, standIn)
	}
	packages := strings.Fields(". transforms ode examples/filter")
	for _, p := range packages {
		write("src/"+p+"/test", standIn)
		write("src/"+p+"/tests", "TestA\nTestB\nTestLaw\nTestProgramsOnDevices\n")
	}
	write("revision", "abc of 2026-01-02")
	write("packages", strings.Join(packages, "\n"))
	write("device.tests", "TestAOnDevices\nTestB\nTestFourierOnDevices\n")
	write("sampled", "sampled transforms 40 TestLaw\nsampled . 10 TestA|TestLaw\n")
	write("bin/python3", "#!/bin/sh\nexit 1\n") // without PyTorch and JAX
	return dir
}

func TestDeviceScript(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts hundreds of processes")
	}
	for name, c := range map[string]struct {
		settings []string
		names    []string
		want     []string // parts of the output
		not      []string
	}{
		"everything": {
			want: []string{"* revision abc of 2026-01-02; measured on 20", "| copy | 100.0 | 3000 GB/s |", "not measured: PyTorch: torch is not installed |", "not measured: JAX is not installed |",
				"| samples | 1 of 1 |", "| tests-of-weft | 1 of 1 |", "| example-digits | 1 of 1 |", "| tests-of-ode | 1 of 1 |", "| examples | 1 of 1 |", "| laws-of-transforms-40 | 2 of 2 |", "| laws-of-weft-10 | 1 of 1 |", "| elementwise | – |  | – | – | – | 85 % of the copy | 92 % | not measured: step memory ended without this row |"},
			not: []string{"not ended", "**FAILED**", "| not run:"},
		},
		"device that is not listed": {
			settings: []string{"ENV=cuda:1 (a device)"}, names: []string{"device"},
			want: []string{"FAILED: weft env does not list cuda:0"},
		},
		"example that is skipped": {
			settings: []string{"SKIP=TestOnDevice.$"}, names: []string{"check"},
			want: []string{"FAILED: example-digits, status skipped", "| example-digits | 0 of 1 | skipped: 1 | **FAILED**: 1 |"},
		},
		"failing check": {
			settings: []string{"FAIL=GoldensOnDevices"}, names: []string{"check"},
			want: []string{"FAILED: goldens-1, status 1", "--- FAIL: TestIt", "| goldens | 0 of 1 | failed: 1 | **FAILED**: 1 |", "| samples | 1 of 1 |"},
		},
		"skipped check": {
			settings: []string{"SKIP=SamplesOnDevices"}, names: []string{"check"},
			want: []string{"FAILED: samples-1, status skipped", "| samples | 0 of 1 | skipped: 1 | **FAILED**: 1 |"},
		},
		"device with little memory": {
			settings: []string{"SMALL=IndicesOfLarge"}, names: []string{"check"},
			want: []string{"| large | 0 of 1 | skipped: 1 | skipped: arrays of 9 elements need 9 B, the device has 1 B |"},
			not:  []string{"FAILED: large"},
		},
		"check without tests": {
			settings: []string{"EMPTY=OperationsOnDevices"}, names: []string{"check"},
			want: []string{"| operations | 0 of 1 |  | **FAILED**: 1 |"},
		},
		"check that does not end": {
			settings: []string{"SLOW=ConformanceOnDevices", "JOB_SECONDS=1"}, names: []string{"check"},
			want: []string{"| conformance | 0 of 1 |  | not ended: 1 |", "| programs | 1 of 1 |"},
		},
		"no time for checks": {
			settings: []string{"RUN_SECONDS=5"}, names: []string{"check"},
			want: []string{"| samples | 0 of 1 |  | not run: 1 |"},
		},
		"row that fails": {
			settings: []string{"FAIL=MemoryDevice. -test.benchtime", "LEFT=transpose"}, names: []string{"device", "figures", "table"},
			want: []string{"FAILED: step memory failed with status 1", "rows that are left run in a new process: ^BenchmarkMemoryDevice$/^(transpose)$", "| copy | 100.0 |", "| transpose | 200.0 |"},
		},
		"figures that do not end": {
			settings: []string{"SLOW=StepDevice", "RUN_SECONDS=8"}, names: []string{"device", "figures", "table"},
			want: []string{"FAILED: step steps did not end in", "| perceptron | 5.0 |", "| transformer | – |  | – | – | – | 100 % of JAX | 130 % | not measured: step steps did not end in"},
		},
		"wrong kernel": {
			settings: []string{"FAIL=OperationsOnDevices"},
			want:     []string{"FAILED: operations-1, status 1", "no figures: results are wrong", "=== first call", "| samples | 1 of 1 |"},
			not:      []string{"=== figures", "| copy | 100.0 |"},
		},
		"wrong kernel of several stages": {
			settings: []string{"FAIL=FourierOnDevices"}, names: []string{"verify", "figures"},
			want: []string{"FAILED: by-hand-2, status 1", "no figures: results are wrong"},
			not:  []string{"=== figures"},
		},
		"kernel that does not end": {
			settings: []string{"SLOW=OperationsOnDevices", "JOB_SECONDS=1"}, names: []string{"verify", "figures"},
			want: []string{"FAILED: operations-1, status 124", "no figures: results are wrong"},
			not:  []string{"=== figures"},
		},
		"check of a kernel of several stages that does not end": {
			settings: []string{"SLOW=FourierOnDevices", "JOB_SECONDS=1"}, names: []string{"verify", "figures", "table"},
			want: []string{"FAILED: by-hand-2, status 124", "FAILED: step share found no time for 1 checks", "no figures of order: checks of its kernels did not end", "| copy | 100.0 |",
				"| sort of 1e7 | – |  | – | – | – | 100 % of PyTorch |  | not measured: step order not taken: checks of its kernels did not end |"},
			not: []string{"no figures: results are wrong", "| sort of 1e7 | 100.0 |"},
		},
		"runtime that fails": {
			settings: []string{"FAIL=RuntimeOnDevices"}, names: []string{"verify", "figures"},
			want: []string{"FAILED: step runtime failed with status 1", "no figures: results are wrong"},
			not:  []string{"=== figures"},
		},
		"wrong tensor cores": {
			settings: []string{"FAIL=TensorOnDevices."}, names: []string{"verify", "figures", "table"},
			want: []string{"FAILED: step tensor-on failed with status 1", "FAILED: step tensor-off failed with status 1", "no figures of tensor cores: results are wrong", "| copy | 100.0 |"},
			not:  []string{"no figures: results"},
		},
		"no device": {
			settings: []string{"FAIL=DeviceIsThere"},
			want:     []string{"the device cannot be used: nothing else runs", "checks: not run: step checks has not run", "not measured: step memory has not run"},
			not:      []string{"=== checks"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, out := deviceFolder(t), t.TempDir()
			got := runDeviceScript(t, dir, append(c.settings, "OUT="+out), c.names...)
			for _, part := range c.want {
				if !strings.Contains(got, part) {
					t.Errorf("no %q", part)
				}
			}
			for _, part := range c.not {
				if strings.Contains(got, part) {
					t.Errorf("there is %q", part)
				}
			}
			if _, err := os.Stat(filepath.Join(out, "logs.tar.gz")); err != nil {
				t.Error(err)
			}
			if t.Failed() {
				t.Logf("got\n%s", got)
			}
		})
	}
}

// A trial fails if a step fails or a row has no figure.
func TestDeviceScriptTries(t *testing.T) {
	for settings, want := range map[string]string{
		"LEFT=":                                "FAILED: the rows above have no figure",
		"FAIL=RuntimeOnDevices":                "FAILED: step runtime: runtime\tfailed with status 1",
		"FAIL=TransferDevice. -test.benchtime": "FAILED: step transfers: transfers\tfailed with status 1",
		"FAIL=GoldensOnDevices":                "FAILED: step checks: checks\t1 of ",
	} {
		dir := deviceFolder(t)
		if got := callDeviceScript(t, []string{settings}, "try", dir); !strings.Contains(got, want) {
			t.Errorf("%s: no %q in\n%s", settings, want, got)
		}
	}
}

// A later run continues the checks: those that have passed do not run again.
func TestDeviceScriptContinues(t *testing.T) {
	dir := deviceFolder(t)
	first := runDeviceScript(t, dir, []string{"FAIL=ProgramsOnDevices"}, "check")
	again := runDeviceScript(t, dir, nil, "check")
	last := runDeviceScript(t, dir, nil, "check")
	for got, want := range map[string]string{first: "FAILED: programs-1, status 1", again: "1 of 18 shares have not passed yet", last: "0 of 18 shares have not passed yet"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if !strings.Contains(last, "| programs | 1 of 1 |") {
		t.Errorf("got\n%s", last)
	}
}
