package pjrt

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

// divided is a program of a group. It is compiled for each way in which its arguments are cut.
type divided struct {
	g   *group
	r   *runtime.Request
	out []*layout // the layouts that results must have, nil where XLA chooses; nil: XLA chooses all

	last atomic.Pointer[variant]
	mu   sync.Mutex
	made []*variant
}

// variant is a program for arguments that are cut in one way.
type variant struct {
	in, out []*layout
	types   []core.ShapedArray // of the pieces of results
	exe     *executable
	inputs  []*pieces
	steps   *stepList // nil: the host runs none
}

// write writes the program for arguments and results of these layouts. Where the layout of a result is
// nil, XLA chooses it.
func (p *divided) write(in, out []*layout) (*module, error) {
	return p.g.write(p.r, false, p.division(in, out))
}

func (p *divided) division(in, out []*layout) *stablehlo.Division {
	if len(p.g.devices) == 1 {
		return nil
	}
	d := &stablehlo.Division{Mesh: p.g.whole().mesh, Out: make([]*stablehlo.Sharding, len(out))}
	for _, l := range in {
		d.In = append(d.In, stablehlo.Sharding{Mesh: l.mesh, Spec: l.spec})
	}
	for _, l := range p.captured() {
		d.Given = append(d.Given, stablehlo.Sharding{Mesh: l.mesh, Spec: l.spec})
	}
	for i, l := range out {
		if l != nil {
			d.Out[i] = &stablehlo.Sharding{Mesh: l.mesh, Spec: l.spec}
		}
	}
	return d
}

// captured returns the layout of each captured array that is an input. Those that lie elsewhere are copied to each device.
func (p *divided) captured() (list []*layout) {
	for _, a := range capturedInputs(p.r.Jaxpr) {
		l := p.g.whole()
		if b, ok := a.Buffer().(*pieces); ok && b.g == p.g {
			l = b.layout
		}
		list = append(list, l)
	}
	return list
}

const mostVariants = 64

