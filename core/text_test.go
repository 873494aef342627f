package core

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

// A site in a text prints as the text describes it. When the text is unreachable it still does,
// until enough later texts are unreachable too.
func TestTextSites(t *testing.T) {
	describe := func(name string) func(int) (string, int, string) {
		return func(offset int) (string, int, string) {
			return "/x/" + name, offset, fmt.Sprintf("%s:%d:1", name, offset)
		}
	}
	a, b := NewText(10, describe("a.mlir")), NewText(0, describe("b.mlir"))
	if got, want := fmt.Sprint(a.Site(0), a.Site(10), b.Site(0), TextSite(7)), "a.mlir:0:1 a.mlir:10:1 b.mlir:0:1 text offset 7"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	file, line, function := a.Site(3).Resolve()
	if file != "/x/a.mlir" || line != 3 || function != "" {
		t.Errorf("got %s, %d, %q", file, line, function)
	}
	gone, dropped := a.Site(5), NewText(maxGone, describe("long.mlir")).Site(1)
	runtime.KeepAlive(a)
	a = nil
	collect(func() bool { return dropped.String() == "" }) // it is longer than what is kept
	if got := gone.String() + dropped.String(); got != "a.mlir:5:1" {
		t.Errorf("got %s, want a.mlir:5:1", got)
	}
	for range 2 * maxGone / (1 << 20) {
		NewText(1<<20, describe("later.mlir"))
	}
	collect(func() bool { return gone.String() == "" })
	if got := gone.String() + b.Site(0).String(); got != "b.mlir:0:1" {
		t.Errorf("got %s, want b.mlir:0:1", got)
	}
	runtime.KeepAlive(b)
	if huge := NewText(int(firstBase), describe("huge")); huge.Site(1) != TextSite(1) {
		t.Error("a text that is too long has sites of its own")
	}
}

// collect collects garbage until done, or for 10 seconds.
func collect(done func() bool) {
	for begin := time.Now(); time.Since(begin) < 10*time.Second; {
		runtime.GC()
		if done() {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
