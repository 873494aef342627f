package opencl_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/internal/test/simttest"
	"github.com/weft-go/weft/lower/opencl"
	"github.com/weft-go/weft/lower/simt"
)

var update = flag.Bool("update", false, "write the golden files")

// functions returns the kernels of testdata as devices run them, by file.
func functions(t *testing.T) map[string]*simt.Func {
	files, err := filepath.Glob("testdata/*.kernel")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d kernels: %v", len(files), err)
	}
	all := map[string]*simt.Func{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		k, err := irtext.Parse(string(text))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all[file] = simt.Lower(k, simt.Options{})
	}
	return all
}

// One kernel of each kind has the text of its golden file.
func TestPrint(t *testing.T) {
	for file, f := range functions(t) {
		got := opencl.Print(f).Text
		name := strings.TrimSuffix(file, ".kernel") + ".cl"
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s has changed:\n%s", name, got)
		}
	}
}

// The text for devices without f64 contains no f64, and differs only where the kernel contains f64.
func TestPrintWithoutDoubles(t *testing.T) {
	doubles := 0
	for file, f := range functions(t) {
		got, usual := opencl.PrintWithoutDoubles(f).Text, opencl.Print(f).Text
		switch {
		case strings.Contains(got, "double"), strings.Contains(got, "cl_khr_fp64"):
			t.Errorf("%s contains f64:\n%s", file, got)
		case strings.Contains(usual, "double"):
			doubles++
		case got != usual:
			t.Errorf("%s without f64 has changed:\n%s", file, got)
		}
	}
	if doubles == 0 {
		t.Error("no kernel contains f64")
	}
}

// Every text, with its options, says what decides bits: no contraction, and the rounding
// of divisions.
func TestBitsAreExact(t *testing.T) {
	if !strings.HasPrefix(opencl.Print().Text, "#pragma OPENCL FP_CONTRACT OFF\n") {
		t.Error("products and sums may be contracted")
	}
	if !strings.Contains(opencl.BuildOptions, "-cl-fp32-correctly-rounded-divide-sqrt") || strings.Contains(opencl.BuildOptions, "fast") || strings.Contains(opencl.BuildOptions, "mad") {
		t.Errorf("the options are %s", opencl.BuildOptions)
	}
}

// Functions that are not lowered from a kernel file have the text of their golden files.
func TestPrintKinds(t *testing.T) {
	for name, f := range simttest.Kinds() {
		got, file := opencl.Print(f).Text, "testdata/"+name+".cl"
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s has changed:\n%s", file, got)
		}
	}
}