// variant returns the program for arguments that are cut like args, and compiles it if it must.
func (p *divided) variant(args []*pieces) (*variant, error) {
	fits := func(v *variant) bool {
		for i, b := range args {
			if v.in[i] != b.layout {
				return false
			}
		}
		return true
	}
	if v := p.last.Load(); v != nil && fits(v) {
		return v, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	k := slices.IndexFunc(p.made, fits)
	if k < 0 {
		in := make([]*layout, len(args))
		for i, b := range args {
			in[i] = b.layout
		}
		v, err := p.compile(in)
		if err != nil {
			return nil, err
		}
		if len(p.made) >= mostVariants {
			p.made = nil
		}
		k, p.made = len(p.made), append(p.made, v)
	}
	p.last.Store(p.made[k])
	return p.made[k], nil
}

// compile compiles the program for arguments of these layouts. If it is not known how XLA has cut
// a result, or no spec describes it, the program is compiled again with a copy of that result on each device.
func (p *divided) compile(in []*layout) (*variant, error) {
	g := p.g
	v := &variant{in: in, out: make([]*layout, len(p.r.Jaxpr.Outs))}
	copy(v.out, p.out)
	for {
		m, err := p.write(in, v.out)
		if err != nil {
			return nil, err
		}
		v.steps = newStepList(m.steps)
		t := target{ids: g.ids(), open: make([]bool, len(v.out))}
		for i, l := range v.out {
			t.open[i] = l == nil
		}
		if v.exe, err = g.executable(m, t); err != nil {
			if g.older(m, err) {
				continue
			}
			return nil, g.locate(err, p.r, g.name, p.division(in, v.out))
		}
		chosen, err := p.chosen(v)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(chosen, nil) {
			v.out = chosen
			for i, a := range p.r.Jaxpr.OutAvals() {
				piece, err := v.out[i].piece(a)
				if err != nil {
					return nil, err
				}
				v.types = append(v.types, piece)
			}
			if err := g.check(v.exe, v.types); err != nil {
				return nil, err
			}
			for _, a := range m.inputs {
				placed, err := g.Place(context.Background(), a)
				if err != nil {
					return nil, err
				}
				v.inputs = append(v.inputs, placed.Buffer().(*pieces))
			}
			return v, nil
		}
		for i, l := range chosen {
			if l == nil {
				v.out[i] = g.whole()
			}
		}
	}
}

// chosen returns the layouts of the results of a compiled variant. Where no layout was demanded it is
// the one that XLA has chosen, nil if the plugin does not report it or no spec describes it.
func (p *divided) chosen(v *variant) ([]*layout, error) {
	g := p.g
	out := slices.Clone(v.out)
	if !slices.Contains(out, nil) {
		return out, nil
	}
	if len(g.devices) == 1 {
		for i := range out {
			out[i] = g.whole()
		}
		return out, nil
	}
	if !g.api.Has(capi.ExecutableOptimizedProgram) {
		return out, nil
	}
	code, format, err := g.api.Optimized(v.exe.handle)
	if err != nil {
		return nil, g.explain(err)
	}
	if format != "hlo_with_config" {
		return out, nil
	}
	s, ok, err := resultSharding(code)
	if err != nil {
		return nil, err
	}
	if !ok {
		return out, nil
	}
	list := s.tuple
	if s.kind != shardTuple {
		list = slices.Repeat([]sharding{s}, len(out))
	}
	if len(list) != len(out) {
		return nil, fmt.Errorf("the plugin compiled a program of %d results to one of %d; use another version of it", len(out), len(list))
	}
	meshes := p.meshes(v.in)
	for i, a := range p.r.Jaxpr.OutAvals() {
		if out[i] != nil {
			continue
		}
		rank := a.Rank()
		if a.DType.IsKey() {
			rank++ // keys have an axis of words
		}
		for _, m := range meshes {
			spec, ok := list[i].spec(m, rank)
			if !ok || len(spec) > a.Rank() && len(spec[a.Rank()]) > 0 {
				continue
			}
			x := g.layout(m, spec)
			if _, err := x.piece(a); err == nil {
				out[i] = x
				break
			}
		}
	}
	return out, nil
}

// meshes returns the meshes by which results may be described: the meshes of the arguments, of captured arrays and of
// each ShardMap over all devices, and the mesh of whole arrays.
func (p *divided) meshes(in []*layout) (list []jaxpr.Mesh) {
	whole := p.g.whole().mesh
	known := map[string]bool{whole.String(): true}
	add := func(m jaxpr.Mesh) {
		if text := m.String(); !known[text] {
			known[text] = true
			list = append(list, m)
		}
	}
	for _, l := range slices.Concat(in, p.captured()) {
		add(l.mesh)
	}
	seen := map[*jaxpr.Jaxpr]bool{}
	var within func(j *jaxpr.Jaxpr)
	within = func(j *jaxpr.Jaxpr) {
		if seen[j] {
			return
		}
		seen[j] = true
		for _, e := range j.Eqns {
			if s, ok := e.Prim.(*jaxpr.ShardMap); ok && sizeOf(s.Mesh) == len(p.g.devices) {
				add(s.Mesh)
			}
			for _, q := range jaxpr.Programs(e.Prim) {
				within(q)
			}
		}
	}
	within(p.r.Jaxpr)
	return append(list, whole)
}

// Run starts the program on all devices. It returns before the results are computed, unless the host runs
// steps of it or results are copied to arrays of outs.
func (p *divided) Run(ctx context.Context, args, outs []*runtime.Array) error {
	if err := runtime.CheckCounts(len(p.r.Jaxpr.Ins), len(p.r.Jaxpr.Outs), args, outs); err != nil {
		return err
	}
	if err := runtime.Ended(ctx); err != nil {
		return err
	}
	g := p.g
	if err := g.refuseNested(ctx); err != nil {
		return err
	}
	in := make([]*pieces, len(args))
	for i, a := range args {
		b, ok := a.Buffer().(*pieces)
		if !ok || b.g != g {
			return fmt.Errorf("argument %d is in memory %s; place it on the devices", i, a.Memory())
		}
		in[i] = b
	}
	v, err := p.variant(in)
	if err != nil {
		return err
	}
	hs := make([][]capi.Handle, len(g.devices))
	for k := range hs {
		hs[k] = make([]capi.Handle, len(outs), len(outs)+1)
	}
	if v.steps == nil {
		err = g.start(ctx, v, in, hs)
	} else {
		err = until(ctx, func() error { return g.start(ctx, v, in, hs) }, func(err error) {
			if err == nil {
				g.destroy(hs)
			}
		})
	}
	if err != nil {
		return g.explain(err)
	}
	for i, t := range p.r.Jaxpr.OutAvals() {
		b := &pieces{g: g, aval: t, layout: v.out[i]}
		for k, d := range g.devices {
			b.parts = append(b.parts, d.buffer(v.types[i], hs[k][i]))
		}
		if outs[i] == nil {
			outs[i] = runtime.MadeIn(t, b)
		} else if e := b.download(ctx, outs[i].Tensor().Data); err == nil {
			err = e
		}
	}
	return err
}

func (g *group) destroy(hs [][]capi.Handle) {
	for _, list := range hs {
		for _, h := range list {
			_ = g.api.DestroyBuffer(h) // there is no caller to report an error to
		}
	}
}

// start starts a variant on the pieces of its arguments, and waits for it if the host runs steps of it.
func (g *group) start(ctx context.Context, v *variant, in []*pieces, out [][]capi.Handle) error {
	args := make([][]capi.Handle, len(g.devices))
	for k := range args {
		args[k] = make([]capi.Handle, 0, len(v.inputs)+len(in)+1)
		for _, b := range v.inputs {
			args[k] = append(args[k], b.parts[k].handle)
		}
		for _, b := range in {
			args[k] = append(args[k], b.parts[k].handle)
		}
	}
	run := func() error {
		over, err := g.enter(ctx)
		if err != nil {
			return err
		}
		return g.api.ExecuteAll(v.exe.handle, out, args, v.steps != nil, over)
	}
	err := run()
	var e *capi.Error
	if errors.As(err, &e) && e.OutOfMemory() {
		collect()
		err = run()
	}
	goruntime.KeepAlive(in)
	goruntime.KeepAlive(v)
	return err
}

// mostUnderWay bounds the programs of several devices that a client for processors has under way. XLA
// allows 32 on each device, and blocks the thread that starts another. That thread may also be the one
// that an earlier program's exchange is waiting for. Then nothing goes on, and XLA ends the process.
const mostUnderWay = 16

// enter waits until another program of several devices may be started. The caller calls over when that
// program has ended; it is nil if the number of programs is not limited.
func (c *client) enter(ctx context.Context) (over func(), err error) {
	if c.underWay == nil {
		return nil, nil
	}
	select {
	case c.underWay <- struct{}{}:
		return func() { <-c.underWay }, nil
	case <-ctx.Done():
		return nil, runtime.Ended(ctx)
	}
}

// Account describes the share of one device in the variant that was called last, and the equations that
// the host runs. Before the first call it counts the bytes of whole results.
func (p *divided) Account() runtime.Account {
	a := runtime.Account{Kernels: 1}
	types := p.r.Jaxpr.OutAvals()
	if v := p.last.Load(); v != nil {
		a.CodeBytes, a.ArenaBytes = v.exe.code, v.exe.scratch
		for _, b := range v.inputs {
			a.ConstantBytes += b.parts[0].bytes
		}
		types = v.types
		if v.steps != nil {
			a.Fallbacks = v.steps.fallbacks()
		}
	}
	for _, t := range types {
		a.ResultBytes += bytesOf(t)
	}
	return a
}
