//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/fakecuda"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// Arrays are copied from one device to another without the host: computed and uploaded arrays, and arrays whose memory is used
// again at once.
func TestPeerCopies(t *testing.T) {
	for _, dt := range []weft.DType{weft.Bool, weft.Int8, weft.BFloat16, weft.Float32, weft.Complex128} {
		on := two(t)
		f := fakecuda.Current()
		x := weft.Arange(1000).AsType(dt)
		g := weft.Jit(func(x weft.Array) weft.Array { return weft.Flip(x, 0) }, weft.On(on[0]))
		h := weft.Jit(func(x weft.Array) weft.Array { return weft.Flip(x, 0) }, weft.On(on[1]))
		there := x.To(on[0])
		here := there.To(on[1])     // while it is uploaded
		moved := g(there).To(on[1]) // whose origin is garbage
		collect()
		other := x.To(on[0])
		for range 3 {
			_ = weft.Jit(func(x weft.Array) weft.Array { return weft.Roll(x, 1) }, weft.On(on[0]))(other).String() // where the origin was
		}
		back := h(moved).To(on[0])
		if n := f.Calls("cuMemcpyDtoHAsync_v2") - 3; n != 0 || f.Calls("cuMemcpyPeerAsync") != 3 {
			t.Errorf("%v: %d copies to the host, %d between devices; want none and 3", dt, n, f.Calls("cuMemcpyPeerAsync"))
		}
		if !testcheck.SameBinary(here, x) || !testcheck.SameBinary(back, x) {
			t.Errorf("%v: got %v and %v, want %v", dt, here, back, x)
		}
	}
}

// A copy between devices that fails names the function, and the device works afterwards.
func TestPeerCopyFails(t *testing.T) {
	on := two(t)
	f := fakecuda.Current()
	x := weft.Linspace(0, 1, 100)
	there := x.To(on[0])
	f.Fail("cuMemcpyPeerAsync", 0, 1, 1)
	if _, err := weft.Try(func() weft.Array { return there.To(on[1]) }); err == nil || !containsAll(err.Error(), "cuMemcpyPeerAsync", on[1].String()) {
		t.Errorf("got %v", err)
	}
	if got := there.To(on[1]); !testcheck.SameBinary(got, x) {
		t.Errorf("got %v, want %v", got, x)
	}
}
