package wefttest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-go/weft"
)

// update is the flag of the test binary, which parses its flags after package initialization.
var update = flag.Bool("update", false, "write golden files anew")

// Golden fails the test unless got is what the file testdata/name holds; with -update
// it writes the file. Line ends of either kind are the same.
func Golden(t testing.TB, name, got string) {
	t.Helper()
	file := goldenFile(name)
	if *update {
		write(t, file, []byte(got))
		return
	}
	want, ok := read(t, file)
	if !ok {
		return
	}
	if d := firstDifference(got, string(want)); d != "" {
		t.Errorf("%s: %s; run the test with -update if it should be so", file, d)
	}
}

// GoldenArrays fails the test unless the arrays of a tree are close to those that the
// file testdata/name holds, see [AllClose]; with -update it writes the file, as
// weft.Save does.
func GoldenArrays[P any](t testing.TB, name string, got P, tol Tolerance) {
	t.Helper()
	file := goldenFile(name)
	if *update {
		var b bytes.Buffer
		if err := weft.Save(&b, got); err != nil {
			t.Errorf("%s: %v", file, err)
			return
		}
		write(t, file, b.Bytes())
		return
	}
	b, ok := read(t, file)
	if !ok {
		return
	}
	// The arrays of got set the expected shapes and types. Load writes into slices, maps and pointers, so it gets a copy.
	want := weft.TreeMap(func(x weft.Array) weft.Array { return x }, got)
	if err := weft.Load(bytes.NewReader(b), &want); err != nil {
		t.Errorf("%s: %v; run the test with -update if it should be so", file, err)
		return
	}
	if d := Difference(got, want, tol); d != "" {
		t.Errorf("%s: %s; run the test with -update if it should be so", file, d)
	}
}

func goldenFile(name string) string { return filepath.Join("testdata", filepath.FromSlash(name)) }

func write(t testing.TB, file string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Error(err)
		return
	}
	if err := os.WriteFile(file, b, 0o666); err != nil {
		t.Error(err)
	}
}

func read(t testing.TB, file string) ([]byte, bool) {
	t.Helper()
	b, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.Errorf("there is no file %s yet; run the test with -update to write it", file)
	case err != nil:
		t.Error(err)
	}
	return b, err == nil
}

// firstDifference names the first line in which two texts differ; it returns "" if they are equal.
func firstDifference(got, want string) string {
	g := strings.Split(strings.ReplaceAll(got, "\r\n", "\n"), "\n")
	w := strings.Split(strings.ReplaceAll(want, "\r\n", "\n"), "\n")
	for i := range max(len(g), len(w)) {
		switch {
		case i >= len(g):
			return fmt.Sprintf("line %d is missing: %q", i+1, w[i])
		case i >= len(w):
			return fmt.Sprintf("line %d should not be there: %q", i+1, g[i])
		case g[i] != w[i]:
			return fmt.Sprintf("line %d is\n%s\nwant\n%s", i+1, g[i], w[i])
		}
	}
	return ""
}
