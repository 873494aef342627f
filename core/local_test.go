package core

import (
	"runtime"
	"sync"
	"testing"
)

func TestLocal(t *testing.T) {
	var l Local[int]
	check := func(where string, want int) {
		t.Helper()
		got := 0
		if p := l.Get(); p != nil {
			got = *p
		}
		if got != want {
			t.Errorf("%s: got %d, want %d", where, got, want)
		}
	}
	with := func(v int, f func()) { l.With(&v, f) }
	check("outside", 0)
	with(1, func() {
		with(2, func() { check("inner", 2) })
		check("outer", 1)
		var wg sync.WaitGroup
		wg.Go(func() {
			check("another goroutine", 0)
			with(3, runtime.Goexit)
		})
		wg.Wait()
		func() {
			defer func() { recover() }()
			with(4, func() { panic("stop") })
		}()
		check("after a panic", 1)
	})
	check("afterwards", 0)
	if n := l.count.Load(); n != 0 {
		t.Errorf("%d calls of With are counted as active, want 0", n)
	}
}
