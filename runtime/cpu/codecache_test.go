package cpu

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft/internal/test/ircheck"
	"github.com/weft-go/weft/lower/ir"
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/runtime"
)

// Equal kernels of a program and of another one are compiled once.
func TestEqualKernelsAreCompiledOnce(t *testing.T) {
	compiled := 0
	e := refusing(t, func(k *ir.Kernel, o codegen.Options) (*codegen.Code, error) {
		compiled++
		return codegen.Compile(k, o)
	})
	const text = `{ lambda ; a:f32[100]. let
    b:f32[100] = cumsum[axis=0 reverse=False] a
    c:f32[100] = cumsum[axis=0 reverse=False] b
    d:f32[100] = cumsum[axis=0 reverse=False] c
  in (d,) }`
	for range 2 {
		x, err := e.Compile(&runtime.Request{Jaxpr: ircheck.Parse(t, text)})
		if err != nil {
			t.Fatal(err)
		}
		if a := x.Account(); a.Kernels != 3 || compiled != 1 {
			t.Errorf("%d kernels were compiled %d times, want 3 and 1", a.Kernels, compiled)
		}
	}
}

// The cache drops kernels that were not used while others filled it.
func TestCodeCacheIsBounded(t *testing.T) {
	e := refusing(t, codegen.Compile)
	k, err := e.compileKernel(&ir.Kernel{Name: "empty"})
	if err != nil {
		t.Fatal(err)
	}
	var c codeCache
	long := string(make([]byte, 1<<20))
	for i := range 100 {
		c.put(fmt.Sprint(long, i), k)
		if c.get(fmt.Append(nil, long, 0)) == nil {
			t.Fatalf("a kernel in use was forgotten after %d others", i)
		}
	}
	if n := len(c.young) + len(c.old); n > 40 {
		t.Errorf("the cache contains %d MB, want at most 40", n)
	}
	if c.get(fmt.Append(nil, long, 1)) != nil {
		t.Error("a kernel that nothing used was not forgotten")
	}
}
