package api

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func goCommand(t *testing.T, args ...string) string {
	t.Helper()
	path, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command")
	}
	out, err := exec.Command(path, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// What users import brings nothing heavy along: the plots and bars of the examples, and
// what tests compare with, stay outside.
func TestDependencies(t *testing.T) {
	allowed := []string{"github.com/weft-go/weft", "github.com/x448/float16", "golang.org/x/sys",
		"google.golang.org/protobuf/encoding/protowire", "google.golang.org/protobuf/internal/errors", "google.golang.org/protobuf/internal/detrand"} // package onnx
	args := []string{"list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}"}
	for _, p := range public {
		args = append(args, "github.com/weft-go/weft/"+strings.TrimPrefix(p, "."))
	}
	for i, a := range args {
		args[i] = strings.TrimSuffix(a, "/")
	}
	for p := range strings.FieldsSeq(goCommand(t, args...)) {
		if !slices.ContainsFunc(allowed, func(a string) bool { return p == a || strings.HasPrefix(p, a+"/") }) {
			t.Errorf("%s comes along with the library", p)
		}
	}
}

// Package weft needs no large packages of the standard library that few lines would use: each
// stands in every program.
func TestStandardPackages(t *testing.T) {
	large := []string{"regexp", "text/template", "html/template", "net/http", "net", "go/ast", "go/types", "testing", "encoding/gob", "encoding/xml", "crypto/tls"}
	for p := range strings.FieldsSeq(goCommand(t, "list", "-deps", "github.com/weft-go/weft")) {
		if slices.Contains(large, p) {
			t.Errorf("%s comes along with the library", p)
		}
	}
}

// The module requires what the library and its tests need; plots, progress bars and the
// tools of the checks belong to modules of their own.
func TestModuleRequirements(t *testing.T) {
	text, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	needed := map[string]string{
		"github.com/x448/float16":      "half precision at the border",
		"google.golang.org/protobuf":   "the wire format of ONNX files",
		"golang.org/x/sys":             "memory maps and CPU features",
		"github.com/ebitengine/purego": "drivers of devices, in packages of their own",
		"github.com/google/go-cmp":     "tests",
		"github.com/stretchr/testify":  "tests",
		"go.yaml.in/yaml/v3":           "testify",
		"golang.org/x/arch":            "tests of the encoder",
		"pgregory.net/rapid":           "tests",
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(strings.TrimPrefix(line, "require "))
		if len(f) >= 2 && strings.HasPrefix(f[1], "v") && needed[f[0]] == "" {
			t.Errorf("go.mod requires %s", f[0])
		}
		if len(f) > 0 && f[0] == "tool" {
			t.Errorf("go.mod has tools: %s", line)
		}
	}
}

// A program that traces, differentiates and runs is at most 15 MiB larger than one that
// prints: it contains the generators of machine code.
func TestBinarySize(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs")
	}
	dir := t.TempDir()
	size := func(name, source string) int64 {
		src := filepath.Join(dir, name+".go")
		if err := os.WriteFile(src, []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
		exe := filepath.Join(dir, name)
		goCommand(t, "build", "-o", exe, src)
		info, err := os.Stat(exe)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	plain := size("plain", "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(1) }\n")
	with := size("with", `package main

import (
	"fmt"

	"github.com/weft-go/weft"
)

func main() { fmt.Println(weft.Jit(weft.Vmap(weft.Grad(weft.Sin)))(weft.Arange(4.))) }
`)
	t.Logf("%.1f MB, of which %.1f are Go's", float64(with)/1e6, float64(plain)/1e6)
	if with-plain > 15<<20 {
		t.Errorf("the library adds %d bytes to a program", with-plain)
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, stated, _ := strings.Cut(string(readme), "a program grows by ")
	stated, _, _ = strings.Cut(stated, " MB")
	if mb, err := strconv.ParseFloat(stated, 64); goruntime.GOARCH == "amd64" && goruntime.GOOS == "linux" && (err != nil || math.Abs(mb-float64(with-plain)/1e6) > 0.5) {
		t.Errorf("README states that a program grows by %q MB, want %.1f", stated, float64(with-plain)/1e6)
	}
}
