package hostcall

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/weft-go/weft/core"
)

// Equal lists share one handle while it is in use. A list that nothing refers to leaves the table.
func TestHeld(t *testing.T) {
	a := MakeAvals(core.Aval(core.Float32, 2), core.Aval(core.Int32))
	runtime.GC()
	if b := MakeAvals(core.Aval(core.Float32, 2), core.Aval(core.Int32)); a != b || a == MakeAvals(core.Aval(core.Int32)) {
		t.Error("equal lists are not one handle, or others are")
	}
	f := AbsentFunc("f")
	for i := range 1000 {
		MakeAvals(core.Aval(core.Float32, i, 77))
		AbsentFunc(fmt.Sprint("g", i))
	}
	size := func() int {
		avalLists.mu.Lock()
		defer avalLists.mu.Unlock()
		namedFuncs.mu.Lock()
		defer namedFuncs.mu.Unlock()
		return len(avalLists.m) + len(namedFuncs.m)
	}
	for range 200 {
		if runtime.GC(); size() < 100 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if n := size(); n >= 100 {
		t.Errorf("%d entries are left of 2000", n)
	}
	if AbsentFunc("f") != f {
		t.Error("a function that is held has become another")
	}
	runtime.KeepAlive(a)
}
