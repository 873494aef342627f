package encode_test

import (
	"bytes"
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
		want := runtime.New(core.Aval(dt, 2))
		for i := range want.Tensor().Data {
			want.Tensor().Data[i] = byte(i + 1)
		}
		text, err := encode.JSON(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := encode.FromJSON(text)
		if err != nil {
			t.Errorf("%v: %v", dt, err)
		} else if a := got.(*runtime.Array); a.Aval() != want.Aval() || !bytes.Equal(a.Tensor().Data, want.Tensor().Data) {
			t.Errorf("%v: got %v of %v, want %v", dt, a.Tensor().Data, a.Aval(), want.Tensor().Data)
		}
	}
}
