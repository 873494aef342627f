package device

import (
	"context"
	"reflect"
	goruntime "runtime"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/legalize"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime"
)

type executor struct {
	driver Driver
	pool   pool
	leaves runtime.LeafCache[leaf]
	shapeless

	mu  sync.Mutex
	yes view // memory of a byte that is 1; see always
}

// always returns memory of a guard that is always set.
func (e *executor) always() (view, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.yes.p == nil {
		p, err := e.pool.alloc(1)
		if err != nil {
			return view{}, err
		}
		if err := e.driver.Write(p.m, 0, []byte{1}); err != nil {
			p.release()
			return view{}, err
		}
		e.yes = view{p: p}
	}
	return e.yes, nil
}

// New returns an executor of the driver's device.
func New(d Driver) runtime.Executor {
	return &executor{driver: d, pool: pool{d: d}}
}

func (e *executor) Name() string { return e.driver.Name() }

// Available returns nil, or an error that says why the device cannot be used.
func (e *executor) Available() error { return e.driver.Available() }

func (e *executor) Description() string { return e.driver.Description() }

func (e *executor) Memory() runtime.Memory { return runtime.Memory(e.driver.Name()) }

// array returns an array of type t in device memory. Its elements are there after the mark.
func (e *executor) array(t core.ShapedArray, at view, mark Mark) *runtime.Array {
	return arrayOf(t, &buffer{e: e, at: at, bytes: bytesOf(t), mark: mark})
}

func arrayOf(t core.ShapedArray, b *buffer) *runtime.Array {
	b.at.p.users.Add(1)
	return runtime.MadeIn(t, b)
}

func bytesOf(t core.ShapedArray) int { return t.Size() * t.DType.Size() }

func (e *executor) fresh(t core.ShapedArray) (view, error) {
	p, err := e.pool.alloc(bytesOf(t))
	return view{p: p}, err
}

// receive returns device memory with the elements of an array in host memory. It also returns the mark of the upload if commands
// that follow have to join it, else 0. The caller holds the array, as package runtime holds arguments and captured arrays: even if
// the array is dead, no other call takes its memory.
func (e *executor) receive(a *runtime.Array) (view, Mark, error) {
	if u, ok := e.driver.(Uploader); ok && bytesOf(a.Aval()) > 0 {
		data := a.Tensor().Data
		p, m, err := e.pool.received(u, len(data), func(dst Memory, free Mark) (Mark, error) { return u.Upload(dst, data, free) })
		return view{p: p}, m, err
	}
	v, err := e.write(a)
	return v, 0, err
}

// placed is receive for an array in any memory. If the driver can copy from the device of the array, it does so;
// otherwise the array is copied through host memory.
func (e *executor) placed(ctx context.Context, a *runtime.Array) (view, Mark, error) {
	b, ok := a.Buffer().(*buffer)
	if p, is := e.driver.(Peer); is && ok && b.bytes > 0 && p.Reaches(b.e.driver) {
		b.at.p.users.Add(1) // no donation takes the memory before the copy is given
		defer b.at.p.users.Add(-1)
		mark := b.mark
		if b.upload > 0 {
			mark = b.upload
		}
		to, m, err := e.pool.received(p, b.bytes, func(dst Memory, free Mark) (Mark, error) {
			return p.CopyFrom(dst, free, b.e.driver, b.at.p.m, b.at.offset, b.bytes, mark, b.upload > 0)
		})
		goruntime.KeepAlive(b)
		return view{p: to}, m, err
	}
	h, err := runtime.Reference.Place(ctx, a)
	if err != nil {
		return view{}, 0, err
	}
	return e.receive(h)
}

// upload is receive for the commands that follow: they wait for the upload.
func (e *executor) upload(a *runtime.Array) (view, error) {
	v, m, err := e.receive(a)
	if err == nil && m > 0 {
		err = e.driver.(Uploader).Join(m)
	}
	return v, err
}

// write is upload by a copy in the order of commands.
func (e *executor) write(a *runtime.Array) (view, error) {
	v, err := e.fresh(a.Aval())
	if err != nil {
		return v, err
	}
	if data := a.Tensor().Data; len(data) > 0 {
		err = e.driver.Write(v.p.m, 0, data)
	}
	return v, err
}

// Place copies an array to the device, unless it is there already.
func (e *executor) Place(ctx context.Context, a *runtime.Array) (*runtime.Array, error) {
	if b, ok := a.Buffer().(*buffer); ok && b.e == e {
		return a, nil
	}
	v, upload, err := e.placed(ctx, a)
	if err != nil {
		return nil, err
	}
	e.pool.describe(v.p.block, &origin{t: a.Aval()})
	b := &buffer{e: e, at: v, bytes: bytesOf(a.Aval()), upload: upload}
	if upload == 0 {
		if b.mark, err = e.mark(); err != nil {
			return nil, err
		}
	}
	return arrayOf(a.Aval(), b), nil
}

