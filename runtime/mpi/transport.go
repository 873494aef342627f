package mpi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"
	"unsafe"
)

// A Transport is a process's part in an MPI job. It has the methods of mesh.Transport.
type Transport struct {
	lib        *library // nil in a process that is alone
	rank, size int
	end        chan struct{} // closed when MPI is to be finalized
	ended      chan error

	mu     sync.Mutex
	broken error // the error of an earlier exchange, whose requests may still be active
	closed bool
	e      *exchange
	mapped [][]byte // memory of boxes
}

// Open loads the MPI library and makes the process one of the job that a launcher has started. MPI can
// be opened only once in a process. A process that no launcher has started is a job of its own, for which no
// library is loaded unless the environment variable WEFT_MPI names one.
func Open() (*Transport, error) {
	if !launched() && os.Getenv(Variable) == "" {
		t := &Transport{size: 1, end: make(chan struct{}), ended: make(chan error, 1), e: newExchange(nil, 1)}
		t.ended <- nil
		return t, nil
	}
	l, err := find()
	if err != nil {
		return nil, err
	}
	return begin(l)
}

// begin initializes MPI on a thread that is kept: MPI demands that the same thread finalizes it.
func begin(l *library) (*Transport, error) {
	t := &Transport{lib: l, end: make(chan struct{}), ended: make(chan error, 1)}
	begun := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := t.begin()
		begun <- err
		if err != nil {
			return
		}
		<-t.end
		err = l.call(mpiFinalize)
		l.ended()
		t.ended <- err
	}()
	if err := <-begun; err != nil {
		return nil, err
	}
	if _, n := started(); n > 1 && t.size == 1 {
		close(t.end)
		return nil, errors.Join(fmt.Errorf("mpi: the launcher has started %d processes, but each is alone in %s (%s): the launcher is another MPI's; start the program with that library's mpiexec, or let %s name the launcher's library", n, l.file, l.version, Variable), <-t.ended)
	}
	if err := t.share(); err != nil {
		t.broken = err
		return nil, t.Close(err)
	}
	l.begun()
	return t, nil
}

func (t *Transport) begin() error {
	l := t.lib
	var flag, granted, rank, size int32
	if err := l.call(mpiInitialized, uintptr(unsafe.Pointer(&flag))); err != nil {
		return err
	}
	if flag != 0 {
		return errors.New("mpi: MPI has been initialized in this process before; open it once")
	}
	if err := l.call(mpiInitThread, 0, 0, uintptr(l.abi.serialized), uintptr(unsafe.Pointer(&granted))); err != nil {
		return err
	}
	if granted < l.abi.serialized {
		return fmt.Errorf("mpi: %s allows calls of its first thread only (level %d, want %d); install one that was built with threads", l.file, granted, l.abi.serialized)
	}
	if err := l.call(mpiCommSetErrhandler, l.world, l.errorsReturn); err != nil {
		return err
	}
	if err := l.call(mpiCommRank, l.world, uintptr(unsafe.Pointer(&rank))); err != nil {
		return err
	}
	if err := l.call(mpiCommSize, l.world, uintptr(unsafe.Pointer(&size))); err != nil {
		return err
	}
	if rank < 0 || rank >= size {
		return fmt.Errorf("mpi: %s has rank %d of %d; another ABI than %s was expected of it", l.file, rank, size, l.abi.name)
	}
	t.rank, t.size = int(rank), int(size)
	t.e = newExchange(l, t.size)
	return nil
}

// Rank returns the number of this process, and the number of processes.
func (t *Transport) Rank() (rank, size int) { return t.rank, t.size }

// Gather sends the bytes `in` to every process of the group, and puts what each of them sent into out.
func (t *Transport) Gather(ctx context.Context, group []int, in, out []byte) error {
	return t.swap(ctx, gathered, func(e *exchange) error {
		n := len(in)
		own, err := t.check(group, n, len(out))
		if err != nil {
			return err
		}
		copy(out[own*n:], in)
		for i, k := range group {
			if i != own {
				e.receive(k, out[i*n:(i+1)*n])
			}
		}
		for i := range group { // begin with the next rank, so that not all send to the same process
			if k := group[(own+i)%len(group)]; i > 0 {
				e.sends(k, in)
			}
		}
		return nil
	})
}

// Exchange sends part i of the bytes `in` to process group[i], and puts the parts for this process into out.
func (t *Transport) Exchange(ctx context.Context, group []int, in, out []byte) error {
	return t.swap(ctx, exchanged, func(e *exchange) error {
		n := len(in) / max(len(group), 1)
		own, err := t.check(group, n, len(out))
		if err == nil && len(in) != len(out) {
			err = fmt.Errorf("%d bytes are sent and %d received; exchange as many in a group of %d", len(in), len(out), len(group))
		}
		if err != nil {
			return err
		}
		copy(out[own*n:(own+1)*n], in[own*n:])
		for i, k := range group {
			if i != own {
				e.receive(k, out[i*n:(i+1)*n])
			}
		}
		for i := range group {
			if j := (own + i) % len(group); i > 0 {
				e.sends(group[j], in[j*n:(j+1)*n])
			}
		}
		return nil
	})
}

