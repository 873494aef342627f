package mesh

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/weft-go/weft/core"
)

// A checkpoint is a directory. Each process has written the pieces of its devices to a file in the
// safetensors format; index.json names the files, and the types of the whole arrays. A new
// checkpoint is complete when its index takes the place of the former one. Then the files of the
// former one are removed.

const indexName = "index.json"

type index struct {
	Format int          `json:"format"`
	Arrays []savedArray `json:"arrays"`
	Files  []string     `json:"files"`
}

type savedArray struct {
	Path  string `json:"path"`
	DType string `json:"dtype"`
	Shape []int  `json:"shape"`
}

func saved(path string, a core.ShapedArray) savedArray {
	return savedArray{path, a.DType.Long(), append([]int{}, a.Shape.Ints()...)}
}

// String returns the array as messages show it: .Layers[2].W float32[3 4].
func (a savedArray) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s%v", a.Path, a.DType, a.Shape))
}

// pieceName returns the name of a piece in a file: the number of the array, and where the piece
// begins.
func pieceName(array int, start []int) string {
	words := make([]string, len(start))
	for i, n := range start {
		words[i] = fmt.Sprint(n)
	}
	return fmt.Sprintf("%d@%s", array, strings.Join(words, ","))
}

// requireDir refuses an empty name, which is likely a missing setting.
func requireDir(dir string) {
	if dir == "" {
		core.Failf(core.ErrStatic, `the directory has no name; pass its path, "." for the current one`)
	}
}

// requireOwn refuses a directory with an index that is no checkpoint's.
func requireOwn(dir string) {
	name := filepath.Join(dir, indexName)
	b, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return
	case err != nil:
		panic(&core.Error{Kind: core.ErrStatic, Pos: core.HerePos(), Msg: "the directory cannot be used; save to another one", Err: err})
	}
	if x, err := parseIndex(b); err != nil || x.Arrays == nil || x.Files == nil {
		core.Failf(core.ErrStatic, "the file %s is not the index of a checkpoint, and would be lost; save to another directory, or remove it", name)
	}
}

// parseIndex reads an index, of whatever format.
func parseIndex(b []byte) (x index, err error) {
	if err := json.Unmarshal(b, &x); err != nil {
		return x, fmt.Errorf("%s is damaged: %w", indexName, err)
	}
	if x.Format < 1 {
		return x, fmt.Errorf("%s is not the index of a checkpoint; pass a directory that mesh.Save has written", indexName)
	}
	return x, nil
}

// replaceIndex makes x the index of the directory. Then it removes the files of the former checkpoint, and files
// that an earlier save has left behind. The names of the new checkpoint's files begin with id.
func replaceIndex(dir, id string, x index) error {
	b, err := json.MarshalIndent(x, "", " ")
	if err != nil {
		return err
	}
	name, next := filepath.Join(dir, indexName), filepath.Join(dir, id+"-"+indexName)
	if _, err := writeFile(next, func(w io.Writer) error { _, err := w.Write(b); return err }); err != nil {
		os.Remove(next)
		return err
	}
	var former index
	var since time.Time
	if info, err := os.Stat(name); err == nil {
		since = info.ModTime()
		b, _ := os.ReadFile(name)
		former, _ = parseIndex(b)
	}
	if err := os.Rename(next, name); err != nil {
		os.Remove(next)
		return err
	}
	syncDir(dir)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || !ownFile.MatchString(name) || slices.Contains(x.Files, name) {
			continue
		}
		// A file that is newer than the former index may be of a job that saves to this directory now.
		if info, err := e.Info(); slices.Contains(former.Files, name) || err == nil && info.ModTime().Before(since) {
			os.Remove(filepath.Join(dir, name)) // if this fails, a later save removes the file
		}
	}
	return nil
}

// ownFile matches the names of files of pieces, and of new indexes until they are renamed. Other files in the
// directory are left alone.
var ownFile = regexp.MustCompile(`^[0-9a-f]{16}-([0-9]+\.safetensors|index\.json)$`)

// A file is what writeFile writes to.
type file interface {
	io.WriteCloser
	Sync() error
	Stat() (fs.FileInfo, error)
}

// create makes a file, which must not exist. Tests replace it by one on a full disk.
var create = func(name string) (file, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// writeFile writes a file, which is on the disk when it returns, and returns its size.
func writeFile(name string, write func(io.Writer) error) (size int64, err error) {
	f, err := create(name)
	if err != nil {
		return 0, err
	}
	if err = write(f); err == nil {
		err = f.Sync()
	}
	info, e := f.Stat()
	if err = errors.Join(err, e); err == nil {
		size = info.Size()
	}
	return size, errors.Join(err, f.Close())
}

// syncDir makes a renamed file last through a power failure, where the system can.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}
