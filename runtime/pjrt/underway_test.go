//go:build (linux || darwin) && (amd64 || arm64)

package pjrt

import (
	"context"
	"errors"
	goruntime "runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weft-go/weft/internal/test/fakepjrt"
	"github.com/weft-go/weft/runtime"
)

// A client for processors limits the programs of several devices that are under way. The next program
// waits until one of them ends, or its context does.
func TestUnderWay(t *testing.T) {
	f := fakepjrt.New()
	f.Platform = []byte(processors)
	var waiting atomic.Int64
	end := make(chan struct{})
	f.Break(fakepjrt.Faults{Fail: func(function string, _ int) bool {
		if function == "Event_Await" {
			waiting.Add(1)
			<-end
		}
		return false
	}})
	p, err := plugin(f, "")
	if err != nil {
		t.Fatal(err)
	}
	g, err := p.devices[0].group([]runtime.Executor{p.devices[0], p.devices[1]})
	if err != nil {
		t.Fatal(err)
	}
	c, err := runtime.Compile(g, &runtime.Request{Jaxpr: scaled(100)})
	if err != nil {
		t.Fatal(err)
	}
	x, err := runtime.Place(t.Context(), g, ramp(100))
	if err != nil {
		t.Fatal(err)
	}
	args := []*runtime.Array{x, x}
	for range mostUnderWay {
		if _, err := c.Run(context.Background(), args); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := c.Run(ctx, args); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("with %d under way: got %v, want the end of the context", mostUnderWay, err)
	}
	if n := f.Calls()["LoadedExecutable_Execute"]; n != mostUnderWay {
		t.Errorf("%d programs were started, want %d", n, mostUnderWay)
	}
	close(end)
	for range 2 * mostUnderWay {
		if _, err := c.Run(context.Background(), args); err != nil {
			t.Fatal(err)
		}
	}
	f.Break(fakepjrt.Faults{Code: 8, Fail: func(function string, _ int) bool { return function == "LoadedExecutable_Execute" }})
	for range 2 * mostUnderWay { // each is tried twice: the plugin has no memory
		if _, err := c.Run(context.Background(), args); err == nil {
			t.Fatal("a program that fails has results")
		}
	}
	f.Break(fakepjrt.Faults{})
	if _, err := c.Run(t.Context(), args); err != nil {
		t.Error(err)
	}
	goruntime.KeepAlive(c)
	c, x, args = nil, nil, nil
	if live := left(f); len(live) > 0 {
		t.Errorf("objects are left: %v", live)
	}
}
