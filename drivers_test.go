//go:build !drivers

package weft_test

import (
	"debug/elf"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// The library and everything that it imports load no C library: only the packages of
// drivers do, which a program imports for them.
func TestNoDriversAreImported(t *testing.T) {
	seen := map[string]bool{}
	var visit func(pkg string)
	visit = func(pkg string) {
		if seen[pkg] {
			return
		}
		seen[pkg] = true
		files, err := filepath.Glob(filepath.Join(pkg, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("package %s: %v", pkg, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || filepath.Base(file) == "drivers.go" {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, imp := range f.Imports {
				name, _ := strconv.Unquote(imp.Path.Value)
				switch rest, ok := strings.CutPrefix(name, module); {
				case ok && (strings.HasPrefix(rest, "/runtime/cuda") || strings.HasPrefix(rest, "/runtime/opencl")):
					t.Errorf("%s imports %s", file, name)
				case ok:
					visit("." + rest)
				case strings.Contains(name, "purego") || name == "C":
					t.Errorf("%s imports %s", file, name)
				}
			}
		}
	}
	for _, pkg := range []string{".", "./lax", "./nn", "./optim", "./random", "./data", "./ode", "./stablehlo", "./custom", "./cmd/weft"} {
		visit(pkg)
	}
	if len(seen) < 30 {
		t.Errorf("only %d packages were looked at", len(seen))
	}
}

// A program that uses the library without cgo is a static binary: this one is.
func TestBinaryIsStatic(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("binaries of this system are not looked into")
	}
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	libs, err := f.ImportedLibraries()
	if os.Getenv("CGO_ENABLED") == "0" && (err != nil || len(libs) > 0) {
		t.Errorf("the binary needs %v (%v)", libs, err)
	}
	if len(libs) > 0 {
		t.Skipf("built with cgo: %v", libs)
	}
}
