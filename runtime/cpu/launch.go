package cpu

import (
	"fmt"
	"sync"
	"time"
	"unsafe"

	"github.com/weft-go/weft/lower/ir"
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

type kernel struct {
	ir        *ir.Kernel
	code      *native.Code
	processor schedule.Processor
	args      int          // number of arguments
	scratch   int          // bytes that a thread needs beside the buffers
	each      float64      // nanoseconds for a point of the grid by the estimate; 0: it depends on the symbols
	rate      *rate        // … as measured
	fold      *ir.Cumulate // a running fold of which a call can compute a part, nil: there is none
}

// keys contains memory for the keys of kernels.
var keys = sync.Pool{New: func() any { return new([]byte) }}

// newKernel returns a kernel with its machine code, which it compiles unless the code of an
// equal kernel is kept. Its error is a *noCode.
func (e *executor) newKernel(k *ir.Kernel) (*kernel, error) {
	buf := keys.Get().(*[]byte)
	defer keys.Put(buf)
	*buf = k.AppendKey((*buf)[:0])
	if known := e.codes.get(*buf); known != nil {
		n := *known
		n.ir = k // k has names of its own
		return &n, nil
	}
	n, err := e.compileKernel(k)
	if err == nil {
		e.codes.put(string(*buf), n)
	}
	return n, err
}

func (e *executor) compileKernel(k *ir.Kernel) (*kernel, error) {
	c, err := e.compile(k, codegen.Options{ISA: e.isa})
	if err != nil {
		return nil, &noCode{err.Error()}
	}
	code, err := native.Load(k.Name, c.Bytes)
	if err != nil {
		return nil, &noCode{err.Error()}
	}
	n := &kernel{ir: k, code: code, processor: e.processor, args: c.Args, scratch: c.Scratch, rate: &rate{}, fold: c.Fold}
	n.each = e.processor.PerPoint(k, nil)
	return n, nil
}

// launch is a kernel prepared for certain values of its symbols. Only its buffers are still
// unknown.
type launch struct {
	*kernel
	extents []int64 // of the grid
	points  int64   // of the grid
	each    float64 // nanoseconds for a point by the estimate
	threads int     // at most
	rate    *rate   // nil: nothing is measured
	folded  int64   // elements of the kernel's running fold
}

func newLaunch(k *kernel, symbols []int64, threads int) launch {
	l := launch{kernel: k, points: 1}
	for _, d := range k.ir.Grid {
		n := max(0, d.Extent.In(symbols))
		l.extents = append(l.extents, n)
		l.points *= n
	}
	if k.fold != nil {
		l.folded = k.fold.Extent.In(symbols)
	}
	l.each, l.rate = k.each, k.rate
	if l.each == 0 {
		l.each, l.rate = k.processor.PerPoint(k.ir, symbols), nil
	}
	l.threads, _ = schedule.Calls(l.points, l.each, threads)
	return l
}

// divide returns how many threads share the launch, and the points of a call.
func (l *launch) divide() (threads int, chunk int64) {
	each := l.each
	if m := l.rate.get(); m > 0 {
		each = m
	}
	return schedule.Calls(l.points, each, l.threads)
}

// run runs the kernel on buffers at the given addresses. The caller keeps the buffers
// reachable. If the context ends meanwhile, it may return early, with the error of the context.
func (l *launch) run(x *execution, buffers []uint64, symbols []int64) error {
	if l.points <= 0 {
		return nil
	}
	threads, chunk := l.divide()
	chunks := int((l.points + chunk - 1) / chunk)
	job := &x.space.job
	*job = launchJob{launch: l, chunk: chunk, timed: l.rate != nil && (chunks > 1 || l.threads > 1),
		shared: threads > 1 && chunks > 1, buffers: buffers, symbols: symbols, execution: x}
	if job.shared {
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

// arguments returns the arguments of a call for n points of the grid, beginning with point first.
func (l *launch) arguments(w *worker, buffers []uint64, symbols []int64, first, n int64) []uint64 {
	args := append(w.args[:0], w.scratchAddress())
	args = append(args, buffers...)
	for _, n := range symbols {
		args = append(args, uint64(n))
	}
	at := len(args)
	rest := first
	for range l.extents {
		args = append(args, 0)
	}
	for d := len(l.extents) - 1; d >= 0; d-- {
		args[at+d] = uint64(rest % l.extents[d])
		rest /= l.extents[d]
	}
	args = append(args, uint64(n))
	if l.fold != nil {
		args = append(args, 0, uint64(l.folded))
	}
	if len(args) != l.args {
		panic(fmt.Sprintf("BUG: kernel %s takes %d arguments, got %d", l.ir.Name, l.args, len(args)))
	}
	w.args = args
	return args
}

type launchJob struct {
	*launch
	*execution
	chunk   int64 // points of a call
	timed   bool
	shared  bool // by several threads
	buffers []uint64
	symbols []int64
}

// Chunk runs the points of chunk i, which begin with point i·chunk. If several threads run the
// chunks, those after the first are left out once the context has ended.
func (j *launchJob) Chunk(i, worker int) {
	if i > 0 && j.shared && j.ended() != nil {
		return
	}
	w := j.space.worker(worker, j.kernel.scratch)
	first := int64(i) * j.chunk
	n := min(j.chunk, j.points-first)
	args := j.arguments(w, j.buffers, j.symbols, first, n)
	piece := j.segment(n)
	if !j.timed {
		j.calls(w, args, piece)
		return
	}
	start := time.Now()
	j.calls(w, args, piece)
	j.rate.note(float64(time.Since(start).Nanoseconds()), n)
}

// segment returns how many elements of the kernel's running fold a call computes for n points of
// the grid; 0 stands for all.
func (l *launch) segment(n int64) int64 {
	if l.fold == nil || n != 1 {
		return 0
	}
	return schedule.Part(l.folded, codegen.Segment, max(l.each, l.rate.get()))
}

// calls runs machine code once, or once for each piece of a running fold, in order.
func (j *launchJob) calls(w *worker, args []uint64, piece int64) {
	if piece == 0 {
		w.call(j.code, args)
		return
	}
	first := len(args) - 2
	for at := int64(0); at < j.folded && (at == 0 || j.ended() == nil); at += piece {
		args[first], args[first+1] = uint64(at), uint64(piece)
		w.call(j.code, args)
	}
}

// space contains the jobs of one run of a program, and the memory of its threads.
type space struct {
	job       launchJob
	product   productJob
	conv      convJob
	transpose transposeJob
	rowTile   rowTileJob
	workers   []worker
}

// worker is the memory of one thread: argument blocks of kernels and micro-kernels, and scratch
// memory. All of it lies on the heap, where nothing moves.
type worker struct {
	args    []uint64
	scratch []byte
	running *native.Code

	micro struct {
		tile      codegen.TileArgs
		rows      codegen.RowDotsArgs
		long      codegen.LongDotArgs
		sweep     codegen.SweepArgs
		transpose codegen.TransposeArgs
		copy      codegen.RowCopyArgs
		largest   codegen.LargestArgs
	}

	// Of row tiles: values and copies, addresses of a kernel's buffers, the product that runs
	// and the copy of its left operand.
	tile    []byte
	buffers []uint64
	product productJob
	left    leftCopyJob

	_ [64]byte
}

func (w *worker) call(c *native.Code, args []uint64) {
	w.callMicro(c, unsafe.Pointer(unsafe.SliceData(args)))
}

// callMicro runs code on the arguments at args. Meanwhile w.running names the code: see recoverFault.
func (w *worker) callMicro(c *native.Code, args unsafe.Pointer) {
	w.running = c
	c.Call(args)
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

const scratchAlign = 64

func (w *worker) scratchAddress() uint64 {
	a := uintptr(unsafe.Pointer(unsafe.SliceData(w.scratch)))
	return uint64((a + scratchAlign - 1) &^ (scratchAlign - 1))
}
