package proflabel

import (
	"context"
	"runtime/pprof"
	"testing"
	"unsafe"

	"github.com/weft-go/weft/internal/test/testcheck"
)

// within returns what the goroutine's labels are while f's caller runs it.
func within(do func(func())) (p unsafe.Pointer) {
	do(func() { p = get() })
	return p
}

func TestLabels(t *testing.T) {
	if get() != nil {
		t.Fatal("the test's goroutine has labels")
	}
	a, b := New("a"), New("b")
	if a == b || New("a") != a || get() != nil {
		t.Error("a name has one label, and making it leaves the goroutine alone")
	}
	if within(a.Do) != a.set || get() != nil {
		t.Error("the label is not there during the call, or after it")
	}
	// A call within a call has its own name.
	a.Do(func() {
		if within(b.Do) != b.set || get() != a.set {
			t.Error("calls do not nest")
		}
	})
	// The user's labels stay, and are restored.
	pprof.Do(context.Background(), pprof.Labels("request", "7"), func(ctx context.Context) {
		user := get()
		if within(a.Do) != user {
			t.Error("the user's labels are gone during the call")
		}
		joined := within(func(f func()) { a.DoContext(ctx, f) })
		if joined == user || joined == a.set || get() != user {
			t.Error("with a context the labels are not joined, or not restored")
		}
	})
	// A panic leaves nothing behind.
	_ = testcheck.Recover(func() { a.Do(func() { panic("out") }) })
	if get() != nil {
		t.Error("a panic leaves a label behind")
	}
}

func BenchmarkDo(b *testing.B) {
	l := New("a")
	for b.Loop() {
		l.Do(func() {})
	}
}
