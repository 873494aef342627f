//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ebitengine/purego"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/fakecuda"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/runtime"
)

// A read waits for the commands that compute the array, not for later ones. After many calls the event of an array has
// been recorded again: the read then waits for the oldest event that is left.
func TestReadsWaitForTheirArrays(t *testing.T) {
	f := fakecuda.New()
	dev, _ := registered(t, f)
	events := len(marks{}.events)
	small := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.On(dev))
	x := weft.Linspace(0, 1, 10).To(dev)
	_ = small(x).String()
	for _, c := range []struct{ calls, wait int }{{5, 5}, {3 * events, events - 1}} {
		y := small(x)
		z := x
		for range c.calls {
			z = small(z)
		}
		if got, want := weft.ToSlice[float32](y), weft.ToSlice[float32](weft.Linspace(0, 1, 10).Add(1)); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if n := f.Waiting(); n < c.wait {
			t.Errorf("%d calls after a call: %d commands have not run when its result is read, want %d", c.calls, n, c.wait)
		}
		_ = z.String()
	}
}

// A read of a computed array does not wait for an upload that waits for the device.
func TestReadsDoNotWaitForUploads(t *testing.T) {
	f := fakecuda.New()
	release, held := make(chan struct{}), make(chan struct{})
	var hold atomic.Bool
	var wait uintptr
	block := purego.NewCallback(func(event uintptr) uintptr {
		if hold.CompareAndSwap(true, false) { // the first wait
			close(held)
			<-release
		}
		r, _, _ := purego.SyscallN(wait, event)
		return r
	})
	dev, _ := registeredWith(t, func(name string) (uintptr, error) {
		p, err := f.Symbol(name)
		if name == "cuEventSynchronize" && err == nil {
			wait = p
			return block, nil
		}
		return p, err
	})
	x := weft.Linspace(0, 1, 10)
	y := x.To(dev)
	if err := y.Value().(*runtime.Array).Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	hold.Store(true)
	large := weft.Ones(stages+1, stageBytes/4) // a piece more than there are
	uploaded := make(chan weft.Array, 1)
	go func() { uploaded <- large.To(dev) }()
	<-held
	read := make(chan weft.Array, 1)
	go func() {
		_ = weft.ToSlice[float32](y)
		read <- y
	}()
	select {
	case y := <-read:
		if !testcheck.SameBinary(y, x) {
			t.Errorf("got %v, want %v", y, x)
		}
	case <-time.After(10 * time.Second):
		t.Error("the read waits for the upload")
	}
	close(release)
	if !testcheck.SameBinary(<-uploaded, large) {
		t.Error("the upload has other elements")
	}
}
