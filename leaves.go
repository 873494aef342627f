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
