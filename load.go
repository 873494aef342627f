package weft

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
	"github.com/weft-go/weft/internal/encode"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// Load reads the output of [Save], [SaveNpz] or [SaveNpy], or files of other programs in the same
// formats, into the tree that p points to. The array of a .npy file is called value.
//
// The tree has its structure already; arrays that are set in it decide which shape and type are
// expected. A map that is nil or empty receives every array under its name. If an array is
// missing, left over or of another shape or type, the error names it and nothing is changed.
// Arrays of a .npz file whose type Weft does not have (Python objects, texts, records) are
// skipped, with a warning to the log, unless the tree needs them.
//
// A compressed .npz may expand to 256 MiB or 32 times its size, whichever is more, unless
// [LoadLimit] sets another limit.
func Load(r io.Reader, p any, opts ...LoadOption) error {
	var o loadOptions
	for _, opt := range opts {
		if opt == nil {
			return &core.Error{Kind: core.ErrStatic, Op: "Load", Pos: core.HerePos(), Msg: "an option is nil; leave it out"}
		}
		opt.load(&o)
		if o.limit < 1 {
			return &core.Error{Kind: core.ErrStatic, Op: "Load", Pos: core.HerePos(), Msg: fmt.Sprintf("the limit is not positive (got %d bytes); pass LoadLimit a number of bytes", o.limit)}
		}
	}
	if r == nil {
		return &core.Error{Kind: core.ErrStatic, Op: "Load", Pos: core.HerePos(), Msg: "the reader is nil; open a file and pass it"}
	}
	entries, err := readSafe(r, o.limit)
	if err != nil {
		return err
	}
	v := reflect.ValueOf(p)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return &core.Error{Kind: core.ErrTree, Op: "Load", Pos: core.HerePos(), Msg: fmt.Sprintf("takes a pointer to a tree to write into, not %s", core.WithArticle(fmt.Sprintf("%T", p)))}
	}
	var undo []func()
	err = core.Catch(func() {
		fillMaps(v.Elem(), "", entries, &undo)
		loadTree(v, entries)
	})
	if err != nil {
		for _, f := range undo {
			f()
		}
	}
	return err
}

// loadTree writes the arrays of a file into the tree that v points to.
func loadTree(v reflect.Value, entries map[string]loaded) {
	names, paths, old := leavesByName("Load", v.Elem())
	all := someKeys(entries)
	leaves := make([]Array, len(names))
	for i, name := range names {
		x, ok := entries[name]
		if !ok && !old[i].IsZero() && old[i].aval().DType == core.Float0 {
			leaves[i] = old[i] // not in files
			continue
		}
		if !ok {
			if paths[i] == "" {
				core.FailOp(core.ErrTree, "Load", nil, "the file does not hold one array alone but %s; load into a map[string]weft.Array, or into a struct with such fields", someKeys(entries))
			}
			core.FailOp(core.ErrTree, "Load", nil, "the file has no array %q (it has %s); load into a tree of its names, or into a map[string]weft.Array", name, all)
		}
		leaves[i] = loadedAs(name, x, old[i])
		delete(entries, name)
	}
	for name, x := range entries {
		if x.err != nil {
			slog.Warn(fmt.Sprintf("weft: Load: the array %q is skipped: %v", name, x.err))
			delete(entries, name)
		}
	}
	if len(entries) > 0 {
		core.FailOp(core.ErrTree, "Load", nil, "the tree has no place for %s; load into a map[string]weft.Array to get all", someKeys(entries))
	}
	plan, err := tree.For[Array](v.Type().Elem())
	if err != nil {
		panic(err)
	}
	plan.Store(v.UnsafePointer(), leaves)
}

// loadedAs returns an array of a file for the leaf old of the tree. Words of random keys become
// keys if old holds keys.
func loadedAs(name string, x loaded, old Array) Array {
	if x.err != nil {
		core.FailOp(core.ErrParse, "Load", nil, "the array %q cannot be read: %v", name, x.err)
	}
	if old.IsZero() {
		return x.Array
	}
	a, b := old.aval(), x.aval()
	if a.DType.IsKey() && !b.DType.IsKey() && b.SameType(encode.WordsOf(a)) {
		return x.asKeys()
	}
	if !a.SameType(b) {
		core.FailOp(core.ErrShape, "Load", []core.ShapedArray{a, b}, "the array %q is %v, but the tree has %v there; change the type of the leaf", name, b.Full(), a.Full())
	}
	return x.Array
}

