package core

import (
	"runtime"
	"sync"
	"testing"
)

func TestLocal(t *testing.T) {
	if v := Local(); v != nil {
		t.Fatalf("Local outside is %v", v)
	}
	WithLocal(1, func() {
		WithLocal(2, func() {
			if v := Local(); v != 2 {
				t.Errorf("inner Local is %v", v)
			}
		})
		if v := Local(); v != 1 {
			t.Errorf("outer Local is %v", v)
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			if v := Local(); v != nil {
				t.Errorf("another goroutine sees %v", v)
			}
			WithLocal(3, runtime.Goexit)
		})
		wg.Wait()
		func() {
			defer func() { recover() }()
			WithLocal(4, func() { panic("stop") })
		}()
		if v := Local(); v != 1 {
			t.Errorf("Local after a panic is %v", v)
		}
	})
	if v := Local(); v != nil || localled.Load() != 0 {
		t.Fatalf("Local afterwards is %v, %d left", v, localled.Load())
	}
}
