package mesh

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

const saveOp = "mesh.Save"

// Save writes the arrays of x to a directory, from which Load reads them on any number of
// processes. In a job all processes call it with one directory, which all of them see: each writes
// the pieces of its devices, and the first one the arrays that are whole.
//
// A checkpoint that is in the directory stays until the new one is complete. If any process fails, as
// with a full disk, or has other arrays or another directory than the first process, all return an
// error that says so, and the former checkpoint is still there.
func Save[T any](dir string, x T) error {
	var t savedTree
	err := core.Catch(func() {
		form := leaves.Of[T](saveOp, weft.FromValue)
		vals, _ := form.Values(saveOp, &x)
		defer leaves.NameOp(saveOp)
		runtime.Ask(runtime.Context())
		requireDir(dir)
		for i, path := range form.Paths(&x) {
			t.add(path, vals[i])
		}
		if rank() == 0 {
			requireOwn(dir)
		}
	})
	return t.save(dir, err)
}

type savedTree struct {
	arrays []savedArray
	pieces map[string]weft.Array
	text   strings.Builder // what must be the same in all processes: a line for each array, with how it is cut
}

// add adds an array and the pieces of it that the process writes.
func (t *savedTree) add(path string, v core.Value) {
	i, a := len(t.arrays), v.Aval()
	if t.pieces == nil {
		t.pieces = map[string]weft.Array{}
	}
	t.arrays = append(t.arrays, saved(path, a))
	if p, ok := v.(*transforms.Placed); ok {
		p = p.Current("")
		m, s := Mesh{ir: p.Mesh}, Spec{p.Spec}
		fmt.Fprintf(&t.text, "%v cut as %v on %v\n", t.arrays[i], s, m)
		for p := range placedShards(p) {
			if first(m, s, p.Device) {
				t.pieces[pieceName(i, p.Start)] = inFile(p.Piece)
			}
		}
		return
	}
	requireKnown(saveOp, path, v)
	if a, ok := v.(*runtime.Array); ok {
		a.Live("")
	}
	fmt.Fprintf(&t.text, "%v in each process\n", t.arrays[i])
	if rank() == 0 {
		t.pieces[pieceName(i, make([]int, a.Rank()))] = inFile(weft.FromValue(v))
	}
}

// inFile returns an array as it is written: as bytes if its elements have one byte and the format has no name for their
// type. The index has the type.
func inFile(x weft.Array) weft.Array {
	switch dt := x.DType(); {
	case dt.Size() != 1, dt.Bits() == 8 && !dt.IsFloat(), dt == core.Float8E4M3FN, dt == core.Float8E5M2, dt == core.Float8E8M0FNU:
		return x
	}
	a, ok := x.Value().(*runtime.Array)
	if !ok {
		a = runtime.FromLiteral(x.Value().(core.Literal))
	}
	a, err := runtime.Place(runtime.Context(), runtime.Reference, a)
	if err != nil {
		panic(err)
	}
	b := runtime.New(a.Aval().WithDType(core.Uint8))
	copy(b.Tensor().Data, a.Tensor().Data)
	return weft.FromValue(b)
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
func (t *savedTree) save(dir string, err error) error {
	id, err := t.begin(err)
	if err != nil {
		return err
	}
	name := func(rank int) string { return fmt.Sprintf("%s-%d.safetensors", id, rank) }
	own := filepath.Join(dir, name(rank()))
	size := make([]byte, 8)
	if err = os.MkdirAll(dir, 0o777); err == nil {
		var n int64
		n, err = writeFile(own, func(w io.Writer) error { return weft.Save(w, t.pieces) })
		binary.LittleEndian.PutUint64(size, uint64(n))
	}
	settle := func(err error) ([]byte, error) {
		sizes, err, lost := agree(err, size)
		if err != nil && !lost { // otherwise the new index may name the file
			os.Remove(own)
		}
		return sizes, err
	}
	sizes, err := settle(err)
	if err != nil {
		return err
	}
	if rank() == 0 {
		x := index{Format: 1, Arrays: append([]savedArray{}, t.arrays...)}
		var missing []string
		for k := range len(sizes) / len(size) {
			x.Files = append(x.Files, name(k))
			info, err := os.Stat(filepath.Join(dir, name(k)))
			if err != nil || uint64(info.Size()) != binary.LittleEndian.Uint64(sizes[k*len(size):]) {
				missing = append(missing, fmt.Sprint(k))
			}
		}
		if missing == nil {
			err = replaceIndex(dir, id, x)
		} else {
			word := "process"
			if len(missing) > 1 {
				word = "processes"
			}
			err = fmt.Errorf("it does not find the files of %s %s in %s; give all processes one directory, on a disk that they share", word, strings.Join(missing, ", "), dir)
		}
	}
	_, err = settle(err)
	return err
}

// begin returns the beginning of the names of files, which the first process chooses. It fails if a process has an error, or
// another tree than the first process.
func (t *savedTree) begin(err error) (id string, _ error) {
	digest := sha256.Sum256([]byte(t.text.String()))
	note := append(make([]byte, 8), digest[:]...)
	rand.Read(note[:8])
	notes, err, _ := agree(err, note)
	if err != nil {
		return "", err
	}
	same := true
	for k := range len(notes) / len(note) {
		same = same && string(notes[k*len(note)+8:(k+1)*len(note)]) == string(digest[:])
	}
	if same {
		return hex.EncodeToString(notes[:8]), nil
	}
	texts, err := allTexts(runtime.Context(), t.text.String())
	if err != nil {
		return "", fmt.Errorf("%s: %w", saveOp, err)
	}
	for k, text := range texts {
		if line, there, here := parting(texts[0], text); line > 0 {
			return "", fmt.Errorf("%s: processes save different trees: array %d is %q in process 0, and %q in process %d; pass the same tree, cut alike, in each", saveOp, line-1, there, here, k)
		}
	}
	return "", fmt.Errorf("%s: the processes do not agree on their trees; save again", saveOp)
}

// agree returns the notes of all processes, which have one length, or an error if any process has one. All processes call it.
// lost reports that the exchange has failed: this process does not know whether the others have agreed.
func agree(own error, note []byte) (notes []byte, err error, lost bool) {
	text := ""
	if own != nil {
		e, named := own.(*core.Error)
		named = named && e.Op == saveOp
		_, size := jobSize()
		switch {
		case size == 1 && named:
			return nil, own, false
		case size == 1:
			return nil, fmt.Errorf("%s: %w", saveOp, own), false
		case named:
			bare := *e
			bare.Op, own = "", &bare
		}
		text = own.Error()
	}
	all, err := everyone(runtime.Context(), append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), note...))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", saveOp, err), true
	}
	failed := false
	for n := 8 + len(note); len(all) > 0; all = all[n:] {
		failed = failed || binary.LittleEndian.Uint64(all) > 0
		notes = append(notes, all[8:n]...)
	}
	if !failed {
		return notes, nil, false
	}
	texts, err := allTexts(runtime.Context(), text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", saveOp, err), false
	}
	for k, text := range texts {
		switch {
		case text == "":
		case k == rank():
			return nil, fmt.Errorf("%s: process %d: %w", saveOp, k, own), false
		default:
			return nil, fmt.Errorf("%s: process %d: %s", saveOp, k, text), false
		}
	}
	return nil, fmt.Errorf("%s: the processes do not agree on their errors; save again", saveOp), false
}
