package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// syntheticLogs returns the files that bench/gpu.sh writes if every row reaches what it must and
// every check passes. A call of a row takes 100 µs, a copy 100 µs, a peer's call as long as ours.
func syntheticLogs() map[string]string {
	files := map[string]string{
		"gpu.log":        "NVIDIA H100 80GB HBM3, 580.159.04, 81559 MiB\n",
		"revision.log":   "revision abc of 2026-01-02; measured on 2026-01-03\n",
		"device.log":     "=== RUN   TestDeviceIsThere\n    device_test.go:57: device: cuda:0 NVIDIA H100, compute capability 9.0, tensor cores (wgmma)\n--- PASS: TestDeviceIsThere (0.3s)\n",
		"torch.log":      "peer: PyTorch 2.11.0, NVIDIA H100\ncopy by the driver              100.0 us     3000.0 GB/s\n",
		"jax.log":        "peer: JAX 0.11.2, NVIDIA H100\n",
		"launch.log":     "BenchmarkLaunch-16 \t 2000000\t       250.0 ns/op\t       0 B/op\nBenchmarkLaunch-16 \t 2000000\t       100.0 ns/op\nBenchmarkLaunch-16 \t 2000000\t       90.0 ns/op\n",
		"cold.log":       "BenchmarkDeviceFirstCall-16 \t       1\t 200000000 ns/op\t       130.0 ms-to-open\n",
		"warm.log":       "BenchmarkDeviceFirstCall \t       1\t 190000000 ns/op\nBenchmarkDeviceFirstCall \t       1\t 1.5e+07 ns/op\n",
		"jobs":           "samples-1 . env A=1 ./cuda.test\nsamples-2 . env A=2 ./cuda.test\nprograms-1 src/transforms ./test\nweft_lax-1 src/lax ./test\n",
		"results":        "124 samples-1 150\n0 samples-1 3\n0 samples-2 4\n0 programs-1 5\n0 weft_lax-1 6\n",
		"samples-1.log":  "    check.go:140: 90 kernels of 100 samples; the reference runs []\n",
		"samples-2.log":  "    check.go:140: 91 kernels of 101 samples; the reference runs []\n",
		"programs-1.log": "    fuzz_executors_test.go:112: 250 programs ran, 900 kernels, 0 wrong\n--- PASS: TestProgramsOnDevices (3.0s)\n",
		"weft_lax-1.log": "--- PASS: TestAdd (0.0s)\n--- SKIP: TestLong (0.0s)\n--- PASS: TestSub (0.0s)\n",
	}
	for _, f := range deviceFigures() {
		nanos := 100_000
		if f.name == "many small kernels" {
			nanos = 200_000
		}
		name := strings.ReplaceAll(f.name, " ", "_")
		files[f.log+".log"] += fmt.Sprintf("BenchmarkSomeDevice/%s-16         \t       1\t %d ns/op\t 2.5e+03 GB/s\n", name, nanos)
		if f.of == "torch" || f.of == "jax" {
			files[f.of+".log"] += fmt.Sprintf("%-24s        100.0 us      12.50 TFLOP/s\n", strings.ReplaceAll(f.name, " along k", ""))
		}
	}
	return files
}

// printedTable returns the table of logs.
func printedTable(t *testing.T, files map[string]string) (table string, good bool) {
	t.Helper()
	t.Setenv("WEFT_SCALE", "")
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	good = printDeviceTable(&b, deviceLogs(dir))
	return b.String(), good
}

