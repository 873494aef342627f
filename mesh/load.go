package mesh

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

// Load returns a tree of like's structure with the arrays of a checkpoint that Save has written, cut as
// Put cuts them. A process reads what its devices need, whatever the mesh, the specs and the number
// of processes were when it was saved. If there is no checkpoint the error wraps fs.ErrNotExist. In a job all
// processes call it, and fail if one of them finds another checkpoint than the others, or none.
//
// On a mesh with devices ([Mesh.On]) the pieces lie there.
func Load[T any](dir string, m Mesh, specs any, like T) (x T, err error) {
	const op = "mesh.Load"
	var opened error
	err = core.Catch(func() {
		checkSpecs(op, specs, 0)
		form := leaves.Of[T](op, weft.FromValue)
		vals, def := form.Values(op, &like)
		defer leaves.NameOp(op)
		requireDir(dir)
		var c *checkpoint
		c, opened = openCheckpoint(dir)
		if opened == nil {
			defer c.close()
		}
		if opened = sameCheckpoint(c, opened); opened != nil {
			return
		}
		paths := form.Paths(&like)
		if len(paths) != len(c.Arrays) {
			core.Failf(core.ErrTree, "the checkpoint in %s has %s (want %d); pass a tree of the form that was saved", dir, core.Count(len(c.Arrays), "array"), len(paths))
		}
		for i, s := range form.Prefix(&like, specs, isSpec) {
			a := vals[i].Aval()
			if got, want := c.Arrays[i], saved(paths[i], a); got.Path != want.Path || got.DType != want.DType || !slices.Equal(got.Shape, want.Shape) {
				core.Failf(core.ErrTree, "array %d of the checkpoint in %s is %v (want %v); pass a tree of the form that was saved", i, dir, got, want)
			}
			s.(Spec).requireFits(m, paths[i], a)
			if m.on != nil {
				vals[i] = m.put(op, s.(Spec), c.whole(i, a))
				continue
			}
			vals[i] = c.load(i, a, m, s.(Spec))
		}
		x = leaves.Together[T](def, vals, weft.FromValue)
	})
	if opened != nil {
		return x, fmt.Errorf("%s: the checkpoint in %s cannot be read: %w", op, dir, opened)
	}
	return x, err
}

// load reads array i: all of it, or this process's pieces.
func (c *checkpoint) load(i int, a core.ShapedArray, m Mesh, s Spec) core.Value {
	piece := s.ir.Piece(m.ir, "the array", a)
	if len(s.ir.Names()) == 0 {
		return c.whole(i, a)
	}
	return transforms.PlaceOwn(m.ir, s.ir, a, text, func(pieces core.ShapedArray) core.Value {
		x := runtime.New(pieces)
		data := x.Tensor().Data
		n := piece.Size() * piece.DType.Size()
		for d := range m.own(s) {
			c.fill(i, a, starts(m, s, piece, d), piece.Shape.Ints(), data[:n])
			data = data[n:]
		}
		return x
	})
}

func (c *checkpoint) whole(i int, a core.ShapedArray) *runtime.Array {
	x := runtime.New(a)
	c.fill(i, a, make([]int, a.Rank()), a.Shape.Ints(), x.Tensor().Data)
	return x
}

type checkpoint struct {
	index
	digest [sha256.Size]byte // of the index
	files  []*os.File
	pieces [][]savedPiece  // of each array
	names  map[string]bool // of the pieces
}

type savedPiece struct {
	f            *os.File
	offset       int64
	start, shape []int
}

// openCheckpoint opens the checkpoint in a directory. If that fails and a new one has taken its place, it opens that.
func openCheckpoint(dir string) (*checkpoint, error) {
	for {
		c := &checkpoint{}
		err := c.open(dir)
		if err == nil {
			return c, nil
		}
		c.close()
		if b, e := os.ReadFile(filepath.Join(dir, indexName)); e != nil || c.names == nil || sha256.Sum256(b) == c.digest {
			return nil, err
		}
	}
}

func (c *checkpoint) open(dir string) error {
	b, err := os.ReadFile(filepath.Join(dir, indexName))
	if err != nil {
		return err
	}
	if c.index, err = parseIndex(b); err != nil {
		return err
	}
	c.digest, c.names = sha256.Sum256(b), map[string]bool{}
	if c.Format != 1 {
		return fmt.Errorf("%s has the format %d (want 1); load it with the version of Weft that wrote it", indexName, c.Format)
	}
	c.pieces = make([][]savedPiece, len(c.Arrays))
	for _, name := range c.Files {
		if name != filepath.Base(name) {
			return fmt.Errorf("%s names the file %q outside of the directory; write the checkpoint again", indexName, name)
		}
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil { // callers must not see fs.ErrNotExist: there is a checkpoint
			return fmt.Errorf("%s names the file %s: %v; copy all files of the checkpoint", indexName, name, err)
		}
		c.files = append(c.files, f)
		if err := c.read(f); err != nil {
			return fmt.Errorf("%s is damaged: %w", name, err)
		}
	}
	return nil
}

