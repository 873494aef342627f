package custom

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// Closure turns values that f closes over into arguments. It traces f on arguments of the form
// and types of example. It returns a function that takes, besides these arguments, the traced
// floating-point values that f closed over; it also returns those values. A function with a custom
// rule can then take the values that a function passed to it depends on as an argument, and have
// a derivative with respect to them.
func Closure[P, O any](f func(P) O, example P) (converted func(p P, consts []weft.Array) O, consts []weft.Array) {
	const op = "custom.Closure"
	leaves.RequireNonNil(op, f)
	fp, fo := formOf[P](op), formOf[O](op)
	vals, def := fp.Values(op, &example)
	types := core.AvalsOf(vals)
	var out defOf
	program := trace.Stage(leaves.FuncName(f), types, leaves.Flat(op, def, f, fp, fo, &out))
	hoisted := trace.HoistIf(program, func(v core.Value) bool {
		_, traced := v.(core.Tracer)
		return traced && v.Aval().DType.IsInexact()
	})
	constTypes := core.AvalsOf(hoisted)
	return func(p P, consts []weft.Array) O {
		if len(consts) != len(constTypes) {
			core.FailOp(core.ErrTree, op, nil, "the converted function takes the %s that Closure returned with it, or others of their types; got %d", core.Count(len(constTypes), "value"), len(consts))
		}
		in := make([]core.Value, 0, len(consts)+len(types))
		for i, c := range consts {
			in = append(in, sameAs(op, "value", i, nd.ValueOf(op, c), constTypes[i]))
		}
		fp.RequireSame(op, "the example and the argument of the converted function", &example, &p)
		vals, _ := fp.Values(op, &p)
		for i, v := range vals {
			in = append(in, sameAs(op, "array", i, v, types[i]))
		}
		return together[O](out, jaxpr.Eval(program, nil, in))
	}, arrays(hoisted)
}

// sameAs refuses a value of another type than the example's.
func sameAs(op, what string, i int, v core.Value, want core.ShapedArray) core.Value {
	if got := v.Aval(); !got.SameType(want) {
		core.FailOp(core.ErrDType, op, []core.ShapedArray{want, got}, "the function was converted for %s %d of type %s, got %s; convert it for this type", what, i, want.Full(), got.Full())
	}
	return v
}