// mark returns a mark after the commands given so far.
func (e *executor) mark() (Mark, error) {
	if err := e.driver.Enter(); err != nil {
		return 0, err
	}
	defer e.driver.Leave()
	return e.driver.Mark()
}

// at returns the memory of an array on the device, or of a copy of it, for the commands that follow.
func (e *executor) at(ctx context.Context, a *runtime.Array) (view, error) {
	if b, ok := a.Buffer().(*buffer); ok && b.e == e {
		return b.use()
	}
	h, err := runtime.Reference.Place(ctx, a)
	if err != nil {
		return view{}, err
	}
	v, err := e.upload(h)
	if err != nil {
		return view{}, err
	}
	v.p.users.Add(1)
	return v, nil
}

func (e *executor) Compile(r *runtime.Request) (runtime.Executable, error) {
	if err := e.Available(); err != nil {
		return nil, err
	}
	var plan *fuse.Plan
	legalized := *r
	err := core.Catch(func() {
		runtime.RefuseLarge(r.Jaxpr)
		legalized.Jaxpr = legalize.Program(r.Jaxpr)
		plan = e.translate(&legalized)
	})
	if err != nil {
		return nil, err
	}
	return newProgram(e, &legalized, plan, false, false)
}

// machine describes the device to the planners. It is the zero Device if the driver does not describe it or the device
// is not available.
func (e *executor) machine() schedule.Device {
	d, ok := e.driver.(Measurer)
	if !ok || e.Available() != nil {
		return schedule.Device{}
	}
	return d.Machine()
}

// PlanOf returns the plan of a program for a device of which nothing is known.
func PlanOf(j *jaxpr.Jaxpr) *fuse.Plan { return PlanOn(schedule.Device{}, j) }

// PlanOn returns the plan of a program for a device.
func PlanOn(d schedule.Device, j *jaxpr.Jaxpr) *fuse.Plan { return planOf(legalize.Program(j), d) }

// PlanText returns a plan as text. For an equation that devices run as kernels of its own it
// contains their number, for others the reason why the reference executor runs them.
func PlanText(plan *fuse.Plan) string {
	b := newBuilder(nil, nil)
	return plan.Text(func(c *fuse.Call) string {
		if t, ok := b.equation(c).(sequenceTask); ok {
			return "on the device, " + core.Count(len(t.sequence.Work), "kernel")
		}
		return "on the host, " + schedule.WhyOnHost(c)
	})
}

// leaf is the code of an eager operation: a program, or the error of compiling it. Both are
// nil if the reference executor runs the operation.
type leaf struct {
	program *program
	err     error
}

// Leaf returns code for an operation on arrays of the device, nil if the reference executor
// runs it.
func (e *executor) Leaf(p core.Primitive, in, out []core.ShapedArray) runtime.Leaf {
	if !reflect.TypeOf(p).Comparable() || len(jaxpr.Programs(p)) > 0 || core.EffectsOf(p) != 0 {
		return nil
	}
	if l := renamed(p, in, out); l != nil {
		return l
	}
	if l := e.anyShape(p, in, out); l != nil {
		return l
	}
	return e.byShape(p, in, out)
}

// oneShape returns code for an operation on arrays of these shapes, nil if the reference executor runs it. If unsized is true, operations
// on arrays of other shapes share its kernels.
func (e *executor) oneShape(p core.Primitive, in []core.ShapedArray, unsized bool) runtime.Leaf {
	leaves := &e.leaves
	if unsized {
		leaves = &e.unsized
	}
	l := leaves.Get(p, runtime.TypesText(in), func() (leaf, bool) {
		l := e.leaf(p, in, unsized)
		return l, l.err == nil // errors are not remembered: the driver may work again
	})
	if l == (leaf{}) {
		return nil
	}
	return func(ctx context.Context, _ core.Primitive, in []*runtime.Array, _ []core.ShapedArray, outs []*runtime.Array) error {
		if l.err != nil {
			return l.err
		}
		return l.program.Run(ctx, in, outs)
	}
}

func (e *executor) leaf(p core.Primitive, in []core.ShapedArray, unsized bool) leaf {
	if err := e.Available(); err != nil { // which opens the device
		return leaf{err: err}
	}
	r := runtime.LeafRequest(p, in)
	r.Jaxpr = legalize.Program(r.Jaxpr)
	plan := planOf(r.Jaxpr, e.machine())
	if newBuilder(e, r).fallsBack(plan) {
		return leaf{}
	}
	prog, err := newProgram(e, r, plan, true, unsized)
	return leaf{prog, err}
}
