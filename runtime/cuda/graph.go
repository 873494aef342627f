//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"errors"
	goruntime "runtime"

	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// graph is a sequence of launches that the driver submits to the device at once.
type graph struct {
	d *driver
	objects
	nodes []cu.Handle
}

// objects contains the driver's objects of a graph, and the kernels of its nodes, whose modules stay loaded until the
// graph is destroyed.
type objects struct {
	graph, instance cu.Handle
	kernels         []*kernel
}

// Graph prepares launches that run one after the other.
func (d *driver) Graph(ls []device.Launch) (device.Graph, error) {
	if !d.l.Graphs() {
		return nil, errors.ErrUnsupported
	}
	g, err := d.graph(ls)
	if e := (*cu.Error)(nil); errors.As(err, &e) && e.NotSupported() {
		return nil, errors.Join(errors.ErrUnsupported, err)
	}
	if err != nil {
		return nil, err
	}
	return g, nil
}

func (d *driver) graph(ls []device.Launch) (*graph, error) {
	g := &graph{d: d}
	d.mu.Lock()
	defer d.mu.Unlock()
	var err error
	if g.objects.graph, err = d.l.NewGraph(); err != nil {
		return nil, d.recent.Blame(d.sized(err, 0))
	}
	fail := func(err error) (*graph, error) {
		return nil, errors.Join(err, d.l.DestroyGraph(g.objects.graph, g.instance))
	}
	var behind cu.Handle
	for _, l := range ls {
		k := l.Kernel.(*kernel)
		if err := d.params(k, l.Buffers, l.Symbols); err != nil {
			return fail(d.kernelError(k.Label, err))
		}
		if behind, err = d.launcher.AddNode(g.objects.graph, behind, k.handle, k.groups(l.Groups), k.threads); err != nil {
			return fail(d.kernelError(k.Label, err))
		}
		g.nodes, g.kernels = append(g.nodes, behind), append(g.kernels, k)
	}
	if g.instance, err = d.l.Instantiate(g.objects.graph); err != nil {
		return fail(d.recent.Blame(d.sized(err, 0)))
	}
	goruntime.AddCleanup(g, func(o objects) {
		d.garbage.add(func(r *refuse) { r.graphs = append(r.graphs, o) })
	}, g.objects)
	return g, nil
}

// Set replaces the operands of launch i.
func (g *graph) Set(i int, l device.Launch) error {
	d := g.d
	d.mu.Lock()
	defer d.mu.Unlock()
	k := l.Kernel.(*kernel)
	err := d.params(k, l.Buffers, l.Symbols)
	if err == nil {
		err = d.launcher.SetNode(g.instance, g.nodes[i], k.handle, k.groups(l.Groups), k.threads)
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
