// Package pretend contains an executor for tests whose memory is treated as a device's:
// host code cannot reach it, results are ready some time after they are returned, and
// any step can be made to fail. Its numbers are the reference executor's.
package pretend

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/kernel"
	"github.com/weft-go/weft/runtime"
)

// Executor is the pretended device.
type Executor struct {
	name string

	Allocations atomic.Int64 // buffers made
	Uploads     atomic.Int64 // arrays copied to the device
	Downloads   atomic.Int64 // buffers copied to the host
	Programs    atomic.Int64 // programs compiled
	Runs        atomic.Int64 // programs run
	Leaves      atomic.Int64 // eager operations run

	Fail atomic.Pointer[Failure] // what fails, nil: nothing
}

// Failure selects what fails.
type Failure struct {
	Compile, Run, Place, Bytes, Leaf error

	Results func(outs []*runtime.Array) // spoils the results of a program or an operation
}

// New returns an executor of that name.
func New(name string) *Executor { return &Executor{name: name} }

// Name returns the executor's name.
func (e *Executor) Name() string { return e.name }

// Available returns nil.
func (e *Executor) Available() error { return nil }

// Memory returns a memory of the executor's own.
func (e *Executor) Memory() runtime.Memory { return runtime.Memory(e.name + ":0") }

func (e *Executor) failure() Failure {
	if f := e.Fail.Load(); f != nil {
		return *f
	}
	return Failure{}
}

// buffer contains bytes that are there once ready is closed.
type buffer struct {
	e     *Executor
	ready chan struct{}
	data  []byte
}

// Executor returns the device.
func (b *buffer) Executor() runtime.Executor { return b.e }

// Wait returns when the bytes are there, or ctx ends.
func (b *buffer) Wait(ctx context.Context) error {
	select {
	case <-b.ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Bytes waits and copies.
func (b *buffer) Bytes(ctx context.Context) ([]byte, error) {
	if err := b.e.failure().Bytes; err != nil {
		return nil, err
	}
	if err := b.Wait(ctx); err != nil {
		return nil, err
	}
	b.e.Downloads.Add(1)
	return copied(b.data), nil
}

func copied(data []byte) []byte {
	t := kernel.NewTensor(core.Aval(core.Uint8, len(data)))
	copy(t.Data, data)
	return t.Data
}

// upload puts an array in host memory on the device, where it is ready later.
func (e *Executor) upload(a *runtime.Array) *runtime.Array {
	e.Allocations.Add(1)
	b := &buffer{e: e, ready: make(chan struct{})}
	data := copied(a.Tensor().Data)
	go func() {
		b.data = data
		close(b.ready)
	}()
	return runtime.MadeIn(a.Aval(), b)
}

// Place copies an array to the device.
func (e *Executor) Place(ctx context.Context, a *runtime.Array) (*runtime.Array, error) {
	if err := e.failure().Place; err != nil {
		return nil, err
	}
	if b, ok := a.Buffer().(*buffer); ok && b.e == e {
		return a, nil
	}
	if err := a.Wait(ctx); err != nil {
		return nil, err
	}
	e.Uploads.Add(1)
	return e.upload(a), nil
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
var ErrElsewhere = errors.New("an argument is not on the device")

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
		if err := s.Run(ctx, read(q.Ins), res); err != nil {
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
			copy(outs[i].Tensor().Data, a.Tensor().Data)
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
		for _, a := range in {
			if b, ok := a.Buffer().(*buffer); !ok || b.e != e {
				return ErrElsewhere
			}
		}
		res := make([]*runtime.Array, len(types))
		if err := s.Run(ctx, in, res); err != nil {
			return err
		}
		return e.deliver(res, outs)
	}
}
