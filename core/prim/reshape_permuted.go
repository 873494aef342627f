package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
)

// ReshapePermutedP is JAX's reshape with dimensions: the elements in the order of the axes Perm
// get another shape, as if the operand were transposed before. Programs read from texts have it.
//
//prim:word reshape
type ReshapePermutedP struct{ Shape, Perm core.Dims }

func (ReshapePermutedP) Name() string { return "reshape" }

func (p ReshapePermutedP) Params() []core.Param {
	return []core.Param{rule.Param("dimensions", p.Perm), rule.Param("new_sizes", p.Shape), rule.Param("sharding", "None")}
}

func (p ReshapePermutedP) Abstract(in []ShapedArray) []ShapedArray {
	return ReshapeP{p.Shape}.Abstract(TransposeP{p.Perm}.Abstract(in))
}

func (p ReshapePermutedP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

// Transpose reshapes back and restores the order of the axes.
func (p ReshapePermutedP) Transpose(ct, _ []Value, _ []bool, av []ShapedArray) []Value {
	back := make([]int, p.Perm.Len())
	from := make([]int, p.Perm.Len())
	for i, k := range p.Perm.All() {
		back[k], from[i] = i, av[0].Shape.At(k)
	}
	return rule.One(Transpose(Reshape(ct[0], core.MakeDims(from...)), core.MakeDims(back...)))
}

func (p ReshapePermutedP) Batch(n int, in []Value, _ []bool) ([]Value, []bool) {
	perm := make([]int, p.Perm.Len()+1)
	for i, k := range p.Perm.All() {
		perm[i+1] = k + 1
	}
	return rule.Bound(ReshapePermutedP{p.Shape.Prepend(n), core.MakeDims(perm...)}, in[0])
}

func (p ReshapePermutedP) Expand(in []Value) []Value {
	return rule.One(Reshape(Transpose(in[0], p.Perm), p.Shape))
}
