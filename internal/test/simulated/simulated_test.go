package simulated_test

import (
	"bytes"
	"testing"

	"github.com/weft-go/weft"
	_ "github.com/weft-go/weft/internal/test/simulated"
)

// The executor is registered by its name, and has the reference's bits.
func TestSimulated(t *testing.T) {
	f := func(x weft.Array) weft.Array { return weft.Sin(x).Sort().CumSum(0).Add(1) }
	x := weft.Linspace(-3, 3, 65)
	bits := func(device string) []byte {
		b, err := weft.Jit(f, weft.On(weft.DeviceNamed(device)))(x).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if got, want := bits("simulated-ptx"), bits("reference"); !bytes.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}
