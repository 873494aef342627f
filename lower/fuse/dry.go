package fuse

import (
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
)

// A dry run finds out whether a group can compute elements.
type dry struct {
	p         *planner
	g         *group
	m         mapper
	full, row index
	eqn       *jaxpr.Eqn

	chain  []int64
	cols   int64
	refine []int64 // a shape by which the domain must be divided
	inRow  bool    // refine is the rows' shape
	mem    []*node // members of other groups that must be in memory
	cut    []*node // virtual nodes that must be in memory
	level  int     // the greatest of the members that are used; for a reduction, one more
}

// try runs f on the indices of the domain, with finer axes if it needs them, and reports
// whether it succeeded.
func (d *dry) try(f func(full, row index) bool) bool {
	if d.chain == nil {
		d.chain, d.cols = d.g.chain, d.g.cols
	}
	for range 8 {
		g := *d.g
		g.chain, g.cols = d.chain, d.cols
		d.m = mapper{ops: dryOps{}}
		d.refine, d.mem, d.cut, d.level = nil, nil, nil, 0
		d.full, d.row = g.dryDomain(&d.m)
		if f(d.full, d.row) {
			return true
		}
		if d.refine == nil {
			return false
		}
		chain, ok := g.refined(d.refine, d.inRow)
		if !ok || len(chain) == len(d.chain) {
			return false
		}
		d.chain, d.cut = chain, nil
	}
	return false
}

// reach reports whether the group can compute element x of an operand.
func (d *dry) reach(a jaxpr.Atom, x index) bool {
	v, ok := a.(*jaxpr.Var)
	if !ok {
		return true
	}
	n := d.p.of(v)
	if n.group != d.g {
		d.p.again(n)
	}
	switch n.kind {
	case member:
		if n.group != d.g {
			d.mem = append(d.mem, n)
			return n.seq < d.g.seq // a node that was virtual when its users were planned may be made later
		}
		want := d.full
		if n.row {
			want = d.row
		}
		d.level = max(d.level, n.level)
		return d.m.sameIndex(x, want)
	case virtual:
		if d.uses(n.eqn, n.out, x) {
			return true
		}
		d.cut = append(d.cut, n)
		return false
	}
	return n.seq < d.g.seq
}

// uses reports whether the group can compute element x of a result of e.
func (d *dry) uses(e *jaxpr.Eqn, result int, x index) bool {
	d.eqn = e
	us, ok := usesOf(&d.m, e, result, x, func(a jaxpr.Atom, x index) ir.Ref {
		return 0
	})
	if !ok {
		d.divide(x, e, result)
		return false
	}
	for _, u := range us {
		if !d.reach(u.atom, u.at) {
			return false
		}
	}
	return true
}

// operand reports whether the group can compute the elements of a reduction's or running
// fold's operand that element x of the result combines.
func (d *dry) operand(e *jaxpr.Eqn, spans []span, x index) bool {
	d.eqn = e
	var axes []ir.Axis
	for _, s := range spans {
		if s.reduced {
			axes = append(axes, ir.Axis(len(d.m.extent)))
			d.m.extent = append(d.m.extent, s.n)
		}
	}
	y, ok := d.m.across(spans, x, axes)
	if !ok {
		switch {
		case d.m.sameIndex(x, d.full):
			d.refine, d.inRow = keptOf(spans), false
		case d.cols != 0 && d.m.sameIndex(x, d.row):
			d.refine, d.inRow = keptOf(spans), true
		}
		return false
	}
	return d.reach(e.Ins[0], y)
}

// divide requests finer axes of the domain such that x has an index in the shapes of e.
func (d *dry) divide(x index, e *jaxpr.Eqn, result int) {
	row := false
	switch {
	case d.m.sameIndex(x, d.full):
	case d.cols != 0 && d.m.sameIndex(x, d.row):
		row = true
	default:
		return
	}
	d.refine, d.inRow = dims(e.Outs[result].Type.Shape), row
	if _, ok := e.Prim.(prim.ReshapeP); ok {
		d.refine = dims(e.Ins[0].Aval().Shape)
	}
	if _, ok := e.Prim.(prim.SqueezeP); ok {
		d.refine = dims(e.Ins[0].Aval().Shape)
	}
}
