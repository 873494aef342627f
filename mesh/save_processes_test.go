package mesh

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/weft-go/weft"
)

// saveAs saves a checkpoint that is right, then one that is not, prints the error, and whether the right one is still there.
func saveAs(part string, rank int) {
	base := os.Getenv("WEFT_TEST_DIR")
	dir := filepath.Join(base, "shared")
	m := New(Axis("x", 4))
	type tree struct{ A, B weft.Array }
	x := tree{weft.Arange(8.), weft.Arange(4.)}
	specs := weft.Axes{"A": P("x"), "B": P()}
	if err := Save(dir, Put(m, specs, x)); err != nil {
		panic(err)
	}
	y := tree{x.A.Mul(2), x.B.Mul(2)}
	into := dir
	switch {
	case part == "save locally" && rank > 0: // a directory that only this process sees
		into = filepath.Join(base, fmt.Sprint("of-", rank))
	case rank != 1:
	case part == "save another shape":
		y.B = weft.Arange(5.)
	case part == "save another spec":
		specs["A"] = P()
	case part == "save nothing":
		into = ""
	case part == "save to a file":
		into = filepath.Join(base, "file")
		if err := os.WriteFile(into, nil, 0o666); err != nil {
			panic(err)
		}
	case part == "save short":
		create = func(name string) (file, error) { return &shortFile{name: name}, nil }
	}
	fmt.Println(Save(into, Put(m, specs, y)))
	z, err := Load(dir, m, P(), x)
	if err != nil || !z.A.Equal(x.A) || !z.B.Equal(x.B) {
		fmt.Println("the former checkpoint:", z, err)
	}
}

// loadAs loads a checkpoint, which some processes do not find, or find another one, and prints the error.
func loadAs(part string, rank int) {
	base := os.Getenv("WEFT_TEST_DIR")
	dir := filepath.Join(base, "of-0")
	m, x := New(Axis("x", 4)), weft.Arange(8.)
	for k := range 2 {
		if err := Save(filepath.Join(base, fmt.Sprint("of-", k)), Put(m, P("x"), x.Add(k))); err != nil {
			panic(err)
		}
	}
	switch {
	case part == "load none":
		dir = filepath.Join(base, "none")
	case rank == 0:
	case part == "load another":
		dir = filepath.Join(base, "of-1")
	case part == "load one":
		dir = filepath.Join(base, "none")
	}
	_, err := Load(dir, m, P("x"), x)
	fmt.Println(errors.Is(err, fs.ErrNotExist), err)
}

// shortFile loses what is written to it.
type shortFile struct{ name string }

func (f *shortFile) Write(b []byte) (int, error) { return len(b), nil }
func (f *shortFile) Sync() error                 { return nil }
func (f *shortFile) Stat() (os.FileInfo, error)  { return os.Stat(os.Args[0]) }
func (f *shortFile) Close() error                { return os.WriteFile(f.name, []byte("short"), 0o666) }

// A checkpoint that is not complete is an error in all processes, and the former one stays.
func TestSaveInProcesses(t *testing.T) {
	for part, want := range map[string]string{
		"save locally":       "mesh.Save: process 0: it does not find the files of processes 1, 2, 3 in DIR/shared; give all processes one directory, on a disk that they share",
		"save another shape": `mesh.Save: processes save different trees: array 1 is ".B float32[4] in each process" in process 0, and ".B float32[5] in each process" in process 1; pass the same tree, cut alike, in each`,
		"save another spec":  `mesh.Save: processes save different trees: array 0 is ".A float32[8] cut as P('x',) on x=4" in process 0, and ".A float32[8] in each process" in process 1; pass the same tree, cut alike, in each`,
		"save nothing":       `mesh.Save: process 1: the directory has no name; pass its path, "." for the current one`,
		"save to a file":     "mesh.Save: process 1: mkdir DIR/file: not a directory",
		"save short":         "mesh.Save: process 0: it does not find the files of process 1 in DIR/shared; give all processes one directory, on a disk that they share",
	} {
		dir := t.TempDir()
		printed, _ := runJob(t, part, 4, "WEFT_TEST_DIR="+dir)
		for rank, got := range printed {
			got = position.ReplaceAllString(strings.ReplaceAll(got, dir, "DIR"), "")
			if got != want+"\n" {
				t.Errorf("%s, process %d: got %q, want %q", part, rank, got, want)
			}
		}
		for k, want := range map[string]int{"shared": 4, "of-1": 0, "of-3": 0} {
			if files, _ := filepath.Glob(filepath.Join(dir, k, "*-*")); len(files) != want {
				t.Errorf("%s: %s has the files %v, want %d", part, k, files, want)
			}
		}
	}
}

var position = regexp.MustCompile(`\w+\.go:\d+: `)

// Processes that find different checkpoints, or only some of which find one, go on with none.
func TestLoadInProcesses(t *testing.T) {
	for part, want := range map[string][2]string{
		"load one": {"false mesh.Load: the checkpoint in DIR/of-0 cannot be read: process 1 finds no checkpoint; give all processes one directory, on a disk that they share",
			"false mesh.Load: the checkpoint in DIR/none cannot be read: process 0 finds one, and this process none; give all processes one directory, on a disk that they share"},
		"load another": {"false mesh.Load: the checkpoint in DIR/of-0 cannot be read: process 1 finds another checkpoint; give all processes one directory, on a disk that they share",
			"false mesh.Load: the checkpoint in DIR/of-1 cannot be read: process 0 finds another checkpoint; give all processes one directory, on a disk that they share"},
		"load none": {"true mesh.Load: the checkpoint in DIR/none cannot be read: open DIR/none/index.json: no such file or directory",
			"true mesh.Load: the checkpoint in DIR/none cannot be read: open DIR/none/index.json: no such file or directory"},
		"load": {"false <nil>", "false <nil>"},
	} {
		dir := t.TempDir()
		printed, _ := runJob(t, part, 2, "WEFT_TEST_DIR="+dir)
		for rank, got := range printed {
			if got = strings.ReplaceAll(got, dir, "DIR"); got != want[rank]+"\n" {
				t.Errorf("%s, process %d: got %q, want %q", part, rank, got, want[rank])
			}
		}
	}
}
