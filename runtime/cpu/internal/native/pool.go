package native

import (
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// A Job is work in chunks that are independent of each other.
type Job interface {
	// Chunk does chunk i. Worker 0 is the caller of Run; two chunks never run at once
	// with the same worker.
	Chunk(i, worker int)
}

// A Pool is a number of threads that wait for jobs: awake for a moment after the last one,
// then asleep. A sleeping thread takes up to 100 µs to wake in a virtual machine; one that
// spins starts within a microsecond.
type Pool struct {
	busy    atomic.Bool   // a job runs
	state   atomic.Uint64 // number of the job << 32 | chunks that nothing has claimed
	done    atomic.Int64  // chunks that are finished
	job     Job
	chunks  int
	panics  atomic.Pointer[any]
	workers []*poolWorker
	closed  atomic.Bool
	exits   sync.WaitGroup
}

type poolWorker struct {
	asleep atomic.Bool
	wake   chan struct{}
	_      [64]byte
}

// spinTime is how long a thread without work stays awake.
const spinTime = 50 * time.Microsecond

// NewPool starts n−1 threads beside the caller of Run.
func NewPool(n int) *Pool {
	p := &Pool{}
	for i := 1; i < n; i++ {
		w := &poolWorker{wake: make(chan struct{}, 1)}
		p.workers = append(p.workers, w)
		p.exits.Add(1)
		go p.work(w, i)
	}
	return p
}

// Close ends the threads. No job may run.
func (p *Pool) Close() {
	p.closed.Store(true)
	p.Wake()
	p.exits.Wait()
}

// Wake wakes the sleeping threads. Run does so for a job; a call ahead of Run spares the wait.
func (p *Pool) Wake() {
	for _, w := range p.workers {
		if w.asleep.Load() && w.asleep.CompareAndSwap(true, false) {
			w.wake <- struct{}{}
		}
	}
}

// Run executes all chunks of a job and returns when they are finished. Each chunk goes to
// whichever thread is free, the caller included. A pool that is busy with another job leaves all
// chunks to the caller. Where threads share a job, a panic in a chunk becomes the caller's after
// the other chunks are done.
func (p *Pool) Run(job Job, chunks int) {
	if chunks <= 1 || len(p.workers) == 0 || !p.busy.CompareAndSwap(false, true) {
		for i := range chunks {
			job.Chunk(i, 0)
		}
		return
	}
	p.job, p.chunks = job, chunks
	p.done.Store(0)
	number := p.state.Load()>>32 + 1
	p.state.Store(number<<32 | uint64(chunks))
	p.Wake()
	p.claim(number, 0)
	for n := 0; p.done.Load() < int64(chunks); n++ {
		relax(n)
	}
	p.job = nil
	failure := p.panics.Swap(nil)
	p.busy.Store(false)
	if failure != nil {
		panic(*failure)
	}
}

// claim does chunks of the job with the given number until none is left.
func (p *Pool) claim(number uint64, worker int) {
	for {
		s := p.state.Load()
		left := s & (1<<32 - 1)
		if s>>32 != number&(1<<32-1) || left == 0 {
			return
		}
		if !p.state.CompareAndSwap(s, s-1) {
			continue
		}
		p.chunk(p.chunks-int(left), worker)
	}
}

func (p *Pool) chunk(i, worker int) {
	defer p.finishChunk()
	p.job.Chunk(i, worker)
}

// finishChunk counts a chunk and keeps the first panic of a job.
func (p *Pool) finishChunk() {
	if r := recover(); r != nil {
		kept := any(r)
		p.panics.CompareAndSwap(nil, &kept)
	}
	p.done.Add(1)
}

func (p *Pool) work(w *poolWorker, id int) {
	defer p.exits.Done()
	runtime.LockOSThread()
	debug.SetPanicOnFault(true) // a fault in a chunk is a panic of the job
	seen := p.state.Load() >> 32
	idle := time.Now()
	for n := 0; !p.closed.Load(); n++ {
		if s := p.state.Load(); s>>32 != seen || s&(1<<32-1) != 0 {
			seen = s >> 32
			p.claim(seen, id)
			idle, n = time.Now(), 0
			continue
		}
		relax(n)
		if n&15 != 15 || time.Since(idle) < spinTime {
			continue
		}
		w.asleep.Store(true)
		// A job that was published before asleep was set has not woken this thread.
		if s := p.state.Load(); s>>32 == seen && s&(1<<32-1) == 0 && !p.closed.Load() || !w.asleep.CompareAndSwap(true, false) {
			<-w.wake
		}
		idle, n = time.Now(), 0
	}
}

func relax(n int) {
	if n&255 == 255 {
		runtime.Gosched()
		return
	}
	spin()
}
