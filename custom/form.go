package custom

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
	"github.com/weft-go/weft/internal/leaves"
)

type form[P any] = leaves.Form[P, weft.Array]

type defOf = *tree.Def[weft.Array]

// formOf returns the form of P. A type that is not a tree is refused, naming the operation.
func formOf[P any](op string) form[P] { return leaves.Of[P](op, weft.FromValue) }

func together[P any](def defOf, vals []core.Value) P {
	return leaves.Together[P](def, vals, weft.FromValue)
}

func arrays(vs []core.Value) []weft.Array {
	out := make([]weft.Array, len(vs))
	for i, v := range vs {
		out[i] = weft.FromValue(v)
	}
	return out
}