// demandedRows are the rows that a device must be measured on, and what they must reach.
var demandedRows = []string{
	"| elementwise | 100.0 | 2500 GB/s | – | – | 100 % | 85 % of the copy | 92 % | reached |",
	"| transpose | 100.0 | 2500 GB/s | – | – | 100 % | 85 % of the copy | 92 % | reached |",
	"| softmax | 100.0 | 2500 GB/s | – | – | 100 % | 75 % of the copy | 90 % | reached |",
	"| layer norm | 100.0 | 2500 GB/s | – | – | 100 % | 75 % of the copy | 90 % | reached |",
	"| gradient of softmax | 100.0 | 2500 GB/s | – | – | 100 % | 75 % of the copy | 90 % | reached |",
	"| gradient of layer norm | 100.0 | 2500 GB/s | – | – | 100 % | 75 % of the copy | 90 % | reached |",
	"| cumulative sum | 100.0 | 2500 GB/s | – | – | 100 % | 60 % of the copy |  | reached |",
	"| cumulative sum of a vector | 100.0 | 2500 GB/s | – | – | 100 % | 60 % of the copy |  | reached |",
	"| gather of rows | 100.0 | 2500 GB/s | – | – | 100 % | 60 % of the copy |  | reached |",
	"| sort of 1e7 | 100.0 | 2500 GB/s | 100.0 | – | 100 % | 100 % of PyTorch |  | reached |",
	"| normal 1e8 | 100.0 | 2500 GB/s | – | 100.0 | 100 % | 100 % of JAX |  | reached |",
	"| product 1024 | 100.0 | 2500 GB/s | 100.0 | – | 100 % | 75 % of PyTorch | 90 % | reached |",
	"| product 8192 | 100.0 | 2500 GB/s | 100.0 | – | 100 % | 75 % of PyTorch | 90 % | reached |",
	"| convolution 3x3 | 100.0 | 2500 GB/s | 100.0 | – | 100 % | 60 % of PyTorch | 80 % | reached |",
	"| product in tf32 8192, wgmma | 100.0 | 2500 GB/s | 100.0 | – | 100 % | 75 % of PyTorch | 85 % | reached |",
	"| product of bf16 8192, wgmma | 100.0 | 2500 GB/s | 100.0 | – | 100 % | 75 % of PyTorch | 85 % | reached |",
	"| product in tf32 8192, mma.sync | 100.0 | 2500 GB/s | 100.0 | – | 100 % | 60 % of PyTorch | 85 % | reached |",
	"| product of bf16 8192, mma.sync | 100.0 | 2500 GB/s | 100.0 | – | 100 % | 60 % of PyTorch | 85 % | reached |",
	"| perceptron | 100.0 | 2500 GB/s | – | 100.0 | 100 % | 100 % of JAX | 130 % | reached |",
	"| transformer | 100.0 | 2500 GB/s | – | 100.0 | 100 % | 100 % of JAX | 130 % | reached |",
	"| large transformer | 100.0 | 2500 GB/s | – | 100.0 | 100 % | 100 % of JAX | 130 % | reached |",
	"| a graph's node | 1 µs | | | | | ≤ 1.5 µs | | reached |",
	"| transfers beside compute: both at once, in times of the longer one | 1 × | | | | | ≤ 1.2 × | ≤ 1.05 × | reached |",
	"| launch, beside the driver's time | 0.1 µs | | | | | ≤ 0.2 µs | | reached |",
	"| first call of a perceptron's step, nothing cached | 200 ms | | | | | ≤ 300 ms | ≤ 100 ms | reached |",
	"| first call, machine code cached | 15 ms | | | | | ≤ 20 ms | ≤ 5 ms | reached |",
	"| samples | 2 of 2 | samples: 201, kernels: 181 | passed |",
	"| programs | 1 of 1 | programs: 250, kernels: 900, wrong: 0, tests passed: 1 | passed |",
	"| weft_lax | 1 of 1 | tests passed: 2, skipped: 1 | passed |",
}