// sameCheckpoint compares what the processes of a job have opened, c or the error err. It returns the process's error, or one
// that states how another process differs.
func sameCheckpoint(c *checkpoint, err error) error {
	const found, absent, unreadable = 0, 1, 2
	note := make([]byte, 1+sha256.Size)
	switch {
	case err == nil:
		copy(note[1:], c.digest[:])
	case errors.Is(err, fs.ErrNotExist):
		note[0] = absent
	default:
		note[0] = unreadable
	}
	notes, lost := everyone(runtime.Context(), note)
	if lost != nil {
		return errors.Join(err, lost)
	}
	for k := range len(notes) / len(note) {
		switch other := notes[k*len(note) : (k+1)*len(note)]; {
		case other[0] == unreadable && note[0] == found:
			return fmt.Errorf("process %d cannot read it; its error names the fix", k)
		case other[0] == absent && note[0] == found:
			return fmt.Errorf("process %d finds no checkpoint; give all processes one directory, on a disk that they share", k)
		case other[0] == found && note[0] == absent:
			return fmt.Errorf("process %d finds one, and this process none; give all processes one directory, on a disk that they share", k)
		case other[0] == found && note[0] == found && string(other) != string(note):
			return fmt.Errorf("process %d finds another checkpoint; give all processes one directory, on a disk that they share", k)
		}
	}
	return err
}

func (c *checkpoint) close() {
	for _, f := range c.files {
		f.Close()
	}
}

// read lists the pieces in a file.
func (c *checkpoint) read(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var head [8]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return err
	}
	n := binary.LittleEndian.Uint64(head[:])
	if n > uint64(info.Size()) {
		return fmt.Errorf("its header has %d bytes, the file %d; write the checkpoint again", n, info.Size())
	}
	b := make([]byte, n)
	if _, err := f.ReadAt(b, 8); err != nil {
		return err
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(b, &entries); err != nil {
		return err
	}
	for name, raw := range entries {
		if strings.HasPrefix(name, "__") {
			continue
		}
		var e struct {
			Shape   []int    `json:"shape"`
			Offsets [2]int64 `json:"data_offsets"`
		}
		if err := json.Unmarshal(raw, &e); err != nil {
			return err
		}
		array, start, ok := parsePieceName(name)
		if !ok || array >= len(c.Arrays) || len(start) != len(c.Arrays[array].Shape) || len(e.Shape) < len(start) {
			return fmt.Errorf("it has no piece %q; write the checkpoint again", name)
		}
		if name = pieceName(array, start); c.names[name] {
			return fmt.Errorf("it has piece %q, which another file has, too; write the checkpoint again", name)
		}
		c.names[name] = true
		p := savedPiece{f: f, offset: 8 + int64(n) + e.Offsets[0], start: start, shape: e.Shape[:len(start)]}
		for i, size := range c.Arrays[array].Shape {
			if start[i] < 0 || p.shape[i] < 0 || start[i] > size || p.shape[i] > size-start[i] {
				return fmt.Errorf("piece %q lies outside of its array; write the checkpoint again", name)
			}
		}
		c.pieces[array] = append(c.pieces[array], p)
	}
	return nil
}

func parsePieceName(name string) (array int, start []int, ok bool) {
	number, rest, ok := strings.Cut(name, "@")
	array, err := strconv.Atoi(number)
	if !ok || err != nil || array < 0 {
		return 0, nil, false
	}
	for word := range strings.SplitSeq(rest, ",") {
		if rest == "" {
			break
		}
		n, err := strconv.Atoi(word)
		if err != nil {
			return 0, nil, false
		}
		start = append(start, n)
	}
	return array, start, true
}

// fill reads the elements of array i that begin at start into data, from all pieces that have some
// of them.
func (c *checkpoint) fill(i int, a core.ShapedArray, start, shape []int, data []byte) {
	width := a.DType.Size()
	filled := 0
	for _, p := range c.pieces[i] {
		n, err := p.copyTo(start, shape, width, data)
		if err != nil {
			core.Failf(core.ErrDevice, "array %d, %v, of the checkpoint cannot be read: %v; write the checkpoint again", i, c.Arrays[i], err)
		}
		filled += n
	}
	if filled != len(data) {
		core.Failf(core.ErrDevice, "array %d, %v, of the checkpoint is not complete: %d of %d bytes are there; write the checkpoint again", i, c.Arrays[i], filled, len(data))
	}
}

// copyTo reads what a piece has of a part of its array, and returns how many bytes that is.
func (p savedPiece) copyTo(start, shape []int, width int, data []byte) (n int, err error) {
	rank := len(start)
	lo, hi := make([]int, rank), make([]int, rank) // in the array
	for i := range rank {
		lo[i], hi[i] = max(start[i], p.start[i]), min(start[i]+shape[i], p.start[i]+p.shape[i])
		if lo[i] >= hi[i] {
			return 0, nil
		}
	}
	// One read takes the last axes along which the piece and the part are the same, and what they share of the axis before.
	run, axis := width, rank
	for axis > 0 {
		axis--
		run *= hi[axis] - lo[axis]
		if hi[axis]-lo[axis] != shape[axis] || shape[axis] != p.shape[axis] {
			break
		}
	}
	flat := func(at, start, shape []int) int {
		k := 0
		for i := range at {
			k = k*shape[i] + at[i] - start[i]
		}
		return k * width
	}
	at := slices.Clone(lo)
	for {
		to := flat(at, start, shape)
		if _, err := p.f.ReadAt(data[to:to+run], p.offset+int64(flat(at, p.start, p.shape))); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return n, err
		}
		n += run
		i := axis - 1
		for ; i >= 0; i-- {
			if at[i]++; at[i] < hi[i] {
				break
			}
			at[i] = lo[i]
		}
		if i < 0 {
			return n, nil
		}
	}
}
