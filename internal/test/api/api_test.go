package api

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the lists anew")

// public are the packages that users import.
var public = []string{".", "nn", "custom", "linalg", "fft", "special", "stats", "stablehlo", "onnx", "lax", "random", "optim", "data", "ode", "image", "tree", "wefttest", "mesh", "jaxpr", "trace", "promote"}

// Every exported name stands in testdata/api.txt: who changes the surface changes the
// list, and a reviewer reads it.
func TestSurface(t *testing.T) {
	var b bytes.Buffer
	for _, dir := range public {
		list, err := Exported(filepath.Join("..", "..", "..", dir))
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

// Package weft has at most 355 exported functions and methods: what JAX keeps in a
// sub-package is a package here, and no function has a twin for a dtype or a configuration.
// Package custom has ten functions, the constructors of two handles, and an option.
func TestFewFunctions(t *testing.T) {
	for _, c := range []struct {
		dir     string
		methods bool
		most    int
	}{{".", true, 355}, {"custom", false, 13}} {
		list, err := Exported(filepath.Join("..", "..", "..", c.dir))
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

// TestOneFormOfOption requires every option of a function to be an interface of one method
// over a private struct, so that options of several functions can be one value and no type
// of another package stands in the surface; a name is a string. A dtype is an option: the
// only twins for one are those of the constructors Zeros and Ones.
func TestOneFormOfOption(t *testing.T) {
	option := regexp.MustCompile(`^type (\w*Option|Setting) (.*)$`)
	private := regexp.MustCompile(`^interface\{ [a-z]\w*\(\*([a-z]\w*|runtime\.Settings)\) \}$`)
	twin := regexp.MustCompile(`^func (\w+)Of\b`)
	for _, dir := range public {
		list, err := Exported(filepath.Join("..", "..", "..", dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range list {
			if m := option.FindStringSubmatch(line); m != nil && m[1] != "NameOption" && !private.MatchString(m[2]) {
				t.Errorf("%s: %s is no interface over a private struct: got %s", dir, m[1], m[2])
			}
			m := twin.FindStringSubmatch(line)
			if m == nil || dir == "trace" || dir == "promote" || dir == "." && (m[1] == "Zeros" || m[1] == "Ones") {
				continue
			}
			for _, other := range list {
				if strings.HasPrefix(other, "func "+m[1]+"(") || strings.HasPrefix(other, "func "+m[1]+"[") {
					t.Errorf("%s: %sOf is a twin of %s; make what differs an option", dir, m[1], m[1])
				}
			}
		}
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
		t.Errorf("%s is not what the module has; look at the difference, then renew it with go test ./internal/test/api -update:\n%s", file, d)
	}
}
