package lax

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
	"github.com/weft-go/weft/internal/leaves"
)

type form[P any] struct {
	op string
	leaves.Form[P, weft.Array]
}

func formOf[P any](op string) form[P] { return form[P]{op, leaves.Of[P](op, weft.FromValue)} }

// apart returns the arrays of p, which must all be set, and its structure.
func (f form[P]) apart(p P) ([]core.Value, *tree.Def[weft.Array]) { return f.Values(f.op, &p) }

func (f form[P]) together(def *tree.Def[weft.Array], vs []core.Value) P {
	return leaves.Together[P](def, vs, weft.FromValue)
}

// same fails if p and q differ in structure or statics. In the message `what` stands for both.
func (f form[P]) same(what string, p, q P) { f.RequireSame(f.op, what, &p, &q) }
