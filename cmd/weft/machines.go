package main

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// network is a model of what joins devices.
type network struct {
	alpha float64 // seconds that an exchange takes, whatever it carries
	beta  float64 // bytes a second that leave or reach a node
	node  int     // devices of a node: among themselves exchanges are free
	flops float64 // operations on numbers a second of a device
}

// readNetwork reads alpha=5us,beta=10GB/s,node=8,flops=50G.
func readNetwork(s string) (network, error) {
	n := network{alpha: 5e-6, beta: 10e9, node: 1, flops: 50e9}
	if s == "" {
		return n, nil
	}
	for part := range strings.SplitSeq(s, ",") {
		key, value, _ := strings.Cut(part, "=")
		var err error
		switch key {
		case "alpha":
			var d time.Duration
			d, err = time.ParseDuration(value)
			n.alpha = d.Seconds()
		case "beta":
			n.beta, err = readRate(strings.TrimSuffix(strings.TrimSuffix(value, "/s"), "B"))
		case "node":
			n.node, err = strconv.Atoi(value)
		case "flops":
			n.flops, err = readRate(value)
		default:
			return n, fmt.Errorf("the network has no %q; write alpha=5us,beta=10GB/s,node=8,flops=50G", key)
		}
		if err != nil || !(n.alpha >= 0 && n.beta > 0 && n.node > 0 && n.flops > 0) {
			return n, fmt.Errorf("%q is no value of %s; write alpha=5us,beta=10GB/s,node=8,flops=50G", value, key)
		}
	}
	return n, nil
}

// readRate reads a number with a unit of thousands.
func readRate(s string) (float64, error) {
	scale := 1.0
	if i := strings.IndexAny(s, "kMGT"); i >= 0 && i == len(s)-1 {
		scale = math.Pow(1000, float64(1+strings.IndexByte("kMGT", s[i])))
		s = s[:i]
	}
	f, err := strconv.ParseFloat(s, 64)
	return f * scale, err
}

// readMesh reads sizes of axes: d=1024,m=4.
func readMesh(s string) (axes []jaxpr.MeshAxis, err error) {
	for part := range strings.SplitSeq(s, ",") {
		name, value, _ := strings.Cut(part, "=")
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > 1<<30 || name == "" {
			return nil, fmt.Errorf("%q is no size of an axis; write --mesh d=1024", part)
		}
		axes = append(axes, jaxpr.MeshAxis{Name: name, Size: n})
	}
	return axes, nil
}

// collective is an equation by which devices communicate.
type collective struct {
	e     *jaxpr.Eqn
	names []string
	bytes float64 // of a device's operand
	times float64 // how often it runs
}

// collectives lists those of a program and of the programs within it, whose equations run so many times.
func collectives(j *jaxpr.Jaxpr, times float64, manual []string) (out []collective) {
	for _, e := range j.Eqns {
		if programs := jaxpr.Programs(e.Prim); len(programs) > 0 {
			n := times
			if s, ok := e.Prim.(*jaxpr.Scan); ok {
				n *= float64(s.Length)
			}
			for _, q := range programs {
				out = append(out, collectives(q, n, manual)...)
			}
			continue
		}
		if _, index := e.Prim.(prim.AxisIndexP); index {
			continue
		}
		c := collective{e: e, times: times}
		for name := range core.AxisNamesOf(e.Prim) {
			if slices.Contains(manual, name) {
				c.names = append(c.names, name)
			}
		}
		if len(c.names) == 0 {
			continue
		}
		for _, v := range e.Ins {
			c.bytes += float64(size(v.Aval(), true))
		}
		out = append(out, c)
	}
	return out
}

// over returns the bytes that a node sends and the exchanges of the collective among n devices.
func (c collective) over(n int, net network) (bytes float64, exchanges int) {
	local := min(n, net.node)
	nodes := (n + local - 1) / local
	if nodes == 1 {
		return 0, 0
	}
	rounds := bits.Len(uint(nodes - 1))
	far := float64(nodes-1) / float64(nodes)
	switch c.e.Prim.(type) {
	case prim.AllGatherP:
		return float64(nodes-1) * float64(local) * c.bytes, rounds
	case prim.ReduceScatterP:
		return far * c.bytes, rounds
	case prim.AllToAllP:
		return float64(local) * far * c.bytes, rounds
	case prim.PpermuteP:
		return float64(local) * c.bytes, 1
	}
	// A small sum gathers and adds; a large one exchanges pieces, adds, and gathers.
	gather, pieces := float64(nodes-1)*c.bytes, 2*far*c.bytes
	if net.alpha*float64(rounds)+gather/net.beta < net.alpha*float64(2*rounds)+pieces/net.beta {
		return gather, rounds
	}
	return pieces, 2 * rounds
}

