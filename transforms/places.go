package transforms

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/transforms/exchange"
)

// A Part is the part of a mesh axis that this process runs: the devices Lo … Hi−1 of N. The
// processes of Group, in order, run parts of the same size.
type Part struct {
	Axis      string
	N, Lo, Hi int
	Group     []int // ranks, ascending

	// Start sends rows to processes of the group.
	Start exchange.Start

	collective string // that is being applied
}

// job is what SetParts and SetPlaces have set.
var job struct {
	// parts returns the part of each axis of a mesh that this process runs, nil for an axis that it
	// runs whole.
	parts func(axes []jaxpr.MeshAxis) []*Part
	runs  *Runs // of this process; nil if it is in no job
	// generation counts how often the devices of this process have changed: programs on pieces
	// are for the devices of their generation.
	generation int

	// What only processes of a job, or places, do. SetParts and SetPlaces set these functions, so
	// that programs that call neither do not contain their code.
	batch      func(b *vmap, p prim.AxisBatcher, in []Value, mapped []bool) ([]Value, []bool)
	whole      func(p *Part, v Value, axis int) Value
	places     *Places // of this process; nil if it runs the devices in one place
	distribute func(h here, p *jaxpr.ShardMap, in []Value) (outs []Value, mapped [][]bool)
	overlapped func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr
}

// SetParts sets which devices this process runs of a mesh, and what is called when a program's runs
// begin and end. parts returns nil for an axis that the process runs whole. If parts itself is nil,
// the process runs all devices.
func SetParts(parts func(axes []jaxpr.MeshAxis) []*Part, r *Runs) {
	job.parts, job.runs = parts, r
	job.batch, job.whole = (*vmap).batchPart, (*Part).whole
	job.overlapped = exchange.Overlap
	job.generation++
	exchange.Forget()
	run.Store(0)
	if parts != nil {
		run.Store(runs.Add(1))
	}
	jaxpr.SetAnew(anew)
}

// PartsOf returns the part of each axis of a mesh that this process runs, nil for an axis that it runs
// whole.
func PartsOf(axes []jaxpr.MeshAxis) []*Part {
	if job.parts != nil {
		return job.parts(axes)
	}
	return make([]*Part, len(axes))
}

// key returns a text that differs between parts, also those of jobs that have ended; "" for nil.
func (p *Part) key() string {
	if p == nil {
		return ""
	}
	return fmt.Sprint(job.generation, p.N, p.Lo, p.Group)
}

func (p *Part) local(v Value, axis int) Value {
	return prim.SliceAxis(v, axis, p.Lo, p.Hi, 1)
}

// whole returns the rows of all processes; they are along the given axis.
func (p *Part) whole(v Value, axis int) Value {
	return MoveAxis(p.gather(MoveAxis(v, axis, 0)), 0, axis)
}

// batchPart applies an operation that names the axis to the rows of all processes, and keeps this
// process's rows of the result. So the results are those of a single process, whatever the
// operation. For some collectives it exchanges fewer rows, with the same results.
func (b *vmap) batchPart(p prim.AxisBatcher, in []Value, mapped []bool) (outs []Value, outMapped []bool) {
	n := b.part.N
	b.part.collective = p.Name()
	defer func() { b.part.collective = "" }()
	switch p := p.(type) {
	case prim.PsumP:
		if !mapped[0] || p.Groups.Size > 0 {
			break
		}
		rest := slices.DeleteFunc(slices.Collect(p.Axes.Names.All()), func(name string) bool { return name == b.axis })
		x := in[0]
		switch {
		case p.AddsInTree(x.Aval(), b.n):
			if p.Axes.Positions.Len() > 0 {
				own := prim.PsumP{Axes: prim.NamedAxes{Positions: p.Axes.Positions.Next()}}
				x = core.Bind1(own, x)
			}
		case len(rest) > 0 || p.Axes.Positions.Len() > 0: // several axes: only their whole sum is rounded
			x = nil
		}
		if x != nil {
			sum := b.part.sum(x)
			if len(rest) > 0 {
				sum = core.Bind1(prim.PsumP{Axes: prim.NamedAxes{Names: prim.MakeNames(rest...)}}, sum)
			}
			return []Value{sum}, []bool{false}
		}
	case prim.ReduceScatterP:
		if mapped[0] && p.Groups.Size == 0 {
			out := tree(b.part.scatter(b.part.own(in[0]), 1+p.Dimension), 1)
			if !p.Tiled {
				out = prim.Squeeze(out, core.MakeDims(1+p.Dimension))
			}
			return []Value{out}, mapped
		}
	case prim.AllToAllP:
		if mapped[0] && p.Groups.Size == 0 {
			parts := MoveAxis(b.part.scatter(in[0], 1+p.Split), 1, 0) // [source, device, …]
			merge := prim.AllGatherP{Axis: p.Axis, Dimension: 1 + p.Concat, Size: n, Tiled: true}
			outs, _ = merge.BatchAxis(b.axis, n, []Value{parts}, mapped)
			return outs, mapped
		}
	case prim.PpermuteP:
		if mapped[0] && !slices.ContainsFunc(p.Perm.Ints(), func(i int) bool { return i >= n }) {
			return []Value{b.part.permute(p, in[0])}, mapped
		}
	}
	all := make([]Value, len(in))
	for i, v := range in {
		if all[i] = v; mapped[i] {
			all[i] = b.part.gather(v)
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

func specsText(specs []jaxpr.Spec) string {
	text := ""
	for i, s := range specs {
		if i > 0 {
			text += " "
		}
		text += s.String()
	}
	return text
}

func (h here) several() bool {
	return slices.ContainsFunc(h.parts, func(p *Part) bool { return p != nil })
}

// communicates reports whether the processes that run a program send each other anything within
// it.
func (h here) communicates(p *jaxpr.ShardMap) bool {
	for k, part := range h.parts {
		if part != nil && communicates(p.Jaxpr, h.axes[k].Name) {
			return true
		}
	}
	return false
}

// communicates reports whether an operation of a program sends anything along an axis.
func communicates(j *jaxpr.Jaxpr, axis string) bool {
	return slices.ContainsFunc(j.Eqns, func(e *jaxpr.Eqn) bool {
		switch e.Prim.(type) {
		case prim.AxisIndexP, prim.PvaryP:
			return false
		}
		if js := jaxpr.Programs(e.Prim); len(js) > 0 {
			return slices.ContainsFunc(js, func(q *jaxpr.Jaxpr) bool { return communicates(q, axis) })
		}
		return slices.Contains(slices.Collect(core.AxisNamesOf(e.Prim)), axis)
	})
}
