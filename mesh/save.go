package mesh

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

// A checkpoint is a directory. Each process has written the pieces of its devices to a file in the
// safetensors format; index.json names the files, and the types of the whole arrays. A new
// checkpoint is complete when its index takes the place of the former one. Then the files that the
// new index does not name are removed.

const indexName = "index.json"

// An index describes a checkpoint.
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

// Save writes the arrays of x to a directory, from which Load reads them on any number of
// processes. In a job all processes call it with one directory, which all of them see: each writes
// the pieces of its devices, and the first one the arrays that are whole.
//
// A checkpoint that is in the directory stays until the new one is complete. If any process
// fails, as with a full disk, all return its error, and the former checkpoint is still there.
func Save[T any](dir string, x T) error {
	const op = "mesh.Save"
	var arrays []savedArray
	pieces := map[string]weft.Array{}
	err := core.Catch(func() {
		form := leaves.Of[T](op, weft.FromValue)
		vals, _ := form.Values(op, &x)
		defer leaves.NameOp(op)
		for i, path := range form.Paths(&x) {
			a := vals[i].Aval()
			arrays = append(arrays, saved(path, a))
			switch p, ok := vals[i].(*transforms.Placed); {
			case ok:
				for s := range placedShards(p.Current("")) {
					if first(Mesh{ir: p.Mesh}, Spec{p.Spec}, s.Device) {
						pieces[pieceName(i, s.Start)] = s.Piece
					}
				}
			case rank() == 0:
				requireKnown(op, path, vals[i])
				pieces[pieceName(i, make([]int, a.Rank()))] = weft.FromValue(vals[i])
			}
		}
	})
	return save(op, dir, arrays, pieces, err)
}

// first reports whether no device before this one has the same piece.
func first(m Mesh, s Spec, device int) bool {
	at := m.coordinates(device)
	for _, name := range m.names() {
		if !slices.Contains(s.ir.Names(), name) && at[name] != 0 {
			return false
		}
	}
	return true
}

// save writes the files of a checkpoint. A process with an error writes nothing, but the others
// learn of it.
func save(op, dir string, arrays []savedArray, pieces map[string]weft.Array, err error) error {
	id := make([]byte, 8)
	rand.Read(id)
	ids, lost := everyone(runtime.Context(), id)
	if lost != nil {
		return fmt.Errorf("%s: %w", op, lost)
	}
	name := func(rank int) string {
		return fmt.Sprintf("%s-%d.safetensors", hex.EncodeToString(ids[:len(id)]), rank)
	}
	own := filepath.Join(dir, name(rank()))
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	if err == nil {
		err = writeFile(own, func(w io.Writer) error { return weft.Save(w, pieces) })
	}
	settle := func(err error) error {
		err, lost := agree(op, err)
		if err != nil && !lost { // otherwise the new index may name the file
			os.Remove(own)
		}
		return err
	}
	if err := settle(err); err != nil {
		return err
	}
	if rank() == 0 {
		x := index{Format: 1, Arrays: arrays}
		for k := range len(ids) / len(id) {
			x.Files = append(x.Files, name(k))
		}
		err = replaceIndex(dir, x)
	}
	return settle(err)
}

// replaceIndex makes x the index of the directory, and removes the files of former ones.
func replaceIndex(dir string, x index) error {
	b, err := json.MarshalIndent(x, "", " ")
	if err != nil {
		return err
	}
	next := filepath.Join(dir, indexName+".new")
	if err := writeFile(next, func(w io.Writer) error { _, err := w.Write(b); return err }); err != nil {
		os.Remove(next)
		return err
	}
	if err := os.Rename(next, filepath.Join(dir, indexName)); err != nil {
		os.Remove(next)
		return err
	}
	syncDir(dir)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if name := e.Name(); piecesFile.MatchString(name) && !slices.Contains(x.Files, name) {
			os.Remove(filepath.Join(dir, name)) // one that stays is removed with the next checkpoint
		}
	}
	return nil
}

// piecesFile matches the names of files of pieces: what else lies in the directory is not ours.
var piecesFile = regexp.MustCompile(`^[0-9a-f]{16}-[0-9]+\.safetensors$`)

// A file is what writeFile writes to.
type file interface {
	io.WriteCloser
	Sync() error
}

// create opens a file for writing. Tests replace it by one on a full disk.
var create = func(name string) (file, error) { return os.Create(name) }

// writeFile writes a file, which is on the disk when it returns.
func writeFile(name string, write func(io.Writer) error) error {
	f, err := create(name)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// syncDir makes a renamed file last through a power failure, where the system can.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}

// statusBytes is the number of bytes of an error that a process tells the others.
const statusBytes = 256

// agree returns an error if any process has one. All processes call it. lost states that the
// exchange has failed: this process does not know whether the others have agreed.
func agree(op string, own error) (err error, lost bool) {
	status := make([]byte, statusBytes)
	if own != nil {
		copy(status, own.Error())
		if _, size := jobSize(); size == 1 {
			return fmt.Errorf("%s: %w", op, own), false
		}
	}
	all, err := everyone(runtime.Context(), status)
	if err != nil {
		return fmt.Errorf("%s: %w", op, err), true
	}
	for k := 0; k < len(all); k += statusBytes {
		if text := bytes.TrimRight(all[k:k+statusBytes], "\x00"); len(text) > 0 {
			if k/statusBytes == rank() {
				return fmt.Errorf("%s: process %d: %w", op, rank(), own), false
			}
			return fmt.Errorf("%s: process %d: %s", op, k/statusBytes, text), false
		}
	}
	return nil, false
}
