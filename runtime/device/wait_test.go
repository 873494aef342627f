package device_test

import (
	"context"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/device/drivertest"
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

// A wait that returns no error has waited under any context: elements are read then.
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
