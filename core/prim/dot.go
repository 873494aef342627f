package prim

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// DotGeneralP contracts axes of two arrays, separately for each index of the batch axes.
//
//	z[b, i, j] = Σₖ x[b, i, k] · y[b, j, k]
//
// b are the batch axes, k the contracted ones, pairwise of one size; i and j are
// the remaining axes of x and y in their order; the result has b, i, j in that
// order. Elements are converted to the dtype of the result, f16, bf16 and smaller
// floats to f32, and multiplied and added there; the k run in row-major order of
// the axes as LhsContract lists them, in contiguous chunks of 128, each one chain of
// fused multiply-adds from +0; the chunks' results are added from left to right to
// +0, and the sum is rounded once. So a dot within a batch has the bits of a dot
// alone. For bools it is the or of ands. The operands may differ in dtype: the result has
// the wider one of the higher kind, unless one is preferred.
type DotGeneralP struct {
	LhsContract, RhsContract core.Dims
	LhsBatch, RhsBatch       core.Dims
	Precision                string // as text has it, "" for None; changes no numbers of exact executors
	Preferred                core.DType
}

// DotGeneral contracts x and y as p specifies.
func DotGeneral(x, y Value, p DotGeneralP) Value { return core.Apply2(p, x, y) }

// MatMul returns the product of matrices, which are the last two axes of x and y. The axes before these are batch axes.
func MatMul(x, y Value) Value {
	n := x.Aval().Rank()
	batch := core.Range(0, n-2)
	return DotGeneral(x, y, DotGeneralP{LhsContract: core.MakeDims(n - 1), RhsContract: core.MakeDims(n - 2), LhsBatch: batch, RhsBatch: batch})
}

func (DotGeneralP) Name() string { return "dot_general" }

func (DotGeneralP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("out_sharding", "None")
	p := DotGeneralP{Preferred: r.OptDType("preferred_element_type")}
	if !r.IsNone("precision") {
		p.Precision = r.Text("precision")
	}
	lists := rule.IntLists(r.Text("dimension_numbers"))
	if len(lists) != 4 {
		core.FailOp(core.ErrParse, "dot_general", nil, "parameter dimension_numbers must have the form (([…], […]), ([…], […])) (got %q); write contracting axes, then batch axes", r.Text("dimension_numbers"))
	}
	p.LhsContract, p.RhsContract, p.LhsBatch, p.RhsBatch = lists[0], lists[1], lists[2], lists[3]
	return p
}

func (p DotGeneralP) Params() []core.Param {
	list := func(d core.Dims) string {
		return "[" + strings.TrimSuffix(strings.Trim(d.String(), "()"), ",") + "]"
	}
	ps := []core.Param{rule.Param("dimension_numbers", fmt.Sprintf("((%s, %s), (%s, %s))",
		list(p.LhsContract), list(p.RhsContract), list(p.LhsBatch), list(p.RhsBatch)))}
	if p.Precision != "" {
		ps = append(ps, rule.Param("precision", p.Precision))
	}
	if p.Preferred != core.Invalid {
		ps = append(ps, rule.Param("preferred_element_type", p.Preferred.Long()))
	}
	return ps
}

// Abstract returns the type of the result. Its axes are the batch axes, then the free axes of the
// left and of the right operand.
func (p DotGeneralP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 2)
	x, y := in[0], in[1]
	dotAxes("left", x, p.LhsContract, p.LhsBatch)
	dotAxes("right", y, p.RhsContract, p.RhsBatch)
	dotPairs("contracting", x, y, p.LhsContract, p.RhsContract)
	dotPairs("batch", x, y, p.LhsBatch, p.RhsBatch)
	dt := rule.ProductDType(x, y, p.Preferred)
	shape := append(p.LhsBatch.Map(x.Shape.At).Ints(), free(x.Rank(), p.LhsContract, p.LhsBatch).Map(x.Shape.At).Ints()...)
	shape = append(shape, free(y.Rank(), p.RhsContract, p.RhsBatch).Map(y.Shape.At).Ints()...)
	return []ShapedArray{{Shape: core.MakeDims(shape...), DType: dt, Weak: x.Weak && y.Weak}}
}

func dotAxes(side string, x ShapedArray, contract, batch core.Dims) {
	if !rule.Distinct(contract.Append(batch.Ints()...), x.Rank()) {
		core.Failf(core.ErrShape, "the contracting axes %v and batch axes %v of the %s operand must be distinct axes of %v; remove duplicates and axes out of range", contract, batch, side, x.Full())
	}
}

func dotPairs(what string, x, y ShapedArray, l, r core.Dims) {
	if l.Len() != r.Len() {
		core.Failf(core.ErrShape, "the operands must have equally many %s axes (got %v and %v); pair the axes", what, l, r)
	}
	for i, a := range l.All() {
		if b := r.At(i); x.Shape.At(a) != y.Shape.At(b) {
			core.Failf(core.ErrShape, "%s axes must have equal sizes (axis %d of %v is %d, axis %d of %v is %d); transpose or slice an operand", what, a, x.Full(), x.Shape.At(a), b, y.Full(), y.Shape.At(b))
		}
	}
}

// free lists the axes of an operand that are neither contracted nor batch axes.
func free(rank int, contract, batch core.Dims) core.Dims {
	return keptAxes(rank, contract.Append(batch.Ints()...))
}
