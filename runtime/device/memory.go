package device

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/kernel"
	"github.com/weft-go/weft/runtime"
)

// pool keeps device memory that nothing uses, by the power of two of its size.
type pool struct {
	d     Driver
	mu    sync.Mutex
	free  [64][]Memory
	bytes int // in free
	used  int // given out
}

// keepBytes bounds what a pool keeps.
const keepBytes = 1 << 30

// leastBytes is the size of the smallest piece of memory.
const leastBytes = 256

func class(n int) int { return bits.Len(uint(max(n, leastBytes) - 1)) }

// piece is device memory that returns to its pool when nothing refers to it.
type piece struct {
	m       Memory
	pool    *pool
	class   int
	kept    atomic.Bool // a program refers to it
	cleanup goruntime.Cleanup
}

// release returns memory that nothing will use, but commands that have been given.
func (p *piece) release() {
	p.cleanup.Stop()
	p.pool.put(p.m, p.class)
}

// alloc returns memory of at least n bytes.
func (p *pool) alloc(n int) (*piece, error) {
	if err := p.d.Available(); err != nil {
		return nil, err
	}
	c := class(n)
	m, ok := p.take(c)
	if !ok {
		var err error
		if m, err = p.d.Alloc(1 << c); err != nil {
			if m, err = p.again(1<<c, err); err != nil {
				return nil, fmt.Errorf("no memory for %s on the device (%s are in use): %w", Bytes(n), Bytes(p.inUse()), err)
			}
		}
	}
	p.mu.Lock()
	p.used += 1 << c
	p.mu.Unlock()
	x := &piece{m: m, pool: p, class: c}
	x.cleanup = goruntime.AddCleanup(x, func(m Memory) { p.put(m, c) }, m)
	return x, nil
}

// again allocates after an error: what is garbage, and what is kept, may be enough. Arrays
// that the collector finds return their memory some time after it.
func (p *pool) again(n int, err error) (m Memory, _ error) {
	for wait := time.Millisecond; err != nil && wait < 100*time.Millisecond; wait *= 4 {
		goruntime.GC()
		time.Sleep(wait)
		p.trim()
		if t, ok := p.d.(interface{ Trim() }); ok {
			t.Trim()
		}
		m, err = p.d.Alloc(n)
	}
	return m, err
}

func (p *pool) take(c int) (Memory, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.free[c]
	if len(l) == 0 {
		return 0, false
	}
	p.free[c] = l[:len(l)-1]
	p.bytes -= 1 << c
	return l[len(l)-1], true
}

// put takes memory back. Commands run in order: what still uses it runs before what will.
func (p *pool) put(m Memory, c int) {
	p.mu.Lock()
	p.used -= 1 << c
	keep := p.bytes+1<<c <= keepBytes
	if keep {
		p.free[c] = append(p.free[c], m)
		p.bytes += 1 << c
	}
	p.mu.Unlock()
	if !keep {
		p.d.Free(m)
	}
}

// trim releases all memory that the pool keeps.
func (p *pool) trim() {
	p.mu.Lock()
	var all []Memory
	for c, l := range p.free {
		all = append(all, l...)
		p.free[c] = nil
	}
	p.bytes = 0
	p.mu.Unlock()
	for _, m := range all {
		p.d.Free(m)
	}
}

func (p *pool) inUse() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.used
}

// view is a run of bytes on the device.
type view struct {
	p      *piece
	offset int
}

func (v view) place() Place { return Place{v.p.m, v.offset} }

// buffer is the memory of an array on the device.
type buffer struct {
	e     *executor
	at    view
	bytes int

	mu    sync.Mutex
	event Event // nil: nothing to wait for, or the wait is over
	err   error
}

// Executor returns the device's executor.
func (b *buffer) Executor() runtime.Executor { return b.e }

// Wait waits for the commands that compute the elements.
func (b *buffer) Wait(ctx context.Context) error {
	b.mu.Lock()
	event, err := b.event, b.err
	b.mu.Unlock()
	if event == nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- event.Wait() }()
	select {
	case err := <-done:
		b.mu.Lock()
		defer b.mu.Unlock()
		b.event, b.err = nil, err
		return err
	case <-ctx.Done():
		return ended(ctx)
	}
}

// Bytes waits and copies the elements.
func (b *buffer) Bytes(ctx context.Context) ([]byte, error) {
	if err := b.Wait(ctx); err != nil {
		return nil, err
	}
	data := kernel.NewTensor(core.Aval(core.Uint8, b.bytes)).Data
	if len(data) == 0 {
		return data, nil
	}
	err := b.e.driver.Read(data, b.at.p.m, b.at.offset)
	goruntime.KeepAlive(b.at.p)
	return data, err
}

// ended returns the error of a context that has ended, with its cause; else nil.
func ended(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); !errors.Is(cause, err) {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	return err
}
