package pjrt

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/internal/codecache"
)

// group is the executor of several devices of a client. XLA divides its programs among them, as their
// arguments are cut.
type group struct {
	*client
	name    string
	devices []*device
	layouts *codecache.Shared[layout] // a pointer, so that cleanups of layouts refer to it and not to the group
	leaves  runtime.LeafCache[*divided]

	mu    sync.Mutex
	moves map[string]*divided // by type and layout: programs that return their argument in that layout
}

// mostMoves bounds the programs that are kept for [group.move].
const mostMoves = 64

// Together returns the executor of several devices of d's client.
func (d *device) Together(list []runtime.Executor) (runtime.Divided, error) {
	g, err := d.group(list)
	if err != nil {
		return nil, err
	}
	d.together.Lock()
	defer d.together.Unlock()
	if known := d.groups[g.name]; known != nil {
		return known, nil
	}
	if err := runtime.Register(g); err != nil {
		return nil, err
	}
	if d.groups == nil {
		d.groups = map[string]*group{}
	}
	d.groups[g.name] = g
	return g, nil
}

// group returns an executor of several devices that is not registered.
func (d *device) group(list []runtime.Executor) (*group, error) {
	kind, _, _ := strings.Cut(d.name, ":")
	devices, numbers := make([]*device, len(list)), make([]string, len(list))
	for i, e := range list {
		x, ok := e.(*device)
		if !ok || x.client != d.client {
			return nil, fmt.Errorf("device %d of the mesh is %s; take all devices from one plugin", i, e.Name())
		}
		if slices.Contains(devices[:i], x) {
			return nil, fmt.Errorf("the mesh has the device %s twice; name each once", x.name)
		}
		_, numbers[i], _ = strings.Cut(x.name, ":")
		devices[i] = x
	}
	g := &group{client: d.client, layouts: new(codecache.Shared[layout]), name: kind + ":" + strings.Join(numbers, ","), devices: devices}
	if len(devices) == 1 {
		g.name += ","
	}
	return g, nil
}

func (g *group) Name() string { return g.name }

// Available returns nil: the plugin has been opened.
func (g *group) Available() error { return nil }

// Inexact names the compiler whose bits the results have instead of the reference executor's.
func (g *group) Inexact() string { return "XLA's" }

func (g *group) Memory() runtime.Memory { return runtime.Memory(g.name) }

// Description describes the devices.
func (g *group) Description() string {
	return fmt.Sprintf("%s, among which XLA divides programs", core.Count(len(g.devices), "device"))
}

// ids returns the numbers by which the plugin's compiler names the devices.
func (g *group) ids() (ids []int) {
	for _, d := range g.devices {
		ids = append(ids, d.id)
	}
	return ids
}

// pieces is the memory of an array that is cut among the devices of a group.
type pieces struct {
	g      *group
	aval   core.ShapedArray // of the whole array
	layout *layout
	parts  []*buffer // of each device
}

func (b *pieces) Executor() runtime.Executor { return b.g }

