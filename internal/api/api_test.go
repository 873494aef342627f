package api

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the lists anew")

// public are the packages that users import.
var public = []string{".", "nn", "custom", "fft", "special", "stats", "stablehlo", "lax", "random", "optim", "data", "ode", "wefttest", "jaxpr", "trace", "promote"}

// Every exported name stands in testdata/api.txt: who changes the surface changes the
// list, and a reviewer sees it.
func TestSurface(t *testing.T) {
	var b bytes.Buffer
	for _, dir := range public {
		list, err := Exported(filepath.Join("..", "..", dir))
		if err != nil {
			t.Fatal(err)
		}
		name := dir
		if dir == "." {
			name = "weft"
		}
		b.WriteString("== " + name + "\n" + strings.Join(list, "\n") + "\n\n")
	}
	golden(t, filepath.Join("testdata", "api.txt"), b.Bytes())
}

// Package weft has at most 350 exported functions and methods: what JAX keeps in a
// sub-package is a package here, and no function has a twin for a dtype or a configuration.
// Package custom has ten functions, the constructors of two handles, and an option.
func TestFewFunctions(t *testing.T) {
	for _, c := range []struct {
		dir     string
		methods bool
		most    int
	}{{".", true, 350}, {"custom", false, 13}} {
		list, err := Exported(filepath.Join("..", "..", c.dir))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, line := range list {
			if strings.HasPrefix(line, "func ") && (c.methods || !strings.HasPrefix(line, "func (")) {
				n++
			}
		}
		if n > c.most {
			t.Errorf("%s: got %d exported functions, want at most %d", c.dir, n, c.most)
		}
		t.Logf("%s: %d functions", c.dir, n)
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); d != "" {
		t.Errorf("%s is not what the module has; look at the difference, then renew it with go test ./internal/api -update:\n%s", file, d)
	}
}
