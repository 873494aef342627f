package cpu

import (
	"math/bits"
	goruntime "runtime"
	"sync"
	"time"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/pages"
	"github.com/weft-go/weft/runtime"
)

// Results and arenas lie in blocks that are reused, because a first access to fresh pages is slow.
// Blocks of results come back when the results are garbage; since the collector does not count this
// memory, allocResult starts a collection where results have twice the memory that they had after
// the collection before, and more than leastLimit. If no block is taken for a second, the free ones
// go back to the system.

// smallBlock is the size up to which results lie on the Go heap.
const smallBlock = 16 << 10

// blocks are the free blocks by class, and the bytes in use. A block is a slice whose capacity
// is the size of its class.
type blocks struct {
	mu      sync.Mutex
	free    [64 * 4][][]byte
	spare   int // bytes of free blocks
	out     int // bytes of blocks in use
	results int // … of blocks of results
	limit   int // collect garbage before results have more than this
	taken   int // requests since the last trim
	timer   *time.Timer
	timing  bool
	most    func() int         // bytes that all blocks may have
	mapped  func(n int) []byte // memory of the system, nil if it refuses
	wait    time.Duration      // how long free blocks wait for use
	collect func()             // makes garbage results give their blocks back
}

// leastLimit is the least limit: fewer bytes of results alone cause no collection.
const leastLimit = 32 << 20

func newBlocks() *blocks {
	return &blocks{limit: leastLimit, most: runtime.MemoryLimit, mapped: pages.Map, wait: time.Second, collect: pages.Collect}
}

var memory = newBlocks()

func init() { pages.OnShortage(memory.shrink) }

func (m *blocks) shrink() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unmapFree()
}

// classOf returns the class of blocks of n bytes and their size: four sizes between
// powers of two, so that at most a fifth is lost where n exceeds 2 KiB.
func classOf(n int) (class, size int) {
	k := max(bits.Len(uint(n-1)), 12) // n ≤ 2^k, and n > 2^(k−1) unless that is 2 KiB
	quarter := 1 << (k - 3)
	for q := 1; q <= 4; q++ {
		if s := 1<<(k-1) + q*quarter; n <= s {
			return k*4 + q - 1, s
		}
	}
	return k*4 + 3, 1 << k
}

// alloc returns n bytes of a block with arbitrary contents. It panics if they do not fit in
// memory.
func (m *blocks) alloc(n int) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.block(n, false)
}

// allocResult is alloc for a result, which releaseResult takes back when it is garbage.
func (m *blocks) allocResult(n int) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.block(n, true)
	m.results += cap(b)
	return b
}

// block returns n bytes of a free block or of a new one.
func (m *blocks) block(n int, result bool) []byte {
	class, size := classOf(n)
	b := m.take(class)
	if b == nil && (result && m.results+size > m.limit || size > m.most()-m.out) {
		m.mu.Unlock()
		m.collect()
		m.mu.Lock()
		m.limit = max(leastLimit, 2*m.results)
		b = m.take(class)
	}
	if b == nil {
		b = m.fresh(n, size)
	}
	return b[:n]
}

// longestWait is the last and longest of the waits for cleanups when memory has run out.
const longestWait = 256 * time.Millisecond

// fresh returns a new block for n bytes. If the system has none, fresh gives it the free blocks back, then also
// the blocks of garbage.
func (m *blocks) fresh(n, size int) (b []byte) {
	most := m.most()
	if m.out+m.spare+size > most {
		m.unmapFree()
	}
	if size <= most-m.out {
		if b = m.mapped(size); b == nil {
			m.unmapFree()
			b = m.mapped(size)
		}
		if b == nil {
			m.mu.Unlock()
			m.collect()
			m.mu.Lock()
			m.unmapFree()
			b = m.mapped(size)
		}
		// Other goroutines run the cleanups of collected results: a busy machine needs time for them.
		for wait := time.Millisecond; b == nil && m.out > 0 && wait <= longestWait; wait *= 4 {
			m.mu.Unlock()
			time.Sleep(wait)
			m.mu.Lock()
			m.unmapFree()
			b = m.mapped(size)
		}
	}
	if b == nil {
		core.Failf(core.ErrDevice, "%d MB do not fit in memory beside the %d MB in use; make arrays smaller, or use fewer at once", n>>20, m.out>>20)
	}
	m.out += size
	return b
}

// take returns a free block of a class, nil if there is none.
func (m *blocks) take(class int) []byte {
	m.taken++
	list := m.free[class]
	if len(list) == 0 {
		return nil
	}
	b := list[len(list)-1]
	list[len(list)-1] = nil
	m.free[class] = list[:len(list)-1]
	m.spare -= cap(b)
	m.out += cap(b)
	return b
}

func (m *blocks) release(b []byte) {
	b = b[:cap(b)]
	class, _ := classOf(len(b))
	m.mu.Lock()
	defer m.mu.Unlock()
	m.free[class] = append(m.free[class], b)
	m.spare += len(b)
	m.out -= len(b)
	if !m.timing {
		m.timing = true
		if m.timer == nil {
			m.timer = time.AfterFunc(m.wait, m.trim)
		} else {
			m.timer.Reset(m.wait)
		}
	}
}

// releaseResult takes the block of a garbage result back. Cleanups may run after the collection
// has set the limit, so they lower it.
func (m *blocks) releaseResult(b []byte) {
	m.mu.Lock()
	m.results -= cap(b)
	m.limit = min(m.limit, max(leastLimit, 2*m.results))
	m.mu.Unlock()
	m.release(b)
}

// trim gives free blocks back to the system if none was taken for a while.
func (m *blocks) trim() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.taken > 0 {
		m.taken = 0
		m.timer.Reset(m.wait)
		return
	}
	m.timing = false
	m.unmapFree()
}

func (m *blocks) unmapFree() {
	for class, list := range m.free {
		for _, b := range list {
			pages.Unmap(b)
		}
		m.free[class] = nil
	}
	m.spare = 0
}

// newResult returns an array of type t with arbitrary elements, from s if [runtime.IsSmall] reports t.
func newResult(s *runtime.Slab, t core.ShapedArray) *runtime.Array {
	n := t.Size() * t.DType.Size()
	if n <= smallBlock {
		if runtime.IsSmall(t) {
			return s.New(t)
		}
		return runtime.NewUncleared(t)
	}
	return runtime.Made(t, memory.allocResult(n), giveBack)
}

func giveBack(b []byte) { memory.releaseResult(b) }

// keepAlive keeps arrays reachable up to here: machine code has only their addresses.
func keepAlive(lists ...[]*runtime.Array) {
	for _, l := range lists {
		for _, a := range l {
			goruntime.KeepAlive(a)
		}
	}
}
