package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
	"github.com/weft-go/weft/internal/leaves"
)

// form flattens values of P into arrays.
type form[P any] = leaves.Form[P, Array]

type defOf = *tree.Def[Array]

// formOf returns the form of P. A type that is no tree is refused, naming the operation.
func formOf[P any](op string) form[P] { return leaves.Of[P](op, FromValue) }

// together rebuilds a P from leaves in the form that def describes.
func together[P any](def defOf, vals []core.Value) P {
	return leaves.Together[P](def, vals, FromValue)
}

// funcOf returns the adapter of a function for an operation that writes nothing back.
func funcOf(op string, f any) *leaves.Func[Array] { return leaves.FuncOf(op, f, FromValue) }

func arraysOf(vs []core.Value) []Array {
	out := make([]Array, len(vs))
	for i, v := range vs {
		out[i] = FromValue(v)
	}
	return out
}

// requireOption refuses an option that is nil.
func requireOption(op string, isNil bool) {
	if isNil {
		core.FailOp(core.ErrStatic, op, nil, "an option is nil; leave it out")
	}
}
