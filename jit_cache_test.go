package weft_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/testcheck"
)

func heapInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// logged returns what f writes to the process's log.
func logged(f func()) string {
	var b bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&b, nil)))
	defer slog.SetDefault(old)
	f()
	return b.String()
}

// Programs of 4,000 closures that capture 1 MB each stay within the cache's bounds.
func TestCacheBoundsClosures(t *testing.T) {
	n := 4000
	if testing.Short() {
		n = 400
	}
	apply := weft.Jit(func(f func(weft.Array) weft.Array, x weft.Array) weft.Array { return f(x) })
	x := weft.Zeros(1 << 18)
	start := heapInUse()
	text := logged(func() {
		weft.With(weft.ProgramCache(100, 20<<20), func() {
			for i := range n {
				c := weft.Full(weft.Shape{1 << 18}, float32(i))
				if got := apply(func(x weft.Array) weft.Array { return x.Add(c).Index(7) }, x); got.Float() != float64(i) {
					t.Fatalf("closure %d: got %v", i, got)
				}
			}
		})
	})
	if grown := heapInUse() - start; grown > 100<<20 {
		t.Errorf("%d closures over 1 MB: the heap grew by %d MB, want the bound of 20 MB and what is pooled", n, grown>>20)
	}
	if c := strings.Count(text, "weft.ProgramCache"); c != 1 {
		t.Errorf("the log names the bounds %d times, want once: %s", c, text)
	}
	runtime.KeepAlive(apply)
}

// The least recently used program is dropped first, and what is dropped is reported.
func TestCacheDropsLeastRecentlyUsed(t *testing.T) {
	traces := map[int]int{}
	f := weft.Jit(func(x weft.Array) weft.Array { traces[x.Len()]++; return x.Add(1) })
	call := func(n int) {
		t.Helper()
		if got := f(weft.Ones(n)); !got.Equal(weft.Full(weft.Shape{n}, 2.)) {
			t.Errorf("f(ones(%d)) = %v", n, got)
		}
	}
	var whys []string
	weft.ExplainRetracing(func(why string) { whys = append(whys, why) })
	defer weft.ExplainRetracing(nil)
	weft.With(weft.ProgramCache(3, 1<<30), func() {
		call(1)
		call(2)
		call(3)
		call(1) // 2 is the oldest now
		call(4)
		call(1)
		call(3)
		call(1)
		call(1) // without a search
		call(5) // drops 4
		call(1)
		call(3)
	})
	if want := (map[int]int{1: 1, 2: 1, 3: 1, 4: 1, 5: 1}); fmt.Sprint(traces) != fmt.Sprint(want) {
		t.Errorf("traces by length: got %v, want %v", traces, want)
	}
	call(2)
	if traces[2] != 2 {
		t.Errorf("a dropped program was not traced again: %v", traces)
	}
	dropped := 0
	for _, why := range whys {
		if strings.Contains(why, "dropped 1 program") {
			dropped++
		}
	}
	if dropped != 2 {
		t.Errorf("%d reports of dropped programs, want 2: %q", dropped, whys)
	}
}

// Without a setting the cache is bounded, too: it contains the programs of 1024 forms of arguments.
func TestCacheDefaultBound(t *testing.T) {
	traces := map[int]int{}
	f := weft.Jit(func(x weft.Array) weft.Array { traces[x.Len()]++; return x.Neg() })
	logged(func() {
		for n := range 1025 {
			f(weft.Zeros(n + 1))
		}
		f(weft.Zeros(1025))
		f(weft.Zeros(1))
	})
	if traces[1025] != 1 || traces[1] != 2 || len(traces) != 1025 {
		t.Errorf("the last of 1025 forms was traced %d times, the first %d times, want 1 and 2", traces[1025], traces[1])
	}
}

// An array that all programs share does not exhaust the cache.
func TestCacheSharedCapture(t *testing.T) {
	traces := 0
	w := weft.Ones(1 << 18)
	f := weft.Jit(func(x weft.Array) weft.Array { traces++; return w.Sum().Add(x) })
	weft.With(weft.ProgramCache(10, 1<<17), func() {
		for range 3 {
			f(weft.Ones(1))
			f(weft.Ones(2))
		}
	})
	if traces != 2 {
		t.Errorf("traced %d times, want 2", traces)
	}
}

// A program that is dropped while it runs completes.
func TestCacheDroppedWhileRunning(t *testing.T) {
	entered, leave := make(chan bool), make(chan bool)
	var once sync.Once
	f := weft.Jit(func(x weft.Array) weft.Array {
		return weft.PureCallback(func(x weft.Array) weft.Array {
			if x.Len() == 3 {
				once.Do(func() { entered <- true; <-leave })
			}
			return x.Mul(2)
		}, x, x).Add(1)
	})
	got := make(chan weft.Array)
	go func() { got <- f(weft.Ones(3)) }()
	<-entered
	logged(func() {
		weft.With(weft.ProgramCache(1, 1), func() {
			for n := range 8 {
				f(weft.Ones(n + 4))
			}
		})
		runtime.GC()
	})
	close(leave)
	if y := <-got; !y.Equal(weft.Of(3., 3, 3)) {
		t.Errorf("got %v, want 3 3 3", y)
	}
}

func TestCacheRefusesBounds(t *testing.T) {
	testcheck.Fails(t, core.ErrStatic, func() { weft.ProgramCache(0, 1) }, "ProgramCache", "got 0 programs")
	testcheck.Fails(t, core.ErrStatic, func() { weft.ProgramCache(1, -1) }, "-1 bytes")
}
