package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// TileP repeats an array along each axis: axis i of the result has Reps[i] copies
// of the operand's, one after the other.
type TileP struct{ Reps core.Dims }

// Tile repeats x along each axis.
func Tile(x Value, reps core.Dims) Value { return core.Apply1(TileP{reps}, x) }

func (TileP) Name() string { return "tile" }

func (TileP) read(r *jaxpr.ParamReader) core.Primitive { return TileP{r.Dims("reps")} }

func (p TileP) Params() []core.Param { return []core.Param{rule.Param("reps", p.Reps)} }

func (p TileP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	x := in[0]
	if p.Reps.Len() != x.Rank() {
		core.Failf(core.ErrShape, "%v needs %s of copies (got %v); pass one for each axis", x.Full(), core.Count(x.Rank(), "number"), p.Reps)
	}
	s := x.Shape.Ints()
	for i, n := range p.Reps.All() {
		if n < 0 {
			core.Failf(core.ErrShape, "negative number of copies (got %v); use 0 or more", p.Reps)
		}
		s[i] = rule.Times(s[i], n)
	}
	return []ShapedArray{x.WithShape(core.MakeDims(s...))}
}

func (p TileP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

// Transpose adds up the copies.
func (p TileP) Transpose(ct, _ []Value, _ []bool, av []ShapedArray) []Value {
	var split, axes []int
	for i, n := range p.Reps.All() {
		if n != 1 {
			axes = append(axes, len(split))
			split = append(split, n)
		}
		split = append(split, av[0].Shape.At(i))
	}
	if len(axes) == 0 {
		return rule.One(ct[0])
	}
	return rule.One(ReduceSum(Reshape(ct[0], core.MakeDims(split...)), core.MakeDims(axes...)))
}

func (p TileP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(TileP{p.Reps.Prepend(1)}, in[0])
}
