package weft_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/testcheck"
)

type pointerConfig struct {
	K    float64
	F    func(weft.Array) weft.Array
	Next *pointerConfig
}

// What a static pointer points to is part of the key: a change of it is detected.
func TestJitStaticPointerContents(t *testing.T) {
	traces := 0
	f := weft.Jit(func(c *pointerConfig, x weft.Array) weft.Array {
		traces++
		for ; c != nil; c = c.Next {
			x = x.Mul(c.K)
			if c.F != nil {
				x = c.F(x)
			}
			if c.Next == c {
				break
			}
		}
		return x
	})
	x := weft.Of(3.)
	check := func(what string, c *pointerConfig, want float64, traced int) {
		t.Helper()
		near(t, what, f(c, x).Index(0), want)
		if traces != traced {
			t.Errorf("%s: traced %d times, want %d", what, traces, traced)
		}
	}
	c := &pointerConfig{K: 2}
	check("K = 2", c, 6, 1)
	check("K = 2 again", c, 6, 1)
	c.K = 7
	check("K = 7", c, 21, 2)
	c.Next = &pointerConfig{K: 10}
	check("a second link", c, 210, 3)
	c.Next.K = 100
	check("a change behind two pointers", c, 2100, 4)
	c.Next = c
	check("a cycle", c, 21, 5)
	c.Next = nil
	check("as before", c, 21, 5)
	for i := range 4 { // closures that take each other's memory
		k := float64(i)
		c.F = func(x weft.Array) weft.Array { return x.Add(k) }
		check("a function", c, 21+k, 6+i)
	}
	if _, err := weft.Try(func() weft.Array { return f(nil, x) }); err != nil {
		t.Errorf("nil: %v", err)
	}
}

// A compiled function refuses a static pointer whose contents changed.
func TestCompileStaticPointerContents(t *testing.T) {
	c := &pointerConfig{K: 2}
	x := weft.Of(3.)
	f, err := weft.Compile(func(c *pointerConfig, x weft.Array) weft.Array { return x.Mul(c.K) }, c, x)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "K = 2", f.Call(c, x).Index(0), 6)
	c.K = 7
	testcheck.Fails(t, core.ErrStatic, func() { f.Call(c, x) }, "static pointer")
}

// A compiled function refuses other static fields, and names the first that differs.
func TestCompileStaticFields(t *testing.T) {
	type config struct {
		X weft.Array
		K float64
	}
	f, err := weft.Compile(func(c config, x weft.Array) weft.Array { return x.Mul(c.X).Mul(c.K) }, config{weft.Of(2.), 5}, weft.Of(3.))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "K = 5", f.Call(config{weft.Of(2.), 5}, weft.Of(3.)).Index(0), 30)
	testcheck.Fails(t, core.ErrStatic, func() { f.Call(config{weft.Of(2.), 7}, weft.Of(3.)) }, "was compiled with argument 0.K", "5, called with", "7")
}

// What is behind a lock cannot be compared, and is refused with the fix.
func TestJitStaticPointerToLock(t *testing.T) {
	type guarded struct {
		mu sync.Mutex //lint:ignore U1000 it is there to be refused
		K  float64
	}
	f := weft.Jit(func(c *guarded, x weft.Array) weft.Array { return x.Mul(c.K) })
	err := core.Catch(func() { f(&guarded{K: 2}, weft.Of(3.)) })
	if err == nil || !strings.Contains(err.Error(), "capture the pointer") {
		t.Errorf("got %v, want an error that recommends to capture the pointer", err)
	}
}
