package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/transforms/exchange"
)

// follows reports whether the rows of an exchange are a part of the data, which becomes smaller when more devices
// share it. The rows of a sum are not: each device contributes an array of the whole size, such as a gradient.
func follows(s exchange.Sending) bool {
	switch s.For {
	case "", "all_gather", "all_to_all", "ppermute":
		return s.Kind != ""
	}
	return false
}

// machines is a program over a mesh, with the sizes of another mesh and a model of its network.
type machines struct {
	j    *jaxpr.Jaxpr
	p    *jaxpr.ShardMap // the first shard_map in j
	axes []jaxpr.MeshAxis
	net  network
}

// mostDevices bounds the mesh of a plan: each process's program lists the processes that it exchanges with.
const mostDevices = 1 << 20

// machinesOf returns the program on a mesh of the given sizes. Axes without a given size keep that of the text.
func machinesOf(j *jaxpr.Jaxpr, sizes []jaxpr.MeshAxis, net network) machines {
	ps := meshPrograms(j, 1)
	if len(ps) == 0 {
		core.FailOp(core.ErrAxis, "show", nil, "the program has no shard_map, so no mesh; leave --mesh out")
	}
	m := machines{j, ps[0].p, slices.Clone(ps[0].p.Mesh.Axes), net}
	for _, a := range sizes {
		if _, ok := m.p.Mesh.Size(a.Name); !ok {
			core.FailOp(core.ErrAxis, "show", nil, "the mesh %v has no axis %q; name one of its axes", m.p.Mesh, a.Name)
		}
		m = m.with(a.Name, a.Size)
	}
	left := mostDevices
	for _, a := range m.axes {
		left /= a.Size // their product may overflow
	}
	if left == 0 {
		core.FailOp(core.ErrAxis, "show", nil, "the mesh %v has more than %d devices; write smaller sizes", jaxpr.Mesh{Axes: m.axes}, mostDevices)
	}
	return m
}

// with returns the program on a mesh with another size of an axis.
func (m machines) with(axis string, size int) machines {
	m.axes = slices.Clone(m.axes)
	for i, a := range m.axes {
		if a.Name == axis {
			m.axes[i].Size = size
		}
	}
	return m
}

func (m machines) devices() int {
	n := 1
	for _, a := range m.axes {
		n *= a.Size
	}
	return n
}

// programs returns programs with the same exchanges as a run. On the mesh of the text they are the programs of the
// text; on another mesh, one program for each collective of the first shard_map, and for each of its results that is
// divided.
func (m machines) programs() []meshProgram {
	if slices.Equal(m.axes, m.p.Mesh.Axes) {
		return meshPrograms(m.j, 1)
	}
	return resized(m.p, m.axes)
}

// sendings returns, for each exchange of a step, the sending of the node that sends most.
func (m machines) sendings() []exchange.Sending {
	return m.runsBegin(most(m.programs(), m.net.processes(m.devices())))
}

// runsBegin removes all beginnings of a run but the first, unless the mesh is that of the text: on another mesh, each collective
// is a program of its own and begins a run.
func (m machines) runsBegin(ss []exchange.Sending) []exchange.Sending {
	if slices.Equal(m.axes, m.p.Mesh.Axes) {
		return ss
	}
	begun := false
	return slices.DeleteFunc(ss, func(s exchange.Sending) bool {
		again := begun && s.Kind == ""
		begun = true
		return again
	})
}

// machinePlan returns what a program over a mesh costs on a mesh of other sizes, by a model of the network. It is
// computed from the program of one device, which is the same for all sizes.
func machinePlan(j *jaxpr.Jaxpr, sizes []jaxpr.MeshAxis, net network) string {
	m := machinesOf(j, sizes, net)
	varied := sizes[len(sizes)-1].Name
	inText, _ := m.p.Mesh.Size(varied)
	work := costOf(m.p.Jaxpr)
	computing := float64(work.flops) / net.flops

	var b strings.Builder
	nodes := net.processes(m.devices())
	fmt.Fprintf(&b, "%d devices on %s; an exchange takes %s and its bytes over %sB/s; a device computes %s operations a second\n\n",
		m.devices(), core.Count(nodes, "node"), duration(1e9*net.alpha), short(uint64(net.beta)), short(uint64(net.flops)))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "bytes a node sends\ttimes\tamong\ttime\t  exchange\n")
	total, bytes, exchanges := computing, 0, 0
	for _, s := range m.sendings() {
		bytes, exchanges = bytes+s.Bytes*s.Times, exchanges+s.Times
		total += net.seconds(s)
		what, among := fmt.Sprintf("%s %v of %s over %s", s.Kind, s.Rows, s.For, s.Axis), len(s.Group)
		switch {
		case s.Kind == "":
			what, among = "when the run begins", nodes
		case s.For == "":
			what = fmt.Sprintf("%s %v of a result over %s", s.Kind, s.Rows, s.Axis)
		}
		fmt.Fprintf(w, "%d\t%d\t%d\t%s\t  %s\n", s.Bytes, s.Times, among, duration(1e9*net.seconds(s)), what)
	}
	w.Flush()
	fmt.Fprintf(&b, "\n%s, %s from the node that sends most; %s operations on numbers and %s bytes of memory a device; a step takes %s, of which %s computing\n\n",
		core.Count(exchanges, "exchange"), core.Count(bytes, "byte"), short(work.flops), short(live(m.p.Jaxpr)), duration(1e9*total), duration(1e9*computing))

	fmt.Fprintf(w, "%s\tpieces as they are\tefficiency\ta fixed batch\tefficiency\t\n", varied)
	for n := 1; n <= 4096; n *= 2 {
		share := float64(inText) / float64(n)
		same, fixed := computing, computing*share
		alone := computing * float64(inText) // what one device would take for the batch
		for _, s := range m.with(varied, n).sendings() {
			same += net.seconds(s)
			if follows(s) {
				s.Bytes = int(float64(s.Bytes) * share)
			}
			fixed += net.seconds(s)
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t\n", n, duration(1e9*same), percent(computing, same), duration(1e9*fixed), percent(alone, float64(n)*fixed))
	}
	w.Flush()
	return b.String()
}

// live returns the largest number of bytes that a program's variables take at once.
func live(j *jaxpr.Jaxpr) uint64 {
	last := map[*jaxpr.Var]int{}
	for i, e := range j.Eqns {
		for _, a := range e.Ins {
			if v, ok := a.(*jaxpr.Var); ok {
				last[v] = i
			}
		}
	}
	for _, a := range j.Outs {
		if v, ok := a.(*jaxpr.Var); ok {
			last[v] = len(j.Eqns)
		}
	}
	var now, most uint64
	for _, v := range slices.Concat(j.Consts, j.Ins) {
		now = add(now, size(v.Type, true))
	}
	most = now
	for i, e := range j.Eqns {
		var within uint64
		for _, q := range jaxpr.Programs(e.Prim) {
			within = max(within, live(q))
		}
		for _, v := range e.Outs {
			now = add(now, size(v.Type, true))
		}
		most = max(most, add(now, within))
		freed := map[*jaxpr.Var]bool{}
		for _, a := range e.Ins {
			if v, ok := a.(*jaxpr.Var); ok && last[v] == i && !freed[v] && !slices.Contains(j.Ins, v) && !slices.Contains(j.Consts, v) {
				freed[v] = true
				now -= min(now, size(v.Type, true))
			}
		}
	}
	return most
}

func percent(part, whole float64) string {
	if whole == 0 {
		return "100 %"
	}
	return fmt.Sprintf("%.0f %%", 100*part/whole)
}
