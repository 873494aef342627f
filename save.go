package weft

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
	"github.com/weft-go/weft/lower/kernel"
	"github.com/weft-go/weft/runtime"
)

// Save and Load use the safetensors format: the length of a header in eight bytes,
// the header in JSON, the elements. Other programs read and write it too.

var safeNames = map[core.DType]string{
	core.Bool: "BOOL", core.Int8: "I8", core.Int16: "I16", core.Int32: "I32", core.Int64: "I64",
	core.Uint8: "U8", core.Uint16: "U16", core.Uint32: "U32", core.Uint64: "U64",
	core.BFloat16: "BF16", core.Float16: "F16", core.Float32: "F32", core.Float64: "F64",
	core.Complex64: "C64", core.Complex128: "C128",
	core.Float8E4M3FN: "F8_E4M3", core.Float8E5M2: "F8_E5M2", core.Float8E8M0FNU: "F8_E8M0",
}

type safeEntry struct {
	DType   string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// Save writes the arrays of a tree under their paths: a field Layers[2].W is called
// Layers.2.W. Statics are not written.
func Save(w io.Writer, tree any) error {
	var arrays []*runtime.Array
	header := map[string]safeEntry{}
	var offset int64
	err := core.Catch(func() {
		refuseWriter("Save", w)
		names, paths, leaves := leavesByName("Save", reflect.ValueOf(tree))
		refuseNames("Save", names, paths, "__metadata__")
		for i, x := range leaves {
			if x.IsZero() {
				core.FailOp(core.ErrTree, "Save", nil, "leaf %q holds no array: was a field not set?", names[i])
			}
			a := x.look("Save")
			t := a.Aval()
			refuseKey("Save", fmt.Sprintf("leaf %q", names[i]), t)
			dt, ok := safeNames[t.DType]
			if !ok {
				core.FailOp(core.ErrDType, "Save", []core.ShapedArray{t}, "leaf %q is %v, for which the format has no name; convert it with AsType", names[i], t.Full())
			}
			n := int64(t.Size()) * int64(t.DType.Size())
			header[names[i]] = safeEntry{dt, append([]int{}, t.Shape.Ints()...), [2]int64{offset, offset + n}}
			offset += n
			arrays = append(arrays, a)
		}
	})
	if err != nil {
		return err
	}
	h, err := json.Marshal(header)
	if err != nil {
		return err
	}
	// Elements begin at a multiple of eight.
	h = append(h, strings.Repeat(" ", (8-len(h)%8)%8)...)
	if _, err := w.Write(append(binary.LittleEndian.AppendUint64(nil, uint64(len(h))), h...)); err != nil {
		return err
	}
	for _, a := range arrays {
		if err := reading("Save", a, func(data []byte) error {
			_, err := w.Write(littleEndian(data, a.Aval().DType))
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// reading calls f with the elements of an array, which nobody takes meanwhile. It returns
// f's error, or that of an array that was donated.
func reading(op string, a *runtime.Array, f func(data []byte) error) (err error) {
	if e := core.Catch(func() { a.Read(op, func(t *kernel.Tensor) { err = f(t.Data) }) }); e != nil {
		return e
	}
	return err
}

// Load reads what [Save], [SaveNpz] or [SaveNpy] wrote, or other programs in the same
// formats, into the tree that p points to. The array of a .npy file is called value. The tree has its
// structure already; arrays that are set in it say which shape and type are
// expected. A map of Arrays that is nil or empty takes everything that is there. If
// something is missing, left over or of another shape or type, the error names it and
// nothing is changed. A compressed .npz may expand to 256 MiB or 32 times its size,
// unless [LoadLimit] sets another limit.
func Load(r io.Reader, p any, opts ...LoadOption) error {
	var limit int64
	for _, o := range opts {
		if o.limit < 1 {
			return &core.Error{Kind: core.ErrStatic, Op: "Load", Pos: core.HerePos(), Msg: fmt.Sprintf("the limit is not positive (got %d bytes); pass LoadLimit a number of bytes", o.limit)}
		}
		limit = o.limit
	}
	if r == nil {
		return &core.Error{Kind: core.ErrStatic, Op: "Load", Pos: core.HerePos(), Msg: "the reader is nil; open a file and pass it"}
	}
	entries, err := readSafe(r, limit)
	if err != nil {
		return err
	}
	v := reflect.ValueOf(p)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return &core.Error{Kind: core.ErrTree, Op: "Load", Pos: core.HerePos(), Msg: fmt.Sprintf("takes a pointer to a tree to write into, not %s", core.A(fmt.Sprintf("%T", p)))}
	}
	if m := v.Elem(); m.Kind() == reflect.Map && m.Len() == 0 && m.Type().Elem() == reflect.TypeFor[Array]() && m.Type().Key().Kind() == reflect.String {
		if m.IsNil() {
			m.Set(reflect.MakeMapWithSize(m.Type(), len(entries)))
		}
		for name, x := range entries {
			m.SetMapIndex(reflect.ValueOf(name).Convert(m.Type().Key()), reflect.ValueOf(x))
		}
		return nil
	}
	return core.Catch(func() {
		names, paths, old := leavesByName("Load", v.Elem())
		leaves := make([]Array, len(names))
		for i, name := range names {
			x, ok := entries[name]
			if !ok {
				if paths[i] == "" {
					core.FailOp(core.ErrTree, "Load", nil, "the file does not hold one array alone but %s; load into a map[string]weft.Array, or into a struct with such fields", someKeys(entries))
				}
				core.FailOp(core.ErrTree, "Load", nil, "there is no array %q; there are %s", name, someKeys(entries))
			}
			if !old[i].IsZero() && !old[i].aval().SameType(x.aval()) {
				core.FailOp(core.ErrShape, "Load", []core.ShapedArray{old[i].aval(), x.aval()}, "the array %q is %v, the tree has %v there", name, x.aval().Full(), old[i].aval().Full())
			}
			leaves[i] = x
			delete(entries, name)
		}
		if len(entries) > 0 {
			core.FailOp(core.ErrTree, "Load", nil, "the tree has no place for %s; load into a map[string]weft.Array to get all", someKeys(entries))
		}
		plan, err := tree.For[Array](v.Type().Elem())
		if err != nil {
			panic(err)
		}
		plan.Store(v.UnsafePointer(), leaves)
	})
}

// A LoadOption changes how [Load] reads. [LoadLimit] makes one.
type LoadOption struct{ limit int64 }

// LoadLimit sets how many bytes the elements of a .npz archive may take together.
func LoadLimit(bytes int64) LoadOption { return LoadOption{bytes} }

// refuseWriter refuses a writer that is nil, before anything is done.
func refuseWriter(op string, w io.Writer) {
	if w == nil {
		core.FailOp(core.ErrStatic, op, nil, "the writer is nil; create a file and pass it")
	}
}

// refuseNames refuses leaves that a file would hold under one name, or one that the
// format keeps for itself: one of them would be lost.
func refuseNames(op string, names, paths []string, taken ...string) {
	seen := map[string]string{}
	for i, n := range names {
		other, twice := seen[n]
		switch {
		case !utf8.ValidString(n):
			core.FailOp(core.ErrTree, op, nil, "a leaf is called %q, which is not valid UTF-8, as names in files are; give it another name", n)
		case slices.Contains(taken, n):
			core.FailOp(core.ErrTree, op, nil, "a leaf is called %q, which the format keeps for itself; give it another name", n)
		case twice:
			core.FailOp(core.ErrTree, op, nil, "two leaves, %s and %s, are called %q in the file, and one would be lost; give one another name", other, paths[i], n)
		}
		seen[n] = paths[i]
	}
}

// refuseKey refuses keys of random numbers, which are no array of numbers.
func refuseKey(op, what string, t core.ShapedArray) {
	if t.DType.IsKey() {
		core.FailOp(core.ErrDType, op, []core.ShapedArray{t}, "%s is %v, a key of random numbers; put its words k.Words() in its place, of which random.Wrap makes the key again", what, t.Full())
	}
}

func someKeys(m map[string]Array) string {
	var keys []string
	for k := range m {
		keys = append(keys, fmt.Sprintf("%q", k))
	}
	slices.Sort(keys)
	if len(keys) > 8 {
		keys = append(keys[:8], fmt.Sprintf("%d more", len(keys)-8))
	}
	return strings.Join(keys, ", ")
}

// leavesByName returns the leaves of a tree and what they are called in files.
func leavesByName(op string, v reflect.Value) (names, paths []string, leaves []Array) {
	if !v.IsValid() {
		core.FailOp(core.ErrTree, op, nil, "nil is no tree; pass an Array or a tree of them")
	}
	plan, err := tree.For[Array](v.Type())
	if err != nil {
		panic(err)
	}
	if plan.Static() {
		way := "use weft.From to make one of numbers"
		if op == "Load" {
			way = "pass a pointer to an Array, or to a tree of them"
		}
		core.FailOp(core.ErrTree, op, nil, "%s holds no array; %s", core.A(v.Type()), way)
	}
	at := reflect.New(v.Type())
	at.Elem().Set(v)
	var f tree.Flat[Array]
	plan.Flatten(&f, at.UnsafePointer())
	paths = plan.Paths(at.UnsafePointer())
	for _, path := range paths {
		names = append(names, fileName(path))
	}
	return names, paths, f.Leaves
}

// fileName returns a path without brackets: .Layers[2].W is Layers.2.W, ["k"] is k.
func fileName(path string) string {
	var parts []string
	for path != "" {
		switch {
		case path[0] == '.':
			end := strings.IndexAny(path[1:], ".[")
			if end < 0 {
				end = len(path) - 1
			}
			parts, path = append(parts, path[1:1+end]), path[1+end:]
		case strings.HasPrefix(path, `["`):
			quoted, err := strconv.QuotedPrefix(path[1:])
			if err != nil {
				panic(err) // trees quote keys as Go does
			}
			key, _ := strconv.Unquote(quoted)
			parts, path = append(parts, key), path[1+len(quoted)+1:]
		default:
			end := strings.IndexByte(path, ']')
			parts, path = append(parts, path[1:end]), path[end+1:]
		}
	}
	if parts == nil {
		return "value"
	}
	return strings.Join(parts, ".")
}

const maxHeader = 100 << 20

// readSafe reads all arrays of a file.
func readSafe(r io.Reader, limit int64) (map[string]Array, error) {
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
	h, err := io.ReadAll(io.LimitReader(r, int64(n))) // what is not there is not allocated
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
	delete(raw, "__metadata__")
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
	out := map[string]Array{}
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
			return nil, bad("the array %q has the element type %q, which is not known", name, e.DType)
		}
		if e.Offsets[0] != at {
			return nil, bad("the array %q begins at byte %d, expected %d: arrays lie one after the other", name, e.Offsets[0], at)
		}
		var failed error
		err := core.Catch(func() {
			t := core.Aval(dt, e.Shape...)
			if n := e.Offsets[1] - e.Offsets[0]; t.Size() < 0 || n%int64(dt.Size()) != 0 || n/int64(dt.Size()) != int64(t.Size()) {
				failed = bad("the array %q takes %d bytes, which its type %v does not fill", name, n, t)
				return
			}
			// What is not there is not allocated.
			data, err := io.ReadAll(io.LimitReader(r, e.Offsets[1]-e.Offsets[0]))
			if err == nil && int64(len(data)) < e.Offsets[1]-e.Offsets[0] {
				err = io.ErrUnexpectedEOF
			}
			if err != nil {
				failed = bad("the file ends within the array %q: %v", name, err)
				return
			}
			a := runtime.New(t)
			copy(a.Tensor().Data, littleEndian(data, dt))
			out[name] = wrap(a)
		})
		if err == nil {
			err = failed
		}
		if err != nil {
			return nil, err
		}
		at = e.Offsets[1]
	}
	return out, nil
}