// Permute sends the bytes `in` to the process `to`, and puts what the process `from` sends into out. If `to` is
// -1 nothing is sent; if `from` is -1 nothing is received.
func (t *Transport) Permute(ctx context.Context, to, from int, in, out []byte) error {
	return t.swap(ctx, permuted, func(e *exchange) error {
		if to < -1 || to >= t.size || from < -1 || from >= t.size || (to == t.rank) != (from == t.rank) {
			return fmt.Errorf("process %d of %d cannot send to %d and receive from %d; name ranks, or -1", t.rank, t.size, to, from)
		}
		if to == t.rank {
			if len(in) != len(out) {
				return fmt.Errorf("process %d sends itself %d bytes and receives %d; exchange as many", t.rank, len(in), len(out))
			}
			copy(out, in)
			return nil
		}
		if from >= 0 {
			e.receive(from, out)
		}
		if to >= 0 {
			e.sends(to, in)
		}
		return nil
	})
}

// check returns the position of the process in group, whose members contribute n bytes each to a
// result of out bytes.
func (t *Transport) check(group []int, n, out int) (own int, err error) {
	for i, k := range group {
		if k < 0 || k >= t.size || i > 0 && k <= group[i-1] {
			return 0, fmt.Errorf("the group %v is not of ascending ranks below %d; sort it", group, t.size)
		}
	}
	own = slices.Index(group, t.rank)
	if own < 0 {
		return 0, fmt.Errorf("the group %v lacks process %d; let those call that belong to it", group, t.rank)
	}
	if out != n*len(group) {
		return 0, fmt.Errorf("the result has %d bytes (want %d·%d); make it as long as the pieces", out, n, len(group))
	}
	return own, nil
}

// swap runs the exchange that fill describes, all of it on one thread.
func (t *Transport) swap(ctx context.Context, kind byte, fill func(e *exchange) error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return errors.New("mpi: the process has left the job, whose mesh.Run has ended; compute all of the job within one mesh.Run")
	case t.broken != nil:
		return fmt.Errorf("mpi: an earlier exchange has failed: %w", t.broken)
	}
	if t.lib == nil && ctx.Err() != nil { // nothing is waited for
		return fmt.Errorf("mpi: %w", context.Cause(ctx))
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	t.e.begin(kind)
	if err := fill(t.e); err != nil {
		return fmt.Errorf("mpi: %w", err)
	}
	if err := t.e.run(ctx); err != nil {
		t.broken = err
		return err
	}
	t.e.pinned.Unpin()
	return nil
}

// Status is the exit status of a job that [Transport.Close] has ended because of an error.
const Status = 70

// Close waits until all processes of the job call it, and finalizes MPI. If cause is not nil, or an
// exchange has failed, it prints that error instead and ends the job, including this process. A
// process without a library goes on.
func (t *Transport) Close(cause error) error {
	if cause != nil {
		t.e.failing.Store(&cause) // an exchange that is under way does not wait for the others
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil
	}
	t.closed = true
	if cause == nil {
		cause = t.broken
	}
	if cause == nil {
		cause = t.meet(closing, func(int) (in, out []byte) { return nil, nil })
	}
	if cause != nil && t.lib != nil {
		t.abort(cause)
		return cause
	}
	close(t.end)
	err := <-t.ended
	for _, m := range t.mapped {
		unmap(m)
	}
	return err
}

// sharing makes processes of a machine exchange first messages through memory. Tests switch it off.
var sharing = true

// announced is the number of bytes in which a process announces its boxes.
const announced = 32

// share waits until every process of the job has begun, and finds the boxes of the processes of its machine.
func (t *Transport) share() error {
	var own *segment
	if sharing && t.size > 1 {
		if own = newSegment(t.size); own != nil {
			defer own.closeFile()
			t.mapped = append(t.mapped, own.memory)
		}
	}
	places := make([]byte, t.size*announced)
	there := make([]byte, 2*t.size) // for each k: 1 if this process has found its box at process k, and 1 if k has found its box here
	if err := t.meet(beginning, func(k int) (in, out []byte) { return own.announcement(), places[k*announced : (k+1)*announced] }); err != nil {
		return err
	}
	boxes := make([][]byte, t.size)
	for k := range t.size {
		if k != t.rank && own != nil {
			if boxes[k] = boxOf(places[k*announced:(k+1)*announced], t.rank, t.size); boxes[k] != nil {
				there[2*k] = 1
				t.mapped = append(t.mapped, boxes[k])
			}
		}
	}
	if err := t.meet(beginning, func(k int) (in, out []byte) { return there[2*k : 2*k+1], there[2*k+1 : 2*k+2] }); err != nil {
		return err
	}
	for k, memory := range boxes {
		t.e.outbox[k].memory = memory
		if there[2*k+1] == 1 {
			t.e.inbox[k].memory = own.memory[k*boxBytes : (k+1)*boxBytes]
		}
	}
	return nil
}

// meet exchanges bytes with every other process of the job. kind is beginning or closing.
func (t *Transport) meet(kind byte, with func(rank int) (in, out []byte)) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	t.e.begin(kind)
	for k := range t.size {
		if k != t.rank {
			in, out := with(k)
			t.e.receive(k, out)
			t.e.sends(k, in)
		}
	}
	return t.e.run(context.Background())
}

var exit = os.Exit

// flush is the time that abort leaves the launcher to pass on what the process has printed.
const flush = 50 * time.Millisecond

// abort ends the job. The launcher ends the other processes.
func (t *Transport) abort(cause error) {
	fmt.Fprintf(os.Stderr, "process %d of %d has failed: %v\n", t.rank, t.size, cause)
	nap(flush)
	t.lib.call(mpiAbort, t.lib.world, Status)
	exit(Status)
}