func TestTableOfDevice(t *testing.T) {
	table, _ := printedTable(t, syntheticLogs())
	for _, row := range demandedRows {
		if !strings.Contains(table, row+"\n") {
			t.Errorf("no line %s", row)
		}
	}
	// A sum reads as much as a copy reads, and writes nothing: in the time of the copy it is half as fast.
	for _, row := range []string{"sum", "row sums", "column sums"} {
		if want := "| " + row + " | 100.0 | 2500 GB/s | – | – | 50 % | 85 % of the copy | 92 % | **MISSED** |\n"; !strings.Contains(table, want) {
			t.Errorf("no line %s", want)
		}
	}
	files := syntheticLogs()
	for _, row := range []string{"sum", "row_sums", "column_sums"} {
		files["memory.log"] += "BenchmarkMemoryDevice/" + row + " 1 50000 ns/op 3000 GB/s\n" // measured again
	}
	table, good := printedTable(t, files)
	if !good || strings.Contains(table, "MISSED") || strings.Contains(table, "not measured:") {
		t.Errorf("got %v and\n%s", good, table)
	}
	for _, line := range []string{"* revision abc of 2026-01-02; measured on 2026-01-03\n", "| opening the device, before those calls | 130 ms |", "* NVIDIA H100 80GB HBM3, 580.159.04, 81559 MiB\n", "* device: cuda:0 NVIDIA H100, ", "* peer: PyTorch 2.11.0", "* peer: JAX 0.11.2", " 0 missed, 0 not measured.\n"} {
		if !strings.Contains(table, line) {
			t.Errorf("no line %q in\n%s", line, table)
		}
	}
}

// Without JAX nothing is compared with it, and the rest is judged.
func TestTableOfDeviceWithoutJAX(t *testing.T) {
	files := syntheticLogs()
	for _, row := range []string{"sum", "row_sums", "column_sums"} {
		files["memory.log"] += "BenchmarkMemoryDevice/" + row + " 1 50000 ns/op 3000 GB/s\n"
	}
	files["jax.log"] = "not measured: jax is not installed\n"
	table, good := printedTable(t, files)
	for _, line := range []string{"| normal 1e8 | 100.0 | 2500 GB/s | – | – | – | 100 % of JAX |  | not measured: JAX is not installed |\n", " 0 missed, 0 not measured, 4 not compared, for JAX is not installed.\n"} {
		if !strings.Contains(table, line) {
			t.Errorf("no line %q in\n%s", line, table)
		}
	}
	if !good {
		t.Error("the lack of JAX is a failure")
	}
	files["steps.log"] = ""
	if _, good := printedTable(t, files); good {
		t.Error("rows that are not measured are no failure")
	}
}

