package kernel

import (
	"maps"

	"github.com/weft-go/weft/core"
)

// table holds the kernels of the vocabulary by the primitives' names: a row an
// operation. Programs within programs are not here; executors run them.
var table = func() map[string]Func {
	t := make(map[string]Func)
	for name := range expansions {
		t[name] = elementwise
	}
	maps.Copy(t, reshapedTable)
	maps.Copy(t, loopTable)
	return t
}()

// Lookup is the kernel of p; ok is false where the table has a hole.
func Lookup(p core.Primitive) (f Func, ok bool) {
	f, ok = table[p.Name()]
	return f, ok
}
