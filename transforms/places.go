package transforms

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// A Part is the part of a mesh axis that this process runs: the devices Lo … Hi−1 of N.
type Part struct {
	N, Lo, Hi int
	// Gather returns the rows of all processes along the axis, in the order of devices; x has the
	// rows of this process. All of these processes call it at the same place of the program.
	Gather func(x Value) Value
}

// generation counts how often the devices of this process have changed: programs on pieces are for
// the devices of their generation.
var generation int

// SetParts sets PartsOf.
func SetParts(f func(axes []jaxpr.MeshAxis) []*Part) {
	PartsOf = f
	generation++
}

// PartsOf, if set, returns the part of each axis of a mesh that this process runs, nil for an
// axis that it runs whole. It returns nil if the process runs all devices.
var PartsOf func(axes []jaxpr.MeshAxis) []*Part

func (p *Part) over(axis string) *vmap {
	b := newVmap(p.Hi-p.Lo, axis)
	b.part = p
	return b
}

// local returns the rows of this process.
func (p *Part) local(v Value, axis int) Value {
	a := v.Aval()
	start, limit := make([]int, a.Rank()), a.Shape.Ints()
	start[axis], limit[axis] = p.Lo, p.Hi
	return prim.Slice(v, core.MakeDims(start...), core.MakeDims(limit...), core.Dims{})
}

// whole returns the rows of all processes; they are along the given axis.
func (p *Part) whole(v Value, axis int) Value {
	return MoveAxis(p.Gather(MoveAxis(v, axis, 0)), 0, axis)
}

// batchPart applies an operation that names the axis to the rows of all processes, and keeps this
// process's rows of the result. So the results are those of a single process, whatever the
// operation.
func (b *vmap) batchPart(p AxisBatcher, in []Value, mapped []bool) (outs []Value, outMapped []bool) {
	n := b.part.N
	if s, ok := p.(prim.PsumP); ok && mapped[0] && s.AddsInTree(in[0].Aval(), b.n) {
		// The tree of all devices begins with the trees of the processes.
		own, _ := prim.PsumP{Axes: prim.NamedAxes{Names: prim.MakeNames(b.axis), Positions: s.Axes.Positions}}.BatchAxis(b.axis, b.n, in, mapped)
		rows := b.part.Gather(prim.ExpandDims(own[0], core.MakeDims(0)))
		return prim.PsumP{Axes: prim.NamedAxes{Names: s.Axes.Names}}.BatchAxis(b.axis, n/b.n, []Value{rows}, mapped)
	}
	all := make([]Value, len(in))
	for i, v := range in {
		if all[i] = v; mapped[i] {
			all[i] = b.part.Gather(v)
		}
	}
	outs, outMapped = p.BatchAxis(b.axis, n, all, mapped)
	for i, m := range outMapped {
		if m {
			outs[i] = b.part.local(outs[i], 0)
		}
	}
	return outs, outMapped
}
