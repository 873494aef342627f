package pjrt

import (
	"context"
	"fmt"
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

type device struct {
	*client
	handle capi.Handle
	name   string
	id     int // by which the plugin's compiler names the device
	kind   string
	leaves runtime.LeafCache[*program]
}

func (d *device) Name() string { return d.name }

// Available returns nil: the plugin has been opened.
func (d *device) Available() error { return nil }

// Inexact names the compiler whose bits the results have instead of the reference executor's.
func (d *device) Inexact() string { return "XLA's" }

func (d *device) Memory() runtime.Memory { return runtime.Memory(d.name) }

// Description describes the device.
func (d *device) Description() string {
	s := d.kind + "; " + d.description() + "; the bits of XLA"
	if used, peak, limit, err := d.api.MemoryStats(d.handle); err == nil && limit > 0 {
		s += fmt.Sprintf("; %d of %d MB in use, %d at most", used>>20, limit>>20, max(peak, used)>>20)
	}
	return s
}

// Place copies an array to the device, unless it is there already.
func (d *device) Place(ctx context.Context, a *runtime.Array) (*runtime.Array, error) {
	if b, ok := a.Buffer().(*buffer); ok {
		switch {
		case b.d == d:
			return a, nil
		case b.d.client == d.client && d.api.Has(capi.BufferCopyToDevice):
			h, err := d.within(func() (capi.Handle, error) { return d.api.Copy(b.handle, d.handle) })
			if err != nil {
				return nil, err
			}
			return runtime.MadeIn(a.Aval(), d.buffer(a.Aval(), h)), nil
		}
	}
	host, err := runtime.Reference.Place(ctx, a)
	if err != nil {
		return nil, err
	}
	b, err := d.upload(host.Tensor().Data, a.Aval())
	if err != nil {
		return nil, err
	}
	return runtime.MadeIn(a.Aval(), b), nil
}

func (d *device) upload(data []byte, a core.ShapedArray) (*buffer, error) {
	t, err := typeOf(a)
	if err != nil {
		return nil, err
	}
	if a.DType == core.Float0 {
		data = make([]byte, a.Size())
	}
	h, err := d.within(func() (capi.Handle, error) { return d.api.Upload(d.client.handle, d.handle, data, t) })
	if err != nil {
		return nil, err
	}
	return d.buffer(a, h), nil
}

// Leaf returns code for an operation on arrays of the device: a program of one equation. It returns nil
// for operations that hold programs, have effects, call the host or have no code in StableHLO: the
// library runs them in other ways.
func (d *device) Leaf(p core.Primitive, in, out []core.ShapedArray) runtime.Leaf {
	if !reflect.TypeOf(p).Comparable() || len(jaxpr.Programs(p)) > 0 || core.EffectsOf(p) != 0 {
		return nil
	}
	var failed error
	prog := d.leaves.Get(p, runtime.TypesText(in), func() (*program, bool) {
		r := runtime.LeafRequest(p, in)
		m, err := d.write(r, false, nil)
		if err != nil {
			return nil, true
		}
		if len(m.steps) > 0 {
			dropSteps(m.steps)
			return nil, true
		}
		prog, err := d.compile(m, r)
		failed = err
		return prog, err == nil // errors are not remembered: the device may work again
	})
	switch {
	case failed != nil:
		return func(context.Context, core.Primitive, []*runtime.Array, []core.ShapedArray, []*runtime.Array) error {
			return failed
		}
	case prog == nil:
		return nil
	}
	return func(ctx context.Context, _ core.Primitive, in []*runtime.Array, _ []core.ShapedArray, outs []*runtime.Array) error {
		return prog.Run(ctx, in, outs)
	}
}
