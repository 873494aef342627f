package random_test

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/big"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/golden"
)

// args are a call's arguments by name: numbers, names, shapes and arrays.
type args map[string]json.RawMessage

func (a args) ints(t *testing.T, name string) []int {
	if string(a[name]) == "null" || a[name] == nil {
		return nil
	}
	var n []int
	if err := json.Unmarshal(a[name], &n); err != nil {
		t.Fatal(name, err)
	}
	return n
}

func (a args) text(name string) string {
	var s string
	_ = json.Unmarshal(a[name], &s) // what is not a text gives ""
	return s
}

func (a args) flag(name string) bool { return string(a[name]) == "true" }

func (a args) int(name string) int {
	var n int
	_ = json.Unmarshal(a[name], &n) // what is missing gives 0
	return n
}

// number returns a Go number or an Array.
func (a args) number(t *testing.T, name string) any {
	raw := a[name]
	if len(raw) > 0 && raw[0] == '{' {
		return array(raw)
	}
	var n json.Number
	if err := json.Unmarshal(raw, &n); err != nil {
		t.Fatal(name, err)
	}
	if b, ok := new(big.Int).SetString(n.String(), 10); ok {
		if !b.IsInt64() {
			return b.Uint64()
		}
		return int(b.Int64())
	}
	f, err := n.Float64()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func array(raw json.RawMessage) weft.Array {
	var a golden.Array
	if err := json.Unmarshal(raw, &a); err != nil {
		panic(err)
	}
	return weft.FromValue(a.Value())
}

// operand returns a number as an Array, since the type arguments of the samplers are chosen at
// compile time. A Go integer becomes a weak Array.
func operand(v any) weft.Array {
	switch v := v.(type) {
	case weft.Array:
		return v
	case int:
		return weft.Scalar(v)
	case float64:
		return weft.Scalar(v)
	}
	panic(fmt.Sprintf("%T", v))
}

var dtypes = map[string]weft.DType{
	"i8": weft.Int8, "i16": weft.Int16, "i32": weft.Int32, "i64": weft.Int64,
	"u8": weft.Uint8, "u16": weft.Uint16, "u32": weft.Uint32, "u64": weft.Uint64,
	"f16": weft.Float16, "bf16": weft.BFloat16, "f32": weft.Float32, "f64": weft.Float64,
	"c64": weft.Complex64, "c128": weft.Complex128,
}
