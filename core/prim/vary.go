package prim

import (
	"iter"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// PvaryP marks its operand, which is the same along some axes of a mesh, as varying along them.
// Where an operation has operands that vary and operands that do not, pvary is applied to the
// latter; so their derivative is a sum over the devices.
type PvaryP struct{ Axes Names }

// Pvary returns x as a value that varies along the axes; x itself if it does already.
func Pvary(x Value, axes core.Axes) Value {
	axes = axes.Minus(x.Aval().Vary)
	if axes == 0 {
		return x
	}
	names := slices.Collect(axes.All())
	if r := core.ActiveRegion(); r != nil {
		names = r.Order(axes)
	}
	return core.Bind1(PvaryP{MakeNames(names...)}, x)
}

func (PvaryP) Name() string { return "pvary" }

func (PvaryP) read(r *jaxpr.ParamReader) core.Primitive { return PvaryP{readNames(r, "axes")} }

func (p PvaryP) Params() []core.Param { return []core.Param{rule.Param("axes", p.Axes)} }

func (PvaryP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	return []ShapedArray{in[0]}
}

// Set returns the axes as a set.
func (p PvaryP) Set() core.Axes { return core.MakeAxes(slices.Collect(p.Axes.All())...) }

func (p PvaryP) Vary(in core.Axes) core.Axes { return in.Union(p.Set()) }

func (p PvaryP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

// Transpose adds up the cotangents of the devices.
func (p PvaryP) Transpose(ct, _ []Value, _ []bool, _ []ShapedArray) []Value {
	return rule.One(core.Bind1(PsumInvariantP(p), ct[0]))
}

func (p PvaryP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) { return rule.Bound(p, in[0]) }

func (PvaryP) Expand(in []Value) []Value { return rule.One(Copy(in[0])) }

// PsumInvariantP adds up over axes of a mesh along which the operand varies; the sum does not
// vary. It adds up in the order of PsumP.
type PsumInvariantP struct{ Axes Names }

func (PsumInvariantP) Name() string { return "psum_invariant" }

func (PsumInvariantP) read(r *jaxpr.ParamReader) core.Primitive {
	return PsumInvariantP{readNames(r, "axes")}
}

func (p PsumInvariantP) Params() []core.Param { return []core.Param{rule.Param("axes", p.Axes)} }

func (p PsumInvariantP) AxisNames() iter.Seq[string] { return p.Axes.All() }

func (PsumInvariantP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	rule.Number(in[0])
	return []ShapedArray{in[0]}
}

func (p PsumInvariantP) Vary(in core.Axes) core.Axes { return withoutNames(in, p.Axes, Groups{}) }

func (p PsumInvariantP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

// Transpose sends the one cotangent to every device.
func (p PsumInvariantP) Transpose(ct, _ []Value, _ []bool, _ []ShapedArray) []Value {
	return rule.One(core.Bind1(PvaryP(p), ct[0]))
}

func (p PsumInvariantP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(p, in[0])
}

// Sum returns the PsumP of the same axes.
func (p PsumInvariantP) Sum() PsumP { return PsumP{Axes: NamedAxes{Names: p.Axes}} }

// Expand returns the operand if no names are left, and fails otherwise.
func (p PsumInvariantP) Expand(in []Value) []Value { return p.Sum().Expand(in) }

// BatchAxis is [PsumP.BatchAxis].
func (p PsumInvariantP) BatchAxis(name string, n int, in []Value, mapped []bool) ([]Value, []bool) {
	return p.Sum().BatchAxis(name, n, in, mapped)
}
