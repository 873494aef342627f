// Package fakedevice contains an executor for tests whose memory is treated as a device's: the
// host finds poison there until it has waited for the elements, results are ready some time after
// they are returned, and any step can be made to fail. It computes the reference executor's
// numbers.
package fakedevice

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// Executor is the pretended device.
type Executor struct {
	name string

	Allocations atomic.Int64 // buffers made
	Uploads     atomic.Int64 // arrays copied to the device
	Downloads   atomic.Int64 // buffers copied to the host
	Waits       atomic.Int64 // buffers that the host waited for
	Programs    atomic.Int64 // programs compiled
	Runs        atomic.Int64 // programs run
	Leaves      atomic.Int64 // eager operations run

	Fail atomic.Pointer[Failure] // what fails, nil: nothing
}

// Failure selects what fails.
type Failure struct {
	Compile, Run, Place, Bytes, Leaf error
	Available                        error // the device cannot be used

	Hasty bool // the host reads without a wait

	Results func(outs []*runtime.Array) // spoils the results of a program or an operation
}

// New returns an executor with the given name.
func New(name string) *Executor { return &Executor{name: name} }

// Pair returns two executors that are registered, the same ones for all tests of a process.
var Pair = sync.OnceValue(func() [2]*Executor {
	es := [2]*Executor{New("pretended"), New("pretended2")}
	for _, e := range es {
		if err := runtime.Register(e); err != nil {
			panic(err)
		}
	}
	return es
})

// Name returns the executor's name.
func (e *Executor) Name() string { return e.name }

// Available returns the reason for which the device cannot be used, nil if it can.
func (e *Executor) Available() error { return e.failure().Available }

// Memory returns a memory of the executor's own.
func (e *Executor) Memory() runtime.Memory { return runtime.Memory(e.name + ":0") }

func (e *Executor) failure() Failure {
	if f := e.Fail.Load(); f != nil {
		return *f
	}
	return Failure{}
}

// ErrNotWaited is the failure of a host that reads elements before it waited for them.
var ErrNotWaited = errors.New("elements are read in device memory that was not waited for")

// poison fills memory until the host has waited: NaNs, and integers of all ones.
const poison = 0xff

// buffer is device memory. The device sees results at once, in the order of its work. The host
// sees them in its own view of the memory once it has waited; until then the view is poisoned,
// and reading it is refused.
type buffer struct {
	e      *Executor
	ready  chan struct{} // closed when the device is done
	device []byte        // what the device computes; nothing on the host reads it

	mu     sync.Mutex
	host   []byte // the host's view
	waited bool
}

// Executor returns the device.
func (b *buffer) Executor() runtime.Executor { return b.e }

// Wait returns when the device is done, or ctx ends.
func (b *buffer) Wait(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-b.ready:
	case <-ctx.Done():
		if err := ctx.Err(); err != nil {
			return err
		}
		<-b.ready // a context without an error has not ended
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.waited {
		b.e.Waits.Add(1)
		copy(b.host, b.device)
		b.waited = true
	}
	return nil
}

// read returns the host's view, with an error before the host has waited.
func (b *buffer) read() ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.waited {
		return b.host, ErrNotWaited
	}
	return b.host, nil
}

// Bytes waits and copies.
func (b *buffer) Bytes(ctx context.Context) ([]byte, error) {
	f := b.e.failure()
	if f.Bytes != nil {
		return nil, f.Bytes
	}
	if !f.Hasty {
		if err := b.Wait(ctx); err != nil {
			return nil, err
		}
	}
	data, err := b.read()
	if err != nil {
		return nil, err
	}
	b.e.Downloads.Add(1)
	return copied(data), nil
}

// Peek returns a copy of the host's present view of an array on a pretended device, and an error
// if reading it is refused.
func Peek(a *runtime.Array) ([]byte, error) {
	data, err := a.Buffer().(*buffer).read()
	return copied(data), err
}

func copied(data []byte) []byte {
	t := reference.NewTensor(core.Aval(core.Uint8, len(data)))
	copy(t.Data, data)
	return t.Data
}

// upload puts an array in host memory on the device, where the host may read it later.
func (e *Executor) upload(a *runtime.Array) *runtime.Array {
	e.Allocations.Add(1)
	data := copied(a.Tensor().Data)
	b := &buffer{e: e, ready: make(chan struct{}), device: data, host: bytes.Repeat([]byte{poison}, len(data))}
	go close(b.ready)
	return runtime.MadeIn(a.Aval(), b)
}

// on returns the array as the device's code reads it: in the order of the device's work, without
// making the host wait.
func (e *Executor) on(a *runtime.Array) *runtime.Array {
	if b, ok := a.Buffer().(*buffer); ok && b.e == e {
		return runtime.Made(a.Aval(), b.device, nil)
	}
	return a
}

