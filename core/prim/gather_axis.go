package prim

import (
	"iter"
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// AllGatherP brings the values of all indices of a named axis, or of each group of them, together:
// along a new axis of the result, or, tiled, side by side along an existing one. Without groups the
// result is the same for every index.
type AllGatherP struct {
	Axis      Names
	Dimension int
	Size      int // of the named axis, or of its groups
	Tiled     bool
	Groups    Groups
}

// AllGather brings the values of x at all indices of a named axis together.
func AllGather(x Value, axis string, dimension int, tiled bool) Value {
	return core.Bind1(AllGatherP{Axis: MakeNames(axis), Dimension: dimension, Size: AxisSize(axis), Tiled: tiled}, x)
}

func (AllGatherP) Name() string { return "all_gather" }

func (AllGatherP) read(r *jaxpr.ParamReader) core.Primitive {
	return AllGatherP{readNames(r, "axis_name"), r.Int("all_gather_dimension"), r.Int("axis_size"), r.Bool("tiled"), readGroups(r)}
}

func (p AllGatherP) Params() []core.Param {
	return []core.Param{
		rule.Param("all_gather_dimension", strconv.Itoa(p.Dimension)),
		rule.Param("axis_index_groups", p.Groups),
		rule.Param("axis_name", p.Axis),
		rule.Param("axis_size", strconv.Itoa(p.Size)),
		rule.Param("tiled", rule.PyBool(p.Tiled)),
	}
}

func (p AllGatherP) AxisNames() iter.Seq[string] { return p.Axis.All() }

func (p AllGatherP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	x := in[0]
	limit := x.Rank()
	if p.Tiled {
		limit--
	}
	if p.Dimension < 0 || p.Dimension > limit {
		core.Failf(core.ErrShape, "the result %v cannot have axis %d; use an axis from 0 to the rank", x.Full(), p.Dimension)
	}
	s := x.Shape.Ints()
	if p.Tiled {
		s[p.Dimension] *= p.Size
		return []ShapedArray{x.WithShape(core.MakeDims(s...))}
	}
	s = append(s[:p.Dimension:p.Dimension], append([]int{p.Size}, s[p.Dimension:]...)...)
	return []ShapedArray{x.WithShape(core.MakeDims(s...))}
}

func (p AllGatherP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

// Transpose adds up the cotangents and sends each index its part.
func (p AllGatherP) Transpose(ct, _ []Value, _ []bool, _ []ShapedArray) []Value {
	return rule.One(core.Bind1(ReduceScatterP(p), ct[0]))
}

func (p AllGatherP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	p.Dimension++
	return rule.Bound(p, in[0])
}

// BatchAxis moves the leading axis to p.Dimension or, if Tiled, merges it into that axis. With groups each
// index gets the values of its own group.
func (p AllGatherP) BatchAxis(_ string, n int, in []Value, mapped []bool) ([]Value, []bool) {
	p.Axis.only()
	x := AtFront(n, in[0], mapped[0])
	if p.Groups.Size == 0 {
		return []Value{p.placed(x, 0)}, []bool{false}
	}
	// Each index takes the row of its group from [group, member, …].
	of := p.Groups.of(n)
	return []Value{p.placed(TakeRows(p.Groups.gathered(x), of), 1)}, []bool{true}
}

// placed moves the given axis of x past the next p.Dimension axes and, if Tiled, merges it into
// the axis after those. The axes in front of it stay.
func (p AllGatherP) placed(x Value, axis int) Value {
	rank := x.Aval().Rank()
	rest := core.Range(0, rank).Remove(axis)
	to := axis + p.Dimension
	x = Transpose(x, rest.Slice(0, to).Append(axis).Append(rest.Slice(to, rest.Len()).Ints()...))
	if !p.Tiled {
		return x
	}
	s := x.Aval().Shape.Ints()
	s[to+1] *= s[to]
	return Reshape(x, core.MakeDims(append(s[:to:to], s[to+1:]...)...))
}

// ReduceScatterP adds up over a named axis, or over each group of its indices, and sends index i
// part i of the sum, which is cut along an axis of the operand. In a group, i counts its members. It
// is the transpose of AllGatherP. It adds up in the order of PsumP.
type ReduceScatterP struct {
	Axis      Names
	Dimension int
	Size      int // of the named axis, or of its groups
	Tiled     bool
	Groups    Groups
}

// ReduceScatter returns, at each index of a named axis, one part of the sum of x over that axis. The
// parts are equal pieces of axis dimension of the sum. Unless tiled, each has one element along it,
// and the axis is removed.
func ReduceScatter(x Value, axis string, dimension int, tiled bool) Value {
	return core.Bind1(ReduceScatterP{Axis: MakeNames(axis), Dimension: dimension, Size: AxisSize(axis), Tiled: tiled}, x)
}

func (ReduceScatterP) Name() string { return "reduce_scatter" }

func (ReduceScatterP) read(r *jaxpr.ParamReader) core.Primitive {
	return ReduceScatterP{readNames(r, "axis_name"), r.Int("scatter_dimension"), r.Int("axis_size"), r.Bool("tiled"), readGroups(r)}
}

func (p ReduceScatterP) Params() []core.Param {
	return []core.Param{
		rule.Param("axis_index_groups", p.Groups),
		rule.Param("axis_name", p.Axis),
		rule.Param("axis_size", strconv.Itoa(p.Size)),
		rule.Param("scatter_dimension", strconv.Itoa(p.Dimension)),
		rule.Param("tiled", rule.PyBool(p.Tiled)),
	}
}

func (p ReduceScatterP) AxisNames() iter.Seq[string] { return p.Axis.All() }

func (p ReduceScatterP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	x := in[0]
	rule.Number(x)
	if p.Dimension < 0 || p.Dimension >= x.Rank() {
		core.Failf(core.ErrShape, "axis %d is out of range for %v; use an axis from 0 to the rank - 1", p.Dimension, x.Full())
	}
	n := x.Shape.At(p.Dimension)
	if !p.Tiled {
		if n != p.Size {
			core.Failf(core.ErrShape, "axis %d of %v must have the size %d of the named axis; with tiled it may be a multiple", p.Dimension, x.Full(), p.Size)
		}
		return []ShapedArray{x.WithShape(x.Shape.Remove(p.Dimension))}
	}
	if p.Size == 0 || n%p.Size != 0 {
		core.Failf(core.ErrShape, "axis %d of %v is not a multiple of %s; pad or reshape it", p.Dimension, x.Full(), core.Count(p.Size, "equal part"))
	}
	s := x.Shape.Ints()
	s[p.Dimension] = n / p.Size
	return []ShapedArray{x.WithShape(core.MakeDims(s...))}
}

func (p ReduceScatterP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

func (p ReduceScatterP) Transpose(ct, _ []Value, _ []bool, _ []ShapedArray) []Value {
	return rule.One(core.Bind1(AllGatherP(p), ct[0]))
}

func (p ReduceScatterP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	p.Dimension++
	return rule.Bound(p, in[0])
}

// BatchAxis adds up along the leading axis, within each group if there are groups. The axis that
// counts the parts becomes the leading one.
func (p ReduceScatterP) BatchAxis(_ string, n int, in []Value, mapped []bool) ([]Value, []bool) {
	p.Axis.only()
	if p.Groups.Size > 0 {
		// sums is [group, …]; the member at position k of a group gets part k of the group's sum.
		of := p.Groups.of(n)
		sums := sumAlong(p.Groups.gathered(AtFront(n, in[0], mapped[0])), 1)
		parts := MergeAxis(fromFront(p.parts(sums, 1), 1), 0) // [group·member, …]
		at := make([]int, n)
		for i, m := range p.Groups.Members.All() {
			at[m] = of[m]*p.Groups.Size + i%p.Groups.Size
		}
		return []Value{TakeRows(parts, at)}, []bool{true}
	}
	var sum Value
	if mapped[0] {
		sum = sumAlong(in[0], 0)
	} else {
		sum = Times(in[0], n)
	}
	return []Value{p.parts(sum, 0)}, []bool{true}
}

// parts moves the axis that counts the parts of the scattered axis to the front. behind is the
// number of axes that sum has before those of p's operand.
func (p ReduceScatterP) parts(sum Value, behind int) Value {
	if p.Tiled {
		return SplitFront(sum, behind+p.Dimension, p.Size)
	}
	return ToFront(sum, behind+p.Dimension)
}
