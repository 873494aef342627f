package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// raggedRows are the only dimension numbers that RaggedDotP reads: groups of rows.
const raggedRows = "RaggedDotDimensionNumbers(dot_dimension_numbers=(((1,), (1,)), ((), ())), lhs_ragged_dimensions=(0,), rhs_group_dimensions=(0,))"

// RaggedDotP multiplies groups of the rows of an m × k matrix with a k × n matrix each, of a g × k
// × n array. The third operand has the sizes of the groups. Rows after the last group give rows of
// zeros.
//
// Numbers: those of one dot_general over groups and k, where the elements of other groups are zeros.
type RaggedDotP struct {
	Precision string
	Type      core.DType // of the result; Invalid: that of the operands
}

func (RaggedDotP) Name() string { return "ragged_dot_general" }

func (RaggedDotP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("group_offset", "None")
	r.MustBe("out_sharding", "None")
	r.MustBe("ragged_dot_dimension_numbers", raggedRows)
	return RaggedDotP{Precision: rule.OptionalText(r, "precision"), Type: r.OptDType("preferred_element_type")}
}

func (p RaggedDotP) Params() []core.Param {
	dt := "None"
	if p.Type != core.Invalid {
		dt = p.Type.Long()
	}
	return []core.Param{
		rule.Param("group_offset", "None"), rule.Param("out_sharding", "None"), rule.Param("precision", rule.NoneIfEmpty(p.Precision)),
		rule.Param("preferred_element_type", dt), rule.Param("ragged_dot_dimension_numbers", raggedRows),
	}
}

func (p RaggedDotP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 3)
	x, y, sizes := in[0], in[1], in[2]
	if x.Rank() != 2 || y.Rank() != 3 || sizes.Rank() != 1 || x.Shape.At(1) != y.Shape.At(1) || y.Shape.At(0) != sizes.Shape.At(0) || !sizes.DType.IsInteger() {
		core.Failf(core.ErrShape, "takes a matrix, matrices of as many rows as it has columns, and as many sizes as matrices (got %v, %v and %v); transpose or reshape them", x.Full(), y.Full(), sizes.Full())
	}
	return p.product().Abstract([]ShapedArray{x.WithShape(x.Shape.Prepend(y.Shape.At(0))), y})
}

func (p RaggedDotP) JVP(in, _, t []Value) []Value {
	var sum Value
	for i := range 2 {
		if t[i] == nil {
			continue
		}
		ops := []Value{in[0], in[1], in[2]}
		ops[i] = t[i]
		y := p.Expand(ops)[0]
		if sum == nil {
			sum = y
		} else {
			sum = Add(sum, y)
		}
	}
	return rule.One(sum)
}

// Batch multiplies the elements of the batch one after the other.
func (p RaggedDotP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	full := AllAtFront(n, in, mapped)
	products := make([]Value, n)
	for i := range products {
		var ops []Value
		for _, v := range full {
			row := SliceAxis(v, 0, i, i+1, 1)
			ops = append(ops, Squeeze(row, core.MakeDims(0)))
		}
		products[i] = core.Bind1(p, ops...)
	}
	if n == 0 {
		var avals []ShapedArray
		for _, v := range full {
			avals = append(avals, v.Aval().WithShape(v.Aval().Shape.Slice(1, v.Aval().Rank())))
		}
		a := p.Abstract(avals)[0]
		return []Value{Zeros(a.WithShape(a.Shape.Prepend(0)))}, []bool{true}
	}
	return []Value{Stack(0, products...)}, []bool{true}
}

// Expand masks the rows of each group and multiplies at once.
func (p RaggedDotP) Expand(in []Value) []Value {
	x, y, sizes := in[0], in[1], in[2]
	if t := sizes.Aval().DType; t.Bits() < 32 { // row numbers need more
		sizes = Convert(sizes, core.Int32, false)
	}
	m, k, g := x.Aval().Shape.At(0), x.Aval().Shape.At(1), y.Aval().Shape.At(0)
	ends := Cumsum(sizes, 0, false)
	starts := Sub(ends, sizes)
	grid := core.MakeDims(g, m)
	row := Iota(sizes.Aval().DType, grid, 1)
	spread := func(v Value) Value { return BroadcastInDim(v, grid, core.MakeDims(0)) }
	mask := And(Ge(row, spread(starts)), Lt(row, spread(ends)))
	full := core.MakeDims(g, m, k)
	rows := BroadcastInDim(x, full, core.MakeDims(1, 2))
	rows = Where(BroadcastInDim(mask, full, core.MakeDims(0, 1)), rows, Zeros(rows.Aval()))
	return rule.One(DotGeneral(rows, y, p.product()))
}

// product returns the product over groups and columns.
func (p RaggedDotP) product() DotGeneralP {
	return DotGeneralP{LhsContract: core.MakeDims(0, 2), RhsContract: core.MakeDims(0, 1), Preferred: p.Type}
}
