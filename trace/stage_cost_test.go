//go:build !race

// The race detector allocates on its own, and drops what pools contain at random.

package trace_test

import (
	goruntime "runtime"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/trace"
)

// A trace of few operations is cheap: the number of traces within nested rules of the user's grows with the square of the depth.
func TestShortTraceCost(t *testing.T) {
	yes := litF(1)
	for _, c := range []struct {
		name  string
		most  int // bytes
		write func(x val) val
	}{
		{"two operations", 2000, func(x val) val { return prim.Mul(prim.Sin(x), x) }},
		{"a loop", 4000, func(x val) val {
			c, _ := trace.Scan(func(c, _ []val) ([]val, []val) { return []val{prim.Sin(c[0])}, nil }, []val{x}, nil, trace.ScanConfig{Length: 4})
			return c[0]
		}},
		{"a conditional", 6000, func(x val) val {
			f := func() []val { return []val{prim.Sin(x)} }
			return trace.Cond(prim.Lt(x, yes), f, f)[0]
		}},
	} {
		const n = 1000
		var before, after goruntime.MemStats
		goruntime.ReadMemStats(&before)
		for range n {
			trace.Stage("f", []core.ShapedArray{f32}, func(in []val) []val { return []val{c.write(in[0])} })
		}
		goruntime.ReadMemStats(&after)
		if got := int(after.TotalAlloc-before.TotalAlloc) / n; got > c.most {
			t.Errorf("%s: a trace allocates %d bytes, want at most %d", c.name, got, c.most)
		} else {
			t.Logf("%s: a trace allocates %d bytes", c.name, got)
		}
	}
}
