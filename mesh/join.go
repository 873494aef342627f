package mesh

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/transforms"
)

// job is the job that the process has joined; t is nil if there is none.
var job struct {
	sync.Mutex
	t      Transport
	runs   *runs
	limit  time.Duration
	last   *step
	places bool // whether RunOn has set places
}

// jobSize returns the number of this process, and how many there are: 0 of 1 without a job.
func jobSize() (rank, size int) {
	job.Lock()
	defer job.Unlock()
	if job.t == nil {
		return 0, 1
	}
	return job.t.Rank()
}

func rank() int {
	k, _ := jobSize()
	return k
}

// Run makes the process one of a job, calls f, and ends the process's part. Within f, the goroutine that
// has called Run calls functions over meshes, Gather, Save and Load, since all processes begin these
// runs in one order. A run that another goroutine begins is refused and ends the job: let others compute
// operands, and send them to this one. What Put has cut before Run is used within it as well. The pieces
// of arrays that Put cuts within f lie in several processes, so these arrays end with f: bring them
// together with Gather or write them with Save before.
//
// If f panics or returns an error, a context's end included, the job ends with that reason in all
// processes. It also ends if f catches the error of a run that others have begun: the process is then no
// longer at the same run as the others. Later runs report that error, and so does Run.
func Run(t Transport, f func() error, opts ...JoinOption) (err error) {
	requireFunction("mesh.Run", f)
	leave := Join(t, opts...)
	returned := false
	defer func() {
		if returned {
			return
		}
		r := recover()
		if r == nil { // f ends its goroutine
			leave(errors.New("the goroutine of the process has ended; return from f instead"))
			return
		}
		leave(fmt.Errorf("%v", r))
		panic(r)
	}()
	err = f()
	returned = true
	return errors.Join(err, leave(err))
}

func requireFunction(op string, f func() error) {
	if f == nil {
		core.FailOp(core.ErrStatic, op, nil, "the function is nil; pass one that computes")
	}
}

// A JoinOption changes how a process takes part in a job.
type JoinOption interface{ join(*joinOptions) }

type joinOptions struct{ limit time.Duration }

type joinOption func(*joinOptions)

func (f joinOption) join(o *joinOptions) { f(o) }

// Limit sets how long the process waits for others in an exchange. When that time is over the job ends
// with an error that names those that are late. Without a limit a process waits until its context ends.
func Limit(d time.Duration) JoinOption {
	return joinOption(func(o *joinOptions) { o.limit = d })
}

// Join makes the process one of a job. All processes of the job run the same program; in ShardMap,
// each computes what the devices that are assigned to it compute. Arrays outside of ShardMap are
// whole in every process. Join is called once, before the first ShardMap.
//
// leave ends the process's part. If cause is not nil, the job ends: exchanges of the other
// processes fail with its text. See Run, which calls Join and leave.
func Join(t Transport, opts ...JoinOption) (leave func(cause error) error) {
	if v := reflect.ValueOf(t); t == nil || v.Kind() == reflect.Pointer && v.IsNil() {
		core.FailOp(core.ErrStatic, "mesh.Join", nil, "the transport is nil; pass one that connects the processes")
	}
	rank, size := t.Rank()
	if rank < 0 || rank >= size {
		core.FailOp(core.ErrStatic, "mesh.Join", nil, "the transport has rank %d of %d; number the processes from 0", rank, size)
	}
	job.Lock()
	defer job.Unlock()
	if job.places {
		core.FailOp(core.ErrStatic, "mesh.Join", nil, "the process runs meshes on devices of its own; leave mesh.RunOn first, or start a process for each device")
	}
	if job.t != nil {
		core.FailOp(core.ErrStatic, "mesh.Join", nil, "the process has joined a job already; leave that first")
	}
	var o joinOptions
	for _, opt := range opts {
		if opt == nil {
			core.FailOp(core.ErrStatic, "mesh.Join", nil, "an option is nil; leave it out")
		}
		opt.join(&o)
	}
	r := &runs{t: t, owner: core.Goroutine()}
	for k := range size {
		r.all = append(r.all, k)
	}
	job.t, job.runs, job.limit, job.last = t, r, o.limit, nil
	transforms.SetParts(func(axes []jaxpr.MeshAxis) []*transforms.Part { return partsOf(rank, size, axes) }, r.hooks())
	return func(cause error) error {
		job.Lock()
		defer job.Unlock()
		if job.runs == r {
			job.t, job.runs = nil, nil
			transforms.SetParts(nil, nil)
		}
		return r.leave(cause)
	}
}

// partsOf returns which part of each axis of a mesh the process, or place, with number rank of size runs; nil for axes
// that all of them run whole. The first axis is divided first.
func partsOf(rank, size int, axes []jaxpr.MeshAxis) []*transforms.Part {
	ways := make([]int, len(axes)) // along each axis
	left := size
	for i, a := range axes {
		ways[i] = gcd(a.Size, left)
		left /= ways[i]
	}
	if left > 1 && len(axes) == 0 {
		core.FailOp(core.ErrAxis, "mesh", nil, "a mesh without axes is one device, which cannot be divided among %d processes or places; give it an axis that they divide", size)
	}
	if left > 1 {
		core.FailOp(core.ErrAxis, "mesh", nil, "a mesh of %v cannot be divided evenly among %d processes or places; take a number of them that divides its axes", Mesh{ir: jaxpr.Mesh{Axes: axes}}, size)
	}
	parts := make([]*transforms.Part, len(axes))
	stride := size
	for i, a := range axes {
		stride /= ways[i]
		if ways[i] == 1 {
			continue
		}
		at := rank / stride % ways[i]
		group := make([]int, ways[i])
		for k := range group {
			group[k] = rank + (k-at)*stride
		}
		each := a.Size / ways[i]
		parts[i] = &transforms.Part{N: a.Size, Lo: at * each, Hi: (at + 1) * each, Axis: a.Name, Group: group, Start: start}
	}
	return parts
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