// Place copies an array to the device.
func (e *Executor) Place(ctx context.Context, a *runtime.Array) (*runtime.Array, error) {
	if err := e.failure().Place; err != nil {
		return nil, err
	}
	if b, ok := a.Buffer().(*buffer); ok && b.e == e {
		return a, nil
	}
	h, err := runtime.Reference.Place(ctx, a)
	if err != nil {
		return nil, err
	}
	e.Uploads.Add(1)
	return e.upload(h), nil
}

// executable evaluates a program equation by equation, each by a step of the reference.
type executable struct {
	e     *Executor
	r     *runtime.Request
	steps []runtime.Step
}

// Compile prepares the steps.
func (e *Executor) Compile(r *runtime.Request) (runtime.Executable, error) {
	if err := e.failure().Compile; err != nil {
		return nil, err
	}
	e.Programs.Add(1)
	x := &executable{e: e, r: r}
	for _, q := range r.Jaxpr.Eqns {
		s, err := r.Step(q)
		if err != nil {
			return nil, err
		}
		x.steps = append(x.steps, s)
	}
	return x, nil
}

// ErrElsewhere is the failure of a program whose arguments are not on the device.
var ErrElsewhere = errors.New("an argument is not on the device; place it there first")

// Run runs the steps.
func (x *executable) Run(ctx context.Context, args, outs []*runtime.Array) error {
	x.e.Runs.Add(1)
	if err := x.e.failure().Run; err != nil {
		return err
	}
	env := map[*jaxpr.Var]*runtime.Array{}
	for i, v := range x.r.Jaxpr.Consts {
		switch c := x.r.Jaxpr.ConstVals[i].(type) {
		case *runtime.Array:
			env[v] = c
		case core.Literal:
			env[v] = runtime.FromLiteral(c)
		}
	}
	for i, v := range x.r.Jaxpr.Ins {
		if b, ok := args[i].Buffer().(*buffer); !ok || b.e != x.e {
			return ErrElsewhere
		}
		env[v] = args[i]
	}
	read := func(as []jaxpr.Atom) []*runtime.Array {
		in := make([]*runtime.Array, len(as))
		for i, a := range as {
			switch a := a.(type) {
			case *jaxpr.Var:
				in[i] = env[a]
			case core.Literal:
				in[i] = runtime.FromLiteral(a)
			}
		}
		return in
	}
	for i, s := range x.steps {
		q := x.r.Jaxpr.Eqns[i]
		res := make([]*runtime.Array, len(q.Outs))
		in := read(q.Ins)
		for k, a := range in {
			in[k] = x.e.on(a)
		}
		if err := s.Run(ctx, in, res); err != nil {
			return err
		}
		for k, v := range q.Outs {
			env[v] = res[k]
		}
	}
	return x.e.deliver(read(x.r.Jaxpr.Outs), outs)
}

// deliver puts results on the device, or into the memory that the caller passed.
func (e *Executor) deliver(res, outs []*runtime.Array) error {
	for i, a := range res {
		switch b := a.Buffer().(type) {
		case *buffer:
			if outs[i] == nil && b.e == e {
				outs[i] = a
				continue
			}
		}
		if outs[i] != nil {
			copy(outs[i].Tensor().Data, e.on(a).Tensor().Data)
			continue
		}
		outs[i] = e.upload(a)
	}
	if spoil := e.failure().Results; spoil != nil {
		spoil(outs)
	}
	return nil
}

// Account counts every equation as a fallback.
func (x *executable) Account() runtime.Account {
	var a runtime.Account
	for _, q := range x.r.Jaxpr.Eqns {
		a.Fallbacks = append(a.Fallbacks, runtime.Fallback{Op: q.Prim.Name(), Pos: q.Site.String(), Reason: "the device is pretended"})
	}
	return a
}

// Leaf runs one operation; half of the vocabulary is left to the reference.
func (e *Executor) Leaf(p core.Primitive, in, out []core.ShapedArray) runtime.Leaf {
	if len(p.Name())%2 == 0 || core.EffectsOf(p) != 0 {
		return nil
	}
	q := &jaxpr.Eqn{Prim: p}
	for _, t := range in {
		q.Ins = append(q.Ins, jaxpr.NewVar(t))
	}
	for _, t := range out {
		q.Outs = append(q.Outs, jaxpr.NewVar(t))
	}
	s, err := (&runtime.Request{Jaxpr: &jaxpr.Jaxpr{}}).Step(q)
	return func(ctx context.Context, _ core.Primitive, in []*runtime.Array, types []core.ShapedArray, outs []*runtime.Array) error {
		if err != nil {
			return err
		}
		e.Leaves.Add(1)
		if err := e.failure().Leaf; err != nil {
			return err
		}
		on := make([]*runtime.Array, len(in))
		for k, a := range in {
			if b, ok := a.Buffer().(*buffer); !ok || b.e != e {
				return ErrElsewhere
			}
			on[k] = e.on(a)
		}
		res := make([]*runtime.Array, len(types))
		if err := s.Run(ctx, on, res); err != nil {
			return err
		}
		return e.deliver(res, outs)
	}
}