// seconds returns how long the collective takes, all times that it runs.
func (c collective) seconds(n int, net network) float64 {
	bytes, exchanges := c.over(n, net)
	return c.times * (net.alpha*float64(exchanges) + bytes/net.beta)
}

// follows reports whether the operand is a part of the data, which becomes smaller when more devices share it. Sums are
// taken of what each device has of the whole, as gradients.
func (c collective) follows() bool {
	switch c.e.Prim.(type) {
	case prim.AllGatherP, prim.AllToAllP, prim.PpermuteP:
		return true
	}
	return false
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

// meshProgram returns the first program over a mesh within j.
func meshProgram(j *jaxpr.Jaxpr) *jaxpr.ShardMap {
	for _, e := range j.Eqns {
		if p, ok := e.Prim.(*jaxpr.ShardMap); ok {
			return p
		}
		for _, q := range jaxpr.Programs(e.Prim) {
			if p := meshProgram(q); p != nil {
				return p
			}
		}
	}
	return nil
}

// machinePlan returns what a program over a mesh costs on a mesh of other sizes, by a model of the network: from the
// program of one device, whose pieces stay as they are.
func machinePlan(j *jaxpr.Jaxpr, sizes []jaxpr.MeshAxis, net network) string {
	p := meshProgram(j)
	if p == nil {
		core.FailOp(core.ErrAxis, "show", nil, "the program has no shard_map, so no mesh; leave --mesh out")
	}
	size := map[string]int{}
	for _, a := range p.Mesh.Axes {
		size[a.Name] = a.Size
	}
	for _, a := range sizes {
		if _, ok := size[a.Name]; !ok {
			core.FailOp(core.ErrAxis, "show", nil, "the mesh %v has no axis %q; name one of its axes", p.Mesh, a.Name)
		}
		size[a.Name] = a.Size
	}
	varied := sizes[len(sizes)-1].Name
	inText, _ := p.Mesh.Size(varied)
	among := func(c collective, size map[string]int) int {
		n := 1
		for _, name := range c.names {
			n *= size[name]
		}
		return n
	}
	cs := collectives(p.Jaxpr, 1, p.Manual)
	work := costOf(p.Jaxpr)
	computing := float64(work.flops) / net.flops

	var b strings.Builder
	devices := 1
	for _, a := range p.Mesh.Axes {
		devices *= size[a.Name]
	}
	fmt.Fprintf(&b, "%d devices in nodes of %d; an exchange takes %s and its bytes over %sB/s; a device computes %s operations a second\n\n",
		devices, net.node, duration(1e9*net.alpha), short(uint64(net.beta)), short(uint64(net.flops)))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "bytes of a device\ttimes\tdevices\texchanges\tbytes a node sends\ttime\t  collective\n")
	total := computing
	for _, c := range cs {
		n := among(c, size)
		bytes, exchanges := c.over(n, net)
		total += c.seconds(n, net)
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%s\t  %s over %s: %v\n", short(uint64(c.bytes)), short(uint64(c.times)), n, exchanges, short(uint64(bytes)), duration(1e9*c.seconds(n, net)),
			c.e.Prim.Name(), strings.Join(c.names, ", "), c.e.Ins[0].Aval())
	}
	w.Flush()
	fmt.Fprintf(&b, "\n%s operations on numbers and %s bytes of memory a device; a step takes %s, of which %s computing\n\n", short(work.flops), short(live(p.Jaxpr)), duration(1e9*total), duration(1e9*computing))

	fmt.Fprintf(w, "%s\tpieces as they are\tefficiency\ta fixed batch\tefficiency\t\n", varied)
	for n := 1; n <= 4096; n *= 2 {
		at := map[string]int{}
		for name, s := range size {
			at[name] = s
		}
		at[varied] = n
		share := float64(inText) / float64(n)
		same, fixed := computing, computing*share
		alone := computing * float64(inText) // what one device would take for the batch
		for _, c := range cs {
			same += c.seconds(among(c, at), net)
			if c.follows() {
				c.bytes *= share
			}
			fixed += c.seconds(among(c, at), net)
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t\n", n, duration(1e9*same), percent(computing, same), duration(1e9*fixed), percent(alone, float64(n)*fixed))
	}
	w.Flush()
	return b.String()
}

func percent(part, whole float64) string {
	if whole == 0 {
		return "100 %"
	}
	return fmt.Sprintf("%.0f %%", 100*part/whole)
}
