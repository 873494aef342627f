//go:build drivers

package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// stepRows returns the function that a step of bench/gpu.sh measures, and its rows in the order in which they run.
func stepRows(step string) (function string, names []string) {
	functions := map[string]func(*testing.B){
		"Memory": BenchmarkMemoryDevice, "Order": BenchmarkOrderDevice, "Product": BenchmarkProductDevice,
		"Step": BenchmarkStepDevice, "Tensor": BenchmarkTensorDevice, "Conv": BenchmarkConvDevice, "Transfer": BenchmarkTransferDevice,
	}
	function = map[string]string{"memory": "Memory", "order": "Order", "products": "Product", "steps": "Step", "transfers": "Transfer", "wgmma": "Tensor", "mma": "Tensor", "convolutions": "Conv", "convolutions-mma": "Conv"}[step]
	record(functions[function], func(name string) { names = append(names, name) })
	return function, names
}

// rowsLeft returns the rows of a step that the latest process of a log could not measure because an
// earlier row failed.
func rowsLeft(names []string, log string) []string {
	if i := strings.LastIndex(log, "=== all rows\n"); i >= 0 {
		log = log[i:]
	}
	for _, part := range strings.Split(log, "=== rows left\n") {
		measured := map[string]bool{}
		for line := range strings.Lines(part) {
			if m := benchmarkLine.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
				measured[plainName(m[1])] = true
			}
		}
		left := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return measured[name] })
		names = left[min(1, len(left)):] // the first one has failed
	}
	return names
}

// TestPrintRowsLeft prints the pattern of the rows that a new process of a step must measure, for bench/gpu.sh.
func TestPrintRowsLeft(t *testing.T) {
	step := os.Getenv("WEFT_STEP")
	if step == "" {
		t.Skip("WEFT_STEP names no step of bench/gpu.sh")
	}
	log, err := os.ReadFile(filepath.Join(os.Getenv("WEFT_LOGS"), step+".log"))
	if err != nil {
		t.Fatal(err)
	}
	function, names := stepRows(step)
	left := rowsLeft(names, string(log))
	for i, name := range left {
		left[i] = regexp.QuoteMeta(strings.ReplaceAll(name, " ", "_"))
	}
	if len(left) > 0 {
		fmt.Printf("rows: ^Benchmark%sDevice$/^(%s)$\n", function, strings.Join(left, "|"))
	}
}

func TestRowsLeft(t *testing.T) {
	names := []string{"a", "b c", "d", "e"}
	row := func(name string) string { return "BenchmarkMemoryDevice/" + name + "-16 1 100 ns/op\n" }
	failed := func(name string) string {
		return "--- FAIL: BenchmarkMemoryDevice/" + name + "\n    a.go:1: illegal address\n"
	}
	for log, want := range map[string][]string{
		"=== all rows\n" + row("a") + row("b_c") + row("d") + row("e"):                                               nil,
		"=== all rows\n" + row("a") + failed("b_c") + failed("d") + failed("e"):                                      {"d", "e"},
		"=== all rows\n" + failed("a") + row("b_c") + row("d") + row("e"):                                            nil,
		"=== all rows\n" + row("a"):                                                                                  {"d", "e"}, // the process died
		"=== all rows\n" + row("a") + failed("b_c") + "=== rows left\n" + failed("d") + failed("e"):                  {"e"},
		"=== all rows\n" + row("a") + failed("b_c") + "=== rows left\n" + row("d") + row("e"):                        nil,
		"=== all rows\n" + row("a") + row("b_c") + row("d") + row("e") + "=== all rows\n" + row("a") + failed("b_c"): {"d", "e"},
	} {
		if got := rowsLeft(names, log); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v of\n%s", got, want, log)
		}
	}
}

// Every step of figures has the rows that the table lists for it.
func TestRowsOfSteps(t *testing.T) {
	t.Setenv("WEFT_SCALE", "0.001")
	listed := map[string]map[string]bool{}
	for _, f := range deviceFigures() {
		if f.log != "small" {
			if listed[f.log] == nil {
				listed[f.log] = map[string]bool{}
			}
			listed[f.log][f.name] = true
		}
	}
	for step, want := range listed {
		_, names := stepRows(step)
		got := map[string]bool{}
		for _, name := range names { // without wgmma some rows are run that are not listed again
			got[name] = got[name] || want[name] || !strings.HasSuffix(step, "mma") || step == "wgmma"
		}
		maps.DeleteFunc(got, func(_ string, listed bool) bool { return !listed })
		if !maps.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", step, got, want)
		}
	}
}
