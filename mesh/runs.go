package mesh

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/transforms"
	"github.com/weft-go/weft/transforms/exchange"
)

// The processes of a job begin the same runs in the same order. Each run begins with an exchange in which
// they compare its number and its program, and all that they send each other is part of a run. What could
// change the order in one of the processes is refused: a run that another goroutine begins, and every run
// after one that an error has ended early. A refusal ends the job.

type runs struct {
	t     Transport
	all   []int   // ranks
	owner uintptr // the goroutine that begins them: the one that has joined the job

	mu     sync.Mutex
	number uint64          // of runs so far
	during context.Context // of the run that has begun and not ended; nil for none
	failed error           // the first failure, after which no run begins
	closed bool            // whether the transport is closed
}

// A program is the text of what a run executes, with its digest.
type program struct {
	text   string
	digest [sha256.Size]byte
}

func newProgram(text string) program { return program{text, sha256.Sum256([]byte(text))} }

// headerBytes is the number of bytes that processes compare before each run of a program: the run's
// number, and the beginning of the program's digest.
const headerBytes = exchange.HeaderBytes

// begin begins a run of a program. If follows is set, the run before has not ended, and ends now. It fails
// if processes run different programs, with the first line that differs, or are at different runs.
func (r *runs) begin(ctx context.Context, p program, follows bool) error {
	number, err := r.enter(ctx, follows)
	if err != nil {
		return r.refuse(err)
	}
	own := append(binary.LittleEndian.AppendUint64(make([]byte, 0, headerBytes), number), p.digest[:headerBytes-8]...)
	heads, err := r.toAll(ctx, own)
	if err != nil {
		return fmt.Errorf("run %d of the job's programs cannot begin: %w; start the job again from a checkpoint", number, err)
	}
	for i := 0; i < len(heads); i += headerBytes {
		if string(heads[i:i+headerBytes]) != string(own) {
			return r.fail(r.parted(ctx, number, p.text, heads))
		}
	}
	return nil
}

// enter counts a run, unless it must not begin.
func (r *runs) enter(ctx context.Context, follows bool) (number uint64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.failed != nil:
		return 0, fmt.Errorf("the process has failed in its job: %w; return such errors from the function of mesh.Run", r.failed)
	case r.closed:
		return 0, errors.New("the program was compiled in a mesh.Run that has ended; compile it where it runs")
	case core.Goroutine() != r.owner:
		return 0, fmt.Errorf("run %d of the job's programs is begun by another goroutine than the one that has called mesh.Run, so that other processes could begin it in another order; call functions over meshes from that goroutine alone, and send it what others compute", r.number+1)
	case r.during != nil && !follows:
		return 0, r.unfinished()
	}
	r.number++
	r.during = ctx
	return r.number, nil
}

// unfinished returns the error of a run that has begun and not ended.
func (r *runs) unfinished() error {
	if cause := context.Cause(r.during); cause != nil {
		return fmt.Errorf("run %d of the job's programs has ended in this process while it exchanges: %w; return such errors from the function of mesh.Run", r.number, cause)
	}
	return fmt.Errorf("run %d of the job's programs has not ended in this process: an error has ended it while it exchanges, or a Go function that it calls begins another run; return such errors from the function of mesh.Run, and call functions over meshes outside of others", r.number)
}

func (r *runs) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.during = nil
}

// fail notes a failure, and returns the first one.
func (r *runs) fail(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed == nil {
		r.failed = err
	}
	return r.failed
}

func (r *runs) failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// refuse ends the job because of a run that must not begin.
func (r *runs) refuse(err error) error {
	r.close(r.fail(err))
	return err
}

// close closes the transport once.
func (r *runs) close(cause error) error {
	r.mu.Lock()
	closed := r.closed
	r.closed = true
	r.mu.Unlock()
	if closed {
		return nil
	}
	return attempt(func() error { return r.t.Close(cause) })
}

// leave ends the process's part in the job, because of cause unless that is nil. If cause is nil and a
// run has failed, the failure is the cause, and leave returns it.
func (r *runs) leave(cause error) error {
	if cause != nil {
		return r.close(cause)
	}
	r.mu.Lock()
	if r.failed == nil && r.during != nil {
		r.failed = r.unfinished()
	}
	failed := r.failed
	r.mu.Unlock()
	err := r.close(failed)
	if errors.Is(err, failed) {
		return err
	}
	return errors.Join(failed, err)
}

// everyone is a run of its own. It returns the bytes that all processes pass to it, in the order of
// their ranks; all must pass the same number.
func everyone(ctx context.Context, b []byte) ([]byte, error) {
	job.Lock()
	r := job.runs
	job.Unlock()
	if r == nil || len(r.all) == 1 {
		return b, nil
	}
	if err := r.begin(ctx, aside, false); err != nil {
		return nil, err
	}
	out, err := r.toAll(ctx, b)
	if err == nil {
		r.end()
	}
	return out, err
}

// aside is the program of what processes tell each other when they save and load.
var aside = newProgram("mesh.Save or mesh.Load")

// toAll is [everyone] as a step of a run that has begun.
func (r *runs) toAll(ctx context.Context, b []byte) ([]byte, error) {
	out := make([]byte, len(r.all)*len(b))
	return out, communicate(ctx, func(ctx context.Context, t Transport) error { return t.Gather(ctx, r.all, b, out) }).wait()
}

// parted returns the error of processes that begin different runs.
func (r *runs) parted(ctx context.Context, number uint64, own string, heads []byte) error {
	texts, err := textsOf(ctx, r.toAll, own)
	if err != nil {
		return fmt.Errorf("processes run different programs in run %d: %w; run the same program in each", number, err)
	}
	for k, text := range texts {
		if text != own {
			line, there, here := parting(text, own)
			return fmt.Errorf("processes run different programs: run %d of process %d is another one, where line %d is %q, and %q here; run the same program in each", number, k, line, there, here)
		}
	}
	for k := range texts {
		if n := binary.LittleEndian.Uint64(heads[k*headerBytes:]); n != number {
			return fmt.Errorf("processes run different programs: process %d is at its run %d, this one at run %d; run the same program in each", k, n, number)
		}
	}
	return fmt.Errorf("BUG: processes part in run %d, and their programs are equal", number)
}

func allTexts(ctx context.Context, own string) ([]string, error) { return textsOf(ctx, everyone, own) }

// textsOf returns the texts of all processes. tell is everyone or toAll.
func textsOf(ctx context.Context, tell func(ctx context.Context, b []byte) ([]byte, error), own string) ([]string, error) {
	sizes, err := tell(ctx, binary.LittleEndian.AppendUint64(nil, uint64(len(own))))
	if err != nil {
		return nil, err
	}
	most := uint64(0)
	for i := 0; i < len(sizes); i += 8 {
		most = max(most, binary.LittleEndian.Uint64(sizes[i:]))
	}
	padded := make([]byte, most)
	copy(padded, own)
	got, err := tell(ctx, padded)
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

// hooks returns what programs call where their runs begin and end.
func (r *runs) hooks() *transforms.Runs {
	return &transforms.Runs{
		Begin: func(text string) func(ctx context.Context, follows bool) {
			p := newProgram(text)
			return func(ctx context.Context, follows bool) {
				if err := r.begin(ctx, p, follows); err != nil {
					fail("the processes cannot begin", err)
				}
			}
		},
		End: r.end,
	}
}
