// Package goldenfile opens the files of golden data: those of the whole collection if the
// variable WEFT_GOLDEN names its folder, else a subset beside the test. It is for tests only, and
// imports nothing from the module, so that tests of every package can use it.
package goldenfile

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/weft-go/weft/internal/test/collector" // garbage is collected less often
)

// Dir returns the folder of the whole collection, or "" if there is none.
func Dir() string { return os.Getenv("WEFT_GOLDEN") }

// Whole reports whether tests read the whole collection.
func Whole() bool { return Dir() != "" }

// Path returns the path of a file: name below the whole collection if that has it, else subset.
// It skips the test where there is neither.
func Path(t testing.TB, name, subset string) string {
	t.Helper()
	if Whole() {
		file := filepath.Join(Dir(), filepath.FromSlash(name))
		if _, err := os.Stat(file); err == nil || subset == "" {
			return file
		}
	}
	if subset == "" {
		t.Skipf("WEFT_GOLDEN names no folder, and there is no subset of %s", name)
	}
	return filepath.FromSlash(subset)
}

// Open opens the file at [Path], decompressed if its name ends in .gz.
func Open(t testing.TB, name, subset string) io.Reader {
	t.Helper()
	return OpenFile(t, Path(t, name, subset))
}

// OpenFile opens a file that [Path] returned.
func OpenFile(t testing.TB, file string) io.Reader {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	return reader(t, f, file)
}

// OpenFS returns [Open] with a subset in a file system.
func OpenFS(t testing.TB, name string, fsys fs.FS, subset string) io.Reader {
	t.Helper()
	if Whole() {
		return Open(t, name, "")
	}
	f, err := fsys.Open(subset)
	if err != nil {
		t.Fatal(err)
	}
	return reader(t, f, subset)
}

func reader(t testing.TB, f io.ReadCloser, name string) io.Reader {
	t.Helper()
	t.Cleanup(func() { f.Close() })
	if !strings.HasSuffix(name, ".gz") {
		return f
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return z
}

// Lines iterates over the lines of r that are not empty. A line is valid for one iteration.
func Lines(t testing.TB, r io.Reader) iter.Seq[[]byte] {
	return func(yield func(line []byte) bool) {
		t.Helper()
		s := bufio.NewScanner(r)
		s.Buffer(nil, 1<<26)
		n := 0
		for s.Scan() {
			if len(s.Bytes()) == 0 {
				continue
			}
			n++
			if !yield(s.Bytes()) {
				return
			}
		}
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			t.Fatal("the golden data has no line")
		}
	}
}

// Records iterates over the lines of r, decoded from JSON.
func Records[T any](t testing.TB, r io.Reader) iter.Seq[T] {
	return func(yield func(rec T) bool) {
		t.Helper()
		for line := range Lines(t, r) {
			var rec T
			if err := json.Unmarshal(line, &rec); err != nil {
				t.Fatalf("%v in %.200s", err, line)
			}
			if !yield(rec) {
				return
			}
		}
	}
}
