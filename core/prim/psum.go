package prim

import (
	"iter"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// PsumP adds up over named axes, and over axes of the operand.
//
//	y = Σᵢ xᵢ, the same for every index i of the axis
//
// An operand that does not vary along the axis is multiplied by the axis's size. Along each axis,
// neighbours by index are added in a pairwise tree, so that devices that share a process or a node
// add up among themselves first. The axes of the operand come first, then the named ones from the
// innermost on: with the named axes in front, that is from the last axis to the first. Floats
// narrower than f32 add up in f32 and round once.
type PsumP struct {
	Axes   NamedAxes
	Groups Groups
}

// Psum adds up x over the named axes. In a region that checks how values vary, the sum
// over axes of the mesh is a PsumInvariantP.
func Psum(x Value, names ...string) Value {
	return sumOver(NamedAxes{Names: MakeNames(names...)}, Groups{}, x)
}

// sumOver adds up x over axes: with a PsumInvariantP over axes of a mesh in a region that checks
// how values vary, with a PsumP over the others.
func sumOver(a NamedAxes, g Groups, x Value) Value {
	if r := core.ActiveRegion(); r.Checks() && g.Size == 0 {
		if of := r.Varying(a.Names.All()); of != 0 {
			var rest, mesh []string
			for n := range a.Names.All() {
				if of.Has(n) {
					mesh = append(mesh, n)
				} else {
					rest = append(rest, n)
				}
			}
			if len(rest) > 0 || a.Positions.Len() > 0 {
				x = core.Bind1(PsumP{Axes: NamedAxes{MakeNames(rest...), a.Positions}}, x)
			}
			return core.Bind1(PsumInvariantP{MakeNames(mesh...)}, x)
		}
	}
	return core.Bind1(PsumP{Axes: a, Groups: g}, x)
}

func (PsumP) Name() string { return "psum" }

func (PsumP) read(r *jaxpr.ParamReader) core.Primitive {
	return PsumP{readNamedAxes(r, "axes"), readGroups(r)}
}

func (p PsumP) Params() []core.Param { return overAxes(p.Axes, p.Groups) }

func overAxes(a NamedAxes, g Groups) []core.Param {
	return []core.Param{rule.Param("axes", a), rule.Param("axis_index_groups", g)}
}

func (p PsumP) AxisNames() iter.Seq[string] { return p.Axes.Names.All() }

func (p PsumP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	return []ShapedArray{reducedNumber(in[0], p.Axes.Positions)}
}

func (p PsumP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

// Transpose adds up the cotangents of all indices, and spreads along the operand's axes.
func (p PsumP) Transpose(ct, _ []Value, _ []bool, av []ShapedArray) []Value {
	y := ct[0]
	if p.Axes.Names != "" {
		y = sumOver(NamedAxes{Names: p.Axes.Names}, p.Groups, y)
	}
	s := av[0].Shape
	return rule.One(BroadcastInDim(y, s, keptAxes(s.Len(), p.Axes.Positions)))
}

func positional(a NamedAxes) {
	for name := range a.Names.All() {
		unbound(name)
	}
}

// Vary removes the named axes, along which the sum is the same, unless there are groups along them.
func (p PsumP) Vary(in core.Axes) core.Axes { return withoutNames(in, p.Axes.Names, p.Groups) }

// withoutNames returns the axes along which the result of a reduction over named axes varies if its operand varies along in.
func withoutNames(in core.Axes, names Names, g Groups) core.Axes {
	if in == 0 || g.Size > 0 {
		return in
	}
	return in.Minus(core.MakeAxes(slices.Collect(names.All())...))
}

func (p PsumP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	p.Axes.Positions = p.Axes.Positions.Next()
	return rule.Bound(p, in[0])
}

// BatchAxis adds up along the leading axis, within each group if there are groups. Without groups, an
// operand that lacks that axis is multiplied by the number of indices.
func (p PsumP) BatchAxis(name string, n int, in []Value, mapped []bool) ([]Value, []bool) {
	rest := p
	rest.Axes.Names = p.Axes.Names.without(name)
	switch {
	case p.Groups.Size > 0:
		return inGroups(p.Axes, p.Groups, n, in[0], mapped[0], func(x Value) Value { return sumAlong(x, 1) })
	case mapped[0]:
		rest.Axes.Positions = rule.BatchAxisThen(p.Axes.Positions)
		return []Value{core.Bind1(rest, in[0])}, []bool{false}
	}
	// The product by n stands for the sum along this axis: after the sum over the operand's axes, before those over other names.
	a := in[0].Aval()
	x := Convert(in[0], accumulator(a.DType), a.Weak)
	if p.Axes.Positions.Len() > 0 {
		x = core.Bind1(PsumP{Axes: NamedAxes{Positions: p.Axes.Positions}}, x)
	}
	x = Times(x, n)
	if rest.Axes.Names != "" {
		x = core.Bind1(PsumP{Axes: NamedAxes{Names: rest.Axes.Names}}, x)
	}
	return []Value{Convert(x, a.DType, a.Weak)}, []bool{false}
}

// Times returns n·x, the sum of n equal values, which is rounded to x's type once.
func Times(x Value, n int) Value {
	a := x.Aval()
	x = Convert(x, accumulator(a.DType), a.Weak)
	return Convert(Mul(x, Num(x.Aval().WithShape(core.Dims{}), float64(n))), a.DType, a.Weak)
}

// sumAlong adds up one axis of the operand, in the order of PsumP.
func sumAlong(x Value, axis int) Value {
	return core.Bind1(PsumP{Axes: NamedAxes{Positions: core.MakeDims(axis)}}, x)
}

// Expand returns the sum over the operand's axes, which remain when all names are bound.
func (p PsumP) Expand(in []Value) []Value {
	positional(p.Axes)
	x := in[0]
	a := x.Aval()
	x = Convert(x, accumulator(a.DType), a.Weak)
	for _, axis := range slices.Backward(slices.Sorted(slices.Values(p.Axes.Positions.Ints()))) {
		x = treeSum(x, axis)
	}
	x = Squeeze(x, p.Axes.Positions)
	return rule.One(Convert(x, a.DType, a.Weak))
}

// AddsInTree reports whether the sum of n neighbours of type a along an axis is a subtree of the sum
// of more of them, and is not rounded.
func (p PsumP) AddsInTree(a ShapedArray, n int) bool {
	return p.Groups.Size == 0 && n&(n-1) == 0 && accumulator(a.DType) == a.DType
}

func accumulator(dt core.DType) core.DType {
	if dt.IsFloat() && dt.Size() < 4 {
		return core.Float32
	}
	return dt
}

// treeSum adds up x along an axis, which then has one element: neighbours in pairs, then the sums of
// neighbours, and so on; an odd one at the end waits. The sum of no elements is 0.
func treeSum(x Value, axis int) Value {
	n := x.Aval().Shape.At(axis)
	if n == 0 {
		return ExpandDims(ReduceSum(x, core.MakeDims(axis)), core.MakeDims(axis))
	}
	for n > 1 {
		even := n &^ 1
		sum := Add(SliceAxis(x, axis, 0, even, 2), SliceAxis(x, axis, 1, even, 2))
		if n != even {
			sum = Concatenate(axis, sum, SliceAxis(x, axis, even, n, 1))
		}
		x, n = sum, (n+1)/2
	}
	return x
}

// inGroups returns a reduction over a named axis within groups: f reduces axis 1 of
// [group, member, …], and every index gets what its group has.
func inGroups(a NamedAxes, g Groups, n int, x Value, mapped bool, f func(Value) Value) ([]Value, []bool) {
	a.Names.only()
	if a.Positions.Len() > 0 {
		core.Failf(core.ErrAxis, "index groups need exactly one named axis (got %v); name one", a)
	}
	of := g.of(n)
	return []Value{TakeRows(f(g.gathered(AtFront(n, x, mapped))), of)}, []bool{true}
}

// PmaxP is the largest over named axes, and over axes of the operand, as ReduceMaxP
// chooses.
type PmaxP struct {
	Axes   NamedAxes
	Groups Groups
}

// Pmax returns the largest of x over the named axes.
func Pmax(x Value, names ...string) Value {
	return core.Bind1(PmaxP{Axes: NamedAxes{Names: MakeNames(names...)}}, x)
}

func (PmaxP) Name() string { return "pmax" }

func (PmaxP) read(r *jaxpr.ParamReader) core.Primitive {
	return PmaxP{readNamedAxes(r, "axes"), readGroups(r)}
}

func (p PmaxP) Params() []core.Param { return overAxes(p.Axes, p.Groups) }

func (p PmaxP) Vary(in core.Axes) core.Axes { return withoutNames(in, p.Axes.Names, p.Groups) }

func (p PmaxP) AxisNames() iter.Seq[string] { return p.Axes.Names.All() }

func (p PmaxP) Abstract(in []ShapedArray) []ShapedArray { return reducedChoice(in, p.Axes.Positions) }

// JVP returns the mean of the tangents of the largest elements.
func (p PmaxP) JVP(in, out, t []Value) []Value {
	return chosenOverAxes(in[0], out[0], t[0], p.Axes, p.Groups)
}

// Expand returns the maximum over the operand's axes, which remain when all names are bound.
func (p PmaxP) Expand(in []Value) []Value {
	positional(p.Axes)
	return rule.One(ReduceMax(in[0], p.Axes.Positions))
}

func (p PmaxP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	p.Axes.Positions = p.Axes.Positions.Next()
	return rule.Bound(p, in[0])
}

// BatchAxis takes the maximum along the leading axis too. An operand without that axis is its own
// maximum.
func (p PmaxP) BatchAxis(name string, n int, in []Value, mapped []bool) ([]Value, []bool) {
	if p.Groups.Size > 0 {
		return inGroups(p.Axes, p.Groups, n, in[0], mapped[0], func(x Value) Value { return ReduceMax(x, core.MakeDims(1)) })
	}
	a, done := chosenAxis(p.Axes, name, mapped[0])
	if done {
		return in, []bool{false}
	}
	return core.Bind(PmaxP{Axes: a}, in...), []bool{false}
}

// PminP is the smallest over named axes, and over axes of the operand, as
// ReduceMinP chooses.
type PminP struct {
	Axes   NamedAxes
	Groups Groups
}

// Pmin returns the smallest of x over the named axes.
func Pmin(x Value, names ...string) Value {
	return core.Bind1(PminP{Axes: NamedAxes{Names: MakeNames(names...)}}, x)
}

func (PminP) Name() string { return "pmin" }

func (PminP) read(r *jaxpr.ParamReader) core.Primitive {
	return PminP{readNamedAxes(r, "axes"), readGroups(r)}
}

func (p PminP) Params() []core.Param { return overAxes(p.Axes, p.Groups) }

func (p PminP) Vary(in core.Axes) core.Axes { return withoutNames(in, p.Axes.Names, p.Groups) }

func (p PminP) AxisNames() iter.Seq[string] { return p.Axes.Names.All() }

func (p PminP) Abstract(in []ShapedArray) []ShapedArray { return reducedChoice(in, p.Axes.Positions) }

// JVP returns the mean of the tangents of the smallest elements.
func (p PminP) JVP(in, out, t []Value) []Value {
	return chosenOverAxes(in[0], out[0], t[0], p.Axes, p.Groups)
}

// Expand returns the minimum over the operand's axes, which remain when all names are bound.
func (p PminP) Expand(in []Value) []Value {
	positional(p.Axes)
	return rule.One(ReduceMin(in[0], p.Axes.Positions))
}

func (p PminP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	p.Axes.Positions = p.Axes.Positions.Next()
	return rule.Bound(p, in[0])
}

// BatchAxis takes the minimum along the leading axis too. An operand without that axis is its own
// minimum.
func (p PminP) BatchAxis(name string, n int, in []Value, mapped []bool) ([]Value, []bool) {
	if p.Groups.Size > 0 {
		return inGroups(p.Axes, p.Groups, n, in[0], mapped[0], func(x Value) Value { return ReduceMin(x, core.MakeDims(1)) })
	}
	a, done := chosenAxis(p.Axes, name, mapped[0])
	if done {
		return in, []bool{false}
	}
	return core.Bind(PminP{Axes: a}, in...), []bool{false}
}

// chosenAxis returns the axes that remain when a name becomes the leading axis, or is dropped
// because the operand does not vary along it; done if none remain.
func chosenAxis(a NamedAxes, name string, mapped bool) (rest NamedAxes, done bool) {
	a.Names = a.Names.without(name)
	if mapped {
		a.Positions = rule.BatchAxisThen(a.Positions)
	}
	return a, a == NamedAxes{}
}

// chosenOverAxes is chosenTangent for a choice over named axes as well.
func chosenOverAxes(x, y, t Value, axes NamedAxes, g Groups) []Value {
	if reducedSize(x.Aval().Shape, axes.Positions) == 0 {
		return []Value{nil}
	}
	chosen := Eq(x, keepDims(y, x.Aval().Rank(), axes.Positions))
	a := t.Aval()
	count := sumOver(axes, g, Convert(chosen, a.DType, a.Weak))
	return rule.One(Div(sumOver(axes, g, Where(chosen, t, Zeros(a))), count))
}
