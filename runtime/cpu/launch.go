package cpu

import (
	"fmt"
	"unsafe"

	"github.com/weft-go/weft/lower/amd64"
	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// kernel is a kernel with its machine code.
type kernel struct {
	ir      *ir.Kernel
	code    *native.Code
	args    int     // number of arguments
	scratch int     // bytes that a thread needs beside the buffers
	each    float64 // nanoseconds for a point of the grid, about; 0: it depends on the symbols
}

// newKernel returns a kernel with its machine code, which is compiled if no equal kernel
// was. Its error is a *noCode.
func (e *executor) newKernel(k *ir.Kernel) (*kernel, error) {
	key := k.Key()
	if known := e.codes.get(key); known != nil {
		n := *known
		n.ir = k // the names are its own
		return &n, nil
	}
	n, err := e.compileKernel(k)
	if err == nil {
		e.codes.put(key, n)
	}
	return n, err
}

func (e *executor) compileKernel(k *ir.Kernel) (*kernel, error) {
	c, err := e.compile(k, amd64.Options{ISA: e.isa})
	if err != nil {
		return nil, &noCode{err.Error()}
	}
	code, err := native.Load(k.Name, c.Bytes)
	if err != nil {
		return nil, &noCode{err.Error()}
	}
	n := &kernel{ir: k, code: code, args: c.Args, scratch: c.Scratch}
	if !symbolicLoops(k.Body) {
		n.each = perPoint(k, nil)
	}
	return n, nil
}

// A call of machine code takes at most callTime; between calls Go may collect garbage
// and run other goroutines. Work below parallelTime stays on one thread.
const (
	callTime     = 100e3 // nanoseconds
	parallelTime = 30e3
)

// launch is a kernel with all that is known before its buffers are.
type launch struct {
	*kernel
	extents []int64 // of the grid
	points  int64   // of the grid
	chunk   int64   // points of one call
	threads int
}

// newLaunch prepares a kernel for certain values of its symbols.
func newLaunch(k *kernel, symbols []int64, threads int) launch {
	l := launch{kernel: k, points: 1, threads: 1}
	for _, d := range k.ir.Grid {
		n := max(0, d.Extent.In(symbols))
		l.extents = append(l.extents, n)
		l.points *= n
	}
	each := k.each
	if each == 0 {
		each = perPoint(k.ir, symbols)
	}
	each = max(each, 1)
	l.chunk = max(1, int64(callTime/each))
	total := each * float64(l.points)
	if threads > 1 && total > parallelTime && l.points > 1 {
		l.threads = threads
		// Four chunks a thread even out what the threads lose to others.
		l.chunk = max(1, min(l.chunk, (l.points+int64(4*threads)-1)/int64(4*threads)))
	}
	return l
}

// run runs the kernel on buffers at the given addresses. The caller keeps the buffers
// reachable. It returns the error of the context if that ends between two chunks.
func (l *launch) run(x *execution, buffers []uint64, symbols []int64) error {
	if l.points <= 0 {
		return nil
	}
	chunks := int((l.points + l.chunk - 1) / l.chunk)
	job := &x.space.job
	*job = launchJob{launch: l, buffers: buffers, symbols: symbols, execution: x}
	if l.threads > 1 && chunks > 1 {
		workers().Run(job, chunks)
		return x.ended()
	}
	job.Chunk(0, 0)
	for i := 1; i < chunks; i++ {
		if err := x.ended(); err != nil {
			return err
		}
		job.Chunk(i, 0)
	}
	return nil
}

// launchJob is one run of a launch, in chunks.
type launchJob struct {
	*launch
	*execution
	buffers []uint64
	symbols []int64
}

// Chunk runs points i·chunk and following, unless the context has ended.
func (j *launchJob) Chunk(i, worker int) {
	if i > 0 && j.launch.threads > 1 && j.ended() != nil {
		return
	}
	w := j.space.worker(worker, j.kernel.scratch)
	args := append(w.args[:0], w.scratchAddress())
	args = append(args, j.buffers...)
	for _, n := range j.symbols {
		args = append(args, uint64(n))
	}
	first := int64(i) * j.chunk
	at := len(args)
	rest := first
	for range j.extents {
		args = append(args, 0)
	}
	for d := len(j.extents) - 1; d >= 0; d-- {
		args[at+d] = uint64(rest % j.extents[d])
		rest /= j.extents[d]
	}
	args = append(args, uint64(min(j.chunk, j.points-first)))
	if len(args) != j.args {
		panic(fmt.Sprintf("BUG: kernel %s takes %d arguments, got %d", j.ir.Name, j.args, len(args)))
	}
	w.args = args
	w.call(j.code, args)
}

// space is the memory that one run of a program has beside its arrays.
type space struct {
	job     launchJob
	product productJob
	conv    convJob
	moving  moveJob
	workers []worker
}

// worker is what one thread has: the block of arguments and the kernel's scratch.
// Both lie on the heap, where nothing moves.
type worker struct {
	args    []uint64
	scratch []byte
	running *native.Code
	_       [64]byte
}

// call runs machine code.
func (w *worker) call(c *native.Code, args []uint64) {
	w.running = c
	c.Call(unsafe.Pointer(unsafe.SliceData(args)))
	w.running = nil
}

func newSpace(threads int) *space { return &space{workers: make([]worker, threads)} }

// worker returns thread i's memory with at least n bytes of scratch.
func (s *space) worker(i, n int) *worker {
	w := &s.workers[i]
	if len(w.scratch) < n+scratchAlign {
		w.scratch = make([]byte, n+scratchAlign)
	}
	if w.args == nil {
		w.args = make([]uint64, 0, 32)
	}
	return w
}

// scratchAlign is the alignment of scratch memory.
const scratchAlign = 64

func (w *worker) scratchAddress() uint64 {
	a := uintptr(unsafe.Pointer(unsafe.SliceData(w.scratch)))
	return uint64((a + scratchAlign - 1) &^ (scratchAlign - 1))
}
