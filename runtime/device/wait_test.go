package device_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

// late is a device whose commands end when ready is closed.
type late struct {
	*drivertest.Simulated
	ready chan struct{}
}

// Name returns the device's name.
func (l *late) Name() string { return "late" }

// Wait waits until ready is closed.
func (l *late) Wait(device.Mark) error {
	<-l.ready
	return nil
}

// closedContext has a closed channel and no error.
type closedContext struct{ context.Context }

// Done returns a channel that is closed.
func (closedContext) Done() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// A wait that returns no error has waited, whatever its context: the elements are read after it.
func TestWaitReturnsWhenReady(t *testing.T) {
	l := &late{&drivertest.Simulated{}, make(chan struct{})}
	if err := runtime.Register(device.New(l)); err != nil {
		t.Fatal(err)
	}
	y := weft.Jit(func(x weft.Array) weft.Array { return x.Mul(2) }, weft.On(weft.DeviceNamed("late")))(weft.Ones(4))
	a := y.Value().(*runtime.Array)
	done := make(chan error)
	go func() { done <- a.Wait(closedContext{t.Context()}) }()
	select {
	case err := <-done:
		t.Fatalf("before the device was ready: the wait returned %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.Wait(canceled); err != context.Canceled {
		t.Errorf("canceled: got %v, want %v", err, context.Canceled)
	}
	close(l.ready)
	if err := <-done; err != nil || !y.Equal(weft.Full(weft.Shape{4}, float32(2))) {
		t.Errorf("ready: got %v and %v, want 2 of each", err, y)
	}
}

// A read ends with its context, also if a program reads a loop's condition; the array can be read later. Elements are
// read after the wait.
func TestReadEndsWithContext(t *testing.T) {
	l := &never{late{&drivertest.Simulated{}, make(chan struct{})}}
	if err := runtime.Register(device.New(l)); err != nil {
		t.Fatal(err)
	}
	d := weft.DeviceNamed("never")
	y := weft.Jit(func(x weft.Array) weft.Array { return x.Mul(2) }, weft.On(d))(weft.Ones(4))
	long := weft.Jit(func(x weft.Array) weft.Array { // the host reads the condition
		return weft.While(func(x weft.Array) weft.Array { return x.Sum().Lt(99) }, func(x weft.Array) weft.Array {
			for range 70 {
				x = x.CumSum(0).Sort()
			}
			return x
		}, x)
	}, weft.On(d))
	there := weft.Ones(4).To(d)
	for name, read := range map[string]func(){
		"array":     func() { weft.ToSlice[float32](y) },
		"condition": func() { long(there) },
		"uploaded":  func() { weft.ToSlice[float32](there) },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		done := make(chan error, 1)
		go func() {
			weft.With(weft.Context(ctx), func() {
				_, err := weft.Try(func() int { read(); return 0 })
				done <- err
			})
		}()
		select {
		case err := <-done:
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: got %v, want the context's error", name, err)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: the read goes on after its context", name)
		}
		cancel()
	}
	if n := l.Reads(); n != 0 {
		t.Errorf("%d reads of what is not ready", n)
	}
	close(l.ready)
	if !y.Equal(weft.Full(weft.Shape{4}, float32(2))) || !there.Equal(weft.Ones(4)) {
		t.Errorf("later: got %v and %v", y, there)
	}
}

// never is late under another name; it has a Simulated of its own.
type never struct{ late }

// Name returns the device's name.
func (*never) Name() string { return "never" }
