package trace

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// Tracing as in JAX before omnistaging, kept to show the difference: only what depends on an
// argument is recorded.

// DataDependence reports whether traces that this goroutine starts follow data dependence only.
// The package with the settings sets it, before the first trace.
var DataDependence = func() bool { return false }

// StageData is [Stage] that records only what depends on the arguments, and arrays filled with one
// number. All else runs at once, and its results become constants.
func StageData(name string, in []core.ShapedArray, f func(in []core.Value) []core.Value) *jaxpr.Jaxpr {
	return stage(name, in, f, true)
}

// executed applies p at once if no operand depends on an argument of this trace. A number that
// fills an array stays lazy: it is recorded, and computed when something that is executed needs
// it.
func (r *Recorder) executed(p core.Primitive, in []core.Value) (out []core.Value, ok bool) {
	if _, fill := p.(prim.BroadcastInDimP); fill {
		if _, number := in[0].(core.Literal); number {
			return nil, false
		}
	}
	vals := make([]core.Value, len(in))
	for i, v := range in {
		t, own := v.(*Tracer)
		if own = own && t.rec == r; own && t.k == nil {
			return nil, false
		}
		if vals[i] = v; own {
			var err error
			if vals[i], err = t.Look(); err != nil {
				panic(err)
			}
		}
	}
	return core.Bind(p, vals...), true
}
