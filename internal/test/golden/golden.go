// Package golden reads the golden data that tests compare with: the whole data if the variable
// WEFT_GOLDEN names its folder, else the subset that is embedded here. It is for tests only.
package golden

import (
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

//go:embed testdata
var subset embed.FS

// Records reads a file of JSON lines: name in the folder WEFT_GOLDEN, or, if that is not set, in
// the subset. whole reports whether it was the folder's.
func Records[T any](t testing.TB, name string) (records []T, whole bool) {
	t.Helper()
	records = slices.Collect(goldenfile.Records[T](t, goldenfile.OpenFS(t, name, subset, path.Join("testdata", name))))
	return records, goldenfile.Whole()
}

// Array is an array of the golden data: bits are the little-endian bytes in hex.
type Array struct {
	DType string
	Shape []int
	Bits  string
}

// Type returns the array's type, strong.
func (a Array) Type() core.ShapedArray {
	dt, ok := core.ParseDType(a.DType)
	if !ok {
		panic("golden data of an unknown dtype " + a.DType)
	}
	return core.Aval(dt, a.Shape...)
}

// Value returns the array as a concrete value.
func (a Array) Value() *runtime.Array {
	t := a.Type()
	x := runtime.New(t)
	b, err := hex.DecodeString(a.Bits)
	if err != nil || len(b) != len(x.Tensor().Data) && t.DType != core.Float0 {
		panic(fmt.Sprintf("golden array of type %v with %d bytes: %v", t, len(b), err))
	}
	if t.DType == core.Float0 {
		return x
	}
	copy(x.Tensor().Data, nativeOrder(b, t.DType))
	if n := t.DType.Bits(); t.DType.IsSigned() && t.DType.IsInteger() && n < 8 { // some files have the bits alone
		for i, v := range x.Tensor().Data {
			x.Tensor().Data[i] = byte(int8(v<<(8-n)) >> (8 - n))
		}
	}
	return x
}

// nativeOrder converts little-endian elements to the host's byte order.
func nativeOrder(b []byte, dt core.DType) []byte {
	w := dt.Size()
	if dt.IsComplex() || dt.IsKey() {
		w /= 2
	}
	if littleEndian || w <= 1 {
		return b
	}
	for i := 0; i+w <= len(b); i += w {
		for l, h := i, i+w-1; l < h; l, h = l+1, h-1 {
			b[l], b[h] = b[h], b[l]
		}
	}
	return b
}

var littleEndian = func() bool {
	t := reference.NewTensor(core.Aval(core.Uint16))
	reference.View[uint16](t)[0] = 1
	return t.Data[0] == 1
}()

// Arrays are an array, or a tree of them as lists and dicts: read into a flat list,
// in the order of JAX's trees (dicts by key). null contains nothing.
type Arrays []Array

// UnmarshalJSON reads an array or a tree of arrays.
func (as *Arrays) UnmarshalJSON(b []byte) error {
	*as = nil
	b = []byte(strings.TrimSpace(string(b)))
	if string(b) == "null" {
		return nil
	}
	if b[0] == '[' {
		var list []Arrays
		if err := json.Unmarshal(b, &list); err != nil {
			return err
		}
		for _, l := range list {
			*as = append(*as, l...)
		}
		return nil
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(b, &m); err != nil {
		return err
	}
	if d, ok := m["dict"]; ok {
		var dict map[string]Arrays
		if err := json.Unmarshal(d, &dict); err != nil {
			return err
		}
		for _, k := range sortedKeys(dict) {
			*as = append(*as, dict[k]...)
		}
		return nil
	}
	var a Array
	if err := json.Unmarshal(b, &a); err != nil {
		return err
	}
	*as = append(*as, a)
	return nil
}

// Values returns the arrays as concrete values.
func (as Arrays) Values() []core.Value {
	out := make([]core.Value, len(as))
	for i, a := range as {
		out[i] = a.Value()
	}
	return out
}
