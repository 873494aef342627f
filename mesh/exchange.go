package mesh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
	"github.com/weft-go/weft/transforms/exchange"
)

// start starts the exchange e of x between processes. wait waits for its end and returns the
// result.
func start(ctx context.Context, e exchange.Exchange, x core.Value, result core.ShapedArray) (wait func() core.Value) {
	in := x.(*runtime.Array).Tensor().Data
	made := runtime.NewUncleared
	if e.Kind == exchange.Permuting && e.From < 0 {
		made = runtime.New // nothing is received: the result is zeros
	}
	y := made(result)
	out := y.Tensor().Data
	var s *step
	switch e.Kind {
	case exchange.Summing:
		rows := runtime.NewUncleared(x.Aval())
		communicate(ctx, func(ctx context.Context, t Transport) error {
			return t.Exchange(ctx, e.Group, in, rows.Tensor().Data)
		})
		s = communicate(ctx, func(ctx context.Context, t Transport) error {
			sum, err := sumOfRows(ctx, rows)
			if err != nil {
				return err
			}
			return t.Gather(ctx, e.Group, sum.Tensor().Data, out)
		})
	case exchange.Exchanging:
		s = communicate(ctx, func(ctx context.Context, t Transport) error { return t.Exchange(ctx, e.Group, in, out) })
	case exchange.Permuting:
		s = communicate(ctx, func(ctx context.Context, t Transport) error { return t.Permute(ctx, e.To, e.From, in, out) })
	default:
		if len(in) == headerBytes { // not by Gather: another process could take that for the beginning of a run
			copies := bytes.Repeat(in, len(e.Group))
			s = communicate(ctx, func(ctx context.Context, t Transport) error { return t.Exchange(ctx, e.Group, copies, out) })
			break
		}
		s = communicate(ctx, func(ctx context.Context, t Transport) error { return t.Gather(ctx, e.Group, in, out) })
	}
	return func() core.Value {
		if err := s.wait(); err != nil {
			fail(fmt.Sprintf("the processes cannot %s %v along %q, start the job again from a checkpoint", e.Kind, x.Aval(), e.Axis), err)
		}
		return y
	}
}

// fail panics with an error that wraps err, an error of the job.
func fail(what string, err error) {
	panic(&core.Error{Kind: core.ErrDevice, Op: "ShardMap", Pos: core.HerePos(), Msg: what, Err: err})
}

// sums are the programs that add up rows, by the type of the rows and the executor.
var sums = struct {
	sync.Mutex
	programs map[sumKey]*runtime.Compiled
}{programs: map[sumKey]*runtime.Compiled{}}

// mostSums bounds the programs that are kept: more types than a step of training has.
const mostSums = 1024

type sumKey struct {
	rows core.ShapedArray
	on   runtime.Executor
}

// sumOfRows adds up rows that have arrived in host memory.
func sumOfRows(ctx context.Context, rows *runtime.Array) (*runtime.Array, error) {
	e := runtime.Default()
	if e.Memory() != runtime.Host {
		e = runtime.Reference
	}
	key := sumKey{rows.Aval(), e}
	sums.Lock()
	c := sums.programs[key]
	sums.Unlock()
	if c == nil {
		j := trace.Stage("sum", []core.ShapedArray{key.rows}, func(in []core.Value) []core.Value { return []core.Value{transforms.SumOfRows(in[0])} })
		var err error
		if c, err = runtime.Compile(e, &runtime.Request{Jaxpr: j, Label: "ShardMap"}); err != nil {
			return nil, err
		}
		sums.Lock()
		if len(sums.programs) >= mostSums {
			clear(sums.programs)
		}
		sums.programs[key] = c
		sums.Unlock()
	}
	out, err := c.Run(ctx, []*runtime.Array{rows})
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// A step is a call of the transport.
type step struct {
	ended chan struct{} // closed at its end
	err   error         // nil, or the first error of the job
}

func (s *step) wait() error {
	<-s.ended
	return s.err
}

// communicate calls f when the steps before it have ended, with a context that ends when the other
// processes are too late. If something has failed in the job, it does not call f.
func communicate(ctx context.Context, f func(ctx context.Context, t Transport) error) *step {
	job.Lock()
	defer job.Unlock()
	s := &step{ended: make(chan struct{})}
	t, r, limit, before := job.t, job.runs, job.limit, job.last
	if t == nil {
		s.err = errors.New("the process has left its job; compute before leaving")
		close(s.ended)
		return s
	}
	job.last = s
	go func() {
		defer close(s.ended)
		if before != nil {
			before.wait()
		}
		if s.err = r.failure(); s.err != nil {
			return
		}
		if limit > 0 {
			var stop func()
			ctx, stop = context.WithTimeoutCause(ctx, limit, lateError(limit))
			defer stop()
		}
		defer func() {
			if s.err != nil {
				s.err = r.fail(s.err)
			}
		}()
		s.err = errors.New("the transport has ended its goroutine; return an error instead")
		s.err = attempt(func() error { return f(ctx, t) })
	}()
	return s
}

// attempt calls f, which calls a transport, and returns its error. A panic becomes one.
func attempt(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}

// lateError is the cause with which a context ends when other processes have not answered within this time.
type lateError time.Duration

func (e lateError) Error() string {
	return fmt.Sprintf("nothing came within %v; look at these, or raise mesh.Limit", time.Duration(e))
}
