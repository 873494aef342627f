package prim

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// RaggedForm is what RaggedDotP does with the groups of the rows of its first operand.
type RaggedForm uint8

// The forms, with the shapes of the two factors and of the result for g groups.
const (
	RaggedRows  RaggedForm = iota // m × k by g × k × n is m × n: a matrix for each group
	RaggedTurns                   // m × k by g × n × k is m × n: those matrices transposed
	RaggedSums                    // m × k by m × n is g × k × n: a sum over the rows of each group
)

var raggedNumbers = [...]string{
	RaggedRows:  "RaggedDotDimensionNumbers(dot_dimension_numbers=(((1,), (1,)), ((), ())), lhs_ragged_dimensions=(0,), rhs_group_dimensions=(0,))",
	RaggedTurns: "RaggedDotDimensionNumbers(dot_dimension_numbers=(((1,), (2,)), ((), ())), lhs_ragged_dimensions=(0,), rhs_group_dimensions=(0,))",
	RaggedSums:  "RaggedDotDimensionNumbers(dot_dimension_numbers=(((0,), (0,)), ((), ())), lhs_ragged_dimensions=(0,), rhs_group_dimensions=())",
}

// RaggedDotP multiplies groups of the rows of a matrix. The third operand has the sizes of the
// groups. Rows after the last group give rows of zeros and are in no sum.
//
// Numbers: a row is multiplied as by a dot_general that contracts an axis of groups and k, where
// the row is zero in all groups but its own. RaggedSums contracts rows, those of other groups
// being zeros.
type RaggedDotP struct {
	Form      RaggedForm
	Precision string
	Type      core.DType // of the result; Invalid: that of the operands
}

func (RaggedDotP) Name() string { return "ragged_dot_general" }

func (RaggedDotP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("group_offset", "None")
	r.MustBe("out_sharding", "None")
	r.MustBe("ragged_dot_dimension_numbers", raggedNumbers[:]...)
	form := slices.Index(raggedNumbers[:], r.Text("ragged_dot_dimension_numbers"))
	return RaggedDotP{Form: RaggedForm(max(form, 0)), Precision: rule.OptionalText(r, "precision"), Type: r.OptDType("preferred_element_type")}
}

func (p RaggedDotP) Params() []core.Param {
	dt := "None"
	if p.Type != core.Invalid {
		dt = p.Type.Long()
	}
	return []core.Param{
		rule.Param("group_offset", "None"), rule.Param("out_sharding", "None"), rule.Param("precision", rule.NoneIfEmpty(p.Precision)),
		rule.Param("preferred_element_type", dt), rule.Param("ragged_dot_dimension_numbers", raggedNumbers[p.Form]),
	}
}

func (p RaggedDotP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 3)
	x, y, sizes := in[0], in[1], in[2]
	rank, ok := 3, sizes.Rank() == 1 && sizes.DType.IsInteger()
	if p.Form == RaggedSums {
		rank = 2
	}
	if !ok || x.Rank() != 2 || y.Rank() != rank || rank == 3 && y.Shape.At(0) != sizes.Shape.At(0) {
		core.Failf(core.ErrShape, "takes a matrix, %s, and the sizes of groups (got %v, %v and %v); transpose or reshape them",
			[...]string{2: "another matrix", 3: "a matrix for each group"}[rank], x.Full(), y.Full(), sizes.Full())
	}
	groups := func(a ShapedArray) ShapedArray { return a.WithShape(a.Shape.Prepend(sizes.Shape.At(0))) }
	if p.Form == RaggedSums {
		y = groups(y)
	}
	return p.product().Abstract([]ShapedArray{groups(x), y})
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
	m, g := x.Aval().Shape.At(0), sizes.Aval().Shape.At(0)
	ends := Cumsum(sizes, 0, false)
	starts := Sub(ends, sizes)
	grid := core.MakeDims(g, m)
	row := Iota(sizes.Aval().DType, grid, 1)
	spread := func(v Value) Value { return BroadcastInDim(v, grid, core.MakeDims(0)) }
	mask := And(Ge(row, spread(starts)), Lt(row, spread(ends)))
	masked := func(v Value) Value {
		full := v.Aval().Shape.Prepend(g)
		rows := BroadcastInDim(v, full, core.MakeDims(1, 2))
		return Where(BroadcastInDim(mask, full, core.MakeDims(0, 1)), rows, Zeros(rows.Aval()))
	}
	if p.Form == RaggedSums {
		y = masked(y)
	}
	return rule.One(DotGeneral(masked(x), y, p.product()))
}

// product returns the product of the masked rows of every group.
func (p RaggedDotP) product() DotGeneralP {
	switch p.Form {
	case RaggedSums:
		first, second := core.MakeDims(0), core.MakeDims(1)
		return DotGeneralP{LhsContract: second, RhsContract: second, LhsBatch: first, RhsBatch: first, Preferred: p.Type}
	case RaggedTurns:
		return DotGeneralP{LhsContract: core.MakeDims(0, 2), RhsContract: core.MakeDims(0, 2), Preferred: p.Type}
	}
	return DotGeneralP{LhsContract: core.MakeDims(0, 2), RhsContract: core.MakeDims(0, 1), Preferred: p.Type}
}