// Each fault is reported in the row that it concerns, and none is a success.
func TestTableOfDeviceStatesWhatIsMissing(t *testing.T) {
	without := func(text, part string) string {
		var kept strings.Builder
		for line := range strings.Lines(text) {
			if !strings.Contains(line, part) {
				kept.WriteString(line)
			}
		}
		return kept.String()
	}
	for name, c := range map[string]struct {
		change func(files map[string]string)
		want   string
	}{
		"slow row":   {func(f map[string]string) { f["order.log"] += "BenchmarkOrderDevice/sort_of_1e7-16 1 100001 ns/op\n" }, "| sort of 1e7 | 100.0 |  | 100.0 | – | 100 % | 100 % of PyTorch |  | **MISSED** |"},
		"no PyTorch": {func(f map[string]string) { f["torch.log"] = "not measured: torch is not installed\n" }, "| product 1024 | 100.0 | 2500 GB/s | – | – | – | 75 % of PyTorch | 90 % | not measured: PyTorch: torch is not installed |"},
		"failed peer": {func(f map[string]string) {
			f["jax.log"] = without(f["jax.log"], "normal") + "normal 1e8               failed: RuntimeError: no memory\n"
		}, "| normal 1e8 | 100.0 | 2500 GB/s | – | – | – | 100 % of JAX |  | not measured: JAX: RuntimeError: no memory |"},
		"peer's time": {func(f map[string]string) { f["jax.log"], f["notes"] = "", "jax\tdid not end in 110 s\n" }, "| transformer | 100.0 | 2500 GB/s | – | – | – | 100 % of JAX | 130 % | not measured: JAX: step jax did not end in 110 s |"},
		"failed row": {func(f map[string]string) {
			f["memory.log"] = without(f["memory.log"], "/softmax") + "--- FAIL: BenchmarkMemoryDevice/softmax-16\n    device_test.go:120: illegal address\n"
		}, "| softmax | – |  | – | – | – | 75 % of the copy | 90 % | not measured: illegal address |"},
		"no figures":      {func(f map[string]string) { delete(f, "memory.log"); f["notes"] = "memory\tfound no time\n" }, "| transpose | – |  | – | – | – | 85 % of the copy | 92 % | not measured: step memory found no time |"},
		"step not run":    {func(f map[string]string) { delete(f, "warm.log") }, "| first call, machine code cached | – | | | | | ≤ 20 ms | ≤ 5 ms | not measured: step warm has not run |"},
		"slow first call": {func(f map[string]string) { f["cold.log"] = "BenchmarkDeviceFirstCall-16 1 300000001 ns/op\n" }, "| first call of a perceptron's step, nothing cached | 300 ms | | | | | ≤ 300 ms | ≤ 100 ms | **MISSED** |"},
		"no benchmark":    {func(f map[string]string) { f["launch.log"] = "not measured: the benchmark is CUDA's\n" }, "| launch, beside the driver's time | – | | | | | ≤ 0.2 µs | | not measured: the benchmark is CUDA's |"},
		"transfers that wait": {func(f map[string]string) {
			f["transfers.log"] += "BenchmarkTransferDevice/compute_and_upload-16 1 200000 ns/op\n"
		}, "| transfers beside compute: both at once, in times of the longer one | 2 × | | | | | ≤ 1.2 × | ≤ 1.05 × | **MISSED** |"},
		"upload that fails": {func(f map[string]string) {
			f["transfers.log"] = without(f["transfers.log"], "/upload_alone") + "--- FAIL: BenchmarkTransferDevice/upload_alone\n    a.go:1: no memory\n"
		}, "| transfers beside compute: both at once, in times of the longer one | – | | | | | ≤ 1.2 × | ≤ 1.05 × | not measured: no memory |"},
		"no wgmma":      {func(f map[string]string) { f["device.log"] = "    a.go:1: device: A100, tensor cores (mma.sync)\n" }, "| product of bf16 8192, wgmma | – |  | 100.0 | – | – | 75 % of PyTorch | 85 % | not measured: the device has no wgmma |"},
		"tcgen05":       {func(f map[string]string) { f["device.log"] = "    a.go:1: device: B200, tensor cores (tcgen05)\n" }, "| product of bf16 8192, wgmma | 100.0 | 2500 GB/s | 100.0 | – | 100 % | 75 % of PyTorch | 85 % | reached |"},
		"failed check":  {func(f map[string]string) { f["results"] += "1 samples-2 9\n" }, "| samples | 1 of 2 | samples: 201, kernels: 181 | **FAILED**: 1 |"},
		"skipped check": {func(f map[string]string) { f["results"] += "skipped samples-2 9\n" }, "| samples | 1 of 2 | samples: 201, kernels: 181 | **FAILED**: 1 |"},
		"check's time":  {func(f map[string]string) { f["results"] += "124 programs-1 9\n" }, "| programs | 0 of 1 | programs: 250, kernels: 900, wrong: 0, tests passed: 1 | not ended: 1 |"},
		"check not run": {func(f map[string]string) { f["results"] = without(f["results"], "weft_lax") }, "| weft_lax | 0 of 1 |  | not run: 1 |"},
		"no checks":     {func(f map[string]string) { delete(f, "jobs") }, "checks: not run: step checks has not run"},
	} {
		files := maps.Clone(syntheticLogs())
		c.change(files)
		table, good := printedTable(t, files)
		if good || !strings.Contains(table, c.want+"\n") {
			t.Errorf("%s: got %v, want a line %s in\n%s", name, good, c.want, table)
		}
	}
}

// gpu_peers.py measures every row in which ours must reach a share of a peer's speed.
func TestPeersMeasureRowsOfDevice(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	out, err := exec.Command(python, "gpu_peers.py", "names").Output()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		names[strings.TrimSpace(line)] = true
	}
	for _, f := range deviceFigures() {
		if name := strings.ReplaceAll(f.name, " along k", ""); (f.of == "torch" || f.of == "jax") && !names[name] {
			t.Errorf("no peer measures %s", name)
		}
	}
}
