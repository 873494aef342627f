package mesh

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// exchange starts the exchange e of x between processes. wait waits for its end and returns the
// result.
func exchange(ctx context.Context, e transforms.Exchange, x core.Value, result core.ShapedArray) (wait func() core.Value) {
	in := x.(*runtime.Array).Tensor().Data
	made := runtime.NewUncleared
	if e.Kind == transforms.Permuting && e.From < 0 {
		made = runtime.New // nothing is received: the result is zeros
	}
	y := made(result)
	out := y.Tensor().Data
	var s *step
	switch e.Kind {
	case transforms.Summing:
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
	case transforms.Exchanging:
		s = communicate(ctx, func(ctx context.Context, t Transport) error { return t.Exchange(ctx, e.Group, in, out) })
	case transforms.Permuting:
		s = communicate(ctx, func(ctx context.Context, t Transport) error { return t.Permute(ctx, e.To, e.From, in, out) })
	default:
		s = communicate(ctx, func(ctx context.Context, t Transport) error { return t.Gather(ctx, e.Group, in, out) })
	}
	return func() core.Value {
		if err := s.wait(); err != nil {
			core.FailOp(core.ErrDevice, "ShardMap", nil, "the processes cannot %s %v along %q: %v; start the job again from a checkpoint", e.Kind, x.Aval(), e.Axis, err)
		}
		return y
	}
}

// sums are the programs that add up rows, by the type of the rows and the executor.
var sums sync.Map

type sumKey struct {
	rows core.ShapedArray
	on   runtime.Executor
}

// sumOfRows adds up rows that have arrived, while the device computes something else.
func sumOfRows(ctx context.Context, rows *runtime.Array) (*runtime.Array, error) {
	e := runtime.Default()
	if e.Memory() != runtime.Host {
		e = runtime.Reference
	}
	key := sumKey{rows.Aval(), e}
	c, ok := sums.Load(key)
	if !ok {
		j := trace.Stage("sum", []core.ShapedArray{key.rows}, func(in []core.Value) []core.Value { return []core.Value{transforms.SumOfRows(in[0])} })
		compiled, err := runtime.Compile(e, &runtime.Request{Jaxpr: j, Label: "ShardMap"})
		if err != nil {
			return nil, err
		}
		c, _ = sums.LoadOrStore(key, compiled)
	}
	out, err := c.(*runtime.Compiled).Run(ctx, []*runtime.Array{rows})
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// A step is a call of the transport.
type step struct {
	ended chan struct{} // closed at its end
	err   error         // its own, or that of a step before
}

func (s *step) wait() error {
	<-s.ended
	return s.err
}

// communicate calls f when the steps before it have ended, with a context that ends when the other
// processes are too late. After one that has failed f is not called.
func communicate(ctx context.Context, f func(ctx context.Context, t Transport) error) *step {
	job.Lock()
	defer job.Unlock()
	s := &step{ended: make(chan struct{})}
	t, limit, before := job.t, job.limit, job.last
	if t == nil {
		s.err = fmt.Errorf("the process has left its job; compute before leaving")
		close(s.ended)
		return s
	}
	job.last = s
	go func() {
		defer close(s.ended)
		if before != nil {
			if s.err = before.wait(); s.err != nil {
				return
			}
		}
		if limit > 0 {
			var stop func()
			ctx, stop = context.WithTimeoutCause(ctx, limit, lateError(limit))
			defer stop()
		}
		s.err = f(ctx, t)
	}()
	return s
}

// lateError is the cause of the end of a wait: no other process came within this time.
type lateError time.Duration

func (e lateError) Error() string {
	return fmt.Sprintf("nothing came within %v; look at these, or raise mesh.Limit", time.Duration(e))
}

// everyone returns what all processes pass to it, as many bytes each, in the order of their ranks.
func everyone(ctx context.Context, b []byte) ([]byte, error) {
	_, size := jobSize()
	if size == 1 {
		return b, nil
	}
	group := make([]int, size)
	for i := range group {
		group[i] = i
	}
	out := make([]byte, size*len(b))
	return out, communicate(ctx, func(ctx context.Context, t Transport) error { return t.Gather(ctx, group, b, out) }).wait()
}

// headerBytes is the number of bytes that processes compare before each run of a program: the run's
// number, and the beginning of the program's digest.
const headerBytes = transforms.HeaderBytes

// begin begins a run of a program that communicates. It fails if processes run different programs,
// with the first line that differs, or are at different runs.
func begin(ctx context.Context, program string) {
	fail := func(format string, args ...any) {
		core.FailOp(core.ErrDevice, "ShardMap", nil, format, args...)
	}
	job.Lock()
	job.number++
	number := job.number
	job.Unlock()
	digest := sha256.Sum256([]byte(program))
	own := append(binary.LittleEndian.AppendUint64(nil, number), digest[:headerBytes-8]...)
	heads, err := everyone(ctx, own)
	if err != nil {
		fail("run %d of the job's programs cannot begin: %v; start the job again from a checkpoint", number, err)
	}
	same := true
	for i := 0; i < len(heads); i += headerBytes {
		same = same && string(heads[i:i+headerBytes]) == string(own)
	}
	if same {
		return
	}
	texts, err := allTexts(ctx, program)
	if err != nil {
		fail("processes run different programs in run %d: %v; run the same program in each", number, err)
	}
	for k, text := range texts {
		if text != program {
			line, there, here := parting(text, program)
			fail("processes run different programs: run %d of process %d is another one, where line %d is %q, and %q here; run the same program in each", number, k, line, there, here)
		}
	}
	for k := range texts {
		if n := binary.LittleEndian.Uint64(heads[k*headerBytes:]); n != number {
			fail("processes run different programs: process %d is at its run %d, this one at run %d; run the same program in each", k, n, number)
		}
	}
}

// allTexts returns the texts of all processes.
func allTexts(ctx context.Context, own string) ([]string, error) {
	sizes, err := everyone(ctx, binary.LittleEndian.AppendUint64(nil, uint64(len(own))))
	if err != nil {
		return nil, err
	}
	most := uint64(0)
	for i := 0; i < len(sizes); i += 8 {
		most = max(most, binary.LittleEndian.Uint64(sizes[i:]))
	}
	padded := make([]byte, most)
	copy(padded, own)
	got, err := everyone(ctx, padded)
	if err != nil {
		return nil, err
	}
	var texts []string
	for i := range len(sizes) / 8 {
		at := uint64(i) * most
		texts = append(texts, string(got[at:at+binary.LittleEndian.Uint64(sizes[8*i:])]))
	}
	return texts, nil
}

// parting returns the first line at which two texts differ, 0 if they are equal.
func parting(a, b string) (line int, inA, inB string) {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(as), len(bs)) {
		inA, inB = "", ""
		if i < len(as) {
			inA = strings.TrimSpace(as[i])
		}
		if i < len(bs) {
			inB = strings.TrimSpace(bs[i])
		}
		if inA != inB {
			return i + 1, inA, inB
		}
	}
	return 0, "", ""
}
