package weft

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/encode"
	"github.com/weft-go/weft/runtime"
)

const maxHeader = 100 << 20

// readSafe reads all arrays of a file, which is in the safetensors format or in one of NumPy's.
func readSafe(r io.Reader, limit int64) (map[string]loaded, error) {
	bad := func(format string, args ...any) error {
		return &core.Error{Kind: core.ErrParse, Op: "Load", Pos: core.HerePos(), Msg: fmt.Sprintf(format, args...)}
	}
	var size [8]byte
	if k, err := io.ReadFull(r, size[:]); err != nil && (k == 0 || !errors.Is(err, io.ErrUnexpectedEOF)) {
		return nil, bad("the file ends before its header: %v", err)
	} else if arrays, ok, failed := readNumPy(size[:k], r, limit); ok {
		return arrays, failed
	} else if err != nil {
		return nil, bad("the file ends before its header: %v", err)
	}
	n := binary.LittleEndian.Uint64(size[:])
	if n > maxHeader {
		return nil, bad("the file begins with %q, as neither safetensors nor .npz nor .npy do; read other formats in Go, and make arrays with From", size[:])
	}
	h, err := io.ReadAll(io.LimitReader(r, int64(n))) // allocates no more than the file holds
	if err == nil && uint64(len(h)) < n {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, bad("the file ends within its header: %v", err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(h, &raw); err != nil {
		return nil, bad("the header is no JSON: %v", err)
	}
	keys, err := keysIn(raw[metadataName])
	if err != nil {
		return nil, bad("the header's metadata: %v", err)
	}
	delete(raw, metadataName)
	header := map[string]safeEntry{}
	var names []string
	for name, m := range raw {
		var e safeEntry
		if err := json.Unmarshal(m, &e); err != nil {
			return nil, bad("the header's entry %q: %v", name, err)
		}
		header[name] = e
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		x, y := header[a].Offsets, header[b].Offsets
		return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]), cmp.Compare(a, b))
	})
	out := map[string]loaded{}
	var at int64
	for _, name := range names {
		e := header[name]
		dt := core.Invalid
		for d, s := range safeNames {
			if s == e.DType {
				dt = d
			}
		}
		if dt == core.Invalid {
			return nil, bad("the array %q has the element type %q, which is not supported; convert it to another before writing", name, e.DType)
		}
		if e.Offsets[0] != at {
			return nil, bad("the array %q begins at byte %d, want %d: arrays lie one after the other; write the file again", name, e.Offsets[0], at)
		}
		var failed error
		err := core.Catch(func() {
			t := core.Aval(dt, e.Shape...)
			if n := e.Offsets[1] - e.Offsets[0]; t.Size() < 0 || n%int64(dt.Size()) != 0 || n/int64(dt.Size()) != int64(t.Size()) {
				failed = bad("the array %q takes %d bytes, which its type %v does not fill; write the file again", name, n, t)
				return
			}
			// Allocates no more than the file holds.
			data, err := io.ReadAll(io.LimitReader(r, e.Offsets[1]-e.Offsets[0]))
			if err == nil && int64(len(data)) < e.Offsets[1]-e.Offsets[0] {
				err = io.ErrUnexpectedEOF
			}
			if err != nil {
				failed = bad("the file ends within the array %q: %v", name, err)
				return
			}
			if dt.IsBool() {
				for i, b := range data {
					data[i] = min(b, 1) // as in NumPy's files: any byte but 0 is true
				}
			}
			a := runtime.NewData(t)
			copy(a.Tensor().Data, encode.LittleEndian(data, dt))
			x := loaded{Array: wrap(a)}
			if slices.Contains(keys, name) {
				if dt != core.Uint32 || t.Rank() == 0 || t.Shape.At(t.Rank()-1) != 2 {
					failed = bad("the array %q is named as keys of random numbers, but has the type %v; store keys as u32[…,2]", name, t)
					return
				}
				x.Array = x.asKeys()
			}
			out[name] = x
		})
		if err == nil {
			err = failed
		}
		if err != nil {
			return nil, err
		}
		at = e.Offsets[1]
	}
	if err := requireEnd(r); err != nil {
		return nil, bad("%v", err)
	}
	return out, nil
}

func requireEnd(r io.Reader) error {
	var one [1]byte
	switch n, err := io.ReadFull(r, one[:]); {
	case n > 0:
		return errors.New("bytes follow the last array; the file is damaged, or contains more than one")
	case err != nil && err != io.EOF:
		return err
	}
	return nil
}

// keysIn returns the names of the keys of random numbers that a file's metadata lists.
func keysIn(metadata json.RawMessage) (names []string, err error) {
	if metadata == nil {
		return nil, nil
	}
	var m map[string]any
	if err := json.Unmarshal(metadata, &m); err != nil {
		return nil, err
	}
	if list, ok := m[keysName].(string); ok {
		err = json.Unmarshal([]byte(list), &names)
	}
	return names, err
}
