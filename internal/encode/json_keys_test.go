package encode_test

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/encode"
	"github.com/weft-go/weft/runtime"
)

// What is written of keys is read, whatever their implementation.
func TestKeysInJSON(t *testing.T) {
	for dt := range core.DType(core.NumDTypes) {
		if !dt.IsKey() {
			continue
		}
		text, err := encode.JSON(runtime.New(core.Aval(dt, 2)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := encode.FromJSON(text)
		if err != nil {
			t.Errorf("%v: %v", dt, err)
		} else if got.Aval() != core.Aval(dt, 2) {
			t.Errorf("%v: got %v", dt, got.Aval())
		}
	}
}
