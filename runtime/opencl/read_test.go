//go:build linux && (amd64 || arm64) && !drivers

package opencl

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/runtime"
)

// A read waits for the commands that compute the array, not for later ones, and ends with its context; the array can
// be read later.
func TestReadsWaitForTheirArrays(t *testing.T) {
	dev := registered(opened(t))
	small := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.On(dev))
	large := weft.Jit(func(m weft.Array) weft.Array { return m.MatMul(m) }, weft.On(dev))
	x, m := weft.Linspace(0, 1, 10), weft.Eye(512).To(dev)
	_ = small(x).String()
	start := time.Now()
	_ = large(m).Index(0, 0).Float()
	once := time.Since(start)
	times := int(max(8, time.Second/once))
	y := small(x)
	if err := y.Value().(*runtime.Array).Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	var last weft.Array
	for range times {
		last = large(m)
	}
	over := make(chan error, 1)
	go func() { over <- last.Value().(*runtime.Array).Wait(context.Background()) }()
	want := x.Add(1)
	if !testcheck.SameBinary(y, want) {
		t.Errorf("got %v, want %v", y, want)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	weft.With(weft.Context(ctx), func() {
		if _, err := weft.Try(func() float64 { return last.Index(0, 0).Float() }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a read of what is computed later: got %v, want the context's error", err)
		}
	})
	select {
	case err := <-over:
		t.Errorf("after the reads: the %d products behind them are over (%v)", times, err)
	default:
	}
	if !testcheck.SameBinary(last, weft.Eye(512)) {
		t.Error("the last product is not the unit matrix")
	}
}
