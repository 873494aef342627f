package jaxpr

import (
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
)

// readShardMap reads a program over the devices of a mesh, which must be one device: then it is a call, whose program
// leaves out the reductions over the axes of the mesh.
func readShardMap(r *ParamReader) core.Primitive {
	mesh := r.Text("mesh")
	if !oneDevice(mesh) {
		r.Unsupported("its mesh, %s, has several devices, and a program that is read from text runs on one; use axes of size 1", mesh)
	}
	j := r.Jaxpr("jaxpr")
	p := &CoreCall{Fn: "shard_map", Word: "shard_map", Jaxpr: j}
	program := core.Param{Key: "jaxpr"}
	if core.NamesAxes(p) {
		var axes []string
		for _, a := range meshAxes(mesh) {
			axes = append(axes, a.name)
		}
		p.Jaxpr, program.Value = onOneDevice(j, axes), j
	}
	for name := range p.AxisNames() {
		r.Unsupported("its program names the axis %q of the mesh; leave out operations over axes of size 1", name)
	}
	p.Shown = sorted(append(r.Rest(), program, core.Param{Key: "mesh", Value: mesh}))
	return p
}

// A meshAxis is an axis of a mesh, its size as the text has it.
type meshAxis struct{ name, size string }

// meshAxes returns the axes of a mesh in a text: Mesh('x': 1, 'y': 1, axis_types=(Auto, Auto)). It does without a regular
// expression, whose package no other file of the library needs.
func meshAxes(mesh string) []meshAxis {
	var axes []meshAxis
	for {
		_, rest, _ := strings.Cut(mesh, "'")
		name, after, ok := strings.Cut(rest, "'")
		if !ok {
			return axes
		}
		mesh = rest[len(name):] // the quote that ends this name may begin the next
		if size, ok := strings.CutPrefix(after, ": "); ok {
			n := len(size) - len(strings.TrimLeft(size, "0123456789"))
			if n > 0 {
				axes, mesh = append(axes, meshAxis{name, size[:n]}), size[n:]
			}
		}
	}
}

// oneDevice reports whether all axes of the mesh in a text have size 1.
func oneDevice(mesh string) bool {
	return !slices.ContainsFunc(meshAxes(mesh), func(a meshAxis) bool { return a.size != "1" })
}

// onOneDevice returns j without its reductions over axes of size 1, which return their operands. Those of the programs
// within j stay.
func onOneDevice(j *Jaxpr, axes []string) *Jaxpr {
	same := map[*Var]Atom{}
	read := func(atoms []Atom) []Atom {
		out := slices.Clone(atoms)
		for i, a := range out {
			if v, ok := a.(*Var); ok && same[v] != nil {
				out[i] = same[v]
			}
		}
		return out
	}
	q := &Jaxpr{Consts: j.Consts, ConstVals: j.ConstVals, Ins: j.Ins}
	for _, e := range j.Eqns {
		ins := read(e.Ins)
		if reducesOnly(e, axes) {
			for i, v := range e.Outs {
				same[v] = ins[i]
			}
			continue
		}
		c := *e
		c.Ins = ins
		q.Eqns = append(q.Eqns, &c)
	}
	q.Outs = read(j.Outs)
	return q
}

// reducesOnly reports whether an equation reduces over named axes among axes and no others: its results have the types of
// its operands.
func reducesOnly(e *Eqn, axes []string) bool {
	switch e.Prim.Name() {
	case "psum", "pmax", "pmin":
	default:
		return false
	}
	if len(e.Ins) != len(e.Outs) {
		return false
	}
	for name := range core.AxisNamesOf(e.Prim) {
		if !slices.Contains(axes, name) {
			return false
		}
	}
	for i, v := range e.Outs {
		if v.Type != e.Ins[i].Aval() {
			return false
		}
	}
	return true
}
