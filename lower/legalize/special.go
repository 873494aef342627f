package legalize

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
)

// inDoubles returns a special function on operands that are converted to f64 and spread to the
// result's shape, as kernels take them. It returns nil if they are so already or the result is empty.
func inDoubles(e *jaxpr.Eqn) lower.Expansion {
	out := e.Outs[0].Type
	fits := out.DType == core.Float64
	for _, a := range e.Ins {
		_, literal := a.(core.Literal)
		fits = fits && !literal && a.Aval().Shape == out.Shape
	}
	if fits || out.Size() == 0 {
		return nil
	}
	return func(in []core.Value) []core.Value {
		wide := make([]core.Value, len(in))
		for i, x := range in {
			wide[i] = prim.Convert(spreadTo(x, out.Shape), core.Float64, false)
		}
		y := core.Bind1(e.Prim, wide...)
		if out.DType.Bits() < 32 { // the reference rounds to f32 first
			y = prim.Convert(y, core.Float32, false)
		}
		return []core.Value{prim.Convert(y, out.DType, false)}
	}
}

func spreadTo(x core.Value, shape core.Dims) core.Value {
	from := x.Aval().Shape
	switch {
	case from == shape:
		return x
	case from.Len() == 0:
		return filled(x, shape)
	}
	return prim.BroadcastInDim(x, shape, core.Range(0, shape.Len()))
}