// loaded is an array of a file, or the reason why it could not be read.
type loaded struct {
	Array
	err error
}

func (x loaded) asKeys() Array {
	t := x.aval()
	a := runtime.New(core.ShapedArray{Shape: t.Shape.Slice(0, t.Rank()-1), DType: core.Key})
	x.look("Load").Read("Load", func(words *reference.Tensor) { copy(a.Tensor().Data, words.Data) })
	return wrap(a)
}

// fillMaps fills the nil and empty maps of a tree with an element for each entry whose name
// begins with the map's. file is the name of v in the file. undo receives functions that revert
// the changes.
func fillMaps(v reflect.Value, file string, entries map[string]loaded, undo *[]func()) {
	if plan, err := tree.For[Array](v.Type()); err != nil || plan.Static() || v.Type() == reflect.TypeFor[Array]() {
		return
	}
	under := func(name string) string {
		if file == "" {
			return name
		}
		return file + "." + name
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				fillMaps(v.Field(i), under(tree.FileName(f)), entries, undo)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			fillMaps(v.Index(i), under(strconv.Itoa(i)), entries, undo)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			fillMaps(v.Elem(), file, entries, undo)
		}
	case reflect.Map:
		if v.Len() > 0 {
			return
		}
		names := elementNames(under(""), v.Type().Elem() == reflect.TypeFor[Array](), entries)
		if len(names) == 0 && file != "" {
			return
		}
		if v.IsNil() {
			v.Set(reflect.MakeMapWithSize(v.Type(), len(names)))
			*undo = append(*undo, func() { v.SetZero() })
		} else {
			*undo = append(*undo, func() { v.Clear() })
		}
		for _, name := range names {
			k, ok := mapKey(v.Type().Key(), name)
			if !ok {
				continue
			}
			e := reflect.New(v.Type().Elem()).Elem()
			fillMaps(e, under(name), entries, undo)
			v.SetMapIndex(k, e)
		}
	}
}

// elementNames returns the names of a map's elements: what follows prefix in the entries' names, up
// to the next dot unless the elements are arrays themselves.
func elementNames(prefix string, arrays bool, entries map[string]loaded) []string {
	seen := map[string]bool{}
	for name := range entries {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok || arrays && entries[name].err != nil {
			continue
		}
		if !arrays {
			rest, _, _ = strings.Cut(rest, ".")
		}
		seen[rest] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// mapKey returns the key of type t that is called name in files. ok is false if name is not a key's name.
func mapKey(t reflect.Type, name string) (k reflect.Value, ok bool) {
	k = reflect.New(t).Elem()
	switch {
	case t.Kind() == reflect.String:
		k.SetString(name)
		return k, true
	case k.CanInt():
		n, err := strconv.ParseInt(name, 10, t.Bits())
		k.SetInt(n)
		return k, err == nil && tree.KeyName(k) == name
	}
	n, err := strconv.ParseUint(name, 10, t.Bits())
	k.SetUint(n)
	return k, err == nil && tree.KeyName(k) == name
}

// A LoadOption changes how [Load] reads.
type LoadOption interface{ load(*loadOptions) }

type loadOptions struct{ limit int64 }

type limitOption int64

func (l limitOption) load(o *loadOptions) { o.limit = int64(l) }

// LoadLimit sets the number of bytes that the elements of a .npz archive may take together.
func LoadLimit(bytes int64) LoadOption { return limitOption(bytes) }

// leavesByName returns the leaves of a tree with their names in files and their paths.
func leavesByName(op string, v reflect.Value) (names, paths []string, arrays []Array) {
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
		core.FailOp(core.ErrTree, op, nil, "%s contains no array; %s", core.WithArticle(v.Type()), way)
	}
	at := reflect.New(v.Type())
	at.Elem().Set(v)
	defer leaves.NameOp(op)
	var f tree.Flat[Array]
	plan.Flatten(&f, at.UnsafePointer())
	for _, it := range plan.Walk(at.UnsafePointer()) {
		if !it.Leaf {
			continue
		}
		paths = append(paths, it.Path)
		names = append(names, cmp.Or(it.File, "value"))
	}
	return names, paths, f.Leaves
}
