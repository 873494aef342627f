//go:build !drivers

package api

import (
	"debug/elf"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// No package of the module, and nothing that it imports, loads a C library on any system: only the packages of drivers
// do, and the programs that import them.
func TestNoDriversAreImported(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command, which lists packages, is not installed")
	}
	for _, system := range []string{"linux", "darwin", "windows"} {
		c := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Deps \" \"}}", "./...")
		c.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS=")
		c.Dir = "../../.."
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		drivers, others := 0, map[string]bool{}
		for line := range strings.Lines(string(out)) {
			deps := strings.Fields(line)
			rest := strings.TrimPrefix(deps[0], modulePath)
			if isDriver(deps[0]) {
				drivers++
				continue
			}
			if slices.Contains(withDrivers, rest) {
				if !slices.ContainsFunc(deps[1:], isDriver) {
					t.Errorf("%s: %s imports no driver; remove it from withDrivers", system, deps[0])
				}
				continue
			}
			others[rest] = true
			for _, dep := range deps[1:] {
				if isDriver(dep) || strings.Contains(dep, "purego") || dep == "C" || dep == "runtime/cgo" {
					t.Errorf("%s: %s imports %s", system, deps[0], dep)
				}
			}
		}
		for _, pkg := range []string{"", "/lax", "/fft", "/image", "/linalg", "/special", "/stats", "/tree", "/wefttest", "/cmd/weft"} {
			if !others[pkg] {
				t.Errorf("%s: package %s%s is not among those that were listed", system, modulePath, pkg)
			}
		}
		if drivers < 2 {
			t.Errorf("%s: got %d packages of drivers, want 2 at least", system, drivers)
		}
	}
}

// withDrivers are the programs of this module that import a driver, as a user's program does.
var withDrivers = []string{"/bench/mpi", "/examples/heat", "/examples/parallel", "/examples/tensorparallel"}

// isDriver reports whether a package is one of a driver, or what its tests load instead.
func isDriver(pkg string) bool {
	for _, dir := range []string{"/runtime/cuda", "/runtime/opencl", "/runtime/pjrt", "/runtime/mpi", "/internal/test/fakecuda", "/internal/test/fakepjrt", "/internal/test/fakempi"} {
		if strings.HasPrefix(pkg, modulePath+dir) {
			return true
		}
	}
	return false
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
