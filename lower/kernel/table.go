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

// Prepare is the kernel of p for operands and results of certain types, with what can
// be found out beforehand found out.
func Prepare(p core.Primitive, in, out []core.ShapedArray) (f Func, ok bool) {
	f, ok = Lookup(p)
	if _, single := expansions[p.Name()]; !ok || !single || len(out) != 1 || out[0].DType.Size() == 0 || out[0].Size() == 0 {
		return f, ok
	}
	if _, other := loopTable[p.Name()]; other {
		return f, ok
	}
	dts := make([]core.DType, len(in))
	for i, a := range in {
		dts[i] = a.DType
	}
	pl, planned := PlanOf(p, dts, out[0].DType)
	if !planned {
		return f, ok
	}
	return func(_ core.Primitive, in, out []*Tensor) { pl.Run(in, out) }, true
}
