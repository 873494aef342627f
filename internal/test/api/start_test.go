package api

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// What the packages do before main is logged, the least of twenty runs, and what they
// allocate, which does not hang on the machine, is bounded: tables wait for their first
// use.
func TestStart(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := t.TempDir()
	src, exe := filepath.Join(dir, "start.go"), filepath.Join(dir, "start")
	if err := os.WriteFile(src, []byte("package main\n\nimport _ \"github.com/weft-go/weft\"\n\nfunc main() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	goCommand(t, "build", "-o", exe, src)
	line := regexp.MustCompile(`(?m)^init (github\.com/weft-go/weft\S*) .*, ([\d.]+) ms clock, (\d+) bytes`)
	least := map[string]float64{}
	var bytes int
	for range 20 {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		bytes = 0
		for _, m := range line.FindAllStringSubmatch(string(out), -1) {
			ms, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			n, err := strconv.Atoi(m[3])
			if err != nil {
				t.Fatal(err)
			}
			if old, ok := least[m[1]]; !ok || ms < old {
				least[m[1]] = ms
			}
			bytes += n
		}
	}
	if len(least) == 0 {
		t.Fatal("the runtime traced no package of the library")
	}
	var sum float64
	for p, ms := range least {
		sum += ms
		if ms >= 0.02 {
			t.Logf("%.3f ms %s", ms, p)
		}
	}
	t.Logf("%.3f ms and %d bytes in all", sum, bytes)
	if bytes > 128<<10 {
		t.Errorf("the packages allocate %d bytes before main; make tables at their first use", bytes)
	}
}