// Wait waits until the elements of all pieces have been computed.
func (b *pieces) Wait(ctx context.Context) error {
	for _, p := range b.parts {
		if err := p.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Bytes waits for the pieces and returns the elements of the whole array.
func (b *pieces) Bytes(ctx context.Context) ([]byte, error) {
	whole := runtime.New(core.Aval(core.Uint8, bytesOf(b.aval))).Tensor().Data
	return whole, b.download(ctx, whole)
}

func (b *pieces) download(ctx context.Context, whole []byte) error {
	seen := map[string]bool{}
	for k, p := range b.parts {
		start := b.layout.start(p.aval, k)
		key := fmt.Sprint(start)
		if seen[key] {
			continue
		}
		seen[key] = true
		data, err := p.Bytes(ctx)
		if err != nil {
			return err
		}
		eachRow(b.aval, p.aval, start, func(at, from, n int) { copy(whole[at:at+n], data[from:from+n]) })
	}
	return nil
}

// Place copies an array to each device, unless it is an array of the group already.
func (g *group) Place(ctx context.Context, a *runtime.Array) (*runtime.Array, error) {
	if b, ok := a.Buffer().(*pieces); ok && b.g == g {
		return a, nil
	}
	w := g.whole()
	return g.Cut(ctx, a, w.mesh, w.spec)
}

// Cut returns an array with the elements of a, cut among the devices as m and s describe.
func (g *group) Cut(ctx context.Context, a *runtime.Array, m jaxpr.Mesh, s jaxpr.Spec) (*runtime.Array, error) {
	if n := sizeOf(m); n != len(g.devices) {
		return nil, fmt.Errorf("the mesh %v has %s (want %d); take one for each device", m, core.Count(n, "device"), len(g.devices))
	}
	l := g.layout(m, s)
	aval := a.Aval()
	piece, err := l.piece(aval)
	if err != nil {
		return nil, err
	}
	if b, ok := a.Buffer().(*pieces); ok && b.g == g {
		if b.layout == l {
			return a, nil
		}
		return g.move(ctx, a, l)
	}
	host, err := runtime.Reference.Place(ctx, a)
	if err != nil {
		return nil, err
	}
	whole := host.Tensor().Data
	b := &pieces{g: g, aval: aval, layout: l}
	made := map[string][]byte{}
	for k, d := range g.devices {
		start := l.start(piece, k)
		data, ok := made[fmt.Sprint(start)]
		if !ok {
			data = make([]byte, bytesOf(piece))
			eachRow(aval, piece, start, func(at, to, n int) { copy(data[to:to+n], whole[at:at+n]) })
			made[fmt.Sprint(start)] = data
		}
		p, err := d.upload(data, piece)
		if err != nil {
			return nil, err
		}
		b.parts = append(b.parts, p)
	}
	return runtime.MadeIn(aval, b), nil
}

// move returns an array with the elements of a, an array of the group, in the layout `to`. XLA exchanges
// the elements between the devices.
func (g *group) move(ctx context.Context, a *runtime.Array, to *layout) (*runtime.Array, error) {
	aval := a.Aval()
	p := g.moving(aval, to)
	outs := make([]*runtime.Array, 1)
	if err := p.Run(ctx, []*runtime.Array{a}, outs); err != nil {
		return nil, err
	}
	return outs[0], nil
}

// moving returns the program that returns its argument, an array of type a, in a layout.
func (g *group) moving(a core.ShapedArray, to *layout) *divided {
	key := fmt.Sprint(a.Full(), to.mesh, to.spec)
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.moves[key]; p != nil {
		return p
	}
	if g.moves == nil || len(g.moves) >= mostMoves {
		g.moves = map[string]*divided{}
	}
	b := jaxpr.NewBuilder()
	p := &divided{g: g, r: &runtime.Request{Jaxpr: b.Build(b.Input(a)), Label: "Put"}, out: []*layout{to}}
	g.moves[key] = p
	return p
}

// Pieces returns how an array is cut, and the piece of each device.
func (g *group) Pieces(a *runtime.Array) (jaxpr.Mesh, jaxpr.Spec, []*runtime.Array) {
	b := a.Buffer().(*pieces)
	list := make([]*runtime.Array, len(b.parts))
	for i, p := range b.parts {
		list[i] = runtime.MadeIn(p.aval, p)
	}
	return b.layout.mesh, b.layout.spec, list
}

// Compile checks that a program can be written. The program is compiled when it is called, since XLA
// divides it as its arguments are cut.
func (g *group) Compile(r *runtime.Request) (runtime.Executable, error) {
	p := &divided{g: g, r: r}
	m, err := p.write(slices.Repeat([]*layout{g.whole()}, len(r.Jaxpr.Ins)), make([]*layout, len(r.Jaxpr.Outs)))
	if err != nil {
		return nil, err
	}
	dropSteps(m.steps)
	return p, nil
}

// Leaf returns code for an operation on arrays of the group. Like that of a device, it returns nil for operations that hold
// programs, have effects, call the host or have no code in StableHLO.
func (g *group) Leaf(p core.Primitive, in, out []core.ShapedArray) runtime.Leaf {
	if !reflect.TypeOf(p).Comparable() || len(jaxpr.Programs(p)) > 0 || core.EffectsOf(p) != 0 {
		return nil
	}
	prog := g.leaves.Get(p, runtime.TypesText(in), func() (*divided, bool) {
		q := &divided{g: g, r: runtime.LeafRequest(p, in)}
		m, err := q.write(slices.Repeat([]*layout{g.whole()}, len(in)), make([]*layout, len(out)))
		if err != nil {
			return nil, true
		}
		if dropSteps(m.steps); len(m.steps) > 0 {
			return nil, true
		}
		return q, true
	})
	if prog == nil {
		return nil
	}
	return func(ctx context.Context, _ core.Primitive, in []*runtime.Array, _ []core.ShapedArray, outs []*runtime.Array) error {
		return prog.Run(ctx, in, outs)
	}
}

var _ runtime.Divisible = (*device)(nil)
