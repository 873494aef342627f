// Package tree splits trees of arrays into parts and combines the parts again, to
// differentiate, save or share some leaves of a model and not the others.
//
//	head, body := tree.Partition(model, func(path string, x weft.Array) bool { return strings.HasPrefix(path, ".Head") })
//	grad := weft.GradAt(head, func(head Model) weft.Array { return loss(tree.Combine(head, body)) })
//
// The parts are trees of the model's own type. Where a part lacks a leaf it has one of the type
// float0, of the leaf's shape and without elements, as gradients have for frozen fields: Grad
// does not differentiate it, weft.TreeMap and weft.Ravel pass it through, weft.Save leaves it
// out, and optimizers keep it.
package tree

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
)

// Partition returns the leaves of p that keep selects by their paths (.Layers[2].W) and
// arrays, and the others, both in p's structure. [Combine] of the two is p.
func Partition[P any](p P, keep func(path string, x weft.Array) bool) (chosen, others P) {
	leaves.RequireNonNil("Partition", keep)
	form := leaves.Of[P]("Partition", weft.FromValue)
	vals, def := form.Values("Partition", &p)
	yes, no := slices.Clone(vals), slices.Clone(vals)
	for i, path := range form.Paths(&p) {
		without := no
		if !keep(path, weft.FromValue(vals[i])) {
			without = yes
		}
		without[i] = nd.NoTangent(vals[i].Aval())
	}
	return leaves.Together[P](def, yes, weft.FromValue), leaves.Together[P](def, no, weft.FromValue)
}

// Combine returns the first tree with its absent leaves, those of the type float0, taken from
// the next tree that has them. The trees have one structure, equal statics, and leaves of
// equal shapes. A leaf that no tree has stays absent.
func Combine[P any](first P, others ...P) P {
	form := leaves.Of[P]("Combine", weft.FromValue)
	vals, def := form.Values("Combine", &first)
	for k := range others {
		form.RequireSame("Combine", "the trees", &first, &others[k])
		more, _ := form.Values("Combine", &others[k])
		for i, v := range more {
			a, b := vals[i].Aval(), v.Aval()
			if a.Shape != b.Shape {
				core.FailOp(core.ErrShape, "Combine", []core.ShapedArray{a, b}, "the leaves of tree 0 and tree %d differ in shape%s (got %v and %v); combine parts of one tree",
					k+1, leaves.AtPath(form.Path(&first, i)), a.Full(), b.Full())
			}
			if a.DType == core.Float0 {
				vals[i] = v
			}
		}
	}
	return leaves.Together[P](def, vals, weft.FromValue)
}
