package device

import (
	"errors"
	"fmt"
	"math/bits"
	goruntime "runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// pool keeps device memory that nothing uses, by size. Memory of arrays returns when Go's
// collector finds that they are garbage, so a pool that has none left may start a
// collection before it takes more from the driver: see collect.go.
type pool struct {
	d     Driver
	mu    sync.Mutex
	free  map[int]*blocks // by bytes
	bytes int             // in free
	used  int             // given out
	lent  *block          // the list of blocks that are given out
	ticks int             // the number of blocks given out so far
	most  int             // bytes of the device, or of this pool when an allocation failed; 0: not known yet

	collector
}

// block is memory of the driver. It belongs to its pool as long as it exists.
type block struct {
	pool  *pool
	m     Memory
	bytes int

	// Of an [Uploader]:
	free   Mark // after the commands that used the block
	upload Mark // of an upload to the block, for which the next commands that use it have to wait; 0: none

	// While it is given out:
	before, after *block
	origin        *origin // of the array in it; nil: not described
}

// blocks are memory of one size that nothing uses.
type blocks struct {
	list []*block // in the order in which they were put back
	tick int      // when one was last given out or taken back
}

const (
	leastBytes = 256     // size of the smallest piece of memory
	fineBytes  = 1 << 20 // size up to which pieces are powers of two
)

// pieceBytes returns the size of a piece for n bytes: a power of two or, of large pieces, one
// of 16 sizes between two powers.
func pieceBytes(n int) int {
	top := 1 << bits.Len(uint(max(n, leastBytes)-1))
	if top <= fineBytes {
		return top
	}
	step := top / 32
	return (n + step - 1) / step * step
}

// piece is device memory that returns to its pool when nothing refers to it.
type piece struct {
	*block
	users   atomic.Int64 // arrays that were made in it, and programs that refer to it
	cleanup goruntime.Cleanup
}

// release returns memory to its pool. Only commands that have been given may still use it.
func (p *piece) release() {
	p.cleanup.Stop()
	p.pool.put(p.block)
}

// back is the cleanup of a piece.
func (b *block) back() { b.pool.put(b) }

// alloc returns memory of at least n bytes.
func (p *pool) alloc(n int) (*piece, error) {
	b, err := p.lend(pieceBytes(n), nil)
	if err != nil {
		return nil, err
	}
	return p.pieceOf(b), nil
}

// pieceOf returns a piece with the memory of a block, which returns to the pool when the piece is
// garbage.
func (p *pool) pieceOf(b *block) *piece {
	x := &piece{block: b}
	x.cleanup = goruntime.AddCleanup(x, (*block).back, b)
	return x
}

// lend returns a block of the size of a piece, which the caller puts back: preferably
// the block `before`, which may be nil.
func (p *pool) lend(size int, before *block) (*block, error) {
	b, err := p.find(size, func() *block { return p.take(size, before) })
	if err != nil || b.upload == 0 {
		return b, err
	}
	if err := p.d.(Uploader).Join(b.upload); err != nil {
		p.put(b)
		return nil, err
	}
	b.upload = 0
	return b, nil
}

// find returns the block that take returns or, if that is nil even after a collection that was due, new
// memory of the driver.
func (p *pool) find(size int, take func() *block) (*block, error) {
	if err := p.d.Available(); err != nil {
		return nil, err
	}
	b := take()
	if b == nil && p.collected() {
		b = take()
	}
	if b != nil {
		return b, nil
	}
	b, err := p.allocate(size)
	if outOfMemory(err) {
		if b, err = p.again(size, err); outOfMemory(err) {
			err = fmt.Errorf("no memory for %s on the device (%s are in use%s): %w", Bytes(size), Bytes(p.inUse()), p.largest(), err)
		}
	}
	return b, err
}

// allocate returns memory of the driver, within the limit.
func (p *pool) allocate(size int) (*block, error) {
	b := &block{pool: p, bytes: size}
	p.mu.Lock()
	if limit, setting := p.limit(); limit > 0 && p.used+p.bytes+size > limit {
		p.mu.Unlock()
		return nil, &limitError{limit, setting}
	}
	p.handedOut(b) // now, so that concurrent allocations are within the limit too
	p.mu.Unlock()
	var err error
	if b.m, err = p.d.Alloc(size); err != nil {
		p.mu.Lock()
		p.takeBack(b)
		p.mu.Unlock()
		return nil, err
	}
	return b, nil
}

// received returns memory of n bytes to which copy copies, and the mark of the copy, which runs concurrently
// with commands: commands that use the memory have to join it.
func (p *pool) received(u Uploader, n int, copy func(dst Memory, free Mark) (Mark, error)) (*piece, Mark, error) {
	size := pieceBytes(n)
	b, err := p.find(size, func() *block { return p.takeIdle(u, size) })
	if err != nil {
		return nil, 0, err
	}
	m, err := copy(b.m, b.free)
	b.upload = max(b.upload, m) // also of what was copied before an error
	if err != nil {
		p.put(b)
		return nil, 0, err
	}
	return p.pieceOf(b), m, nil
}

// takeIdle returns the block that was put back longest ago, nil if there is none. It also returns nil if commands may still use
// that block and the device has much memory left: an upload to new memory waits for no command.
func (p *pool) takeIdle(u Uploader, size int) *block {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.free[size]
	if f == nil || len(f.list) == 0 {
		return nil
	}
	if b := f.list[0]; p.used+p.bytes < p.capacity()/2 && !u.Over(b.free) {
		return nil
	}
	return p.remove(f, 0)
}

// again allocates after an error about memory: garbage, and memory that is kept, may be enough.
// Arrays that the collector finds return their memory some time later.
func (p *pool) again(n int, err error) (b *block, _ error) {
	if !errors.As(err, new(*limitError)) {
		p.mu.Lock()
		p.most = p.used + p.bytes
		p.mu.Unlock()
	}
	for wait := time.Millisecond; outOfMemory(err) && wait < 100*time.Millisecond; wait *= 4 {
		p.collect()
		time.Sleep(wait)
		p.trim()
		b, err = p.allocate(n)
	}
	return b, err
}

// take returns a free block of a size: the block `before`, if it is among the last that were
// put back, else the one that was put back last; nil if there is none.
func (p *pool) take(size int, before *block) *block {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.free[size]
	if f == nil || len(f.list) == 0 {
		return nil
	}
	i := len(f.list) - 1
	if before != nil {
		first := max(0, i-farBack)
		if k := slices.Index(f.list[first:], before); k >= 0 {
			i = first + k
		}
	}
	return p.remove(f, i)
}

// remove takes block i out of a list, to give it out. The caller has locked p.
func (p *pool) remove(f *blocks, i int) *block {
	b := f.list[i]
	f.list = slices.Delete(f.list, i, i+1)
	p.bytes -= b.bytes
	p.handedOut(b)
	f.tick = p.ticks
	if len(f.list) == 0 {
		p.collectAhead()
	}
	return b
}

// farBack is how far back from the last block of the list take searches for the block `before`.
const farBack = 64

// handedOut records that memory was given out. The caller has locked p.
func (p *pool) handedOut(b *block) {
	b.after = p.lent
	if p.lent != nil {
		p.lent.before = b
	}
	p.lent = b
	p.used += b.bytes
	p.given += b.bytes
	p.ticks++
	p.watch()
}

// takeBack records that memory is no longer given out. The caller has locked p.
func (p *pool) takeBack(b *block) {
	if b.before != nil {
		b.before.after = b.after
	} else {
		p.lent = b.after
	}
	if b.after != nil {
		b.after.before = b.before
	}
	b.before, b.after, b.origin = nil, nil, nil
	p.used -= b.bytes
}

// put takes memory back. Commands run in order: those that still use it run before those that will.
func (p *pool) put(b *block) {
	if u, ok := p.d.(Uploader); ok {
		b.free = u.Last() + 1
	}
	p.mu.Lock()
	if p.free == nil {
		p.free = map[int]*blocks{}
	}
	f := p.free[b.bytes]
	if f == nil {
		f = &blocks{}
		p.free[b.bytes] = f
	}
	p.takeBack(b)
	f.list = append(f.list, b)
	f.tick = p.ticks
	p.bytes += b.bytes
	over := p.over()
	p.mu.Unlock()
	p.discard(over)
}

func (p *pool) discard(bs []*block) {
	for _, b := range bs {
		if b.upload > 0 {
			_ = p.d.(Uploader).Join(b.upload) // an error means that the context is lost, and the memory with it
		}
		p.d.Free(b.m)
	}
}

// over removes blocks until the pool keeps at most three quarters of the memory that the device has
// for it, first those of the sizes that were used longest ago. The caller has locked p.
func (p *pool) over() (all []*block) {
	for p.bytes > p.capacity()/4*3 {
		oldest := 0
		for size, f := range p.free {
			if len(f.list) > 0 && (oldest == 0 || f.tick < p.free[oldest].tick) {
				oldest = size
			}
		}
		f := p.free[oldest]
		all = append(all, f.list[0])
		f.list = f.list[1:]
		p.bytes -= oldest
	}
	return all
}

// trim releases all memory that the pool and the driver keep.
func (p *pool) trim() {
	p.mu.Lock()
	var all []*block
	for _, f := range p.free {
		all = append(all, f.list...)
	}
	clear(p.free)
	p.bytes = 0
	p.mu.Unlock()
	p.discard(all)
	if t, ok := p.d.(interface{ Trim() }); ok {
		t.Trim()
	}
}

func (p *pool) inUse() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.used
}

// capacity returns the bytes that the device has for the pool, as far as is known. The caller
// has locked p.
func (p *pool) capacity() int {
	if p.most == 0 {
		if p.most = p.d.Capacity(); p.most <= 0 {
			p.most = unknownCapacity
		}
	}
	if limit, _ := p.limit(); limit > 0 {
		return min(p.most, limit)
	}
	return p.most
}

// unknownCapacity is assumed of a driver that does not report the memory of its device.
const unknownCapacity = 1<<31 - 1
