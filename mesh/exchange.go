package mesh

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

// exchange is a step of a program: it returns the rows that come from other processes.
func exchange(ctx context.Context, e transforms.Exchange, x core.Value, result core.ShapedArray) core.Value {
	in := x.(*runtime.Array).Tensor().Data
	y := runtime.New(result)
	out := y.Tensor().Data
	job.Lock()
	defer job.Unlock()
	if err := communicate(ctx, func(ctx context.Context) error {
		switch e.Kind {
		case transforms.Exchanging:
			return job.t.Exchange(ctx, e.Group, in, out)
		case transforms.Permuting:
			return job.t.Permute(ctx, e.To, e.From, in, out)
		}
		return job.t.Gather(ctx, e.Group, in, out)
	}); err != nil {
		core.FailOp(core.ErrDevice, "ShardMap", nil, "the processes cannot %s %v along %q: %v; start the job again from a checkpoint", e.Kind, x.Aval(), e.Axis, err)
	}
	return y
}

// communicate calls f with a context that ends when the others are too late. The caller has locked
// the job.
func communicate(ctx context.Context, f func(ctx context.Context) error) error {
	if job.t == nil {
		return fmt.Errorf("the process has left its job; compute before leaving")
	}
	if job.limit > 0 {
		var done func()
		ctx, done = context.WithTimeoutCause(ctx, job.limit, lateError(job.limit))
		defer done()
	}
	return f(ctx)
}

// lateError is the reason for the end of a wait.
type lateError time.Duration

func (e lateError) Error() string {
	return fmt.Sprintf("nothing came within %v; look at these, or raise mesh.Limit", time.Duration(e))
}

// everyone returns what all processes pass to it, as many bytes each, in the order of their ranks.
func everyone(ctx context.Context, b []byte) ([]byte, error) {
	job.Lock()
	defer job.Unlock()
	if job.t == nil {
		return b, nil
	}
	return all(ctx, b)
}

// all is everyone for a caller that has locked the job.
func all(ctx context.Context, b []byte) (out []byte, err error) {
	_, size := job.t.Rank()
	group := make([]int, size)
	for i := range group {
		group[i] = i
	}
	out = make([]byte, size*len(b))
	return out, communicate(ctx, func(ctx context.Context) error { return job.t.Gather(ctx, group, b, out) })
}

// headerBytes is what processes compare before each run of a program: its number and the
// program's digest.
const headerBytes = 32

// begin begins a run of a program that communicates. Processes that run different ones learn where
// these part.
func begin(ctx context.Context, program string) {
	job.Lock()
	defer job.Unlock()
	fail := func(format string, args ...any) {
		core.FailOp(core.ErrDevice, "ShardMap", nil, format, args...)
	}
	job.number++
	digest := sha256.Sum256([]byte(program))
	own := append(binary.LittleEndian.AppendUint64(nil, job.number), digest[:headerBytes-8]...)
	heads, err := all(ctx, own)
	if err != nil {
		fail("run %d of the job's programs cannot begin: %v; start the job again from a checkpoint", job.number, err)
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
		fail("processes run different programs in run %d: %v; run the same program in each", job.number, err)
	}
	for k, text := range texts {
		if text != program {
			line, there, here := parting(text, program)
			fail("processes run different programs: run %d of process %d is another one, where line %d is %q, and %q here; run the same program in each", job.number, k, line, there, here)
		}
	}
	for k := range texts {
		if n := binary.LittleEndian.Uint64(heads[k*headerBytes:]); n != job.number {
			fail("processes run different programs: process %d is at its run %d, this one at run %d; run the same program in each", k, n, job.number)
		}
	}
}

// allTexts returns the texts of all processes. The caller has locked the job.
func allTexts(ctx context.Context, own string) ([]string, error) {
	sizes, err := all(ctx, binary.LittleEndian.AppendUint64(nil, uint64(len(own))))
	if err != nil {
		return nil, err
	}
	most := uint64(0)
	for i := 0; i < len(sizes); i += 8 {
		most = max(most, binary.LittleEndian.Uint64(sizes[i:]))
	}
	padded := make([]byte, most)
	copy(padded, own)
	got, err := all(ctx, padded)
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

// parting returns the first line at which two texts differ.
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
