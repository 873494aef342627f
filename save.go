package weft

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/encode"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// Save and Load use the safetensors format: the length of a header in eight bytes,
// the header in JSON, the elements. Other programs read and write it too. Keys of random
// numbers are written as their words, and named in the header's metadata.

const (
	metadataName = "__metadata__"
	keysName     = "weft.keys" // in the metadata: the names of keys, as a list in JSON
)

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

// Save writes the arrays of a tree in the safetensors format, under their paths: a field
// Layers[2].W is called Layers.2.W, and a field with the tag weft:"name=weight" is called weight.
// Statics are not written, nor are leaves of the type float0, which gradients have for frozen
// fields and integers. Random keys are written as their words, which [Load] makes keys again.
func Save(w io.Writer, tree any) error {
	var arrays []*runtime.Array
	header := map[string]any{}
	var keys []string
	var offset int64
	err := core.Catch(func() {
		refuseWriter("Save", w)
		names, paths, leaves := leavesByName("Save", reflect.ValueOf(tree))
		refuseNames("Save", names, paths, metadataName)
		for i, x := range leaves {
			if x.IsZero() {
				core.FailOp(core.ErrTree, "Save", nil, "leaf %q contains no array (was a field not set?); set it", names[i])
			}
			if x.aval().DType == core.Float0 {
				continue
			}
			a := x.look("Save")
			t := encode.WordsOf(a.Aval())
			if a.Aval().DType.IsKey() {
				keys = append(keys, names[i])
			}
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
	if keys != nil {
		list, err := json.Marshal(keys)
		if err != nil {
			return err
		}
		header[metadataName] = map[string]string{keysName: string(list)}
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
			_, err := w.Write(encode.LittleEndian(data, a.Aval().DType))
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// reading calls f with the elements of an array, which cannot be donated meanwhile. It returns
// f's error, or an error if the array was donated.
func reading(op string, a *runtime.Array, f func(data []byte) error) (err error) {
	if e := core.Catch(func() { a.Read(op, func(t *reference.Tensor) { err = f(t.Data) }) }); e != nil {
		return e
	}
	return err
}

func refuseWriter(op string, w io.Writer) {
	if w == nil {
		core.FailOp(core.ErrStatic, op, nil, "the writer is nil; create a file and pass it")
	}
}

// refuseNames refuses two leaves with the same name in a file, one of which would be lost, and
// names that are not valid UTF-8 or that the format reserves.
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

// someKeys lists at most eight of the names, and how many more there are, for a message.
func someKeys[V any](m map[string]V) string {
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
