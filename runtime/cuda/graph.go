//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"errors"
	goruntime "runtime"
	"slices"

	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// graph is a sequence of launches that the driver submits to the device at once.
type graph struct {
	d *driver
	objects
	nodes      []cu.Handle          // by launch; 0: none
	conditions map[int]cu.Condition // of nodes that set one, by launch
}

// objects contains the driver's objects of a graph, and the kernels of its nodes, whose modules stay loaded until the
// graph is destroyed.
type objects struct {
	graph, instance cu.Handle
	kernels         []*kernel
	stop            device.Memory // of a byte that ends its loops; 0: it has none
}

// Graph prepares launches that run one after the other.
func (d *driver) Graph(ls []device.Launch) (device.Graph, error) {
	if !d.l.Graphs() {
		return nil, errors.ErrUnsupported
	}
	var stop device.Memory
	if slices.ContainsFunc(ls, func(l device.Launch) bool { return l.Control != device.Always }) {
		if !d.Loops() {
			return nil, errors.ErrUnsupported
		}
		var err error
		if stop, err = d.newStop(); err != nil {
			return nil, err
		}
	}
	g, err := d.graph(ls, stop)
	if err != nil && stop != 0 {
		d.Free(stop)
	}
	if e := (*cu.Error)(nil); errors.As(err, &e) && (e.NotSupported() || stop != 0 && !e.OutOfMemory() && !e.FromKernel()) {
		return nil, errors.Join(errors.ErrUnsupported, err)
	}
	if err != nil {
		return nil, err
	}
	return g, nil
}

func (d *driver) graph(ls []device.Launch, stop device.Memory) (*graph, error) {
	g, err := d.nodes(ls, stop)
	if err != nil {
		return nil, err
	}
	goruntime.AddCleanup(g, func(o objects) {
		d.garbage.add(func(r *refuse) { r.graphs = append(r.graphs, o) })
	}, g.objects)
	return g, nil
}

func (d *driver) nodes(ls []device.Launch, stop device.Memory) (*graph, error) {
	g := &graph{d: d, conditions: map[int]cu.Condition{}}
	g.stop = stop
	d.mu.Lock()
	defer d.mu.Unlock()
	var err error
	if g.objects.graph, err = d.l.NewGraph(); err != nil {
		return nil, d.recent.Blame(d.sized(err, 0))
	}
	fail := func(err error) (*graph, error) {
		return nil, errors.Join(err, d.l.DestroyGraph(g.objects.graph, g.instance))
	}
	open := []*level{{graph: g.objects.graph}}
	for i := 0; i < len(ls); i++ {
		l, at := &ls[i], open[len(open)-1]
		g.nodes = append(g.nodes, 0)
		switch l.Control {
		case device.Repeat, device.If:
			if ls[i+1].Control == device.End && l.Control == device.If { // a node must have a body
				g.nodes = append(g.nodes, 0)
				i++
				continue
			}
			body, err := g.begin(at, l)
			if err != nil {
				return fail(d.kernelError(d.conditions.kernel.Label, err))
			}
			open = append(open, body)
			g.nodes[i], g.conditions[i] = body.asked, body.condition
		case device.End:
			if open = open[:len(open)-1]; at.repeats {
				if err := g.ask(at, at.condition, l); err != nil {
					return fail(d.kernelError(d.conditions.kernel.Label, err))
				}
				g.nodes[i], g.conditions[i] = at.behind, at.condition
			}
		default:
			k := l.Kernel.(*kernel)
			if err := d.params(k, l.Buffers, l.Symbols); err != nil {
				return fail(d.kernelError(k.Label, err))
			}
			if at.behind, err = d.launcher.AddNode(at.graph, at.behind, k.handle, k.groups(l.Groups), k.threads); err != nil {
				return fail(d.kernelError(k.Label, err))
			}
			g.nodes[i], g.kernels = at.behind, append(g.kernels, k)
		}
	}
	if g.instance, err = d.l.Instantiate(g.objects.graph); err != nil {
		return fail(d.recent.Blame(d.sized(err, 0)))
	}
	return g, nil
}

// Set replaces the operands of launch i.
func (g *graph) Set(i int, l device.Launch) error {
	d := g.d
	d.mu.Lock()
	defer d.mu.Unlock()
	if g.nodes[i] == 0 {
		return nil
	}
	var err error
	k := d.conditions.kernel
	if c, sets := g.conditions[i]; sets {
		err = g.condition(c, l.Buffers)
	} else {
		k = l.Kernel.(*kernel)
		err = d.params(k, l.Buffers, l.Symbols)
	}
	if err == nil {
		err = d.launcher.SetNode(g.instance, g.nodes[i], k.handle, k.groups(max(l.Groups, 1)), k.threads)
	}
	if err != nil {
		return d.kernelError(k.Label, err)
	}
	return nil
}

// Run launches the graph.
func (g *graph) Run() error {
	d := g.d
	if err := d.l.LaunchGraph(g.instance, d.stream); err != nil {
		return d.explain(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, k := range g.kernels[max(0, len(g.kernels)-device.RecentKernels):] {
		d.recent.Add(k.Label)
	}
	return nil
}
