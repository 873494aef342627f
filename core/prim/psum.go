package prim

import (
	"iter"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// PsumP adds up over named axes, and over axes of the operand.
//
//	y = Σᵢ xᵢ, the same for every index i of the axis
//
// What does not vary along the axis is multiplied by its size. The numbers are those
// of a ReduceSumP whose operand has the named axes in front.
type PsumP struct {
	Axes   NamedAxes
	Groups Groups
	Order  Order
}

// Psum adds up x over the named axes.
func Psum(x Value, names ...string) Value {
	return core.Bind1(PsumP{Axes: NamedAxes{Names: MakeNames(names...)}}, x)
}

func (PsumP) Name() string { return "psum" }

func (PsumP) read(r *jaxpr.ParamReader) core.Primitive {
	return PsumP{readNamedAxes(r, "axes"), readGroups(r), readOrder(r)}
}

// Params returns the axes and groups, and the order if it is set.
func (p PsumP) Params() []core.Param { return p.Order.params(overAxes(p.Axes, p.Groups)...) }

func overAxes(a NamedAxes, g Groups) []core.Param {
	return []core.Param{param("axes", a), param("axis_index_groups", g)}
}

// AxisNames returns the named axes.
func (p PsumP) AxisNames() iter.Seq[string] { return p.Axes.Names.All() }

// Abstract leaves the operand's axes out.
func (p PsumP) Abstract(in []ShapedArray) []ShapedArray {
	operands(in, 1)
	return []ShapedArray{reducedNumber(in[0], p.Axes.Positions)}
}

// JVP adds up the tangent.
func (p PsumP) JVP(in, _, t []Value) []Value { return linearFirst(p, in, t) }

// Transpose adds up the cotangents of all indices, and spreads along the operand's axes.
func (p PsumP) Transpose(ct, _ []Value, _ []bool, av []ShapedArray) []Value {
	y := ct[0]
	if p.Axes.Names != "" {
		y = core.Bind1(PsumP{Axes: NamedAxes{Names: p.Axes.Names}, Groups: p.Groups}, y)
	}
	s := av[0].Shape
	return one(BroadcastInDim(y, s, keptAxes(s.Len(), p.Axes.Positions)))
}

// Expand returns the sum over the operand's axes that is left when all names are gone.
func (p PsumP) Expand(in []Value) []Value {
	positional(p.Axes)
	return core.Bind(ReduceSumP{p.Axes.Positions, p.Order}, in...)
}

func positional(a NamedAxes) {
	for name := range a.Names.All() {
		unbound(name)
	}
}

// Batch keeps the batch's axis, and the order of addition: with the named axes in
// front, a batch of scalars moves the minor dimension.
func (p PsumP) Batch(n int, in []Value, _ []bool) ([]Value, []bool) {
	s := in[0].Aval().Shape
	if p.Order == OrderImplied && p.Axes.Names != "" && n != 1 && allOnes(s.Slice(1, s.Len())) {
		p.Order = OrderLanes
	}
	p.Axes.Positions = afterBatchAxis(p.Axes.Positions)
	return bound(p, in[0])
}

// BatchAxis turns the name into the leading axis.
func (p PsumP) BatchAxis(name string, n int, in []Value, mapped []bool) ([]Value, []bool) {
	rest := p
	rest.Axes.Names = p.Axes.Names.without(name)
	switch {
	case p.Groups.Size > 0:
		return inGroups(p.Axes, p.Groups, n, in[0], mapped[0], func(x Value) Value {
			return ReduceSum(x, core.MakeDims(1))
		})
	case mapped[0]:
		rest.Axes.Positions = batchAxisThen(p.Axes.Positions)
		return []Value{core.Bind1(rest, in[0])}, []bool{false}
	}
	x := in[0]
	if rest.Axes != (NamedAxes{}) {
		x = core.Bind1(rest, x)
	}
	return []Value{Mul(x, Num(x.Aval().WithShape(core.Dims{}), float64(n)))}, []bool{false}
}

// inGroups returns a reduction over a named axis within groups: f reduces axis 1 of
// [group, member, …], and every index gets what its group has.
func inGroups(a NamedAxes, g Groups, n int, x Value, mapped bool, f func(Value) Value) ([]Value, []bool) {
	a.Names.only()
	if a.Positions.Len() > 0 {
		core.Failf(core.ErrAxis, "index groups need exactly one named axis (got %v); name one", a)
	}
	of := g.of(n)
	return []Value{takeRows(f(g.gathered(atFront(n, x, mapped))), of)}, []bool{true}
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

// AxisNames returns the named axes.
func (p PmaxP) AxisNames() iter.Seq[string] { return p.Axes.Names.All() }

// Abstract leaves the operand's axes out.
func (p PmaxP) Abstract(in []ShapedArray) []ShapedArray { return reducedChoice(in, p.Axes.Positions) }

// JVP shares the tangent equally among the largest.
func (p PmaxP) JVP(in, out, t []Value) []Value {
	return chosenOverAxes(in[0], out[0], t[0], p.Axes, p.Groups)
}

// Expand returns the maximum over the operand's axes that is left when all names are gone.
func (p PmaxP) Expand(in []Value) []Value {
	positional(p.Axes)
	return one(ReduceMax(in[0], p.Axes.Positions))
}

// Batch keeps the batch's axis.
func (p PmaxP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	p.Axes.Positions = afterBatchAxis(p.Axes.Positions)
	return bound(p, in[0])
}

// BatchAxis turns the name into the leading axis.
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

// AxisNames returns the named axes.
func (p PminP) AxisNames() iter.Seq[string] { return p.Axes.Names.All() }

// Abstract leaves the operand's axes out.
func (p PminP) Abstract(in []ShapedArray) []ShapedArray { return reducedChoice(in, p.Axes.Positions) }

// JVP shares the tangent equally among the smallest.
func (p PminP) JVP(in, out, t []Value) []Value {
	return chosenOverAxes(in[0], out[0], t[0], p.Axes, p.Groups)
}

// Expand returns the minimum over the operand's axes that is left when all names are gone.
func (p PminP) Expand(in []Value) []Value {
	positional(p.Axes)
	return one(ReduceMin(in[0], p.Axes.Positions))
}

// Batch keeps the batch's axis.
func (p PminP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	p.Axes.Positions = afterBatchAxis(p.Axes.Positions)
	return bound(p, in[0])
}

// BatchAxis turns the name into the leading axis.
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

// chosenAxis returns the axes that remain when a name becomes the leading axis, or
// nothing varies along it; done if none remain.
func chosenAxis(a NamedAxes, name string, mapped bool) (rest NamedAxes, done bool) {
	a.Names = a.Names.without(name)
	if mapped {
		a.Positions = batchAxisThen(a.Positions)
	}
	return a, a == NamedAxes{}
}

// chosenOverAxes returns chosenTangent over named axes.
func chosenOverAxes(x, y, t Value, axes NamedAxes, g Groups) []Value {
	if reducedSize(x.Aval().Shape, axes.Positions) == 0 {
		return []Value{nil}
	}
	sum := PsumP{Axes: axes, Groups: g}
	chosen := Eq(x, keepDims(y, x.Aval().Rank(), axes.Positions))
	a := t.Aval()
	count := core.Bind1(sum, Convert(chosen, a.DType, a.Weak))
	return one(Div(core.Bind1(sum, Where(chosen, t, Zeros(a))), count))
}
