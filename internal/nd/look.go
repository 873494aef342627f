package nd

import (
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// Look returns the concrete array behind x. It fails, naming op, if x has no known elements.
func Look(op string, x core.Value) *runtime.Array {
	v, err := trace.Look(ValueOf(op, x))
	if err != nil {
		if e, ok := err.(*core.Error); ok && e.Op == "" {
			f := *e
			f.Op = op
			err = &f
		}
		panic(err)
	}
	switch v := v.(type) {
	case *runtime.Array:
		v.Live(op)
		return v
	case core.Literal:
		return runtime.FromLiteral(v)
	}
	core.FailOp(core.ErrDevice, op, nil, "%s is traced, so its elements have no values yet; compute with arrays, or do this outside of the transformation", core.WithArticle(reflect.TypeOf(v)))
	return nil
}

// positionsOf returns the positions where a mask holds, one array per axis.
func positionsOf(op string, m core.Value) []core.Value {
	v, err := trace.Look(m)
	if err != nil && trace.IsMapped(m) {
		core.FailOp(core.ErrConcrete, op, []core.ShapedArray{m.Aval()}, "how many elements the mask %v chooses is not known here: it is mapped by Vmap, and each element of the batch has its own, "+
			"so the result has no shape; select with Where, or loop over the elements outside of Vmap", m.Aval().Full())
	}
	if err != nil {
		core.FailOp(core.ErrConcrete, op, []core.ShapedArray{m.Aval()}, "how many elements the mask %v chooses is not known while it is traced, "+
			"so the result has no shape; select with Where, or make the mask of known values", m.Aval().Full())
	}
	a := Look(op, v)
	dims := a.Aval().Shape.Ints()
	places := make([][]int32, len(dims))
	at := make([]int32, len(dims))
	a.Read(op, func(t *reference.Tensor) {
		for _, b := range t.Data {
			if b != 0 {
				for k := range places {
					places[k] = append(places[k], at[k])
				}
			}
			for k := len(at) - 1; k >= 0; k-- {
				if at[k]++; int(at[k]) < dims[k] {
					break
				}
				at[k] = 0
			}
		}
	})
	out := make([]core.Value, len(places))
	for k := range places {
		out[k] = fromSlice(places[k])
	}
	return out
}

// Nonzero returns the positions of x's elements that are not zero, in row-major order: an
// array of indices for each axis. x must be known.
func Nonzero(x core.Value) []core.Value {
	m := Truth(ValueOf("Nonzero", x))
	requireAxes("Nonzero", m)
	return positionsOf("Nonzero", m)
}
