package core

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

// A site in a text prints as the text describes it, and as nothing when the text is gone.
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
	gone := a.Site(5)
	runtime.KeepAlive(a)
	a = nil
	for range 100 {
		runtime.GC()
		if gone.String() == "" {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if got := gone.String() + b.Site(0).String(); got != "b.mlir:0:1" {
		t.Errorf("got %s, want b.mlir:0:1", got)
	}
	if huge := NewText(int(firstBase), describe("huge")); huge.Site(1) != TextSite(1) {
		t.Error("a text that is too long has sites of its own")
	}
}
